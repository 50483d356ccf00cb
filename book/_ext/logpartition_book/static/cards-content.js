// What cards say, from cards-data.js; fetched with it, when the first is asked for.
const titled = (text) => made("p", text, "lp-card-title");

function filled(node, html) {
  node.innerHTML = html;
  return node;
}

function told(subject) {
  if (subject.matches(".lp-symbols")) return symbols(subject.parentElement, subject.ariaLabel);
  if (subject.matches(".katex")) return symbols(subject, "Symbols");
  if (subject.matches(".lp-badge, summary")) return meaning(subject);
  const name = decodeURIComponent(subject.hash.slice(1)).replace(/^equation-/, "");
  const entry = CARDS[name.replace(/^eq-/, "")];
  return entry ? result(entry) : [];
}

function result(entry) {
  const said = filled(made("div", ""), entry.math || entry.text);
  const given = entry.given.length ? `Assumes ${entry.given.join("; ")}` : "";
  const badge = made("p", "");
  badge.append(made("span", entry.badge, `lp-badge lp-${entry.verdict}`));
  return [
    titled(`(${entry.number}) ${entry.title}`),
    said,
    filled(made("p", "", "lp-card-given"), given),
    badge,
    ...meaning(badge).slice(1),
  ];
}

// what happened, as the front page's table has it; some badges add words of their own to those there
function meaning(subject) {
  const badge = subject.querySelector(".lp-badge") ?? subject;
  const found =
    BADGES.find(([words]) => words === badge.textContent.trim()) ??
    BADGES.find(([, kind]) => badge.classList.contains(`lp-${kind}`));
  if (!found) return [];
  return [titled(badge.textContent.trim()), filled(made("p", "", "lp-card-given"), found[2])];
}

// the letters of a formula, read as symbols.py reads them; a d that only differentiates is none
const TOKEN =
  /\\mathbb\{\w\}(?:\^\*|\^\{\*\})?|\\(?:operatorname|mathrm)\{(\w\w+)\}|\\(?:begin|end|text|math\w+)\{[^{}]*\}|(?:\\[A-Za-z]+|[A-Za-z])(?:\^\*|\^\{\s*\*\s*\})?/g;
const DIFFERENTIAL = /\\frac\{d\b(?:\^\{?\w\}?)?|(?<=\}\{)d(?=\s*\w)|\\,\s*d(?=\s*[a-z\\])/g;

function letters(tex) {
  const found = tex.replace(DIFFERENTIAL, "").matchAll(TOKEN);
  return new Set([...found].map(([token, word]) => word ?? token.replace(/\^\{?\s*\*\s*\}?$/, "^*")));
}

const sources = (part) =>
  [...part.querySelectorAll("annotation")].map((one) => one.textContent.replace(/^\\displaystyle /, ""));

// those of one formula, or of all that a box shows: first what the box itself says of them, behind
// its badge, and then the notation for the others
function symbols(part, title) {
  const box = part.closest(".lp-result");
  const shown = part.matches(".katex") ? [part] : [...part.querySelectorAll(".katex")];
  const used = letters(
    shown
      .filter((one) => one === part || !one.closest(".lp-evidence, .lp-erratum"))
      .flatMap(sources)
      .join(" "),
  );
  const known = new Set(),
    own = made("ul", ""),
    others = made("ul", "");
  for (const [name, items] of facts(box)) {
    for (const item of items) {
      const named = letters((sources(item)[0] ?? "").split(/=|\\in\b|\\[lg]e\b|[<>]/)[0]);
      if (![...named].some((one) => used.has(one))) continue;
      if (name === "Where") known.add([...named][0]);
      own.append(filled(made("li", ""), item.innerHTML));
    }
  }
  for (const row of SYMBOLS) {
    if (!row.letters.some((one) => used.has(one) && !known.has(one))) continue;
    others.append(filled(made("li", ""), `${row.said}: ${row.means}`));
  }
  const from = made("p", "On the notation page, unless the chapter says otherwise:", "lp-card-given");
  const parts = [...(own.children.length ? [own] : []), ...(others.children.length ? [from, others] : [])];
  if (!parts.length && part.matches(".katex")) return [];
  return [titled(title), ...(parts.length ? parts : [made("p", "The notation page has none of them.")])];
}

function facts(box) {
  return [...(box?.querySelectorAll("dt") ?? [])]
    .filter((name) => ["Where", "Assumes", "Given"].includes(name.textContent))
    .map((name) => [name.textContent, name.nextElementSibling.querySelectorAll("li")]);
}
