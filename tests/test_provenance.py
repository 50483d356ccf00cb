"""What a page may show. Each attempt to get something onto it is a page of one small book, which is
built once.
"""

from base64 import b64encode

import pytest
from notebooks import built, code, make_book, printed, result, shown

from logpartition_book.prose import HINT

PIXEL = b64encode(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
        "0000000d49444154789c6360000002000001000527d4a20000000049454e44ae426082"
    )
).decode()
SVG = "<svg role='img' aria-label='An arrow.'><path d='M0 0'/></svg>"
DISPLAY, INLINE = "display maths typed outside a definition", "an equation typed in the text"

REFUSED = {
    # displayed maths
    "dollars": ("So\n\n$$x = 1$$", DISPLAY),
    "dollars in a line": ("So $$x = 1$$ and", "TeX that the page does not set"),
    "an environment": (r"\begin{align} x &= 1 \end{align}", "TeX that the page does not set"),
    "brackets": (r"So \\[x = 1\\] and", "TeX that the page does not set"),
    "a fence": ("```{math}\nx = 1\n```", DISPLAY),
    "a fence with a capital": ("```{Math}\nx = 1\n```", "display maths"),
    "a fence with a blank": ("``` {math}\nx = 1\n```", DISPLAY),
    "a fence of colons": (":::{math}\nx = 1\n:::", DISPLAY),
    "a fence in boxes": ("::::{note}\n:::{tip}\n$$x = 1$$\n:::\n::::", DISPLAY),
    "the other markup": ("```{eval-rst}\n.. math::\n\n   x = 1\n```", DISPLAY),
    "another file": ("```{include} included.txt\n```", DISPLAY),
    "between dashes": ("---\nkey: $$x = 1$$\n---\n\n$$x = 1$$", "display maths"),
    "in a table": ("| a |\n|---|\n| $a + b = b + a$ |", INLINE),
    "in a footnote": ("See[^1].\n\n[^1]: It is $a + b = b + a$.", INLINE),
    "in a heading": ("## The limit $d$", "maths in a heading"),
    "in a caption": ("```{list-table} That $a + b = b + a$\n* - x\n```", INLINE),
    "a role": ("{math}`a + b = b + a`", INLINE),
    "a theorem": ("```{prf:theorem}\n:label: t-1\nAll is well.\n```", "a typed theorem"),
    "a proof": ("```{prf:proof}\nClear.\n```", "a typed"),
    "an observation": (
        "```{prf:observation}\n:label: o-1\nAll is well.\n```",
        "a typed observation",
    ),
    # inline maths
    "an equals sign in braces": ("$a + b {=} b + a$", INLINE),
    "an equation in a box": (r"$\boxed{a + b = b + a}$", INLINE),
    "an equation in brackets": (r"$\left[a + b = b + a\right]$", INLINE),
    "an equation in an index": ("$x_{a + b = b + a}$", INLINE),
    "an equation in two pieces": ("$a + b$ = $b + a$", "the sign = between words"),
    "an equation cut in two": ("$a + b$ $= b + a$", INLINE),
    "an equation that ends in its sign": ("$a + b =$ $b + a$", INLINE),
    "not equal": (r"$a + b \neq b + a$", INLINE),
    "if and only if": (r"$a + b \iff b + a$", INLINE),
    "a sign of its own": ("$a + b ≤ b + a$", INLINE),
    "a likeness": (r"$a + b \sim b + a$", INLINE),
    "a sign under a sign": (r"$a + b \overset{!}{=} b + a$", INLINE),
    "a sign through a sign": (r"$a + b \not= b + a$", INLINE),
    "a word as a sign": (r"$a + b \text{ equals } b + a$", INLINE),
    "a sign that nobody listed": (r"$a + b \bowtie b + a$", INLINE),
    "two lines": (r"$x = a + b \\ = b + a$", INLINE),
    "a long side": (
        r"$Z = \sum_{j=1}^N e^{s_j} + \sum_{j=1}^N e^{-s_j} + \prod_j (1 + e^{s_j} u_j)$",
        INLINE,
    ),
    "an equation in letters": ("So E[k] = ∇G(q).", "the sign = between words"),
    "an inequality in letters": ("So a ≤ b.", "the sign ≤ between words"),
    "a sign of another width": ("So a + b ＝ b + a.", "the sign ＝ between words"),
    "a sign with an entity": ("So a + b &#61; b + a.", "the sign = between words"),
    "a sign in bold": ("So a + b **=** b + a.", "the sign = between words"),
    "a sign in a link": ("[a + b = b + a](other-page)", "the sign = between words"),
    "an arrow": ("So a + b ⇔ b + a.", "the sign ⇔ between words"),
    "a title of a box": ("```{admonition} That $a + b = b + a$\nx\n```", INLINE),
    "an equation in a link": ("[$a + b = b + a$](other-page)", INLINE),
    "a short equation and a comma": ("So $a+b=b+a$, and", INLINE),
    "a caption of a figure": (
        code(outputs=[shown(html=f'<figure class="lp-figure">{SVG}</figure>', plain="f")]),
        "*That $a + b = b + a$, and 2.26.*",
        INLINE,
    ),
    "a number in a caption": (
        code(outputs=[shown(html=f'<figure class="lp-figure">{SVG}</figure>', plain="f")]),
        "*The mean is 2.26.*",
        "the number 2.26",
    ),
    # definitions
    "the title of a definition": (
        "```{prf:definition} $a + b = b + a$\n:label: d-5\n\nx\n```",
        "a definition has the name on one side",
    ),
    "an example": ("```{prf:example}\n:label: e-1\n\n$$x = 1$$\n```", DISPLAY),
    "a definition that proves": (
        "```{prf:definition}\n:label: d-1\n\nTheorem: it converges. Proof. Clear.\n```",
        "a definition that argues",
    ),
    "a definition of nothing": (
        "```{prf:definition}\n:label: d-2\n\n$$a + b = b + a$$\n```",
        "a definition has the name on one side",
    ),
    "a definition and more": (
        "```{prf:definition}\n:label: d-3\n\n$$x = a + b = b + a$$\n```",
        "a definition has the name on one side",
    ),
    "a chain in a definition": (
        "```{prf:definition}\n:label: d-4\n\n"
        "$$\\begin{aligned} x &= a + b \\\\ &= b + a \\end{aligned}$$\n```",
        "on one side",
    ),
    **{
        f"a definition by {tex}": (
            f"```{{prf:definition}}\n:label: d-{number}\n\n$${tex}$$\n```",
            "a definition ",
        )
        for number, tex in enumerate(
            (
                "G(q + k) = G(q) + G(k) + 7",
                r"\beta \le \frac{4}{D^2}",
                r"G = H = \log Z = q",
                r"G = H \Rightarrow \log Z",
            ),
            6,
        )
    },
    # HTML and pictures
    "MathML": ("<math><mi>x</mi></math>", "raw html typed in the text"),
    "MathML in a line": ("So <math><mi>x</mi></math> is", "raw html typed in the text"),
    "a hint that nobody closes": (f"{HINT[0]}\n\nSo.", "raw html typed in the text: <details>"),
    "a hint that nobody opens": (f"So.\n\n{HINT[1]}", "raw html typed in the text: </details>"),
    "an equation in a hint": (f"{HINT[0]}\n\nIt is $a + b = b + a$.\n\n{HINT[1]}", INLINE),
    "a number in a hint": (f"{HINT[0]}\n\nThe mean is 2.26.\n\n{HINT[1]}", "the number 2.26"),
    "raw HTML": ("```{raw} html\n<math><mi>x</mi></math>\n```", "raw html typed in the text"),
    "a picture": ("![An equation](equation.png)", "a picture that no cell drew"),
    "a figure": (
        "```{figure} equation.png\n:alt: An equation.\n\nA caption.\n```",
        "a picture that no cell drew",
    ),
    "a picture by a directive": (
        "```{image} equation.png\n:alt: An equation.\n```",
        "a picture that no cell drew",
    ),
    "a badge": ("[proved]{.lp-badge .lp-proved}", "typed in the dress of a result"),
    "a box": (
        "```{admonition} On x\n:class: lp-result\nIt holds.\n```",
        "typed in the dress of a result",
    ),
    # what cells put out
    "Markdown with a fence": (
        code(outputs=[shown(markdown="```{math}\na = b\n```")]),
        "maths that a cell put out",
    ),
    "Markdown with inline maths": (
        code(outputs=[shown(markdown="$a$")]),
        "maths that a cell put out",
    ),
    "LaTeX": (code(outputs=[shown(latex=r"$a \neq b$")]), "maths that a cell put out"),
    "HTML with MathML": (
        code(outputs=[shown(html="<math><mi>x</mi></math>")]),
        "HTML that is no drawing (<math>)",
    ),
    "HTML with a table": (
        code(outputs=[shown(html="<table><tr><td>1</td></tr></table>")]),
        "HTML that is no drawing (<table>)",
    ),
    "HTML with words": (code(outputs=[shown(html="P = NP, proved")]), "HTML without a drawing"),
    "a drawing of HTML": (
        code(outputs=[shown(html="<svg><foreignObject><b>x</b></foreignObject></svg>")]),
        "HTML that is no drawing",
    ),
    "a drawing of an equation": (
        code(outputs=[shown(html="<svg><text>E[k] + x = ∇G(q)</text></svg>")]),
        "a drawing with an equation",
    ),
    "a control that says it": (
        code(outputs=[shown(html="<label>P(x) + q = a + b</label><svg></svg>")]),
        "a drawing with an equation",
    ),
    "a script of its own": (
        code(outputs=[shown(html="<svg></svg><script>document.write('<math>')</script>")]),
        "a script that is not the one",
    ),
    "a style with words": (
        code(outputs=[shown(html="<svg></svg><style>svg::after{content:'a=b'}</style>")]),
        "HTML that is no drawing (<style>)",
    ),
    "a drawing that acts": (
        code(outputs=[shown(html="<svg onload='f()'></svg>")]),
        "a drawing with onload in it",
    ),
    "a drawing of another file": (
        code(outputs=[shown(html="<svg><use href='eq.svg'/></svg>")]),
        "a drawing with href in it",
    ),
    "a picture without words": (
        code(outputs=[shown(png=PIXEL, plain="f")]),
        "its picture has no alt text",
    ),
    # numbers
    "two decimals": ("The mean is 2.26.", "the number 2.26"),
    "one decimal": ("The mean is 2.6.", "the number 2.6"),
    "no digit before the point": ("The mean is .8071.", "the number .8071"),
    "percent": ("It fails in 43% of the runs.", "the number 43%"),
    "a fraction": ("It fails in 17/43 of the runs.", "the number 17/43"),
    "a fraction in maths": (r"It fails in $\frac{17}{43}$ of the runs.", "the number 17/43"),
    "a power of ten": ("The error is 1e-7.", "the number 1e-7"),
    "a power of ten in maths": (
        r"The error is $8.07 \times 10^{-1}$.",
        "the number 8.07 × 10^(−1)",
    ),
    "another sign": ("The mean is 2.25.", code(outputs=[printed("-2.25")]), "the number 2.25"),
    "a sign that is not there": (
        "The mean is -2.25.",
        code(outputs=[printed("2.25")]),
        "the number -2.25",
    ),
    "other digits": ("The mean is 2.3.", code(outputs=[printed("2.25")]), "the number 2.3"),
    "per cent": ("It fails in 43 per cent of the runs.", "the number 43 per cent"),
    "so many of so many": ("It fails in 17 of the 43 runs.", "the number 17 of the 43"),
    "a comma": ("The mean is 2,26.", "the number 2,26"),
    "half a run": ("It fails in ½ of the runs.", "the sign ½ between words"),
    "minus in a word": (
        "The mean is minus 2.25.",
        code(outputs=[printed("2.25")]),
        "the number minus 2.25",
    ),
    "a number with nothing in it": (
        "The mean is 2.2\u200b6.",
        code(outputs=[printed("2.2")]),
        "the number 2.26",
    ),
    "a number of another width": ("The mean is ２.２６.", "the number ２.２６"),
    "a number in a table": ("| a |\n|---|\n| 2.26 |", "the number 2.26"),
    "a number in two pieces": ("The mean is 2**.26**.", "the number .26"),
    "a number with an entity": ("The mean is 2&#46;26.", "the number 2.26"),
    "a number in a link": ("[The mean is 2.26](other-page)", "the number 2.26"),
}

