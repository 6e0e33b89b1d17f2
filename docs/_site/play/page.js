// The page of a table without a server: its requests go to a worker, which loads when the person has clicked.
{
  const start = document.getElementById("start"), game = document.querySelector("main.game");
  const question = document.getElementById("question"), answers = new Map();
  let count = 0, begin = null;
  const worker = new Promise((done) => { begin = done; });

  function refuse(error) {
    document.getElementById("message").textContent =
      `The game could not be loaded. It needs the network once: load the page again. ${error}`;
  }

  document.getElementById("play").onclick = () => {
    const made = new Worker("play/worker.js", {type: "module"});
    made.onerror = (event) => refuse(event.message ?? "");
    made.onmessage = ({data: {id, reply, error}}) => {
      if (error) refuse(error);
      answers.get(id)?.(reply);
      answers.delete(id);
    };
    start.remove();
    game.hidden = false;
    question.textContent = "Loading Python and the game, about 10 MB the first time.";
    begin(made);
  };

  globalThis.fetch = async (address, {body = "{}", signal = null} = {}) => {
    const {pathname, searchParams} = new URL(address, location), id = count++;
    const route = pathname.slice(location.pathname.length);
    (await worker).postMessage({id, route, query: Object.fromEntries(searchParams), wish: JSON.parse(body)});
    const [status, content] = await new Promise((done, fail) => {
      answers.set(id, done);
      signal?.addEventListener("abort", () => fail(new DOMException("", "AbortError")));
    });
    return {ok: status === 200, status, json: () => content, text: () => content};
  };

  game.hidden = true;
  addEventListener("load", () => { document.getElementById("book").href = "play/rules.html"; });
}
