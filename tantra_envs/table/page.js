// The page of a table. The server has the rules: the page shows its picture and sends the number of a clicked action.
let state = {version: "", log: []};
let busy = ""; // what the page waits for, while it takes no actions
let sure = ""; // the version at which a new deal was requested once, in the middle of a game
let parked = ""; // where the focus was when the actions went away: "table" or "list"
let pointing = false; // the person uses a mouse or a finger: the page moves no focus, which would look like advice
let reviewed = ""; // the version of the finished game whose review is on the page
let byFinger = false; // the last thing that touched the page was a finger
let pointer = ""; // where the mouse is: only a move marks an action, not a new list under a mouse that rests
let clicked = false; // the mouse has not moved since its last click
let shownAt = Date.now(); // when the page last changed
let hinting = 0; // since when the adviser thinks
let asking = null; // cancels the hint that the adviser thinks about
let allOpen = true; // at the end the hands of all seats are shown
const CHANGES = ["play", "undo", "next", "deal", "same", "branch"]; // what gives the table a new version
let terms = {}; // meanings of cards and phases
let resizing = 0; // the timer of a window that changes its size
const ABOVE = 168; // px of the window that the question and the words below the table need, as in page.css
let polling = null;
let silent = false; // the server did not answer the last time
let dealt = 0; // time of the deal, in milliseconds of this page

// Requests

async function follow() {
  for (;;) {
    polling = new AbortController();
    try {
      const query = new URLSearchParams({since: silent ? "" : state.version, ...look()}); // after a cut the answer comes at once
      const answer = await fetch(`${base}state?${query}`, {signal: polling.signal});
      const reply = await answer.json();
      if (silent && answer.status === 404) { location.reload(); return; } // the server has started again: the link opens the table
      if (silent) say("");
      silent = false;
      if (answer.ok) show(reply);
      else if (answer.status === 404) { closed(); return; }
      else { say(reply.error); await pause(3000); }
    } catch (error) {
      if (error.name === "AbortError") continue;
      say("The server does not answer. If it was stopped, start it again: python -m tantra_envs play. This page then goes on, or Go on in the list of all games.");
      silent = true;
      await pause(2000);
    }
  }
}

function closed() { // to make room for another table
  say("This table is closed. Load the page again to go on.");
  state.yours = false;
  wait("This table is closed.");
}

async function act(wish, reason = "Just a moment.", signal = null) { // one at a time: actions wait until the table has answered
  if (busy) return null;
  const version = state.version;
  let done = true; // a change is done when the page shows it
  wait(reason);
  say("");
  try {
    const body = JSON.stringify({version, ...wish});
    const answer = await fetch(`${base}act`, {method: "POST", headers: {"Content-Type": "application/json"}, body, signal});
    const reply = await answer.json();
    if (answer.ok) {
      done = !CHANGES.includes(wish.do) || state.version !== version;
      return reply;
    }
    if (answer.status !== 409 || ["undo", "deal", "same", "branch"].includes(wish.do)) say(reply.error);
    again(); // the table has changed meanwhile: show it
    return null;
  } catch (error) {
    if (error.name !== "AbortError") say("The server does not answer. The table has not changed.");
    return null;
  } finally {
    if (done) wait("");
  }
}

function again() { // fetch the state again, with the current colours
  state.version = "";
  if (polling) polling.abort();
}

const look = () => ({palette: $("palette").value, theme: $("theme").value, order: $("order").value, ...room()});

function room() { // for the drawing: the server makes it as wide as the window allows, where the page does not scroll past it
  if (getComputedStyle($("menu")).display !== "none") return {}; // a phone: the width decides
  const high = Math.max(320, innerHeight - ABOVE), wide = Math.min(9, table.clientWidth / high);
  return {wide: wide.toFixed(2)};
}
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const say = (words) => { $("message").textContent = words; if (words) $("message").scrollIntoView({block: "nearest"}); };

function wait(reason) { // disable the actions, and say why
  busy = reason;
  for (const button of document.querySelectorAll("#actions button,#lay,#next,#again,#deal,#same")) button.disabled = Boolean(busy);
  $("hint").disabled = (Boolean(busy) && !asking) || !state.yours;
  $("hint").textContent = busy && asking ? "Cancel the hint" : "Hint";
  $("undo").disabled = Boolean(busy) || !state.undo;
  table.classList.toggle("busy", Boolean(busy));
  table.setAttribute("aria-busy", String(Boolean(busy)));
  $("status").textContent = busy;
  if (!busy) for (const thing of document.querySelectorAll(".taken")) thing.classList.remove("taken");
}

