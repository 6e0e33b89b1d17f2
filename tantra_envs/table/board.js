// The drawing on the page of a table: what can be clicked, pieces that are picked up and laid, and short moves of cards.
const table = $("table");
let picked = ""; // the card or tile picked up
let lifted = ""; // the tile that was just taken up, to be laid elsewhere
const SAID = 16; // units of a panel for its name, and for the line below it
const APART = 6; // units between the name, the last action and the edge
let raised = null; // the card of a narrow strip that a finger has chosen: a second tap plays it
let laid = null; // the element of a piece that is shown at a place, to be confirmed

// Display

const SIGNS = [ // name of a colour, where a drawing has it, its line, and its meaning
  ["go", ".go,.hit", "solid", "you can choose it"],
  ["last", ".last", "solid", "new, or asked about"],
  ["gold", ".shown,svg>rect[fill='var(--gold)']", "solid", "shown to all"],
  ["turn", "rect[stroke='var(--turn)']", "solid", "seat to decide"],
  ["line", "rect[stroke-dasharray]", "dashed", "no card here"],
  ["go", "path[stroke-dasharray][stroke='var(--go)']", "dashed", "place for a tile"],
  ["last", "path[stroke-dasharray][stroke='var(--last)']", "dashed", "gobble that you cannot fill now"],
];

function draw(svg) { // replace the drawing, and let cards move from where they were
  const before = spots();
  table.innerHTML = svg; // drawn by the server, which escapes all words
  nameParts();
  nameSigns();
  picked = ""; laid = raised = null;
  $("lay").hidden = true;
  table.querySelector("svg")?.setAttribute("role", "group"); // "img" would hide the cards inside
  showZoom();
  enlarge(table.querySelector("svg"));
  if (before.length && !matchMedia("(prefers-reduced-motion: reduce)").matches) move(before);
}

function nameParts() { // keep the titles as names: the browser would show them beside our explanations
  for (const title of table.querySelectorAll("title")) {
    const thing = title.parentNode;
    thing.dataset.title = title.textContent;
    thing.setAttribute("aria-label", title.textContent);
    if (!thing.dataset.action && !thing.dataset.choose) thing.setAttribute("role", "img");
    title.remove();
  }
}

function nameSigns() { // a legend of the borders that the drawing has, in its colours
  const svg = table.querySelector("svg"), colours = getComputedStyle(svg);
  const signs = SIGNS.filter(([, where]) => svg?.querySelector(where)).map(([colour, , line, words]) => {
    const sign = document.createElement("li"), sample = sign.appendChild(document.createElement("i"));
    sample.style.border = `3px ${line} ${colours.getPropertyValue(`--${colour}`)}`;
    sign.append(words);
    return sign;
  });
  $("signs").replaceChildren(...signs);
}

function tell(last, names) { // write the last action of each seat beside its name; return the lines that find no room there
  for (const old of table.querySelectorAll(".said")) old.remove();
  return last.filter(([seat, line], i) => {
    const words = line.slice(line.startsWith(`${names[seat]} `) ? names[seat].length + 1 : 0).replace(/\.$/, "");
    return !beside(table.querySelector(`[data-seat="${seat}"]`), words, i === last.length - 1);
  }).map(([, line]) => line);
}

function beside(panel, words, isLast) { // write words after the name in a panel, or below it; return whether all fit
  const svg = table.querySelector("svg"), frame = panel?.getBBox();
  const texts = panel ? [...svg.querySelectorAll("text")].map((text) => [text, text.getBBox()]) : [];
  const line = (top) => texts.filter(([, {x, y, height}]) => x >= frame.x && x < frame.x + frame.width / 3 &&
    y + height / 2 > frame.y + top && y + height / 2 < frame.y + top + SAID).sort(([, one], [, other]) => one.x - other.x)[0];
  const name = panel && line(0), lines = [name, name && line(SAID)].filter(Boolean);
  if (!name) return false;
  const said = svg.querySelector(".above").appendChild(document.createElementNS(svg.namespaceURI, "text"));
  said.setAttribute("class", isLast ? "said latest" : "said");
  const parts = words.split(" "), least = LETTERS[0] / svg.getScreenCTM().a;
  for (let count = parts.length; count >= Math.min(3, parts.length); count--) {
    said.textContent = `● ${parts.slice(0, count).join(" ")}${count < parts.length ? " …" : ""}`;
    for (const [text, box] of lines) for (const size of [Math.max(SAID / 2, least), least]) {
      const start = box.x + box.width + APART, meets = ([, other]) => other.x > start && other.y + 4 < box.y + box.height && box.y + 4 < other.y + other.height;
      const end = Math.min(frame.x + frame.width, ...texts.filter(meets).map(([, other]) => other.x)) - APART;
      said.setAttribute("x", start);
      said.setAttribute("y", text.getAttribute("y"));
      said.style.fontSize = `${size}px`;
      if (start + said.getComputedTextLength() <= end) return count === parts.length;
    }
  }
  said.remove();
  return false;
}

