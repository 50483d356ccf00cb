"""Where what stands on a page comes from. Every page of the site is read once more before it is
written: maths comes from a result, from a definition, or stands in the text and states nothing;
pictures and HTML are put out by a cell; a number in the text is one that a cell printed. What is
found is a warning, and so stops the build.
"""

import ast
import io
import re
import tokenize
from pathlib import Path
from unicodedata import normalize

from docutils import nodes
from sphinx.addnodes import download_reference
from sphinx.util import logging
from sphinx_design.tabs import sd_tab_label
from sphinx_proof import nodes as proof

from . import katex, records
from .drawings import drawing, wordy
from .index import HEAD, KINDS, NAMED, POSES, VERDICTS
from .inline_maths import LONG, PRIMITIVE, defines, states_equation
from .markup import element, printed
from .numbers import measures, printed_numbers, unprinted
from .pages import dependency_graph
from .signs import shorten, signed, visible

logger = logging.getLogger(__name__)

THEOREM = re.compile(
    r"(?i)\b((?:theorem|thm|lemma|proposition|claim|proof)s?|corollar(?:y|ies)|prove[dn]"
    r"|(?:result|fact) \d|(?:main|our|key) results?)\b"
)
OPENS = re.compile(  # as a theorem or a proof begins
    rf"(?i)\s*(?:(?:{KINDS})s?\b\s*(?:\d|[^\w\s]|[A-Z]\b|$)"
    rf"|(?:{NAMED})\s*(?:\d|[.:(]|$)|proof (?:of|by|that)\b)"
)
ENDS = re.compile(r"(?i)\b(?:q\.\s?e\.\s?d\b|qed\W*$)")
VERDICT = re.compile(r"(?i)\W*(?:proved(?: for all sizes)?|checked numerically)\W*[.:!]\s")
CITES = re.compile(r"(?i)\b(?:arxiv|draft|lecture notes)\b")
SAYS = re.compile(r"(?i)\b(?:proved|argued in|checked num|observed|cited)\b")
ENTRY = re.compile(r"@\w+\{[\w-]+,(?:\s+\w+\s*=\s*\{.*\},?)+\s*\}\s*")
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
        if isinstance(node, CODE) and id(node) not in inner:
            for number in unprinted(" \n".join(told(node)), numbers):
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
    if isinstance(node, nodes.raw) and not is_break(node):
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
    """Nothing begins as a theorem does, or ends as a proof: a heading, the words at the head of a
    paragraph, a term, the label of a tab, the head of a table.
    """
    if source == "cell" or not isinstance(node, nodes.TextElement):
        return
    text = normalize("NFKC", visible(node.astext()))
    opens = HEAD.match(text)
    if isinstance(node, (nodes.title, nodes.strong, nodes.emphasis)):
        before = node.parent.children[: node.parent.index(node)]
        opens = not any(sibling.astext().strip() for sibling in before) and OPENS.match(text)
    elif isinstance(node, (nodes.term, sd_tab_label)) or in_head(node):
        opens = opens or re.search(r"\d", text) and HEAD.match(f"{text}.")
    elif not isinstance(node, nodes.paragraph):
        return
    if opens or ENDS.search(text):
        yield f"a typed theorem, by how it {'begins' if opens else 'ends'}: {shorten(text)}"
    if isinstance(node, nodes.paragraph) and VERDICT.match(text):
        yield f"words in the place of a badge: {shorten(text)}"


def in_head(node):
    """Whether a paragraph stands in the head of a table."""
    return isinstance(node.parent, nodes.entry) and isinstance(
        node.parent.parent.parent, nodes.thead
    )


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


def counts(node, source, docname):
    """The numbers of a list count what is in it."""
    if isinstance(node, nodes.enumerated_list) and node.get("start", 1) > 99:
        yield f"a list that begins with the number {node['start']}"


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
    if not isinstance(node, CODE):
        return
    if found := next(filter(None, map(SAYS.search, told(node))), None):
        yield f"code that says {found[0]!r}: a badge says so"
    if is_typed(node):
        language, text = node.get("language"), node.astext()
        if language not in ("python", "bibtex"):
            yield f"a block of {language}: a block that is typed is of python or bibtex"
        elif not (ENTRY.fullmatch(text) if language == "bibtex" else is_program(text)):
            yield f"a block of {language} that is none, or has an output in it: {shorten(text)}"


def is_typed(node):
    """Whether code is a block that is no cell's."""
    return isinstance(node, nodes.literal_block) and not CELLS & node.parent.attributes.keys()