async function play(action) {
  if (!state.yours || busy) return;
  park();
  mark("taken", action);
  const entry = state.actions.find(([number]) => number === action);
  await act({do: "play", action}, entry ? `Your action: ${entry[1]}. One moment.` : "One moment.");
}

// Display

function show(reply) {
  if (reply.version === state.version) { state = {...reply, log: state.log}; return; }
  const turn = reply.yours && !state.yours, focus = park(), redraw = reply.svg !== state.svg;
  const lines = fresh(state.log, reply.log);
  state = reply;
  sure = "";
  if (redraw) draw(reply.svg);
  forget();
  document.title = (turn ? "● " : "") + reply.title;
  $("title").textContent = reply.game;
  $("question").textContent = reply.question;
  $("goal").textContent = reply.goal;
  $("ask").className = reply.yours ? "yours" : "";
  $("ask").hidden = !reply.question;
  $("lobby").hidden = !reply.lobby;
  $("lobby").href = reply.lobby;
  dealt = reply.timer === null ? 0 : Date.now() - 1000 * reply.timer;
  showTime();
  prepare(reply.actions);
  carryOn();
  list();
  log(lines);
  $("last").replaceChildren(...tell(reply.ending ? [] : reply.last, reply.seats).map((words) => item("li", words)));
  tools(reply);
  ending(reply);
  remember(reply);
  $("advice").hidden = true;
  shownAt = Date.now();
  wait("");
  returnFocus(focus);
}

function remember(reply) { // for the page of a table that is not open: only for a person alone, as links of several people are secret
  try { if (reply.lobby) localStorage.setItem("lobby", reply.lobby); } catch { /* the browser may keep nothing */ }
}

function tools(reply) {
  const seats = reply.seats.map((name, seat) => item("option", seat === reply.seat ? "the same seat" : `the seat of ${name}`, seat));
  $("seat").replaceChildren(...seats);
  $("seat").value = reply.seat ?? 0;
  if ($("order").options.length !== reply.orders.length) $("order").replaceChildren(...reply.orders.map((name) => item("option", name, name)));
  $("order").closest("label").hidden = !reply.orders.length;
  $("your-deal").hidden = !reply.alone;
  $("your-seat").hidden = !reply.alone || reply.seat === null || reply.seats.length < 2;
  $("speed").value = reply.speed || "normal";
  $("hint").hidden = reply.seat === null || reply.over;
  $("undo").hidden = reply.seat === null || (reply.over && !reply.undo);
  $("choosing").hidden = reply.seat === null;
  $("asking").hidden = reply.seat === null;
  $("turning").hidden = !reply.svg.includes("data-place");
  for (const id of ["choices", "actions", "find"]) $(id).hidden = reply.seat === null || reply.over || (id === "find" && reply.actions.length < 9);
}

