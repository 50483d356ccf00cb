"""A small book with a record of every kind: long chains, wide terms, words only, nothing optional,
everything optional."""

import re
import shutil
from pathlib import Path

import nbformat
import yaml
from made import NAMES, derivation, link
from notebooks import copy_sources
from sympy import Dummy, Rational

from logpartition import _figure
from logpartition.proof import cite, display, observe, observe_bound, observe_rate, theorem
from logpartition.proof.record import Finding, Hypothesis, counterexample, refutation
from logpartition_book import readings
from logpartition_book.prose import HINT
from logpartition_book.records import MIME

ROOT = Path(__file__).parents[1]
RANGES = {"N": (1, 2, 3, 5), "d": (1, 2, 3)}


def step(latex, reason, relation="=", **more):
    return link(latex, reason, relation, points=more.pop("points", 14), tried=9, **more)


class Formula(Dummy):
    """What a source prints, letter by letter."""

    def __new__(cls, words):
        formula = super().__new__(cls)
        formula.words = words
        return formula


def refuted(label, title, printed, *, corrected, **more):
    if "point" in more:
        printed, more["found"] = Formula(printed), counterexample(*more.pop("point"))
    return Finding(refutation(label, printed, title=title, corrected=corrected, **more))


def chain(label, title, start, statement, *steps, **more):
    more.setdefault("expressions", NAMES)
    more.setdefault("sizes", RANGES)
    return derivation(label, start, *steps, title=title, statement=statement, **more)


# --- from a base measure to a family ---

sigmoid = derivation(
    "sigmoid-softmax",
    r"\sigma(a - b)",
    step(
        r"\frac{e^{a}}{e^{a} + e^{b}}", "rearrange", remark="multiply above and below by $e^{a}$",
        about="numbers",
    ),
    title="The logistic sigmoid is a softmax of two scores",
    statement=r"\sigma(a - b) = \frac{e^{a}}{e^{a} + e^{b}}",
    about="numbers",
    claims=["s0-sigmoid-to-softmax"],
)  # fmt: skip
normalised = chain(
    "normalised",
    "Subtracting the log-partition normalises the density",
    r"\sum_{j=1}^{N} e^{s_j - G}",
    r"\sum_{j=1}^{N} e^{s_j - G} = 1",
    step(r"e^{-G} \sum_{j=1}^{N} e^{s_j}", "the factor $e^{-G}$ does not depend on $j$"),
    step("1", "$e^{G} = Z$"),
    claims=["s0-eq5", "s0-eq6"],
)
eq2 = refuted(
    "eq2-as-printed",
    "A class probability without its exponentials",
    r"P(Y=y^{j} \mid X) = \frac{\langle W_j, X\rangle}{\sum_{j'} \langle W_{j'}, X\rangle}",
    location="draft notes, eq. (2)",
    point=({"N": 2, "W_{1}": 1, "W_{2}": -2, "X": 1}, -1, 0.95257412682243),
    corrected=sigmoid,
    claims=["s0-eq2-missing-exp"],
)
compress = cite(
    "pitman-koopman-darmois",
    "Among families of laws with a common support, smooth densities and a sufficient statistic "
    "whose dimension stays bounded as the sample grows, every one is an exponential family "
    "$p(x) = h(x) e^{\\langle u(x), \\eta\\rangle - G(\\eta)}$.",
    source="koopman1936",
    number="Theorem 1",
    title="Only exponential families compress",
    claims=["s0-pkd-theorem"],
)

# --- attention is a gradient ---

