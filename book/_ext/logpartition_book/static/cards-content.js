// What cards say, from cards-data.js; fetched with it, when the first is asked for.
const cardContent = (() => {
  const made = (tag, text, name = "") =>
    Object.assign(document.createElement(tag), { textContent: text, className: name });

  const titled = (text) => made("p", text, "lp-card-title");

  function filled(node, html) {
    node.innerHTML = html;
    return node;
  }

  function told(subject) {
    if (subject.matches(".lp-symbols")) return symbols(subject.parentElement, subject.textContent);
    if (subject.matches(".katex")) return symbols(subject, "Symbols");
    if (subject.matches(".lp-badge, summary")) return meaning(subject);
    const name = decodeURIComponent(subject.hash.slice(1)).replace(/^equation-/, "");
    const entry = CARDS[name.replace(/^eq-/, "")];
    return entry ? result(entry) : [];
  }

  function result(entry) {
    const said = filled(made("div", ""), entry.math || entry.text);
    const corrects = entry.verdict === "refuted"; // the card has what is true
    const told = [
      [corrects ? "For what is true" : "Assumes", entry.given],
      ["Where", entry.where],
    ].filter(([, all]) => all.length);
    const badge = made("p", "");
    badge.append(made("span", entry.badge, `lp-badge lp-${entry.verdict}`));
    return [
      titled(`(${entry.number}) ${entry.title}`),
      ...(corrects ? [made("p", "True instead:", "lp-card-given")] : []),
      said,
      ...told.map(([name, all]) =>
        filled(made("p", "", "lp-card-given"), `${name} ${all.join("; ")}`),
      ),
      badge,
      ...meaning(badge).slice(1),
    ];
  }

  // what happened, as the front page's table has it; some badges add words of their own
  function meaning(subject) {
    const badge = subject.querySelector(".lp-badge") ?? subject;
    const found =
      BADGES.find(([words]) => words === badge.textContent.trim()) ??
      BADGES.find(([, kind]) => badge.classList.contains(`lp-${kind}`));
    if (!found) return [];
    const said = filled(made("p", "", "lp-card-given"), found[2]);
    return [titled(badge.textContent.trim()), said];
  }

  // the letters of a formula, read as symbols.py reads them; a d that only differentiates is none
  const TOKEN = new RegExp(
    [
      String.raw`\\mathbb\{\w\}`,
      String.raw`\\(?:operatorname|mathrm)\{(\w\w+)\}`,
      String.raw`\\(?:begin|end|text|math\w+)\{[^{}]*\}`,
      String.raw`(?:\\[A-Za-z]+|[A-Za-z])(?:\^\*|\^\{\s*\*\s*\})?`,
    ].join("|"),
    "g",
  );
  const DIFFERENTIAL = /\\frac\{d\b(?:\^\{?\w\}?)?|(?<=\}\{)d(?=\s*\w)|\\,\s*d(?=\s*[a-z\\])/g;

  const COMPARES = /\\[lg]e\b|[<>]/;
  // commands that stand for no symbol
  const SIGNS = new RegExp(
    String.raw`^\\(?:sum|prod|frac|sqrt|left|right|log|exp|cosh?|sinh?|tanh|le|ge|ne|cdot|ldots` +
      String.raw`|[lr](?:angle|[vV]ert))$`,
  );

  function letters(tex) {
    const found = [...tex.replace(DIFFERENTIAL, "").matchAll(TOKEN)];
    return new Set(found.map(([sign, word]) => word ?? sign.replace(/\^\{?\s*\*\s*\}?$/, "^*")));
  }

  const source = (formula) =>
    formula.querySelector("annotation").textContent.replace(/^\\displaystyle /, "");

  // those of one formula, or of all that a box shows: first what the box itself says of them, behind
  // its badge, and then the notation
  function symbols(part, title) {
    const all = [...part.querySelectorAll(".katex")];
    const seen = all.filter((one) => !one.closest(".lp-evidence, .lp-erratum, .lp-try"));
    const tex = (part.matches(".katex") ? [part] : seen).map(source).join(" ");
    const used = letters(tex);
    const own = facts(part.closest(".lp-result")).filter((item) => {
      const named = nameIn(item);
      const bracket = /^\\l(angle|vert|Vert)\b/.test(named) && !COMPARES.test(named);
      const names = [...letters(named)].filter((one) => !SIGNS.test(one));
      return bracket ? tex.includes(named) : names.some((one) => used.has(one));
    });
    const rows = SYMBOLS.filter((row) =>
      row.letters.some((one) => used.has(one) && !another(row, one, own, tex)),
    );
    // what a correction refutes and what is correct have letters of their own
    const apart = SAID.filter(
      (name) => name.startsWith("For") && own.some((item) => under(item) === name),
    );
    const from = "Where nothing else is said here or in the chapter, as on the notation page:";
    const parts = [
      ...apart.flatMap((name) => [
        made("p", name, "lp-card-given"),
        list(own.filter((item) => under(item) === name).map((item) => item.innerHTML)),
      ]),
      list(own.filter((item) => !apart.includes(under(item))).map((item) => item.innerHTML)),
      ...(rows.length ? [made("p", from, "lp-card-given")] : []),
      list(rows.map(({ said, means }) => `${said}: ${means}`)),
    ];
    if (own.length || rows.length) return [titled(title), ...parts];
    const none = made("p", "The notation page has none of them.");
    return part.matches(".katex") ? [] : [titled(title), none];
  }

  // whether a row of the notation is of something else: w_j or E(v, h) where the box has a w_j or an
  // E(x) of its own, and the x_i of a block where x has no index
  function another({ said, means }, one, own, tex) {
    const of = (name) => name.match(/^(\w)\((.*?)\)/) ?? [];
    const mine = own.map((item) => of(nameIn(item))).find(([, letter]) => letter === one);
    const [, , theirs] = of(said.replace(/<[^>]*>/g, ""));
    const elsewhere = /^(in|with) /.test(means); // and no name for what the box defines
    if (elsewhere && own.some((item) => defined(item).replace(/_.*$/, "") === one)) return true;
    // an s or a p without an index is no s_j and no p_j
    const bare = said.includes(`<msub><mi>${one}<`) && own.some((item) => defined(item) === one);
    const indexed = /^in /.test(means) && said.includes(`<msub><mi>${one}<`);
    return bare || (theirs && mine && mine[2] !== theirs) || (indexed && !tex.includes(`${one}_`));
  }

  function list(items) {
    const found = made("ul", "");
    found.hidden = !items.length;
    found.append(...items.map((item) => filled(made("li", ""), item)));
    return found;
  }

  // what a line of evidence is about: all that it compares, or else what is left of its relation,
  // as of a definition or of what is in a domain
  function nameIn(item) {
    const formula = item.querySelector(".katex");
    if (!formula) return "";
    const [left, relation] = source(formula).split(/(=|\\in\b|\\[lg]e\b|[<>])/);
    return relation && COMPARES.test(relation) ? source(formula) : left.trim();
  }

  // what a line defines by an equation
  function defined(item) {
    const formula = item.querySelector(".katex");
    const [left, relation] = formula ? source(formula).split(/(=|\\in\b|\\[lg]e\b|[<>])/) : [];
    return relation === "=" ? left.trim() : "";
  }

  const SAID = ["Where", "Assumes", "Given", "For what is refuted", "For what is correct"];

  // the name under which a line of evidence stands
  const under = (item) => item.closest("dd").previousElementSibling.textContent;

  // what the evidence of a box says of its symbols
  function facts(box) {
    const names = [...(box?.querySelectorAll("dt") ?? [])];
    return names
      .filter((name) => SAID.includes(name.textContent))
      .flatMap((name) => [...name.nextElementSibling.querySelectorAll("li")]);
  }

  return told;
})();
