// Finds the entries of `BOOK`, from search-index.js, that hold every word asked for; a result by its
// number, if that is all that is asked for or has a point, as 3.2; and what has a formula, however
// that is typed.
const field = document.getElementById("lp-query");
const list = document.getElementById("lp-hits");
const status = document.getElementById("lp-found");
const instead = document.getElementById("lp-instead");
const MOST = 50;

// letters lose their accents; a sign that is crossed out stays another than the sign
const plain = (text) =>
  text
    .normalize("NFKD")
    .replace(/(\p{L})\p{M}+/gu, "$1")
    .normalize("NFC")
    .replace(/-/g, " ")
    .replace(/[‘’]/g, "'")
    .toLowerCase();

// "equation (3.2)", "Eq. 3.2.", "{eq}`eq-a-label`", "…#eq-a-label" and "…result/a-label.html" ask for
// the number or the label
const KIND = /\b(?:equations?|eqs?n?|results?|theorems?|thm|no)\b[\s.]*(?=\(?\d+(?:\.\d+)*\b)/gi;
const asked = (text) =>
  plain(
    text
      .replace(/\{[\w:]+\}`([^`]*)`/g, "$1")
      .replace(/\S*#/g, " ")
      .replace(/\S*\bresult\/([\w-]+)\.html/g, "$1")
      .replace(/(\d\.\d+)\.(?=\s|$)/g, "$1")
      .replace(/\((\d{1,3}\.\d+)$/, "$1")
      .replace(/(^|\s)(?:equation-)?eq-(?=[a-z])/gi, "$1")
      .replace(KIND, "")
      .replace(/\b(?:def|defn|definition)\b[\s.]*(?=\(?\d)/gi, "definition ")
      .replace(/\b(?:ch|chap|chapter)\b[\s.]*(?=\d)/gi, "chapter ")
      .replace(/\bln\b/gi, "log")
      .replace(/\((\d{1,3}(?:\.\d+)*)\)/g, "$1")
      .replace(/[`“”"]/g, " "),
  );

// without what stands between words: "draft notes, eq (2)" and "draft notes equation 2" are one
const loose = (text) => asked(text).replace(/[,;:.]+(?=\s|$)/g, "").replace(/\s+/g, " ").trim();

const held = (key) => (entry) => plain([entry[key] ?? ""].flat().join(" · "));
const KEYS = ["name", "aliases", "label", "badge", "text", "reasons", "tex", "code"].map(held);
for (const entry of BOOK) {
  entry.title = plain(entry.name);
  entry.id = plain(entry.label ?? entry.claim ?? "");
  entry.numbered = plain(entry.place ?? "");
  entry.decides = (entry.answers ?? []).map(plain);
  entry.called = loose(`${entry.name} · ${entry.badge ?? ""}`);
  entry.names = (entry.aliases ?? []).map(plain);
  entry.all = KEYS.map((key) => key(entry)).join(" · ");
}

// a formula as its signs between spaces, whether it is TeX or typed as it is read: without braces,
// backslashes and what only sets it, a sign under its name, and a word that is no name as letters
const GREEK =
  "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma " +
  "sigma tau upsilon phi chi psi omega";
const NAMED = {
  ...{ "∇": "nabla", "∂": "partial", "∑": "sum", "∏": "prod", "√": "sqrt", "∫": "int", "∈": "in" },
  ...{ "≤": "le", "≥": "ge", "≠": "ne", "<=": "le", ">=": "ge", leq: "le", geq: "ge", neq: "ne" },
  ...{ "⟨": "langle", "⟩": "rangle", "‖": "Vert", "\\|": "Vert", "·": "cdot", "×": "times" },
  ...{ "∞": "infty", "−": "-", ln: "log", dfrac: "frac", tfrac: "frac" },
};
for (const [i, name] of GREEK.split(" ").entries()) {
  NAMED[String.fromCharCode(0x3b1 + i)] = name;
  NAMED[String.fromCharCode(0x391 + i)] = name[0].toUpperCase() + name.slice(1);
}
for (const name of ["epsilon", "theta", "phi", "rho", "sigma"]) NAMED[`var${name}`] = name;
const SETTING = new RegExp(
  String.raw`\\(?:left|right|operatorname|displaystyle|limits|q?quad|boldsymbol|text|math[a-z]+)` +
    String.raw`(?![A-Za-z])|\\[,;:! ]|[\s$&{}]+`,
  "g",
);
const SIGN = /\\?[A-Za-z]+|\\\||[<>]=|\d+|[^\s]/g;
const OWN = /\\(?:operatorname|mathrm)\{([A-Za-z]+)\}|\\([A-Za-z]+)/g;

