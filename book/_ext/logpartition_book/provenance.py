"""Where what stands on a page comes from. Every page of the site is read once more before it is
written: maths comes from a result, from a definition, or stands in the text and states nothing;
pictures and HTML are put out by a cell; a number in the text is one that a cell printed. What is
found is a warning, and so stops the build.
"""

import re
from pathlib import Path

from docutils import nodes
from sphinx.addnodes import download_reference
from sphinx.util import logging
from sphinx_proof import nodes as proof

from . import records
from .drawings import drawing, wordy
from .index import VERDICTS
from .inline_maths import LONG, PRIMITIVE, defines, states_equation
from .markup import element, printed
from .numbers import printed_numbers, unprinted
from .pages import dependency_graph
from .signs import shorten, signed, visible

logger = logging.getLogger(__name__)

NUMERAL = re.compile(r"\s*[-−+]?\s*[\d.,]*\s*")
THEOREM = re.compile(
    r"(?i)\b((?:theorem|thm|lemma|proposition|claim|proof)s?|corollar(?:y|ies)|proved|result \d)\b"
)
OPENS = re.compile(  # as a theorem or a proof begins
    r"(?i)\s*(?:(?:theorem|thm|lemma|proposition|corollary|proof)s?\b\s*(?:\d|[^\w\s]|[A-Z]\b|$)"
    r"|(?:claim|result)\s+\d)"
)
CITES = re.compile(r"\d{4}\.\d{4,5}|\b(?:draft|lecture notes)\b")
SAYS = re.compile(r"(?i)\b(?:proved|argued in|checked num|observed|cited)\b")
ARGUMENT = re.compile(
    r"(?i)\b(theorem|lemma|proposition|corollary|proof|prove[sdn]?|hence|therefore|thus|follows"
    r"|consequently|implie[sd]|imply|clearly|obviously|q\.?e\.?d)\b"
)
BOXES = (proof.definition_node, proof.example_node, proof.remark_node)
TYPED_BOXES = tuple(
    kind
    for kind in vars(proof).values()
    if isinstance(kind, type) and issubclass(kind, nodes.Admonition)
)
OURS = (element, printed, dependency_graph, nodes.citation)
CODE = (nodes.literal, nodes.literal_block)
CELLS = {"nb_element", "mime_type"}  # of what is around the code and the output of a cell


def walk(node, source="typed", line=0):
    """Each node of a page with what brought it there: `typed`, `definition`, `code`, `cell`, or
    `ours` for a result and for the pages made of records; and with the nearest line that is known.
    """
    source, line = origin(node) or source, getattr(node, "line", None) or line
    yield node, source, line
    for child in node.children:
        yield from walk(child, source, line)


def origin(node):
    if isinstance(node, OURS):
        return node.get("holds", "ours")
    if isinstance(node, nodes.container) and (
        node.get("nb_element") == "cell_code_output" or node.get("mime_type")
    ):
        return "cell"
    if isinstance(node, CODE):
        return "code"
    return "definition" if isinstance(node, proof.definition_node) else None


def findings(doctree, docname, book):
    """(line, message) for what has no right to stand on the page."""
    notebook = book / f"{docname}.ipynb"
    numbers = printed_numbers(records.stored(notebook)) if notebook.exists() else None
    inner = set()  # the text of a block is read with the block
    for node, source, line in walk(doctree):
        if isinstance(node, nodes.Text):
            continue
        for gate in {"ours": OF_ALL, "code": DRESS}.get(source, GATES):
            yield from ((line, message) for message in gate(node, source, docname))
        if isinstance(node, nodes.literal):
            for number in unprinted(node.astext(), numbers):
                yield line, f"the number {number} in code is printed by no cell of this page"
        if isinstance(node, nodes.TextElement) and source not in ("ours", "code", "cell"):
            if id(node) not in inner:
                yield from ((line, message) for message in words(node, numbers))
            inner |= {id(child) for child in node.children}


