// Games and pictures within a page follow the page's colours. Opened from a file they keep those that the reader prefers.
const dark = "(prefers-color-scheme: dark)";
const sources = [];

function paint() {
  const theme = document.body.dataset.theme;
  for (const source of sources) source.media = { light: "not all", dark: "all" }[theme] ?? dark;
  for (const frame of document.querySelectorAll("iframe.replay")) {
    const page = frame.contentDocument?.getElementById("te");
    if (!page) continue;
    page.classList.toggle("light", theme === "light");
    page.classList.toggle("dark", theme === "dark");
  }
}
document.addEventListener("DOMContentLoaded", () => {
  sources.push(...document.querySelectorAll(`source[media="${dark}"]`));
  new MutationObserver(paint).observe(document.body, { attributes: true, attributeFilter: ["data-theme"] });
  for (const frame of document.querySelectorAll("iframe.replay")) frame.addEventListener("load", paint);
  for (const box of document.querySelectorAll(".highlight pre")) box.tabIndex = 0; // arrow keys scroll long lines
  paint();
});
