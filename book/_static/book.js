// A formula or drawing that scrolls can be reached with the keyboard; one that does not is no tab stop.
const wide = ".katex-display, .lp-display, .lp-term, .lp-start, .lp-graph, .lp-entry dd, .lp-table td, .output.text_html";
const mark = (element) => {
  if (element.scrollWidth > element.clientWidth + 1) element.tabIndex = 0;
  else element.removeAttribute("tabindex");
};
addEventListener("DOMContentLoaded", () => {
  const observer = new ResizeObserver((entries) => entries.forEach((entry) => mark(entry.target)));
  document.querySelectorAll(wide).forEach((element) => observer.observe(element));
});
