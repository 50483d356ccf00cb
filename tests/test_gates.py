"""The gates: the book passes them, the canaries do not, and each gate finds the faults planted for
it.
"""

import json
import math
import re
import struct
import subprocess
import sys
import time
import xml.etree.ElementTree as xml
import zlib
from base64 import b64encode
from io import BytesIO
from pathlib import Path

import pytest
import yaml
from made import derivation
from nbformat.v4 import new_output, new_raw_cell
from notebooks import bundle, code, notebook, printed, record, result, shown, store
from PIL import Image

from logpartition import _figure
from logpartition.proof import cite, observe, observe_bound, theorem
from logpartition.proof.record import refutation
from logpartition_book import addresses, book_gates, build, chapter_gates, gates, seal
from logpartition_book.audit import sealed as sealed_audit
from logpartition_book.files import ROOT
from logpartition_book.records import MIME as RESULT
from logpartition_book.records import read

CANARIES = Path(__file__).parent / "canaries"
EVERY = (*gates.FILES, *gates.FORM, *gates.GATES)


@pytest.mark.parametrize("gate", EVERY, ids=lambda gate: gate.__name__)
def test_the_book_passes(gate):
    found = [str(finding) for finding in gate(ROOT)]
    assert not found, "\n" + "\n".join(found)


# canaries: the commands of `make test` and `make book`, on notebooks with one fault each


