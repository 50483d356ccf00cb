"""Checks of what texts say of what is elsewhere or beside them: results, pictures, places, the
functions of the library. Those of a chapter yield (cell, message), those of the book findings.
"""

import ast
import re
from collections import defaultdict

from . import docstrings
from .book_gates import Finding, found
from .chapter_gates import LABEL, cells, html, is_alt, is_drawing, is_picture, reasons, records_of
from .index import BADGE, HEAD, POSES
from .inline_maths import NAMING, clauses, is_atom, split, states_equation, tokens
from .prose import maths
from .records import all_records, claims, merged, notebooks, stored, text
from .signs import TEX, shorten

# what a text refers to


CODE = re.compile(r"(?P<role>\{[\w:]+\}`[^`]*`)|(?<!`)`[^`]+`(?!`)")
FORMULA = re.compile(rf"\$\$.*?\$\$|\$[^$]*\$|{CODE.pattern}", re.DOTALL)  # or code


def paragraphs(markdown):
    """The paragraphs of a text in Markdown, each in one line, with a blank for maths and code."""
    for part in re.split(r"\n[ \t]*\n", FORMULA.sub(kept, markdown)):
        yield " ".join(part.split())


def kept(found):
    return found["role"] or " "


PLACE = (
    r"chapters?|sections?|fig(?:ure)?s?\b\.?|tables?|eq(?:uation)?s?\b\.?|definitions?|theorems?"
    r"|lemmas?|propositions?|corollary|corollaries|exercises?|(?<!for )examples?|footnotes?|pages?"
    r"|(?:ch|sec|prop|thm|lem|cor|def|ex)\."
)
NUMBERED = re.compile(  # a place by its number; what is named by one has no article
    rf"(?i)\b(?:(?:this|that|the|an?|each|every|our|per|no)\s+(?:{PLACE})\s*\(\d+(?:\.\d+)*\)"
    rf"|(?<!\bthis\s)(?<!\bthat\s)(?<!\bthe\s)(?<!\ba\s)(?<!\ban\s)(?<!\beach\s)(?<!\bevery\s)"
    rf"(?<!\bour\s)(?<!\bper\s)(?<!\bno\s)(?:{PLACE})\s*\(?\d+(?:\.\d+)*\b\)?"
    r"|(?:formula|inequality|identity|result)\s+\(\d+(?:\.\d+)*\)"
    r"|(?:by|from|in|see|of|to|and|with)\s+\(\d{1,2}\.\d{1,2}\))|§+\s*\d[\d.]*"
)
OTHERS = re.compile(  # who is said to have such a place
    r"(?i)\{cite|\b(?:arxiv|draft|(?:the|lecture) notes|paper|preprint|post|thesis)\b|\(\d{4}\)"
    rf"|\bet al\b|\b(?:their|its|his|her|(?-i:[A-Z])\w+['’]s?)\s+(?:{PLACE})"
)


def typed_places(paragraph):
    """The places that a paragraph names by their numbers, where they are no other source's."""
    return () if OTHERS.search(paragraph) else (one[0] for one in NUMBERED.finditer(paragraph))