def maths(node, source, docname):
    if not isinstance(node, (nodes.math, nodes.math_block)):
        return
    tex = shorten(node.astext())
    display = isinstance(node, nodes.math_block)
    if found := PRIMITIVE.search(node.astext()):
        yield f"TeX that changes what is around it ({found[0]}): {tex}"
    if source == "cell":
        yield (
            f"maths that a cell put out and no result stands behind: {tex}. Make a result of it, or"
            " print it as text"
        )
    elif source == "definition":
        if states_equation(node.astext(), None):
            yield f"a definition has the name on one side: {tex} has an expression on both"
        elif display and not defines(node.astext()):
            yield f"a definition gives a name, by one sign of equality: {tex} does more"
    elif display:
        yield f"display maths typed outside a definition: {tex}. Print it with a result"
    elif isinstance(node.parent, nodes.title) and isinstance(node.parent.parent, nodes.section):
        yield f"maths in a heading: {tex}. Say it in words"
    elif states_equation(node.astext(), LONG):
        yield f"an equation typed in the text: {tex}. Print it with a result"


def pictures(node, source, docname):
    if isinstance(node, nodes.image):
        if source != "cell":
            yield f"a picture that no cell drew: {node['uri']}"
        elif not node.get("alt", "").strip():
            yield "its picture has no alt text (metadata mystnb.image.alt)"
        elif wordy(node["alt"]):
            yield f"a picture with an equation in its alt text: {shorten(node['alt'])}"


def raw_html(node, source, docname):
    """HTML is a drawing, and comes from a cell."""
    if isinstance(node, nodes.raw):
        if source == "cell" and node.get("format") == "html":
            yield from drawing(node.astext())
        else:
            yield f"raw {node.get('format')} typed in the text: {shorten(node.astext())}"


def boxes(node, source, docname):
    if isinstance(node, TYPED_BOXES) and not isinstance(node, BOXES):
        yield (
            f"a typed {type(node).__name__.removesuffix('_node')}: definitions, examples and"
            " remarks may be typed, the rest is what results are for"
        )
    elif isinstance(node, (nodes.Admonition, nodes.sidebar)) and THEOREM.search(titled(node)):
        yield f"a typed theorem, by the title of its box: {shorten(titled(node))}"


def openings(node, source, docname):
    """Nothing begins as a theorem does: a heading, or the words at the head of a paragraph."""
    if isinstance(node, (nodes.title, nodes.strong, nodes.emphasis)):
        before = node.parent.children[: node.parent.index(node)]
        first = not any(sibling.astext().strip() for sibling in before)
        if source != "cell" and first and OPENS.match(node.astext()):
            yield f"a typed theorem, by how it begins: {shorten(node.astext())}"


def titled(box):
    return next((child.astext() for child in box.children if isinstance(child, nodes.title)), "")


def files(node, source, docname):
    """A page brings no file with it, which no gate has read and no hash knows."""
    if isinstance(node, download_reference):
        yield f"a link to the file {node['reftarget']}: a page links to pages and to other sites"


def addresses(node, source, docname):
    """The address of a result is its box's own."""
    if isinstance(node, nodes.Element):
        for name in [*node.get("ids", ()), *node.get("names", ())]:
            if name.startswith(("eq-", "equation-")):
                yield f"typed in the place of a result (address {name})"


def badges(node, source, docname):
    """Only the front page shows what badges look like, in the cells of a table."""
    dress = [
        name
        for name in getattr(node, "attributes", {}).get("classes", ())
        if name.startswith("lp-") and name != "lp-subtitle"
    ]
    if dress and not (
        docname == "index" and node.parent and isinstance(node.parent.parent, nodes.entry)
    ):
        yield f"typed in the dress of a result (class {dress[0]})"
    elif dress and (dress[0], node.astext(), *dress[1:]) not in SHOWN:
        yield f"no badge of a result: {shorten(node.astext())} ({' '.join(dress)})"


