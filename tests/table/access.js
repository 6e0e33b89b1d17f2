// What is wrong with a page as it is shown: small text and targets, faint text and borders, controls without a name,
// and a structure that misleads screen readers and the keyboard.
(() => {
  const shown = (element) => element.checkVisibility?.({visibilityProperty: true}) && element.getBoundingClientRect().width > 1;
  const luminance = (rgb) => rgb.map((part) => part / 255).map((part) => (part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4))
    .reduce((sum, part, i) => sum + part * [.2126, .7152, .0722][i], 0);
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const rgb = (colour) => { canvas.fillStyle = "#000"; canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3); };
  const behind = (element) => { for (let up = element; up; up = up.parentElement) {
    const colour = getComputedStyle(up).backgroundColor; if (!/, 0\)$|^transparent$/.test(colour)) return colour; } return "#fff"; };
  const ratio = (one, other) => { const [a, b] = [luminance(rgb(one)), luminance(rgb(other))]; return (Math.max(a, b) + .05) / (Math.min(a, b) + .05); };
  const wrong = [], note = (what, element) => wrong.push(`${what}: ${element.outerHTML.slice(0, 120)}`);
  for (const element of document.querySelectorAll("body *:not(svg, svg *, script, option)")) {
    if (!shown(element)) continue;
    const style = getComputedStyle(element);
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (own && parseFloat(style.fontSize) < 12) note("text below 12 px", element);
    if (own && ratio(style.color, behind(element)) < 4.5) note("faint text", element);
    if (!["BUTTON", "INPUT", "SELECT"].includes(element.tagName)) continue;
    const box = element.getBoundingClientRect();
    if (Math.min(box.width, box.height) < 24) note("a target below 24 px", element);
    if (style.borderTopStyle !== "none" && parseFloat(style.borderTopWidth) && ratio(style.borderTopColor, behind(element.parentElement)) < 3)
      note("a faint border", element);
    if (!(element.labels?.length || element.getAttribute("aria-labelledby") || /\p{L}/u.test(element.ariaLabel || element.textContent.trim() || element.title)))
      note("no name in words", element);
  }
  for (const focusable of document.querySelectorAll("svg [tabindex='0']")) {
    if (focusable.closest("[role=img]")) note("hidden by role=img", focusable);
    if (!focusable.getAttribute("aria-label")) note("no name", focusable);
  }
  const all = [...document.querySelectorAll("*")], ids = all.map((element) => element.id).filter(Boolean);
  const own = all.filter((element) => !element.closest("svg")).map((element) => element.id).filter(Boolean);
  for (const id of new Set(own.filter((id, i) => own.indexOf(id) !== i))) wrong.push(`an id twice: ${id}`);
  for (const name of ["aria-labelledby", "aria-describedby", "aria-controls"]) for (const element of all)
    for (const id of (element.getAttribute(name) ?? "").split(" ")) if (id && !ids.includes(id)) note(`${name} of nothing`, element);
  const levels = [...document.querySelectorAll("h1,h2,h3,h4")].filter(shown).map((heading) => Number(heading.tagName[1]));
  if (levels[0] !== 1 || levels.filter((level) => level === 1).length !== 1) wrong.push(`headings: ${levels}`);
  if (levels.some((level, i) => i && level > levels[i - 1] + 1)) wrong.push(`a heading is left out: ${levels}`);
  if (!document.documentElement.lang || !document.title || document.querySelectorAll("main").length !== 1) wrong.push("no language, title or main");
  for (const element of all) {
    if (!shown(element)) continue;
    if (element.tagName === "TH" && !element.textContent.trim()) note("an empty heading of a table", element);
    if (element.parentElement?.matches("ul,ol") && element.tagName !== "LI") note("no item of a list", element);
    if (element.matches("a,button,[role=button]") && element.parentElement.closest("a,button,[role=button]")) note("a control in a control", element);
    if (Number(element.getAttribute("tabindex")) > 0) note("another order of the focus", element);
    const scrolls = /auto|scroll/.test(getComputedStyle(element).overflowY) && element.scrollHeight > element.clientHeight + 1;
    if (scrolls && element.clientHeight && !element.matches("[tabindex]") && !element.querySelector("a,button,input,select")) note("it scrolls by the mouse only", element);
    if (element.tagName === "svg" && !element.closest("[role=img]") && element.getAttribute("aria-hidden") !== "true" && !element.getAttribute("aria-label")) note("a picture without a name", element);
  }
  if (document.documentElement.scrollWidth > innerWidth) wrong.push(`the page is ${document.documentElement.scrollWidth} px wide`);
  return wrong;
})()