@pytest.fixture(scope="module")
def caught(tmp_path_factory):
    """Which canaries pytest turns red with the flags of `make test`, and which the gates do."""
    folder = tmp_path_factory.mktemp("canaries")
    for path in CANARIES.glob("*.ipynb"):
        store(read(path), folder / path.name, ROOT)
    flags = re.search(r"-m pytest tests \$\(notebooks\) (.*)", (ROOT / "Makefile").read_text())[
        1
    ].split()
    paths = sorted(str(path) for path in folder.glob("*.ipynb"))
    tests = subprocess.run(
        [sys.executable, "-m", "pytest", *paths, *flags, "-n0", "--junitxml=report.xml"],
        cwd=folder,
        capture_output=True,
    )
    checks = subprocess.run(
        [sys.executable, "-m", "logpartition_book.gates", *paths],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert tests.returncode == 1 and checks.returncode == 1
    failures = {}
    for case in xml.parse(folder / "report.xml").iter("testcase"):
        for failure in case.iter("failure"):
            failures[re.search(r"[\w-]+(?=\.ipynb)", case.get("classname") + failure.text)[0]] = (
                failure.text
            )
    return failures, dict(
        re.findall(r"([\w-]+)\.ipynb, cell \d+: (.*)$", checks.stdout, re.MULTILINE)
    )


def test_canaries_turn_the_suite_red(caught):
    by_nbval, by_gates = caught
    assert set(by_nbval) == {"wrong-output", "failing-cell", "false-equation", "other-picture"}
    assert "mismatch 'stdout'" in by_nbval["wrong-output"]
    assert "ZeroDivisionError" in by_nbval["failing-cell"]
    assert "Refuted: log-derivative" in by_nbval["false-equation"]
    assert "stored as text/html is not the one" in by_nbval["other-picture"]
    assert set(by_gates) == {"unrun-cell"} and by_gates["unrun-cell"].startswith("was never run")


# a fault for each gate of a chapter

DRAWING = "<svg role='img' aria-label='Arrows.'></svg>"
HEALTHY = (
    "# A heading\n\nThe mean is 2.25.",
    code("print(2.25)", 1, [printed("2.25\n")]),
    result("a-result", 2, terms={}),
)


def messages(gate, *cells):
    return [message for _, message in gate(notebook(*cells), ROOT)]


def proved(**keys):
    """The cell of a result whose record has these keys."""
    return kept(record("a"), **keys)


def picture(alt, drawn=""):
    return code(
        f"Plane(alt='{alt}')", outputs=[shown(html=f"<svg aria-label='{alt}'>{drawn}</svg>")]
    )


def count(tried, killed):
    return {"tried": tried, "killed": killed, "equivalent": 0}


def without(record, key):
    return {name: value for name, value in record.items() if name != key}


def holds(content):
    """A cell that puts out something in the place of a record."""
    return code("a", 1, [new_output("execute_result", data={RESULT: content})])


XMLNS = 'xmlns="http://www.w3.org/2000/svg"'


def png(*parts):
    """A picture of one pixel with these parts behind its head, in base 64."""
    file = BytesIO()
    Image.new("RGB", (1, 1)).save(file, "png")
    head, rest = file.getvalue()[:33], file.getvalue()[33:]
    return b64encode(head + b"".join(map(part, parts)) + rest).decode()


def part(said):
    """A part of a PNG with its length and its checksum."""
    return struct.pack(">I", len(said) - 4) + said + struct.pack(">I", zlib.crc32(said))


PNG = png(b"tEXtSoftware\0Matplotlib", b"pHYs\0\0\x0fa\0\0\x0fa\1")
FIGURE = _figure.stored(
    '<svg viewBox="0 0 4 2" role="img" aria-label="a line"><g class="frame" data-at="0"></g></svg>',
    "",
)
PLOT = f'<?xml version="1.0"?>\n<svg {XMLNS}><style>{{}}</style><g style="fill: none"/></svg>'
PLOT = PLOT.format("*{stroke-linejoin: round; stroke-linecap: butt}")
NOWHERE = {"points": 0, "of": 12, "digits": 0}
STEP, WHOLE = record("a")["steps"][0], record("a")["whole"]
FRONT = "# Front\n\n```{live} one\n```\n\n```{try} a\n```\n\n| badge | what |\n|---|---|\n"
FRONT += "".join(f"| [{said}]{{.lp-badge}} | Words. |\n" for said in book_gates.LEGEND)

BASE = derivation("b")
REFUTED = refutation("a", "Words.", corrected=BASE, location="p. 1", by=[BASE]).json()
OBSERVED = observe("a", "A coin.", measured=0.51, predicted=0.5, tolerance=0.02).record.json()
BOUND = observe_bound("a", "Runs.", measured=[0.1, 0.2], bound=0.3, scale=1).record.json()
RUN = "import torch\ndef run(n):\n    return torch.rand(n)\n"  # what an observation may measure
CITED = cite("a", "It is so.", source="bal2020", number="Theorem 1").record.json()
ARGUED = theorem("a", "It is so.", by={BASE: "all of it"}, argument="By {b}.").record.json()


def kept(record, **changes):
    """The cell of this record with changes, which are in the record alone."""
    output = bundle(record)
    output.data[RESULT] = record | changes
    return code('x("a")', 1, [output])


FAULTS = [
    # one clean run
    ("unrun", [code(count=None)], "was never run"),
    ("unrun", [code("", count=None)], "is empty"),
    ("out_of_order", [code(count=2)], "has count 2, and is code cell 1"),
    ("out_of_order", [code(count=1), code(count=3)], "has count 3, and is code cell 2"),
    ("complaints", [code(outputs=[printed("careful\n", "stderr")])], "wrote to stderr: careful"),
    (
        "complaints",
        [code(outputs=[new_output("error", ename="E", evalue="no", traceback=[])])],
        "holds an error: E: no",
    ),
    (
        "volatile",
        [code(outputs=[shown(plain="<logpartition.figures.Slider at 0x7f4347d130d0>")])],
        "prints a place in memory",
    ),
    *(
        ("volatile", [code(outputs=[printed(text)])], "after which a page and a program read")
        for text in ("2.25\b6", "2.25\r2.26", "2.2\x1b[8m5\x1b[0m6", "\u202e62.2")
    ),
    # marks
    ("uncompared", [code("# NBVAL_SKIP\nx")], "keeps nbval from comparing"),
    ("uncompared", [code("x  # above\u2028# NBVAL_SKIP")], "keeps nbval from comparing"),
    ("malformed", [code("x", outputs=[printed("0"), printed(".14")])], "in pieces, which a run"),
    ("uncompared", [code("# NBVAL_IGNORE_OUTPUT and more\nx")], "keeps nbval from comparing"),
    (
        "uncompared",
        [code(outputs=[shown(png="", plain="f"), printed("0.5")], tags=["nbval-ignore-output"])],
        "is not compared",
    ),
    (
        "uncompared",
        [code("x", 1, [bundle(record("a"))], tags=["nbval-ignore-output"])],
        "is not compared",
    ),
    *(
        ("marked", [code(tags=[tag])], f"has the tag {tag}")
        for tag in (
            "raises-exception",
            "nbval-skip",
            "remove-cell",
            "remove-output",
            "remove-input",
            "skip-execution",
            "Hide-Input",
        )
    ),
    ("marked", [code(nbsphinx="hidden")], "has the metadata nbsphinx"),
    *(
        ("marked", [code(**metadata)], "is not folded in an editor as its tags fold it")
        for metadata in (
            {"tags": ["hide-input"]},
            {"tags": ["hide-cell"], "jupyter": {"source_hidden": True}},
            {"jupyter": {"source_hidden": True}},
        )
    ),
    (
        "marked",
        [code(mystnb={"remove_code_outputs": True})],
        "has the metadata mystnb with more than image.alt",
    ),
    (
        "marked",
        [code(mystnb={"image": {"alt": "A.", "width": "1px"}})],
        "has the metadata mystnb with more than image.alt",
    ),
    ("marked", [code(mystnb=None)], "has the metadata mystnb with more than image.alt"),
    ("marked", [new_raw_cell("$$x = 1$$")], "is a raw cell"),
    # outputs
    (
        "bundles",
        [code(outputs=[shown(latex="$a = b$", plain="a")])],
        "puts out text/latex, text/plain",
    ),
    (
        "bundles",
        [code(outputs=[shown(markdown="```{math}\na = b\n```", plain="a")])],
        "puts out text/markdown, text/plain",
    ),
    (
        "bundles",
        [code(outputs=[shown(record=record("a"), markdown="**On a**")])],
        "an output is text, a picture or a result",
    ),
    (
        "bundles",
        [code(outputs=[shown(record=record("a"), plain="a: proved", markdown="**On a**")])],
        "displays the result a",
    ),
    (
        "bundles",
        [
            code(
                "x",
                1,
                [
                    new_output(
                        "execute_result", data=bundle(record("b"))["data"] | {RESULT: record("a")}
                    )
                ],
            )
        ],
        "result a: its text/markdown is not what the record says",
    ),
    *(
        ("closed", [code(source)], message)
        for source, message in (
            ("import os", "imports os: "),
            ("import numpy.random, yaml as y", "imports yaml: "),
            ("from pathlib import Path", "imports pathlib: "),
            ("from . import claims", "imports .: "),
            ("open('claims.yaml').read()", "calls open: "),
            ("np.loadtxt('data.csv')", "calls loadtxt: "),
            ("torch.load('weights')", "calls load: "),
            ("f = eval", "calls eval: "),
            ("from numpy import load as fetched", "calls load: "),
            ("from scipy.io import wavfile", "calls io: "),
            ("from scipy.sparse import load_npz", "calls load_npz: "),
            ("sklearn.datasets.fetch_20newsgroups()", "calls fetch_20newsgroups: "),
            ("torch.from_file('x')", "calls from_file: "),
            ("np.fromregex('x', 'y', [])", "calls fromregex: "),
            ("np.lib.format.open_memmap('x')", "calls open_memmap: "),
            ("x.tofile('claims.yaml')", "calls tofile: "),
            ("np.savetxt('claims.yaml', x)", "calls savetxt: "),
            ("plt.savefig('f.png')", "calls savefig: "),
            ("matplotlib.rc_file('x')", "calls rc_file: "),
            ("torch.os.environ", "calls os: "),
            ("matplotlib.pathlib.Path('x')", "calls pathlib: "),
            ("P('x').read_text()", "calls read_text: "),
            ("get_ipython().getoutput('date')", "calls get_ipython: "),
            ("vars(torch)['os']", "calls vars: "),
            ("np.datetime64('today')", "calls datetime64: "),
            ("inspect.linecache", "calls linecache: "),
            ("np.__file__", "calls __file__: "),
            ("np.random.default_rng()", "calls default_rng without a seed"),
            ("np.random.default_rng(None)", "calls default_rng without a seed"),
            ("np.random.default_rng(SeedSequence())", "calls default_rng without a seed"),
            ("from numpy.random import choice", "draws by random.choice: "),
            ("from numpy import random as r", "draws by random.random: "),
            ("import numpy.random as npr", "draws by random.npr: "),
            ("np.random.Generator(np.random.PCG64())", "calls PCG64 without a seed"),
            ("s = np.random.SeedSequence().spawn(2)", "calls SeedSequence without a seed"),
            ("from scipy import sparse as s\ns.random(3, 3)", "draws without a seed"),
            ("from scipy.cluster.vq import kmeans2\nkmeans2(y, 3)", "draws without a seed"),
            ("def f(x):\n    return x.normal_()", "draws without a seed"),
            ("torch.svd_lowrank(a)", "draws without a seed"),
            ("torch.randn(3, generator=None)", "draws without a seed"),
            ("from scipy.cluster.vq import kmeans\nkmeans(y, 3, rng=None)", "draws without a seed"),
            ("torch.nn.AdaptiveLogSoftmaxWithLoss(3, 4, [2])", "draws without a seed"),
            ("torch.utils.data.WeightedRandomSampler(w, 3)", "draws without a seed"),
            ("torch.binomial(n, p)", "draws without a seed"),
            ("from torch import randn as f", "draws without a seed"),
            ("x = map(torch.randn, (2, 3))", "draws without a seed"),
            ("torch.nn.LSTMCell(2, 3)", "draws without a seed"),
            ("np.random.rand(3)", "draws by random.rand"),
            ("torch.randn(5).mean()", "draws without a seed"),
            ("stats.norm.rvs(size=5)", "draws without a seed"),
            ("torch.nn.Linear(2, 3)", "draws without a seed"),
            ("torch.empty(3).normal_()", "draws without a seed"),
            ("torch.rand_like(x)", "draws without a seed"),
            ("torch.nn.init.xavier_normal_(x)", "draws without a seed"),
            ("torch.distributions.Normal(0, 1).sample()", "draws without a seed"),
            ("torch.nn.functional.dropout(x)", "draws without a seed"),
            ("torch.Generator().manual_seed(0); torch.randn(5)", "draws without a seed"),
            ("[earlier(label) for label in labels]", "calls earlier without a label"),
            ("earlier('a', folder='../old')", "calls earlier with a folder"),
            ("earlier('a', **more)", "calls earlier with a folder"),
            ("from logpartition.proof import earlier as taken", "has earlier under another name"),
            ("take = earlier", "has earlier under another name"),
            ("list(map(proof.earlier, ['a', 'b']))", "has earlier under another name"),
        )
    ),
    *(
        ("unforged", [code(source)], message)
        for source, message in (
            ("from logpartition.proof.record import Finding", "takes logpartition.proof.record."),
            ("from logpartition.proof import kernel", "takes logpartition.proof.kernel: "),
            ("from logpartition.proof import *", "takes logpartition.proof.*: "),
            ("from logpartition.proof import Result", "takes logpartition.proof.Result: "),
            ("from logpartition.proof.printer import SIGNS", "takes logpartition.proof.printer.S"),
            ("import logpartition.proof.kernel.theorem", "takes logpartition: "),
            ("import logpartition.proof as p\np.kernel", "takes logpartition: "),
            ("from logpartition import proof\nproof.record.Finding", "takes logpartition.proof: "),
            ("from dataclasses import replace", "takes dataclasses.replace: "),
            ("import dataclasses", "takes dataclasses: "),
            ("type(gap)(said)", "asks for type: "),
            ("f = type", "asks for type: "),
            ("gap.__class__(said)", "asks for __class__: "),
            ("object.__setattr__(gap, 'record', said)", "asks for __setattr__: "),
            ("derive.__globals__['prove'] = 3", "asks for __globals__: "),
            ("from logpartition.__pycache__.secret import x", "asks for __pycache__: "),
            ("getattr(np, 'genfromtxt')('x')", "asks for getattr: "),
            ("operator.attrgetter('os.environ')(torch)", "asks for attrgetter: "),
            ("from logpartition import stats\nstats.mean = x", "changes stats, which it imports"),
            ("setattr(p, 'check', None)", "asks for setattr: "),
        )
    ),
    ("displays", [code("display(Latex('$a = b$'))")], "makes a display of its own (Latex)"),
    ("displays", [code("display({'image/png': x}, raw=True)")], "display of its own (display)"),
    (
        "displays",
        [code("from IPython.display import publish_display_data as p")],
        "makes a display of its own (publish_display_data)",
    ),
    (
        "displays",
        [code("class P:\n    def _repr_mimebundle_(self, **k):\n        return {}")],
        "makes a display of its own (_repr_mimebundle_)",
    ),
    (
        "displays",
        [code("display({'application/vnd.logpartition.result+json': r}, raw=True)")],
        "names the mime type of a result",
    ),
    (
        "displays",
        [code(outputs=[printed("p-is-np: proved for all sizes\n")])],
        "prints a verdict (p-is-np: proved)",
    ),
    *(
        ("displays", [code(outputs=[printed(said)])], "prints a verdict (")
        for said in (
            " p-is-np: proved\n",
            "\x1b[1mp-is-np\x1b[0m: proved\n",
            "x\rp-is-np: proved\n",
            "p-is-np :  proved\n",
            "p-is-np — proved\n",
            "p-is-np: checked\n",
            "p-is-np: observed (2 runs)\n",
            "p-is-np. Proved: all\n",
            "Theorem p-is-np (softmax): proved\n",
            "status   proved\n",
            "p-is-np | proved |\n",
            "proved: all\n",
            "✓ p-is-np\n",
            "Result('p-is-np', verdict='proved')\n",
            "p-is-np proved for all sizes\n",
            "[proved]\n",
            "Theorem 1. E[k] is zero. Proof.\n",
        )
    ),
    *(
        (
            "typed_in",
            [code(source, 1, [bundle(OBSERVED)])],
            ": what it measured is typed in the code",
        )
        for source in (
            "observe('a', '', measured=0.51, predicted=0.5)",
            "observe('a', '', measured=1 / 2 + float('0.01'))",
            "n = 51\nm = n / 100\nobserve('a', '', measured=m)",
            "import numpy as np\nobserve('a', '', measured=np.array([51, 49]) / 100)",
            "observe_rate('a', '', sizes, [0.1, 0.2, 0.4])",
            "observe(label='a', measured=0.51)",
            "name = 'a'\nobserve(name, '', measured=0.51)",
            "m, p = 0.51, 0.5\nobserve('a', '', measured=m)",
            "m: float = 0.51\nobserve('a', '', measured=m)",
            "found = {'m': 0.51}\nobserve('a', '', measured=found['m'])",
            "observe('a', '', **{'measured': 0.51})",
            "observe('a', '', measured=(m := 0.51))",
            "import numpy as np\nobserve('a', '', measured=np.mean([0.5, 0.52]))",
            "def run():\n    return 0.51\nobserve('a', '', measured=run())",
            "e = {8: 0.2, 16: 0.1}\nobserve_rate('a', '', list(e), list(e.values()))",
            "sizes, errors = zip(*[(8, 0.2), (16, 0.1)])\nobserve_rate('a', '', sizes, errors)",
            "runs = [(8, 0.2)]\nobserve_bound('a', '', measured=[e for _, e in runs])",
            "for m in [0.51]:\n    observe('a', '', measured=m)",
            "import torch\nobserve('a', '', measured=torch.tensor([0.2]).double().mean().item())",
            "import numpy as np\nobserve('a', '', measured=np.polyfit([1, 2], np.log([3, 4]), 1))",
            "from sympy import Rational as R\nobserve('a', '', measured=float(R(51, 100)))",
            "rows = '8 0.2\\n16 0.1'.splitlines()\n"
            "observe_rate('a', '', *zip(*(map(float, row.split()) for row in rows)))",
            "found = {}\nfound['m'] = 0.51\nobserve('a', '', measured=found['m'])",
            "m = 0\nm += 0.51\nobserve('a', '', measured=m)",
            "class R:\n    m = 0.51\nobserve('a', '', measured=R.m)",
            "class R:\n    def m(self):\n        return 0.51\nobserve('a', '', measured=R().m())",
            "def run(m=0.51):\n    return m\nobserve('a', '', measured=run(0.5))",
            "import torch\ndef run(fast):\n    if fast:\n        return 0.51\n"
            "    return torch.rand(9).mean()\nobserve('a', '', measured=run(True))",
            "from functools import partial\nsay = partial(observe, 'a', '')\nsay(measured=0.51)",
            "from scipy.stats import linregress\nn, e = [8, 16, 32], [0.213, 0.111, 0.054]\n"
            "observe('a', '', measured=linregress(n, e).slope)",
            "import torch\nobserve('a', '', measured=0.51 if fast else torch.rand(9).mean())",
            "import torch\nobserve_rate('a', '', [8, 16], [torch.rand(9).mean(), 0.1])",
            "import torch\nm = torch.rand(9).mean()\nm = 0.51\nobserve('a', '', measured=m)",
            "import torch\nobserve('a', '', measured=[0.51 for _ in torch.rand(9)][0])",
            "t, total = [0.2, 0.3], 0\nfor i in range(2):\n    total += t[i]\n"
            "observe('a', '', measured=total)",
        )
    ),
    (
        "displays",
        [code("forged", 1, [bundle(record("p-is-np"))])],
        "result p-is-np: no cell gives that label",
    ),
    ("foreign", [code("%%bash\nls")], "is not Python"),
    ("foreign", [code("%run helper.py")], "is not Python"),
    ("foreign", [code("x = (")], "is not Python"),
    ("foreign", [code(f"x = {'-' * 200_000}1")], "is not Python: it has too many operations"),
    # drawings
    *(
        ("drawings", [code(outputs=[shown(svg=f"<svg {XMLNS}>{inner}</svg>", plain="f")])], message)
        for inner, message in (
            ("<text>E + k = d + q</text>", "a drawing with an equation"),
            ("<script>x</script>", "a script that is not the one"),
            ("<style>*{color:red}</style>", "HTML that is no drawing (<style>)"),
            ('<g style="content: url(a.svg)"/>', "a picture with the style"),
            ('<image xlink:href="e.png"/>', "HTML that is no drawing (<image>)"),
        )
    ),
    *(
        ("drawings", [code(outputs=[shown(png=said)])], "a picture that is no PNG")
        for said in ("", "AAAA", "iVBORw0KGgoAAAA", "iVBORw0KGgo=", PNG[:-40], "A proof.")
    ),
    *(
        ("drawings", [code(outputs=[shown(png=png(said))])], f"a PNG of the parts IHDR {name}")
        for said, name in (
            (b"acTL\0\0\0\1\0\0\0\0", "acTL"),
            (b"gAMA\0\0\xff\xff", "gAMA"),
            (b"eXIfMM\0*\0\0\0\x08\0\0\0\0\0\0", "eXIf"),
        )
    ),
    (
        "drawings",
        [code(outputs=[shown(html=FIGURE.replace('alt="a line"', 'alt="a proof"'), plain="f")])],
        "another one until its script runs",
    ),
    *(
        ("drawings", [*before, code(source, outputs=[shown(png=PNG)])], message)
        for source, message, *before in (
            ("ax.set_title('Falls by 0.37')", "writes 0.37 on its picture"),
            ("ax.text(0, 0, '0.37')", "writes 0.37 on its picture"),
            ("ax.set(title='Falls by 0.37')", "writes 0.37 on its picture"),
            ("plt.xticks([1], ['0.37'])", "writes 0.37 on its picture"),
            ("ax.plot(x, label=f'loss 0.37 of {n}')", "writes 0.37 on its picture"),
            ("ax.set_title(said)", "writes 0.37 on its picture", code("said = 'By 0.37'")),
            ("ax.set_title('$a + b = b + a + 7$')", "which states something"),
            ("ax.set_title('E[k] + x = d + 7')", "which states something"),
            ("ax.set_title('Theorem 1, by us')", "which states something"),
        )
    ),
    (
        "drawings",
        [code("Slider(p, control='In 43% of runs')", outputs=[shown(html=DRAWING)])],
        "writes 43% on its picture",
    ),
    *(
        (
            "drawings",
            [code(f"{before}\n"), code("draw(ax, words)", outputs=[shown(png=PNG)])],
            "writes 0.37 on its picture",
        )
        for before in (
            "def draw(ax, _):\n    ax.set_title('It falls by 0.37.')",
            "def title(ax):\n    ax.set_title('It falls by 0.37.')\n"
            "def draw(ax, _):\n    title(ax)",
            "class P:\n    title = 'It falls by 0.37.'\ndef draw(ax, _):\n    ax.text(P.title)",
            "words = dict(a='It falls by 0.37.')",
            "words = []\nwords.append('It falls by 0.37.')",
            "words = {}\nwords['a'] = 'It falls by 0.37.'",
        )
    ),
    *(
        ("displays", [code(source, 1, [printed(said)])], f"prints {number}, which a text in the")
        for source, said, number in (
            ("print('Over all seeds: 0.91')", "Over all seeds: 0.91\n", "0.91"),
            ("print('mean 0.91')", "mean 0.91\n", "0.91"),
            ("for k, v in {'mean': '0.91'}.items():\n    print(k, v)", "mean 0.91\n", "0.91"),
            ("print('accuracy: 91% of all')", "accuracy: 91% of all\n", "91%"),
        )
    ),
    *(
        ("comments", [code(source)], message)
        for source, message in (
            ("mean(x)  # is 0.37: proved", "says in a comment what a result says: is 0.37: proved"),
            ("mean(x)  # proved", "says in a comment what a result says"),
            ("f(x)  # argued in words", "says in a comment what a result says"),
            ('def f():\n    """Theorem 1. It is zero."""', "says in a comment what a result says"),
            ('def f():\n    """So.\n\n    Proved for every q.\n    """', "says in a comment what"),
            ("mean(x)  # 0.37", "has 0.37 in a comment"),
            ("mean(x)  # -> 0.37", "has 0.37 in a comment"),
            ("mean(x)  # tensor(0.37)", "has 0.37 in a comment"),
            ("mean(x)  # falls from 2.31 to 2", "has 2.31 in a comment"),
            ("mean(x)  # so it is in 17 of the 43 runs", "has 17 of the 43 in a comment"),
            ("mean(x)  # as proven above", "says in a comment what a result says"),
            ('def f():\n    """Converges in 91 percent of runs."""', "has 91 percent in a comment"),
        )
    ),
    # records
    (
        "malformed",
        [code("a", 1, [new_output("display_data", metadata={RESULT: {"seconds": "fast"}})])],
        "took 'fast', which is no number",
    ),
    *(
        (
            "malformed",
            [code("a", 1, [new_output("display_data", metadata={RESULT: {"seconds": said}})])],
            f"took {said}, which is no number",
        )
        for said in (-1, math.inf, math.nan, True, 0.25, 98765.4)
    ),
    *(
        (
            "malformed",
            [code("a", 1, [new_output("display_data", metadata=said)])],
            f"has the metadata {said}: a run notes the seconds of a result alone",
        )
        for said in (
            {"image/svg+xml": {"width": 1, "height": 1}},
            {"image/svg+xml": 5},
            {RESULT: 5},
            {RESULT: {"seconds": 1, "by": "me"}},
        )
    ),
    ("undecided", [holds(record("a"))], "has no terms from which it is"),
    ("malformed", [kept(CITED, uses=None)], "record.uses: None is not array"),
    ("malformed", [kept(CITED, novel=1)], "novel is not a key of it"),
    ("malformed", [kept(CITED, version=1)], "record.version: 1 is none of [2]"),
    ("malformed", [holds("proved")], "result proved: record: no kind among derivation"),
    ("malformed", [kept(CITED, verdict="certain")], "'certain' is none of"),
    ("malformed", [kept(record("a"), verdict="argued")], "'argued' is none of"),
    ("malformed", [kept(record("a"), verdict="cited")], "'cited' is none of"),
    ("malformed", [kept(CITED, source="")], "record.source: empty"),
    ("malformed", [kept(CITED, label="Two words")], "'Two words' is no name"),
    ("malformed", [proved(uses=["b", "b"])], "names 'b' twice in its uses"),
    ("malformed", [proved(certifies=["torch.nn"])], "certifies 'torch.nn', which is no name"),
    ("malformed", [proved(mutants=count(3, 2))], "1 of its 3 mutants live"),
    ("malformed", [proved(steps=[STEP | {"mutants": count(3, 2)}])], "1 of its 3 mutants live"),
    (
        "malformed",
        [proved(mutants=count(9, 9))],
        "its mutants tried are 9, and those of its links add up to 3",
    ),
    (
        "malformed",
        [proved(mutants=count(2, 2), steps=[STEP | {"left": "a"}])],
        "its mutants tried are 2, and those of its links add up to 3",
    ),
    (
        "malformed",
        [proved(mutants=count(0, 0), steps=[STEP | {"mutants": count(0, 0)}])],
        "none of its links was mutated",
    ),
    ("malformed", [proved(mutants=count("3", "3"))], "'3' is not integer"),
    ("malformed", [proved(steps=[])], "a derivation without a link"),
    (
        "malformed",
        [proved(steps=[STEP | {"symbolic": ""}])],
        "says proved, and its link 1 has no symbolic route",
    ),
    (
        "malformed",
        [proved(steps=[STEP | {"numeric": WHOLE | {"points": 11}}])],
        "says proved, and its link 1 is known at 11 of 12 points",
    ),
    ("malformed", [proved(whole=WHOLE | {"points": 11})], "its whole is known at 11 of 12 points"),
    ("malformed", [proved(whole=WHOLE | {"points": 13})], "its whole was known at 13 of 12 points"),
    (
        "malformed",
        [proved(verdict="checked", steps=[STEP | {"symbolic": "", "numeric": NOWHERE}])],
        "its link 1 was decided by neither route",
    ),
    ("malformed", [proved(steps=[STEP | {"relation": "!="}])], "'!=' is none of"),
    ("malformed", [holds(without(REFUTED, "printed"))], "record: no printed"),
    ("malformed", [kept(REFUTED, against=[])], "has neither a counterexample nor results"),
    ("malformed", [kept(REFUTED, corrected="c")], "names 'c', and does not say that it uses it"),
    ("malformed", [kept(OBSERVED, measured="0.51")], "'0.51' is not number"),
    ("malformed", [kept(OBSERVED, tolerance=math.inf)], "too large, or no number"),
    ("malformed", [kept(OBSERVED, measured=0.53)], "measured 0.53, and predicted = 0.5"),
    ("malformed", [kept(OBSERVED, measured=0.47)], "measured 0.47, and predicted = 0.5"),
    ("malformed", [kept(BOUND, measured=0.31)], "measured 0.31, and predicted ≤ 0.3"),
    (
        "malformed",
        [kept(OBSERVED, measurement=OBSERVED["measurement"] | {"sizes": [1, 2]})],
        "has 2 sizes, and 0 errors",
    ),
    ("malformed", [kept(ARGUED, parts=[], uses=[])], "a theorem that rests on no result"),
    ("malformed", [kept(ARGUED, uses=["b", "c"])], "its parts are not the results that it uses"),
    ("malformed", [kept(ARGUED, verdict="proved")], "'proved' is none of"),
    # text
    ("retold", [proved(text="So $a + b = b + a$.")], "its words state a + b = b + a"),
    ("retold", [proved(text="So\n\n$$x = 1$$")], "its words state"),
    ("retold", [proved(steps=[STEP | {"reason": "$$x = 1$$\n"}])], "its words state"),
    ("retold", [proved(steps=[STEP | {"remark": "$$x = 1$$\n"}])], "its words state"),
    ("retold", [kept(ARGUED, argument="$$x = 1$$\n")], "its words state"),
    ("retold", [proved(assumptions=["So $$x = 1$$"])], "its words state"),
    ("retold", [proved(where=["So\n\n$$x = 1$$"])], "its words state"),
    ("retold", [proved(where=["<b>x</b>"])], "HTML in the text"),
    ("retold", [proved(text="It falls by 0.37.")], "the number 0.37 is printed or set by no cell"),
    ("retold", [kept(CITED, number="Theorem 1 <b>x</b>")], "HTML in the text"),
    ("retold", [kept(REFUTED, printed="<b>x</b>")], "HTML in the text"),
    ("retold", [kept(REFUTED, location="<b>x</b>")], "HTML in the text"),
    ("retold", [proved(steps=[STEP | {"symbolic": "<b>x</b>"}])], "HTML in the text"),
    ("retold", [proved(title="E[k] = ∇G(q) + 7")], "its words state E[k] = ∇G(q) + 7"),
    ("retold", [proved(text="So E[k] = ∇G(q) + 7.")], "its words state So E[k]"),
    ("retold", [proved(text="So a + b ═ b + c.")], "the sign ═ between words"),
    ("retold", [proved(text="[proved]{.lp-badge}")], "the words wear class"),
    ("retold", [proved(text="![x](_static/e.png)")], "a picture in the words"),
    ("retold", [proved(text="```{raw} html\n<b>\n```")], "the directive {raw}"),
    *(
        ("typed", [f"```{{{name}}}\nx\n```"], f"the directive {{{name}}} is not one")
        for name in (
            "math",
            "Math",
            "raw",
            "include",
            "literalinclude",
            "eval-rst",
            "figure",
            "image",
            "prf:theorem",
            "prf:proof",
            "glue:math",
            "only",
            "code-cell",
        )
    ),
    ("typed", ["``` {math}\nx\n```"], "the directive {math} is not one"),
    ("typed", [":::{ note }\nx\n:::"], "the directive { note } is not one"),
    (
        "typed",
        ["::::{note}\n:::{tip}\n```{math}\nx\n```\n:::\n::::"],
        "the directive {math} is not one",
    ),
    ("typed", ["- a list\n\n  ```{math}\n  x\n  ```"], "the directive {math} is not one"),
    ("typed", ["{math}`a = b`"], "the role {math} is not one"),
    ("typed", ["See {cite}`a,,a`."], "the role {cite} of 'a,,a': it takes keys"),
    ("typed", ["See {eq}`this <eq-a>`."], "the role {eq} of 'this <eq-a>': it takes a label"),
    ("typed", ["See {prf:ref}`it <d>`."], "the role {prf:ref} of 'it <d>': it takes a label"),
    ("typed", ["```{prf:definition}\n```"], "the directive {prf:definition} is empty"),
    ("typed", [":::{prf:remark} On x\n:label: r\n:::"], "the directive {prf:remark} is empty"),
    ("typed", ["So <math><mi>x</mi></math>"], "HTML in the text"),
    *(
        ("typed", [said], message)
        for said, message in (
            ("| a | b |\n|---|---|\n| x | y | P is NP |", "more cells than its head: | x | y | P"),
            ("| a |\n|---|\n| `a|b` |", "more cells than its head: | `a|b` |"),
            ("a | b\n--|--\nx | y\n$|x|$ | y", "more cells than its head: $|x|$ | y"),
            ("> | a |\n> |---|\n> | x | y |", "more cells than its head: | x | y |"),
            (":::{note}\n| a |\n|---|\n| x | y |\n:::", "more cells than its head: | x | y |"),
            ("By [the bound, for any key](#eq-a), so.", "a link to a result, with words that no"),
            ("By [*any*][a].\n\n[a]: #eq-a", "a link to a result, with words that no"),
            ("{.lp-x % P is NP %}\nSo.", "a comment among attributes: {.lp-x %"),
            ("{% P is NP %}\nSo.", "a comment among attributes: {%"),
        )
    ),
    ("typed", ["<img src='p.png'>"], "HTML in the text"),
    ("typed", ["So\n>>>>>>> theirs\n"], "a merge left its marks in line 2 of the cell"),
    ("typed", ["So\n=======\n"], "a merge left its marks in line 2 of the cell"),
    ("typed", ["---\nkey: value\n---\n"], "metadata between two lines of dashes"),
    ("typed", ["TODO: the sign is wrong."], "a note of the author's: TODO"),
    *(
        ("typed", [text], "that no page shows: ")
        for text in (
            "In 43\n% of the runs it does not converge.",
            "It is so.\n\n[^1]: Only for positive keys.",
            "It is so.\n\n[1]: positive 'keys only'",
            "[//]: # (only for positive keys)\n\nIt is so.",
            "(only for positive keys)=\n\nIt is so.",
            "+++ only for positive keys\n\nIt is so.",
            "See [a].\n\n[a]: one.ipynb\n[a]: two.ipynb",
            "::::{note}\nIn 43\n% of the runs.\n::::",
        )
    ),
    *(
        ("typed", [text], "a sentence that a ")
        for text in (
            "The difference is $s_1$\n- $s_2$, and so on.",
            "The sum is $s_1$\n+ $s_2$, and so on.",
            "The product is $s_1$\n* $s_2$, and so on.",
            "which holds for more than\n> 2 keys.",
            "as in step\n1. And so on.",
            "in which it is key\n# 3 of them.",
        )
    ),
    *(
        ("typed", [text], "a * in a word, which begins italics")
        for text in ("It is 2*3*4.", "Both q*k and k*q are.", "So (a)*b and k*(c) are.")
    ),
    ("retold", [proved(title="The\tanh law")], r"its words have the sign '\t'"),
    ("retold", [proved(text="It is 2*3*4.")], "a * in a word"),
    *(
        ("typed", [f"Then {text} is so."], message)
        for text, message in (
            ("$2^10$", "has '^10', of which one sign is raised"),
            (r"$\overbrace{a}^{2}$", r"has '\\overbrace', which in a line of characters is"),
            (r"$\stackrel{2}{x}$", r"has '\\stackrel', which in a line of characters is"),
            ("$k_10$", "has '_10'"),
            (r"$\sqrt 10$", r"has '\\sqrt 10'"),
            (r"$\frac110$", r"has '\\frac110'"),
            ("$10^-3$", "has '^-3'"),
            (r"$e^-\beta$", "has '^-'"),
            ("$log Z$", "has the word 'log'"),
            ("$max_j s_j$", "has the word 'max'"),
            ("$G(q) is convex$", "has the word 'convex'"),
            ("$5 per run and $6", "has the word 'per'"),
            ("$q % + k_1\n$", "has '%', behind which nothing is set"),
            ("$x\theta$", r"has the sign '\t', which an escape"),
            ("\n\n$$q % + k_1\n$$\n\n", "has '%', behind which"),
        )
    ),
    *(
        ("retold", [proved(text=text)], message)
        for text, message in (
            ("Here $\theta$ is so.", r"has the sign '\t'"),
            ("Here $x \neq 0$ is so.", "a formula in two lines in the words: "),
            ("Here $\frac12$ is so.", r"has the sign '\x0c'"),
            ("Here $2^10$ is so.", "has '^10'"),
        )
    ),
    *(
        ("escaped", [code(source)], message)
        for source, message in (
            ("Plane(alt='At $\\theta$.')", r"has the sign '\t'"),
            ("axes.set_xlabel('$\\beta$')", r"has the sign '\x08'"),
            ("axes.set_xlabel('$x \\neq 0$')", "in two lines: is there an r before it?"),
            ("axes.set_xlabel(f'${n}^10$')", "has '^10'"),
            ("axes.set_xlabel('$log Z$')", "has the word 'log'"),
        )
    ),
    *(
        ("typed", [text], f"a text with a dress of its own ({dress})")
        for text, dress in (
            ("It is [not]{.sd-d-none} so.", "class sd-d-none"),
            ("{.toggle}\nA condition.", "class toggle"),
            ("{.admonition}\n```text\nx\n```", "class admonition"),
            ("`x`{.output}", "class output"),
            ('[not]{style="display:none"}', "style display:none"),
            ("[x](other-page 'So E + k = d + q')", "title So E + k = d + q"),
            ("[x]{#claim-1}", "id claim-1"),
        )
    ),
    *(
        ("typed", [text], f"the option '{name}': only")
        for text, name in (
            ("```{note}\n:class: dropdown\nx\n```", "class"),
            ("```{note}\n :class: dropdown\nx\n```", "class"),
            (
                "::::{tab-set}\n:::{tab-item} A\n:class-content: sd-d-none\nx\n:::\n::::",
                "class-content",
            ),
        )
    ),
    ("retold", [proved(text="It falls by $0.37$.")], "the number 0.37"),
    ("retold", [proved(title=r"In 43$\%$ of runs")], "the number 43%"),
    ("retold", [proved(text="In `17`/$43$ of runs.")], "the number 17/43"),
    ("retold", [proved(steps=[STEP | {"remark": "by 0.37"}])], "the number 0.37"),
    ("retold", [proved(steps=[STEP | {"reason": "by $0.37$"}])], "the number 0.37"),
    ("retold", [kept(ARGUED, argument="It is 0.37.")], "the number 0.37"),
    ("retold", [kept(ARGUED, parts=[{"label": "b", "purpose": "0.37"}])], "the number 0.37"),
    ("retold", [proved(text="It falls by 2&#46;26.")], "the number 2.26"),
    ("retold", [proved(text="E[k] + x &#61; ∇G(q) + 7.")], "its words state E[k] + x = "),
    ("retold", [proved(text="So \u202eabc.")], "the sign RIGHT-TO-LEFT OVERRIDE"),
    ("retold", [proved(text=r"For $x \over y$.")], r"its words state x \over y"),
    ("retold", [proved(title="All converge, proved for all sizes")], "its title is a badge's to"),
    ("retold", [proved(steps=[STEP | {"remark": "checked numerically"}])], "a badge's to say"),
    ("retold", [proved(text="So.\n\n**Proved for all sizes.**")], "a badge's to say"),
    ("retold", [proved(text="Theorem 1. All converge. Proof. Clear.")], "or begin a theorem"),
    ("retold", [kept(ARGUED, argument="So.\n\nProof. Clear.")], "or begin a theorem"),
    *(
        ("retold", [proved(text=text)], "more than paragraphs and lists in the words")
        for text in (
            "# A heading",
            "| a |\n|---|\n| b |",
            "```text\nP is NP\n```",
            "```{note}\nx\n```",
        )
    ),
    (
        "retold",
        [
            code(
                "derive('a', x, text='It falls by 0.37.')",
                outputs=proved(text="It falls by 0.37.").outputs,
            )
        ],
        "the number 0.37",
    ),
    # pictures
    ("mute", [code(outputs=[shown(png="")])], "its picture has no alt text"),
    (
        "mute",
        [code(outputs=[shown(png="")], mystnb={"image": {"alt": "It falls by 0.37."}})],
        "its alt text: the number 0.37",
    ),
    (
        "mute",
        [
            code(
                "Plane(alt='At -0.37.')", outputs=[shown(html="<svg aria-label='At -0.37.'></svg>")]
            )
        ],
        "its alt text: the number -0.37",
    ),
    (
        "mute",
        [
            code("alt = 'At 0.37.'"),
            code("Plane(alt=alt)", outputs=[shown(html="<svg aria-label='At 0.37.'></svg>")]),
        ],
        "its alt text: the number 0.37",
    ),
    ("mute", [picture("At\theta.")], r"its alt text has the sign '\t'"),
    ("mute", [picture("Theorem 1, by us.")], "its alt text is a result's to say"),
    ("mute", [picture("It falls, proved for every q.")], "its alt text is a result's to say"),
    (
        "mute",
        [code(outputs=[shown(png="")], mystnb={"image": {"alt": " "}})],
        "its picture has no alt text",
    ),
    ("mute", [code(outputs=[shown(html="<svg></svg>")])], "its drawing has no aria-label"),
    (
        "mute",
        [code(outputs=[shown(html="<svg aria-label=''></svg>")])],
        "its drawing has no aria-label",
    ),
]


@pytest.mark.parametrize("gate, cells, message", FAULTS)
def test_a_fault_is_found(gate, cells, message):
    found = messages(getattr(chapter_gates, gate), *cells)
    assert any(message in said for said in found), found


@pytest.mark.parametrize(
    "cells",
    [
        [code("print(x)", outputs=[printed("0.37\n")]), picture("At 0.37.")],
        [code("limit = 0.37"), picture("At 0.37.")],
        [picture("At 0.37.", "<text>0.37</text>")],
        [code("alt = f'At {x:.2f}.'", outputs=[shown(html="<svg aria-label='At 0.37.'></svg>")])],
    ],
    ids=["printed", "set", "drawn", "computed"],
)
def test_an_alt_text_may_have_numbers_of_the_chapter(cells):
    assert not [found for found in messages(chapter_gates.mute, *cells) if "number" in found]


CHAPTER_GATES = [
    gate
    for gate in (*chapter_gates.FORM, *chapter_gates.GATES)
    if gate.__name__ not in ("stale", "edited")
]


@pytest.mark.parametrize("gate", CHAPTER_GATES, ids=lambda gate: gate.__name__)
def test_a_healthy_notebook_passes(gate):
    assert messages(gate, *HEALTHY) == []


@pytest.mark.parametrize(
    "gate, cells",
    [
        ("uncompared", [code(outputs=[shown(png="", plain="f")], tags=["nbval-ignore-output"])]),
        (
            "uncompared",
            [code(outputs=[shown(html=DRAWING, plain="Slider")], tags=["nbval-ignore-output"])],
        ),
        ("mute", [code(outputs=[shown(html=DRAWING)])]),
        ("drawings", [code(outputs=[shown(svg=PLOT, plain="f")])]),
        (
            "drawings",
            [
                code(
                    "ax.plot(x, color='0.8', label='values = keys')\n"
                    "ax.set_xlabel(f'$s^2={s:.2f}$, $q_1$')\n"
                    "ax.bar_label(bars, fmt='%.2f', labels='{:.3f}'.format(x))\n"
                    "ax.text(0, 0, 'at %.1f' % x)",
                    outputs=[shown(png=PNG)],
                )
            ],
        ),
        (
            "retold",
            [proved(title="A theorem", text="Theorem 1 of others is proved for all sizes.")],
        ),
        ("typed", ["See {cite}`a, b` and {cite:t}`c`."]),
        ("unforged", [code("print(type(error).__name__)")]),
        ("unforged", [code("from dataclasses import dataclass, field")]),
        ("unforged", [code("from logpartition import stats\nstats.mean(x)")]),
        ("unforged", [code("from logpartition.proof.printer import tex\ntex(x)")]),
        ("closed", [code("from torch import rand\nrand(2, generator=g)")]),
        ("closed", [code("np.random.default_rng(seed)")]),
        ("retold", [proved(title="At β = 2", text="For ±a tanh a² and “quotes”.")]),
        (
            "mute",
            [
                code(
                    outputs=[shown(png="")],
                    mystnb={"image": {"alt": "The gradient points at the nearest key."}},
                )
            ],
        ),
        (
            "typed",
            [
                "```{prf:definition} G\n:label: def-g\n\n$$G = 1$$\n```\n\n"
                "```python\nx\n```\n\n{eq}`eq-a`, {cite:t}`b` and <https://x.org>"
            ],
        ),
        ("closed", [code("import torch.nn.functional as F\nfrom logpartition import proof")]),
        ("closed", [code('earlier("a")\nread = x.reader')]),
        (
            "unforged",
            [code("from logpartition.proof.kernel.context import elaborate\nx.record.y = 1")],
        ),
        *(
            ("typed_in", [code(source, 1, [bundle(OBSERVED)])])
            for source in (
                f"{RUN}observe('a', '', measured=run(9).mean(), **shared)",
                f"{RUN}name = 'a'\nobserve(name, '', measured=run(9).mean())",
                f"{RUN}found = []\nfor n in sizes:\n    found.append(run(n))\n"
                "observe('a', '', measured=np.mean(found))",
                f"{RUN}sizes, errors = zip(*[(n, run(n)) for n in (8, 16)])\n"
                "observe_rate('a', '', sizes, errors)",
                f"{RUN}observe('a', '', measured=sum(1 for x in run(9) if x < 0.5) / 9)",
                f"{RUN}observe_rate('a', '', sizes, list(map(run, sizes)))",
                "def euler(n):\n    x = 1\n    for _ in range(n):\n        x -= x / n\n"
                "    return x\nobserve_rate('a', '', sizes, [euler(n) - 0.3679 for n in sizes])",
                "import torch\nq = torch.tensor(0.5)\ntorch.logsumexp(q, 0).backward()\n"
                "observe('a', '', measured=q.grad.item())",
                "from torch import nn\nclass Net(nn.Module):\n    def __init__(self):\n"
                "        self.a = nn.Linear(3, 3)\nobserve('a', '', measured=Net()(x).mean())",
            )
        ),
        (
            "drawings",
            [
                code(
                    'def draw(c):\n    """Of 0.37."""\n    ax.plot(c, color="0.8")\nx = run(0.37)'
                ),
                code('a = derive("a", "For $a + b = 2a$.")', 1, [bundle(record("a"))]),
                code("draw('r'); a", outputs=[shown(png=PNG)]),
            ],
        ),
        (
            "displays",
            [
                code(
                    "step = 0.25\nprint(f'step: 0.25\\nat 1.9 it is {x:.2f} of 0.3 nats')",
                    1,
                    [printed("step: 0.25\nat 1.9 it is 0.31 of 0.3 nats\n")],
                )
            ],
        ),
        (
            "comments",
            [
                code(
                    "x = 2  # what the game proves, and is observed\n# means from 1.5 to 5.5\n"
                    "step = 0.1  # 0.1 is small\n# a list, checked against torch\ntext = '# 0.37'"
                    "\n# 3 of 5 keys, 3/4 of them, in PyTorch 2.13, of arXiv 2205.01080\n"
                )
            ],
        ),
        ("displays", [code("print(f(3))", 1, [printed("expected 3.2, observed 3.4\n")])]),
        ("displays", [code("print(f(3))", 1, [printed("N = 3, checked 20 draws: cited 2\n")])]),
        ("displays", [code("print(table)", 1, [printed("N score proved\nproved, best 2\n")])]),
        (
            "typed",
            ["| a |\n|:-:|\n| b |\n\n3. c\n\n(target)=\n\n::::{note}\n:::{tip}\nx\n:::\n::::"],
        ),
        ("retold", [code("step = 0.25\n", 1), proved(text="For a step of $0.25$.\n\n- So.")]),
        ("malformed", [kept(ARGUED)]),
        ("malformed", [kept(REFUTED)]),
        ("malformed", [kept(OBSERVED)]),
        ("malformed", [kept(BOUND)]),
        ("malformed", [kept(CITED)]),
        ("malformed", [proved(mutants=count(9, 9), steps=[STEP | {"left": "a"}])]),
        *(
            ("typed", [text])
            for text in (
                "It is so.[^1]\n\n[^1]: For positive keys.",
                "See [the other][a].\n\n[a]: one.ipynb",
                "(a-place)=\n## A place",
                "Three of them:\n- $s_1$\n- $s_2$",
                "- one\n  - two of\n    - three",
                "The *n*th of *all* (*of* them), **so**-called.",
                "For $2^{10}$, $a_1 2$, $x^+ + y^- - 1$, $10^{-3}$, $\\frac12$, $\\frac1{10}$.",
                r"For $\log Z$, $\mathrm{softmax}(QK^\top)$, $x \text{ for all}$, $MSE$, $dx$.",
                r"In $43\%$ of them, and $x \in\n\mathbb{R}$.",
            )
        ),
        ("typed", ["| a | b |\n|---|---|\n| $a\\|b$ | x |\n| y |\n| `f'{x:.1%}'` | $50\\%$ |"]),
        ("typed", ["By [](#eq-a), [its](#def-a) and {eq}`eq-a`."]),
        *(
            ("closed", [code(source)])
            for source in (
                "rng = np.random.default_rng(0)\nx = rng.normal(size=3)",
                "import sympy\nsympy.binomial(4, 2)",
                "from sympy import binomial\nbinomial(4, 2)",
                "np.random.default_rng(0).normal(size=3)",
                "def sample(n):\n    return n\nsample(3)",
                "def draw(rng):\n    return rng.normal()\ndraw(np.random.default_rng(0))",
                "from numpy.random import default_rng\nrng = default_rng(0)\nrng.normal()",
                "g = [np.random.default_rng(s) for s in range(3)]\n[r.normal() for r in g]",
                "a, b = np.random.default_rng(0), np.random.default_rng(1)\nb.normal()",
                "rng: np.random.Generator = np.random.default_rng(0)\nrng.normal()",
                "self.rng = np.random.Generator(np.random.PCG64(3))\nself.rng.normal()",
                "from scipy.cluster.vq import kmeans2\nkmeans2(y, 3, rng=0)",
                "import scipy\nscipy.optimize.brentq(f, 0, 1)\nmodel.eval()",
                "g = torch.Generator().manual_seed(0)\ntorch.empty(3).normal_(generator=g)",
                "torch.manual_seed(0)\nnn.Linear(2, 3)",
                "nn.Softplus()(nn.functional.normalize(x))",
            )
        ),
        ("escaped", [code("axes.set_xlabel(r'$\\theta \\neq 10^{-3}$')")]),
        ("escaped", [code("print('$x = %.2f$, $y = {value:.1f}$, a\\tb' % x)")]),
        ("retold", [kept(CITED, text="For $a + b = b + a$, as they say.")]),
        ("retold", [kept(ARGUED, text="Then $a + b = b + a$.")]),
    ],
)
def test_what_is_allowed_passes(gate, cells):
    assert messages(getattr(chapter_gates, gate), *cells) == []


# what was stored by a run


@pytest.fixture
def sealed(tmp_path):
    """A chapter of every kind of output, sealed for a project of two files."""
    (tmp_path / "lib" / "logpartition").mkdir(parents=True)
    (tmp_path / "book").mkdir()
    (tmp_path / "requirements.txt").write_text("numpy==1.0  # a pin\n")
    (tmp_path / "lib" / "logpartition" / "stats.py").write_text("x = 1\n")
    made = notebook(
        code("print(1)", 1, [printed("1\n")]),
        code("plot()", 2, [shown(png="AAAA", plain="f")]),
        result("a", 3),
    )
    return tmp_path, seal.seal(made, tmp_path)


EDITS = {
    "the text": lambda cells: cells[0].outputs[0].update(text="2\n"),
    "a picture": lambda cells: cells[1].outputs[0].data.update({"image/png": "BBBB"}),
    "the time of a run": lambda cells: cells[2].outputs[0].metadata.update(seconds=0.1),
    "an output that was added": lambda cells: cells[0].outputs.append(printed("2\n")),
    "an output that was taken away": lambda cells: cells[0].outputs.clear(),
    **{
        f"the {key}": (
            lambda key: lambda cells: cells[2].outputs[0].data[RESULT].update({key: "x"})
        )(key)
        for key in (
            "statement",
            "verdict",
            "assumptions",
            "mutants",
            "scope",
            "uses",
            "steps",
            "title",
            "claims",
        )
    },
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_output_edited_after_the_run_is_found(sealed, edit):
    root, made = sealed
    assert list(chapter_gates.edited(made, root)) == []
    EDITS[edit](made.cells)
    assert (
        "holds outputs that are not those of its run"
        in list(chapter_gates.edited(made, root))[0][1]
    )


@pytest.mark.parametrize(
    "key, said",
    [("python", "3.11, checked"), ("python", "3.11.7proved"), ("inputs", "x"), ("by", "me")],
)
def test_a_seal_that_says_something_is_found(sealed, key, said):
    _, made = sealed
    assert list(chapter_gates.malformed(made, None)) == []
    made.metadata["logpartition"][key] = said
    ((_, found),) = chapter_gates.malformed(made, None)
    assert found == f"has the seal {key}: {said}"


def test_a_python_that_no_pin_is_made_for_is_found(sealed):
    _, made = sealed
    made.metadata["logpartition"]["python"] = "3.99.1"
    ((_, found),) = chapter_gates.malformed(made, None)
    assert found == "was run by Python 3.99.1, which no pin of requirements.txt is made for"


def test_a_stale_notebook_is_found(sealed):
    root, made = sealed
    assert list(chapter_gates.stale(made, root)) == []
    (root / "lib" / "logpartition" / "stats.py").write_text("x = 2\n")
    assert "is stale" in list(chapter_gates.stale(made, root))[0][1]


# the book as a whole, as a small book of two chapters


@pytest.fixture
def small_book(tmp_path):
    """Writes a book of these chapters, each a list of records' keys, and this library module."""

    def write(chapters, module='def mean(x):\n    """m. Derived in: mean"""\n', claims=()):
        book, library = tmp_path / "book", tmp_path / "lib" / "logpartition"
        book.mkdir()
        library.mkdir(parents=True)
        (library / "stats.py").write_text(module)
        (tmp_path / "requirements.txt").write_text("")
        (tmp_path / "_toc.yml").write_text(
            "root: index\nchapters:\n" + "".join(f"- file: {slug}\n" for slug in chapters)
        )
        (tmp_path / "_config.yml").write_text((ROOT / "_config.yml").read_text())
        (tmp_path / "CITATION.cff").write_text(
            "version: 1.2.3\ntitle: Attention Is a Gradient\n"
            'authors:\n  - name: The authors of "Attention Is a Gradient"\n'
        )
        (book / "index.md").write_text(FRONT)
        (book / "claims.yaml").write_text(
            yaml.safe_dump(
                {"chapters": ["one", "two"], "claims": list(claims), "beyond": []}, sort_keys=False
            )
        )
        for slug, records in chapters.items():
            store(notebook(*(result(**keys) for keys in records)), book / f"{slug}.ipynb", tmp_path)
        (book / "addresses.txt").write_text("\n".join(addresses.current(tmp_path)))
        results = {
            keys["label"]: {"tried": 5, "killed": 5, "chapter": slug}
            for slug, records in chapters.items()
            for keys in records
        }
        stamps = {slug: seal.inputs(read(book / f"{slug}.ipynb"), tmp_path) for slug in chapters}
        audit = sealed_audit(
            {
                "chapters": stamps,
                "results": results,
                "tried": 5 * len(results),
                "killed": 5 * len(results),
            }
        )
        (book / "audit.json").write_text(json.dumps(audit))
        return tmp_path

    return write


WEAK = [{"label": "mean", "verdict": "checked"}]
CHECKED = dict(label="mean", verdict="checked")
MIDDLE = dict(label="b", uses=["mean"], rests=WEAK, verdict="checked")
CORRECTS = {"corrected": "mean", "correction": "$$a = c$$"}
MEAN = dict(label="mean", certifies=["logpartition.stats.mean"], terms={})
CLAIM = {
    "id": "c1",
    "seed": "000",
    "where": "p. 1",
    "statement": "s",
    "verdict": "CORRECT",
    "proof": "p",
    "chapter": "one",
}


def findings(gate, root):
    return [str(finding) for finding in gate(root)]


def test_a_small_book_passes(small_book):
    root = small_book(
        {"one": [MEAN | {"claims": ["c1"]}], "two": [dict(label="b", uses=["mean"])]},
        claims=[CLAIM],
    )
    assert [
        finding
        for gate in (*book_gates.FILES, *book_gates.GATES)
        for finding in findings(gate, root)
    ] == []


@pytest.mark.parametrize("label, found", [("b", []), ("a", ["'a'"]), ("draft", ["'draft'"])])
def test_what_a_chapter_takes_is_of_another_chapter(label, found, small_book):
    """None of a draft, which no hash knows."""
    root = small_book({"one": [dict(label="a")], "two": [dict(label="b")]})
    store(notebook(result("draft")), root / "book" / "three.ipynb", root)
    cells = result("a"), code(f"earlier('{label}')")
    store(notebook(*cells), root / "book" / "one.ipynb", root)
    said = "book/one.ipynb: takes {} by `earlier`, which no other chapter has"
    assert findings(book_gates.labels, root) == [said.format(one) for one in found]


def test_a_claim_without_mathematics_needs_no_result(small_book):
    root = small_book({"one": [dict(label="a")]}, claims=[CLAIM | {"verdict": "PROSE"}])
    assert findings(book_gates.answers, root) == []


@pytest.mark.parametrize(
    "gate, chapters, message",
    [
        (
            "labels",
            {"one": [dict(label="a")], "two": [dict(label="a")]},
            "two.ipynb: result a: its label is given to more than one",
        ),
        (
            "labels",
            {"one": [dict(label="a", title="T")], "two": [dict(label="b", title="T")]},
            "two.ipynb: result b: its title is given to more than one",
        ),
        (
            "labels",
            {"one": [dict(label="a", uses=["gone"])]},
            "one.ipynb: result a: uses 'gone', a label that no result has",
        ),
        (
            "labels",
            {"one": [dict(label="a", uses=["b"])], "two": [dict(label="b", uses=["a"])]},
            "rests on itself: ",
        ),
        (
            "foundations",
            {"one": [CHECKED, dict(label="a", uses=["mean"])]},
            "one.ipynb: result a: does not say that it rests on mean (checked)",
        ),
        (
            "foundations",
            {"one": [dict(label="mean"), dict(label="a", uses=["mean"], rests=WEAK)]},
            "one.ipynb: result a: says that it rests on mean (checked)",
        ),
        (
            "foundations",
            {"one": [CHECKED, dict(label="a", uses=["mean"], rests=WEAK)]},
            "one.ipynb: result a: says proved, and uses mean, which is not",
        ),
        (
            "foundations",
            {"one": [CHECKED, MIDDLE, dict(label="a", uses=["b"], verdict="checked")]},
            "one.ipynb: result a: does not say that it rests on b (checked)",
        ),
        (
            "foundations",
            {"one": [dict(label="mean"), dict(label="a", uses=["mean"], **CORRECTS)]},
            "one.ipynb: result a: its correction is not what mean says",
        ),
        (
            "answers",
            {"one": [dict(label="a", claims=["c9"])]},
            "answers 'c9', which is not in claims.yaml",
        ),
        ("answers", {"one": [dict(label="a")]}, "one.ipynb: claim c1 is answered by no result"),
        (
            "certificates",
            {"one": [dict(label="a")]},
            "logpartition.stats.mean says that it is derived in 'mean'",
        ),
        (
            "certificates",
            {"one": [dict(label="mean")]},
            "logpartition.stats.mean says that it is derived in 'mean'",
        ),
        (
            "certificates",
            {"one": [dict(label="a", certifies=["logpartition.stats.median"])]},
            "which is no public function",
        ),
        (
            "certificates",
            {"one": [dict(label="a", certifies=["logpartition.stats.mean"])]},
            "whose docstring does not say",
        ),
    ],
)
def test_a_fault_between_chapters_is_found(gate, chapters, message, small_book):
    root = small_book(chapters, claims=[CLAIM])
    assert any(message in finding for finding in findings(getattr(book_gates, gate), root))


OLD = '{"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": []}'


LATER = '{"nbformat": 4, "nbformat_minor": 9, "metadata": {}, "cells": []}'


def formed(**change):
    """The text of a notebook whose cell has this form."""
    return json.dumps(notebook(code()) | {"cells": [code(id="x") | change]})


FILES = [
    # file, what is in it, gate, message
    (
        "_toc.yml",
        "root: index\nchapters:\n- file: sub/y\n",
        "contents",
        "lists 'sub/y': a page is named by its slug",
    ),
    (
        "_toc.yml",
        "root: index\nchapters:\n- file: one.ipynb\n",
        "contents",
        "lists 'one.ipynb': a page is named by its slug",
    ),
    (
        "_toc.yml",
        "root: index\nchapters:\n- file: gone\n",
        "contents",
        "lists gone: book/ has neither a notebook nor a .md file",
    ),
    ("_toc.yml", "root: index\nchapters:\n- glob: '*'\n", "contents", "has the key 'glob'"),
    ("_toc.yml", "root: index\nchapters:\n- url: https://x.org\n", "contents", "has the key 'url'"),
    (
        "_toc.yml",
        "root: index\nchapters:\n- file: one\n  title: P = NP\n",
        "contents",
        "has the key 'title'",
    ),
    ("_toc.yml", "root: one\n", "contents", "its root is 'one'"),
    (
        "_toc.yml",
        "root: index\nchapters:\n- file: one\n- file: one\n",
        "contents",
        "lists one 2 times",
    ),
    (
        "_toc.yml",
        "<<<<<<< ours\nroot: index\n=======\nroot: one\n>>>>>>> theirs\n",
        "contents",
        "(a merge left its marks in line 1)",
    ),
    ("_toc.yml", "[]\n", "contents", "is no table of contents"),
    (
        "book/one.md",
        "# Another page of that name\n",
        "contents",
        "lists one: book/ has one.ipynb and one.md",
    ),
    ("book/one.ipynb", '{"cells": [', "chapters", "book/one.ipynb: is not a notebook"),
    ("book/one.ipynb", "", "chapters", "book/one.ipynb: is not a notebook"),
    ("book/one.ipynb", "{}", "chapters", "book/one.ipynb: is not a notebook"),
    ("book/one.ipynb", OLD, "chapters", "is not a notebook: of nbformat 4.5, but of 3.0"),
    ("book/one.ipynb", LATER, "chapters", "is not a notebook: of nbformat 4.5, but of 4.9"),
    *(
        ("book/one.ipynb", formed(**change), "chapters", "book/one.ipynb: is not a notebook: ")
        for change in (
            {"metadata": {"tags": None}},
            {"source": 5},
            {"outputs": None},
            {"execution_count": "1"},
            {"source": "\ud800"},
        )
    ),
    (
        "_toc.yml",
        "root: index\nchapters: &a\n- file: one\n  sections: *a\n",
        "contents",
        "is no table of contents: RecursionError",
    ),
    (
        "book/claims.yaml",
        "{chapters: 5, claims: [], beyond: []}",
        "statements",
        "chapters: 5 is not of type 'array'",
    ),
    (
        "book/claims.yaml",
        "{chapters: [2020-99-99], claims: [], beyond: []}",
        "statements",
        "claims.yaml: is not YAML: month must be in 1..12",
    ),
    ("book/audit.json", "[" * 9999, "audited", "audit.json: cannot be read: "),
    (
        "book/one.ipynb",
        '{\n<<<<<<< ours\n"cells": []\n=======\n>>>>>>> theirs\n}',
        "chapters",
        "(a merge left its marks in line 2)",
    ),
    (
        "lib/logpartition/stats.py",
        "def mean(x:\n",
        "library",
        "logpartition/stats.py: is not Python: ",
    ),
    ("book/helper.py", "x = (\n", "library", "book/helper.py: is not Python: "),
    *(
        (path, f"# -*- coding: {coding} -*-\n", "library", f"is not Python: {said}")
        for path, coding, said in (
            (f"{book_gates.TOOLS}/graph.py", "latin-1", "it says that it is iso-8859-1"),
            ("lib/logpartition/stats.py", "nothing", "unknown encoding: nothing"),
        )
    ),
    (
        "book/_ext/logpartition_book/pages_BACKUP_1.py",
        "x = 1\n<<<<<<< ours\n",
        "library",
        "pages_BACKUP_1.py: is not Python: invalid syntax (line 2) (a merge left its marks in line",
    ),
    (
        "book/stray.ipynb",
        json.dumps(notebook(code())),
        "unlisted",
        "book/stray.ipynb: is not in _toc.yml",
    ),
    ("book/stray.md", "# S\n", "unlisted", "book/stray.md: is not in _toc.yml"),
    (
        "_toc.yml",
        "root: index\nparts:\n- caption: P = NP\n  chapters:\n  - file: one\n",
        "contents",
        "a caption is a few words",
    ),
    (
        "_toc.yml",
        "root: index\nparts:\n- caption : P = NP\n  chapters:\n  - file: one\n",
        "contents",
        "a caption is a few words",
    ),
    (
        "_toc.yml",
        "root: index\nparts:\n- caption: Words\n    and P = NP\n  chapters:\n  - file: one\n",
        "contents",
        "has the caption 'Words and P = NP'",
    ),
    *(
        (
            "_toc.yml",
            f"root: index\nparts:\n- {said}\n  chapters:\n  - file: one\n",
            "contents",
            what,
        )
        for said, what in (
            ("caption: In 43 of 99", "has the caption 'In 43 of 99'"),
            ("caption: Theorems, proved", "has the caption 'Theorems, proved'"),
            ("caption: Lemmas, proven and cited", "has the caption 'Lemmas, proven and cited'"),
            ("numbered: false", "has numbered: False"),
        )
    ),
    (
        "_toc.yml",
        "root: index\nchapters:\n- file: search\n",
        "contents",
        "lists search, and Sphinx",
    ),
    ("_config.yml", "title: T\nlatex: {}\n", "settings", "sets latex, which no gate knows"),
    (
        "_config.yml",
        "execute: {execute_notebooks: force}\n",
        "settings",
        "execute.execute_notebooks is not off",
    ),
    (
        "_config.yml",
        "sphinx: {config: {html_js_files: [https://x.org/x.js]}}\n",
        "settings",
        "sets sphinx.config.html_js_files, which no gate knows",
    ),
    ("_config.yml", "- a\n", "settings", "is no configuration of the book"),
    *(
        ("_config.yml", "execute: {execute_notebooks: 'off'}\n" + text, "settings", message)
        for text, message in (
            ("", "does not set title: "),
            ("html: {use_multitoc_numbering: false}\n", "sets html.use_multitoc_numbering to F"),
            ("", "does not set parse.myst_enable_extensions: "),
            ("sphinx: {config: {numfig: false}}\n", "sets sphinx.config.numfig to False"),
            (
                "sphinx: {config: {html_theme_options: {footer_content_items: [x.html]}}}\n",
                "sets sphinx.config.html_theme_options.footer_content_items to ['x.html']",
            ),
            ("title: P = NP\n", "sets title to 'P = NP'"),
            ("title: P is NP, in 43 steps\n", "sets title to 'P is NP, in 43 steps'"),
            ("title: P is NP, proved\n", "sets title to 'P is NP, proved'"),
            ("copyright: (c) 2026\n", "sets copyright to '(c) 2026'"),
            ("copyright: 2026, in 43 runs\n", "sets copyright to '2026, in 43 runs'"),
            (
                "sphinx: {config: {html_context: {default_mode: '<b>'}}}\n",
                "sets sphinx.config.html_context.default_mode to '<b>'",
            ),
            ("logo: equation.png\n", "sets logo to 'equation.png'"),
            ("parse: {myst_enable_extensions: [substitution]}\n", "sets parse.myst_enable_exten"),
            ("sphinx: {config: {extensions: [myst_nb]}}\n", "sets sphinx.config.extensions to"),
            ("sphinx: {config: {html_permalinks_icon: ∎}}\n", "sets sphinx.config.html_permalinks"),
            (
                "sphinx: {config: {html_theme_options: {announcement: P}}}\n",
                "sets sphinx.config.html_theme_options.announcement, which no gate knows",
            ),
            (
                "sphinx: {config: {html_context: {theme_footer: P}}}\n",
                "sets sphinx.config.html_context.theme_footer, which no gate knows",
            ),
        )
    ),
    ("CITATION.cff", "", "card", "CITATION.cff: has no version: "),
    ("CITATION.cff", "version: 0.10\n", "card", "has the version 0.1: it has to be like 1.0.0"),
    ("CITATION.cff", "version: 1.2.dev\n", "card", "has the version '1.2.dev': it has to be like"),
    ("CITATION.cff", "version: [\n", "card", "CITATION.cff: has no version: CITATION.cff is not"),
    ("CITATION.cff", "- version\n", "card", "CITATION.cff: has no version: "),
    ("CITATION.cff", "version: 1.2.3\n", "card", "needs `authors`, each with a `name`"),
    ("CITATION.cff", "version: 1.2.3\ntitle: 5\n", "card", "has the title 5: it has to be words"),
    (
        "CITATION.cff",
        "version: 1.2.3\nauthors:\n- family-names: A\n",
        "card",
        "needs `authors`, each with a `name`",
    ),
    ("book/citing.md", "```bibtex\n@misc{a, title = {A}\n```\n", "editions", "has BibTeX that"),
    (
        "book/references.bib",
        '@string{yr = "2009"}\n@misc{a2020,\n  title = {A},\n  year = yr\n}\n',
        "entered",
        "has an entry that does not begin with `@kind{key,`, or text outside",
    ),
    (
        "book/claims.yaml",
        "claims:\n- statement: A\n  id: c1\nbeyond: []\n",
        "entered",
        "has an entry that does not begin with `- id:",
    ),
    (
        "book/claims.yaml",
        "claims:\n- id: c1\n  statement: &a A\n- id: c2\n  statement: *a\nbeyond: []\n",
        "entered",
        "has a, by which one entry says what another does",
    ),
    (
        "book/claims.yaml",
        "claims:\n- id: c1\n  statement:\n    &a A\n- id: c2\n  'statement': *a\nbeyond: []\n",
        "entered",
        "has a, by which one entry says what another does",
    ),
    (
        "book/claims.yaml",
        "claims:\n- id: c1\n  statement: !!str &a A\nbeyond: []\n",
        "entered",
        "has a, by which one entry says what another does",
    ),
    ("book/index.md", "# F\n\nSee [](#sec-a).\n", "worded", "[](#sec-a) has no words: write"),
    ("book/index.md", "# F\n\nSee [ ](b.md#c).\n", "worded", "[ ](b.md#c) has no words: write"),
    ("book/index.md", "# F\n\nSee {ref}`sec-a`.\n", "worded", "{ref}`sec-a` has no words: write"),
    ("book/_static/book.js", 'f(".lp-unread-note");\n', "looks", "has to do with what is unread"),
    (
        "book/index.md",
        "# F\n\nVersion 1.2.2\n",
        "editions",
        "says version 1.2.2, and CITATION.cff 1.2.3",
    ),
    (
        "book/index.md",
        "# F\n\nVersion 1.2.3.dev\n",
        "editions",
        "says version 1.2.3.dev, and CITATION.cff 1.2.3",
    ),
    (
        "CITATION.cff",
        "title: Attention Is No Gradient\nversion: 1.2.3\n",
        "editions",
        "has the title 'Attention Is a Gradient', and CITATION.cff not",
    ),
    (
        "CITATION.cff",
        "title: Attention Is a Gradient\nversion: 1.2.3\nauthors:\n  - name: A. Meier\n",
        "editions",
        "has the author 'The authors of",
    ),
    (
        "CITATION.cff",
        "version: 1.2.3\ndate-released: 2027-01-02\n",
        "editions",
        "has the copyright of 2026, and CITATION.cff says 2027",
    ),
    *(
        (
            "book/citing.md",
            f"# C\n\n```bibtex\n@misc{{a, {said}}}\n```\n",
            "editions",
            f"citing.md: has the {message}",
        )
        for said, message in (
            ("title={{Attention Is All}}", "title 'Attention Is All', and the book has"),
            ("author={{A. Meier}}", "author 'A. Meier', and the book has"),
            ("year={2027}", "year '2027', and the book has '2026'"),
        )
    ),
    (
        "LICENSE",
        "Copyright (c) 2025-2027, the authors\n",
        "editions",
        "has the copyright of 2026, and LICENSE says 2027",
    ),
    *(
        ("book/index.md", f"# F\n\n{said}\n", "editions", "says version 8.8")
        for said in ("version\n8.8", "version\u00a08.8.0", "release v8.8", "version = {8.8.1}")
    ),
    *(
        ("book/references.bib", text, "bibliography", message)
        for text, message in (
            ("@misc{a, title={X\n", "references.bib: is no bibliography: "),
            ("@misc{a, title={X} year={2020}}\n", "references.bib: is no bibliography: "),
            ("@misc{a, year=1}\n@misc{a, year=1}\n", "repeated bibliography entry: a"),
            ("@post{a, title={X}}\n", "references.bib: a is of the kind 'post'"),
        )
    ),
    *(
        ("book/references.bib", text, "references", message)
        for text, message in (
            ("@misc{of2020, title={X}}\n", "references.bib: of2020 is cited by no page"),
            ("@misc{a, title={X}}\n", "a has no year"),
            ("@misc{a, year={2020}}\n", "a has no title"),
            ("@misc{a, title={X}, booktitle={X 2020}}\n", "a has no year"),
            ("@misc{a, title={X}, year={2020}}\n", "a has neither an author nor an editor"),
            ("@misc{a, year={20200}}\n", "a has the year 20200"),
            ("@misc{a, note={It is $a+b=c+7$}}\n", "a has the note It is $"),
            ("@misc{a, note={In 43\\% of runs}}\n", "a has the note In 43"),
            ("@misc{a, doi={not a doi}}\n", "a has the doi not a doi"),
            ("@misc{a, url={javascript:alert(1)}}\n", "a has the url javascript:"),
            ("@misc{a, annote={Proved by us}}\n", "a has the annote Proved by us"),
            ("@misc{a, note={Proved for all sizes by us}}\n", "a has the note Proved for"),
            ("@misc{a, note={E[k] ≤ G(q)}}\n", "a has the note E[k] ≤ G(q)"),
            ("@misc{a, note={E[k] {\\leq} G(q)}}\n", "a has the note E[k] {"),
            ("@misc{a, note={The mean is 2.26}}\n", "a has the note The mean"),
            ("@misc{a, note={In 43 percent}}\n", "a has the note In 43 percent"),
            ("@misc{a, eprint={9999.99999}}\n", "a has the eprint 9999.99999"),
            ("@misc{a, pages={43 of 17}}\n", "a has the pages 43 of 17"),
            ("@misc{a, edition={Verified}}\n", "a has the edition Verified"),
            ("@misc{a, number={proved}}\n", "a has the number proved"),
            ("@misc{a, note={All of it verified}}\n", "a has the note All of it"),
            ("@misc{a, author={E[k] = 7}}\n", "a has the person "),
            ("@misc{front, title={X}}\n", "front is cited by no page"),
            (
                "@misc{a, eprint={2205.01080}, doi={10.48550/arXiv.2206.01080}}\n",
                "a is more than one paper: 2205.01080, 2206.01080",
            ),
            (
                "@misc{a, eprint={2205.01080}, url={https://arxiv.org/abs/2205.01081}}\n",
                "a is more than one paper: 2205.01080, 2205.01081",
            ),
            (
                "@misc{a, eprint={2205.01080}, year={2021}}\n",
                "a has the year 2021, and 2205.01080 is of 2022",
            ),
            (
                "@article{a, journal={arXiv preprint arXiv:2205.01080}, year={2025}}\n",
                "a has the year 2025, and 2205.01080 is of 2022",
            ),
            (
                "@article{a, journal={CoRR}, volume={abs/2205.01080}, year={2021}}\n",
                "a has the year 2021, and 2205.01080 is of 2022",
            ),
            (
                "@inproceedings{a, booktitle={Proceedings of X 2019}, year={2023}}\n",
                "a has the year 2023, in Proceedings of X 2019",
            ),
            *(
                (f"@misc{{a, {one}}}\n@misc{{b, {other}}}\n", "b is a a second time: ")
                for one, other in (
                    ("doi={10.1/x}", "doi={10.1/X}"),
                    ("eprint={2205.01080}", "eprint={2205.01080}"),
                    ("url={https://x.org/a}", "url={https://x.org/a}"),
                    (
                        "title={On {A}ttention}, author={Li, An}, year={2021}",
                        "title={On attention.}, author={Li, A.}, year={2022}",
                    ),
                )
            ),
        )
    ),
    *(
        (name, "", "unlisted", f"{'/'.join(name.split('/')[-2:])}: is none of the book's files")
        for name in (
            "book/data.csv",
            "book/.data.csv",
            "book/sympy.py",
            "book/_static/new.css",
            "book/_static/helper.py",
            "book/_static/sub/book.css",
            "book/_ext/sphinx_togglebutton.py",
            "book/_ext/sphinx_proof/__init__.py",
            "book/_ext/sympy.so",
            f"{book_gates.TOOLS}/node_modules/katex/package.json",
            f"{book_gates.TOOLS}/unread/__init__.pyc",
            f"{book_gates.TOOLS}/theme.abi3.so",
            f"{book_gates.TOOLS}/templates/sections/footer.html",
            f"{book_gates.TOOLS}/__pycache__/pages.py",
            "lib/numpy.py",
            "lib/logpartition/data.csv",
            "lib/logpartition/__pycache__/secret.py",
            "lib/logpartition/__pycache__/secret.pyc",
            "lib/logpartition/x.egg-info/secret.py",
        )
    ),
    *(
        (name, "", "unlisted", f"{name.split('/')[0]}: is imported in place of what is installed")
        for name in (
            "nbformat.py",
            "sphinx/__init__.py",
            "numpy/__init__.pyc",
            "numpy.abi3.so",
            "json.py",
            "logpartition_book/__init__.py",
        )
    ),
    *(
        ("book/_ext/package-lock.json", json.dumps(lock), "unlisted", f"lock.json: {message}")
        for lock, message in (
            ({"packages": {"katex": {"version": "1"}}}, "katex has to have its hash"),
            (
                {"packages": {"katex": {"integrity": "sha512-a", "resolved": "../katex"}}},
                "katex has to have its hash, and neither",
            ),
            ({"packages": {"katex": {"integrity": "a", "link": True}}}, "katex has to have its"),
            ([], "is no lock of packages"),
            ({"packages": []}, "is no lock of packages"),
        )
    ),
    *(
        (
            "book/_static/book.css",
            f"{said}\n",
            "looks",
            f"book.css: hides or says something: {what}",
        )
        for said, what in (
            ("b::after{content:' and proved for all sizes'}", "and proved for all sizes"),
            ('b::after{c\\6f ntent:"proved"}', "proved"),
            ("b::after { content: var(--said) }", "var"),
            ("@import 'x.css';", "@import"),
            ("b::after { content: '≥' }", "≥"),
            ("li { list-style-type: 'proved ' }", "list-style-type: 'proved"),
            ("p { text-overflow: 'proved' }", "text-overflow: 'proved"),
            ("q { quotes: 'proved' '' }", "quotes:"),
            ("@counter-style x { symbols: 'proved' }", "@counter-style"),
            (".lp-\\62 adge { color: red }", ".lp-\\62 adge"),
            ("#eq-softmax { display: none }", "#eq-softmax"),
            ("#eq-softmax { & .lp-badge { opacity: 0 } }", "#eq-softmax"),
            ("[id^=eq-s] .lp-badge { opacity: 0 }", "[id^=eq-s] .lp-badge"),
            ("a[href*=errata] { display: none }", "a[href*=errata]"),
            (".lp-result:nth-of-type(2n) { opacity: 0 }", ".lp-result:nth-of-type(2n)"),
            (".lp-result:target .lp-badge { display: none }", ".lp-result:target .lp-badge"),
            (".lp-result:hover { & .lp-badge { opacity: 0 } }", ".lp-result:hover"),
            ("a:visited { outline: 0; color: #fff }", "a:visited"),
            ("@media (width: 1000px) { p { opacity: 0 } }", "@media (width: 1000px)"),
            ("@media print and (color) { p { opacity: 0 } }", "@media print and (color)"),
            ("@media (pointer: coarse) { .lp-badge { opacity: 0 } }", ".lp-badge"),
            ("@supports (top: 0) { p { opacity: 0 } }", "@supports (top: 0)"),
            ("@keyframes a { 99% { opacity: 0 } }", "@keyframes a"),
            (".lp-badge { animation: a 9s 99s }", "animation:"),
            (".lp-badge { transition-delay: 9s }", "transition-delay:"),
            (".lp-badge { transition: none 0s, opacity 9s }", "transition:"),
            (".lp-badge { ANIMATION: a 9s }", "ANIMATION:"),
            ('b::after { conte\\nt: "proved" }', "proved"),
            ('b::after { CONTENT: "proved" }', "proved"),
            ('b::after { content: "" "○" "●" }', '"" "○" "●"'),
            ("b::after { content: counter(x) }", "counter(x)"),
            ("b { counter-reset: page 99 }", "counter-reset:"),
            ("b::after { content: VAR(--said) }", "VAR"),
            ("b::after { content: ATTR(title) }", "ATTR"),
            ('b { background: URL("data:image/svg+xml,proved") }', "URL"),
            ("b { background: image-set('a.svg' 1x) }", "image-set"),
            ("b { background: src('a.svg') }", "src"),
            ("li { LIST-STYLE: 'x' }", "LIST-STYLE: 'x'"),
            ("p { Text-Overflow: 'x' }", "Text-Overflow: 'x'"),
            ("q { QUOTES: 'x' 'x' }", "QUOTES:"),
            ("p { text-emphasis: '●' }", "text-emphasis:"),
            ("p { hyphenate-character: '●' }", "hyphenate-character:"),
            ("p { --said: 'proved' }", "proved"),
            ("a { color: red } p::after { content: 'pro", "'"),
            (":root { --a: '/*'; color: url(x); --b: '*/' }", "url"),
            *(
                (f".lp-badge{said} {{ opacity: 0 }}", f".lp-badge{said}")
                for said in (
                    ":HOVER",
                    ":Target",
                    ":NTH-CHILD(3)",
                    ":valid",
                    ":open",
                    ":popover-open",
                    ":placeholder-shown",
                    "::selection",
                )
            ),
        )
    ),
    (
        "book/_static/favicon.svg",
        "<svg><text>P</text></svg>",
        "looks",
        "is no icon, but has <text>",
    ),
    ("book/index.md", "# F\n\n>>>>>>> theirs\n", "texts", "a merge left its marks in line 3"),
    *(
        (f"book/_ext/logpartition_book/{name}", "<<<<<<< ours\n", "texts", "in line 1)")
        for name in (
            "templates/404.html",
            "templates/sections/footer.html",
            "static/try.js",
            "bench/compile.mjs",
        )
    ),
    *(
        (
            f"book/{name}",
            "a\n=======\n",
            "texts",
            f"{name}: is not one text (a merge left its marks",
        )
        for name in ("references.bib", "claims.yaml", "_static/book.css")
    ),
    ("book/index.md", "\ufeff# F\n", "texts", "it begins with a byte order mark"),
    ("book/redirects.txt", "one#b one#a\none#b one\n", "permanence", "away from one#b twice"),
    ("book/redirects.txt", "one#b one\n", "permanence", "one#b leads to its own page"),
    (
        "book/page.md",
        "# P\n\n```{raw} html\n<b>\n```\n",
        "pages",
        "book/page.md: the directive {raw}",
    ),
    (
        "book/page.md",
        "---\nsubstitutions: {x: 1}\n---\n\n# P\n",
        "pages",
        "its metadata says 'substitutions: {x: 1}'",
    ),
    *(
        ("book/index.md", front, "legend", "has not each badge once")
        for front in (
            "# Front\n",
            FRONT.replace("| [observed]{.lp-badge} | Words. |\n", ""),
            f"{FRONT}| [observed]{{.lp-badge}} | Words. |\n",
            FRONT.replace("[observed]", "[proved]"),
            FRONT.replace("[observed]{.lp-badge} | Words.", "P is NP. | [observed]{.lp-badge}"),
            f"{FRONT}\nP is NP. [proved]{{.lp-badge}}\n",
            f"{FRONT}\n| badge | P is NP. |\n|---|---|\n| [proved]{{.lp-badge}} | So it is. |\n",
        )
    ),
    ("book/ledger.md", "# L\n", "tables", "has the directive {ledger} 0 times"),
    (
        "book/trust.md",
        "# T\n\n:::{trusted}\n:::\n\n- x\n\n  :::{trusted}\n  :::\n",
        "tables",
        "has the directive {trusted} 2 times",
    ),
    ("book/index.md", "# F\n\n```{try} a\n```\n", "tables", "has the directive {live} 0 times"),
    (
        "book/references.md",
        "# R\n\n````\n```{bibliography}\n```\n````\n",
        "tables",
        "has the directive {bibliography} 0 times",
    ),
    (
        "book/page.md",
        "# P\n\n::::{note}\n:::{ledger}\n:::\n::::\n",
        "tables",
        "book/page.md: has the directive {ledger}, which is of another page",
    ),
    ("book/page.md", "# P\n\n# Q\n", "headed", "book/page.md: has a second title: Q"),
    ("book/page.md", "# P\n\nP is\nNP\n====\n", "headed", "has a second title: P is"),
    ("book/notation.md", "# N\n\n{math}`a = b`\n", "pages", "book/notation.md: the role {math}"),
    ("book/addresses.txt", "one\none#b\n", "permanence", "one#b is gone, and readers may hold it"),
    ("book/redirects.txt", "one#../../evil one#a\n", "permanence", "../../evil is no name"),
    ("book/redirects.txt", "one#b\n", "permanence", "line 1: needs two addresses"),
    ("book/redirects.txt", "one#b one#a\n", "permanence", "one#b was never published"),
    ("book/redirects.txt", "one#a one\n", "permanence", "one#a is there: nothing leads away"),
    ("book/redirects.txt", "two#b one#a\n", "permanence", "two#b is no result of a page"),
    (
        "book/redirects.txt",
        "one#b one#c\n",
        "permanence",
        "one#b leads to one#c, which is not there",
    ),
    ("book/addresses.txt", "one\n", "permanence", "1 addresses are not on the list, one#a for one"),
]


@pytest.mark.parametrize("new, again", [("two#a", []), ("two#b", ["two#a"]), ("one#c", ["two#a"])])
def test_a_label_that_was_published_is_no_other_results(new, again, tmp_path):
    """It may have moved to another chapter."""
    there = {"one", "two", "two#a", "two#b", "one#c", "two#na"}
    found = book_gates.redirections(tmp_path, {"one#a": new}, there, {"one#a"})
    said = [f"a was a label on one#a, and is another's: {one}" for one in again]
    assert [finding.message for finding in found] == said


def test_long_output_is_read_in_a_moment():
    """A number takes the same time wherever it stands."""
    line = " ".join(f"0.{number}" for number in range(10000, 40000))
    start = time.monotonic()
    assert messages(chapter_gates.displays, code("print(f(3))", outputs=[printed(line)])) == []
    assert time.monotonic() - start < 30


def test_a_page_that_is_no_text_is_found(small_book):
    root = small_book({"one": [dict(label="a")]})
    (root / "book" / "page.md").write_bytes(b"\xff")
    assert [
        "book/page.md: cannot be read" in str(finding) for finding in gates.check_book(root)
    ] == [True]


@pytest.mark.parametrize(
    "path",
    [
        "lib/logpartition/data.csv",
        "lib/logpartition/__pycache__",
        "book/page.md",
        "book/_static/book.css",
        f"{book_gates.TOOLS}/templates/sections",
        f"{book_gates.TOOLS}/pages",
    ],
)
def test_a_link_is_found(path, small_book):
    root = small_book({"one": []})
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).symlink_to("/etc")
    assert any(
        f"{Path(path).name}: is a link" in said for said in findings(book_gates.unlisted, root)
    )


def test_what_tools_leave_behind_passes_unless_git_has_it(small_book):
    root = small_book({"one": [MEAN]})
    left = [
        "book/.one.md.swp",
        "book/_ext/node_modules/.bin/katex",
        "lib/logpartition/__pycache__/stats.cpython-311.pyc",
        "lib/logpartition.egg-info/SOURCES.txt",
    ]
    for name in left:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("")
    assert findings(book_gates.unlisted, root) == []
    subprocess.run(["git", "init", "-q", root], check=True)
    assert findings(book_gates.unlisted, root) == []
    subprocess.run(["git", "-C", root, "add", "--force", *left], check=True)
    found = findings(book_gates.unlisted, root)
    assert len(found) == len(left) and all("is in a commit" in one for one in found)


def test_two_pages_with_one_title_are_found(small_book):
    root = small_book({"one": [dict(label="a")]})
    (root / "book" / "page.md").write_text("# On  One\n")
    (root / "book" / "two.md").write_text("# On one\n")
    (found,) = findings(book_gates.headed, root)
    assert "book/two.md: has the title of page: On one" in found


def test_pins_and_a_chapter_that_are_gone_are_found(small_book):
    root = small_book({"one": [dict(label="a")]})
    (root / "requirements.txt").unlink()
    (root / "book" / ".#one.ipynb").symlink_to("gone")
    found = list(map(str, gates.check_book(root)))
    assert any("requirements.txt: cannot be read" in said for said in found)
    assert any("book/.#one.ipynb: cannot be read" in said for said in found)


def test_a_gate_that_falls_is_a_finding(small_book):
    def falls(notebook, root):
        raise RecursionError("too deep")

    root = small_book({"one": []})
    for gate in (gates.on_chapters(falls), lambda root: falls(None, root)):
        (found,) = map(str, gates.run([gate], root))
        assert "fell over it: RecursionError: too deep" in found


@pytest.mark.parametrize("path, text, gate, message", FILES)
def test_a_fault_in_a_file_is_found(path, text, gate, message, small_book):
    root = small_book({"one": [dict(label="a")]})
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)
    assert any(message in finding for finding in findings(getattr(book_gates, gate), root)), (
        findings(getattr(book_gates, gate), root)
    )
    if gate in [gate.__name__ for gate in book_gates.FILES]:
        assert any(message in str(finding) for finding in gates.check_book(root))


