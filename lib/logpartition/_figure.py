"""A picture with controls as HTML, in the two forms in which it is shown.

A page has it `live`: drawing, controls and script, under a style that is the page's. A notebook has
it `stored`: there the script makes that of a text, and until it runs an image shows the start. What
trusts no notebook drops scripts and drawings, and keeps images.
"""

import html
import re
from base64 import b64encode
from hashlib import sha256

OUT = ' display="none"'  # of a frame that is not shown
KEYS = 'data-lm-suppress-shortcuts="true"'  # JupyterLab leaves the arrow keys to the control
INK = (
    ".lp-figure path{fill:none;stroke:currentColor}.lp-figure .contour{opacity:.35}.lp-figure "
    ".arrow{stroke:#0072B2;stroke-width:1.3}"
    ".lp-figure .curve{stroke:#0072B2;stroke-width:2}"
    ".lp-figure .hull{stroke-dasharray:4 4;opacity:.6}.lp-figure .axis{opacity:.5}"
    ".lp-figure .dot{fill:#D55E00;stroke:none}.lp-figure .outside{fill:none;stroke:#D55E00;"
    "stroke-width:2}"
    # heavier than a path's own rule; without the figure, so that it holds inside a <use>, too
    "path.shade.shade{fill:#808080;stroke:none;opacity:.2}"
    ".lp-figure .band{stroke:#009E73;stroke-width:6;stroke-linecap:round}"
    ".lp-figure .label{fill:currentColor;font:14px sans-serif}"
)
STYLE = INK + (
    ".lp-figure svg{width:100%;height:auto;max-width:36rem;display:block;margin:auto}"
    ".lp-figure .controls{display:flex;flex-wrap:wrap;gap:.4rem 1.2rem;justify-content:center}"
    ".lp-figure .controls>*{display:flex;gap:.5rem;align-items:center}"
    ".lp-figure div>label{display:contents}.lp-figure .controls>label{display:flex}"
    ".lp-figure input{width:min(16rem,45vw)}"
    ".lp-figure output{min-width:4.5em;font-variant-numeric:tabular-nums}"
    "html[data-theme=dark] .lp-figure :is(.arrow,.curve){stroke:#56B4E9}"
    "@media(max-width:600px){.lp-figure .label{font-size:22px}}"
    ".lp-figure button{font:inherit;min-width:4em}"
)
SCRIPT = (
    "(()=>{const f=document.getElementById('%s'),t=f.querySelector('script[type]');"
    "if(t){f.querySelector('img').remove();t.outerHTML=t.textContent}"
    "const c=[...f.querySelectorAll('input,select')],g=[...f.querySelectorAll('g.frame')],"
    "b=f.querySelector('button');let timer;"
    "const show=()=>{const at=c.map(e=>e.tagName=='SELECT'?e.selectedIndex:+e.value).join(' ');"
    "g.forEach(e=>e.dataset.at==at?e.removeAttribute('display'):e.setAttribute('display','none'));"
    "c.forEach(e=>{if(e.tagName=='INPUT'){const w=e.dataset.names.split('|')[e.value];"
    "e.parentNode.nextElementSibling.textContent=w;e.setAttribute('aria-valuetext',w)}})};"
    "c.forEach(e=>e.addEventListener('input',show));"
    "if(b){const e=b.parentNode.querySelector('input'),stop=()=>"
    "{clearInterval(timer);timer=0;b.textContent='play';"
    "b.setAttribute('aria-pressed','false')};b.addEventListener('click',()=>{if(timer)return "
    "stop();if(e.value==e.max){e.value=0;show()}"
    "b.textContent='pause';b.setAttribute('aria-pressed','true');"
    "timer=setInterval(()=>{if(e.value==e.max)return stop();e.value=+e.value+1;show()},180)})}})()"
)
STORED = re.compile(
    r'(?P<begin><figure class="lp-figure" id="[\w-]+">)'
    r'<script type="text/html"><style>[^<]*</style>'
    r'(?P<svg><svg .*?</svg>)<div class="controls">(?P<controls>.*?)</div></script><img [^>]*>'
    r"(?P<end><script>.*)",
    re.DOTALL,
)
BEGIN = re.compile(r'<svg (viewBox="0 0 (\S+) (\S+)") role="img" aria-label="([^"]*)">')


def stored(svg, controls):
    """The form for a notebook, which needs nothing around it."""
    key = "lp-" + sha256((svg + controls).encode()).hexdigest()[:8]
    return (
        f'<figure class="lp-figure" id="{key}"><script type="text/html"><style>{STYLE}</style>'
        f'{svg}<div class="controls">{controls}</div></script>{image(svg)}'
        f"<script>{SCRIPT % key}</script></figure>"
    )


def live(figure):
    """The form for a page that has STYLE; what is not `stored` stays as it is."""
    found = STORED.fullmatch(figure)
    if found is None:
        return figure
    begin, svg, controls, end = found.groups()
    return f'{begin}{svg}<div class="controls">{controls}</div>{end}'


def forged(figure):
    """Whether a notebook shows another picture by this, until the script runs, than a page does."""
    found = STORED.fullmatch(figure)
    return found is not None and figure != stored(found["svg"], found["controls"])


def image(svg):
    """The drawing as it is at the start, as an image with the words of its label."""
    under, *frames = svg.removesuffix("</svg>").split('<g class="frame"')
    start = next(frame for frame in frames if OUT not in frame.partition(">")[0])
    box, width, height, label = BEGIN.match(under).groups()
    file = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="lp-figure" {box} width="{width}"'
        f' height="{height}"><style>{INK}</style><rect width="100%" height="100%" fill="#fff"/>'
        f'{BEGIN.sub("", under)}<g class="frame"{start}</svg>'
    )
    data = b64encode(file.encode()).decode()
    return f'<img alt="{label}" src="data:image/svg+xml;base64,{data}">'


def control(name, options, kind, at):
    """A menu; or a range with a name for each of its places, which a button may play."""
    if kind == "choice":
        items = "".join(
            f"<option{' selected' if n == at else ''}>{html.escape(o)}</option>"
            for n, o in enumerate(options)
        )
        return f"<label>{html.escape(name)} <select {KEYS}>{items}</select></label>"
    words, said = html.escape("|".join(options)), html.escape(options[at])
    play = (
        f'<button type="button" {KEYS} aria-pressed="false">play</button>' if kind == "time" else ""
    )
    return (
        f'<div><label>{html.escape(name)} <input type="range" {KEYS} min="0"'
        f' max="{len(options) - 1}" value="{at}" data-names="{words}" aria-valuetext="{said}">'
        f"</label><output>{said}</output>{play}</div>"
    )
