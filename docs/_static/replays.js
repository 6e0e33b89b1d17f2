// Games within a page follow the page's colours; opened from a file they keep those that the reader prefers.
function paint() {
  const theme = document.body.dataset.theme;
  for (const frame of document.querySelectorAll("iframe.replay")) {
    const page = frame.contentDocument?.getElementById("te");
    if (!page) continue;
    page.classList.toggle("light", theme === "light");
    page.classList.toggle("dark", theme === "dark");
  }
}
document.addEventListener("DOMContentLoaded", () => {
  new MutationObserver(paint).observe(document.body, { attributes: true, attributeFilter: ["data-theme"] });
  for (const frame of document.querySelectorAll("iframe.replay")) frame.addEventListener("load", paint);
  paint();
});
