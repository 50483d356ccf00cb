// The Python files of an archive, compiled by the Python that will import them, else each first visit
// spends most of its time on that; without docstrings, which are a quarter of what is fetched.
import fs from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [archive, modules] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(createRequire(`${modules}/`).resolve("pyodide/pyodide.mjs")));
const python = await loadPyodide();
python.unpackArchive(new Uint8Array(fs.readFileSync(archive)), "zip", { extractDir: "/packages" });
python.runPython(`
import ast, warnings, zipfile
from importlib.util import source_hash
from importlib._bootstrap_external import _code_to_hash_pyc
from pathlib import Path

warnings.simplefilter("ignore")  # of what SymPy does
DOCUMENTED = ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef

def compiled(source, name):
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            if isinstance(node, ast.Module):
                del node.body[0]
            else:
                node.body[0].value.value = None  # of which nothing is compiled
    code = compile(tree, name, "exec", dont_inherit=True)
    return bytes(_code_to_hash_pyc(code, source_hash(source), False))

with zipfile.ZipFile("/packed.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
    for path in sorted(Path("/packages").rglob("*")):
        if path.is_file():
            name, content = str(path.relative_to("/packages")), path.read_bytes()
            source = path.suffix == ".py"
            entry = zipfile.ZipInfo(name + "c" * source)
            out.writestr(entry, compiled(content, name) if source else content,
                         zipfile.ZIP_DEFLATED, 9)
`);
fs.writeFileSync(archive, python.FS.readFile("/packed.zip"));