CLAIMS = [
    ([CLAIM, CLAIM], "the id 'c1' is given to 2 claims"),
    ([CLAIM | {"chapter": "onne"}], "claims.0.chapter: 'onne' is not one of ['one', 'two']"),
    ([CLAIM | {"verdict": "CORECT"}], "claims.0.verdict: 'CORECT' is not one of"),
    ([CLAIM | {"seed": "009"}], "claims.0.seed: '009' is not one of"),
    ([CLAIM | {"verdict": "CORRECT-COND"}], "c1 is true under a condition, and no conditions say"),
    ([CLAIM | {"conditions": "$x > 0$"}], "c1 is true as stated, and has conditions"),
    ([CLAIM | {"verdict": "QUESTION"}], "c1 is QUESTION, and no `corrected` has the answer"),
    ([CLAIM | {"verdict": "TYPO"}], "c1 is TYPO, and no `corrected` has the answer, or what is"),
    ([CLAIM, CLAIM | {"id": "c2"}], "c2 states what c1 states"),
    ([CLAIM | {"verdict": "WRONG", "corrected": " s"}], "c1 is WRONG, and corrected to what it"),
    ([CLAIM | {"see": []}], "claims.0.see: [] "),
    ([CLAIM | {"see": ["a", "a"]}], "claims.0.see: ['a', 'a'] has non-unique elements"),
    ([CLAIM | {"verdcit": "WRONG"}], "'verdcit' was unexpected"),
    (
        [{key: value for key, value in CLAIM.items() if key != "where"}],
        "'where' is a required property",
    ),
    ("none", "'none' is not of type 'array'"),
]


