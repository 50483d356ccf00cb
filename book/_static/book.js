// What scrolls sideways can be reached with the keyboard and shows that there is more; what does
// not is no tab stop.
const wide =
  ".katex-display, .lp-display, .lp-term, .lp-start, .lp-wide, .lp-graph, .lp-facts dd, " +
  ".lp-entry dd, .lp-table td, .lp-table th, #lp-hits div, pre, .output.text_html, " +
  ".pst-scrollable-table-container";

const laidOut = (element) => element.checkVisibility({ contentVisibilityAuto: true });

// Everything is measured before anything is changed: else the page is laid out for each of them.
function mark(elements) {
  const measured = elements.map((e) => [e, e.scrollWidth - e.clientWidth, e.scrollLeft]);
  for (const [element, hidden, gone] of measured) {
    if (hidden > 1) element.tabIndex = 0;
    else element.removeAttribute("tabindex");
    element.toggleAttribute("data-more", hidden - gone > 1);
  }
}

const settle = (part) => mark([...part.querySelectorAll(wide)].filter(laidOut));

// How many ems wide the widest part of a formula is that no line break divides: the print
// stylesheet makes wide ones smaller.
function size(formulas) {
  const measured = formulas.map((formula) => {
    const parts = [...formula.querySelectorAll(".katex-base")].map((part) => part.offsetWidth);
    return [formula, Math.max(0, ...parts) / parseFloat(getComputedStyle(formula).fontSize)];
  });
  for (const [formula, ems] of measured)
    if (ems > 24) formula.style.setProperty("--lp-ems", Math.ceil(ems));
}

const observer = new ResizeObserver((entries) => mark(entries.map((entry) => entry.target)));

function watch(part) {
  for (const element of part.querySelectorAll(wide)) {
    observer.observe(element);
    element.addEventListener("scroll", () => mark([element]), { passive: true });
  }
}

addEventListener("DOMContentLoaded", () => {
  watch(document);
  for (const address of document.querySelectorAll(".lp-address"))
    address.textContent = absolute(address.textContent);
  // formulas are wider or narrower once their fonts are there, and have no width while they are
  // folded away
  document.fonts.addEventListener("loadingdone", () => settle(document));
  document.addEventListener("toggle", ({ target }) => {
    target.querySelectorAll(":scope > * .lp-copiers[hidden]").forEach(offered);
    settle(target);
  }, true);
});

// A place is where it is only when all that is above it is laid out, and the panels for programs are
// open.
function toPlace() {
  document.documentElement.classList.remove("lp-far");
  document.querySelector(":target")?.scrollIntoView();
}

addEventListener("hashchange", toPlace);
addEventListener("DOMContentLoaded", () => location.hash && requestAnimationFrame(toPlace));

// Paper waits for no font: those of formulas far below are fetched when all else is done, one after
// the other, but for what is folded away.
const idly = window.requestIdleCallback ?? setTimeout;

function fontRules() {
  try {
    const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
    return rules.filter((rule) => /^KaTeX_/.test(rule.style?.fontFamily) && rule.selectorText);
  } catch {
    return []; // a stylesheet in a folder may not be read
  }
}

async function fetched([rule, ...others]) {
  if (!rule) return;
  const { fontStyle, fontWeight, fontFamily } = rule.style;
  const shown = (element) => !element.closest("details:not([open])");
  if ([...document.querySelectorAll(rule.selectorText)].some(shown))
    await document.fonts.load(`${fontStyle} ${fontWeight} 1em ${fontFamily}`.trim());
  idly(() => fetched(others));
}

addEventListener("load", () => idly(() => fetched(fontRules())));

// The button for the colours says what it does, and the state that it is in.
const MODES = { auto: "as your system has them", light: "light", dark: "dark" };

function told(button) {
  const mode = MODES[document.documentElement.dataset.mode] ?? MODES.auto;
  const name = `Change the colours, now ${mode}`;
  button.setAttribute("aria-label", name);
  button.title = name;
}

addEventListener("DOMContentLoaded", () => {
  const buttons = document.querySelectorAll(".theme-switch-button");
  const tell = () => buttons.forEach(told);
  new MutationObserver(tell).observe(document.documentElement, { attributeFilter: ["data-mode"] });
  tell();
});

// An address within the site, as one that works elsewhere; from a folder there is none.
const absolute = (address) =>
  location.protocol.startsWith("http") ? new URL(address, location.href).href : address;

// What a result can be copied as: entries for a bibliography, and TeX.
function offered(place) {
  const box = place.closest(".lp-result");
  const forms = { ...entries(box, place.dataset), ...inTex(box, place.dataset.tex) };
  for (const [name, text] of Object.entries(forms)) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: `Copy ${name}` });
    button.addEventListener("click", () => copied(button, text));
    place.append(button, " ");
  }
  place.hidden = false;
}