function spots() { // the place of each card, in units of the drawing
  return [...table.querySelectorAll("svg use[transform]")].map((card) => {
    const [, x, y] = /translate\(([-\d.]+) ([-\d.]+)\)/.exec(card.getAttribute("transform")) ?? [0, 0, 0];
    return {card, kind: card.getAttribute("href"), x: Number(x), y: Number(y)};
  });
}

function move(before) { // a card that has left one place and appears at another moves there
  const now = spots(), here = (one) => (other) => one.kind === other.kind && one.x === other.x && one.y === other.y;
  const gone = before.filter((old) => !now.some(here(old)));
  for (const spot of now.filter((one) => !before.some(here(one)))) {
    const from = gone.findIndex((old) => old.kind === spot.kind);
    if (from < 0) { if (spot.card.classList.contains("last")) spot.card.animate([{opacity: 0}, {opacity: 1}], 300); continue; }
    const [old] = gone.splice(from, 1);
    spot.card.animate([{translate: `${old.x - spot.x}px ${old.y - spot.y}px`}, {translate: "0px 0px"}], {duration: 320, easing: "ease-out"});
  }
}

function prepare(actions) { // make everything that can be clicked reachable by Tab
  for (const thing of table.querySelectorAll("[data-action]:not(.for),[data-choose]")) {
    thing.setAttribute("tabindex", "0");
    thing.setAttribute("role", "button");
    const entry = actions.find(([action]) => String(action) === thing.dataset.action);
    const label = entry ? entry[1] : thing.dataset.title;
    if (label) thing.setAttribute("aria-label", label);
    thing.setAttribute("aria-describedby", "meaning");
  }
}

function mark(kind, action) { // mark everything on the table that plays an action
  for (const thing of document.querySelectorAll(`.${kind}`)) thing.classList.remove(kind);
  if (action === null) return;
  for (const thing of table.querySelectorAll(`[data-action="${action}"]`)) {
    thing.classList.add(kind);
    if (kind !== "taken" && thing.dataset.for) chooser(thing.dataset.for)?.classList.add(kind);
  }
  if (kind !== "seen") document.querySelector(`#actions [data-number="${action}"]`)?.classList.add(kind);
}

function light(words) { // light every part of the table that a line names: "beside tiles 33 and 21"
  for (const thing of table.querySelectorAll(".named")) thing.classList.remove("named");
  const line = words.replace(/(\w+)s ((?:\d+, )*\d+) and (\d+)/g, (_, noun, some, last) =>
    [...some.split(", "), last].map((number) => `${noun} ${number}`).join(", "));
  for (const thing of words ? table.querySelectorAll("[data-title]") : []) {
    const after = line.split(thing.dataset.title.split(/[:,]/)[0]).slice(1);
    if (after.some((rest) => !/^\d/.test(rest))) thing.classList.add("named");
  }
}

// Pick up, lay and turn

const chooser = (name) => table.querySelector(`[data-choose="${CSS.escape(name)}"]`);
const places = (name) => [...table.querySelectorAll(`[data-for="${CSS.escape(name)}"]`)];
const turns = (thing) => [...thing.closest("[data-place]").querySelectorAll(`[data-for="${CSS.escape(picked)}"]`)];

