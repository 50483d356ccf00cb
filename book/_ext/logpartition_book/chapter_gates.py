"""Checks of one stored notebook: what running it again does not notice. Each yields (cell,
message); cells count from 1.
"""

import ast
import inspect
import io
import pkgutil
import re
import tokenize
from functools import lru_cache, partial
from html import unescape
from importlib import metadata

import numpy as np

from logpartition import proof
from logpartition._figure import STORED, forged
from logpartition.proof.again import decidable
from logpartition.proof.display import bundle

from .drawings import BETWEEN, pixels, plot, wordy
from .index import BADGE, HEAD, POSES
from .inline_maths import PRIMITIVE, states_equation
from .measured import typed_numbers
from .mistyped import mistyped
from .numbers import decimals, numbers_set, printed_numbers, unprinted
from .pasted import is_round, pasted
from .programs import Chapter
from .prose import maths, seen, strange, undressed, words
from .records import MIME, merged
from .schema import wrong_record
from .seal import holds, inputs
from .signs import TEX, is_sign, shorten, signed, visible
from .trees import nodes, tree, unparsed

TAGS = {"hide-input", "hide-cell", "nbval-ignore-output"}
FOLDS = {"hide-input": ["source_hidden"], "hide-cell": ["source_hidden", "outputs_hidden"]}
METADATA = {"kernelspec", "language_info", "jupytext", "logpartition"}
IMPORTS = set(
    "collections dataclasses fractions functools itertools logpartition math matplotlib mpmath"
    " numpy operator scipy sympy textwrap torch".split()
)
READERS = re.compile(  # what reads or writes a file, the network, or code that is no cell's
    r"open|eval|exec|compile|__import__|globals|breakpoint|input|get_ipython|hub|DataSource"
    r"|(load|save)(s|z|z_compressed|txt|fig|mat|arff|_\w+)?|(open|read|write|fetch)_\w+|urlopen"
    r"|im(read|save|port_module)|(gen)?fromtxt|from(_?file|regex)|tofile|memmap|mm(read|write)"
    r"|rc_file|get_sample_data|os|_?sys|io|pathlib|subprocess|shutil|tempfile|socket"
    r"|(__)?builtins(__)?|ctypes|pickle|linecache|zipfile|ZipFile|vars|__dict__|__file__|id"
    r"|datetime(64)?|time(_ns|it)|timing|perf_counter|monotonic|uuid\d?|urandom|secrets|addaudithook"
)
DRAWS = re.compile(  # of PyTorch and of SciPy, the layers among them whose parameters are drawn
    r"(?:rand|randn|randint)(?:_like)?|randperm|multinomial|normal|bernoulli|rvs|r?sample"
    r"|(?:log_|kaiming_|xavier_|trunc_)?(?:normal|uniform)_|(?:exponential|bernoulli|cauchy"
    r"|geometric|random|orthogonal)_|(?:feature_)?(?:alpha_)?dropout\w*|Dropout\w*|(?:Bil|L)inear"
    r"|Conv\w*\dd|Embedding\w*|MultiheadAttention|Transformer\w*|(?:RNN|LSTM|GRU)(?:Cell)?|Lazy\w+"
    r"|randMatrix|randmatrix|randprime|resample|\w+_lowrank|rrelu|RReLU|random_split|poisson"
    r"|binomial|gumbel_softmax|sparse_|seed|initial_seed|AdaptiveLogSoftmaxWithLoss"
    r"|(?:Weighted)?RandomSampler|sample_iter|random_poly|random_bitstring"
)
SEEDED = {"default_rng", "Generator", "PCG64", "SeedSequence"}  # of numpy.random
BUNDLES = (  # what a cell may put out, as mime types
    {MIME, "text/markdown", "text/plain"},
    {"text/html", "text/plain"},
    {"image/svg+xml", "text/plain"},
    {"image/svg+xml", "image/png", "text/plain"},
    {"image/png", "text/plain"},
    {"text/plain"},
)


def cells(notebook, kind):
    return (
        (number, cell) for number, cell in enumerate(notebook.cells, 1) if cell.cell_type == kind
    )


def outputs_of(notebook):
    return ((number, output) for number, cell in cells(notebook, "code") for output in cell.outputs)


def records_of(notebook):
    return [
        (number, output.data[MIME])
        for number, output in outputs_of(notebook)
        if MIME in output.get("data", {})
    ]


# one clean run, from the first cell to the last


def unrun(notebook, root):
    """nbval passes a cell that has neither a count nor outputs, and compares nothing."""
    for number, cell in cells(notebook, "code"):
        if cell.execution_count is None:
            yield (
                number,
                "was never run (`make run`)" if cell.source.strip() else "is empty: remove it",
            )