const SIGNS = { "≤": "$\\le$", "≥": "$\\ge$" };

function entries(box, { title }) {
  const { book, edition, year } = document.getElementById("reproduce").dataset;
  const said = (part) => box.querySelector(part).textContent;
  const where = [edition, said(".lp-badge")].filter(Boolean).join(", ");
  const address = said(".lp-evidence .lp-address");
  const fields = [
    ["author", `{The authors of \`\`${book}''}`],
    ["title", `{${title ?? said(".lp-title")}}`],
    ["howpublished", `In: ${book}, ${where.replace(/[≤≥]/g, (sign) => SIGNS[sign])}`],
    ["year", year],
    ["url", address],
  ];
  const lines = [
    ["TY", "GEN"],
    ["TI", said(".lp-title")],
    ["AU", `The authors of “${book}”`],
    ["T2", book],
    ["PY", year],
    ["N1", where],
    ["UR", address],
    ["ER", ""],
  ];
  const listed = fields.map(([key, value]) => `  ${key} = {${value}}`).join(",\n");
  return {
    BibTeX: `@misc{${book.toLowerCase().replace(/\W+/g, "-")}:${box.id.slice(3)},\n${listed}\n}`,
    RIS: lines.map(([key, value]) => `${key}  - ${value}\n`).join(""),
  };
}

// The links of a chain stand in lines, aligned at the relation; a lone line is the statement.
function inTex(box, tex) {
  if (!tex) return {};
  const lines = tex.split("\n");
  const plain = lines.map((line) => line.replace(" &", " ").replace(/^&/, ""));
  const whole = box.querySelector(":scope > .lp-display annotation")?.textContent;
  const statement = whole?.replace(/^\\displaystyle /, "") ?? plain[0];
  if (!box.querySelector(":scope > .lp-chain")) return { "TeX: statement": statement };
  return {
    "TeX: statement": statement,
    ...(lines[1] && { "TeX: chain": plain.map((line) => `\\[ ${line} \\]`).join("\n") }),
    "TeX: align": `\\begin{align*}\n  ${lines.join(" \\\\\n  ")}\n\\end{align*}`,
  };
}

async function copied(button, text) {
  const name = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Not allowed to copy";
  }
  setTimeout(() => {
    button.textContent = name;
  }, 1500);
}

// Copying a formula gives its TeX; a part of a formula counts as the whole.
document.addEventListener("copy", (event) => {
  const selection = getSelection();
  if (selection.isCollapsed) return;
  const range = selection.getRangeAt(0).cloneRange();
  const formula = (node) =>
    (node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement).closest(".katex");
  const [first, last] = [formula(range.startContainer), formula(range.endContainer)];
  if (first) range.setStartBefore(first);
  if (last) range.setEndAfter(last);
  const held = range.cloneContents();
  if (!held.querySelector(".katex")) return;
  for (const button of held.querySelectorAll("button")) button.remove();
  for (const part of held.querySelectorAll(".katex")) {
    const tex = part
      .querySelector("annotation")
      .textContent.replace(/^\\displaystyle /, "")
      .replace(/^\{\}/, "");
    const block = part.closest(".katex-display, .lp-display, .lp-term, .lp-start");
    part.replaceWith(block ? `$$${tex}$$` : `$${tex}$`);
  }
  const lines = document.createElement("div");
  lines.style.cssText = "position: absolute; left: -99rem; white-space: pre-wrap";
  lines.append(held);
  document.body.append(lines); // innerText needs a layout to know where lines end
  event.clipboardData.setData("text/plain", lines.innerText.trim());
  lines.remove();
  event.preventDefault();
});

// A section that is chosen in a drawer is on the page behind it.
document.addEventListener("click", ({ target }) => {
  const link = target.closest?.("dialog[open] a[href*='#']");
  if (link?.pathname === location.pathname) link.closest("dialog").close();
});

// Evidence and answers are printed, and pictures that nobody has scrolled to.
let opened = [];
addEventListener("beforeprint", () => {
  const folded = [...document.querySelectorAll("details:not([open])")];
  opened = folded.filter(
    (details) =>
      details.matches(".lp-evidence") ||
      /^(Answer|Hint|In words|\d+ result|see also)/.test(details.innerText.trim()),
  );
  opened.forEach((details) => {
    details.open = true;
  });
  for (const image of document.images) image.loading = "eager";
  fetched(fontRules());
  size([...document.querySelectorAll(".katex")]);
});
addEventListener("afterprint", () =>
  opened.forEach((details) => {
    details.open = false;
  }),
);
