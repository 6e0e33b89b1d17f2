// The page of a table that is not open any more: it leads to the lobby that this browser knows.
(async () => {
  let path = "";
  try { path = localStorage.getItem("lobby") ?? ""; } catch { /* the browser keeps nothing */ }
  const answer = /^\/l\/[\w-]+\/$/.test(path) && await fetch(`${path}games`).catch(() => null);
  if (!answer?.ok) return; // a lobby of an earlier server
  $("lobby").href = path;
  $("ways").hidden = false;
  $("printed").hidden = true;
})();