gradient = chain(
    "softmax-gradient",
    "Attention is the gradient of the log-partition function",
    r"\frac{\partial G}{\partial q_b}",
    r"\frac{\partial G}{\partial q_b} = \mathbb{E}_p[k_b]",
    step(r"\frac{1}{Z} \frac{\partial Z}{\partial q_b}", "differentiate the logarithm"),
    step(
        r"\frac{1}{Z} \sum_{j=1}^{N} k_{jb}\, e^{s_j}",
        "differentiate each exponential: the derivative of $s_j$ in $q_b$ is $k_{jb}$",
    ),
    step(r"\sum_{j=1}^{N} p_j\, k_{jb}", remark="that is the mean of the keys", reason="compute"),
    uses=[normalised],
    claims=["s0-eq10", "s0-eq11"],
    certifies=["logpartition.attention.attention", "logpartition.attention.log_partition"],
)
hessian = chain(
    "hessian",
    "The Hessian is the covariance of the keys",
    r"\frac{\partial^{2} G}{\partial q_a \, \partial q_b}",
    r"\frac{\partial^{2} G}{\partial q_a \, \partial q_b} = \operatorname{Cov}_p(k_a, k_b)",
    step(
        r"\frac{\partial}{\partial q_a} \sum_{j=1}^{N} p_j k_{jb}", "by {softmax-gradient}",
        remark="the gradient",
    ),
    step(
        r"\sum_{j=1}^{N} p_j k_{ja} k_{jb} - \left(\sum_{j=1}^{N} p_j k_{ja}\right)"
        r" \left(\sum_{l=1}^{N} p_l k_{lb}\right)",
        "differentiate", remark="the weights",
    ),
    step(
        r"\frac{1}{2} \sum_{j=1}^{N} \sum_{l=1}^{N} p_j p_l \left(k_{ja} - k_{la}\right)"
        r" \left(k_{jb} - k_{lb}\right) + \left(1 - \sum_{j=1}^{N} p_j\right)"
        r" \sum_{l=1}^{N} p_l k_{la} k_{lb}",
        "Lagrange's identity; the last term is 0",
    ),
    uses=[gradient],
    claims=["B01"],
)  # fmt: skip
popoviciu = chain(
    "popoviciu",
    "A variance is at most a quarter of the squared range",
    r"\operatorname{Var}_p(r)",
    r"\operatorname{Var}_p(r) \le \frac{(M - m)^{2}}{4}",
    step(
        r"(M - \bar r)(\bar r - m)", "Bhatia and Davis", "≤", symbolic="certificate",
        certificate=r"\sum_{j=1}^{N} p_j (M - r_j)(r_j - m) \ge 0",
    ),
    step(
        r"\frac{(M - m)^{2}}{4}", "the mean of two numbers is at least their geometric mean", "≤",
        symbolic="certificate", certificate=r"\left(\bar r - \tfrac{m+M}{2}\right)^{2}",
    ),
    about="two keys",
    sizes={"N": (2, 3, 5)},
    uses=[hessian],
    claims=["B01"],
)  # fmt: skip
attained = chain(
    "sup-attained",
    "Two antipodal keys attain the bound",
    r"\lVert \nabla^{2} G \rVert",
    r"\lVert \nabla^{2} G \rVert = \tfrac{\beta}{4} \lVert k_1 - k_2 \rVert^{2}",
    step(
        r"\tfrac{\beta}{4} \lVert k_1 - k_2 \rVert^{2}", "evaluated at $q = 0$", symbolic="",
        points=11, of=14,
    ),
    proved=False,
    sizes={"N": (2,), "d": (1, 2, 3)},
    uses=[hessian, popoviciu],
)  # fmt: skip
eq9 = refuted(
    "eq9-as-printed",
    "The normaliser of equation (9) sums over the wrong index",
    r"p(x_k \mid x_i) = \frac{e^{\langle x_k, x_i\rangle}}"
    r"{\sum_{i=1}^{N} e^{\langle x_j, x_i\rangle}}",
    location="draft notes, eq. (9)",
    misprint=True,
    text="The sum runs over $j$.",
    point=({"N": 2, "k_{1 1}": 1, "q_1": Rational(1, 2)}, Rational(1, 2), 0.73105857863),
    corrected=gradient,
    claims=["s0-eq9"],
)
multinomial = refuted(
    "multinomial-as-printed",
    "The weights are the law of one draw",
    "“can be described by a multinomial distribution”",
    location="draft notes, section 3.1",
    text="True of a single draw, whose law is called categorical.",
    by=[normalised],
    corrected=normalised,
    claims=["s0-weights-multinomial"],
)
fixed_point = theorem(
    "one-fixed-point",
    "If $\\beta D^{2} < 4$, the map $q \\mapsto \\nabla G(q)$ has exactly one fixed point.",
    by={popoviciu: "a bound of the covariance", hessian: "the derivative, a covariance $C$"},
    argument="The map shortens distances, by {popoviciu}, since {hessian}.",
    given=["$\\beta D^{2} < 4$", "finitely many keys"],
    title="A contraction has one fixed point",
    claims=["B01"],
)
free_of_sizes = derivation(
    "free-of-sizes",
    r"e^{\beta \cos a}",
    step(
        r"I_0(\beta) + 2 \sum_{k=1}^{\infty} I_k(\beta) \cos k a",
        "Fourier series of an even function", symbolic="",
    ),
    title="A series of Bessel functions",
    statement=r"e^{\beta \cos a} = I_0(\beta) + 2 \sum_{k=1}^{\infty} I_k(\beta) \cos k a",
    about="numbers",
    proved=False,
)  # fmt: skip
everything = chain(
    "with-everything",
    "A mean of means",
    r"\mathbb{E}[k]",
    r"\mathbb{E}[k] = \bar k",
    step(
        r"\bar k", "definition of the mean", remark="the keys may repeat", about="an oracle",
        entries=r"\frac{1}{N} \sum_{j=1}^{N} k_{j}",
    ),
    step(r"\bar k", "compute", symbolic="", points=5, of=8),
    given=[
        Hypothesis("N > 0", "at N = 0, the left side is undefined"),
        Hypothesis("d > 1"),
    ],
    text="A few words, after {cite:t}`bal2020`.",
    uses=[hessian, compress],
)  # fmt: skip
on_cited = derivation(
    "on-cited",
    title="What follows from a theorem of others",
    about="numbers",
    uses=[compress],
)
bare = derivation("bare", "a + b", statement="a + b = b + a", about="numbers")

