"""The book's one plotting style, and pictures with a slider that need no kernel.

`style()` sets matplotlib up; `Slider` and `Explorer` show one of several drawings, chosen by a
range or a menu, in any browser, by keyboard too, and show a chosen one where there is no script.
Drawings are SVG, made of lines, dots, arrows and words.
"""

import html
from dataclasses import dataclass, field
from itertools import product as cartesian

import matplotlib
import numpy as np
from contourpy import contour_generator

from ._figure import OUT, control, stored

# Colour-blind safe (Okabe and Ito), dark enough on white for lines.
COLOURS = {
    "blue": "#0072B2",
    "vermilion": "#D55E00",
    "green": "#007a5a",
    "purple": "#a8558a",
    "grey": "#767676",
}


def style():
    """The book's matplotlib style: vector output that is the same on every run, and a PNG beside
    it, which is what a notebook shows that is not trusted.

    >>> with matplotlib.rc_context():
    ...     style()
    ...     matplotlib.rcParams["svg.hashsalt"]
    'logpartition'
    """
    from IPython import get_ipython
    from matplotlib_inline.backend_inline import set_matplotlib_formats

    matplotlib.rcParams.update(
        {
            "figure.figsize": (6.4, 3.6),
            "figure.constrained_layout.use": True,
            "font.size": 10,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.grid": True,
            "grid.alpha": 0.25,
            "lines.linewidth": 1.8,
            "axes.prop_cycle": matplotlib.cycler(color=list(COLOURS.values())),
            "svg.hashsalt": "logpartition",
            "legend.frameon": False,
        }
    )
    if get_ipython() is not None:
        set_matplotlib_formats("svg", "png", metadata={"Date": None})


@dataclass
class Plane:
    """A drawing over a rectangle of the plane; coordinates are the mathematics', y upwards, of
    equal scale unless a height is given.

    >>> plane = Plane((0, 1), (0, 1), width=100)
    >>> plane.text((0.5, 0.5), "middle")
    >>> plane.svg()
    '<text class="label" x="50.0" y="50.0">middle</text>'
    """

    x_range: tuple
    y_range: tuple
    width: int = 560
    height: int = None
    parts: list = field(default_factory=list)

    def __post_init__(self):
        if self.height is None:  # equal scales
            self.height = round(
                self.width
                * (self.y_range[1] - self.y_range[0])
                / (self.x_range[1] - self.x_range[0])
            )

    def pixel(self, points):
        points = np.asarray(points, dtype=float)
        (x0, x1), (y0, y1) = self.x_range, self.y_range
        return np.stack(
            [
                (points[..., 0] - x0) / (x1 - x0) * self.width,
                (y1 - points[..., 1]) / (y1 - y0) * self.height,
            ],
            -1,
        )

    def line(self, points, kind="line"):
        path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in self.pixel(points))
        self.parts.append(f'<path class="{kind}" d="{path}"/>')

    def dots(self, points, kind="dot", radius=5):
        self.parts.extend(
            f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}"/>'
            for x, y in self.pixel(points)
        )

    def arrows(self, starts, vectors, kind="arrow"):
        """Arrows as one path, but for those of no length; the head is two short strokes."""
        heads, path = self.pixel(np.asarray(starts) + np.asarray(vectors)), []
        for tail, head in zip(self.pixel(starts), heads):
            back = tail - head
            length = float(np.hypot(*back))
            if not length:
                continue
            barb = back / length * min(5.0, 0.4 * length)
            wings = [
                head + [barb[0] * c - barb[1] * s, barb[0] * s + barb[1] * c]
                for c, s in ((0.85, 0.5), (0.85, -0.5))
            ]
            path.append(
                "M{:.1f} {:.1f}L{:.1f} {:.1f}M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}".format(
                    *tail, *head, *wings[0], *head, *wings[1]
                )
            )
        self.parts.append(f'<path class="{kind}" d="{"".join(path)}"/>')

    def contours(self, xs, ys, values, levels, kind="contour"):
        generator = contour_generator(xs, ys, values)
        for level in levels:
            for points in generator.lines(level):
                self.line(points, kind)

    def text(self, point, words, kind="label"):
        x, y = self.pixel(point)
        self.parts.append(
            f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{html.escape(words)}</text>'
        )

    def svg(self):
        return "".join(self.parts)


class Explorer:
    """Drawings of one size, one shown at a time, chosen by several controls.

    `controls` is a list of (name, options, kind) with kind "range", "choice" or "time" (a range
    with a button that plays it); `frames` has a drawing for each tuple of positions in the options.

    >>> frames = {(n,): Plane((0, 1), (0, 1)) for n in range(2)}
    >>> Explorer(frames, [("keys", ["one", "two"], "choice")], alt="Nothing yet.")
    a picture with controls: Nothing yet.
    """

    def __init__(self, frames, controls, *, alt, start=None, backdrop=None):
        start = tuple(start or (0,) * len(controls))
        wanted = set(cartesian(*(range(len(options)) for _, options, _ in controls)))
        if set(frames) != wanted or not wanted:
            raise ValueError(
                f"frames: got {len(frames)} drawings, needs one for each of the {len(wanted)}"
                " settings of the controls, of which there must be one"
            )
        if start not in frames:
            raise ValueError(f"start: got {start}, needs a setting of the controls")
        self.frames, self.controls, self.alt, self.start, self.backdrop = (
            frames,
            controls,
            alt,
            start,
            backdrop,
        )

    def __repr__(self):
        return f"a picture with controls: {self.alt}"

    def _repr_html_(self):
        size = self.frames[self.start]
        groups = "".join(
            f'<g class="frame" data-at="{" ".join(map(str, at))}"'
            f"{'' if at == self.start else OUT}>{f.svg()}</g>"
            for at, f in self.frames.items()
        )
        under = self.backdrop.svg() if self.backdrop else ""
        svg = (
            f'<svg viewBox="0 0 {size.width} {size.height}" role="img"'
            f' aria-label="{html.escape(self.alt)}">{under}{groups}</svg>'
        )
        return stored(svg, "".join(control(*c, at) for c, at in zip(self.controls, self.start)))


def Slider(frames, names, *, control, alt, start=0, backdrop=None):
    """An Explorer with one range: `names` are what it says at each drawing.

    >>> frames = [Plane((0, 1), (0, 1)) for _ in range(2)]
    >>> Slider(frames, ["one key", "two keys"], control="keys", alt="Nothing yet.")
    a picture with controls: Nothing yet.
    """
    if len(frames) != len(names):
        raise ValueError(f"names: got {len(names)}, needs one for each of the {len(frames)} frames")
    return Explorer(
        {(n,): f for n, f in enumerate(frames)},
        [(control, names, "range")],
        alt=alt,
        start=(start,),
        backdrop=backdrop,
    )