def out_of_order(notebook, root):
    for expected, (number, cell) in enumerate(cells(notebook, "code"), 1):
        if cell.execution_count not in (None, expected):
            yield (
                number,
                (
                    f"has count {cell.execution_count}, and is code cell {expected}: not one run"
                    " from top to bottom (`make run`)"
                ),
            )


def complaints(notebook, root):
    for number, output in outputs_of(notebook):
        if output.output_type == "error":
            yield number, f"holds an error: {output.ename}: {output.evalue}"
        elif output.get("name") == "stderr":
            yield number, f"wrote to stderr: {(output.text.strip().splitlines() or [''])[0]}"


def volatile(notebook, root):
    for number, output in outputs_of(notebook):
        text = output.get("text", "") + output.get("data", {}).get("text/plain", "")
        if address := re.search(r"<[\w.]+ [^<>]*at 0x[0-9a-f]+>", text):
            yield number, f"prints a place in memory, another one in each run: {address[0]}"
        if sign := CONTROL.search(text):
            yield number, f"prints {sign[0]!r}, after which a page and a program read other text"


def stale(notebook, root):
    if notebook.metadata.get("logpartition", {}).get("inputs") != inputs(notebook, root):
        yield (
            None,
            (
                "is stale: its code, the library, a pin or a result that it uses has changed since"
                " it was run (`make run`)"
            ),
        )


def edited(notebook, root):
    if not holds(notebook):
        yield (
            None,
            "holds outputs that are not those of its run: they were edited, or merged (`make run`)",
        )


# cells, their marks and their outputs, by what is allowed


def marked(notebook, root):
    """Marks that hide a cell, keep it from being compared, or change how it is shown."""
    if extra := set(notebook.metadata) - METADATA:
        yield (
            None,
            (
                f"has the metadata {', '.join(sorted(extra))}: only {', '.join(sorted(METADATA))}"
                " are allowed"
            ),
        )
    for number, cell in enumerate(notebook.cells, 1):
        if cell.cell_type not in ("code", "markdown"):
            yield number, f"is a {cell.cell_type} cell: only code and markdown are allowed"
        if "attachments" in cell:
            yield number, "has files attached: a picture is drawn by a cell"
        if extra := set(cell.metadata.get("tags", ())) - TAGS:
            yield (
                number,
                (
                    f"has the tag {', '.join(sorted(extra))}: only {', '.join(sorted(TAGS))} are"
                    " allowed"
                ),
            )
        if extra := set(cell.metadata) - {"tags", "mystnb", "jupyter"}:
            yield (
                number,
                (
                    f"has the metadata {', '.join(sorted(extra))}: only tags and mystnb.image.alt"
                    " are allowed"
                ),
            )
        if cell.metadata.get("jupyter") != folded(cell).get("jupyter"):
            yield number, "is not folded in an editor as its tags fold it on the page (`make run`)"
        shown = cell.metadata.get("mystnb", {"image": {"alt": ""}})
        if not is_alt(shown):
            yield number, "has the metadata mystnb with more than image.alt"


def folded(cell):
    """The metadata that fold in an editor what the tags of a cell fold on a page."""
    parts = [part for tag in cell.metadata.get("tags", ()) for part in FOLDS.get(tag, ())]
    return {"jupyter": dict.fromkeys(parts, True)} if parts else {}


def is_alt(shown):
    """Whether the metadata of a picture are its alt text and no more."""
    image = shown.get("image") if isinstance(shown, dict) and set(shown) == {"image"} else None
    return isinstance(image, dict) and set(image) == {"alt"} and isinstance(image["alt"], str)


def uncompared(notebook, root):
    """nbval may leave out pictures alone, which `redrawn` compares; the numbers behind them stand
    in a cell that nbval compares.
    """
    for number, cell in cells(notebook, "code"):
        marks = (
            re.match(r"\s*#+\s*((?:NBVAL|PYTEST_VALIDATE)_\w+)", line)
            for line in cell.source.splitlines()  # as nbval has lines
        )
        for mark in (found[1] for found in marks if found):
            yield (
                number,
                (
                    f"keeps nbval from comparing (# {mark}): only the tag nbval-ignore-output is"
                    " allowed"
                ),
            )
        if "nbval-ignore-output" in cell.metadata.get("tags", ()) and not all(
            map(is_picture, cell.outputs)
        ):
            yield (
                number,
                "is not compared (nbval-ignore-output), and has more outputs than pictures",
            )


def is_picture(output):
    return any(kind.startswith("image/") for kind in output.get("data", {})) or is_drawing(output)


def is_drawing(output):
    return "<svg" in output.get("data", {}).get("text/html", "")


