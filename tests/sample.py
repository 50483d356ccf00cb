"""A small book with a record of every kind: long chains, wide terms, words only, nothing optional,
everything optional."""

import shutil
from pathlib import Path

import nbformat
import yaml
from logpartition_book.records import MIME

ROOT = Path(__file__).parents[1]


def step(latex, reason, relation="=", symbolic="sums", points=14, certificate="", tried=9):
    return {
        "latex": latex,
        "relation": relation,
        "reason": reason,
        "symbolic": symbolic,
        "certificate": certificate,
        "numeric": {"points": points, "digits": 30},
        "mutants": {"tried": tried, "killed": tried},
    }


def record(label, title, kind="derivation", verdict="proved", **more):
    steps = more.pop("steps", [])
    tried = sum(s.get("mutants", {}).get("tried", 0) for s in steps)
    if kind == "derivation":
        more["steps"] = steps
    base = {
        "label": label,
        "title": title,
        "kind": kind,
        "verdict": verdict,
        "statement": "",
        "text": "",
        "scope": "all sizes",
        "sizes": "N = 1, 2, 3, 5; d = 1, 2, 3",
        "assumptions": [],
        "where": [],
        "start": "",
        "mutants": {"tried": tried, "killed": tried, "equivalent": 1 if tried else 0},
        "uses": [],
        "claims": [],
        "certifies": [],
        "fingerprint": label,
    }
    return {**base, **more}


KEYS = [r"$q \in \mathbb{R}^{d}$", r"$k \in \mathbb{R}^{N \times d}$", r"$N, d \ge 1$ integers"]
WHERE = [
    r"$s_j = \sum_{b=1}^{d} k_{jb}\, q_b$",
    r"$Z = \sum_{j=1}^{N} e^{s_j}$",
    r"$G = \log Z$",
    r"$p_j = e^{s_j} / Z$",
]

