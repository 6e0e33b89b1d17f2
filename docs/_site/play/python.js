// Python with the files of the project, as the worker uses it.
import {FILES, PACKAGES, PYTHON} from "./places.js";

export async function load() { // returns Pyodide
  const {loadPyodide} = await import(`${PYTHON}pyodide.mjs`);
  const [python, files] = await Promise.all([
    loadPyodide({packages: PACKAGES}),
    fetch(new URL(FILES, import.meta.url)).then((answer) => answer.arrayBuffer()),
  ]);
  python.unpackArchive(files, "zip");
  return python;
}
