// A card for each reference to a result or a source, for each badge, and for the symbols of a
// formula or of a box, shown to a pointer that rests, to the focus, and to a first tap. The pointer
// may move onto it; the arrow keys scroll it, and Escape closes it. What it says comes with the
// first card that is asked for.
(() => {
  const REFERENCE =
    'a.reference.internal:is([href*="#eq-"], [href*="#equation-eq-"], [href*="references.html#"])';
  const SUBJECT = `${REFERENCE}, .lp-symbols, .lp-evidence > summary, .lp-badge:not(.table *)`;
  // of formulas that a link or a button has in it, a source's, and a reader's own it says nothing
  const APART =
    "a, button, label, svg, summary, blockquote, tr[id], " +
    ".lp-try, .lp-entry, .lp-claims, .lp-erratum";
  const card = document.createElement("div");
  card.id = "lp-card";
  card.hidden = true;
  card.setAttribute("role", "tooltip");
  (document.querySelector("main") ?? document.body).append(card);

  let owner = null;
  let waiting = 0;
  let data = null;
  const home = document.currentScript.src;

  const loaded = (name) =>
    new Promise((done, failed) => {
      const script = document.createElement("script");
      script.src = new URL(name, home).href;
      script.onload = done;
      script.onerror = failed;
      document.head.append(script);
    });

  async function content(subject) {
    if (subject.dataset.source) return [made("p", subject.dataset.source)];
    await (data ??= Promise.all(["cards-data.js", "cards-content.js"].map(loaded)));
    return cardContent(subject);
  }

  const made = (tag, text, name = "") =>
    Object.assign(document.createElement(tag), { textContent: text, className: name });

  async function show(subject, link = false) {
    clearTimeout(waiting);
    if (owner === subject || (isFormula(subject) && !getSelection().isCollapsed)) return;
    hide();
    owner = subject;
    const parts = await content(subject);
    if (owner !== subject || !parts.length) return;
    if (link) parts.push(made("p", "Tap again to go there.", "lp-card-given"));
    card.replaceChildren(...parts);
    card.hidden = false;
    subject.setAttribute("aria-describedby", card.id);
    place(subject);
  }

  // below its subject, above it where there is more room, and within the screen; of what opens
  // evidence above it, if it can be, and of a formula below all its lines. To a tap it comes at the
  // foot of the screen, or at its head where the subject is there, and covers neither
  function place(subject) {
    const box = isFormula(subject) ? subject.getBoundingClientRect() : subject.getClientRects()[0];
    const room = Math.max(innerHeight - box.bottom, box.top) - 14;
    card.style.maxHeight = touched ? "" : `max(8rem, min(${room}px, 100vh - 1rem))`;
    const { offsetWidth: width, offsetHeight: height } = card;
    const left = Math.max(8, Math.min(box.left, document.documentElement.clientWidth - width - 8));
    const fits = box.bottom + 6 + height <= innerHeight && !subject.matches("summary");
    const below = fits || box.top < height + 6;
    card.style.position = touched ? "fixed" : "";
    if (touched) {
      const foot = innerHeight - height - 8;
      Object.assign(card.style, { left: "8px", top: `${box.bottom < foot ? foot : 8}px` });
      return;
    }
    card.style.left = `${left + scrollX}px`;
    card.style.top = `${(below ? box.bottom + 6 : box.top - 6 - height) + scrollY}px`;
  }

  function hide() {
    clearTimeout(waiting);
    owner?.removeAttribute("aria-describedby");
    owner = null;
    card.hidden = true;
  }

  const later = (action, time) => {
    clearTimeout(waiting);
    waiting = setTimeout(action, time);
  };
  const isFormula = (subject) => subject.matches(".katex");

  function subjectOf({ target }) {
    if (!target.closest || card.contains(target)) return null;
    const found = target.closest(SUBJECT);
    if (found) return found.closest("summary") ?? found;
    const formula = target.closest(".bd-article .katex");
    return formula?.closest(APART) ? null : formula;
  }

  for (const link of document.querySelectorAll(REFERENCE))
    if (link.title) {
      link.dataset.source = link.title;
      link.removeAttribute("title"); // else the browser would show it as well
    }

  // for the keyboard the symbols of a box have a button, seen when it has the focus: a tab stop at
  // each formula would be many hundreds
  for (const box of document.querySelectorAll(".lp-result, .bd-article .proof"))
    if (box.querySelector(".katex") && !box.querySelector(".lp-erratum")) {
      const name = box.querySelector(".lp-number, .admonition-title").textContent.trim();
      const button = made("button", `Symbols in ${name}`, "lp-symbols");
      button.type = "button";
      box.firstElementChild.after(button);
    }

  let touched = false;
  addEventListener("pointerdown", (event) => {
    touched = event.pointerType === "touch";
    if (touched && !subjectOf(event) && !card.contains(event.target)) hide();
  });
  // what is scrolled under a pointer that stays where it is was not pointed at
  let at = "";
  const moved = ({ screenX, screenY }) => at !== (at = `${screenX} ${screenY}`);
  document.addEventListener("pointermove", moved, { passive: true });
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const subject = moved(event) && !event.buttons ? subjectOf(event) : null;
    if (subject) later(() => show(subject), isFormula(subject) ? 600 : 150);
    else if (card.contains(event.target)) clearTimeout(waiting);
    else if (owner && document.activeElement !== owner) later(hide, 200);
    else clearTimeout(waiting);
  });
  document.addEventListener("focusin", (event) => {
    const subject = subjectOf(event);
    if (subject && !touched && event.target.matches(":focus-visible")) show(subject);
  });
  document.addEventListener("focusout", (event) => {
    if (event.target === owner) hide();
  });
  document.addEventListener("click", (event) => {
    const subject = subjectOf(event);
    const link = subject?.matches("a");
    if (subject && owner !== subject && (touched || subject.matches(".lp-symbols"))) {
      if (link) event.preventDefault();
      show(subject, link);
    } else if (subject && !subject.matches(".lp-symbols")) hide(); // which the focus has shown
  });
  document.addEventListener("selectstart", () => owner && isFormula(owner) && hide());
  addEventListener("keydown", (event) => {
    const down = { ArrowDown: 40, ArrowUp: -40 }[event.key];
    const long = !card.hidden && card.scrollHeight > card.clientHeight + 1;
    if (event.key === "Escape") (owner ? hide : leave)();
    if (event.key === "Tab" && !event.shiftKey && way && document.activeElement === document.body)
      ahead(event);
    if (!down || !long || owner !== document.activeElement) return;
    event.preventDefault();
    card.scrollBy({ top: down });
  });

  // A way back from where a reference led to: the place and the focus are those that were left, for
  // the browser's own button as well. It comes before the place, so the first Tab leads to it. One
  // goes on by Escape, or by reading on for a screen.
  const JUMP = '.bd-article a.reference.internal[href*="#"]';
  let way = null;

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.(JUMP);
    const { button, ctrlKey, metaKey, shiftKey, altKey } = event;
    const elsewhere = button || ctrlKey || metaKey || shiftKey || altKey;
    if (!link || event.defaultPrevented || elsewhere || link.href === location.href) return;
    const [box, section] = [".lp-result", "section"].map((part) => link.closest(part));
    const name = box?.querySelector(".lp-number") ?? section?.querySelector("h1, h2, h3, h4");
    const text = [...(name?.childNodes ?? [])].filter((part) => part.className !== "headerlink");
    const { top } = link.getBoundingClientRect();
    history.replaceState({ left: [...document.links].indexOf(link), top }, "");
    const said = text.map((part) => part.textContent).join("").trim();
    sessionStorage.setItem("lp-way", JSON.stringify([link.href, said || "where you were"]));
  });

  function ahead(event) {
    if (way.met) return;
    way.met = true;
    way.focus({ preventScroll: true });
    event.preventDefault();
  }

  function leave() {
    way?.remove();
    way = null;
  }

  function arrived() {
    leave();
    const [to, name] = JSON.parse(sessionStorage.getItem("lp-way") ?? "[]");
    sessionStorage.removeItem("lp-way");
    if (to !== location.href) return;
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    way = made("button", `Back to ${name}`);
    Object.assign(way, { id: "lp-back", type: "button", onclick: () => history.back() });
    const box = target.closest(".lp-result");
    if (box) box.before(way); // which would hold it fast to itself
    else (target.matches("tr") ? target.cells[0] : target).prepend(way);
  }

  function returned() {
    const { left, top } = history.state ?? {};
    const link = document.links[left];
    if (!link) return;
    history.replaceState(null, "");
    for (let fold = link.closest("details"); fold; fold = fold.parentElement.closest("details"))
      fold.open = true;
    requestAnimationFrame(() => {
      link.focus({ preventScroll: true });
      scrollBy({ top: link.getBoundingClientRect().top - top, behavior: "instant" });
    });
  }

  addEventListener("hashchange", arrived);
  addEventListener("popstate", returned);
  addEventListener("pageshow", returned);
  // where the reader was led to is where the first that a reader does finds the page
  for (const deed of ["wheel", "touchmove", "pointerdown", "keydown"])
    addEventListener(deed, () => way && (way.landed ??= scrollY), { passive: true });
  addEventListener("scroll", () => {
    if (Math.abs(scrollY - way?.landed) > innerHeight) leave();
  });
  arrived();
})();