REFUSED |= {
    "the text of a link to an equation": (
        "[So E[k] = ∇G(q), 2.26](https://x.org/equation-1)",
        "the sign = between words",
    ),
    "a number as a link to an equation": ("[(2.26)](#equation-1)", "the number 2.26"),
    "words set as a sign": (r"$a + b \mathrm{\ equals\ } b + c$", INLINE),
    "words in bold as a sign": (r"$a + b \mathbf{\mathrm{equals}} b + c$", INLINE),
    "a brace as a sign": (r"$\underbrace{\nabla G + k}_{b + c}$", INLINE),
    "rules as a sign": (r"$a + b\ \overline{\underline{\ \ }}\ b + c$", INLINE),
    **{
        f"the sign {sign}": (f"So a + b {sign} b + c.", f"the sign {sign} between words")
        for sign in "⹀二゠═꞊〓⇐➔"
    },
    "two commas": ("We tried 1,172,000 mutants.", "the number 1,172,000"),
    "two commas and a comma": ("We tried 1,172,000, and stopped.", "the number 1,172,000"),
    "three parts": ("The mean is 2.26.0.", "the number 2.26.0"),
    "four digits and four": ("The loss is 1234.5678.", "the number 1234.5678"),
    "a number after v": ("The value of v: 0.8071.", "the number 0.8071"),
    "a number after a colon": ("The figure: 0.8071.", "the number 0.8071"),
    "a point in braces": ("The mean is $m = 2{.}26$.", "the number 2.26"),
    "a blank before percent": (r"It fails in $43\,\%$ of the runs.", "the number 43 %"),
    "a sign as maths": (
        "The mean is $-$2.25.",
        code(outputs=[printed("2.25")]),
        "the number −2.25",
    ),
    "so many of so many in maths": (
        "It fails in $17$ of the $43$ runs.",
        "the number 17 of the 43",
    ),
    "the address of a result": (
        "(eq-r-1)=\n## Words\n\nOther.",
        "typed in the place of a result (address eq-r-1)",
    ),
    "a theorem by its title": (
        "```{admonition} Theorem 1 (proved)\nAll.\n```",
        "a typed theorem, by the title",
    ),
    **{
        f"a drawing with {what}": (code(outputs=[shown(html=html + SVG)]), message)
        for what, html, message in (
            ("a value that says it", "<input value='E + k = x + q'>", "a drawing with an equation"),
            ("a source", "<input type='image' src='e.png'>", "a drawing with src in it"),
            ("a style of a tag", "<p style='color: red'></p>", "HTML that is no drawing (<p>)"),
            ("a placeholder", "<input placeholder='E'>", "a drawing with placeholder in it"),
            ("a title", "<g title='E'></g>", "a drawing with title in it"),
            (
                "a badge",
                "<span class='lp-badge'>proved</span>",
                "in the dress of a result (class lp-badge)",
            ),
            (
                "a theorem",
                "<div class='proof theorem admonition'></div>",
                "in the dress of a result (class proof theorem admonition)",
            ),
            ("maths", "<span class='katex'></span>", "in the dress of a result (class katex)"),
            ("a drawing hidden", "<text display='none'></text>", "a drawing that hides its <text>"),
            ("an address", "<g id='eq-r-1'></g>", "a drawing with id in it"),
            ("ends of tags", "</div></section></article>", "HTML whose tags do not match"),
            ("a tag without end", "<div>", "HTML whose tags do not match"),
            (
                "a style in another spelling",
                "<style>p::after{c\\6f ntent:'P'}</style>",
                "HTML that is no drawing (<style>)",
            ),
            (
                "a style that hides",
                "<style>.lp-badge{display:none}</style>",
                "HTML that is no drawing (<style>)",
            ),
            (
                "a label that says it",
                "<svg aria-label='So E + k = d + q.'></svg>",
                "a drawing with an equation",
            ),
        )
    },
    "an alt text that says it": (
        code(outputs=[shown(png=PIXEL, plain="f")], mystnb={"image": {"alt": "So E + k = d + q."}}),
        "a picture with an equation in its alt text",
    ),
}

