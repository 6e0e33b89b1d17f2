// The table of the page "Play in the browser": Python answers requests, and the agents play between them.
import {load} from "./python.js";

const held = []; // requests that wait until the table has changed
let door = null, timer = 0;

function answer(request) {
  const reply = door.answer(JSON.stringify(request));
  if (reply === undefined) held.push(request);
  else postMessage({id: request.id, reply: JSON.parse(reply)});
}

function goOn() { // after a change: answer who waits for it, and let the next agent play
  held.splice(0).forEach(answer);
  clearTimeout(timer);
  const pause = door.pause();
  if (pause !== undefined) timer = setTimeout(() => { door.step(); goOn(); }, 1000 * pause);
}

const ready = load().then((python) => {
  door = python.pyimport("table").Door();
  goOn();
});
ready.catch((error) => postMessage({error: String(error)}));
onmessage = async ({data}) => {
  await ready;
  answer(data);
  if (data.route === "act") goOn();
};