def bundles(notebook, root):
    """An output is printed text, a picture, or a result: as record, Markdown and plain text, and
    the three of the same.
    """
    for number, output in outputs_of(notebook):
        data = output.get("data", {})
        if output.output_type in ("display_data", "execute_result") and set(data) not in BUNDLES:
            yield (
                number,
                f"puts out {', '.join(sorted(data))}: an output is text, a picture or a result",
            )
        if MIME in data:
            label = data[MIME]["label"]
            if "text/html" not in data and output.output_type != "execute_result":
                yield (
                    number,
                    f"displays the result {label}: a result is the value of its cell's last line",
                )
            for kind, made in bundle(data[MIME]).items():
                if data.get(kind) != made:
                    yield number, f"result {label}: its {kind} is not what the record says"


def displays(notebook, root):
    """Results display themselves: no cell makes a display of its own or prints a verdict, or a
    number that a text in the code has, where a value stands; and a label stands in the code.
    """
    labels, numbers = set(), printed_numbers(notebook) | numbers_set(notebook)
    for number, output in outputs_of(notebook):
        data = output.get("data", {})
        said = "" if MIME in data else output.get("text", "") + data.get("text/plain", "")
        for line in re.split(r"[\n\r]", COLOUR.sub("", said)):
            if found := next(filter(None, (said.search(line) for said in VERDICTS)), None):
                yield (
                    number,
                    f"prints a verdict ({shorten(found[0])}): a result is the value of its cell's"
                    " last line",
                )
            for typed_here in filter(partial(as_value, line), unprinted(line, numbers)):
                yield number, f"prints {typed_here}, which a text in the code has, as a value"
    for number, cell in cells(notebook, "code"):
        for node in nodes(cell.source):
            name = getattr(node, "attr", getattr(node, "id", getattr(node, "name", None)))
            if isinstance(name, str) and (
                name in DISPLAYS or name.startswith(("_repr_", "_ipython_"))
            ):
                yield number, f"makes a display of its own ({name}): results display themselves"
            if is_text(node):
                labels.add(node.value)
                if "logpartition.result" in node.value:
                    yield number, "names the mime type of a result: only the verifier makes results"
    for number, record in records_of(notebook):
        if record["label"] not in labels:
            yield number, f"result {record['label']}: no cell gives that label"


def as_value(line, number):
    """Whether a decimal number, or a percentage, stands in a line behind a sign or at the end."""
    said = rf"(?<![\w.]){re.escape(number)}"
    return re.search(r"\.|%", number) and re.search(rf"[:=|]\s*{said}|{said}\W*$", line)


def comments(notebook, root):
    """A comment or a docstring, which a reader of the code sees, is no badge, no theorem, and no
    output: its numbers but for round ones are those of the cells.
    """
    numbers = printed_numbers(notebook) | numbers_set(notebook)
    for number, cell in cells(notebook, "code"):
        lines = tokenize.generate_tokens(io.StringIO(cell.source).readline)
        texts = [token.string for token in lines if token.type == tokenize.COMMENT]
        said = [one.value for one in nodes(cell.source) if isinstance(one, ast.Expr)]
        texts += [one.value for one in said if is_text(one)]
        for text in (line.strip("# ") for said in texts for line in said.splitlines()):
            if BADGE.search(text) or PROVED.search(text):
                yield number, f"says in a comment what a result says: {shorten(text)}"
            for said in unprinted(text, numbers):
                alone = re.match(rf"\W*(?:\w+\W+)?{re.escape(said)}\W*(?::|$)", text)
                if alone or MEASURED.search(said) and not is_round(said):
                    yield (
                        number,
                        f"has {said} in a comment, as an output, printed or set by no cell",
                    )


PROVED = re.compile(r"(?i)\bprove[dn]\b")
MEASURED = re.compile(r"(?i)\.\d|%|cent|\d\d\s*(?:/|\b.*\bof\b).*\d\d")


def drawings(notebook, root):
    """A picture in a file is a plot, and what its code writes on it has numbers of the chapter and
    states nothing. One with controls looks the same in a notebook as on a page.
    """
    numbers = printed_numbers(notebook) | numbers_set(notebook)
    for number, cell in cells(notebook, "code"):
        for text in written(cell, notebook) if any(map(is_picture, cell.outputs)) else ():
            for said in unprinted(text, numbers):
                yield number, f"writes {said} on its picture, printed or set by no cell"
            if not any(map(is_drawing, cell.outputs)) and stated(text):
                yield number, f"writes {shorten(text)} on its picture, which states something"
    for number, output in outputs_of(notebook):
        if (png := output.get("data", {}).get("image/png")) is not None:
            yield from ((number, message) for message in pixels(png))
        shown = html(output)
        if forged(shown) or "<svg" in shown and not STORED.fullmatch(shown):
            yield number, "puts out a picture that is another one until its script runs"
        if svg := output.get("data", {}).get("image/svg+xml"):
            yield from ((number, message) for message in plot(svg))


