// The Python files of an archive, compiled by the Python that will import them: else each first visit
// spends most of its time on that.
import fs from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [archive, modules] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(createRequire(`${modules}/`).resolve("pyodide/pyodide.mjs")));
const python = await loadPyodide();
python.unpackArchive(new Uint8Array(fs.readFileSync(archive)), "zip", { extractDir: "/packages" });
python.runPython(`
import compileall, zipfile
from pathlib import Path
from py_compile import PycInvalidationMode

if not compileall.compile_dir("/packages", quiet=2, legacy=True, stripdir="/packages",
                              invalidation_mode=PycInvalidationMode.UNCHECKED_HASH):
    raise SystemExit("SymPy does not compile")
with zipfile.ZipFile("/packed.zip", "w", zipfile.ZIP_DEFLATED) as out:
    for path in sorted(Path("/packages").rglob("*")):
        if path.is_file() and path.suffix != ".py":
            entry = zipfile.ZipInfo(str(path.relative_to("/packages")))
            entry.compress_type = zipfile.ZIP_DEFLATED
            out.writestr(entry, path.read_bytes())
`);
fs.writeFileSync(archive, python.FS.readFile("/packed.zip"));
