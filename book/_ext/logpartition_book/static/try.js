// A result's program in the page: readers change it and have it decided, by the verifier of the book
// in a Python that is fetched when it is first needed.
(() => {
  const site = new URL(".", document.currentScript.src);
  const FAILED = "This browser could not start Python: ";

  const made = (tag, attributes = {}, ...children) => {
    const node = Object.assign(document.createElement(tag), attributes);
    node.append(...children);
    return node;
  };

  // --- the worker, one for all programs of the page ---

  let worker = null;
  let waiting = null; // what the panel that is being answered does with a message

  async function keeper(folder) {
    try {
      const { installing, waiting, active } = await navigator.serviceWorker.register(`${folder}sw.js`);
      const found = installing ?? waiting ?? active;
      if (found.state !== "activated")
        await new Promise((done) => found.addEventListener("statechange", () => found.state === "activated" && done()));
    } catch {} // without one the browser's own cache has to serve
  }

  async function decide(folder, program, heard) {
    waiting = heard;
    if (!worker) {
      await keeper(folder);
      worker = new Worker(`${folder}worker.js`, { type: "module" });
      worker.onmessage = ({ data }) => waiting?.(data);
      worker.onerror = (event) => waiting?.({ broken: event.message ?? "no worker" });
    }
    worker.postMessage(program);
  }

  function stop() {
    worker?.terminate();
    worker = waiting = null;
  }

  // --- what to break: signs between blanks, outside of strings; plus and minus before the others ---

  const OTHER = { "+": "-", "-": "+", "*": "/", "/": "*" };

  function signs(text) {
    const token = /("""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#.*)|(?<=\s)([+\-*/])(?=\s)/g;
    const found = [...text.matchAll(token)].filter((match) => match[2]).map((match) => match.index);
    const sums = found.filter((at) => "+-".includes(text[at]));
    return [...sums, ...found.filter((at) => !sums.includes(at))];
  }

  const broken = (text, at) => text.slice(0, at) + OTHER[text[at]] + text.slice(at + 1);

  // --- what is shown ---

  const tex = (formula, displayMode) => katex.renderToString(formula, { displayMode, throwOnError: false });

  // a text with formulas between dollars; of Markdown's signs it keeps none
  function words(text, markdown = true) {
    const node = made("span");
    text.split("$").forEach((part, i) => {
      if (i % 2) node.insertAdjacentHTML("beforeend", tex(part, false));
      else node.append(markdown ? part.replace(/\{[\w:]+\}`([^`]*)`|\{([a-z0-9-]+)\}|[*`]/g, "$1$2") : part);
    });
    return node;
  }

  const formula = (name, source) => {
    const node = made("div", { className: name });
    node.innerHTML = tex(`\\displaystyle ${source}`, false);
    return node;
  };

  function chain(result) {
    if (!result.start) return result.statement ? formula("lp-display", result.statement) : made("p", {}, words(result.text));
    const rows = [];
    for (const [i, step] of result.steps.entries()) {
      if (!i || step.left) rows.push(formula("lp-start", step.left || result.start));
      const reason = made("div", { className: "lp-reason" }, words(step.reason));
      rows.push(made("div", { className: "lp-step" }, formula("lp-term", `{}${step.relation} ${step.tex}`), reason));
    }
    return made("div", { className: "lp-chain" }, ...rows);
  }

  function said({ results, trouble, printed }) {
    const parts = printed ? [made("pre", { textContent: printed })] : [];
    if (trouble) {
      const head = made("strong", { textContent: trouble.head });
      return [...parts, made("p", { className: "lp-try-trouble" }, head, " ", words(trouble.said, false))];
    }
    for (const result of results) {
      const verdict = result.evidence.replace(/^[^:]*: /, "");
      const badge = made("span", { className: `lp-badge lp-${result.verdict}`, textContent: verdict });
      parts.push(made("p", {}, badge), chain(result));
    }
    return parts.length ? parts : [made("p", { textContent: "It ran, and its last line is no result." })];
  }

  // --- the panel ---

  let katexThere = null;
  const katexLoaded = (folder) =>
    (katexThere ??= new Promise((done, failed) => {
      const script = made("script", { src: `${folder}katex.min.js`, onload: done, onerror: failed });
      document.head.append(script);
    }));

  const grown = (area) => {
    area.rows = area.value.split("\n").length;
  };

  function editor(value, name) {
    const area = made("textarea", { value, spellcheck: false, autocapitalize: "off", autocomplete: "off" });
    area.setAttribute("aria-label", name);
    area.addEventListener("input", () => grown(area));
    grown(area);
    return area;
  }

  function panel(label, { folder, bytes, program }) {
    const setup = editor(program.setup, "What it needs");
    const text = editor(program.text, "Program");
    const button = (name, action) => made("button", { type: "button", textContent: name, onclick: action });
    const answer = made("div", { className: "lp-try-answer" });
    answer.setAttribute("aria-live", "polite");
    const progress = made("progress", { max: bytes, value: 0, hidden: true });
    progress.setAttribute("aria-label", "How much has been fetched");
    const lines = program.setup.split("\n").length;
    let next = 0;

    const show = (...parts) => answer.replaceChildren(...parts);
    const note = (words) => show(made("p", { className: "lp-try-note", textContent: words }));
    const busy = (is) => {
      check.disabled = is;
      halt.hidden = !is;
      progress.hidden = true;
    };
    const megabytes = (count) => (count / 1e6).toFixed(1);

    function hear(data) {
      if ("come" in data) {
        progress.hidden = false;
        progress.value += data.come;
        note(`Fetching Python, SymPy and the verifier: ${megabytes(progress.value)} of at most ${megabytes(bytes)} MB`);
      } else if ("stage" in data) {
        progress.hidden = true;
        note(`${data.stage || "Deciding"} …`);
      } else {
        busy(false);
        waiting = null;
        if ("broken" in data) note(FAILED + data.broken);
        else show(...said(data.answer));
      }
    }

    async function run() {
      busy(true);
      note("Deciding …");
      try {
        await katexLoaded(folder);
        await decide(folder, { setup: setup.value, text: text.value }, hear);
      } catch (error) {
        busy(false);
        note(FAILED + (error.message ?? "it is not there"));
      }
    }

    function spoil() {
      const found = signs(program.text);
      const at = found[next % found.length];
      next += 1;
      text.value = broken(program.text, at);
      grown(text);
      show(); // what was said is of another program
      text.focus();
      text.setSelectionRange(at, at + 1); // so that it shows which one
    }

    const check = button("Check", run);
    const halt = button("Stop", () => {
      stop();
      busy(false);
      note("Stopped.");
    });
    halt.hidden = true;
    const restore = button("Restore", () => {
      [setup.value, text.value] = [program.setup, program.text];
      [setup, text].forEach(grown);
      show();
    });
    const tools = made("p", { className: "lp-try-tools" }, check, halt);
    if (signs(program.text).length) tools.append(" ", button("Break it", spoil));
    tools.append(" ", restore, " ", progress);

    const node = made("div", { className: "lp-try" });
    node.setAttribute("role", "group");
    node.setAttribute("aria-label", `Try to break ${label}`);
    const about =
      `Change it, and check (Ctrl+Enter), or state something of your own. The book's own verifier decides in this page; no server takes part. ` +
      `With the first check at most ${Math.ceil(bytes / 1e6)} MB are fetched, once, and Python needs some seconds to start. What needs PyTorch does not run here.`;
    node.append(
      made("details", {}, made("summary", { textContent: `What it needs: ${lines} lines` }), setup),
      text,
      tools,
      answer,
      made("p", { className: "lp-try-note", textContent: about }),
    );
    node.addEventListener("input", () => show());
  node.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !check.disabled) run();
    });
    return node;
  }

  async function program(chapter, label) {
    const address = new URL(`programs/${chapter}.json`, site);
    const { folder, bytes, programs } = await (await fetch(address)).json();
    return { folder: new URL(folder, address).href, bytes, program: programs[label] };
  }

  const NO_SERVER = "A page that was opened from a folder may not run programs. Serve the folder: python -m http.server";

  async function opened(chapter, label) {
    if (location.protocol === "file:") return made("p", { className: "lp-try-note", textContent: NO_SERVER });
    try {
      return panel(label, await program(chapter, label));
    } catch (error) {
      return made("p", { className: "lp-try-note", textContent: `The program is not there: ${error.message}` });
    }
  }

  for (const button of document.querySelectorAll("button[data-try]")) {
    button.hidden = false;
    let node = null;
    button.addEventListener("click", async () => {
      node ??= button.closest(".lp-result").appendChild(await opened(button.dataset.chapter, button.dataset.try));
      const open = button.getAttribute("aria-expanded") !== "true";
      button.setAttribute("aria-expanded", open);
      node.hidden = !open;
      if (open) node.querySelector(":scope > textarea")?.focus();
    });
  }

  for (const place of document.querySelectorAll(".lp-try-here[data-try]"))
    if (location.protocol !== "file:") opened(place.dataset.chapter, place.dataset.try).then((node) => place.replaceChildren(node));
})();