CHAPTERS = {
    "exponential-families": (
        "From a base measure to a family",
        [
            record(
                "sigmoid-softmax",
                "The logistic sigmoid is a softmax of two scores",
                start=r"\sigma(a - b)",
                statement=r"\sigma(a - b) = \frac{e^{a}}{e^{a} + e^{b}}",
                sizes="",
                steps=[
                    step(
                        r"\frac{e^{a}}{e^{a} + e^{b}}",
                        "multiply numerator and denominator by $e^{a}$",
                        symbolic="rational",
                    )
                ],
                assumptions=["$a, b$ real"],
                claims=["s0-sigmoid-to-softmax"],
            ),
            record(
                "normalised",
                "Subtracting the log-partition normalises the density",
                start=r"\sum_{j=1}^{N} e^{s_j - G}",
                statement=r"\sum_{j=1}^{N} e^{s_j - G} = 1",
                where=WHERE,
                assumptions=KEYS,
                steps=[
                    step(
                        r"e^{-G} \sum_{j=1}^{N} e^{s_j}",
                        "the factor $e^{-G}$ does not depend on $j$",
                    ),
                    step("1", "$e^{G} = Z$"),
                ],
                claims=["s0-eq5", "s0-eq6"],
            ),
            record(
                "eq2-as-printed",
                "A class probability without its exponentials",
                kind="refutation",
                verdict="refuted",
                printed=r"P(Y=y^{j} \mid X) = \frac{\langle W_j, X\rangle}{\sum_{j'} \langle W_{j'}, X\rangle}",
                location="000, eq. (2)",
                counterexample={
                    "point": ["$N = 2$", "$W_{1} = 1$", "$W_{2} = -2$", "$X = 1$"],
                    "left": "-1",
                    "right": "0.95257412682243…",
                },
                corrected="sigmoid-softmax",
                claims=["s0-eq2-missing-exp"],
            ),
            record(
                "pitman-koopman-darmois",
                "Only exponential families compress",
                kind="citation",
                verdict="cited",
                sizes="",
                text="Among families of laws with a common support, smooth densities and a sufficient statistic whose dimension stays "
                "bounded as the sample grows, every one is an exponential family $p(x) = h(x) e^{\\langle u(x), \\eta\\rangle - G(\\eta)}$.",
                source="koopman1936",
                claims=["s0-pkd-theorem"],
            ),
        ],
    ),
    "softmax-gradient": (
        "Attention is a gradient",
        [
            record(
                "softmax-gradient",
                "Attention is the gradient of the log-partition function",
                statement=r"\frac{\partial G}{\partial q_b} = \mathbb{E}_p[k_b]",
                start=r"\frac{\partial G}{\partial q_b}",
                steps=[
                    step(
                        r"\frac{1}{Z} \frac{\partial Z}{\partial q_b}",
                        "differentiate the logarithm",
                    ),
                    step(
                        r"\frac{1}{Z} \sum_{j=1}^{N} k_{jb}\, e^{s_j}",
                        "differentiate each exponential: the derivative of $s_j$ in $q_b$ is $k_{jb}$",
                    ),
                    step(
                        r"\sum_{j=1}^{N} p_j\, k_{jb}",
                        "that is the mean of the keys under the softmax weights",
                    ),
                ],
                assumptions=KEYS,
                where=WHERE,
                uses=["normalised"],
                claims=["s0-eq10", "s0-eq11"],
                certifies=[
                    "logpartition.attention.attention",
                    "logpartition.attention.log_partition",
                ],
            ),
            record(
                "hessian",
                "The Hessian is the covariance of the keys",
                statement=r"\frac{\partial^{2} G}{\partial q_a \, \partial q_b} = \operatorname{Cov}_p(k_a, k_b)",
                start=r"\frac{\partial^{2} G}{\partial q_a \, \partial q_b}",
                steps=[
                    step(
                        r"\frac{\partial}{\partial q_a} \sum_{j=1}^{N} p_j k_{jb}",
                        "the gradient, {eq}`eq-softmax-gradient`",
                    ),
                    step(
                        r"\sum_{j=1}^{N} p_j k_{ja} k_{jb} - \left(\sum_{j=1}^{N} p_j k_{ja}\right) \left(\sum_{l=1}^{N} p_l k_{lb}\right)",
                        "differentiate the weights",
                    ),
                    step(
                        r"\frac{1}{2} \sum_{j=1}^{N} \sum_{l=1}^{N} p_j p_l \left(k_{ja} - k_{la}\right) \left(k_{jb} - k_{lb}\right) + \left(1 - \sum_{j=1}^{N} p_j\right) \sum_{l=1}^{N} p_l k_{la} k_{lb}",
                        "Lagrange's identity; the last term is 0",
                    ),
                ],
                assumptions=KEYS,
                where=WHERE,
                uses=["softmax-gradient"],
                claims=["B01"],
            ),
            record(
                "popoviciu",
                "A variance is at most a quarter of the squared range",
                scope="N = 1, 2, 3",
                statement=r"\operatorname{Var}_p(r) \le \frac{(M - m)^{2}}{4}",
                start=r"\operatorname{Var}_p(r)",
                steps=[
                    step(
                        r"(M - \bar r)(\bar r - m)",
                        "Bhatia and Davis",
                        "≤",
                        "certificate",
                        certificate=r"\sum_{j=1}^{N} p_j (M - r_j)(r_j - m) \ge 0",
                    ),
                    step(
                        r"\frac{(M - m)^{2}}{4}",
                        "the mean of two numbers is at least their geometric mean",
                        "≤",
                        "certificate",
                        certificate=r"\left(\bar r - \tfrac{m+M}{2}\right)^{2}",
                    ),
                ],
                assumptions=["$m \\le r_j \\le M$"],
                uses=["hessian"],
                claims=["B01"],
            ),
            record(
                "sup-attained",
                "Two antipodal keys attain the bound",
                verdict="checked",
                scope="N = 2; d = 1, 2, 3",
                start=r"\lVert \nabla^{2} G \rVert",
                statement=r"\lVert \nabla^{2} G \rVert = \tfrac{\beta}{4} \lVert k_1 - k_2 \rVert^{2}",
                uses=["hessian", "popoviciu"],
                steps=[
                    step(
                        r"\tfrac{\beta}{4} \lVert k_1 - k_2 \rVert^{2}",
                        "evaluated at $q = 0$",
                        symbolic="",
                    )
                ],
            ),
            record(
                "eq9-as-printed",
                "The normaliser of equation (9) sums over the wrong index",
                kind="refutation",
                verdict="refuted",
                text="The sum runs over $j$.",
                printed=r"p(x_k \mid x_i) = \frac{e^{\langle x_k, x_i\rangle}}{\sum_{i=1}^{N} e^{\langle x_j, x_i\rangle}}",
                location="000, eq. (9)",
                counterexample={
                    "point": ["$N = 2$", "$k_{1 1} = 1$", "$q_1 = \\tfrac12$"],
                    "left": "1/2",
                    "right": "0.73105857863000…",
                },
                corrected="softmax-gradient",
                claims=["s0-eq9"],
            ),
            record(
                "multinomial-as-printed",
                "The weights are the law of one draw",
                kind="refutation",
                verdict="refuted",
                sizes="",
                text="True of a single draw, whose law is called categorical.",
                printed="“can be described by a multinomial distribution”",
                location="000, section 3.1",
                uses=["normalised"],
                corrected="normalised",
                claims=["s0-weights-multinomial"],
            ),
            record(
                "one-fixed-point",
                "A contraction has one fixed point",
                kind="theorem",
                verdict="argued",
                sizes="",
                text="If $\\beta D^{2} < 4$, the map $q \\mapsto \\nabla G(q)$ has exactly one fixed point.",
                argument="The map shortens distances, by {eq}`eq-popoviciu`.",
                assumptions=["$\\beta D^{2} < 4$", "finitely many keys"],
                uses=["popoviciu", "hessian"],
                claims=["B01"],
            ),
            record(
                "free-of-sizes",
                "A series of Bessel functions",
                verdict="checked",
                sizes="",
                start=r"e^{\beta \cos a}",
                statement=r"e^{\beta \cos a} = I_0(\beta) + 2 \sum_{k=1}^{\infty} I_k(\beta) \cos k a",
                steps=[
                    step(
                        r"I_0(\beta) + 2 \sum_{k=1}^{\infty} I_k(\beta) \cos k a",
                        "Fourier series of an even function",
                        symbolic="",
                    )
                ],
            ),
            record(
                "with-everything",
                "A mean of means",
                start=r"\mathbb{E}[k]",
                statement=r"\mathbb{E}[k] = \bar k",
                uses=["hessian"],
                from_a_later_verifier={"a": 1},
                steps=[
                    {
                        **step(r"\bar k", "definition of the mean"),
                        "remark": "the keys may repeat",
                        "entries": r"\frac{1}{N} \sum_{j=1}^{N} k_{j}",
                    },
                    {"latex": r"\bar k", "relation": "=", "reason": ""},
                ],
                hypotheses=[
                    {
                        "latex": "N > 0",
                        "needed": True,
                        "witness": {"point": ["$N = 0$"], "left": "0/0", "right": "0"},
                    },
                    {"latex": r"\beta > 0", "needed": False, "witness": None},
                    {"latex": "d > 1", "needed": None, "witness": None},
                ],
                oracles=["an integral by SymPy", "gammasimp"],
            ),
            {
                "label": "bare",
                "kind": "derivation",
                "verdict": "proved",
                "start": "a + b",
                "statement": "a + b = b + a",
                "steps": [{"latex": "b + a", "relation": "=", "reason": "addition commutes"}],
            },
        ],
    ),
    "cumulants": (
        "Cumulants of the keys",
        [
            record(
                "all-orders",
                "Derivatives along a direction are cumulants",
                statement=r"\frac{d^{n}}{dt^{n}} G(q + t u)\Big|_{t=0} = \kappa_n(\langle u, k\rangle)",
                start=r"\kappa_4",
                uses=["hessian", "normalised"],
                steps=[
                    step(
                        r"\mu_4 - 4 \mu_3 \mu_1 - 3 \mu_2^{2} + 12 \mu_2 \mu_1^{2} - 6 \mu_1^{4} + \sum_{j=1}^{N} \left(p_j - p_j\right) \left(r_j^{4} - 4 r_j^{3} \mu_1 + 6 r_j^{2} \mu_1^{2} - 4 r_j \mu_1^{3} + \mu_1^{4}\right) + \mu_5 - \mu_5",
                        "expand the logarithm of the moment generating function to fourth order",
                    )
                ],
                claims=["B15"],
            ),
            record(
                "linear-attention-rate",
                "The error of linear attention shrinks as the square of the query",
                kind="observation",
                verdict="observed",
                statement=r"\operatorname{attn}(tq) - \kappa_1 - t \kappa_2 q = O(t^{2})",
                measured="exponent 2.003",
                predicted="exponent 2",
                tolerance="0.01, from four step sizes",
                uses=["all-orders"],
                claims=["s3-cgf"],
            ),
            record(
                "exponential-cumulants",
                "Every cumulant of the exponential law",
                text="By induction over $n \\ge 1$.",
                start=r"K^{(1)}(t)",
                statement=r"K^{(n)}(t) = \frac{(n - 1)!}{(1 - t)^{n}}",
                assumptions=["$n \\ge 1$ an integer", "$t < 1$"],
                uses=[],
                steps=[
                    step(r"\frac{1}{1 - t}", "base: $n = 1$"),
                    {
                        **step(
                            r"\frac{d}{dt} \frac{(n - 1)!}{(1 - t)^{n}}",
                            "step: by the hypothesis for $n$",
                        ),
                        "left": "K^{(n + 1)}(t)",
                    },
                    step(r"\frac{n!}{(1 - t)^{n + 1}}", "which is the claim for $n + 1$"),
                ],
                claims=["s3-exp-laplace-cumulants"],
            ),
            record(
                "marcinkiewicz-as-printed",
                "A point mass is another law with a polynomial generating function",
                kind="refutation",
                verdict="refuted",
                printed="The normal is the only law with finitely many cumulants.",
                location="003, Modern Hopfield networks",
                uses=["all-orders", "exponential-cumulants"],
                corrected="all-orders",
                claims=["s3-marcinkiewicz"],
                sizes="",
            ),
        ],
    ),
}