EARNED = {  # the verdicts of a result of which a word may be said
    "proved": {"proved"},
    "proven": {"proved"},
    "proves": {"proved"},
    "argued": {"argued"},
    "checked": {"checked", "proved"},
    "observed": {"observed", "checked", "proved"},
    "refuted": {"refuted"},
    "cited": {"cited"},
}
RESULT = r"(?:\{eq\}`eq-[\w-]+`|\[[^\]]*\]\([^)]*#eq-[\w-]+\))"
LABELLED = re.compile(r"`eq-([\w-]+)`|#eq-([\w-]+)\)")
AND = r"(?:,?\s+(?:and|or)\s+|,\s*)"
ENDS = r"(?=\s*(?:[.,;:)|]|$))"  # behind a list of results; else its last one begins a clause
RESULTS = rf"{RESULT}(?:(?:{AND}{RESULT})+{ENDS})?"
SAID = rf"(?:{'|'.join(EARNED)})\b"
DENIED = (  # but for what only sounds so, as what is not hard to prove
    r"(?:not(?!\s+(?:hard|difficult|only|just|merely)\b)|never(?!\s+mind\b)|neither|nor|cannot"
    r"|no(?!\s+(?:less|doubt)\b)|nothing(?!\s+is\s+(?:missing|left)\b)|nobody"
    r"|without(?!\s+(?:a\s+|any\s+)?(?:doubt|exception)\b)|un(?!der|til|i)\w+(?<!ly))\b[^.;:()]{0,40}"
)
BESIDE = re.compile(  # a verdict with the results directly before or behind it
    rf"(?i)(?P<denied>\b{DENIED})?\b(?P<word>(?!proves){SAID})(?:\s+(?:in|above|below|as|at|here"
    rf"|there|earlier|before|by|through))*(?:[\s(,:]+|\s*\|\s*)(?P<after>{RESULTS})"
    rf"|(?P<before>{RESULT})\)?(?:,?\s+(?:(?:is|was|has been)\s+(?:\w+ly\s+)?"
    rf"(?P<said>(?!proves){SAID})|(?P<proves>proves)\b)|\s*[|:—–]\s*(?P<cell>{SAID}))"
    rf"|(?P<all>{RESULT}(?:{AND}{RESULT})+)\s+(?:are|were|have been)\s+(?:both\s+|all\s+)?"
    rf"(?P<of_all>(?!proves){SAID})"
    rf"|(?P<without>\b{DENIED})?\b(?P<noun>proof(?:\s+of\s+(?:it|this|that))?(?:\s+(?:is|stands))?\s+in"
    rf"|prove\s+(?:it|this|that)\s+in)\s+(?P<there>{RESULTS})"
)
THEOREM = r"(?:theorem|lemma|proposition|corollary|corollaries|proof)"
NONE_YET = (  # of a proof that there is not
    r"(?!\s*\?|\s+(?:is|are|remains?)\s+(?:left\s+|an\s+|still\s+)?"
    r"(?:open|missing|wanting|future\s+work|beyond)\b)"
)
ENTITLED = re.compile(
    rf"(?i)(?P<denied>\b{DENIED})?\b(?P<word>{THEOREM})s?"
    rf"(?:[\s(,:|]|\b(?:in|of|see|above|below)\b)+(?P<there>{RESULTS}){NONE_YET}"
    rf"|(?P<it>{RESULT})(?:,|\s+is)\s+(?:an?|the|our)\s+(?:\w+\s+)?(?P<noun>{THEOREM})"
)
UNPROVED = {"checked", "observed", "refuted"}  # of which there is no theorem


def other_verdicts(paragraph, verdicts):
    """Where a paragraph gives a result that it names another verdict than the result's own, among
    `verdicts` by label, or calls it a theorem.
    """
    if "eq-" not in paragraph:
        return
    for one in ENTITLED.finditer(paragraph.replace("*", "")):
        for label in ("".join(pair) for pair in LABELLED.findall(one["there"] or one["it"])):
            if verdicts.get(label) in UNPROVED and not one["denied"]:
                said = one["word"] or one["noun"]
                yield f"says {said!r} of {label}, which is {verdicts[label]}"
    for one in BESIDE.finditer(paragraph.replace("*", "")):
        names = one["after"] or one["before"] or one["all"] or one["there"]
        word = one["word"] or one["said"] or one["proves"] or one["cell"] or one["of_all"]
        for label in ("".join(pair) for pair in LABELLED.findall(names)):
            own = verdicts.get(label)
            if own and not (one["denied"] or one["without"]):
                if own not in EARNED[(word or "proved").lower()]:
                    yield f"says {word or one['noun']!r} of {label}, which is {own}"


def unearned(paragraph, verdicts):
    """Where a clause has words of a proof and names results of which none has one, and does not
    say what they have."""
    for clause in CLAUSES.split(paragraph):
        said, labels = PROOF.search(clause), map("".join, LABELLED.findall(clause))
        owns = {label: verdicts.get(label) for label in labels}
        for label, own in owns.items() if said and set(owns.values()) <= {*OWNED} else ():
            if not (re.search(OWNED[own], clause) or ASKED.search(clause)):
                yield f"says {said[0]!r} beside {label}, which is {own}, and does not say that"


CLAUSES = re.compile(r"(?<=[.:;?])\s+|,\s+and\s+|\s+and\s+(?!\{)|\|\s*\n")
PROOF = re.compile(r"(?i)\b(?:prov(?:e|es|ed|en|ing)|proofs?)\b")
ASKED = re.compile(r"\A\W*[Pp]rove\b|\?\W*\Z")  # of the reader
WANTING = (  # of a proof that nobody has
    r"lacks?\b|awaits?\b|resists?\b|(?<!nothing\sis\s)missing\b|(?:is|left|remains)\s+open\b"
    r"|open\s+(?:problem|question)|future\s+work|beyond\s+this|far\s+from|(?<!not\s)hard\s+to\b"
)
OWNED = {  # what a sentence with words of a proof says of a result beside them that has none
    own: rf"(?i)\b(?:{words}|check|numer|conject|{WANTING}|{DENIED})"
    for own, words in (("checked", "check"), ("observed", "observ|measur|simulat|experiment"))
}