function pick(name) { // picking the same thing again puts it back
  for (const thing of table.querySelectorAll(".picked,.on")) thing.classList.remove("picked", "on", "sure");
  for (const thing of table.querySelectorAll(".for")) thing.removeAttribute("tabindex");
  laid = null;
  $("lay").hidden = true;
  picked = picked === name ? "" : name;
  if (!picked) { retreat(); return; }
  for (const thing of table.querySelectorAll(`[data-choose="${CSS.escape(picked)}"]`)) thing.classList.add("picked");
  for (const thing of places(picked)) {
    const place = thing.closest("[data-place]");
    if (!place || !place.querySelector(".on")) offer(thing);
  }
  approach([...table.querySelectorAll("[data-place]:has(.on)")]);
  const [thing, [place]] = [chooser(picked), table.querySelectorAll(".for.on")];
  const where = place?.dataset.title?.split(/[:,]/)[0] || "its place, which is marked";
  if (thing && byFinger) $("meaning").replaceChildren(...describe(thing).slice(0, -1), item("span", `Now tap ${where}.`));
}

function putBack() { // the picked thing, with the focus if it was among its places
  const thing = chooser(picked), among = table.contains(document.activeElement);
  pick(picked);
  if (among && !pointing) thing?.focus({preventScroll: true});
}

function offer(thing) {
  const entry = state.actions.find(([action]) => String(action) === thing.dataset.action);
  thing.classList.add("on");
  thing.setAttribute("tabindex", "0");
  thing.setAttribute("role", "button");
  thing.setAttribute("aria-label", entry ? entry[1] : "a place");
}

function lay(thing, step = 1) { // a tile is shown first, also one that cannot be turned: a click never lays it
  const place = thing.closest("[data-place]");
  if (!place) { play(Number(thing.dataset.action)); return; }
  let shown = thing;
  if (laid === thing) {
    const ways = turns(thing);
    shown = ways[(ways.indexOf(thing) + step + ways.length) % ways.length];
    thing.classList.remove("on");
    offer(shown);
  }
  for (const other of table.querySelectorAll(".sure")) other.classList.remove("sure");
  shown.classList.add("sure");
  laid = shown;
  shown.focus({preventScroll: true});
  $("lay").hidden = false;
}

function press(thing) {
  if (thing.dataset.for) lay(thing);
  else if (thing.dataset.action) {
    lifted = /^tile (\d+)/.exec(thing.dataset.title ?? "")?.[1] ?? "";
    play(Number(thing.dataset.action));
  } else {
    pick(thing.dataset.choose);
    if (picked && !pointing) table.querySelector(".for.on")?.focus({preventScroll: true}); // the places come before the tiles
  }
}

function carryOn() { // a tile that was taken up from the table is in the hand at once
  if (lifted && state.yours && chooser(lifted) && picked !== lifted) pick(lifted);
  lifted = "";
}

const pressed = (event) => event.target.closest?.("[data-action],[data-choose]");

function narrow(thing) { // whether a finger that aims at a card beside this one may hit it
  const {left, right, top, bottom, width} = thing.getBoundingClientRect();
  const apart = [...table.querySelectorAll("use")].map((card) => card.getBoundingClientRect())
    .filter((box) => Math.abs(box.width - width) < 1 && box.top < bottom && box.bottom > top && box.left < right && box.right > left)
    .map((box) => Math.abs(box.left - left)).filter((gap) => gap > 1);
  return Math.min(width, ...apart) < FINGER;
}

function raise(thing) { // show which card the finger has chosen
  raised?.classList.remove("raised");
  raised = thing;
  thing.classList.add("raised");
  $("meaning").replaceChildren(...describe(thing), item("span", "Tap it again to play it."));
}

table.addEventListener("click", (event) => {
  const thing = pressed(event);
  if (!thing) return;
  const card = thing.localName === "use" && thing.dataset.action && !thing.dataset.for;
  if (byFinger && card && thing !== raised && narrow(thing)) raise(thing);
  else press(thing);
});
table.addEventListener("wheel", (event) => {
  if (!laid || !pressed(event)) return;
  event.preventDefault();
  lay(laid, event.deltaY > 0 ? 1 : -1);
}, {passive: false});
