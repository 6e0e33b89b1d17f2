// The page of a table. The server has the rules: the page shows its picture and sends the number of a clicked action.
"use strict";
const $ = (id) => document.getElementById(id);
const table = $("table");
const base = location.pathname; // ends with the token and a slash
let state = {version: ""};
let picked = ""; // the card or tile picked up
let laid = null; // the element of a piece that is shown at a place, to be confirmed
let sure = ""; // the version at which a new deal was requested once, in the middle of a game
let polling = null;
let dealt = 0; // time of the deal, in milliseconds of this page

// Requests

async function follow() {
  for (;;) {
    polling = new AbortController();
    try {
      const asked = new URLSearchParams({since: state.version, palette: $("palette").value, theme: $("theme").value});
      const answer = await fetch(`${base}state?${asked}`, {signal: polling.signal});
      const told = await answer.json();
      if (answer.ok) show(told);
      else { say(told.error); if (answer.status === 404) return; await pause(3000); }
    } catch (error) {
      if (error.name === "AbortError") continue;
      say("The server does not answer. If it was stopped, start it again with --resume and use the new link.");
      await pause(2000);
    }
  }
}

async function act(wish) {
  say("");
  try {
    const body = JSON.stringify({version: state.version, ...wish});
    const answer = await fetch(`${base}act`, {method: "POST", headers: {"Content-Type": "application/json"}, body});
    const told = await answer.json();
    if (!answer.ok) { say(told.error); again(); }
    return answer.ok ? told : null;
  } catch {
    say("The server does not answer. The table has not changed.");
    return null;
  }
}