def is_program(text):
    """Whether a text is Python in which no line is a value, as an output is."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return False
    lines = [line.value for line in tree.body if isinstance(line, ast.Expr)]
    return not any(is_value(line) and ast.unparse(line) != "..." for line in lines)


def is_value(line):
    """Whether an expression is what a program puts out: numbers, and the names around them."""
    names = (getattr(part, key, "nan") for part in ast.walk(line) for key in ("id", "attr"))
    return all(map(PUT_OUT.fullmatch, names))


PUT_OUT = re.compile(r"[Tt]ensor|[Aa]rray|torch|np|nan|inf|Size|b?float\d+|u?int\d+|bool_?")


def told(node):
    """What a piece of code tells its readers: all of it in a line or in an entry, the comments and
    the texts of a typed program, nothing where it is a cell's.
    """
    if isinstance(node, nodes.literal) or node.get("language") == "bibtex" and is_typed(node):
        yield node.astext()
    elif is_typed(node) and is_program(node.astext()):
        words = (tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", None))
        for token in tokenize.generate_tokens(io.StringIO(node.astext()).readline):
            if token.type in words:
                yield token.string


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
GATES = (*DRESS, counts, maths, pictures, raw_html, boxes, openings, definitions)


def words(block, numbers):
    """What a paragraph, a heading, a cell of a table or a caption says in signs and numbers."""
    display = isinstance(block, nodes.math_block)
    text = seen(block) if display else visible(read(block, seen))
    shown = any("lp-badge" in part["classes"] for part in block.findall(nodes.inline))
    poses = POSES.fullmatch(normalize("NFKC", text))
    if poses and not shown and not (in_head(block) and text.strip().isalpha()):
        yield f"words in the place of a badge: {shorten(text)}"
    yield from signed("" if display else visible(read(block)))
    for cut in cut_formulas(block):
        if states_equation(cut, LONG):
            yield f"an equation typed in the text, in pieces: {shorten(cut)}"
    cites = any(block.findall(nodes.reference)) or CITES.search(text)
    for number in dict.fromkeys(unprinted(text, numbers, cites=cites)):
        yield f"the number {number} is printed by no cell of this page"


def cut_formulas(block):
    """Formulas between which there is nothing to read but signs, as one."""
    pieces = []
    leaves = block.findall(lambda node: isinstance(node, (nodes.math, nodes.Text)))
    for leaf in [*leaves, nodes.Text("end")]:
        text = leaf.astext()
        if isinstance(leaf, nodes.math):
            pieces.append(text)
        elif isinstance(leaf.parent, nodes.literal) and not re.search(r"[\w,.]", text):
            pieces.append(text)
        elif text.strip() and not isinstance(leaf.parent, nodes.math) and not is_break(leaf.parent):
            if len(pieces) > 1:
                yield " ".join(pieces)
            pieces = []


def blank(node):
    return "  "


def seen(node):
    """A formula in a line, or code, as it stands on the page."""
    if isinstance(node, nodes.math):
        return measures(node.astext())
    if isinstance(node, nodes.math_block):
        return measures(katex.display_form(node.astext()), True)
    return node.astext() if isinstance(node, nodes.literal) else blank(node)


def read(node, inside=blank):
    """The text below a node, with what is `inside` of its maths and its code, and a blank for each
    number that Sphinx gave.
    """
    for child in node.children:
        if isinstance(child, nodes.Text):
            yield str(child)
        elif isinstance(child, (nodes.math, nodes.math_block, *CODE)):
            yield inside(child)
        elif origin(child) == "ours" or is_number(child) or is_mark(child) or is_break(child):
            yield blank(child)
        else:
            yield from read(child, inside)


def is_break(node):
    """Whether a node is the end of a line, as MyST sets a backslash there."""
    return isinstance(node, nodes.raw) and node.astext().strip() in ("<br />", "\\\\")


def is_number(node):
    """Whether a node is the number of an equation, as Sphinx gives it."""
    return (
        "equation-" in node.get("refuri", node.get("refid", ""))
        and node.get("internal")
        and all(isinstance(child, nodes.Text) for child in node.children)
        and re.fullmatch(r"\(\d+(\.\d+)*\)", node.astext())
    )


def is_mark(node):
    """Whether a node is the mark of a note, or an address that is written out."""
    mark = isinstance(node, nodes.footnote_reference)
    return mark or isinstance(node, nodes.reference) and node.get("refuri") == node.astext()


def place(line):
    """The cell that a line stands in: myst-nb counts the lines of cell n from n times 10000."""
    return f"cell {line // 10000}: " if line >= 10000 else f"line {line}: " if line else ""


def check(app, doctree, docname):
    if app.builder.format == "html":
        found, line = findings(doctree, docname, Path(app.srcdir)), 0
        try:
            for line, message in found:
                logger.warning("%s%s", place(line), message, location=docname, type="logpartition")
        except Exception as error:  # what a page may hold has no end
            said = f"a gate fell over what follows: {type(error).__name__}: {error}"
            logger.warning("%s%s", place(line), said, location=docname, type="logpartition")


def spare(app) -> None:
    """Write no page once something is amiss: the site will not be made, and most of a build's time
    is the theme's."""
    write = app.builder.write_doc

    def written(*page):
        if not app._warncount:
            write(*page)

    app.builder.write_doc = written


def setup(app) -> dict:
    app.connect("builder-inited", spare)
    app.connect("doctree-resolved", check, priority=900)  # after all that puts things on a page
    return {"parallel_read_safe": True, "parallel_write_safe": True}