def written(cell, notebook):
    """The texts that the code of a picture may write on it: its own, and those of the functions,
    the classes and the values of other cells that it needs, but for results; without names of
    colours.
    """
    chapter = Chapter.of(notebook.cells)
    place = next(at for at, one in enumerate(notebook.cells) if one is cell)
    own = [number for number, (_, _, at) in enumerate(chapter.statements) if at == place]
    needed = sorted({number for target in own for number in chapter.needed(target)} - {*own})
    others = [chapter.statements[number][:2] for number in needed]
    labels = {record["label"] for _, record in records_of(notebook)}
    given = [inkless(text) for line, text in others if isinstance(line, GIVES)]
    for texts in (inkless(cell.source), *filter(labels.isdisjoint, given)):
        yield from (FORMAT.sub("x", text) for text in texts)


@lru_cache(maxsize=4096)
def inkless(source):
    """The texts in the code but for names of colours."""
    code = ast.parse(source)
    for node in ast.walk(code):
        if isinstance(node, ast.keyword) and INKS.fullmatch(node.arg or ""):
            node.value = ast.Constant(None)
    return tuple(text for text in strings(code) if not HEX.fullmatch(text))


def stated(text):
    """Whether a text on a plot, with its formulas between dollars, says what a result is for."""
    parts = text.split("$")
    pieces = [piece for part in parts[::2] for piece in BETWEEN.split(part)]
    related = [piece for piece in pieces if any(map(is_sign, piece)) and re.search(r"\w", piece)]
    return BADGE.search(text) or any(map(states_equation, [*parts[1::2], *related]))


GIVES = (ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr)
FORMAT = re.compile(r"%[-+#0]?\d*\.\d+[efgEFG]|\{\w*:[^{}]*\}")  # a number that is put in
INKS = re.compile(r"c|[efm]c|m[ef]c|(\w+_?)?colou?rs?")  # given as words: "0.8" is a grey
HEX = re.compile("#[0-9a-fA-F]{3,8}")
CONTROL = re.compile(r"[^\n\t\x20-\x7e\xa0-\U0010ffff]|[\u202a-\u202e\u2066-\u2069]")
ESCAPE = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")  # as it makes of the backslash of a formula
COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
VERDICTS = (  # in the place of a badge, alone, or in its words
    re.compile(
        r"(?i)^.*(?:[:=(—–,.]|\s-)\s*[\"'“‘]?"
        r"(?:(?:proved|argued|corrects)\b|(?:checked|observed|cited)\b(?!:?\s+\d))(?! -)"
    ),
    re.compile(r"(?i)^\W*(?:proved|argued|checked|observed|cited)\W*$"),
    re.compile(r"(?i)\|\s*proved\s*\||^\W*(?:\S+\s{2,}proved\W*$|proved\s*[:=]\s*[^\W\d]|[✓✔☑✅])"),
    BADGE,
)
DISPLAYS = {
    "display",
    "publish_display_data",
    "display_markdown",
    "display_latex",
    "display_html",
    "Markdown",
    "Latex",
    "Math",
    "HTML",
}


# what the other gates rely on


def foreign(notebook, root):
    """A cell is Python, without magics and shell commands, whose inputs no hash knows."""
    for number, cell in cells(notebook, "code"):
        try:
            tree(cell.source)
        except SyntaxError as error:
            yield (
                number,
                f"is not Python: {unparsed(error)}; magics and shell commands are not allowed",
            )


def draws(call, own, given, known):
    """Whether a call draws numbers by nothing that has a seed: neither by what it is given, nor by
    a generator of NumPy, nor by what is the chapter's `own`, or is given to a function of its.
    """
    path = origin(call.func, known)
    if not any(map(DRAWS.fullmatch, named(call.func))) or path == ["sympy", "binomial"]:
        return False
    asked = ast.unparse(getattr(call.func, "value", call.func))
    if asked in given and getattr(call.func, "attr", "") in GENERATES:
        return False
    return not seeds(call) and asked.split("[")[0] not in own and "default_rng(" not in asked


def seeds(call):
    """The keywords by which a call is given a seed."""
    given = {word.arg: ast.unparse(word.value) for word in call.keywords}
    return {name for name in SEEDS & given.keys() if given[name] != "None"}


def own_names(parts):
    """The chapter's own functions and classes, and its generators that have a seed."""
    own = set()
    for node in parts:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            own.add(node.name)
        for target, value in bound(node):
            pairs = [(target, value)]
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                pairs = zip(target.elts, value.elts, strict=False)
            own |= {
                ast.unparse(one)
                for one, made in pairs
                if isinstance(made, ast.Lambda) or generates(made)
            }
    loops = (node for node in parts if isinstance(node, (ast.For, ast.comprehension)))
    return own | {ast.unparse(one.target) for one in loops if ast.unparse(one.iter) in own}


