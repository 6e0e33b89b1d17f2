// Zoom and pan of drawings with places for tiles or with tiny letters, on screens for fingers. The browser pans.
const FINGER = 40; // px that a finger needs
const HEXAGON = 20 * Math.sqrt(3); // width of a tile at scale 1, as in hexagons.py
const TINY = 6, READABLE = 9; // px of letters: below the first a drawing is made larger, up to the second
const MOST_ZOOM = 6, ZOOM_STEP = 1.5;
const touchable = matchMedia("(pointer: coarse), (max-width: 760px)");
let zoom = 1;
let chosenZoom = false; // the person has chosen it: the page leaves it as it is
let fingers = new Map(); // the fingers on the table
let apart = 0; // px between two fingers when they last moved

function zoomTo(factor, x, y) { // the point (x, y) of the window stays where it is
  const svg = table.querySelector("svg");
  if (!svg) return;
  const before = svg.getBoundingClientRect();
  zoom = Math.min(MOST_ZOOM, Math.max(1, factor));
  table.classList.toggle("zoomed", zoom > 1);
  table.style.setProperty("--zoom", zoom);
  const after = svg.getBoundingClientRect();
  table.scrollLeft += after.left + (x - before.left) / before.width * after.width - x;
  table.scrollTop += after.top + (y - before.top) / before.height * after.height - y;
  $("farther").disabled = zoom === 1;
  $("nearer").disabled = zoom === MOST_ZOOM;
}

function zoomBy(factor) { // about the middle of what is seen
  const {left, top, width, height} = table.getBoundingClientRect();
  chosenZoom = true;
  zoomTo(zoom * factor, left + width / 2, top + height / 2);
  if (zoom === 1) chosenZoom = false;
}

function tiny() { // how much larger a drawing with many seats has to be on this screen; 1 = not at all
  const svg = table.querySelector("svg"), scale = svg ? table.clientWidth / svg.viewBox.baseVal.width : 1;
  const least = scale * Math.min(...[...svg?.querySelectorAll("text") ?? []].map((text) => Number(text.getAttribute("font-size")) || TINY / scale));
  return least < TINY ? READABLE / least : 1;
}

function showZoom() { // after a new drawing: the buttons, and the zoom that the person has chosen
  const by = touchable.matches ? tiny() : 1;
  $("zoom").hidden = !(touchable.matches && (by > 1 || table.querySelector("[data-place]")));
  if ($("zoom").hidden || !chosenZoom) chosenZoom = false;
  if (chosenZoom || zoom === by) return;
  zoomTo(by, 0, 0);
  table.scrollLeft = (table.scrollWidth - table.clientWidth) / 2; // the own hand is in the middle, at the bottom
  table.scrollTop = by > 1 ? table.scrollHeight : 0;
}

function approach(places) { // make places that are too small for a finger large enough, and show the first ones
  if (!touchable.matches || chosenZoom || !places.length) return;
  const wide = HEXAGON * places[0].getScreenCTM().a;
  if (wide >= FINGER) return;
  const spots = places.map((place) => place.getScreenCTM()), middle = (of) => spots.reduce((sum, spot) => sum + of(spot), 0) / spots.length;
  zoomTo(zoom * FINGER / wide, middle((spot) => spot.e), middle((spot) => spot.f));
  const near = places[0].getScreenCTM(), {left, top, width, height} = table.getBoundingClientRect();
  if (near.e < left || near.e > left + width) table.scrollLeft += near.e - left - width / 2;
  if (near.f < top || near.f > top + height) table.scrollTop += near.f - top - height / 2;
}

function retreat() { // show the whole table again, unless the person has chosen the zoom
  if (!chosenZoom && zoom > 1) showZoom();
}

const gap = ([a, b]) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);

table.addEventListener("pointerdown", (event) => {
  if (event.pointerType !== "touch" || $("zoom").hidden) return;
  fingers.set(event.pointerId, event);
  apart = fingers.size === 2 ? gap([...fingers.values()]) : 0;
});
table.addEventListener("pointermove", (event) => {
  if (!fingers.has(event.pointerId)) return;
  fingers.set(event.pointerId, event);
  if (fingers.size !== 2 || !apart) return;
  const both = [...fingers.values()], now = gap(both), [a, b] = both;
  chosenZoom = true;
  zoomTo(zoom * now / apart, (a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2);
  apart = now;
});
for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, (event) => { fingers.delete(event.pointerId); apart = 0; });
$("nearer").onclick = () => zoomBy(ZOOM_STEP);
$("farther").onclick = () => zoomBy(1 / ZOOM_STEP);
touchable.onchange = showZoom;