def referring(root):
    """A text refers to a result by its reference, with the verdict that it has, and to no place of
    the book by a number that is typed.
    """
    records = all_records(root / "book")
    verdicts = {record["label"]: record["verdict"] for record in records}
    for path, cell, said in prose(root):
        for paragraph in paragraphs(said):
            for message in misplaced(paragraph, verdicts):
                yield Finding(path, cell, message)
    listed = (root / "book" / "claims.yaml").exists()
    for name, claim in claims(root / "book").items() if listed else ():
        for said in filter(None, map(claim.get, ("statement", "corrected", "conditions", "title"))):
            for message in misplaced(said, verdicts, theirs=True):
                yield Finding(root / "book" / "claims.yaml", None, f"{name} {message}")
    for record in records:
        theirs = record["kind"] in ("citation", "refutation")
        for said in (record["title"], record["text"], *reasons(record)):
            for paragraph in paragraphs(said):
                for message in misplaced(paragraph, verdicts, theirs):
                    yield found(root, record, message)


def misplaced(paragraph, verdicts, theirs=False):
    yield from [*other_verdicts(paragraph, verdicts)] or unearned(paragraph, verdicts)
    for place in () if theirs else typed_places(paragraph):
        yield f"names a place by a number that is typed ({place}): refer to it, or say whose it is"


def prose(root):
    """(path, cell, text) of each text of a page."""
    for path in sorted((root / "book").glob("*.md")):
        yield path, None, text(path)
    for path in notebooks(root):
        for number, cell in cells(stored(path), "markdown"):
            yield path, number, cell.source


def neighbours(root):
    """A chapter that is called the next or the last one, an earlier or a later one, is that in the
    table of contents; and chapters in a table stand in its order.
    """
    order = [path.stem for path in notebooks(root)]
    chapters = {f"eq-{record['label']}": record["chapter"] for record in all_records(root / "book")}
    for path, cell, said in prose(root):
        for way, slug in calls(said, chapters) if path.stem in order else ():
            if slug not in meant(way, order, order.index(path.stem)):
                yield Finding(path, cell, f"calls {slug} {AN[way]} {way} chapter, which it is not")
        listed = [slug for slug in ROW.findall(said) if slug in order]
        if listed != sorted(listed, key=order.index):
            yield Finding(path, cell, "lists the chapters in another order than _toc.yml")


def calls(said, chapters):
    """(next, last, earlier or later, the chapter) of each that a text calls so."""
    for pattern in CALLED:
        for one in pattern.finditer(said):
            yield one["way"].lower(), chapters.get(one["to"], one["to"])


def meant(way, order, at):
    """The chapters that are called so in the chapter that is at this place of the order."""
    before, behind = order[:at], order[at + 1 :]
    if way in ("earlier", "later"):
        return before if way == "earlier" else behind
    return behind[:1] if way in ("next", "following") else before[-1:]


AN = defaultdict(lambda: "the", earlier="an", later="a")
WAY = r"\b(?P<way>next|following|last|previous|preceding|earlier|later)\s+chapter"
TO = r"\((?P<to>[\w-]+)(?:\.ipynb)?[)#]"
CALLED = [
    re.compile(rf"(?i)\[[^\]]*{WAY}[^\]]*\]{TO}"),
    re.compile(rf"(?i)\]{TO}(?:[\w-]*\))?\s+of\s+(?:an?|the)\s+{WAY}"),
    re.compile(rf"(?i){WAY},?\s+\(?\{{eq\}}`(?P<to>eq-[\w-]+)`"),
]
ROW = re.compile(r"(?m)^\|\s*\[\]\(([\w-]+)\.ipynb\)\s*\|")


# pictures


def captions(notebook, root):
    """A paragraph in italics from end to end is the caption of the picture that the cell directly
    before it puts out.
    """
    for number, cell in cells(notebook, "markdown"):
        for position, part in enumerate(re.split(r"\n[ \t]*\n", cell.source.strip())):
            before = notebook.cells[number - 2] if number > 1 and not position else {}
            if is_caption(part) and not any(map(is_picture, before.get("outputs", ()))):
                yield number, f"is a caption, and no picture is directly before it: {shorten(part)}"


def is_caption(paragraph):
    """Whether a paragraph of more than a few words is one text in italics."""
    bare = FORMULA.sub("x", paragraph.strip())
    return re.fullmatch(r"([*_])(?![*_\s])[^*_]+\1", bare) and len(bare.split()) > FEW