# --- cumulants ---

all_orders = chain(
    "all-orders",
    "Derivatives along a direction are cumulants",
    r"\kappa_4",
    r"\frac{d^{n}}{dt^{n}} G(q + t u)\Big|_{t=0} = \kappa_n(\langle u, k\rangle)",
    step(
        r"\mu_4 - 4 \mu_3 \mu_1 - 3 \mu_2^{2} + 12 \mu_2 \mu_1^{2} - 6 \mu_1^{4}"
        r" + \sum_{j=1}^{N} \left(p_j - p_j\right) \left(r_j^{4} - 4 r_j^{3} \mu_1"
        r" + 6 r_j^{2} \mu_1^{2} - 4 r_j \mu_1^{3} + \mu_1^{4}\right) + \mu_5 - \mu_5",
        "expand the logarithm of the moment generating function to fourth order",
    ),
    uses=[hessian, normalised],
    claims=["B15"],
)
rate = observe_rate(
    "linear-attention-rate",
    "The error of linear attention, at four lengths of the query.",
    [1, 0.5, 0.25, 0.125],
    [0.2, 0.0501, 0.0125, 0.00313],
    exponent=2,
    tolerance=0.01,
    title="The error of linear attention shrinks as the square of the query",
    uses=[all_orders],
    claims=["s3-cgf"],
)
coin = observe(
    "coin", "Draws of a coin.", measured=2.5e-8, predicted=0, tolerance=1e-6, scale=0.5,
    claims=["s0-asked"],
)  # fmt: skip
bound = observe_bound(
    "worst", "The worst of some runs.", measured=[0.1, 0.25], bound=0.3, scale=1,
    claims=["s0-asked"],
)  # fmt: skip
exponential = derivation(
    "exponential-cumulants",
    r"K^{(1)}(t)",
    step(r"\frac{1}{1 - t}", "base: $n = 1$", about="numbers"),
    step(
        r"\frac{d}{dt} \frac{(n - 1)!}{(1 - t)^{n}}", "step: by the hypothesis for $n$",
        about="numbers", left="K^{(n + 1)}(t)",
    ),
    step(r"\frac{n!}{(1 - t)^{n + 1}}", "which is the claim for $n + 1$", about="numbers"),
    title="Every cumulant of the exponential law",
    text="By induction over $n \\ge 1$.",
    statement=r"K^{(n)}(t) = \frac{(n - 1)!}{(1 - t)^{n}}",
    about="numbers",
    claims=["s3-exp-laplace-cumulants"],
)  # fmt: skip
marcinkiewicz = refuted(
    "marcinkiewicz-as-printed",
    "A point mass is another law with a polynomial generating function",
    "The normal is the only law with finitely many cumulants.",
    location="Bal (2020), Modern Hopfield networks",
    by=[all_orders, exponential],
    corrected=all_orders,
    claims=["s3-marcinkiewicz"],
)