REFUSED |= {
    # a dress, an address, a file
    "a badge of code": ("`proved`{.lp-badge .lp-proved}", "typed in the dress of a result"),
    "a box of code": ("{.lp-result}\n```text\nP is NP\n```", "typed in the dress of a result"),
    "an address of code": ("`x`{#eq-r-3}", "typed in the place of a result (address eq-r-3)"),
    "the number of a result": (
        "(equation-eq-r-4)=\n## Words\n\nOther.",
        "typed in the place of a result (address equation-eq-r-4)",
    ),
    "a file of the book": ("See [it](claims.yaml).", "a link to the file claims.yaml"),
    "a file from elsewhere": (
        "See [it](../requirements.txt).",
        "a link to the file ../requirements.txt",
    ),
    "a number in code": ("The mean is `2.26`.", "the number 2.26"),
    "a verdict in code": ("`proved for all sizes`", "code that says 'proved'"),
    "a block like an output": ("```text\nmean 2.26\n```", "a block of text"),
    "a block of nothing": ("```\nmean 2.26\n```", "a block of default"),
    "a block in the dress of outputs": ("```myst-ansi\nmean 2.26\n```", "a block of myst-ansi"),
    "a block by its indent": ("So\n\n    mean 2.26\n", "a block of none"),
    "a theorem beside the text": (
        "```{sidebar} Theorem 1\nAll is well.\n```",
        "a typed theorem, by the title",
    ),
    **{
        f"a theorem: {text[:20]}": (text, "a typed theorem, by how it begins")
        for text in (
            "**Theorem 1.** All is well.",
            "> **Lemma A.** All is well.",
            "*Proof.* Clear.",
            "```{note}\n**Theorem** (main) All is well.\n```",
            "## Theorem 1",
            "## Result 7 (main)",
        )
    },
    **{
        f"a box: {title}": (
            f"```{{admonition}} {title}\nAll.\n```",
            "a typed theorem, by the title",
        )
        for title in ("Thm. 1", "Theorems", "Our result 7 (main)")
    },
    "a theorem further on in a title": (
        "```{prf:remark} Our main theorem\n:label: m-1\n\nAll is well.\n```",
        "a typed theorem, by the title",
    ),
    # TeX and signs
    **{
        f"a command ({name[1:]})": (f"So ${tex}$.", f"TeX that changes what is around it ({name})")
        for name, tex in (
            (r"\over", r"17 \over x"),
            (r"\let", r"x \let\alpha= y"),
            (r"\def", r"x \def\beta{y}"),
            (r"\tag", r"x \tag{1}"),
            (r"\ldotp", r"2 \ldotp 5"),
        )
    },
    **{
        f"what hides: {tex}": (f"So ${tex}$.", "TeX that changes what is around it")
        for tex in (
            r"x = a {\color{white} + b}",
            r"x = \textcolor{white}{a}",
            r"x = a \phantom{+ b}",
            r"x = \cancel{+ b}",
            r"a \bar{-} b",
            r"a \substack{- \\ -} b",
        )
    },
    "an equation cut by a break": ("So $x + a$\\\n$= c + b$.", "in pieces: x + a = c + b"),
    "an equation cut in three": ("So $x$ $+ a = c$ $+ b$.", "in pieces: x + a = c + b"),
    "a letter like a sign": ("So a + b ǂ b + a.", "the sign ǂ between words"),
    "a number from right to left": (
        "The mean is \u202e62.2\u202c.",
        code(outputs=[printed("62.2")]),
        "the sign RIGHT-TO-LEFT OVERRIDE between words",
    ),
    # numbers
    "a number in a definition": (
        "```{prf:definition} m\n:label: m-2\n\n$$m = 0.3712$$\n```",
        "the number 0.3712",
    ),
    "a number in the lines of a definition": (
        "```{prf:definition} m\n:label: m-3\n\n$$m &= x \\\\ k &= 0.3712$$\n```",
        "the number 0.3712",
    ),
    **{
        f"the number {text}": (f"It is {text} of them.", f"the number {number}")
        for text, number in (
            ("1172000", "1172000"),
            ("1 172 000", "1 172 000"),
            ("1'172'000", "1’172’000"),
            ("17:43", "17:43"),
            ("17 / 43", "17 / 43"),
            ("17 of all 43", "17 of all 43"),
            ("17 among 43", "17 among 43"),
            ("43 percentage points", "43 percentage"),
            ("43 pct", "43 pct"),
            ("10^-7", "10^-7"),
            ("$10^{-7}$", "10^(−7)"),
            ("$2 . 26$", "2.26"),
            (r"$m = 2\mathrm{.}26$", "2.26"),
            ("$m = 2{,}26$", "2,26"),
            ("$1{,}172{,}000$", "1,172,000"),
            (r"$17 \div 43$", "17 ÷ 43"),
            (r"$\frac {17} {43}$", "17/43"),
        )
    },
    **{
        f"the number {text} after a command": (f"It is ${text}$.", f"the number {number}")
        for text, number in (
            (r"\approx2.26", "2.26"),
            (r"D\le0.37", "0.37"),
            (r"x\pm.02", ".02"),
            (r"\approx17/43", "17/43"),
            (r"n\ge30000", "30000"),
            ("x2.26", "2.26"),
            (r"0.\overline{37}", "0.overline(3"),
            (r"2.\mathrm 26", "2.26"),
            (r"\frac{17}{\,43}", "17/43"),
            ("10^7", "10^7"),
            ("{10}^{+7}", "10^(+7)"),
        )
    },
    **{
        f"the number {text} among words": (f"It is {text}.", f"the number {text}")
        for text in (
            "1E-7",
            "10^7",
            "2‚26",
            "17 runs of 43",
            "17 out of these 43",
            "17 runs from 43",
            "17 of its 43",
            "17 of the first 43",
            "17 (of 43",
            "43 in 100",
            "43 per 1000",
            "43 runs in 100",
            "43-percent",
            "43 million",
            "30k",
            "117M",
            "2.25 bn",
        )
    },
    **{
        f"a share in words: {text}": (f"It is so in {text}.", f"the number {number} is")
        for text, number in (
            ("forty percent of them", "40 percent"),
            ("Forty-three per cent of them", "43 per cent"),
            ("a hundred percent", "100 percent"),
            ("three percent", "3 percent"),
            ("ninety-one of a hundred runs", "91 of 100"),
            ("nine out of ten runs", "9 out of 10"),
            ("twelve of the twenty runs", "12 of the 20"),
            ("twelve runs from twenty", "12 runs from 20"),
            ("two thirds of the runs", "2/3"),
            ("a third of all seeds", "1/3"),
            ("half the draws", "1/2"),
            ("half of the twelve runs", "1/2"),
            ("four out of five seeds", "4 out of 5"),
            ("one hundred of the two hundred", "100 of the 200"),
            ("eighty-per-cent of them", "80-per-cent"),
            ("half of our samples", "1/2"),
        )
    },
    "a number of a list": ("30000. That is the count.", "a list that begins with the number 30000"),
    "a gate that falls": (f"It is ${'{' * 3000}x{'}' * 3000}$.", "a gate fell over what follows"),
    "a large number below zero": ("It is -30000.", "the number 30000"),
    **{
        f"the power in {text}": (
            f"It is {text}.",
            code(outputs=[printed("2.25")]),
            f"the number {number}",
        )
        for text, number in (
            (r"$2.25\times10^{+7}$", "2.25 × 10^(+7)"),
            (r"$2.25\times10^{ 7}$", "2.25 × 10^7"),
            (r"$2.25\times{10}^{7}$", "2.25 × 10^7"),
            (r"$2.25\mathrm{e}{-7}$", "2.25e-7"),
            ("2.25E-7", "2.25E-7"),
            ("2.25 million", "2.25 million"),
            ("2.25M", "2.25M"),
        )
    },
    "a number in a comment": (
        "The error is below $10^{-9}$, of 30000 keys.",
        code("x = '30000'  # 1e-9"),
        "the number 10^(−9)",
    ),
    "a number that is printed as typed": (
        "The mean is 2.26.",
        code("print('The mean:\\n2.26')", outputs=[printed("The mean:\n2.26\n")]),
        "the number 2.26",
    ),
    **{
        f"a number typed in {source}": (
            "The mean is 2.26.",
            code(source, outputs=[printed(f"{said}\n")]),
            "the number 2.26",
        )
        for source, said in (
            ("print('mean', '2.26')", "mean 2.26"),
            ("print('mean ' + '2.26')", "mean 2.26"),
            ("print('mean {}'.format('2.26'))", "mean 2.26"),
            ("print(f'mean 2.26 of {n}')", "mean 2.26 of 3"),
            ("'mean 2.26'", "'mean 2.26'"),
        )
    },
    "a number in a string": ("Of 30000 keys.", code("x = '30000'  # 1e-9"), "the number 30000"),
    **{
        f"a number by a place: {text}": (text, f"the number {number}")
        for text, number in (
            ("In the table 0.37 stands.", "0.37"),
            ("By equation (7.12) it holds.", "7.12"),
            ("By Theorem 9.9 of chapter 99 it holds.", "9.9"),
        )
    },
    "a number in pieces": ("It is $2.2{6}$.", code(outputs=[printed("2.2")]), "the number 2.26"),
    **{
        f"the sign of {text}": (
            f"The mean is {text}.",
            code(outputs=[printed("2.25")]),
            f"the number {number}",
        )
        for text, number in (
            ("− 2.25", "− 2.25"),
            ("minus\n2.25", "minus 2.25"),
            ("negative 2.25", "negative 2.25"),
            ("—2.25", "—2.25"),
            ("$- 2.25$", "−2.25"),
            ("${-}2.25$", "−2.25"),
            (r"$m \approx - 2.25$", "−2.25"),
            (r"$-\,2.25$", "−2.25"),
            ("$-{2.25}$", "−2.25"),
        )
    },
    "a number behind a picture": (
        "The mean is 2.26.",
        code(
            outputs=[shown(png=PIXEL, plain="Means 2.26")], mystnb={"image": {"alt": "An arrow."}}
        ),
        "the number 2.26",
    ),
    "a drawing with an equation in pieces": (
        code(outputs=[shown(html="<svg><text>a + b <tspan>= c</tspan> + d</text></svg>")]),
        "a drawing with an equation in it",
    ),
    "a drawing with a badge": (
        code(outputs=[shown(html="<svg><text>So it is proved for all sizes</text></svg>")]),
        "a drawing that speaks as a result does",
    ),
    "a drawing with the address of a number": (
        code(outputs=[shown(html="<svg><g id='equation-eq-r-1'></g></svg>")]),
        "a drawing with id in it",
    ),
}