FEW = 12  # words: a shorter one may be an exclamation


def copied(root):
    """What is said of one picture, below it or in its place, is said of no other, and nothing else
    is said of that one.
    """
    said, first = defaultdict(dict), {}
    for path in notebooks(root):
        for number, texts, picture in pictures(stored(path)):
            own = {" ".join(words.lower().split()): words for words in texts}
            for key, words in own.items():
                said[key].setdefault(picture, (path, number, words))
            place, others = first.setdefault(picture, (f"{path.stem}, cell {number}", own.keys()))
            if own.keys() - others and others - own.keys():
                other = shorten(own[min(own.keys() - others)])
                yield Finding(path, number, f"shows the picture of {place}, and says: {other}")
    for places in said.values():
        for path, number, words in [*places.values()][1:]:
            first, cell, _ = [*places.values()][0]
            where = f"{first.stem}, cell {cell}"
            yield Finding(path, number, f"says of its picture what {where} says: {shorten(words)}")


def pictures(notebook):
    """(cell, its alt texts and its caption, what it shows) of each cell that puts out pictures."""
    for number, cell in cells(notebook, "code"):
        shown = [output for output in cell.outputs if is_picture(output)]
        if shown:
            given = cell.metadata.get("mystnb")
            texts = [given["image"]["alt"]] if is_alt(given) else []
            for output in filter(is_drawing, shown):
                texts += ["".join(one) for one in LABEL.findall(svg(output))]
            below = notebook.cells[number] if number < len(notebook.cells) else {}
            caption = re.split(r"\n[ \t]*\n", below.get("source", "").strip())[0]
            if below.get("cell_type") == "markdown" and is_caption(caption):
                texts.append(caption)
            yield number, filter(str.strip, texts), repr([output.data for output in shown])


def svg(output):
    """The tags that begin the drawings of an output, whose controls have labels of their own."""
    return " ".join(re.findall(r"<svg\b[^>]*>(?:\s*<title>[^<]*)?", html(output)))


DIRECTIVE = re.compile(r"^[ \t>]*[`:]{3,}\{(live|try)\}[ \t]*(\S*)", re.MULTILINE)


def borrowed(notebook, root):
    """A chapter shows its own pictures, and lets its readers try its own results."""
    labels = {record["label"] for _, record in records_of(notebook)}
    for number, cell in cells(notebook, "markdown"):
        for name, of in DIRECTIVE.findall(cell.source):
            if name == "live" or of not in labels:
                yield number, f"has the directive {{{name}}} {of}: a chapter shows what is its own"


# what is stated, or defined, once


def repeated(root):
    """What one result states, and in the same steps, no other states."""
    known = {}
    for record in all_records(root / "book"):
        steps = [(step["relation"], step["latex"]) for step in record["steps"]]
        key = repr((record["fingerprint"], record["verdict"], steps))
        first = known.setdefault(key, record["label"])
        if record["fingerprint"] and first != record["label"]:
            yield found(root, record, f"states what {first} states, in the same steps")


SUBJECT = (  # what is before a formula that is a subject, and is no object or condition
    r"(?:\A|^[ \t]*[-*+|]\s|[.,;:!?(]|[,;]\s+(?:and|but)|\b(?i:so|then|hence|thus|therefore|since"
    r"|because|here|now|indeed|(?:follows|know|get|see|shows|means|implies|have|so) that)\b,?)"
    r"\s*[*_]*(?:(?:[Tt]he|[Aa])\s+(?:sum|product|quantity|difference|term|expression)\s+)?"
)
MADE = (
    r"(?:equal|less|greater|smaller|larger|bounded|below|above|by|to|than|at|most|least|never|not|no"
    r"|more|always|also|then|exactly|just|simply|therefore|the|same|as|proportional|identical|itself"
    r"|or|nothing|but|about|approximately|nearly|twice|half|of|order|given|between)"
)
RELATED = re.compile(  # a formula that is a subject, a relation in words, and another formula
    rf"{SUBJECT}\$(?P<left>[^$]+)\$\s+(?:(?:can|must|may|will|does|cannot)\s+(?:not\s+|only\s+)?)?"
    r"(?:equals?|exceeds?|dominates?|implies|(?:is|are|be|stays?|remains?|lies|becomes?)"
    rf"(?:\s+{MADE})*|(?:tends|converges|reduces)\s+to|grows\s+like|(?:agrees|coincides)\s+with)"
    r"\s+\$(?P<right>[^$]+)\$",
    re.MULTILINE,
)


