// Formulas of which a glyph is outside the box that shows it: what the ink of every glyph covers,
// against every ancestor that hides what overflows it. On a screen a box that scrolls hides nothing
// that scrolling brings; on paper nothing scrolls.
(paper) => {
  const pen = document.createElement("canvas").getContext("2d"),
    inks = new Map(),
    found = [];
  const ink = (text, { fontStyle, fontWeight, fontSize, fontFamily }) => {
    const font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`,
      key = font + text;
    if (!inks.has(key)) {
      pen.font = font;
      inks.set(key, pen.measureText(text));
    }
    return inks.get(key);
  };
  const covered = (formula) => {
    const walker = document.createTreeWalker(formula, NodeFilter.SHOW_TEXT),
      range = document.createRange();
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let node; (node = walker.nextNode());) {
      if (!/[^\s\u200b]/.test(node.data)) continue;
      range.selectNodeContents(node);
      const at = range.getBoundingClientRect(),
        m = ink(node.data, getComputedStyle(node.parentElement));
      const base =
        at.top + at.height / 2 + (m.fontBoundingBoxAscent - m.fontBoundingBoxDescent) / 2;
      [left, right] = [Math.min(left, at.left), Math.max(right, at.right)];
      [top, bottom] = [
        Math.min(top, base - m.actualBoundingBoxAscent),
        Math.max(bottom, base + m.actualBoundingBoxDescent),
      ];
    }
    return { left, right, top, bottom };
  };
  const hidden = (formula) => {
    let { left, right, top, bottom } = covered(formula);
    for (let box = formula.parentElement; box; box = box.parentElement) {
      const style = getComputedStyle(box),
        root = box === document.body || box === document.documentElement;
      if (["inline", "contents"].includes(style.display)) continue;
      const at = box.getBoundingClientRect(),
        scrolls = (value) => !paper && ["auto", "scroll"].includes(value);
      const l = root ? 0 : at.left + box.clientLeft,
        r = root ? innerWidth : l + box.clientWidth,
        t = at.top + box.clientTop,
        b = t + box.clientHeight;
      const high = Math.max(t - top, bottom - b),
        contained = /paint|content|strict/.test(style.contain),
        spare = contained ? Math.max(1, parseFloat(style.overflowClipMargin)) : 1;
      const hides = (value) => contained || value !== "visible";
      if (!root && hides(style.overflowY) && !scrolls(style.overflowY) && high > spare)
        return [box, high, "high"];
      if (scrolls(style.overflowX)) {
        const start = l - box.scrollLeft,
          wide = Math.max(start - left, right - start - box.scrollWidth);
        if (wide > 1) return [box, wide, "wide"];
        [left, right] = [Math.max(left, l), Math.min(right, r)];
      } else if ((root || hides(style.overflowX)) && Math.max(l - left, right - r) > spare)
        return [box, Math.max(l - left, right - r), "wide"];
    }
  };
  for (const formula of document.querySelectorAll(".katex-html")) {
    if (!formula.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true }))
      continue;
    const [box, pixels, way] = hidden(formula) ?? [];
    const tex = formula.parentElement.querySelector("annotation").textContent;
    if (box)
      found.push(
        `${pixels.toFixed(0)} px too ${way} for ${box.tagName}.${box.className}: ${tex.slice(0, 80)}`,
      );
  }
  return found;
};
