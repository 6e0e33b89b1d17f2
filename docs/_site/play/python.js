// Python with the files of the project, as the worker uses it.
const PYTHON = "https://cdn.jsdelivr.net/pyodide/v314.0.7/full/"; // where Pyodide publishes its builds

export async function load() { // returns Pyodide
  const {loadPyodide} = await import(`${PYTHON}pyodide.mjs`);
  const [python, files] = await Promise.all([
    loadPyodide({packages: ["numpy"]}),
    fetch(new URL("files.zip", import.meta.url)).then((answer) => answer.arrayBuffer()),
  ]);
  python.unpackArchive(files, "zip");
  return python;
}