REFUSED |= {
    # in pieces that are one to the eye
    **{
        f"in pieces: {text}": (
            f"It is {text}.",
            code(outputs=[printed("2.25 2 26")]),
            f"the number {number} is",
        )
        for text, number in (
            (r"43$\%$", "43%"),
            (r"$43$ $\%$", "43 %"),
            ("17$/$43", "17/43"),
            ("`17`/`43`", "17/43"),
            (r"2.$26\,$", "2.26"),
            (r"2.$\mathrm{26}$", "2.26"),
            ("${2}.$26", "2.26"),
            ("$m = 2.$26", "2.26"),
            ("−`2.25`", "−2.25"),
            (r"$-\,$2.25", "−2.25"),
            (r"2.25$\times 10^{2}$", "2.25× 10^2"),
        )
    },
    "an equation with its sign in code": ("So $a + b$ `=` $b + a + 7$.", "in pieces: a + b ="),
    # as TeX sets it
    **{
        f"as set: {tex}": (
            f"It is ${tex}$.",
            code(outputs=[printed("2.25 2.2")]),
            f"the number {number} is",
        )
        for tex, number in (
            (r"17\,/\,43", "17/43"),
            ("17/{43}", "17/43"),
            (r"17\mathbin{/}43", "17/43"),
            (r"\frac{17\,}{43}", "17/43"),
            (r"43{\%}", "43%"),
            (r"43\text{ percent}", "43 percent"),
            (r"30\thinspace000", "30 000"),
            ("30{}000", "30 000"),
            (r"30\>000", "30 000"),
            (r"2.25\times1000", "2.25 × 1000"),
            (r"2.25\,\mathrm{e}{7}", "2.25e7"),
            (r"-\boldsymbol{2.25}", "−2.25"),
            ("-{}2.25", "−2.25"),
            ("10^{{-7}}", "10^(−7)"),
            ("10^{(-7)}", "10^((−7))"),
            (r"2.2\,6", "2.26"),
            (r"2.2\!6", "2.26"),
        )
    },
    # at the edges
    **{
        f"at an edge: {text}": (text, f"the number {number} is")
        for text, number in (
            ("It converges.2.26 is the mean.", "2.26"),
            ("The mean is2.26 then.", "2.26"),
            ("The loss is\\_2.26 then.", "2.26"),
            ("The count:30000 of them.", "30000"),
            ("The top-30000 keys.", "30000"),
            ("The N30000 keys.", "30000"),
            ("In 17÷43 of them.", "17÷43"),
            ("In 17 : 43 of them.", "17 : 43"),
            ("In 17  /  43 of them.", "17  /  43"),
            ("In 17/43rds of them.", "17/43"),
            ("There are 2.25 millions.", "2.25 millions"),
            ("It is 43 percents.", "43 percents"),
            ("In PyTorch 0.37 is the mean.", "0.37"),
            ("By version 9.9 it is.", "9.9"),
            ("The loss is 1203.4567.", "1203.4567"),
            ("In this section 0.37 fail, see [this](other-page).", "0.37"),
            ("In this section 7.12 fail, see [this](other-page).", "7.12"),
        )
    },
    # code that is typed
    "a prompt": (
        "```python\n>>> attention(q, k)\n2.26\n```",
        "a block of python that is none, or has an output in it",
    ),
    "a program and its output": (
        "```python\nattention(q, k)\n2.26\n```",
        "a block of python that is none, or has an output in it",
    ),
    "an output that is a call": (
        "```python\nattention(q, k)\ntensor([2.2600])\n```",
        "a block of python that is none, or has an output in it",
    ),
    **{
        f"the output {said}": (
            f"```python\nattention(q, k)\n{said}\n```",
            "a block of python that is none, or has an output in it",
        )
        for said in (
            "tensor(2.2600, dtype=torch.float64)",
            "tensor([2.26, nan])",
            "torch.Size([3, 2])",
            "np.float64(2.26)",
            "Array([2.26], dtype=float32)",
            "{'mean': tensor(2.26), 'dtype': torch.float64}",
        )
    },
    "a verdict in a comment": (
        "```python\nf(x)  # proved for all sizes\n```",
        "code that says 'proved'",
    ),
    "a number in a comment of a program": ("```python\nf(x)  # 0.37\n```", "the number 0.37 in"),
    "an entry that is none": ("```bibtex\nmean 43%\n```", "a block of bibtex that is none"),
    # theorems and relations
    **{
        f"a theorem by its words: {text[:30]}": (text, "a typed theorem, by how it")
        for text in (
            "Theorem 1. All attention converges. Proof. Clear.",
            "Theorem 1 (main). All attention converges.",
            "**Result.** All attention converges.",
            "**Fact 1.** All attention converges.",
            "Claim. All attention converges.",
            "**Claim** All attention converges.",
            "*Claim 2* All attention converges.",
            "**Lemma** All attention converges.",
            "**Theorem 2** All attention converges.",
            "**Observation.** All attention converges.",
            "Observation. All attention converges.",
            "**Conjecture (main).** All attention converges.",
            "**Proof sketch.** Clear.",
            "*Sketch of the proof.* Clear.",
            "Idea of the proof: it is clear.",
            "**Proof by induction.** Clear.",
            "**Proof of the claim.** Clear.",
            "All attention converges. **Q.E.D.**",
            "Theorem 1\n: All attention converges.",
            "::::{tab-set}\n:::{tab-item} Theorem 1\nAll is well.\n:::\n::::",
            "| Theorem 1 |\n|---|\n| All is well. |",
            "```{prf:remark} On x\n:label: rr-1\n\nTheorem: it converges. Proof. Clear.\n```",
        )
    },
    "a verdict in bold": ("**Proved for all sizes.** All is well.", "in the place of a badge"),
    "a verdict at the head": ("Proved: all is well.", "in the place of a badge"),
    **{
        f"a verdict that is all of {place}": (text, "in the place of a badge")
        for place, text in {
            "a cell": "| The loss falls | proved for all sizes |\n|---|---|\n| a | b |",
            "a cell below": "| a | b |\n|---|---|\n| The loss falls | observed |",
            "a heading": "## Proved for all sizes",
            "a tab": "::::{tab-set}\n:::{tab-item} Proved for all sizes\nAll.\n:::\n::::",
            "a term": "Proved for every size\n: All is well.",
            "what a term means": "All is well\n: Proved.",
            "an item": "- checked numerically",
            "a paragraph": "All is well.\n\n**Proved for all sizes**",
            "a quotation": "> Argued in words",
            "a note": "```{note}\nCited, not proved here\n```",
            "a caption": "```{list-table} Proved for all sizes\n* - x\n```",
            "a legend": "*Fig. 1: proved for all sizes.*",
            "other blanks": "Proved\N{NO-BREAK SPACE}for all sizes",
            "other letters": "ｐｒｏｖｅｄ for all sizes",
            "a formula": r"$\text{proved for all sizes}$",
        }.items()
    },
    "a main result": ("```{admonition} Main result\nAll.\n```", "a typed theorem, by the title"),
    "a relation by a tilde": ("So a + b ~ b + a + 7.", "the sign ~ between words"),
    **{
        f"a sign drawn by {tex}": (f"So $a + b {tex} b + a$.", "TeX that changes what is")
        for tex in (
            r"\bar{{-}}",
            r"\bar -",
            r"\tfrac{-}{}",
            r"\binom{-}{-}",
            r"\begin{smallmatrix}-\\-\end{smallmatrix}",
        )
    },
}


