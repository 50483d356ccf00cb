// What scrolls sideways can be reached with the keyboard and shows that there is more; what does
// not is no tab stop.
const wide =
  ".katex-display, .lp-display, .lp-term, .lp-start, .lp-wide, .lp-graph, .lp-facts dd, " +
  ".lp-entry dd, .lp-table td, .lp-table th, pre, .output.text_html, .pst-scrollable-table-container";

function mark(element) {
  const hidden = element.scrollWidth - element.clientWidth;
  if (hidden > 1) element.tabIndex = 0;
  else element.removeAttribute("tabindex");
  element.toggleAttribute("data-more", hidden - element.scrollLeft > 1);
}

// How many ems wide the widest part of a formula is that no line break divides: the print
// stylesheet makes wide ones smaller.
function size(formula) {
  const em = parseFloat(getComputedStyle(formula).fontSize);
  const widest = Math.max(
    0,
    ...[...formula.querySelectorAll(".katex-base")].map((part) => part.offsetWidth),
  );
  if (widest > 24 * em) formula.style.setProperty("--lp-ems", Math.ceil(widest / em));
}

function settle(part) {
  part.querySelectorAll(wide).forEach(mark);
  part.querySelectorAll(".katex").forEach(size);
}

addEventListener("DOMContentLoaded", () => {
  const observer = new ResizeObserver((entries) => entries.forEach((entry) => mark(entry.target)));
  for (const element of document.querySelectorAll(wide)) {
    observer.observe(element);
    element.addEventListener("scroll", () => mark(element), { passive: true });
  }
  for (const address of document.querySelectorAll(".lp-address"))
    address.textContent = absolute(address.textContent);
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", () => copied(button));
  }
  // formulas are wider or narrower once their fonts are there
  document.fonts.ready.then(() => settle(document));
  // and have no width while they are folded away
  document.addEventListener("toggle", (event) => settle(event.target), true);
});

// The button for the colours names the state that it is in.
const MODES = { auto: "as your system has them", light: "light", dark: "dark" };

function told(button) {
  const name = `Colours: ${MODES[document.documentElement.dataset.mode] ?? MODES.auto}`;
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

async function copied(button) {
  const name = button.textContent,
    text = button.dataset.copy
      .replace(/(url = \{)(.*)(\})/, (all, before, address, after) => before + absolute(address) + after)
      .replace(/^(UR {2}- )(.*)$/m, (all, before, address) => before + absolute(address));
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

// The evidence is printed.
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll(".lp-evidence:not([open])")];
  opened.forEach((details) => {
    details.open = true;
  });
});
addEventListener("afterprint", () =>
  opened.forEach((details) => {
    details.open = false;
  }),
);
