// Drag cards and tiles with the mouse: to the place where they go, or out of the hand to play them. A click does the same.
const SLIP = 6; // px that a hand may slip in a click
let dragged = null; // what the mouse holds: the thing, where it was taken, and its copy under the mouse
let dropped = false; // a click that ends a drag is no click

const hand = ({x, y}) => [...table.querySelectorAll("[data-seat]")].find((panel) => {
  const {left, right, top, bottom} = panel.getBoundingClientRect();
  return x >= left && x <= right && y >= top && y <= bottom;
});

table.addEventListener("pointerdown", (event) => {
  dropped = false;
  const thing = pressed(event);
  const movable = event.pointerType === "mouse" && !event.button && state.yours && !busy && thing?.localName === "use";
  dragged = movable && !thing.dataset.for ? {thing, from: event, copy: null} : null;
});

addEventListener("pointermove", (event) => {
  if (!dragged) return;
  const {thing, from} = dragged, x = event.clientX - from.clientX, y = event.clientY - from.clientY;
  if (!thing.isConnected) { drop(); return; } // the table has changed meanwhile
  if (!dragged.copy && Math.hypot(x, y) < SLIP) return;
  if (!dragged.copy) {
    if (thing.dataset.choose && picked !== thing.dataset.choose) pick(thing.dataset.choose);
    dragged.copy = table.querySelector("svg").appendChild(thing.cloneNode(true));
    dragged.copy.classList.add("dragged");
    for (const name of ["data-action", "data-choose", "data-title", "tabindex", "role"]) dragged.copy.removeAttribute(name);
    dragged.copy.setAttribute("aria-hidden", "true");
  }
  const scale = table.querySelector("svg").getScreenCTM().a;
  dragged.copy.style.translate = `${x / scale}px ${y / scale}px`;
});

addEventListener("pointerup", (event) => {
  if (!dragged?.copy) { dragged = null; return; }
  const {thing, from} = dragged, name = thing.dataset.choose;
  drop();
  dropped = true;
  if (name) {
    const place = document.elementsFromPoint(event.clientX, event.clientY)
      .map((part) => part.closest("#table .for.on")).find((part) => part?.dataset.for === name);
    if (place) lay(place);
    else if (picked) pick(picked);
    return;
  }
  const before = hand(from), now = hand(event); // a card leaves the hand, a pile comes into it
  if (before ? before !== now : now?.dataset.seat === String(state.seat)) press(thing);
});
addEventListener("pointercancel", drop);

function drop() {
  dragged?.copy?.remove();
  dragged = null;
}

table.addEventListener("click", (event) => {
  if (dropped) event.stopImmediatePropagation();
  dropped = false;
}, true);