def worded(root):
    """What two formulas and the words between them state, where it would be refused as one formula,
    stands beside a result: its paragraph refers to one.
    """
    for path, cell, said in prose(root):
        for part in re.split(r"\n[ \t]*\n", said) if "$" in said else ():
            for one in RELATED.finditer(part) if not LABELLED.search(part) else ():
                if states_equation(f"{one['left']} = {one['right']}"):
                    yield Finding(path, cell, f"an equation in words: {shorten(one[0])}")


NOTATION = "notation.md"


def renamed(root):
    """The page on notation gives a symbol one meaning."""
    path, known = root / "book" / NOTATION, {}
    for line in text(path).splitlines() if path.exists() else ():
        _, symbol, *meaning = line.split("|") if line.startswith("| $") else (None, None)
        own = {symbol.strip(): meaning} | dict(defined("", symbol)) if symbol else {}
        for name in own.keys() & known.keys():
            if own[name] != known[name]:
                yield Finding(path, None, f"defines {name} a second time, as something else")
        known |= own


DEFINITION = re.compile(r"([`:]{3,})\{prf:definition\}([^\n]*)\n(.*?)\n[ \t]*\1", re.DOTALL)


def redefined(notebook, root):
    """A chapter gives a name, or a symbol, to one thing."""
    known = {}
    for number, cell in cells(notebook, "markdown"):
        for _, title, content in DEFINITION.findall(cell.source):
            own = dict(defined(title.strip(), content))
            for name in own.keys() & known.keys():
                if own[name] != known[name]:
                    yield number, f"defines {name} a second time, as something else"
            known |= own


def defined(title, content):
    """What a definition names, with what it stands for: its title, and the symbol on the left of
    an equation that has more than a symbol on its right.
    """
    if title:
        yield title.lower(), " ".join(content.split())
    for tex, _ in maths(content):
        for clause in clauses(tokens(tex)):
            sides = split(clause)
            if NAMING & set(clause) and len(sides) == 2 and not is_atom(sides[1]):
                yield " ".join(sides[0]), sides[1]


# the library


PATH = re.compile(r"(?<![\w:/.])/(?:home|root|tmp|usr|var|work|opt|mnt|Users)/|\b[A-Z]:\\")
NOTE = re.compile(r"\b(?:TODO|FIXME|XXX|TBD)\b")
ROLE = re.compile(r"\{[\w:]+\}`")
VERDICT = re.compile(r"(?i)^\W*(?:proved|argued|checked|observed|cited)\W*$", re.MULTILINE)


def documented(root):
    """A docstring, which the page of the library shows, is words and code: no badge, no theorem, no
    maths that this page does not set, no reference, and no note of an author's.
    """
    library = root / "lib" / "logpartition"
    kernel = docstrings.trusted(library / "proof")  # of which a page shows the first sentences
    for path in [*docstrings.modules(library), *kernel]:
        texts = [(path.stem, ast.get_docstring(docstrings.tree(path)) or "")]
        if path in kernel:
            texts = [(name, said.split(". ")[0]) for name, said in texts]
        for listed in docstrings.definitions(path) if path not in kernel else ():
            texts += [(name, docstrings.split(one)[0]) for name, one in docstrings.members(*listed)]
        for name, said in texts:
            for message in dict.fromkeys(unfit(said)):
                yield Finding(path, None, f"the docstring of {name} {message}")


def unfit(said):
    """What in a docstring its page shows as what it is not."""
    for line in merged(said):
        yield f"has the marks of a merge in line {line}"
    for pattern, what in ((NOTE, "has a note"), (PATH, "names a folder"), (ROLE, "has a role")):
        if one := pattern.search(said):
            yield f"{what}: {one[0]}"
    if "doctest:" in said:
        yield "tells its example not to be run, or not to be compared (doctest:)"
    for pattern in (BADGE, VERDICT):
        if one := pattern.search(said):
            yield f"says what a badge says: {shorten(one[0])}"
    if tex := TEX.search(CODE.sub(kept, said)):
        yield f"has TeX, which its page does not set: {tex[0]}"
    for paragraph in paragraphs(said):
        if HEAD.match(paragraph) or POSES.fullmatch(paragraph):
            yield f"begins as a theorem, or is a badge: {shorten(paragraph)}"
        for place in typed_places(paragraph):
            yield f"names a place by a number ({place}), and not whose it is"


OF_CHAPTERS = (captions, borrowed, redefined)
GATES = (referring, neighbours, copied, repeated, worded, renamed, documented)
