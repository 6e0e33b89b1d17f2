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
      button.addEventListener("click", () => { pause(); go(i); });
    }
  }

  // Return the thoughts before an action, where the reader may know them.
  const thoughts = (i) => (i < last && knows(i) ? game.thoughts[i] : undefined);
  const isShare = (told) => /^(win|share)/.test(told.worth);
  const loss = (told) => told.best[0][1] - (told.best.find((thought) => thought[2]) ?? told.best[0])[1];

  // Mark an action that loses shares of wins by more than chance explains, as chess players do: ? from 5, ?? from 15 of 100.
  function sign(i) {
    const told = thoughts(i);
    if (!told || !isShare(told)) return "";
    const played = told.best.find((thought) => thought[2]), error = Math.hypot(told.best[0][3] ?? 0, played?.[3] ?? 0);
    return loss(told) < Math.max(.05, 2 * error) ? "" : loss(told) < .15 ? " ?" : " ??";
  }

  function showMove() {
    const list = at("moves"), now = list.children[ply];
    list.querySelector(".on")?.classList.remove("on");
    now.classList.add("on");
    now.firstChild.setAttribute("aria-current", "step");
    const above = now.offsetTop - list.scrollTop;
    if (above < 0 || above > list.clientHeight - 40) list.scrollTop = now.offsetTop - list.clientHeight / 2;
  }

  function showCursor() {
    const [left, right] = [48, 394]; // values of chart.py
    at("cursor").setAttribute("transform", `translate(${(right - left) * ply / Math.max(1, last)} 0)`);
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
    const played = told.best.find((thought) => thought[2]);
    const worse = loss(told);
    note.textContent = `${game.names[game.moves[ply]]}: ${told.worth}` +
      (!played ? "" : worse > 0 ? `; played ${number(worse)} below the best` : "; played the best");
  }

  function go(to) {
    ply = Math.min(last, Math.max(0, to));
    at("stage").innerHTML = drawings()[ply].map((part) => pool[part]).join("");
    enlarge(at("stage").querySelector("svg"));
    at("slider").value = ply;
    at("ply").textContent = `${ply} / ${last}`;
    showMove();
    showCursor();
    showThoughts();
    if (ply === last) pause();
  }

  function pause() {
    clearTimeout(timer);
    timer = null;
    at("play").textContent = "▶";
  }

  function play() {
    if (timer !== null) return pause();
    if (ply === last) go(0);
    at("play").textContent = "❚❚";
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
  at("chart").addEventListener("click", (event) => {
    const box = at("chart").getBoundingClientRect();
    pause();
    go(Math.round(last * ((event.clientX - box.left) / box.width * 400 - 48) / 346));
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
    if (event.key === " " ? event.target.tagName === "BUTTON" : !(event.key in keys)) return;
    event.preventDefault();
    if (event.key === " ") play(); else step(keys[event.key]);
  });
  game.views.forEach(([, name], i) => { element("option", name, at("view")).value = i; });
  at("view").disabled = game.views.length === 1;
  at("view").addEventListener("change", () => { view = Number(at("view").value); listMoves(); go(ply); });
  listMoves();
  go(0);
})();
