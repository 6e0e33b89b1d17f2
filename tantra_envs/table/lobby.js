// The lobby: choose a game, its rules and its seats, then play or watch.
const PLACES = ["First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth", "Tenth", "Eleventh", "Twelfth"];
const EXERCISES = 3; // the newest ones are listed
const LONGEST = 70; // letters that explain an option
let games = [], levels = [], game = null;
let ladders = {}; // best seconds of solved puzzles, by game and variant
let today = ""; // the date of the server, in words
let compiling = ""; // the game for which the page waits

const say = (words) => { $("news").textContent = words; };
const variant = () => game.variants.find(({name}) => name === $("variant").value);
const seats = () => [...$("seats").querySelectorAll("select")];

function card(entry) { // a game with its picture and its paragraph
  const button = document.createElement("button");
  button.type = "button";
  button.setAttribute("aria-pressed", "false");
  if (entry.picture) {
    const image = button.appendChild(document.createElement("img"));
    image.src = `${base}picture?game=${entry.id}`;
    image.alt = "";
  }
  button.append(item("strong", entry.title), item("span", entry.text));
  button.append(item("span", numbers(entry.variants.flatMap((one) => one.seats))));
  button.lastChild.className = "soft";
  button.onclick = () => { choose(entry); $("form").scrollIntoView({block: "nearest"}); };
  entry.button = button;
  const quick = item("button", `Play ${entry.title}`), both = document.createElement("div"); // on a phone the form is below all games
  quick.type = "button";
  quick.className = "quick first";
  quick.onclick = () => { choose(entry); open(false); };
  both.append(button, quick);
  return both;
}

const opponent = ({name, title, text}) => item("option", `${title}: ${short(text)}`, name);

function numbers(seats) { // of players
  const [least, most] = [Math.min(...seats), Math.max(...seats)];
  return least === most ? (most === 1 ? "for one" : `${most} players`) : `${least} to ${most} players`;
}

function choose(entry) {
  game = entry;
  for (const other of games) other.button.setAttribute("aria-pressed", String(other === entry));
  $("chosen").textContent = entry.title;
  $("variant").replaceChildren(...entry.variants.map(({name, text, seats, day}) =>
    item("option", day ? `The puzzle of ${today}` : `${name ? short(text) : "The usual rules"} · ${numbers(seats)}`, name)));
  say("");
  prepare(entry);
  $("links").replaceChildren();
  ruled();
}

async function prepare(entry) { // the server compiles a game when it is chosen: say so while it lasts
  const begun = compiling === entry.id;
  compiling = entry.id;
  for (let seconds = 0; !begun && compiling === entry.id && seconds !== null;) {
    const answer = await fetch(`${base}ready?game=${entry.id}`).catch(() => null);
    seconds = answer?.ok ? (await answer.json()).seconds : null;
    if (compiling !== entry.id) return;
    if (seconds === null || seconds < PATIENCE) $("preparing").hidden = true;
    else if (!$("fields").disabled) wait(entry.title, Math.round(seconds));
    if (seconds !== null) await new Promise((done) => setTimeout(done, 500));
  }
  if (!begun) compiling = "";
}

function short(text) { // the first sentence, or as much of it as an option has room for
  const sentence = text.split(/\. |\.$/)[0];
  return sentence.length > LONGEST ? `${sentence.slice(0, sentence.lastIndexOf(" ", LONGEST))} …` : sentence;
}

function ruled() { // show the numbers of seats that the variant allows
  $("rules").textContent = variant().text;
  $("players").replaceChildren(...variant().seats.map((number) => item("option", number, number)));
  $("players").value = variant().players;
  $("players").closest("label").hidden = variant().seats.length < 2;
  $("seed").closest("label").hidden = variant().day; // everybody has the same puzzle
  steps();
  seat();
}

function steps() { // the puzzles of a ladder, with the best times of those that are solved; the first unsolved one is chosen
  const {ladder, name} = variant();
  $("step").closest("label").hidden = !ladder;
  if (!ladder) return;
  const best = ladders[`${game.id} ${name}`] ?? {};
  $("step").replaceChildren(...ladder.steps.map((step) => item("option", `${step} ${ladder.word}${step in best ? `, solved in ${best[step]} s` : ""}`, step)));
  $("step").value = ladder.steps.find((step) => !(step in best)) ?? ladder.usual;
}

function seat() { // one list for each seat: the person first, then opponents
  const number = Number($("players").value);
  $("seats").replaceChildren(...Array.from({length: number}, (_, i) => {
    const label = item("label", `${PLACES[i]} player`), choice = document.createElement("select");
    choice.append(item("option", i ? "another person" : "you", "me"), ...levels.map(opponent));
    choice.value = i ? $("level").value : "me";
    const name = document.createElement("input"); // people at one table want to know each other
    name.placeholder = "name";
    name.maxLength = 20;
    name.setAttribute("aria-label", `name of the ${PLACES[i].toLowerCase()} player`);
    choice.onchange = nameable;
    label.append(choice, name);
    return label;
  }));
  nameable();
  $("level").closest("label").hidden = number === 1;
  $("watch").hidden = number === 1;
}

