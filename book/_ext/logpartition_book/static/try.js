// A result's program in the page: readers change it and have it decided, by the verifier of the
// book in a Python that is fetched when it is first needed.
(() => {
  const site = new URL(".", document.currentScript.src);

  const made = (tag, attributes = {}, ...children) => {
    const node = Object.assign(document.createElement(tag), attributes);
    node.append(...children);
    return node;
  };

  const p = (...children) => made("p", {}, ...children);
  const noted = (textContent) => made("p", { className: "lp-try-note", textContent });

  // --- the worker, one for all programs of the page, which it decides in turn ---

  let worker = null; // the promise of one
  const queue = []; // of {folder, program, hear}: the first is being decided

  async function keeper(folder) {
    try {
      const registered = await navigator.serviceWorker.register(`${folder}sw.js`);
      const found = registered.installing ?? registered.waiting ?? registered.active;
      while (!["activated", "redundant"].includes(found.state))
        await new Promise((done) => found.addEventListener("statechange", done, { once: true }));
    } catch {} // without one the browser's own cache has to serve
  }

  const LARGE =
    "pyodide.asm.mjs pyodide.asm.wasm python_stdlib.zip packages.zip book.zip".split(" ");

  // whether an earlier check has left all of it here
  async function kept(folder) {
    const found = LARGE.map((name) => caches.match(folder + name));
    return (await Promise.all(found)).every(Boolean);
  }

  async function katexLoaded(folder) {
    if (window.katex) return;
    const script = made("script", { src: `${folder}katex.min.js` });
    await new Promise((done, failed) => {
      script.onload = done;
      script.onerror = () => failed(new Error("katex.min.js did not come"));
      document.head.append(script);
    });
  }

  async function started(folder) {
    await Promise.all([keeper(folder), katexLoaded(folder)]);
    const found = new Worker(`${folder}worker.js`, { type: "module" });
    found.onmessage = ({ data }) => heard(data);
    found.onerror = (event) => heard({ broken: event.message ?? "the verifier did not come" });
    return found;
  }

  function ask(job) {
    queue.push(job);
    if (queue.length === 1) begin();
    else job.hear({ stage: "Waiting for another program of this page" });
  }

  async function begin() {
    const [job] = queue;
    if (!job) return;
    try {
      const found = await (worker ??= started(job.folder));
      if (queue[0] === job) found.postMessage(job.program);
    } catch (error) {
      if (queue[0] === job) heard({ broken: error.message });
    }
  }

  function heard(data) {
    const [job] = queue;
    const over = "broken" in data || "answer" in data;
    if ("broken" in data) dismiss();
    if (over) queue.shift();
    job?.hear(data);
    if (over) begin();
  }

  function withdraw(job) {
    const first = queue[0] === job;
    queue.splice(queue.indexOf(job), 1);
    if (!first) return;
    dismiss();
    begin();
  }

  function dismiss() {
    worker?.then((found) => found.terminate()).catch(() => {});
    worker = null;
  }

  // --- what is shown ---

  function tex(formula) {
    try {
      return katex.renderToString(formula, { throwOnError: false, strict: "ignore", maxSize: 20 });
    } catch {
      return made("code", { textContent: formula }).outerHTML; // nested too deeply
    }
  }

  const MARKDOWN = /\{[\w:]+\}`([^`]*)`|\{([a-z0-9-]+)\}|[*`]/g;

  const held = (text) => text.replace(/ = /g, "\u00a0=\u00a0"); // on one line

  // a text with formulas between dollars; of Markdown's signs it keeps none
  function words(text, markdown = true) {
    const node = made("span");
    text.split("$").forEach((part, i) => {
      if (i % 2) node.insertAdjacentHTML("beforeend", tex(part));
      else node.append(markdown ? part.replace(MARKDOWN, "$1$2") : held(part));
    });
    return node;
  }

  const formula = (className, source) =>
    made("div", { className, innerHTML: tex(`\\displaystyle ${source}`) });

  function chain({ start, steps }) {
    const node = made("div", { className: "lp-chain" });
    for (const [i, step] of steps.entries()) {
      if (!i || step.left) node.append(formula("lp-start", step.left || start));
      const term = formula("lp-term", `{}${step.relation} ${step.tex}`);
      const reason = made("div", { className: "lp-reason" }, words(step.reason));
      node.append(made("div", { className: "lp-step" }, term, reason));
    }
    return node;
  }

  function broken(trouble) {
    const node = chain(trouble);
    node.lastChild.classList.add("lp-broken");
    node.lastChild.lastChild.prepend(made("strong", {}, "this step: "));
    return node;
  }

  // a formula on a line of its own, between two dollars each side, or words
  const block = (text) =>
    text.startsWith("$$") ? formula("lp-display", text.slice(2, -2)) : p(words(text));

  // what is refuted, where it fails or by what, and what is true instead
  function erratum({ printed, fails, against, correction }) {
    const how = fails ? p("Fails: ", words(fails)) : p(`Contradicted by ${against.join(", ")}`);
    const node = made("div", { className: "lp-erratum" });
    node.append(p("What is refuted"), block(printed), how, p("True instead"), block(correction));
    return node;
  }

  const listed = (name, lines) => lines.map((line, i) => p(i ? "" : `${name} `, words(line)));

  function shown(result) {
    const { verdict, evidence, statement, text, steps, given, where, erratum: wrong } = result;
    const badge = made("span", { className: `lp-badge lp-${verdict}` });
    badge.append(evidence.replace(/^[^:]*: /, ""));
    const inWords = ["argued", "cited"].includes(verdict) || wrong?.against;
    const decided = inWords
      ? " These are words: nothing was decided."
      : verdict === "observed" ? " Measured and predicted are what the program gave." : "";
    const whole = statement ? formula("lp-display", statement) : text ? p(words(text)) : "";
    return [
      p(badge, decided),
      ...(wrong ? [erratum(wrong)] : []),
      ...listed(wrong ? "For what is refuted" : "Assumes", given),
      ...(steps.length === 1 ? [] : [whole]),
      ...(steps.length ? [chain(result)] : []),
      ...listed("Where", where),
    ];
  }

  function said({ results, trouble, printed }) {
    const parts = printed ? [noted("It printed:"), made("pre", {}, printed)] : [];
    if (trouble) {
      parts.push(p(made("strong", {}, trouble.head), " ", words(trouble.said, false)));
      parts.at(-1).className = "lp-try-trouble";
      if (trouble.broken) parts.push(noted("As SymPy reads it:"), broken(trouble.broken));
    } else if (!results.length) {
      parts.push(p("It ran, and its last line is no result that was decided here."));
    }
    return [...parts, ...results.flatMap(shown)];
  }

  // --- a link that keeps a program: in base64url, [its text] or [its text, what it needs] ---

  const LONGEST = 8000; // characters of a link; many a chat or mail program cuts a longer one
  const HEAD = "#try-"; // then the name of a panel, "=", and the program

  function packed({ setup, text }, original) {
    const kept = setup === original.setup ? [text] : [text, setup];
    const bytes = new TextEncoder().encode(JSON.stringify(kept));
    const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
    return btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
  }

  function unpacked(data, original) {
    const letters = atob(data.replace(/-/g, "+").replace(/_/g, "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const [text, setup = original.setup] = JSON.parse(
      new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    );
    if (typeof text !== "string" || typeof setup !== "string") throw new TypeError("no program");
    return { setup, text };
  }

  const COPIED = "A link to this program is copied; the address of the page is that link, too.";
  const NOT_COPIED = "Not allowed to copy; but the address of the page is a link to this program.";
  const TOO_LONG = `This program is too long for a link, which has at most ${LONGEST} characters.`;
  const FOREIGN =
    "This program came with the link that you followed, and is not the book's. It runs when you " +
    "press Check, and not before. Restore brings the book's.";
  const UNREADABLE = "The link holds no program that can be read: this is the book's.";

  // --- the panel ---

  function editor(value, name) {
    const plain = { spellcheck: false, autocapitalize: "off", autocomplete: "off" };
    const area = made("textarea", { value, ariaLabel: name, ...plain });
    const grown = () => (area.rows = area.value.split("\n").length);
    area.addEventListener("input", grown);
    grown();
    return area;
  }

  const button = (name, onclick) => made("button", { type: "button", onclick }, name);
  const fold = (name, ...children) => made("details", {}, made("summary", {}, name), ...children);
  const megabytes = (count) => (count / 1e6).toFixed(1);
  const typing = matchMedia("(pointer: fine)"); // else a focus brings up a keyboard over the page

  const SLOW = 1.6; // Mbit/s, a slow line

  const ABOUT =
    "Change it and check it (Ctrl+Enter), or state something of your own. The book's own " +
    "verifier decides in this page; no server takes part. The first check waits until your " +
    "connection has fetched the verifier and a Python, unless your browser has kept them, and then " +
    "some seconds for them to start, longer on a phone or a busy machine; later ones take " +
    "seconds. Copy link keeps the program as it stands in an address, of at most " +
    `${LONGEST} characters.`;
  const HERE = "Python is here: the first check fetches nothing large.";
  const first = (bytes) => {
    const fetched = Math.ceil(bytes / 1e6);
    const minutes = Math.ceil((fetched * 8) / SLOW / 60);
    const time = `${minutes} minute${minutes === 1 ? "" : "s"} at ${SLOW} Mbit/s`;
    return `The first check fetches at most ${fetched} MB, once: ${time}.`;
  };

  const FALSE =
    "What this program refutes is false already: Check shows where it fails, or what contradicts " +
    "it. Change it to try something else.";

  const needs = (setup) => {
    const lines = setup ? setup.split("\n").length : 0;
    return `What it needs: ${lines || "no"} line${lines === 1 ? "" : "s"}`;
  };

  const ANEW = "The next check begins anew; if that does not help, reload the page.";

  const same = (one, other) => one.setup === other?.setup && one.text === other.text;

  class Panel {
    next = 0; // of the breaks
    job = null;
    lost = null; // what a reader wrote, and a button took away

    constructor(label, { folder, bytes, names, form, program, again, name }) {
      Object.assign(this, { folder, bytes, program, made: program });
      this.setup = editor(program.setup, "What it needs");
      this.text = editor(program.text, "Program");
      this.answer = made("div", { className: "lp-try-answer", ariaLive: "polite" });
      this.origin = made("p", { className: "lp-try-origin", role: "status", hidden: true });
      this.link = made("p", { className: "lp-try-note", role: "status" });
      this.address = `${location.href.split("#")[0]}${HEAD}${name}=`;
      const ariaLabel = `${program.refutes ? "Program of" : "Try to break"} ${label}`;
      const node = made("div", { className: "lp-try", ariaLabel });
      node.role = "group";
      node.append(
        this.origin,
        program.refutes ? noted(FALSE) : "",
        this.text,
        this.tools(),
        this.link,
        this.answer,
        again ? "" : noted(ABOUT),
        fold(needs(program.setup), this.setup),
        fold("What may be written", ...form, ...names.map(noted)),
      );
      node.addEventListener("input", () => this.changed());
      node.addEventListener("keydown", (event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.run();
      });
      this.node = node;
    }

    tools() {
      this.check = button("Check", () => this.run());
      this.halt = button("Stop", () => this.stop());
      const spoil = button("Break it", () => this.spoil());
      const restore = button("Restore", () => this.restore());
      this.undo = button("Undo", () => this.bring());
      this.undo.hidden = true;
      const link = button("Copy link", () => this.copy());
      this.progress = made("progress", { max: this.bytes, ariaLabel: "How much has been fetched" });
      this.come = made("span", { className: "lp-try-note" });
      const some = this.program.breaks.length ? [spoil] : [];
      const tools = [this.check, this.halt, ...some, restore, this.undo, link];
      const all = [...tools, this.progress, this.come];
      return made("p", { className: "lp-try-tools" }, ...all);
    }

    show(...parts) {
      this.answer.replaceChildren(...parts);
    }

    note(text) {
      this.show(noted(text));
    }

    busy(is) {
      if (!is && document.activeElement === this.halt) this.check.focus();
      this.check.ariaDisabled = is; // a button that is disabled would lose the focus
      this.halt.hidden = !is;
      clearInterval(this.clock);
      this.progress.hidden = true;
      this.got = this.come.textContent = "";
      return is || this.foretell();
    }

    async foretell() {
      const here = await kept(this.folder).catch(() => false); // where a browser keeps nothing
      if (!worker) this.come.textContent = here ? HERE : first(this.bytes);
    }

    run() {
      if (this.job) return;
      this.busy(true);
      this.note("Deciding …");
      this.progress.value = 0;
      this.job = { folder: this.folder, program: this.now(), hear: (data) => this.hear(data) };
      const began = Date.now();
      this.clock = setInterval(() => {
        const seconds = `${Math.round((Date.now() - began) / 1000)} s`;
        this.come.textContent = [this.got, seconds].filter(Boolean).join(", ");
      }, 1000);
      ask(this.job);
    }

    stop() {
      withdraw(this.job);
      this.end();
      this.note("Stopped.");
    }

    end() {
      this.job = null;
      this.busy(false);
    }

    hear(data) {
      if ("come" in data) return this.fetched(data.come);
      this.progress.hidden = true;
      this.got = "";
      if ("stage" in data) return this.note(`${data.stage} …`);
      const { program } = this.job;
      this.end();
      if ("broken" in data) this.note(`Nothing was decided: ${data.broken}. ${ANEW}`);
      else if (same(program, this.now())) this.show(...said(data.answer));
      else this.note("The program has changed since. Check it again.");
    }

    fetched(count) {
      if (this.progress.hidden) this.note("Fetching Python, SymPy and the verifier …");
      this.progress.hidden = false;
      this.progress.value += count;
      const come = megabytes(this.progress.value);
      this.come.textContent = this.got = `${come} of at most ${Math.ceil(this.bytes / 1e6)} MB`;
    }

    changed() {
      this.link.textContent = "";
      if (!this.job) this.show(); // what was said is of another program
    }

    now() {
      return { setup: this.setup.value, text: this.text.value };
    }

    write({ setup, text }) {
      [this.setup.value, this.text.value] = [setup, text];
      for (const area of [this.setup, this.text])
        area.dispatchEvent(new Event("input", { bubbles: true }));
    }

    // what a button takes the place of, and was no button's, can be had back
    replace(program) {
      const now = this.now();
      if (!same(now, this.made)) this.lost = now;
      this.write((this.made = program));
      this.undo.hidden = !this.lost;
    }

    bring() {
      const { lost } = this;
      this.lost = null;
      this.replace(lost);
      this.made = null;
      if (typing.matches) this.text.focus();
    }

    restore() {
      this.came("");
      this.replace({ setup: this.program.setup, text: this.program.text });
    }

    came(text) {
      this.origin.textContent = text;
      this.origin.hidden = !text;
    }

    copy() {
      const link = this.address + packed(this.now(), this.program);
      const told = (text) => (this.link.textContent = text);
      if (link.length > LONGEST) return told(TOO_LONG);
      history.replaceState(history.state, "", link);
      const done = navigator.clipboard?.writeText(link) ?? Promise.reject();
      done.then(() => told(COPIED), () => told(NOT_COPIED));
    }

    // a program from a link is shown, and never run
    take(data) {
      try {
        const found = unpacked(data, this.program);
        const foreign = !same(found, this.program);
        this.replace(found);
        if (foreign) this.made = null;
        this.came(foreign ? FOREIGN : "");
      } catch {
        this.restore();
        this.came(UNREADABLE);
      }
      this.node.scrollIntoView({ block: "nearest" });
    }

    spoil() {
      const { setup, text, breaks } = this.program;
      const [from, to, now] = breaks[this.next++ % breaks.length];
      this.replace({ setup, text: text.slice(0, from) + now + text.slice(to) });
      const old = text.slice(from, to).replace(/^[\s,]+/, "");
      const line = text.slice(0, to - old.length).split("\n").length;
      const became = now ? `became “${now}”` : "is gone";
      const kept = this.lost ? " Undo brings back what you wrote." : "";
      if (!this.job) this.note(`Line ${line}: “${old}” ${became}. Check it.${kept}`);
      this.text.setSelectionRange(from, from + now.length);
      if (typing.matches) this.text.focus();
    }
  }

  const NO_SERVER =
    "A page that was opened from a folder may not run programs. Serve the folder: " +
    "python -m http.server";

  async function opened({ chapter, try: label }, name, again = false) {
    if (location.protocol === "file:") throw new Error(NO_SERVER);
    const address = new URL(`programs/${chapter}.json`, site);
    const answer = await fetch(address, { cache: "no-cache" }).catch(() => ({ status: "nothing" }));
    if (!answer.ok) throw new Error(`No program: the server answered ${answer.status}`);
    const { folder, programs, ...rest } = await answer.json();
    const program = programs[label];
    if (!program) throw new Error("The book has changed since this page was loaded: reload it");
    const { said, example, more } = rest.form;
    const link = made("a", { href: new URL(more, address).href }, "First steps");
    const form = [noted(said), made("pre", {}, example), more ? p("More of it: ", link) : ""];
    const about = { ...rest, form, again, name, program, folder: new URL(folder, address).href };
    const panel = new Panel(label, about);
    await panel.busy(false); // all that it says is there when it is shown
    return panel;
  }

  // where a screen is too small for the chain and its program, the chain has a button of its own
  function nearer(decided, panel) {
    const spoil = () => {
      panel.spoil();
      panel.node.scrollIntoView();
    };
    if (decided?.matches(".lp-decided")) decided.lastElementChild.append(button("Break it", spoil));
  }

  const places = new Map(); // of a panel's name, what shows it

  // a result's label, and a number if it is not the first panel of that result
  function named(label) {
    let name = label;
    for (let n = 2; places.has(name); n++) name = `${label}--${n}`;
    return name;
  }

  // what an address leads to stays where it is when a panel above it grows
  function replaced(place, node) {
    const target = document.querySelector(":target"),
      top = () => target?.getBoundingClientRect().top ?? 0,
      before = top();
    place.replaceChildren(node);
    scrollBy({ top: top() - before, behavior: "instant" });
  }

  for (const opener of document.querySelectorAll("button[data-try]")) {
    const place = made("div", { hidden: true });
    const name = named(opener.dataset.try);
    let panel = null; // the promise of one
    opener.hidden = false;
    opener.closest(".lp-result").append(place);
    const show = async () => {
      place.hidden = false;
      opener.ariaExpanded = true;
      try {
        const found = await (panel ??= opened(opener.dataset, name));
        place.replaceChildren(found.node);
        if (typing.matches) found.text.focus();
        else found.node.scrollIntoView();
        return found;
      } catch (error) {
        panel = null; // the next click tries again
        place.replaceChildren(noted(error.message));
      }
    };
    opener.addEventListener("click", () => {
      if (place.hidden) return show();
      place.hidden = true;
      opener.ariaExpanded = false;
    });
    places.set(name, show);
  }

  for (const [i, place] of document.querySelectorAll(".lp-try-here[data-try]").entries()) {
    const name = named(place.dataset.try);
    const panel = opened(place.dataset, name, i > 0);
    panel.then(
      (found) => {
        replaced(place, found.node);
        nearer(place.previousElementSibling, found);
      },
      () => {}, // it stays to be read
    );
    places.set(name, () => panel.catch(() => {}));
  }

  async function linked() {
    const [, name, data] = location.hash.match(/^#try-([\w-]+)=(.*)$/) ?? [];
    (await places.get(name)?.())?.take(data);
  }

  addEventListener("hashchange", linked);
  linked();
})();