ASKED = """\
- id: s0-asked
  seed: '000'
  where: last question
  statement: Is the coin fair?
  verdict: QUESTION-PART
  corrected: as far as it was tossed
  conditions: nobody bends it
  see: [worst]
  proof: draws
  chapter: cumulants
"""


MOVED = """\
cumulants#former cumulants#coin
cumulants#gone softmax-gradient#softmax-gradient
cumulants#elsewhere errata
"""


UNREAD = {  # how a passage begins that nobody has read, of each of these sources
    "book/softmax-gradient.ipynb": ("A line, for", "2. The Hessian", "hessian = "),
    "book/trust.md": ("A badge that says",),
    "book/claims.yaml": ("s0-eq9",),
    "book/references.bib": ("bal2020",),
    "book/_static/book.css": ("book.css",),
}


def chapter(title, *results):
    return title, [result.record.json() for result in results]


CHAPTERS = {
    "exponential-families": chapter(
        "From a base measure to a family", sigmoid, normalised, eq2, compress
    ),
    "softmax-gradient": chapter(
        "Attention is a gradient", gradient, hessian, popoviciu, attained, eq9, multinomial,
        fixed_point, free_of_sizes, everything, on_cited, bare,
    ),
    "cumulants": chapter(
        "Cumulants of the keys", all_orders, rate, exponential, marcinkiewicz, coin, bound
    ),
}  # fmt: skip
ASIDE = f"\n\n{HINT[0]}\n\nDifferentiate with respect to $q$.\n\n{HINT[1]}"


