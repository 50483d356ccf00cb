// What scrolls sideways can be reached with the keyboard and shows that there is more; what does not is no tab stop.
const wide = ".katex-display, .lp-display, .lp-term, .lp-start, .lp-graph, .lp-facts dd, .lp-entry dd, .lp-table td, .output.text_html, .pst-scrollable-table-container";

function mark(element) {
  const hidden = element.scrollWidth - element.clientWidth;
  if (hidden > 1) element.tabIndex = 0;
  else element.removeAttribute("tabindex");
  element.toggleAttribute("data-more", hidden - element.scrollLeft > 1);
}

addEventListener("DOMContentLoaded", () => {
  const observer = new ResizeObserver((entries) => entries.forEach((entry) => mark(entry.target)));
  for (const element of document.querySelectorAll(wide)) {
    observer.observe(element);
    element.addEventListener("scroll", () => mark(element), { passive: true });
  }
});
