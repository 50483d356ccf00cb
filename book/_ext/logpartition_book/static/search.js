// Finds results and sections that hold every word asked for; `BOOK` comes from search-index.js.
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
for (const entry of BOOK) {
  entry.title = plain(entry.name);
  entry.all = plain(
    ["name", "number", "label", "badge", "text", "tex", "code"].map((key) => entry[key]).join(" "),
  );
}

// a number asks for that result; a word in a title weighs more than one in a text, a whole word
// more than a part
function score(entry, words) {
  let sum = entry.label ? 1 : 0;
  for (const word of words) {
    if (entry.number === word.replace(/[()]/g, "")) sum += 100;
    else if (!entry.all.includes(word)) return 0;
    else
      sum +=
        (entry.title.includes(word) ? 10 : 1) * (` ${entry.all} `.includes(` ${word} `) ? 2 : 1);
  }
  return sum;
}

// the text around the first word found, cut between words
function snippet(text, words) {
  const at = Math.max(
    0,
    Math.min(...words.map((word) => plain(text).indexOf(word)).filter((i) => i >= 0), Infinity),
  );
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
  where.textContent = [entry.badge, entry.where === entry.name ? "chapter" : entry.where]
    .filter(Boolean)
    .join(" · ");
  text.textContent = snippet(entry.text, words);
  const formula = document.createElement("div");
  formula.innerHTML = entry.math ?? "";
  item.append(link, " ", where, formula, text);
  return item;
}

function search() {
  const words = plain(field.value).split(/\s+/).filter(Boolean);
  const found = words.length
    ? BOOK.map((entry) => [score(entry, words), entry])
        .filter(([n]) => n)
        .sort(([a], [b]) => b - a)
    : [];
  list.replaceChildren(...found.slice(0, MOST).map(([, entry]) => hit(entry, words)));
  const shown = found.length > MOST ? `, the first ${MOST} shown` : "";
  status.textContent = words.length
    ? `${found.length || "no"} place${found.length === 1 ? "" : "s"} found${shown}`
    : "";
}

const asked = () => new URLSearchParams(location.search).get("q") ?? "";
field.value = asked();
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