@pytest.mark.parametrize("claims, message", CLAIMS)
def test_a_fault_in_the_claims_is_found(claims, message, small_book):
    root = small_book({"one": []})
    (root / "book" / "claims.yaml").write_text(
        json.dumps({"chapters": ["one", "two"], "claims": claims, "beyond": []})
    )
    assert any(message in finding for finding in findings(book_gates.statements, root))


ANSWERS = [
    ("CORRECT", {"kind": "refutation"}, "claim c1 is CORRECT, and a refutes it"),
    ("EMPIRICAL", {}, "claim c1 is EMPIRICAL, and neither an observation nor"),
    ("CORRECT", {"kind": "observation"}, "claim c1 is CORRECT, and only an observation"),
    ("CORRECT-COND", {"kind": "observation"}, "is CORRECT-COND, and only an observation"),
    ("WRONG", {}, "claim c1 is WRONG, and no refutation answers it"),
    ("TYPO", {"kind": "refutation"}, "a does not say that it is a misprint"),
    (
        "WRONG",
        {"kind": "refutation", "misprint": True},
        "claim c1 is WRONG, and a says that it is a misprint",
    ),
    ("WRONG", {"kind": "refutation", "location": "000, p. 1"}, "notes, p. 1, and a of 000, p. 1"),
    ("WRONG", {"kind": "refutation", "location": "Bal (2020), p. 1"}, "notes, p. 1, and a of Bal"),
    *(
        (
            "WRONG",
            {"kind": "refutation", "location": f"draft notes, {place}", "where": where},
            f"and a at {place}",
        )
        for where, place in (
            ("before eq (17)", "before equation (7)"),
            ("eq (7)", "equations (6) and (17)"),
            ("eqs. (2), (3)", "equation (4)"),
            ("2.3 para 2", "section 2.3, third paragraph"),
            ("2.3 para 2", "section 3.3, second paragraph"),
            ("2.1 para 2; 3.1 para 1", "section 2.2"),
            ("2.3 para 2", "Section 2.4, second paragraph"),
            ("2.3 para 2", "§2.4"),
            ("2.3", "sections 2.4 and 2.5"),
            ("2.3", "section 2.4, 3 lines below"),
            ("2.3 para 3", "paragraph two"),
            ("2.3 para 2", "eleventh paragraph"),
            ("2.3 para 2", "2nd and 3rd paragraphs"),
            ("eq (8)", "Eq. (9)"),
            ("eq (3)", "eqs. (9)–(11)"),
            ("Theorem 2", "theorem 3"),
            ("Fig. 2", "figure 3"),
        )
    ),
    *(
        (verdict, {"kind": "refutation"}, f"claim c1 is {verdict}, and a refutes it")
        for verdict in ("CORRECT-COND", "EMPIRICAL", "QUESTION", "QUESTION-PART", "PROSE")
    ),
]


