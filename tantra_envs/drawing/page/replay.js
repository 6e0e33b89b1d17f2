// Step through a game: the drawing, the actions, the chart and the thoughts all follow `ply`.
(async () => {
  const game = JSON.parse(document.getElementById("replay").textContent);
  const at = (id) => document.getElementById(id);
  const { pool, views, lines } = JSON.parse(await unpacked(game.drawings));
  const last = game.moves.length;
  const drawn = new Map(); // view -> its drawings as lists of parts
  let ply = 0, view = 0, timer = null;

  // Drawings are stored as base64 of gzip, each as the difference to the one before.
  function unpacked(base64) {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  }

  function drawings() {
    if (!drawn.has(view)) {
      let before = [];
      drawn.set(view, views[view].map(([head, tail, between]) =>
        (before = [...before.slice(0, head), ...between, ...before.slice(before.length - tail)])));
    }
    return drawn.get(view);
  }

  // Return whether the reader may know the thoughts before an action.
  function knows(i) {
    const reader = game.views[view][0];
    return reader === null || reader === game.moves[i];
  }

  function element(name, text, parent) {
    const made = document.createElement(name);
    made.textContent = text;
    return parent.appendChild(made);
  }

  function listMoves() {
    at("moves").replaceChildren();
    for (let i = 0; i <= last; i++) {
      const button = element("button", "", element("li", "", at("moves")));
      button.type = "button";
      element("i", i, button);
      element("span", i ? pool[lines[view][i]] + sign(i - 1) : "the deal", button);
      const before = i && sign(i - 1) ? i - 1 : i; // a marked action is judged on the table before it
      button.addEventListener("click", () => { pause(); go(before); });
    }
  }

  // Return the thoughts before an action, where the reader may know them.
  const thoughts = (i) => (i < last && knows(i) ? game.thoughts[i] : undefined);
  const isShare = (told) => /^(win|share)/.test(told.worth);
  const played = (told) => told.best.find((thought) => thought[2]) ?? told.best[0];
  const loss = (told) => Math.max(0, told.best[0][1] - played(told)[1]);
  const points = (value) => `${(100 * value).toFixed(0)} points`; // of 100, so that nobody takes them for parts of a chance

  // Return the mark of an action that gives chances away, as chess players write it: " ?", " ??", or "".
  function sign(i) {
    const mark = thoughts(i)?.mark;
    return mark ? ` ${mark}` : "";
  }

  function showMove() {
    const list = at("moves"), now = list.children[ply];
    list.querySelector(".on")?.classList.remove("on");
    now.classList.add("on");
    list.querySelector(".judged")?.classList.remove("judged");
    if (thoughts(ply)) list.children[ply + 1].classList.add("judged");
    now.firstChild.setAttribute("aria-current", "step");
    const above = now.offsetTop - list.scrollTop;
    if (above < 0 || above > list.clientHeight - 40) list.scrollTop = now.offsetTop - list.clientHeight / 2;
  }

  // Write the chances at the table that is shown, as numbers.
  function showChance() {
    const members = (team) => game.names.filter((_, seat) => game.teams[seat] === team).join(" + ");
    at("chance").textContent = game.scores[view].map(([team, values]) => `${members(team)} ${(values[ply] / 10).toFixed(0)} %`).join(", ");
  }

  function showCursor() {
    const [left, right] = [48, 394]; // values of chart.py
    for (const cursor of document.querySelectorAll("#cursor, #moment")) {
      cursor.setAttribute("transform", `translate(${(right - left) * ply / Math.max(1, last)} 0)`);
    }
  }

  // Show the thoughts about the next action.
  function showThoughts() {
    const told = thoughts(ply);
    at("thoughts").hidden = !told;
    if (!told) return;
    const number = (value) => (isShare(told) ? `${(100 * value).toFixed(0)} %` : value.toFixed(3));
    const [table, note] = [at("thoughts").querySelector("table"), at("thoughts").querySelector("p")];
    table.replaceChildren();
    for (const [name, value, played, error] of told.best) {
      const row = element("tr", "", table);
      row.className = played ? "played" : "";
      element("td", name, row);
      element("td", number(value) + (error == null ? "" : ` ± ${number(error)}`), row);
    }
    const worse = loss(told), alike = told.best.every((thought) => thought[1] === told.best[0][1]);
    note.textContent = `${game.names[game.moves[ply]]}: ${told.worth}` + (alike && told.best.length > 1 ? "; all of them end alike" :
      worse > 0 ? `; played ${isShare(told) ? points(worse) : number(worse)} below the judge's choice` :
      played(told) === told.best[0] ? "; played the judge's choice" : "; played another one, whose number is not lower") + order(told);
  }

  // Say why the first action of a list is not the one with the highest number.
  function order(told) {
    const [first, ...others] = told.best, higher = others.find((other) => other[1] > first[1]);
    if (!higher) return "";
    const chance = 2 * Math.hypot(first[3] ?? 0, higher[3] ?? 0), within = higher[1] - first[1] <= chance;
    return `. The first is the judge's choice. Another one has a higher number, but ${within ? "the difference is within chance" :
      "the judge also weighs how likely a trained agent is to play each action"}.`;
  }

  // Try again at an own mistake: choose before the answer is shown. The mistakes are kept as exercises of this browser.
  const mine = game.views[0][0], own = (i) => mine !== null && game.moves[i] === mine && game.thoughts[i]?.mark;
  const saved = document.querySelector("header").dataset.saved || location.pathname + location.search.replace("&try=1", "");
  let trying = location.search.includes("try=1");

  function keep(change) {
    try {
      const all = JSON.parse(localStorage.getItem("exercises") ?? "{}");
      change(all);
      localStorage.setItem("exercises", JSON.stringify(all));
    } catch { /* a page on disk, or the browser keeps nothing */ }
  }

  function showTrial() {
    at("retry").hidden = !own(ply);
    trying &&= Boolean(own(ply));
    document.body.classList.toggle("trying", trying);
    at("trial").hidden = !trying;
    if (!trying) return;
    const told = game.thoughts[ply], best = told.best[0];
    at("task").textContent = `You played another action here than the judge. What would you play now?`;
    at("answer").textContent = "";
    at("ways").replaceChildren();
    for (const [name, value] of [...told.best].sort(([one], [other]) => one.localeCompare(other))) {
      const button = element("button", name, at("ways"));
      button.type = "button";
      button.addEventListener("click", () => {
        const right = name === best[0] || best[1] - value < game.mistake;
        keep((all) => { all[`${saved}#${ply}`] = {...all[`${saved}#${ply}`], solved: right}; });
        document.body.classList.remove("trying");
        at("answer").textContent = right ? `Yes. ${name === best[0] ? "It is the judge's choice." : "It is nearly as good as the judge's choice."}` :
          `No: ${points(best[1] - value)} below the judge's choice, ${best[0]}.`;
      });
    }
  }

  // Show how the agent that decides here rates its actions: why it plays the next one.
  function showWhy() {
    const told = ply < last && knows(ply) ? game.reasons[ply] : undefined;
    const method = ply < last && !told ? game.methods[game.moves[ply]] : "";
    at("why").hidden = !told && !method;
    if (at("why").hidden) return;
    const [heading, table, note] = ["summary", "table", "p"].map((name) => at("why").querySelector(name));
    const percent = (value) => `${(100 * value).toFixed(0)} %`, share = (value) => (value < .0995 ? `${(100 * value).toFixed(1)} %` : percent(value)), about = (value, error) => percent(value) + (error == null ? "" : ` ± ${percent(error)}`);
    heading.textContent = `Why? ${ply + 1} ${pool[lines[view][ply + 1]]}`;
    table.replaceChildren();
    note.textContent = method || told.worth;
    if (!told) return;
    const number = isShare(told) ? about : told.worth === "probability" ? share : (value) => value.toFixed(3);
    const chances = !isShare(told) && told.best.some((row) => row[4] !== null), head = element("tr", "", table);
    element("td", "", head);
    for (const word of [isShare(told) ? "chances" : told.worth, ...(chances ? ["chances"] : [])]) element("th", word, head).scope = "col";
    for (const [name, value, played, error, chance, spread] of told.best) {
      const row = element("tr", "", table);
      row.className = played ? "played" : "";
      element("td", name, row);
      element("td", number(value, error), row);
      if (chances) element("td", chance === null ? "" : about(chance, spread), row);
    }
    if (told.worth === "probability") note.textContent = `The probabilities that the network of ${game.names[game.moves[ply]]} gives its actions, from what this seat knew.`;
  }

  // The best action is the only one that the drawing of a judged table offers: show it, also where a tile would go.
  function outlineBest() {
    for (const place of at("stage").querySelectorAll(".for")) place.classList.add("on", "best");
  }

  const judged = () => game.moves.map((_, i) => i).filter((i) => thoughts(i) && isShare(thoughts(i)));
  const mistakes = () => judged().filter((i) => sign(i));

  // Draw how the chances of each team went: those of a value network at every table. Without one the judged actions
  // make the curve: before each of them the chances with the best action, after it with the one played.
  function showChances() {
    const all = judged(), svg = at("curve"), curves = new Map(game.scores[view]);
    at("chances").hidden = !all.length && !curves.size;
    at("mistake").hidden = !mistakes().length;
    if (at("chances").hidden) return;
    const [left, width, bottom, height] = [48, 346, 90, 84], x = (i) => left + width * i / Math.max(1, last), y = (value) => bottom - height * value;
    const paths = new Map([...curves].map(([team, values]) => [team, "M" + values.map((value, i) => `${x(i)} ${y(value / 1000)}`).join("L")]));
    const height_of = (i) => y(curves.has(game.teams[game.moves[i]]) ? curves.get(game.teams[game.moves[i]])[i + 1] / 1000 : played(thoughts(i))[1]);
    for (const i of curves.size ? [] : all) {
      const team = game.teams[game.moves[i]], told = thoughts(i);
      paths.set(team, `${paths.get(team) ?? ""}${paths.has(team) ? "L" : "M"}${x(i)} ${y(told.best[0][1])}L${x(i + 1)} ${y(played(told)[1])}`);
    }
    const line = ([team, path]) => `<path class="c${team % 6}${team < 6 ? "" : " dashed"}" d="${path}"/>`;
    const dot = (i) => `<circle class="c${game.teams[game.moves[i]] % 6}" cx="${x(i + 1)}" cy="${height_of(i)}" r="4"/>`;
    svg.innerHTML = `<path class="axis" d="M${left} 6V${bottom}H394"/><text x="45" y="14" font-size="15" class="soft e">100 %</text>` +
      `<text x="45" y="${bottom}" font-size="15" class="soft e">0 %</text>${[...paths].map(line).join("")}${mistakes().map(dot).join("")}` +
      `<path id="moment" d="M${left} 6V${bottom}"/>`;
    const rows = [...new Set(all.map((i) => game.moves[i]))].sort().map((seat) => {
      const own = mistakes().filter((i) => game.moves[i] === seat), count = (mark) => own.filter((i) => sign(i) === mark).length;
      const decisions = all.filter((i) => game.moves[i] === seat).length, given = own.reduce((sum, i) => sum + loss(thoughts(i)), 0);
      return [game.names[seat], (100 * given / decisions).toFixed(1), count(" ?"), count(" ??")];
    });
    const table = at("summary");
    table.replaceChildren();
    table.hidden = !all.length;
    for (const [n, row] of [["", "given away per decision", "mistakes ?", "blunders ??"], ...rows].entries()) {
      const line = element("tr", "", table);
      row.forEach((words, i) => element((n && i) || !words ? "td" : "th", words, line).setAttribute("scope", n ? "row" : "col"));
    }
    for (const cell of table.querySelectorAll("td")) cell.removeAttribute("scope");
    showLuck();
  }

  // List what the result of each seat is made of: even chances, the deal, the marked actions of all seats, and luck in play.
  function showLuck() {
    const signed = (value) => `${value < 0 ? "-" : "+"}${Math.abs(100 * value).toFixed(0)}`;
    const about = (value, error) => `${signed(value)} ± ${(196 * error).toFixed(0)}`;
    const parts = game.luck[view];
    at("no-luck").textContent = game.no_luck[view];
    at("parts").hidden = !parts.length && !game.no_luck[view];
    at("luck").hidden = at("luck-terms").hidden = !parts.length;
    at("luck").tBodies[0].replaceChildren(...parts.map((seat) => {
      const row = document.createElement("tr");
      element("th", game.names[seat.seat], row).scope = "row";
      for (const words of [about(seat.deal, seat.deal_error), signed(seat.own), signed(seat.others),
        about(seat.play, seat.play_error), (100 * seat.result).toFixed(0)]) element("td", words, row);
      return row;
    }));
  }

  function nextMistake(by = 1) { // the table before the next marked action, or before the first one after the last
    const all = mistakes(), ahead = by > 0 ? all.find((i) => i > ply) : all.findLast((i) => i < ply);
    if (all.length) { pause(); go(ahead ?? (by > 0 ? all[0] : all.at(-1))); }
  }

  function go(to) {
    ply = Math.min(last, Math.max(0, to));
    at("stage").innerHTML = drawings()[ply].map((part) => pool[part]).join("");
    outlineBest();
    enlarge(at("stage").querySelector("svg"));
    at("slider").value = ply;
    at("slider").setAttribute("aria-valuetext", `${ply}: ${ply ? pool[lines[view][ply]] : "the deal"}`);
    at("here").href = `#${ply}`;
    at("ply").textContent = `${ply} / ${last}`;
    const branch = document.querySelector("a.branch"); // of a table that goes on from here
    if (branch) { branch.href = branch.href.replace(/from=\d+/, `from=${ply}`); branch.hidden = ply === last; }
    showMove();
    showCursor();
    showChance();
    showThoughts();
    showWhy();
    showTrial();
    if (ply === last) pause();
  }

  function pause() {
    clearTimeout(timer);
    timer = null;
    at("play").textContent = "▶";
    at("play").ariaLabel = "play";
  }

  function play() {
    if (timer !== null) return pause();
    if (ply === last) go(0);
    at("play").textContent = "❚❚";
    at("play").ariaLabel = "pause";
    const wait = () => { timer = setTimeout(() => { wait(); go(ply + 1); }, 1000 / Number(at("speed").value)); };
    if (last) wait();
  }

  const steps = { first: () => -last, back: () => -1, next: () => 1, end: () => last };
  const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "next", End: "end" };
  const step = (name) => { pause(); go(ply + steps[name]()); };

  for (const name of Object.keys(steps)) at(name).addEventListener("click", () => step(name));
  at("play").addEventListener("click", play);
  at("slider").max = last;
  at("slider").addEventListener("input", () => { pause(); go(Number(at("slider").value)); });
  for (const picture of [at("chart"), at("curve")]) picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    pause();
    go(Math.round(last * ((event.clientX - box.left) / box.width * 400 - 48) / 346));
  });
  at("retry").addEventListener("click", () => { pause(); trying = true; showTrial(); });
  keep((all) => {
    for (const i of game.moves.keys()) if (own(i)) all[`${saved}#${i}`] ??= {words: `${document.title}, move ${i + 1}`, solved: false};
  });
  at("mistake").addEventListener("click", () => nextMistake());
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
    if (event.key.toLowerCase() === "m") nextMistake(event.shiftKey ? -1 : 1);
    if (event.key === " " ? event.target.tagName === "BUTTON" : !(event.key in keys)) return;
    event.preventDefault();
    if (event.key === " ") play(); else step(keys[event.key]);
  });
  game.views.forEach(([, name], i) => { element("option", name, at("view")).value = i; });
  at("view").disabled = game.views.length === 1;
  at("view").addEventListener("change", () => { view = Number(at("view").value); listMoves(); showChances(); go(ply); });
  const linked = () => Number(/^#(\d+)$/.exec(location.hash)?.[1] ?? 0); // the table that the address names
  addEventListener("hashchange", () => { pause(); go(linked()); });
  listMoves();
  showChances();
  go(linked());
})();