function again() { // fetch the state again, with the current colours
  state.version = "";
  if (polling) polling.abort();
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const say = (words) => { $("message").textContent = words; };
const play = (action) => act({do: "play", action});

// Display

function show(told) {
  if (told.version === state.version) { state = told; return; }
  const mine = told.yours && !state.yours;
  state = told;
  picked = ""; laid = null; sure = "";
  table.innerHTML = told.svg; // drawn by the server, which escapes all words
  $("title").textContent = document.title = told.title;
  $("status").textContent = told.status;
  $("status").className = told.yours ? "yours" : "";
  if (mine) document.title = "● " + told.title;
  dealt = told.timer === null ? 0 : Date.now() - 1000 * told.timer;
  showTime();
  prepare();
  list();
  $("log").replaceChildren(...told.log.slice().reverse().map((words) => item("li", words)));
  const seats = told.seats.map((name, seat) => item("option", name === "You" ? `seat ${seat}` : `seat ${seat} of ${name}`, seat));
  $("seat").replaceChildren(...seats);
  $("seat").value = told.seat;
  $("seat").hidden = !told.alone || told.seats.length < 2;
  $("hint").disabled = !told.yours;
  $("replay").hidden = !told.replay;
  $("replay").href = `${base}replay`;
  $("lay").hidden = true;
}

function item(kind, words, value) {
  const made = document.createElement(kind);
  made.textContent = words;
  if (value !== undefined) made.value = value;
  return made;
}

function showTime() {
  if (!dealt || state.over) { if (!dealt) $("timer").textContent = ""; return; }
  const seconds = Math.max(0, Math.round((Date.now() - dealt) / 1000));
  $("timer").textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function prepare() { // make everything that can be clicked reachable by Tab
  for (const made of table.querySelectorAll("[data-action]:not(.for),[data-choose]")) {
    made.setAttribute("tabindex", "0");
    made.setAttribute("role", "button");
    const words = state.actions.find(([action]) => String(action) === made.dataset.action);
    const title = made.querySelector("title");
    const label = words ? words[1] : title ? title.textContent : "";
    if (label) made.setAttribute("aria-label", label);
  }
}

function list() {
  const wanted = $("find").value.toLowerCase();
  const found = state.actions.filter(([, words]) => words.toLowerCase().includes(wanted));
  $("choices").textContent = state.actions.length ? `Your actions (${found.length})` : "Your actions: none now";
  $("actions").replaceChildren(...found.map(([action, words]) => {
    const line = document.createElement("li");
    const button = item("button", words);
    button.dataset.number = action;
    button.onclick = () => play(action);
    button.onfocus = button.onmouseenter = () => mark("seen", action);
    button.onblur = button.onmouseleave = () => mark("seen", null);
    line.append(button);
    return line;
  }));
}

function mark(kind, action) { // mark everything on the table that plays an action
  for (const made of document.querySelectorAll(`.${kind}`)) made.classList.remove(kind);
  if (action === null) return;
  for (const made of table.querySelectorAll(`[data-action="${action}"]`)) {
    made.classList.add(kind);
    if (kind === "hinted" && made.dataset.for) chooser(made.dataset.for)?.classList.add(kind);
  }
  if (kind === "hinted") document.querySelector(`#actions [data-number="${action}"]`)?.classList.add(kind);
}

// Pick up, lay and turn

const chooser = (name) => table.querySelector(`[data-choose="${CSS.escape(name)}"]`);
const places = (name) => [...table.querySelectorAll(`[data-for="${CSS.escape(name)}"]`)];
const turns = (made) => [...made.closest("[data-place]").querySelectorAll(`[data-for="${CSS.escape(picked)}"]`)];

function pick(name) { // picking the same thing again puts it back
  for (const made of table.querySelectorAll(".picked,.on")) made.classList.remove("picked", "on", "sure");
  for (const made of table.querySelectorAll(".for")) made.removeAttribute("tabindex");
  laid = null;
  $("lay").hidden = true;
  picked = picked === name ? "" : name;
  if (!picked) return;
  for (const made of table.querySelectorAll(`[data-choose="${CSS.escape(picked)}"]`)) made.classList.add("picked");
  for (const made of places(picked)) {
    const place = made.closest("[data-place]");
    if (!place || !place.querySelector(".on")) offer(made);
  }
}

function offer(made) {
  made.classList.add("on");
  made.setAttribute("tabindex", "0");
  made.setAttribute("role", "button");
}

function lay(made, step = 1) { // show it first if it can be turned; otherwise lay it at once
  const place = made.closest("[data-place]");
  if (!place || turns(made).length === 1) { play(Number(made.dataset.action)); return; }
  let shown = made;
  if (laid === made) {
    const ways = turns(made);
    shown = ways[(ways.indexOf(made) + step + ways.length) % ways.length];
    made.classList.remove("on");
    offer(shown);
  }
  for (const other of table.querySelectorAll(".sure")) other.classList.remove("sure");
  shown.classList.add("sure");
  laid = shown;
  shown.focus({preventScroll: true});
  $("lay").hidden = false;
}

function press(made) {
  if (made.dataset.for) lay(made);
  else if (made.dataset.action) play(Number(made.dataset.action));
  else pick(made.dataset.choose);
}

const pressed = (event) => event.target.closest?.("[data-action],[data-choose]");

table.addEventListener("click", (event) => {
  const made = pressed(event);
  if (made) press(made);
});
table.addEventListener("wheel", (event) => {
  if (!laid || !pressed(event)) return;
  event.preventDefault();
  lay(laid, event.deltaY > 0 ? 1 : -1);
}, {passive: false});

// Tools and keys

async function hint() {
  const asked = act({do: "hint"});
  say("The adviser is thinking.");
  const told = await asked;
  if (told) { say(told.hint); mark("hinted", told.action); }
}

function deal() {
  const seed = $("seed").value.trim();
  if (seed && !/^\d{1,10}$/.test(seed)) { say(`seed=${seed} is not allowed; allowed: a whole number of up to 10 digits`); return; }
  if (!state.over && state.log.length && sure !== state.version) {
    sure = state.version;
    say("This game is not over. To abandon it, press again.");
    return;
  }
  const wish = {do: "deal"};
  if (seed) wish.seed = Number(seed);
  if (state.alone && Number($("seat").value) !== state.seat) wish.seat = Number($("seat").value);
  act(wish);
}

function step(by) { // go up or down the list
  const buttons = [...$("actions").querySelectorAll("button")];
  if (!buttons.length) return;
  const now = buttons.indexOf(document.activeElement);
  buttons[now < 0 ? (by > 0 ? 0 : buttons.length - 1) : (now + by + buttons.length) % buttons.length].focus();
}

async function rules() { // fetch the rules once, when they are first opened
  if (!$("rules").open) return;
  if (!$("rules-text").textContent) {
    const answer = await fetch(`${base}rules`).catch(() => null);
    if (!answer?.ok) { $("rules").open = false; say("The server does not answer. Open the rules again later."); return; }
    (await answer.text()).split("\n").forEach(writeRule);
  }
  $("rules").scrollIntoView({block: "nearest"});
}

function writeRule(line) { // join the lines of a paragraph; indented lines are items of a list
  const item = line.startsWith(" "), last = $("rules-text").lastElementChild;
  if (line && !item && last?.textContent && last.className !== "item") { last.append(` ${line}`); return; }
  const made = $("rules-text").appendChild(document.createElement("div"));
  const heading = item ? "" : /^[A-Z][a-z]+( [a-z]+)?\.(?= |$)/.exec(line)?.[0] ?? "";
  if (heading) made.appendChild(document.createElement("b")).textContent = heading;
  made.append(line.slice(heading.length).trimEnd());
  if (item) made.className = "item";
}

const KEYS = {
  ArrowDown: () => step(1),
  ArrowUp: () => step(-1),
  "/": () => $("find").focus(),
  u: () => $("undo").click(),
  h: () => $("hint").click(),
  n: () => $("deal").click(),
  r: () => laid && lay(laid),
  Escape: () => { if (picked) pick(picked); },
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const made = table.contains(event.target) && pressed(event);
  const writing = ["INPUT", "SELECT"].includes(event.target.tagName);
  if (event.target.id === "rules-text" && event.key.startsWith("Arrow")) return; // arrows scroll the rules
  if (made && (event.key === "Enter" || event.key === " ")) {
    if (made === laid && event.key === "Enter") play(Number(laid.dataset.action));
    else press(made);
  } else if (writing && event.target.id === "find" && event.key === "ArrowDown") step(1);
  else if (writing && event.key === "Escape") event.target.blur();
  else if (!writing && KEYS[event.key]) KEYS[event.key]();
  else return;
  event.preventDefault();
});
$("find").oninput = list;
$("find").onkeydown = (event) => { if (event.key === "Enter") $("actions").querySelector("button")?.click(); };
$("lay").onclick = () => laid && play(Number(laid.dataset.action));
$("undo").onclick = () => act({do: "undo"});
$("hint").onclick = hint;
$("deal").onclick = deal;
$("palette").onchange = again;
$("rules").ontoggle = rules;
$("theme").onchange = () => { document.documentElement.className = $("theme").value; again(); };
setInterval(showTime, 500);
follow();