def bound(node):
    """What a statement gives a value to, and the value."""
    if isinstance(node, ast.Assign):
        yield from ((target, node.value) for target in node.targets)
    elif isinstance(node, ast.AnnAssign) and node.value:
        yield node.target, node.value


def generates(value):
    """Whether a value is a generator of NumPy, or a list of them."""
    if isinstance(value, (ast.ListComp, ast.List)):
        return all(map(generates, getattr(value, "elts", None) or [getattr(value, "elt", None)]))
    return isinstance(value, ast.Call) and named(value.func) in (["default_rng"], ["Generator"])


def chooses(call, known):
    """Whether a function or a class of SciPy takes a seed and is given none."""
    path = origin(call.func, known)
    if path[0] != "scipy" or seeds(call):
        return False
    try:
        takes = inspect.signature(pkgutil.resolve_name(".".join(path))).parameters
    except (ImportError, AttributeError, TypeError, ValueError):
        return False
    return bool(SEEDS & takes.keys())


def origin(function, known):
    """What is called: the module where it is from, and the names that lead to it from there."""
    first, *rest = ast.unparse(function).split(".")
    return known.get(first, "").split(".") + rest


def origins(parts):
    """What the names that a chapter imports stand for, with dots."""
    for node in parts:
        for alias in node.names if isinstance(node, (ast.Import, ast.ImportFrom)) else ():
            if isinstance(node, ast.ImportFrom):
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"
            elif alias.asname:
                yield alias.asname, alias.name
            else:
                yield alias.name.split(".")[0], alias.name.split(".")[0]


def global_state(node):
    """The names by which a piece of code has that generator of NumPy which no chapter seeds."""
    if isinstance(node, ast.Attribute) and named(node.value) == ["random"]:
        return {node.attr} - SEEDED if isinstance(node.value, ast.Attribute) else set()
    if isinstance(node, ast.ImportFrom) and node.module == "numpy.random":
        return {alias.name for alias in node.names} - SEEDED
    if isinstance(node, ast.ImportFrom) and node.module == "numpy":
        return {alias.name for alias in node.names} & {"random"}
    if isinstance(node, ast.Import):
        return {one.asname for one in node.names if one.name == "numpy.random" and one.asname}
    return set()


def passes(node, callees):
    """Whether a function that draws numbers gets another name, or is given to a function."""
    if isinstance(node, ast.ImportFrom):
        return any(alias.asname and DRAWS.fullmatch(alias.name) for alias in node.names)
    loaded = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)
    return loaded and node not in callees and DRAWS.fullmatch(node.attr)


UNSEEDED = re.compile(r"default_rng\((?:\*.*|(?:seed=)?None|.*SeedSequence\(\))?\)$")
BITS = {"PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64", "SeedSequence"}
SEEDS = {"generator", "random_state", "rng", "seed"}  # as functions call what they are given
GENERATES = {name for name in dir(np.random.Generator) if name[0] != "_"}


def closed(notebook, root):
    """A cell depends on its own code, the library and the pins: those are what the hashes know.
    What draws is known by names, and of SciPy by signatures; of other things that draw only the
    numbers are compared, which a run prints, and a picture may be another one in each run.
    """
    seeded = any("torch.manual_seed(" in cell.source for _, cell in cells(notebook, "code"))
    parts = [node for _, cell in cells(notebook, "code") for node in nodes(cell.source)]
    own, known = own_names(parts), dict(origins(parts))
    given = {node.arg for node in parts if isinstance(node, ast.arg)}
    for number, cell in cells(notebook, "code"):
        callees = {node.func for node in nodes(cell.source) if isinstance(node, ast.Call)}
        for node in nodes(cell.source):
            calls = isinstance(node, ast.Call)
            drawn = draws(node, own, given, known) if calls else passes(node, callees)
            if drawn and not seeded or calls and chooses(node, known):
                yield number, "draws without a seed: give a generator, or a random_state"
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                for name in imported(node) - IMPORTS:
                    yield (
                        number,
                        f"imports {name}: a chapter may use {', '.join(sorted(IMPORTS))}",
                    )
            if isinstance(node, ast.Call) and named(node.func) == ["default_rng"]:
                if UNSEEDED.search(ast.unparse(node)):
                    yield number, "calls default_rng without a seed: each run draws other numbers"
            if calls and {*named(node.func)} & BITS and not node.args + node.keywords:
                yield number, f"calls {named(node.func)[0]} without a seed"
            for name in sorted(global_state(node)):
                yield number, f"draws by random.{name}: draw by a default_rng with a seed"
            if isinstance(node, ast.Call) and unnamed(node):
                yield number, "calls earlier without a label in quotes, which the hashes need"
            if isinstance(node, ast.Call) and named(node.func) == ["earlier"]:
                if any(word.arg in (None, "folder") for word in node.keywords):
                    yield number, "calls earlier with a folder: the hashes know this book alone"
            if renamed(node, callees):
                yield number, "has earlier under another name: call earlier('label'), by itself"
            for name in named(node):
                if READERS.fullmatch(name) and getattr(node, "attr", "") != "eval":  # of a model
                    yield (
                        number,
                        f"calls {name}: a chapter depends on its code, the library and the pins"
                        " alone",
                    )