@pytest.mark.parametrize("verdict", ["CORRECT", "TYPO"])
def test_a_refutation_is_not_set_aside(verdict):
    given = [{"kind": "refutation", "label": "a"}, {"kind": "theorem", "label": "b"}]
    claim = CLAIM | {"verdict": verdict, "see": ["a"]}
    assert list(book_gates.aside(claim, given)) == ["'a' refutes the claim, and so decides it"]


@pytest.mark.parametrize(
    "keys, message",
    [
        ({"corrected": "It falls by 0.37."}, "c1 says 0.37, printed or set by no cell"),
        ({"corrected": r"In 43$\%$ of runs."}, "c1 says 43%, printed or set by no cell"),
        ({"corrected": "It is so, proved for all sizes."}, "c1 says 'proved for all sizes'"),
        ({"conditions": "in 17/43 of runs"}, "c1 says 17/43, printed"),
        ({"where": "p. 1, in 43% of runs"}, "c1 says 43%, which is no place"),
        ({"where": "eq. (9.9), proved for all sizes"}, "c1 says 'proved', which a badge says"),
        ({"corrected": "yes, proved for every size"}, "c1 says 'proved for every size'"),
    ],
)
def test_a_claim_that_says_what_its_chapter_does_not_is_found(keys, message, small_book):
    root = small_book({"one": []}, claims=[CLAIM | {"verdict": "IMPRECISE"} | keys])
    assert any(message in said for said in findings(book_gates.claimed, root))