ALLOWED = {
    "a hint": f"What is it?\n\n{HINT[0]}\n\nLook at $x$.\n\n{HINT[1]}\n\nAnd then?",
    "the end of a line": "Attention is a gradient\\\nof a log-partition function.",
    "names of functions": (
        r"The divergence $\mathrm{KL}(p \| q)$, $\mathrm{Cov}(k)$, $\mathrm{diag}(p)$,"
        r" $d_\mathrm{eff}$ and $d_{\mathrm{eff}}$."
    ),
    "names and conditions": (
        r"Let $Z = \sum_j e^{s_j}$ with $d \ge 2$, $j \in \{1, \dots, N\}$ and $0 < t < 1$;"
        r" then $\beta \to \infty$."
    ),
    "a definition": (
        "```{prf:definition} G\n:label: d-0\n\nThe *log-partition* is $G$, where\n\n"
        "$$Z = \\sum_j e^{s_j}, \\qquad G(q) = \\log Z.$$\n```"
    ),
    "an index in words": r"The energy $E_{\text{soft}}$ and $G_{t=0}$.",
    "code": "`a + b = 2` and\n\n```python\na + b == 2.26\n```",
    "a table": "| key | what |\n|---|---|\n| $k_j$ | *key* |",
    "a list": "- one\n  1. two\n- [a link](https://example.org/1.23)",
    "a footnote": (
        "The mean is 2.25[^1].\n\n[^1]: A note.",
        code(outputs=[printed("2.25\n")]),
    ),
    "an address": "See <https://example.org/a=b>.",
    "the head of a table": "| predicted | observed |\n|---|---|\n| one | another |",
    "a program of torch": "```python\ntorch.manual_seed(0)\nf(torch.tensor([1.0]))\n```",
    "factors": r"With $2k$, $2G(q)$ and $3B$, 30 keys of 12 in 2024, 17 in 100 dimensions.",
    "boxes": "::::{note}\nA note.\n\n:::{tip}\nA tip.\n:::\n::::\n\n```{margin}\nBeside.\n```",
    "tabs": "::::{tab-set}\n:::{tab-item} One\nOne.\n:::\n::::",
    "a theorem of somebody": "## Results\n\n*Theorems of Sanov*, by **the theorem** of another.",
    "claims and observations": (
        "## Observations\n\n*Claims* of the draft, and its **observations**.\n\nThe claim. An"
        " observation of three runs: all end. Proofs by others, a sketch of a proof, and facts."
    ),
    "words about shares": (
        "Within two per cent, for one of the twelve keys and three of the five, in half of the"
        " time, a third of its length and nine tenths of the points; a third run of the eight, the"
        " nine runs of these three starts, and the first half of the run."
    ),
    "shares in words": (
        "In forty percent, twelve of the twenty runs and two thirds of the draws.",
        code(outputs=[printed("40% 12 of 20 2/3\n")]),
    ),
    "a term": "Term\n: What it means.",
    "numbers": (
        "In arXiv:2205.01080, Theorem 5.12, by PyTorch 2.13 in 2026, half of them:"
        " 2.25, -0.5, 1e-7, 43% and 17/43; $-1/30$, $D^2/4$.",
        code(outputs=[printed("2.25 -0.5 1e-07 43% 17/43\n")]),
    ),
    "a number beside words that are typed": (
        "The mean is 2.26, in 17/43 runs, and the limit 0.5.",
        code(
            "limit = 0.5\nprint(f'mean {m:.2f}; {k}/43 runs, limit 0.5')",
            outputs=[printed("mean 2.26; 17/43 runs, limit 0.5\n")],
        ),
    ),
    "numbers that a cell sets": (
        "Of 30000 keys, to $10^{-9}$ and $10^3$, $x - 2.25$, $\\beta - 2.25$, $x\\cdot2.25$,"
        " $\\binom{m}{2}2^m$ and $\\frac1{2\\beta}$, of $10^6$ draws in 30 batches of 64.",
        code("n, m, small = 30_000, 1_000_000, 1e-9", outputs=[printed("2.25\n")]),
    ),
    "a result": ("By {eq}`eq-a-result` it holds.", result("a-result")),
    "a drawing": code(outputs=[shown(html=SVG, plain="Slider")]),
    "a picture": code(
        outputs=[shown(png=PIXEL, plain="f")], mystnb={"image": {"alt": "An arrow."}}
    ),
    "words about a picture": code(
        outputs=[shown(png=PIXEL, plain="f")],
        mystnb={"image": {"alt": "Rates at β = 1, 4 and 9. For keys with v = 1 all are positive."}},
    ),
    "a place in a draft": "In the draft's section 3.7 and equation (7.12).",
    "fractions and signs of maths": (
        r"Half, $1/30$, $\tfrac{-1}{2}$, $\bar x_{-}$, $a_{1,2}$, $\overline{-x}$,"
        r" $\frac{-\beta}{2}$ and $2^{10}/12$; `float64` and $x$-axis.",
        code(),
    ),
    "a difference": (r"With $e^{x-2.25}$ and $(a)-2.25$.", code(outputs=[printed("2.25\n")])),
    "a program": "```python\n# weights\nw = f(q, beta=0.5)\nprint(w)\n...\nw\n```",
    "an entry": "```bibtex\n@misc{a-book,\n  title = {On Attention},\n  year = {2026}\n}\n```",
    "theorems of others": (
        "Theorem 5.12 of arXiv:2205.01080 has it. The result: a mean.\n\n"
        "| theorem | by |\n|---|---|\n| Theorem 3 | Sanov |"
    ),
    "words about badges": "Its box says **proved for all sizes**. *Proved* means decided.",
    "a licence": "CC BY 4.0, PyTorch 2.13.0, Python 3.11 and version 0.2.0.",
    "parts of a book": "By Theorem 3.1.2 and Sanov's theorem, 11.4.1, in {doc}`other-page`.",
    "text": code(outputs=[printed("a + b = b + a\n")]),
}