def notebook(slug):
    """A chapter with a sentence, a cell, and its result, for each record."""
    title, found = CHAPTERS[slug]
    cells = [
        nbformat.v4.new_markdown_cell(
            f"# {title}\n\nWhat does a query see? By {{eq}}`eq-softmax-gradient`, the mean of the keys "
            "$\\sum_j p_j k_j$, weighted by $p_j = e^{s_j}/Z$.\n\n"
            f"```{{prf:definition}}\n:label: def-{slug}\n\n$$\n"
            "G(q) = \\beta^{-1} \\log \\sum_{j=1}^{N} e^{\\beta \\langle q, k_j \\rangle}\n$$\n```"
        )
    ]
    picture = '<figure class="lp-figure"><svg viewBox="0 0 40 10" role="img" aria-label="a line"><path d="M0 5h40" stroke="#000"/></svg><div class="controls"><button type="button">play</button></div></figure>'
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
        title = rec.get("title", rec["label"])
        cells.append(
            nbformat.v4.new_markdown_cell(
                f"## {i + 1}. {title}\n\nEach term is one line of code, and each line is decided when it is written."
            )
        )
        output = nbformat.v4.new_output(
            "execute_result",
            execution_count=i + 2,
            metadata={MIME: {"seconds": 0.4}},
            data={
                MIME: rec,
                "text/markdown": f"**{title}**\n\n$${rec['statement'] or '1'}$$",
                "text/plain": rec["label"],
            },
        )
        code = f'{rec["label"].replace("-", "_")} = (\n    derive("{rec["label"]}", Derivative(G, q[b]))\n    .eq(Derivative(Z, q[b]) / Z, "differentiate the logarithm")\n)'
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


def make(root):
    """The sample book in folder `root`: its chapters, and everything else from the real one."""
    (root / "book").mkdir(parents=True)
    for name in ("_config.yml", "CITATION.cff"):
        shutil.copy(ROOT / name, root)
    contents = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    contents["parts"] = [
        {**contents["parts"][0], "chapters": [{"file": slug} for slug in CHAPTERS]},
        contents["parts"][-1],
    ]
    (root / "_toc.yml").write_text(yaml.safe_dump(contents), encoding="utf-8")
    for path in (ROOT / "book").iterdir():
        if path.suffix in {".md", ".bib", ".yaml"}:
            shutil.copy(path, root / "book" / path.name)
    shutil.copytree(ROOT / "book" / "_static", root / "book" / "_static")
    for slug in CHAPTERS:
        nbformat.write(notebook(slug), root / "book" / f"{slug}.ipynb")