def test_a_claim_may_have_numbers_of_its_source_and_of_its_chapter(small_book):
    keys = {"where": "2.1 para 1; eq app.1", "statement": "It is 0.37.", "corrected": "0.37, 2.25"}
    root = small_book({"one": []}, claims=[CLAIM | {"verdict": "IMPRECISE"} | keys])
    store(notebook(*HEALTHY), root / "book" / "one.ipynb", root)
    assert findings(book_gates.claimed, root) == []


@pytest.mark.parametrize(
    "see, verdict, message",
    [
        (["b", "c"], "CORRECT", "see of c1: 'c' is no result that names the claim"),
        (["a", "b"], "CORRECT", "see of c1: no result is left that decides the claim"),
        (["a", "b"], "IMPRECISE", ""),
        (["b"], "CORRECT", ""),
    ],
)
def test_what_a_claim_sets_aside_is_there_and_leaves_what_decides_it(
    see, verdict, message, small_book
):
    named = [dict(label=label, claims=["c1"]) for label in "ab"]
    claim = CLAIM | {"see": see, "verdict": verdict, "corrected": "s"}
    root = small_book({"one": [*named, dict(label="c")]}, claims=[claim])
    found = findings(book_gates.answers, root)
    assert [message in said for said in found] == ([True] if message else [])


