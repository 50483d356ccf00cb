"""What pages are spared: the same lines in fewer numbers, the same look by fewer rules."""

import re
from math import hypot

import pytest

from logpartition._figure import STYLE
from logpartition_book import light


def points(path):
    """Where a path of relative steps leads, line by line."""
    lines, at = [], (0, 0)
    for line in path.split("m")[1:]:
        numbers = [float(one) for one in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", line)]
        lines.append([])
        for x, y in zip(numbers[::2], numbers[1::2]):
            at = at[0] + x, at[1] + y
            lines[-1].append((round(at[0], 1), round(at[1], 1)))
    return lines


def test_a_line_says_how_far_each_point_is_from_the_last():
    assert (
        light.shorter("M1.0 2.0L1.5 -2.0L10.0 0.0M10.0 0.0L9.9 3.0") == "m1 2 .5-4 8.5 2m0 0-.1 3"
    )


@pytest.mark.parametrize(
    "path, left",
    [
        ("M0.0 0.0L1.0 0.0L2.0 0.0", [[(0, 0), (2, 0)]]),
        ("M0.0 0.0L1.0 0.1L2.0 0.0", [[(0, 0), (2, 0)]]),
        ("M0.0 0.0L1.0 0.2L2.0 0.0", [[(0, 0), (1, 0.2), (2, 0)]]),
        ("M0.0 0.0L3.0 0.0L1.0 0.0", [[(0, 0), (3, 0), (1, 0)]]),  # it turns round
        ("M0.0 0.0L0.0 5.0L5.0 5.0L0.0 0.0", [[(0, 0), (0, 5), (5, 5), (0, 0)]]),  # it is closed
        ("M1.0 1.0L1.0 1.0", [[(1, 1), (1, 1)]]),  # a dot
        ("M1.0 1.0", [[(1, 1)]]),
    ],
)
def test_a_point_goes_that_is_within_a_tenth_of_the_line(path, left):
    assert points(light.shorter(path)) == left


def test_what_is_left_of_a_curve_is_within_a_tenth_of_it():
    curve = [(round(n * 0.7, 1), round((n % 40 - 20) ** 2 / 9, 1)) for n in range(300)]
    (left,) = points(light.shorter("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in curve)))
    assert set(left) <= set(curve) and len(left) < 200
    places = list(map(curve.index, left))
    for a, b in zip(places, places[1:]):
        for point in curve[a:b]:
            assert light.apart(point, curve[a], curve[b]) < 0.1 + 1e-9
    assert light.apart((0, 1), (-5, 0), (5, 0)) == 1 and light.apart((3, 4), (0, 0), (0, 0)) == 5
    assert light.apart((6, 1), (-5, 0), (5, 0)) == hypot(1, 1)


def test_other_paths_stay():
    page = '<path d="M10 3L5 8l5 5"/><path d="M1.0 2.0C1.0 2.0 3.0 4.0 5.0 6.0"/>'
    assert light.lightened(page) == page


CSS = """/* a } in a comment */
:root{--a:1}.on,.off>p{x:1}.off{x:2}.on:not(.off),:is(.off,.on) b{x:3}a[href=".off,"],p{x:4}
@media print{.off{x:5}}@media (width>1px){.on{x:6}.off{x:7}}
@font-face{font-family:F}.a\\/b{x:8}.q::before{content:"}.off,"}#off{x:9}@import "other";
"""


def test_rules_of_what_no_page_has_go():
    assert light.pruned(re.sub(r"/\*.*?\*/", "", CSS), {"on", "q", "a/b"}) == (
        ':root{--a:1}.on{x:1}.on:not(.off),:is(.off,.on) b{x:3}a[href=".off,"],p{x:4}'
        "@media (width>1px){.on{x:6}}@font-face{font-family:F}.a\\/b{x:8}"
        '.q::before{content:"}.off,"}@import "other";'
    )


def site(folder, **sheets):
    static = folder / "_static"
    (static / "katex").mkdir(parents=True)
    (static / "katex" / "katex.min.css").write_text("@font-face{src:url(fonts/F.woff2)}.later{x:1}")
    for name, css in sheets.items():
        (static / f"{name}.css").write_text(css)
    (static / "made.js").write_text("node.className = 'made'")
    page = '<link rel="stylesheet" href="_static/a.css?v=1" /><link href="_static/b.css" />'
    page += '<p class="on" id="here"></p><script src="_static/made.js?v=1"></script><body></body>'
    (folder / "index.html").write_text(light.lightened(page))
    return folder


def test_a_site_has_one_sheet_that_its_pages_name_by_what_it_holds(tmp_path):
    light.one_sheet(
        site(tmp_path, basic=".on{x:1}.made{x:2}#here{x:3}.gone{x:4}", book=".new{x:5}")
    )
    assert (tmp_path / light.SHEET).read_text() == (
        ".on{x:1}.made{x:2}#here{x:3}\n@font-face{src:url(katex/fonts/F.woff2)}.later{x:1}\n.new{x:5}"
        f"\n{STYLE}"
    )
    first = (tmp_path / "index.html").read_text()
    assert first.count(".css") == 1 and re.search(r'"_static/style\.css\?v=\w{8}"', first)
    (tmp_path / "_static" / "book.css").write_text(".newer{x:5}")
    light.one_sheet(tmp_path)
    assert (tmp_path / "index.html").read_text() != first


def test_a_stylesheet_that_nobody_knows_is_an_error(tmp_path):
    with pytest.raises(KeyError, match="'strange'"):
        light.one_sheet(site(tmp_path, strange="p{}"))


def test_a_script_of_the_theme_that_differs_is_an_error(tmp_path):
    script = tmp_path / "theme.js"
    end = ',"complete"===document.readyState?I():window.addEventListener("load",I)})();'
    script.write_text(f"(()=>{{e(){end}")
    light.without_tabs(script)
    assert script.read_text() == "(()=>{e()})();"
    with pytest.raises(KeyError, match="theme.js sets its tab stops otherwise"):
        light.without_tabs(script)


def test_scripts_come_after_the_page_in_their_order():
    page = (
        '<script src="a.js"></script>\n<script defer="defer" src="b.js"></script>\n<body>x</body>'
    )
    first, second = (f'  <script defer src="{name}.js"></script>\n' for name in "ab")
    assert light.lightened(page) == f"<body>x{first}{second}</body>"
    menu = '<script src="s/bootstrap.js"></script><button data-bs-toggle="{}"><body></body>'
    assert "bootstrap" in light.lightened(menu.format("dropdown"))
    assert "bs" not in light.lightened(menu.format("tooltip")).replace("bootstrap", "bs")


def test_lines_of_comment_are_not_sent(tmp_path):
    script = tmp_path / "own.js"
    script.write_text('// why\nconst at = "http://x"; // stays\n  // more\nlet b;\n')
    light.without_comments(script)
    assert script.read_text() == 'const at = "http://x"; // stays\nlet b;\n'
