// Make the letters of a drawing larger where the screen is small and they find room.
"use strict";
const LETTERS = [12, 11, 10, 9]; // px on the screen, the best first
const MOST = 1.6; // how many times larger a badge gets
const GAP = 4; // units between words of a line

function enlarge(svg) {
  if (!svg) return;
  const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  const texts = [...svg.querySelectorAll("text")], frames = [...svg.querySelectorAll(":scope > rect")].map((rect) => rect.getBBox());
  const meet = (a, b) => a.x < b.x + b.width + GAP && b.x < a.x + a.width + GAP && a.y + 4 < b.y + b.height && b.y + 4 < a.y + a.height;
  const within = (box, frame) => box.x >= frame.x && box.x + box.width <= frame.x + frame.width && box.y < frame.y + frame.height && frame.y < box.y + box.height;
  const filled = (text) => text.classList.contains("paper"); // light letters, which must stay on their dark plate
  for (const text of texts.filter(filled)) enlargePlate(svg, text, Math.min(MOST, LETTERS[0] / (Number(text.getAttribute("font-size")) * scale)));
  let small = texts.filter((text) => !filled(text) && Number(text.getAttribute("font-size")) * scale < LETTERS[0]);
  const cards = [...svg.querySelectorAll("use")].map((card) => card.getBBox());
  const free = new Map(small.map((text) => [text, cards.filter((card) => !meet(text.getBBox(), card))])); // cards that it does not cover
  const around = new Map(small.map((text) => [text, frames.filter((frame) => within(text.getBBox(), frame))]));
  for (const size of [...LETTERS, 0]) { // those that would touch others or leave their frame are tried again, smaller
    const larger = (text) => Number(text.getAttribute("font-size")) * scale < size;
    for (const text of small) text.style.fontSize = larger(text) ? `${size / scale}px` : "";
    const boxes = new Map(texts.map((text) => [text, text.getBBox()]));
    small = small.filter((text) => larger(text) && (around.get(text).some((frame) => !within(boxes.get(text), frame)) ||
      free.get(text).some((card) => meet(boxes.get(text), card)) || texts.some((other) => other !== text && meet(boxes.get(text), boxes.get(other)))));
  }
}

function enlargePlate(svg, text, by) { // a number on a badge, with the badge
  if (by <= 1) return;
  const x = Number(text.getAttribute("x")), y = Number(text.getAttribute("y")) - 2.9; // as in cards.py
  const plate = [...svg.querySelectorAll("use[href*='-badge']")].find((use) => {
    const [left, top] = use.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
    return Math.abs(left - x) < .2 && Math.abs(top - y) < .2;
  });
  if (!plate) return;
  plate.setAttribute("transform", `translate(${x} ${y})scale(${by})`);
  text.style.fontSize = `${Number(text.getAttribute("font-size")) * by}px`;
  text.setAttribute("y", y + 2.9 * by);
}
