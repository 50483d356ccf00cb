// Decides programs off the page's thread. What it needs is fetched first, and the page told how much
// of it has come.
import { loadPyodide } from "./pyodide.mjs";

const LARGE = ["pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "packages.zip", "book.zip"];

async function fetched(name) {
  const answer = await fetch(new URL(name, import.meta.url));
  if (!answer.ok) throw new Error(`${name}: the server answered ${answer.status}`);
  const parts = [];
  for await (const part of answer.body) {
    parts.push(part);
    postMessage({ come: part.length });
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

async function started() {
  const bodies = Object.fromEntries(await Promise.all(LARGE.map(async (name) => [name, await fetched(name)])));
  postMessage({ stage: "Starting Python" });
  const python = await loadPyodide();
  for (const name of ["packages.zip", "book.zip"]) python.unpackArchive(bodies[name], "zip", { extractDir: "/book" });
  postMessage({ stage: "Loading SymPy and the verifier" });
  python.runPython("import os, sys; sys.path.insert(0, '/book'); os.chdir('/book')");
  const bench = python.pyimport("bench");
  postMessage({ stage: "" });
  return bench;
}

const bench = started();

onmessage = async ({ data: { setup, text } }) => {
  try {
    postMessage({ answer: JSON.parse((await bench).check(setup, text)) });
  } catch (error) {
    postMessage({ broken: error.message });
  }
};
