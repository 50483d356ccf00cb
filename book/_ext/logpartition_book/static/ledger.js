// Filters the ledger: a row stays when it has every value chosen. Without this script all rows show.
const form = document.querySelector(".lp-filters");
const selects = [...form.querySelectorAll("select")];
const results = [...document.querySelectorAll("#results tbody tr")];
const claims = [...document.querySelectorAll(".lp-claims tbody tr")];

function apply() {
  const keep = (row) => selects.every((s) => !s.value || row.dataset[s.dataset.filter] === s.value);
  const chapter = selects.find((s) => s.dataset.filter === "chapter").value;
  for (const row of results) row.hidden = !keep(row);
  for (const row of claims) row.hidden = chapter && row.dataset.chapter !== chapter;
  const shown = results.filter((row) => !row.hidden).length;
  form.querySelector("output").textContent = `${shown} of ${results.length} results`;
}

// a claim that is linked to is shown, whatever the filters say
function reveal() {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (target?.hidden) { form.reset(); apply(); target.scrollIntoView(); }
}

form.hidden = false;
form.addEventListener("change", apply);
form.addEventListener("submit", (event) => event.preventDefault());
window.addEventListener("hashchange", reveal);
form.reset();
apply();
