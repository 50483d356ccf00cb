// Decides programs off the page's thread. What it needs is fetched first, and the page told how
// much of it has come.
import { loadPyodide } from "./pyodide.mjs";

const PACKED = ["packages.zip", "book.zip"];
const LARGE = ["pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", ...PACKED];

async function fetched(name) {
  const answer = await fetch(new URL(name, import.meta.url)).catch((error) => {
    throw new Error(`${name}: ${error.message}`);
  });
  if (!answer.ok) throw new Error(`${name}: the server answered ${answer.status}`);
  const parts = [];
  for await (const part of answer.body) {
    parts.push(part);
    postMessage({ come: part.length });
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

async function started() {
  const [, , , ...packed] = await Promise.all(LARGE.map(fetched));
  postMessage({ stage: "Starting Python" });
  const python = await loadPyodide();
  for (const body of packed) python.unpackArchive(body, "zip", { extractDir: "/book" });
  postMessage({ stage: "Loading SymPy and the verifier" });
  python.runPython("import os, sys; sys.path.insert(0, '/book'); os.chdir('/book')");
  return python.pyimport("bench");
}

const bench = started();

onmessage = async ({ data: { setup, text } }) => {
  try {
    const { check } = await bench;
    postMessage({ stage: "Deciding" });
    const answer = check(setup, text);
    if (!answer) throw new Error("Python broke down at it");
    postMessage({ answer: JSON.parse(answer) });
  } catch (error) {
    postMessage({ broken: error.message.trim().split("\n").at(-1) });
  }
};
