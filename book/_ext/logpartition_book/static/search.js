// Finds the entries of `BOOK`, from search-index.js, that hold every word asked for; and a result by
// its number, if that is all that is asked for or has a point, as 3.2.
const field = document.getElementById("lp-query");
const list = document.getElementById("lp-hits");
const status = document.getElementById("lp-found");
const MOST = 50;

// letters lose their accents; a sign that is crossed out stays another than the sign
const plain = (text) =>
  text
    .normalize("NFKD")
    .replace(/(\p{L})\p{M}+/gu, "$1")
    .normalize("NFC")
    .replace(/-/g, " ")
    .toLowerCase();

// "equation (3.2)", "Eq. 3.2", "{eq}`eq-a-label`" and "…#eq-a-label" ask for the number or the label
const KIND = /\b(?:equations?|eqs?n?|results?|theorems?|thm|no)\b[\s.]*(?=\(?\d+(?:\.\d+)*\b)/gi;
const asked = (text) =>
  plain(
    text
      .replace(/\{[\w:]+\}`([^`]*)`/g, "$1")
      .replace(/\S*#/g, " ")
      .replace(/(^|\s)(?:equation-)?eq-(?=[a-z])/gi, "$1")
      .replace(KIND, "")
      .replace(/\((\d{1,3}(?:\.\d+)*)\)/g, "$1")
      .replace(/[`“”"]/g, " "),
  );

// without what stands between words: "draft notes, eq (2)" and "draft notes equation 2" are one
const loose = (text) => asked(text).replace(/[,;:.]+(?=\s|$)/g, "").replace(/\s+/g, " ").trim();

const held = (key) => (entry) => plain([entry[key] ?? ""].flat().join(" · "));
const KEYS = ["name", "aliases", "label", "badge", "text", "reasons", "tex", "code"].map(held);
for (const entry of BOOK) {
  entry.title = plain(entry.name);
  entry.id = plain(entry.label ?? "");
  entry.called = loose(`${entry.name} · ${entry.badge ?? ""}`);
  entry.names = (entry.aliases ?? []).map(plain);
  entry.all = KEYS.map((key) => key(entry)).join(" · ");
}

// a formula in TeX, however it is spaced and braced
const squeezed = (tex) =>
  tex
    .replace(/\\(?:left|right)(?![A-Za-z])|\\[,;:! ]|[\s$]+/g, "")
    .replace(/([_^])\{(\\[A-Za-z]+|\w)\}/g, "$1$2");

const escaped = (word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

// how to find a word: whole, the beginning of one, or a part; of few letters a part means nothing
const matcher = (word) => ({
  word,
  whole: new RegExp(`(?<![\\p{L}\\p{N}])${escaped(word)}(?![\\p{L}\\p{N}])`, "u"),
  start: new RegExp(`(?<![\\p{L}\\p{N}])${escaped(word)}`, "u"),
  part: /^[\p{L}\p{N}]{1,3}$/u.test(word) ? /(?!)/ : new RegExp(escaped(word), "u"),
});
const found = (text, { whole, start, part }) =>
  whole.test(text) ? 4 : start.test(text) ? 2 : part.test(text) ? 1 : 0;

// of a query that is one symbol the notation comes first, the letter in the same case before the
// other; else a number or a label, then a title, then another name, then words, of which a whole
// one weighs more than a part of one, and one in a title more than one in a text
function score(entry, query, words, typed) {
  if (entry.symbols?.includes(typed)) return 5e4;
  if (entry.symbols?.some((symbol) => plain(symbol) === query)) return 4.5e4;
  if (entry.number === query || entry.id === query) return 4e4;
  if (typed.includes("\\")) {
    entry.formula ??= squeezed(entry.tex);
    if (entry.formula.includes(squeezed(typed))) return 2e4 + (entry.label ? 1 : 0);
  }
  const sums = words.map((word) => [found(entry.all, word), found(entry.title, word)]);
  if (words.some(({ word }) => word.includes(".") && word === entry.number)) return 3.5e4;
  if (sums.some(([all]) => !all)) return 0;
  const sum = sums.reduce((total, [all, title]) => total + all + 5 * title, entry.label ? 1 : 0);
  if (entry.title === query) return 3e4 + sum;
  if (words.length > 2 && `${entry.called} `.includes(`${loose(typed)} `)) return 2.5e4 + sum;
  if (sums.every(([, title]) => title === 4)) return 2e4 + sum;
  if (entry.names.includes(query)) return 1e4 + sum;
  return (sums.every(([all]) => all === 4) ? 1e3 : 0) + sum;
}

// the text around the first word found, cut between words
function snippet(text, words) {
  const places = words.map(({ whole, word }) => {
    const at = plain(text).search(whole);
    return at < 0 ? plain(text).indexOf(word) : at;
  });
  const at = Math.max(0, Math.min(...places.filter((i) => i >= 0), Infinity));
  const start = at === Infinity || at < 60 ? 0 : text.indexOf(" ", at - 60) + 1;
  if (text.length <= start + 180) return `${start ? "… " : ""}${text.slice(start)}`;
  const end = text.lastIndexOf(" ", start + 180);
  return `${start ? "… " : ""}${text.slice(start, end > start ? end : start + 180)} …`;
}

function hit(entry, words) {
  const item = document.createElement("li"),
    link = document.createElement("a"),
    where = document.createElement("span"),
    text = document.createElement("p");
  link.href = entry.to;
  link.textContent = entry.number ? `(${entry.number}) ${entry.name}` : entry.name;
  const also = entry.aliases?.length ? `also found as: ${entry.aliases.join(", ")}` : "";
  where.textContent = [entry.badge, entry.where === entry.name ? "page" : entry.where, also]
    .filter(Boolean)
    .join(" · ");
  text.textContent = snippet(entry.text, words);
  const formula = document.createElement("div");
  formula.innerHTML = entry.math ?? "";
  item.append(link, " ", where, formula, text);
  return item;
}

function search() {
  const query = asked(field.value).replace(/\s+/g, " ").trim();
  const typed = field.value.trim();
  const words = query.split(" ").filter(Boolean).map(matcher);
  const hits = words.length
    ? BOOK.map((entry) => [score(entry, query, words, typed), entry])
        .filter(([n]) => n)
        .sort(([a], [b]) => b - a)
    : [];
  list.replaceChildren(...hits.slice(0, MOST).map(([, entry]) => hit(entry, words)));
  watch(list);
  const shown = hits.length > MOST ? `, the first ${MOST} shown` : "";
  status.textContent = words.length
    ? `${hits.length || "no"} place${hits.length === 1 ? "" : "s"} found${shown}`
    : "";
}

field.value = new URLSearchParams(location.search).get("q") ?? "";
field.addEventListener("input", () => {
  search();
  history.replaceState(
    null,
    "",
    field.value ? `?q=${encodeURIComponent(field.value)}` : location.pathname,
  );
});
field.form.addEventListener("submit", (event) => event.preventDefault());
field.focus();
search();