function showTime() {
  if (!dealt || state.over) { if (!dealt) $("timer").textContent = ""; return; }
  const seconds = Math.max(0, Math.round((Date.now() - dealt) / 1000));
  $("timer").textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function showWait() { // how long the adviser or another seat has been thinking
  const seconds = (since) => Math.round((Date.now() - since) / 1000);
  if (hinting) $("seconds").textContent = `${seconds(hinting)} s`;
  const idle = !state.svg || state.yours || state.over || state.waiting || $("speed").value === "paused";
  if (!busy) $("status").textContent = !idle && seconds(shownAt) >= PATIENCE ? `Still waiting: ${seconds(shownAt)} s.` : "";
}

function fresh(old, now) { // the number of lines at the end of a log that an older log does not have; -1 = another log
  for (let kept = Math.min(old.length, now.length); kept > 0; kept--) {
    if (old.slice(-kept).every((line, i) => line === now[i])) return now.length - kept;
  }
  return -1;
}

function log(count) { // add the new lines only, so that screen readers read only those
  const lines = count < 0 ? state.log : state.log.slice(state.log.length - count);
  if (count < 0) $("log").replaceChildren();
  $("log").append(...lines.map((words) => item("div", words)));
  while ($("log").children.length > state.log.length) $("log").firstChild.remove();
  $("log").scrollTop = $("log").scrollHeight;
}

function list() {
  const wanted = $("find").value.toLowerCase();
  const groups = new Map(); // the actions of a tile stand together
  for (const entry of state.actions) groups.set(chosen(entry[0]), [...groups.get(chosen(entry[0])) ?? [], entry]);
  const heading = (action) => chooser(chosen(action))?.dataset.title ?? ""; // such as the colours of a tile
  const entries = [...groups.values()].flat().filter(([action, words]) => `${words} ${heading(action)}`.toLowerCase().includes(wanted));
  const grouped = (name) => entries.filter(([action]) => chosen(action) === name).length > 1; // one action needs no heading
  let group = "";
  $("choices").textContent = state.actions.length ? `Your actions (${entries.length})` : "Your actions: none now";
  $("actions").classList.remove("pointed");
  $("actions").replaceChildren(...entries.flatMap(([action, words], i) => {
    const line = document.createElement("li"), button = item("button", words);
    button.dataset.number = action;
    button.tabIndex = i ? -1 : 0; // the list is one stop of Tab; arrows move in it
    button.onclick = () => play(action);
    button.onfocus = () => {
      for (const other of $("actions").querySelectorAll("button")) other.tabIndex = other === button ? 0 : -1;
      if (!pointing) point(action);
    };
    button.onblur = () => point(null);
    line.append(button);
    const name = chosen(action), title = name && name !== group && grouped(name) ? heading(action) : "";
    group = name;
    if (!title) return [line];
    const above = item("li", title);
    above.className = "group";
    return [above, line];
  }));
}

const chosen = (action) => table.querySelector(`[data-action="${action}"][data-for]`)?.dataset.for ?? ""; // what it lays

function point(action) { // mark what an entry of the list plays, and light what it names; null = nothing
  mark("seen", action);
  light(state.actions.find(([number]) => number === action)?.[1] ?? "");
}

// Focus: it goes back to where it was when there is something to do again

function park() { // remember where the focus is, before what has it goes away
  const now = document.activeElement;
  if (table.contains(now)) parked = "table";
  else if ($("actions").contains(now) || now === $("lay") || now === $("find")) parked = "list";
  else if (now !== document.body && now !== $("question") && now !== $("verdict")) parked = "";
  return parked;
}

function returnFocus(kind) {
  const lost = [document.body, $("question"), $("verdict")].includes(document.activeElement) || !document.activeElement.isConnected;
  if (pointing || !kind || !lost) return;
  const first = kind === "table" ? table.querySelector("[tabindex='0']") : null;
  const aim = state.yours ? first ?? $("actions").querySelector("button") : $("ending").hidden ? $("question") : $("verdict");
  (aim ?? $("question")).focus({preventScroll: true});
}

// The end of a round or game

async function ending(reply) {
  const end = reply.ending;
  $("ending").hidden = !end;
  if (!end) return;
  $("verdict").textContent = end.verdict;
  $("result").textContent = end.result;
  $("tally").textContent = end.tally;
  $("tally").hidden = !end.tally;
  $("sheet").tHead.replaceChildren(line(end.sheet.heads, true));
  $("reasons").replaceChildren(...end.sheet.reasons.map((row, i) => line(row, false, end.sheet.parts[i])));
  $("rounds").replaceChildren(...end.sheet.rows.map((row) => line(row)));
  $("scoring").hidden = !end.scoring.length;
  $("scoring").querySelector("ul").replaceChildren(...end.scoring.map((words) => item("li", words)));
  $("earlier").hidden = !end.earlier.length;
  $("earlier").replaceChildren(...end.earlier.map((words) => item("li", `The same deal ${words}`)));
  $("rematch").hidden = !end.same;
  const level = $("level").value || "scripted";
  $("level").replaceChildren(...reply.levels.map(([name, title]) => item("option", title, name)));
  $("level").value = level;
  $("next").hidden = !reply.waiting;
  $("next").textContent = `Next ${reply.round}`;
  $("again").hidden = !reply.over;
  $("replay").hidden = !reply.over;
  $("replay").href = `${base}replay`;
  $("open").hidden = !end.covered;
  review(reply);
  if (!$("open").hidden && allOpen) await openHands();
}

async function review(reply) { // what decided the game, with a link to the worst decision; judging takes some seconds
  const wanted = reply.over && reply.seat !== null && reply.judged && reply.seats.length > 1;
  if (!wanted) { $("review").textContent = ""; reviewed = ""; return; }
  if (reviewed === reply.version) return;
  reviewed = reply.version;
  $("review").textContent = "Looking for what decided the game …";
  const answer = await fetch(`${base}review`).catch(() => null);
  if (reviewed !== reply.version) return;
  const {words, ply} = answer?.ok ? await answer.json() : {words: "", ply: null};
  const link = item("a", ply === null ? "See it." : "See it, and try again.");
  link.href = `${base}replay?judged=1${ply === null ? "" : `#${ply}`}`;
  $("review").replaceChildren(...words ? [`${words} `, link] : []);
}

function line(cells, heading = false, parts = []) { // parts: what the number of a cell is made of
  const row = document.createElement("tr");
  cells.forEach((words, i) => {
    const text = heading ? words.replace("Opponent", "Oppo\u00adnent") : words; // where a narrow column may break it
    const cell = row.appendChild(item((i === 0 || heading) && words ? "th" : "td", text)); // an empty cell names nothing
    if (parts[i]) cell.append(item("small", parts[i]));
    if (cell.tagName === "TH") cell.scope = heading ? "col" : "row";
  });
  return row;
}

async function openHands() {
  const version = state.version;
  const answer = await fetch(`${base}open?${new URLSearchParams(look())}`).catch(() => null);
  const svg = answer?.ok ? await answer.text() : "";
  if (svg && version === state.version) draw(svg);
}

// Tools and keys

async function hint() {
  if (asking) { asking.abort(); return; }
  if (!state.yours || busy) return;
  asking = new AbortController();
  $("advice").hidden = $("thinking").hidden = false;
  $("advice").textContent = "The adviser tries out your best actions. Please wait.";
  hinting = Date.now();
  const reply = await act({do: "hint"}, "The adviser thinks: wait with your action, or press Esc.", asking.signal);
  hinting = 0;
  asking = null;
  $("thinking").hidden = true;
  $("advice").hidden = !reply;
  if (!reply) return;
  $("advice").textContent = reply.hint;
  mark("hinted", reply.action);
  $("advice").scrollIntoView({block: "nearest"});
}

function pace(speed) { // the list is not disabled while the page is busy, as it would lose the focus
  if (busy) setTimeout(pace, 100, speed);
  else act({do: "pace", speed});
}

function deal() {
  const seed = $("seed").value.trim();
  if (seed && !/^\d{1,10}$/.test(seed)) { say("The number of the deal must be a whole number of up to 10 digits."); return; }
  if (!state.over && state.log.length && sure !== state.version) {
    sure = state.version;
    say("This game is not over. To abandon it, press New deal again.");
    return;
  }
  const wish = {do: "deal"};
  if (seed) wish.seed = Number(seed);
  if (!$("your-seat").hidden && Number($("seat").value) !== state.seat) wish.seat = Number($("seat").value);
  act(wish);
}

function branch() { // a replay leads here with a number of actions: the game goes on from there
  const wish = new URLSearchParams(location.hash.slice(1));
  if (!wish.has("from")) return;
  history.replaceState(null, "", base); // a page that is loaded again does not do it again
  act({do: "branch", version: wish.get("version"), length: Number(wish.get("from"))});
}

function step(by) { // go up or down the list
  const buttons = [...$("actions").querySelectorAll("button")];
  if (!buttons.length) return;
  const now = buttons.indexOf(document.activeElement);
  buttons[now < 0 ? (by > 0 ? 0 : buttons.length - 1) : (now + by + buttons.length) % buttons.length].focus();
}

async function learn() { // fetch the meanings of cards and terms
  const answer = await fetch(`${base}terms`).catch(() => null);
  if (answer?.ok) terms = await answer.json();
  $("terms").replaceChildren(...Object.entries(terms).flatMap(([term, words]) => [item("dt", term), item("dd", words)]));
  $("glossary").hidden = !Object.keys(terms).length;
}

function explain(event) { // the meaning of the card under the mouse or with the focus
  if (event.type === "mouseover" && clicked) return; // the table was drawn anew under a mouse that rests
  const things = event.type === "mouseover" ? under(event) : [event.target.closest?.("[data-title]")];
  const thing = things[0];
  if (!thing) { forget(); return; }
  const whole = things.find((other) => other !== thing && other.tagName === "g"); // such as the Display Card under its pictures
  $("meaning").replaceChildren(...[thing, whole].filter(Boolean).flatMap(describe));
}

function under({clientX, clientY}) { // the parts of the table there, the upper ones first; words lie over all cards
  const things = document.elementsFromPoint(clientX, clientY).map((part) => part.closest("#table [data-title]"));
  return [...new Set(things)].filter(Boolean);
}

function describe(thing) { // its name, its meaning, and what a click does
  const entry = state.actions?.find(([action]) => String(action) === thing.dataset.action);
  const does = entry ? `: ${entry[1]}`.toLowerCase() : "", whole = thing.dataset.title;
  const words = does && whole.toLowerCase().endsWith(does) ? whole.slice(0, -does.length) : whole; // the click says it
  const name = item("strong", words[0].toUpperCase() + words.slice(1));
  const click = thing.dataset.choose ? "Click it, then click its place." : entry && entry[1] !== name.textContent ? `Click: ${entry[1]}.` : "";
  return [name, ...[meaningOf(words), click].filter(Boolean).map((line) => item("span", line))];
}

function meaningOf(words) { // of the term with which words begin
  words = words.replace(/^(a|an|the|your|.+?'s) /i, "");
  const begins = (key) => words.startsWith(key) || (key !== key.toUpperCase() && words.toLowerCase().startsWith(key.toLowerCase()));
  return terms[Object.keys(terms).find((key) => begins(key.split(" (")[0]))] ?? "";
}

const forget = () => $("meaning").replaceChildren();

const KEYS = {
  ArrowDown: () => step(1),
  ArrowUp: () => step(-1),
  "/": () => $("find").focus(),
  u: () => $("undo").click(),
  h: () => $("hint").click(),
  n: () => $("deal").click(),
  r: () => laid && lay(laid),
  Escape: () => { if (asking) asking.abort(); else if (picked) putBack(); },
};
const SCROLLED = ["terms", "log"]; // arrows scroll these

document.addEventListener("pointerdown", (event) => {
  pointing = true;
  clicked = event.pointerType === "mouse";
  byFinger = event.pointerType === "touch";
  if (clicked) forget();
}, true);
document.addEventListener("keydown", () => { pointing = false; }, true);
document.addEventListener("pointermove", (event) => {
  const now = `${event.clientX} ${event.clientY}`, moved = pointer !== now;
  pointer = now;
  if (moved) clicked = false;
  if (!moved || event.pointerType !== "mouse") return;
  const inside = $("actions").contains(event.target), button = inside && event.target.closest("button");
  const line = event.target.closest?.("#log div, #last li, #advice, .said");
  if (inside || $("actions").classList.contains("pointed")) point(button ? Number(button.dataset.number) : null);
  $("actions").classList.toggle("pointed", inside);
  if (!inside) light(line ? line.textContent : "");
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const thing = table.contains(event.target) && pressed(event);
  const writing = ["INPUT", "SELECT"].includes(event.target.tagName);
  if (SCROLLED.includes(event.target.id) && event.key.startsWith("Arrow")) return;
  if (thing && (event.key === "Enter" || event.key === " ")) {
    if (thing === laid && event.key === "Enter") play(Number(laid.dataset.action));
    else press(thing);
  } else if (writing && event.target.id === "find" && event.key === "ArrowDown") step(1);
  else if (writing && event.key === "Escape") event.target.blur();
  else if (!writing && KEYS[event.key]) KEYS[event.key]();
  else return;
  event.preventDefault();
});
table.addEventListener("mouseover", explain);
table.addEventListener("focusin", explain);
table.addEventListener("mouseleave", forget);
table.addEventListener("focusout", forget);
$("find").oninput = list;
$("find").onkeydown = (event) => { if (event.key === "Enter") $("actions").querySelector("button")?.click(); };
$("lay").onclick = () => laid && play(Number(laid.dataset.action));
$("undo").onclick = () => act({do: "undo"});
$("hint").onclick = hint;
$("next").onclick = () => act({do: "next"});
$("again").onclick = () => act({do: "deal"});
$("same").onclick = () => act({do: "same", level: $("level").value}, "Preparing the agents. The first time on a computer this can take a minute.");
$("deal").onclick = deal;
$("open").onclick = async () => {
  allOpen = !allOpen;
  $("open").textContent = allOpen ? "Close the other hands" : "Open all hands";
  if (allOpen) await openHands(); else draw(state.svg);
};
$("menu").onclick = () => { // the settings are far below on a small screen
  const open = $("tools").classList.toggle("open");
  $("menu").setAttribute("aria-expanded", String(open));
  if (open) $("tools").scrollIntoView({block: "center"});
};
$("speed").onchange = () => pace($("speed").value);
$("palette").onchange = again;
$("order").onchange = again;
$("book").href = `${base}book`;
$("theme").onchange = () => { document.documentElement.className = $("theme").value; again(); };
addEventListener("resize", () => { // drawn anew when the window has come to rest
  clearTimeout(resizing);
  resizing = setTimeout(again, 300);
});
setInterval(showTime, 500);
setInterval(showWait, 500);
learn();
branch();
follow();
