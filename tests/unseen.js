// What the article of a page says and a reader does not see: of each text the first and the last
// line, at both of their ends, with the page scrolled to them; of formulas, programs and drawings
// the first, the middle and the last text. And where these lines are on the page, for those who
// look at its pixels. It ends with the first that is unseen, where one is `enough`.
([except, enough]) => {
  const usual = {
    opacity: (value) => value > 0.85,
    filter: (value) => value === "none",
    clipPath: (value) => value === "none",
    maskImage: (value, box) => value === "none" || box.matches("[data-more]"),
    mixBlendMode: (value) => value === "normal",
    transform: (value) => value === "none",
    rotate: (value) => value === "none",
    scale: (value) => value === "none",
    writingMode: (value) => value === "horizontal-tb",
    direction: (value) => value === "ltr",
    unicodeBidi: (value) => !value.includes("override"),
    webkitTextSecurity: (value) => value === "none",
    textTransform: (value) => value === "none",
  };
  const known = new Map(),
    inked = [],
    unseen = [];
  // what is strange about a box or those around it, and those of them that scroll
  const about = (box) => {
    if (!box) return { strange: null, scrolling: [] };
    if (!known.has(box)) {
      const style = getComputedStyle(box),
        own = Object.keys(usual).find((name) => !usual[name](style[name], box)),
        { strange, scrolling } = about(box.parentElement),
        scrolls = /auto|scroll/.test(style.overflow) && box.scrollWidth > box.clientWidth + 1;
      known.set(box, {
        strange: own ? `${own}: ${style[own]}` : strange,
        scrolling: scrolls ? [box, ...scrolling] : scrolling,
      });
    }
    return known.get(box);
  };
  const lines = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()].filter((at) => at.width);
  };
  // a point of a text, with the boxes around it scrolled so that it is in sight
  const brought = (scrolling, point) => {
    for (const box of scrolling) {
      const { left } = box.getBoundingClientRect(),
        x = point()[0] - left - box.clientLeft;
      if (x < 2 || x > box.clientWidth - 2) box.scrollLeft += x - box.clientWidth / 2;
    }
    const [, y] = point();
    if (y < 0.15 * innerHeight || y > 0.85 * innerHeight)
      scrollBy({ top: y - 0.2 * innerHeight, behavior: "instant" });
    return point();
  };
  const missed = (node, within) => {
    const from = node.parentElement,
      found = lines(node),
      letters = node.data.replace(/\s+/g, " ").trim().length;
    if (!found.length || !from.checkVisibility({ visibilityProperty: true })) return "is not drawn";
    const { strange, scrolling } = about(from);
    if (strange) return strange;
    const wide = found.reduce((sum, at) => sum + at.width, 0),
      high = Math.min(...found.map((at) => at.height));
    if (within === from && (high < 9 || wide < 0.12 * letters * high)) return "is too small";
    for (const n of new Set([0, found.length - 1]))
      for (const end of [0, 1]) {
        const inset = Math.min(4, found[n].width / 3);
        const [x, y] = brought(scrolling, () => {
          const at = lines(node)[n];
          return end
            ? [at.right - inset, at.top + 0.7 * at.height]
            : [at.left + inset, at.top + 0.3 * at.height];
        });
        // parts of other formulas reach, empty, beyond their boxes
        let hit = document.elementFromPoint(x, y);
        if (!within.contains(hit) && hit?.closest(".katex"))
          hit = document
            .elementsFromPoint(x, y)
            .find((each) => within.contains(each) || !each.closest(".katex"));
        if (!within.contains(hit)) return `${hit?.tagName}.${hit?.className} is there`;
      }
  };
  const look = (node, within) => {
    const why = missed(node, within);
    if (why) unseen.push(`<${within.localName} class="${within.className}"> ${node.data}: ${why}`);
    else if (within === node.parentElement && !about(within).scrolling.length)
      for (const at of lines(node))
        inked.push([node.data, at.left + scrollX, at.top + scrollY, at.width, at.height]);
  };
  const alone = [],
    wholes = new Map();
  const walker = document.createTreeWalker(
    document.querySelector(".bd-article"),
    NodeFilter.SHOW_TEXT,
  );
  for (let node; (node = walker.nextNode());) {
    const from = node.parentElement;
    if (!/[^\s\u200b]/.test(node.data) || from.closest(except)) continue;
    const whole = from.closest(".katex, pre, svg");
    if (whole) wholes.set(whole, [...(wholes.get(whole) ?? []), node]);
    else if (/[\p{L}\d].*[\p{L}\d]/u.test(node.data)) alone.push(node);
  }
  const texts = alone.map((node) => [node, node.parentElement]);
  for (const [whole, parts] of wholes)
    for (const n of new Set([0, parts.length >> 1, parts.length - 1])) texts.push([parts[n], whole]);
  for (const [node, within] of texts) {
    look(node, within);
    if (enough && unseen.length) break;
  }
  scrollTo({ top: 0, behavior: "instant" });
  return { unseen, inked };
};