def unforged(notebook, root):
    """A cell takes from the verifier what is public, by name, and neither changes what it imports
    nor asks of what an object is made: only so a record is the verifier's.
    """
    parts = [
        (number, node) for number, cell in cells(notebook, "code") for node in nodes(cell.source)
    ]
    known = {node.value.func for _, node in parts if names_kind(node)}
    imports = set()
    for number, node in parts:
        for alias in node.names if isinstance(node, (ast.Import, ast.ImportFrom)) else ():
            imports.add((alias.asname or alias.name).split(".")[0])
            path = f"{getattr(node, 'module', None) or ''}.{alias.name}".strip(".")
            if isinstance(node, ast.Import):
                path = path.split(".")[0]
            if GUARDED.match(path) and path not in PUBLIC:
                yield number, f"takes {path}: of the verifier what is public, each by its name"
        for name in named(node):
            if INSIDE.fullmatch(name) and node not in known:
                yield number, f"asks for {name}: only the verifier makes records and theorems"
    for number, node in parts:
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            if (name := ast.unparse(node).split(".")[0]) in imports:
                yield number, f"changes {name}, which it imports"


def names_kind(node):
    """Whether it is the name of an object's type, as in `type(x).__name__`."""
    call = getattr(node, "value", None) if getattr(node, "attr", "") == "__name__" else None
    return isinstance(call, ast.Call) and len(call.args) == 1 and named(call.func) == ["type"]


GUARDED = re.compile(r"logpartition(?:$|\.\*|\.proof\b)|dataclasses\b")
PUBLIC = {
    *(f"logpartition.proof.{name}" for name in proof.__all__ if name != "Result"),
    *(f"logpartition.proof.tensors.{name}" for name in ("Tensor", "at", "equation", "tensor")),
    "logpartition.proof.printer.tex",
    "logpartition.proof.printer.text",
    "logpartition.proof.kernel.context.elaborate",
    "logpartition.proof.numeric.mutate.mutants",
    "dataclasses.dataclass",
    "dataclasses.field",
}
INSIDE = re.compile(r"type|[gsd]etattr|delattr|attrgetter|methodcaller|__(?!name__)\w+__")


def renamed(node, callees):
    """Whether the function that takes results of other chapters is called something else, or is
    handed on."""
    if isinstance(node, ast.ImportFrom):
        return any(alias.name == "earlier" and alias.asname for alias in node.names)
    mine = isinstance(node, (ast.Name, ast.Attribute)) and named(node) == ["earlier"]
    return mine and node not in callees


def unnamed(call):
    """Whether a call takes a result of another chapter and does not say which."""
    label = getattr(call.args[0], "value", None) if call.args else None
    return named(call.func) == ["earlier"] and not isinstance(label, str)