def quotations(node, source, docname):
    """Code is code, and imitates neither an output nor a badge."""
    if isinstance(node, nodes.literal) and (found := SAYS.search(node.astext())):
        yield f"code that says {found[0]!r}: a badge says so"
    if isinstance(node, nodes.literal_block) and not CELLS & node.parent.attributes.keys():
        if (language := node.get("language")) not in ("python", "bibtex"):
            yield f"a block of {language}: a block that is typed is of python or bibtex"


SHOWN = {
    ("lp-badge", said, f"lp-{kind}")
    for kind, said in (
        *VERDICTS.items(),
        ("proved", "proved for all sizes"),
        ("proved", "proved for all sizes that the hypotheses allow"),
        ("checked", "checked numerically"),
    )
}


def definitions(node, source, docname):
    if isinstance(node, proof.definition_node) and (found := ARGUMENT.search(node.astext())):
        yield (
            f"a definition that argues ({found[0]!r}): a definition gives a name, and a result is"
            " printed by a cell"
        )


OF_ALL = (files,)
DRESS = (*OF_ALL, addresses, badges, quotations)
GATES = (*DRESS, maths, pictures, raw_html, boxes, openings, definitions)


def words(block, numbers):
    """What a paragraph, a heading, a cell of a table or a caption says in signs and numbers."""
    text = "" if isinstance(block, nodes.math_block) else visible(read(block))
    yield from signed(text)
    formulas = [
        node.astext()
        for node in block.findall(lambda node: isinstance(node, (nodes.math, nodes.math_block)))
    ]
    for cut in cut_formulas(block):
        if states_equation(cut, LONG):
            yield f"an equation typed in the text, in pieces: {shorten(cut)}"
    cites = any(block.findall(nodes.reference)) or CITES.search(text)
    found = [
        *unprinted(text, numbers, cites=cites),
        *(number for tex in formulas for number in unprinted(tex, numbers, maths=True)),
    ]
    for number in dict.fromkeys(found):
        yield f"the number {number} is printed by no cell of this page"


def cut_formulas(block):
    """Formulas between which there is nothing to read, as one."""
    pieces = []
    leaves = block.findall(lambda node: isinstance(node, (nodes.math, nodes.Text)))
    for leaf in [*leaves, nodes.Text("end")]:
        if isinstance(leaf, nodes.math):
            pieces.append(leaf.astext())
        elif leaf.strip() and not isinstance(leaf.parent, nodes.math):
            if len(pieces) > 1:
                yield " ".join(pieces)
            pieces = []


def read(node):
    """The text below a node, a blank for maths but for numbers and lone signs, for code, and for
    each number that Sphinx gave.
    """
    for child in node.children:
        if isinstance(child, nodes.Text):
            yield str(child)
        elif isinstance(child, nodes.math) and NUMERAL.fullmatch(child.astext()):
            yield child.astext().strip()
        elif isinstance(child, (nodes.math, nodes.math_block, *CODE)) or origin(child) == "ours":
            yield "  "
        elif is_number(child):
            yield "  "
        else:
            yield from read(child)


def is_number(node):
    """Whether a node is the number of an equation, as Sphinx gives it."""
    return (
        "equation-" in node.get("refuri", node.get("refid", ""))
        and node.get("internal")
        and all(isinstance(child, nodes.Text) for child in node.children)
        and re.fullmatch(r"\(\d+(\.\d+)*\)", node.astext())
    )


def place(line):
    """The cell that a line stands in: myst-nb counts the lines of cell n from n times 10000."""
    return f"cell {line // 10000}: " if line >= 10000 else f"line {line}: " if line else ""


def check(app, doctree, docname):
    if app.builder.format == "html":
        for line, message in findings(doctree, docname, Path(app.srcdir)):
            logger.warning("%s%s", place(line), message, location=docname, type="logpartition")


def setup(app) -> dict:
    app.connect("doctree-resolved", check, priority=900)  # after all that puts things on a page
    return {"parallel_read_safe": True, "parallel_write_safe": True}