def test_what_one_may_see_as_well_decides_nothing():
    answers = [
        {"kind": kind, "label": label, "misprint": False, "location": "p. 1"}
        for label, kind in (("a", "observation"), ("b", "derivation"))
    ]
    assert not list(book_gates.at_odds("c1", CLAIM, answers))
    [said] = book_gates.at_odds("c1", CLAIM | {"see": ["b"]}, answers)
    assert "only an observation answers it" in said


@pytest.mark.parametrize("verdict, keys, message", ANSWERS)
def test_answers_at_odds_with_a_verdict_are_found(verdict, keys, message):
    answer = {"kind": "derivation", "label": "a", "misprint": False, "location": "p. 1"} | keys
    claim = CLAIM | {"verdict": verdict, "where": keys.get("where", "p. 1")}
    assert any(message in said for said in book_gates.at_odds("c1", claim, [answer]))


@pytest.mark.parametrize(
    "where, location",
    [
        ("eq (7)", "equation (7), last line"),
        ("eqs. (2), (3)", "equation (3)"),
        ("eqs. (2), (3) and (4)", "equation (4)"),
        ("eqs. (2)–(4)", "equation (3)"),
        ("eqs. 2, 3", "Equation (3)"),
        ("eqs. (2) & (3)", "Eq. 3"),
        ("eq (8)", "equation (8a), two lines below"),
        ("2.1, 2.2", "Section 2.2"),
        ("2.1 to 2.3", "section 2.2"),
        ("2.1 para 1-3", "Second paragraph"),
        ("2.3", "section 2.3, 4 lines below"),
        ("2.3 last para", "third paragraph"),
        ("2.3 para 2", "section 2.3, second paragraph"),
        ("2.1 para 2; 3.1 para 1", "section 3.1"),
        ("3 Deep implicit layers", "section 3.1"),
        ("Mixtures section", "section 2, the weights"),
        ("p. 1", "equation (7)"),
    ],
)
def test_a_claim_and_its_refutation_at_one_place_pass(where, location):
    assert not book_gates.elsewhere(where, location)