def named(node):
    """The names that a piece of code says: its own, an attribute's, or those that it imports."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        paths = [getattr(node, "module", None) or "", *(alias.name for alias in node.names)]
        return [part for path in paths for part in path.split(".")]
    return [name for key in ("attr", "id") if (name := getattr(node, key, None))]


def imported(node):
    """The packages that a statement imports."""
    if isinstance(node, ast.ImportFrom):
        return {"." if node.level else node.module.split(".")[0]}
    return {alias.name.split(".")[0] for alias in node.names}


def typed_in(notebook, root):
    """What an observation measured is computed, and no number that stands in the code."""
    chapter = Chapter.of(notebook.cells)
    lines = [line for line, _, _ in chapter.statements]
    parts = [(at, node) for at, line in enumerate(lines) for node in ast.walk(line)]
    calls = [(at, node) for at, node in parts if isinstance(node, ast.Call)]
    for number, record in records_of(notebook):
        label, found = record["label"], set()
        for at, call in calls if record["kind"] == "observation" else ():
            if observes(call, label):
                needed = sorted({at, *chapter.needed(at)})
                found.add(typed_numbers(call, ast.Module([lines[one] for one in needed], [])))
        if record["kind"] == "observation" and (True in found or False not in found):
            yield number, f"observation {label}: what it measured is typed in the code"


def typed_data(notebook, root):
    """What is drawn, printed or fitted is computed: no list of numbers that were measured elsewhere
    and stand in the code.
    """
    for place, what, code in pasted(Chapter.of(notebook.cells)):
        yield place + 1, f"{what} numbers that are typed in the code: {shorten(code)}"


def observes(call, label):
    """Whether a call may make the observation of this label."""
    given = {word.arg: word.value for word in call.keywords}
    first = (*call.args[:1], given.get("label"))[0]
    said = getattr(first, "value", None)
    return said == label or not isinstance(said, str) and set(named(call.func)) & OBSERVES


OBSERVES = {"observe", "observe_rate", "observe_bound"}


def malformed(notebook, root):
    for number, record in records_of(notebook):
        name = record.get("label") if isinstance(record, dict) else record
        yield from ((number, f"result {name}: {message}") for message in wrong_record(record))
    for number, output in outputs_of(notebook):
        yield from ((number, message) for message in misnoted(output.get("metadata", {})))
    for number, cell in cells(notebook, "code"):
        kinds = [output.get("name", "") for output in cell.outputs]
        if any(one and one == other for one, other in zip(kinds, kinds[1:])):
            yield number, "has what it printed in pieces, which a run stores in one"
    for key, said in notebook.metadata.get("logpartition", {}).items():
        if not re.fullmatch(SEALED.get(key, "(?!)"), str(said)):
            yield None, f"has the seal {key}: {shorten(str(said))}"
        elif key == "python" and said.rpartition(".")[0] not in pythons():
            yield None, f"was run by Python {said}, which no pin of requirements.txt is made for"


def misnoted(said):
    """What in the metadata of an output no run notes: from some a page takes the size of a picture,
    and from the seconds of a result the time of its check."""
    timed = said.get(MIME, {"seconds": 0})
    if set(said) - {MIME} or not isinstance(timed, dict) or set(timed) != {"seconds"}:
        yield f"has the metadata {shorten(str(said))}: a run notes the seconds of a result alone"
    elif not is_time(seconds := timed["seconds"]):
        yield f"took {seconds!r}, which is no number of seconds as a run rounds it"


def is_time(seconds):
    """Whether these may be the seconds of a check, which a run rounds to tenths."""
    return type(seconds) in (int, float) and 0 <= seconds < 1000 and seconds == round(seconds, 1)


@lru_cache(maxsize=1)
def pythons():
    """The versions of Python that the packages which decide results say that they are made for."""
    said = (metadata.metadata(name).get_all("Classifier", ()) for name in ("numpy", "sympy"))
    return set.intersection(*({line.rpartition(" ")[2] for line in lines} for lines in said))


SEALED = {
    "python": r"3\.[0-9]{2}\.[0-9]{1,2}(?:(?:a|b|rc)[0-9]{1,2})?\+?",
    "inputs": "[0-9a-f]{16}",
    "outputs": "[0-9a-f]{16}",
}


def undecided(notebook, root):
    """A formula that is proved, checked or refuted has the terms from which it is decided again."""
    for number, record in records_of(notebook):
        if decidable(record) and "terms" not in record:
            yield number, f"result {record['label']}: has no terms from which it is decided again"


# what is said


def typed(notebook, root):
    """Directives, roles and HTML in the text that are not on the lists, and remains of a merge."""
    for number, cell in cells(notebook, "markdown"):
        for line in merged(cell.source):
            yield number, f"a merge left its marks in line {line} of the cell"
        yield from ((number, message) for message in strange(cell.source))


def escaped(notebook, root):
    """The formulas that the texts of the code have, on plots and in the words of results, are set
    as they are typed.
    """
    for number, cell in cells(notebook, "code"):
        for text in strings(tree(cell.source)) if "$" in cell.source else ():
            for tex in FIELD.sub("x", text).split("$")[1:-1:2]:
                if "\n" in tex.strip():
                    yield number, f"has the formula {tex!r} in two lines: is there an r before it?"
                yield from ((number, message) for message in mistyped(tex))


FIELD = re.compile(r"%[-+#0]?\d*(?:\.\d+)?[a-zA-Z%]|\{\w*(?::[^{}]*)?\}")  # of a format


def retold(notebook, root):
    """The words of a result are words, and what they state in maths is for its statement. Citations
    and refutations quote, a theorem's statement is its words, and a reason or an argument may name
    the step that it gives; but none displays.
    """
    numbers = printed_numbers(notebook) | numbers_set(notebook)
    for number, record in records_of(notebook):
        free = record["kind"] in ("citation", "refutation", "theorem")
        own, others = [record["title"], record["text"]], [*reasons(record)]
        for text in (*own, *others):
            for tex, displayed in maths(text):
                stated = text in own and not free and states_equation(tex)
                if displayed or stated or PRIMITIVE.search(tex):
                    yield number, f"result {record['label']}: its words state {tex}"
        for message in unworthy(record):
            yield number, f"result {record['label']}: {message}"
        for said in measured((*own, *others), numbers) if record["kind"] != "citation" else ():
            yield (
                number,
                f"result {record['label']}: the number {said} is printed or set by no cell",
            )


def measured(texts, numbers):
    """The numbers in texts, and in their formulas and code, that are not among these."""
    for text in texts:
        yield from unprinted(visible(words(text, seen)), numbers)


def unworthy(record):
    """What the words of a result hold that is no words: its own, and those that the verifier
    writes.
    """
    own = [record["title"], record["text"], *reasons(record)]
    made = [
        *record["assumptions"],
        *record["where"],
        *(step["symbolic"] for step in record["steps"]),
        *(item["witness"] for item in record["hypotheses"]),
        *(record.get(key) for key in ("number", "location")),
        (record.get("counterexample") or {}).get("why"),
    ]
    if quoted(record.get("printed", "")) or not record.get("counterexample"):
        made += [record.get("printed"), record.get("correction")]
    for text in filter(None, (*own, *made)):
        if sign := ESCAPE.search(text):
            yield f"its words have the sign {sign[0]!r}: is there an r before the text?"
        yield from strange(text)
        yield from undressed(text)
    for text in map(visible, map(words, own)):
        yield from signed(text.translate(CONDITION))
        if wordy(text):
            yield f"its words state {shorten(text)}"
    for line in "\n".join(visible(words(text, seen)) for text in own).splitlines():
        if POSES.fullmatch(line) or HEAD.match(line):
            yield f"its words are a badge's to say, or begin a theorem: {shorten(line)}"
    if BADGE.search(record["title"]):
        yield f"its title is a badge's to say: {shorten(record['title'])}"
    for text in filter(None, (*record["assumptions"], *record["where"], record.get("number"))):
        if any(displayed for _, displayed in maths(text)) or TEX.search(visible(words(text))):
            yield f"its words state {shorten(text)}"


CONDITION = dict.fromkeys(map(ord, "=<>≤≥²³"))  # a title has no maths, and may say β = 2


def quoted(text):
    return text.startswith(("“", '"'))


def reasons(record):
    """What an author adds to a result besides title and text."""
    for step in record["steps"]:
        yield from (step["reason"], step["remark"])
    yield record.get("argument", "")
    yield from (part["purpose"] for part in record.get("parts", ()))


def mute(notebook, root):
    """Every picture says in words what it shows, with numbers that a cell prints, draws or sets."""
    drawn = (text for _, output in outputs_of(notebook) for text in DRAWN.findall(html(output)))
    numbers = printed_numbers(notebook) | numbers_set(notebook)
    numbers = numbers.union(*map(decimals, drawn))
    for number, cell in cells(notebook, "code"):
        shown = cell.metadata.get("mystnb")
        alt = shown["image"]["alt"] if is_alt(shown) else ""
        texts = [alt, *written(cell, notebook)] if any(map(is_picture, cell.outputs)) else ()
        typed_here = {said for text in texts for said in unprinted(text, numbers)}
        for output in filter(is_picture, cell.outputs):
            labels = [alt]
            if is_drawing(output):
                labels = ["".join(found) for found in LABEL.findall(html(output))]
            if not any(map(str.strip, labels)):
                yield (
                    number,
                    "its drawing has no aria-label or title"
                    if is_drawing(output)
                    else "its picture has no alt text (metadata mystnb.image.alt)",
                )
            for label in labels:
                for said in {*unprinted(unescape(label), numbers)} & typed_here:
                    yield number, f"its alt text: the number {said} is printed or set by no cell"
                if BADGE.search(label):
                    yield number, f"its alt text is a result's to say: {shorten(label)}"
                if sign := ESCAPE.search(label):
                    yield number, f"its alt text has the sign {sign[0]!r}: is there an r before it?"


# of a drawing: what it is called, and what is written in it
LABEL = re.compile(r"""(?:aria-label|aria-labelledby|alt)=(?:"([^"]+)"|'([^']+)')|<title>([^<]+)""")
DRAWN = re.compile(r"<text[^>]*>([^<]+)")


def html(output):
    return output.get("data", {}).get("text/html", "")


def strings(node):
    """The texts that stand in the code, with a letter for each value that is put into one; a text
    that is a statement, as a docstring is, is put nowhere.
    """
    if isinstance(node, ast.JoinedStr):
        yield "".join(getattr(part, "value", "") if is_text(part) else "x" for part in node.values)
        for part in node.values:
            yield from () if is_text(part) else strings(part.value)
    elif is_text(node):
        yield node.value
    else:
        for part in ast.iter_child_nodes(node):
            if not (isinstance(part, ast.Expr) and is_text(part.value)):
                yield from strings(part)


def is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


FORM = (foreign, closed, unforged, malformed)
GATES = (
    unrun,
    out_of_order,
    complaints,
    volatile,
    stale,
    edited,
    marked,
    uncompared,
    bundles,
    undecided,
    displays,
    comments,
    typed_in,
    typed_data,
    drawings,
    typed,
    escaped,
    retold,
    mute,
)