// the names of the book's formulas, which are words where they are typed
let known = null;
function names() {
  if (known) return known;
  const all = BOOK.flatMap(({ tex }) => [...tex.matchAll(OWN)]).map(([, a, b]) => a ?? b);
  return (known = new Set([...all, ...Object.values(NAMED), "ln"].filter((one) => one.length > 1)));
}

function signs(text) {
  const found = text
    .replace(/\\[dt]?frac\{1\}\{(\\?\w+|\p{L})\}/gu, "$1^{-1}")
    .replace(/\^?[⊤ᵀ]/g, "^\\top ")
    .replace(SETTING, " ")
    .match(SIGN);
  const each = (found ?? []).flatMap((sign) => {
    const name = sign.replace(/^\\(?=[A-Za-z])/, "");
    return name !== sign || names().has(name) || !/^[A-Za-z]/.test(name) ? [name] : [...name];
  });
  const raised = (sign, i) => (sign === "T" && each[i - 1] === "^" ? "top" : sign);
  return each.map(raised).map((sign) => NAMED[sign] ?? sign);
}
const formula = (text) => ` ${signs(text).join(" ")} `;

// the signs of a query that may be a formula: it is TeX, or has more than one sign, of which some
// are no letters or all are letters and names
function inSigns(typed) {
  if (typed.includes("\\")) return formula(typed);
  const signed = /[\^_=+(<>\u0370-\u03ff\u2200-\u22ff]/.test(typed);
  const bare = typed.split(/\s+/).every((part) => /^[A-Za-z]$/.test(part) || names().has(part));
  return (signed || bare) && signs(typed).length > 1 ? formula(typed) : "";
}

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
// other; else a number, a label or a claim's, with the results that decide it, then a title, then
// another name, then words, of which a whole one weighs more than a part of one, and one in a title
// more than one in a text
function score(entry, query, words, typed, wanted) {
  if (entry.symbols?.includes(typed)) return 5e4;
  if (entry.symbols?.some((symbol) => plain(symbol) === query)) return 4.5e4;
  if (entry.number === query || entry.id === query || entry.numbered === query) return 4e4;
  if (entry.decides.includes(query)) return 3.8e4;
  if (wanted) {
    entry.formula ??= formula(entry.tex);
    if (entry.formula.includes(wanted)) return 2e4 + (entry.label ? 1 : 0);
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
  const page = entry.where === entry.name ? "page" : entry.where;
  where.textContent = [entry.badge, entry.name.startsWith(entry.place) ? "" : entry.place, page, also]
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
  const wanted = typed && inSigns(typed);
  const hits = words.length
    ? BOOK.map((entry) => [score(entry, query, words, typed, wanted), entry])
        .filter(([n]) => n)
        .sort(([a], [b]) => b - a)
    : [];
  list.replaceChildren(...hits.slice(0, MOST).map(([, entry]) => hit(entry, words)));
  watch(list);
  const shown = hits.length > MOST ? `, the first ${MOST} shown` : "";
  status.textContent = words.length
    ? `${hits.length || "no"} place${hits.length === 1 ? "" : "s"} found${shown}`
    : "";
  instead.hidden = hits.length > 0 || !words.length;
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