PAGES = {
    **{name: (*cells, message) for name, (*cells, message) in REFUSED.items()},
    **{
        f"allowed: {name}": (*(cells if isinstance(cells, tuple) else (cells,)), None)
        for name, cells in ALLOWED.items()
    },
}
BADGES = (
    "| badge |\n|---|\n| [proved]{.lp-badge .lp-proved} |\n| [proved]{.lp-badge .lp-checked} |\n"
)
FRONT = f"# Front\n\n[All that follows]{{.lp-subtitle}}\n\n{BADGES}"
SLUGS = {name: f"page-{number}" for number, name in enumerate(PAGES)}


@pytest.fixture(scope="module")
def warnings(tmp_path_factory):
    """What the build says of each page."""
    pages = {SLUGS[name]: cells for name, (*cells, _) in PAGES.items()}
    root = make_book(tmp_path_factory.mktemp("pages") / "root", pages, index=FRONT)
    (root / "book" / "included.txt").write_text("$$x = 1$$\n")
    (root / "book" / "other-page.md").write_text("# Results\n\nThe book has 172 results.\n")
    with (root / "_toc.yml").open("a") as contents:
        contents.write("- file: other-page\n")
    status, said = built(root, root / "out")
    assert status == 1 and not (root / "out" / "html").exists(), said
    return [line for line in said.splitlines() if "WARNING: " in line or "ERROR: " in line]


def said(warnings, page):
    return [
        line
        for line in warnings
        if f"/{page}.ipynb:" in line or f"/{page}.md:" in line or f"/{page}.ip.rst:" in line
    ]


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused(warnings, name):
    assert any(REFUSED[name][-1] in line for line in said(warnings, SLUGS[name])), said(
        warnings, SLUGS[name]
    )


@pytest.mark.parametrize("name", ALLOWED)
def test_it_is_allowed(warnings, name):
    assert said(warnings, SLUGS[f"allowed: {name}"]) == []


def test_the_cell_is_named(warnings):
    assert any(
        "WARNING: cell 2: display maths" in line for line in said(warnings, SLUGS["dollars"])
    )


def test_a_page_without_cells_has_no_number_to_show(warnings):
    assert "the number 172 is printed by no cell of this page" in "".join(
        said(warnings, "other-page")
    )


def test_a_badge_of_the_front_page_wears_its_own_colour(warnings):
    (found,) = said(warnings, "index")
    assert "no badge of a result: proved (lp-badge lp-checked)" in found
