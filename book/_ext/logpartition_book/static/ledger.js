// Filters the ledger by words, chapter and verdict, and keeps the choice in the address. Without
// this script all rows show.
const form = document.querySelector(".lp-filters");
const results = [...document.querySelectorAll(".lp-results tr[data-label]")];
const claims = [...document.querySelectorAll(".lp-claims tbody tr")];

const GREEK =
  "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma " +
  "sigma tau upsilon phi chi psi omega";

// as it is typed: in small letters, a Greek one by its name, and a straight apostrophe
const typed = (text) =>
  text
    .toLowerCase()
    .replace(/[‘’]/g, "'")
    .replace(/\\(?=[a-z])/g, "")
    .replace(/[α-ω]/g, (letter) => GREEK.split(" ")[letter.charCodeAt(0) - 0x3b1]);

// what a row says, each formula once: its letters apart, and its TeX
function spelled(row) {
  const copy = row.cloneNode(true);
  for (const formula of copy.querySelectorAll(".katex")) {
    const letters = [...formula.querySelectorAll("mi, mn, mo, mtext")].map((e) => e.textContent);
    formula.replaceWith(` ${letters.join(" ")} ${formula.querySelector("annotation").textContent} `);
  }
  return typed(`${copy.textContent} ${row.dataset.label ?? ""}`);
}

const said = new Map(); // of the rows that somebody has looked through
function holds(row, words) {
  if (words.length && !said.has(row)) said.set(row, spelled(row));
  return words.every((word) => said.get(row).includes(word));
}

function apply() {
  const { q, chapter, verdict } = Object.fromEntries(new FormData(form));
  const words = typed(q).split(/\s+/).filter(Boolean);
  const keeps = (row) =>
    (!chapter || row.dataset.chapter === chapter) && holds(row, words);
  const earned = ({ dataset }) => (dataset.verdict ?? dataset.verdicts).split(" ");
  for (const row of [...results, ...claims])
    row.hidden = !keeps(row) || Boolean(verdict && !earned(row).includes(verdict));
  for (const body of document.querySelectorAll(".lp-results tbody"))
    body.hidden = !body.querySelector("tr[data-label]:not([hidden])");
  const shown = (rows) => rows.filter((row) => !row.hidden).length;
  emptied(document.querySelector(".lp-results"), !shown(results));
  emptied(document.querySelector(".lp-claims"), !shown(claims));
  form.querySelector("output").textContent =
    `${shown(results)} of ${results.length} results, ${shown(claims)} of ${claims.length} claims`;
}

// where nothing is left of a table, words say so
function emptied(table, empty) {
  table.hidden = empty;
  let words = table.nextElementSibling;
  if (!words?.matches(".lp-none")) {
    words = document.createElement("p");
    words.className = "lp-none";
    words.textContent = "Nothing found.";
    table.after(words);
  }
  words.hidden = !empty;
}

function remember() {
  const chosen = [...new FormData(form)].filter(([, value]) => value);
  history.replaceState(
    null,
    "",
    `${chosen.length ? `?${new URLSearchParams(chosen)}` : location.pathname}${location.hash}`,
  );
  apply();
}

// a claim that is linked to is shown, whatever the filters say
function reveal() {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (target?.hidden) {
    form.reset();
    apply();
    target.scrollIntoView();
  }
}

form.hidden = false;
form.addEventListener("input", remember);
form.addEventListener("submit", (event) => event.preventDefault());
addEventListener("hashchange", reveal);
form.reset();
for (const [name, value] of new URLSearchParams(location.search))
  if (form.elements[name]) form.elements[name].value = value;
apply();
reveal();