@pytest.mark.parametrize(
    "words, message",
    [
        ("So <b>x</b>", "HTML in the text: <b>"),
        ("[proved]{.lp-badge}", "the words wear class"),
        ("`proved`{.lp-badge}", "the words wear class"),
        ("![x](e.png)", "a picture in the words"),
        ("So $$x = 1$$", "TeX that the page does not set: "),
        ("# A heading", "more than paragraphs and lists in the words"),
        ("It is ≈ so", "the sign ≈ between words"),
    ],
)
def test_a_claim_that_is_more_than_words_is_found(words, message, small_book):
    root = small_book({"one": []}, claims=[CLAIM | {"statement": words}])
    assert any(
        f"statement of c1: {message}" in said for said in findings(book_gates.statements, root)
    )


@pytest.mark.parametrize(
    "line, message",
    [
        ("conditions: 'for key #1''s and no other'", ""),
        ("statement: 'For key #1 and no other'", ""),
        ("statement: For key#1 and no other", ""),
        ("statement: '\"For key 1\"'", ""),
        ("conditions: for key #1 and\n    for no other", "is not YAML"),
        ("conditions: for key #1 and no other", "has a comment behind a value, in line"),
        ("statement: For\n    key #1 and no other", "has a comment behind a value, in line"),
        ("statement: 'For key' #1 and no other", "has a comment behind a value, in line"),
        ('statement: "For key 1 and no other"', "has a statement in the quotes of YAML, in line"),
    ],
)
def test_a_value_that_yaml_cuts_or_bares_is_found(line, message, small_book):
    root = small_book({"one": []})
    claim = {"id": "c1", "seed": "000", "where": "p. 1", "verdict": "CORRECT-COND"}
    claim |= {"proof": "direct", "chapter": "one", "statement": "So", "conditions": "so"}
    lines = [f"  {key}: '{said}'" for key, said in claim.items() if not line.startswith(key)]
    written = "\n".join(["chapters: [one]", "claims:", *lines, f"  {line}", "beyond: []", ""])
    path = root / "book" / "claims.yaml"
    path.write_text(written.replace("  id", "- id"))
    found = [said for said in findings(book_gates.statements, root) if "line" in said]
    assert message in found[0] if message else not found, found


def test_a_key_given_twice_in_the_claims_is_found(small_book):
    root = small_book({"one": []})
    (root / "book" / "claims.yaml").write_text(
        "chapters: []\nclaims:\n- id: a\n  verdict: WRONG\n  verdict: CORRECT\nbeyond: []\n"
    )
    assert (
        "the key 'verdict' is given twice in one entry, line 5"
        in findings(book_gates.statements, root)[0]
    )


AUDITS = {
    "is stale": (lambda audit: audit["chapters"].update(one="0"), "is not of one as it is"),
    "is of a chapter that is gone": (
        lambda audit: audit["chapters"].update(three="0"),
        "is not of three as it is",
    ),
    "counts more than there is": (
        lambda audit: audit.update(tried=1000, killed=1000),
        "tried is 1000, and the results add up to 5",
    ),
    "has a live mutant": (
        lambda audit: audit["results"]["a"].update(killed=4),
        "1 of 5 mutants of a live",
    ),
    "hides a live mutant": (
        lambda audit: (
            audit["results"]["a"].update(tried=2, killed=2) or audit.update(tried=2, killed=2)
        ),
        "tried 2 mutants of a",
    ),
    "lacks a result": (
        lambda audit: audit["results"].clear() or audit.update(tried=0, killed=0),
        "lacks a, which has mutants",
    ),
    "has a result too many": (
        lambda audit: (
            audit["results"].update(b=audit["results"]["a"]) or audit.update(tried=10, killed=10)
        ),
        "has b, of which no",
    ),
    "is of another chapter": (
        lambda audit: audit["results"]["a"].update(chapter="two"),
        "tried 5 mutants of a in two",
    ),
    "has words for numbers": (
        lambda audit: audit.update(tried="many"),
        "'many' is not of type 'integer'",
    ),
}


@pytest.mark.parametrize("fault", AUDITS)
def test_an_audit_that_is_not_of_the_book_is_found(fault, small_book):
    change, message = AUDITS[fault]
    root = small_book({"one": [dict(label="a")]})
    path = root / "book" / "audit.json"
    audit = json.loads(path.read_text())
    change(audit)
    del audit["digest"]
    path.write_text(json.dumps(sealed_audit(audit)))
    assert any(message in finding for finding in findings(book_gates.audited, root)), findings(
        book_gates.audited, root
    )


def test_an_audit_edited_by_hand_is_found(small_book):
    root = small_book({"one": [dict(label="a")]})
    path = root / "book" / "audit.json"
    path.write_text(path.read_text().replace("5", "9"))
    assert findings(book_gates.audited, root) == [
        "book/audit.json: was edited after the audit (`make audit`)"
    ]


@pytest.mark.parametrize("text", [None, "", '{"tried": '])
def test_an_audit_that_cannot_be_read_is_found(text, small_book):
    root = small_book({"one": [dict(label="a")]})
    (root / "book" / "audit.json").unlink() if text is None else (
        root / "book" / "audit.json"
    ).write_text(text)
    assert "audit.json: cannot be read" in findings(book_gates.audited, root)[0]


@pytest.mark.parametrize("change", [None, {"verdict": "PROSE"}, {"chapter": "two"}])
def test_a_claim_that_needs_no_answer_any_more_is_found(change, small_book):
    root = small_book({"one": [dict(label="a", claims=["c1"])]}, claims=[CLAIM])
    assert findings(book_gates.permanence, root) == []
    claims = [CLAIM | change] if change else []
    (root / "book" / "claims.yaml").write_text(
        json.dumps({"chapters": ["one", "two"], "claims": claims, "beyond": []})
    )
    assert findings(book_gates.permanence, root) == [
        "book/addresses.txt: ledger#claim-c1 is gone, and readers may hold it"
    ]


@pytest.fixture
def noting(small_book, monkeypatch):
    """Calls `make addresses` in a small book of these chapters; what it says, and the list."""

    def call(chapters, noted):
        root = small_book(chapters)
        path = root / addresses.LIST
        path.write_text(noted)
        for target, name, stand_in in (
            (addresses, "ROOT", root),
            (addresses.current, "__defaults__", (root,)),
            (addresses.listed, "__defaults__", (root,)),
            (addresses.files, "at_home", lambda: None),
            (build, "install", lambda folder: None),
        ):
            monkeypatch.setattr(target, name, stand_in)
        try:
            addresses.main()
        except SystemExit as end:
            return end.code, path.read_text()
        return 0, path.read_text()

    return call


NOTED = {
    "nothing amiss": ({"one": [MEAN]}, "", 0, "one\none#mean\n"),
    "a gate that fails": ({"one": [MEAN | {"uses": ["b"]}]}, "", "1 finding", ""),
    "an address that is gone": ({"one": [MEAN]}, "one#b", "1 finding", "one\none#b\none#mean\n"),
}


@pytest.mark.parametrize("case", NOTED)
def test_addresses_are_noted_of_a_book_that_passes_the_gates(case, noting, capsys):
    chapters, noted, said, listed = NOTED[case]
    end, found = noting(chapters, noted)
    assert end == said, capsys.readouterr().out
    assert found == listed


def test_a_record_deleted_with_its_line_is_found_by_the_releases(small_book):
    root = small_book({"one": [dict(label="a")]})
    git = ["git", "-C", str(root), "-c", "user.name=A", "-c", "user.email=a@example.org"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "A release"], ["tag", "v1"]):
        subprocess.run([*git, *command], check=True)
    assert findings(book_gates.permanence, root) == []
    store(notebook(), root / "book" / "one.ipynb", root)
    (root / "book" / "addresses.txt").write_text("one\n")
    subprocess.run([*git, "commit", "-qam", "One result less"], check=True)
    subprocess.run([*git, "tag", "a-mark-of-the-author"], check=True)
    assert findings(book_gates.permanence, root) == [
        "book/addresses.txt: one#a was on the list of a release, and is on it no more"
    ]


def test_a_version_that_was_released_is_what_its_tag_has(small_book):
    root = small_book({"one": [dict(label="a")]})
    (root / "CITATION.cff").write_text("version: 1.2.3\n")
    git = ["git", "-C", str(root), "-c", "user.name=A", "-c", "user.email=a@example.org"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "One"], ["tag", "v1.2.3"]):
        assert findings(book_gates.editions, root) == []
        subprocess.run([*git, *command], check=True)
    assert findings(book_gates.editions, root) == []
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "Another"], check=True)
    [said] = findings(book_gates.editions, root)
    assert "CITATION.cff: says version 1.2.3, which v1.2.3 released, and there are" in said
    subprocess.run([*git, "tag", "v1.2.4"], check=True)
    for version in ("1.2.3.dev", "1.2.4.dev"):
        (root / "CITATION.cff").write_text(f"version: {version}\n")
        [said] = findings(book_gates.editions, root)
        assert f"says version {version}, and 1.2.4 was released" in said
    for tag in ("v2024", "v1.9", "v1.2.5-rc1", "v1.2.5rc1", "v1.2.5.1", "v2024-talk"):
        subprocess.run([*git, "tag", tag], check=True)
    (root / "CITATION.cff").write_text("version: 1.2.5.dev\n")
    assert findings(book_gates.editions, root) == []
    (root / "CITATION.cff").write_text("version: 1.3.0\n")
    subprocess.run([*git, "commit", "-qam", "The next"], check=True)
    assert findings(book_gates.editions, root) == []
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "Yet another"], check=True)
    [said] = findings(book_gates.editions, root)
    assert "says version 1.3.0, which no tag v1.3.0 released" in said
    (root / "CITATION.cff").write_text("# of this book\nversion: 1.3.0\n")
    subprocess.run([*git, "commit", "-qam", "A comment"], check=True)
    assert findings(book_gates.editions, root) == [said]
    subprocess.run([*git, "tag", "v1.3.0-rc1"], check=True)
    assert findings(book_gates.editions, root) == [said]


def test_a_record_without_a_key_is_one_finding(small_book):
    """What relies on the key does not run, and so does not fall over it."""
    root = small_book({"one": [dict(label="a")]})
    made = read(root / "book" / "one.ipynb")
    del made.cells[0].outputs[0].data[RESULT]["uses"]
    store(made, root / "book" / "one.ipynb")
    assert list(map(str, gates.check_book(root))) == [
        "book/one.ipynb, cell 1: result a: record: no uses"
    ]