def notebook(slug):
    """A chapter with a sentence, a cell, and its result, for each record."""
    title, found = CHAPTERS[slug]
    cells = [
        nbformat.v4.new_markdown_cell(
            f"# {title}\n\nWhat does a query see? By {{eq}}`eq-softmax-gradient`, "
            "the mean of the keys $\\sum_j p_j k_j$, weighted by $p_j = e^{s_j}/Z$.\n\n"
            f"```{{prf:definition}}\n:label: def-{slug}\n\n$$\n"
            "G(q) = \\beta^{-1} \\log \\sum_{j=1}^{N} e^{\\beta \\langle q, k_j \\rangle}\n$$\n```"
        )
    ]
    picture = _figure.stored(
        '<svg viewBox="0 0 40 10" role="img" aria-label="a line">'
        '<g class="frame" data-at="0"><path d="M0 5h40"/></g>'
        '<g class="frame" data-at="1" display="none"><path d="M0 9h40"/></g></svg>',
        _figure.control("step", ["first", "second"], "time", 0),
    )
    cells.append(
        nbformat.v4.new_code_cell(
            "picture",
            execution_count=1,
            metadata={"tags": ["hide-input"]},
            outputs=[
                nbformat.v4.new_output(
                    "execute_result",
                    execution_count=1,
                    data={"text/html": picture, "text/plain": "a picture"},
                )
            ],
        )
    )
    cells.append(nbformat.v4.new_markdown_cell("*A line, for $x$ from 0 to 1.*"))
    for i, rec in enumerate(found):
        title = rec["title"] or rec["label"]
        cells.append(
            nbformat.v4.new_markdown_cell(
                f"## {i + 1}. {title}\n\n"
                "Each term is one line of code, and each line is decided when it is written."
                + ASIDE
                * (i % 3 == 1)  # its cell is hidden
            )
        )
        output = nbformat.v4.new_output(
            "execute_result",
            execution_count=i + 2,
            metadata={MIME: {"seconds": 0.4}},
            data=display.bundle(rec),
        )
        code = (
            f"{rec['label'].replace('-', '_')} = (\n"
            f'    derive("{rec["label"]}", Derivative(G, q[b]))\n'
            '    .eq(Derivative(Z, q[b]) / Z, "differentiate the logarithm")\n)'
        )
        tags = [["hide-input"], ["hide-cell"], []][i % 3]
        cells.append(
            nbformat.v4.new_code_cell(
                code, outputs=[output], execution_count=i + 2, metadata={"tags": tags}
            )
        )
    book = nbformat.v4.new_notebook(
        cells=cells,
        metadata={
            "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}
        },
    )
    for i, cell in enumerate(book.cells):
        cell.id = f"cell-{i}"
    return book


def within(text):
    """A page without what the sample lacks: lines that name a chapter or a result of one, a program
    to try, a picture."""
    text = re.sub(r"```\{(?:try|live)\}.*?```\n", "", text, flags=re.DOTALL)
    text = re.sub(r"\[([^\]]*)\]\(#program-[\w-]+\)", r"\1", text)
    named = re.compile(r"\]\(([\w-]+)\.ipynb\)|`eq-([\w-]+)`").findall
    names = lambda line: {chapter or label for chapter, label in named(line)}
    return "".join(l for l in text.splitlines(keepends=True) if names(l) <= set(CHAPTERS))


def make(root):
    """The sample book in folder `root`: its chapters, and everything else from the real one."""
    (root / "book").mkdir(parents=True)
    for name in ("_config.yml", "CITATION.cff", "requirements.txt"):
        shutil.copy(ROOT / name, root)
    contents = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    numbered = next(part for part in contents["parts"] if part.get("numbered"))
    contents["parts"] = [
        {**numbered, "chapters": [{"file": slug} for slug in CHAPTERS]},
        contents["parts"][-1],
    ]
    (root / "_toc.yml").write_text(yaml.safe_dump(contents), encoding="utf-8")
    (root / "book" / "redirects.txt").write_text(MOVED)
    for path in (ROOT / "book").iterdir():
        if path.suffix in {".md", ".yaml"}:
            shutil.copy(path, root / "book" / path.name)
    claims = root / "book" / "claims.yaml"
    claims.write_text(claims.read_text().replace("\nbeyond:\n", f"\n{ASKED}beyond:\n"))
    for name in ("index.md", "notation.md"):
        page = root / "book" / name
        page.write_text(within(page.read_text()))
    shutil.copytree(ROOT / "book" / "_static", root / "book" / "_static")
    for slug in CHAPTERS:
        nbformat.write(notebook(slug), root / "book" / f"{slug}.ipynb")
    copy_sources(root / "book")
    readings.record(root)
    read, known = readings.kept(root), readings.passages(root)
    for source, begin in UNREAD.items():
        read[source] = [one.hash for one in known[source] if not one.begins.startswith(begin)]
    (root / readings.LIST).write_text(readings.written(read))