function nameable() { // names are asked for only if several people play
  const people = seats().filter(({value}) => value === "me").length;
  for (const choice of seats()) choice.nextSibling.hidden = people < 2 || choice.value !== "me";
}

function word(choice, watched) { // what the server is told of a seat: an agent, `me` or `me:NAME`
  const name = choice.nextSibling.hidden ? "" : choice.nextSibling.value.trim();
  if (choice.value !== "me") return choice.value;
  return watched ? $("level").value : name ? `me:${name}` : "me";
}

async function open(watched) {
  const words = seats().map((choice) => word(choice, watched));
  if (!watched && !seats().some(({value}) => value === "me")) { say("Nobody plays here. Choose Watch, or play yourself."); return; }
  const wish = {do: "open", game: game.id, variant: $("variant").value, seats: words};
  const seed = variant().day ? "" : $("seed").value.trim();
  if (seed && !/^\d{1,10}$/.test(seed)) { say("The number of the deal must be a whole number of up to 10 digits."); return; }
  if (seed) wish.seed = Number(seed);
  if (variant().ladder) wish.step = Number($("step").value);
  $("fields").disabled = true;
  $("play").textContent = "Dealing …";
  say("The table is being set up.");
  const reply = await send(wish);
  if (reply?.pages.length !== 1) ready();
  if (reply) enter(reply.pages);
}

function ready() { // choose again, also after the browser has gone back to this page
  $("fields").disabled = false;
  $("play").textContent = "Play";
}

async function shelf() { // open games; saved ones, to go on with, or their replays
  await loaded;
  const answer = await fetch(`${base}saved`).catch(() => null);
  if (!answer?.ok) return;
  const {open, games: saved, ladders: solved, ...facts} = await answer.json();
  ladders = solved;
  ofTheDay(facts, saved, open);
  exercises();
  if (game) steps();
  $("tables").replaceChildren(...open.map(({path, game, status}) => {
    const line = item("li", `${game}: ${status} `), link = item("a", `Go on with ${game}`);
    link.href = path;
    line.append(link);
    return line;
  }));
  $("running").hidden = !open.length;
  $("saved").replaceChildren(...saved.map(({file, when, game, against, over, own, actions, verdict}) => {
    const words = over ? verdict || "Finished." : `${actions} action${actions === 1 ? "" : "s"} so far.`;
    const line = item("li", `${when} · ${game} · ${own && against !== "alone" ? "against " : ""}${against}: ${words} `);
    if (over) {
      const link = item("a", "Replay");
      link.href = `${base}replay?${new URLSearchParams({file})}`;
      line.append(link);
    } else {
      const button = item("button", "Go on");
      button.type = "button";
      button.onclick = () => resume({do: "resume", file});
      line.append(button);
    }
    return line;
  }));
  $("shelf").hidden = !saved.length;
}

function ofTheDay({day, solved, deals, rival}, saved, open) { // the puzzle and the deals of the day, each with what the person made of it
  const words = (number) => new Date(number / 10000, number / 100 % 100 - 1, number % 100);
  const number = (date) => 10000 * date.getFullYear() + 100 * (date.getMonth() + 1) + date.getDate();
  const date = words(Math.floor(day)), done = new Set(solved);
  $("date").textContent = `Today, ${today}`;
  const puzzle = {do: "open", game: "tantrix", variant: "daily", seats: ["me"]};
  $("wishes").replaceChildren(wished("The puzzle of the day", done.has(day) ? "Solved." : "", puzzle), ...deals.map((spec) => {
    const [game, variant = ""] = spec.split(":"), title = games.find(({id}) => id === game)?.title ?? game;
    const all = saved.filter((one) => one.deal === day && one.against === rival && one.game.startsWith(title));
    const own = all.findLast(({over}) => over), begun = all.findLast(({over}) => !over);
    const table = open.find((one) => one.deal === day && one.game === title);
    const line = wished(`The deal of the day: ${title}${variant ? `, one ${variant}` : ""}, against ${rival}`,
      own && `${own.verdict}${own.helped ? " With help." : ""}`, begun ? {do: "resume", file: begun.file} : {do: "open", game, variant, seats: ["me", rival], seed: day}, table?.path);
    if (own) compare(line, spec, rival);
    return line;
  }));
  const yesterday = item("a", "Yesterday's solution");
  yesterday.href = `${base}solution`;
  $("wishes").append(document.createElement("li"));
  $("wishes").lastChild.append(yesterday);
  let streak = 0;
  for (const one = new Date(date - (done.has(day) ? 0 : 864e5)); done.has(number(one)); one.setDate(one.getDate() - 1)) streak++;
  $("streak").textContent = streak ? `Puzzles solved on ${streak} day${streak === 1 ? "" : "s"} in a row.` : "";
  const last = new Date(date.getFullYear(), date.getMonth() + 1, 0).getDate(), month = Math.floor(day / 100) * 100;
  $("month").replaceChildren(...Array.from({length: last}, (_, i) => {
    const square = item("li", i + 1), is = done.has(month + i + 1);
    square.className = [is ? "solved" : "", month + i + 1 === day ? "now" : ""].join(" ");
    square.setAttribute("aria-label", `${i + 1}${is ? ", solved" : ""}`);
    return square;
  }));
}

