"""The book's one plotting style, and pictures with a slider that need no kernel.

`style()` sets matplotlib up; `slider(frames, …)` shows one of several drawings, chosen by a range input, in any browser,
by keyboard too, and shows a chosen one where there is no script. Drawings are SVG, made of lines, dots and arrows.
"""

import html
from dataclasses import dataclass, field
from hashlib import sha256

import matplotlib
import numpy as np
from contourpy import contour_generator

# Colour-blind safe (Okabe and Ito), dark enough on white for lines.
COLOURS = {"blue": "#0072B2", "vermilion": "#D55E00", "green": "#007a5a", "purple": "#a8558a", "grey": "#767676"}


def style():
    """The book's matplotlib style: vector output that is the same on every run."""
    from IPython import get_ipython
    from matplotlib_inline.backend_inline import set_matplotlib_formats
    matplotlib.rcParams.update({
        "figure.figsize": (6.4, 3.6), "figure.constrained_layout.use": True, "font.size": 10, "axes.spines.top": False, "axes.spines.right": False,
        "axes.grid": True, "grid.alpha": 0.25, "lines.linewidth": 1.8, "axes.prop_cycle": matplotlib.cycler(color=list(COLOURS.values())),
        "svg.hashsalt": "logpartition", "legend.frameon": False})
    if get_ipython() is not None:
        set_matplotlib_formats("svg", metadata={"Date": None})


@dataclass
class Plane:
    """A drawing over a rectangle of the plane; coordinates are the mathematics', y upwards."""

    x_range: tuple
    y_range: tuple
    width: int = 560
    parts: list = field(default_factory=list)

    @property
    def height(self):
        return round(self.width * (self.y_range[1] - self.y_range[0]) / (self.x_range[1] - self.x_range[0]))

    def pixel(self, points):
        points = np.asarray(points, dtype=float)
        (x0, x1), (y0, y1) = self.x_range, self.y_range
        return np.stack([(points[..., 0] - x0) / (x1 - x0) * self.width, (y1 - points[..., 1]) / (y1 - y0) * self.height], -1)

    def line(self, points, kind="line"):
        path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in self.pixel(points))
        self.parts.append(f'<path class="{kind}" d="{path}"/>')

    def dots(self, points, kind="dot", radius=5):
        self.parts.extend(f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}"/>' for x, y in self.pixel(points))

    def arrows(self, starts, vectors, kind="arrow"):
        """All arrows as one path; the head is two short strokes."""
        heads, path = self.pixel(np.asarray(starts) + np.asarray(vectors)), []
        for tail, head in zip(self.pixel(starts), heads):
            back = tail - head
            length = float(np.hypot(*back))
            if length < 1.5:
                continue
            barb = back / length * min(5.0, 0.4 * length)
            wings = [head + [barb[0] * c - barb[1] * s, barb[0] * s + barb[1] * c] for c, s in ((0.85, 0.5), (0.85, -0.5))]
            path.append("M{:.1f} {:.1f}L{:.1f} {:.1f}M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}".format(*tail, *head, *wings[0], *head, *wings[1]))
        self.parts.append(f'<path class="{kind}" d="{"".join(path)}"/>')

    def contours(self, xs, ys, values, levels, kind="contour"):
        generator = contour_generator(xs, ys, values)
        for level in levels:
            for points in generator.lines(level):
                self.line(points, kind)

    def text(self, point, words, kind="label"):
        x, y = self.pixel(point)
        self.parts.append(f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{html.escape(words)}</text>')

    def svg(self):
        return "".join(self.parts)


class Slider:
    """Drawings of one size, one shown at a time; `names` are what the slider says at each."""

    def __init__(self, frames, names, *, control, alt, start=0, backdrop=None):
        if len(frames) != len(names) or not frames:
            raise ValueError(f"names: got {len(names)}, needs one for each of the {len(frames)} frames, of which there must be one")
        self.frames, self.names, self.control, self.alt, self.start, self.backdrop = frames, names, control, alt, start, backdrop

    def __repr__(self):
        return f"a picture with a slider: {self.alt}"

    def _repr_html_(self):
        first = self.frames[0]
        groups = "".join(f'<g class="frame"{"" if n == self.start else " hidden"}>{f.svg()}</g>' for n, f in enumerate(self.frames))
        under = self.backdrop.svg() if self.backdrop else ""
        key = "lp-" + sha256((groups + self.control).encode()).hexdigest()[:8]
        options = "|".join(map(html.escape, self.names))
        return (f'<figure class="lp-figure" id="{key}">{STYLE}'
                f'<svg viewBox="0 0 {first.width} {first.height}" role="img" aria-label="{html.escape(self.alt)}">{under}{groups}</svg>'
                f'<label>{html.escape(self.control)} <input type="range" min="0" max="{len(self.frames) - 1}" value="{self.start}" data-names="{options}" '
                f'aria-valuetext="{html.escape(self.names[self.start])}"> <output>{html.escape(self.names[self.start])}</output></label>'
                f"<script>{SCRIPT % key}</script></figure>")


STYLE = ("<style>.lp-figure svg{width:100%;height:auto;max-width:36rem;display:block;margin:auto}"
         ".lp-figure label{display:flex;gap:.6rem;align-items:center;justify-content:center}.lp-figure input{flex:0 1 18rem}"
         ".lp-figure output{min-width:5em;font-variant-numeric:tabular-nums}.lp-figure g[hidden]{display:none}"
         ".lp-figure path{fill:none;stroke:currentColor}.lp-figure .contour{opacity:.35}.lp-figure .arrow{stroke:#0072B2;stroke-width:1.3}"
         "html[data-theme=dark] .lp-figure .arrow{stroke:#56B4E9}.lp-figure .hull{stroke-dasharray:4 4;opacity:.6}"
         ".lp-figure .dot{fill:#D55E00;stroke:none}.lp-figure .label{fill:currentColor;font:13px sans-serif}</style>")

SCRIPT = ("(()=>{const f=document.getElementById('%s'),i=f.querySelector('input'),o=f.querySelector('output'),"
          "g=[...f.querySelectorAll('g.frame')],n=i.dataset.names.split('|');"
          "i.addEventListener('input',()=>{g.forEach((e,k)=>e.toggleAttribute('hidden',k!=i.value));"
          "o.textContent=n[i.value];i.setAttribute('aria-valuetext',n[i.value])})})()")