function exercises() { // the mistakes of own games that replays have kept in this browser
  let all = [];
  try { all = Object.entries(JSON.parse(localStorage.getItem("exercises") ?? "{}")).filter(([path]) => path.startsWith("/")); } catch { /* nothing is kept */ }
  const open = all.filter(([, {solved}]) => !solved);
  $("exercises").hidden = !all.length;
  $("solved").textContent = `${open.length} to solve, ${all.length - open.length} solved.`;
  $("unsolved").replaceChildren(...open.slice(-EXERCISES).map(([path, {words}]) => {
    const line = document.createElement("li"), link = line.appendChild(item("a", words));
    link.href = path.replace("#", "&try=1#");
    return line;
  }));
}

function wished(words, result, wish, path) { // a line with a button, or with the result; `path`: of a table that is open
  const line = item("li", `${words}${result ? `: ${result}` : ""} `);
  if (result) return line;
  const verb = path || wish.do === "resume" ? "Go on" : "Play", button = line.appendChild(item("button", verb));
  button.type = "button";
  button.setAttribute("aria-label", `${verb}: ${words}`);
  button.onclick = () => (path ? location.assign(path) : resume(wish));
  return line;
}

async function compare(line, spec, rival) { // the result of the agent on the same deal, in the seat of the person
  const answer = await fetch(`${base}rival?${new URLSearchParams({game: spec})}`).catch(() => null);
  if (answer?.ok) line.append(`${rival} in your seat ${(await answer.json()).verdict}`);
}

async function resume(wish) {
  say("The table is being set up.");
  const reply = await send(wish);
  if (reply) { say(""); enter(reply.pages); }
}

function branch() { // a replay of a saved game leads here with a number of actions: another game goes on from there
  const wish = new URLSearchParams(location.hash.slice(1));
  if (!wish.has("from")) return;
  history.replaceState(null, "", base);
  resume({do: "resume", file: wish.get("file"), length: Number(wish.get("from"))});
}

async function send(wish) { // a table opens when its game and its agents are compiled
  const began = Date.now(), waiting = setInterval(() => {
    const seconds = Math.round((Date.now() - began) / 1000);
    if (seconds >= PATIENCE) wait(games.find(({id}) => id === wish.game)?.title ?? "the game", seconds);
  }, 500);
  try {
    const answer = await fetch(`${base}act`, {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(wish)});
    const reply = await answer.json();
    if (answer.ok) return reply;
    say(reply.error);
  } catch {
    say("The server does not answer.");
  } finally {
    clearInterval(waiting);
    $("preparing").hidden = true;
  }
  return null;
}

function wait(title, seconds) { // say what takes so long
  $("preparing").hidden = false;
  $("prepared").textContent = `Preparing ${title}, once on this computer: about a minute. ${seconds} s so far.`;
  if ($("fields").disabled) $("play").textContent = `Dealing … ${seconds} s`;
}

function enter(pages) { // go to the only page, or show the links of all people
  if (pages.length === 1) { location.assign(pages[0].path); return; }
  say("Give each person one of these links:");
  $("links").replaceChildren(...pages.map(({name, path}) => {
    const line = document.createElement("li"), link = item("a", name);
    link.href = path;
    line.append(link);
    return line;
  }));
}

async function load() {
  const answer = await fetch(`${base}games`).catch(() => null);
  if (!answer?.ok) { $("chosen").textContent = "The server does not answer. Start it again, and load this page again."; return; }
  ({games, levels, today} = await answer.json());
  $("level").replaceChildren(...levels.map(opponent));
  $("level").value = "scripted";
  $("levels").replaceChildren(...levels.map(({title, text}) => item("li", `${title}: ${text}`)));
  $("games").replaceChildren(...games.map(card));
  choose(games.find(({id}) => id === "karma") ?? games[0]);
}

$("variant").onchange = ruled;
$("players").onchange = seat;
$("level").onchange = seat;
$("form").onsubmit = (event) => { event.preventDefault(); open(false); };
$("watch").onclick = () => open(true);
const loaded = load();
addEventListener("pageshow", () => { ready(); shelf(); });
branch();
