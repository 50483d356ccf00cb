// A card for each reference to a result or a source, shown to a pointer that rests, to the focus,
// and to a first tap. The pointer may move onto it; Escape closes it. The statements come with the
// first card that is asked for.
const REFERENCE =
  'a.reference.internal:is([href*="#eq-"], [href*="#equation-eq-"], [href*="references.html#"])';
const card = document.createElement("div");
card.id = "lp-card";
card.hidden = true;
card.setAttribute("role", "tooltip");
document.body.append(card);

let owner = null;
let waiting = 0;
let data = null;
const home = document.currentScript.src;

function statements() {
  data ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = new URL("cards-data.js", home).href;
    script.onload = () => done(CARDS);
    script.onerror = failed;
    document.head.append(script);
  });
  return data;
}

const made = (tag, text, name = "") =>
  Object.assign(document.createElement(tag), { textContent: text, className: name });

function result(entry) {
  const head = made("p", `(${entry.number}) ${entry.title}`, "lp-card-title");
  const said = made("div", ""),
    given = made("p", "", "lp-card-given");
  said.innerHTML = entry.math || entry.text;
  if (entry.given.length) given.innerHTML = `Assumes ${entry.given.join("; ")}`;
  const badge = made("p", "");
  badge.append(made("span", entry.badge, `lp-badge lp-${entry.verdict}`));
  return [head, said, given, badge];
}

async function content(link) {
  const name = decodeURIComponent(link.hash.slice(1)).replace(/^equation-/, "");
  if (!name.startsWith("eq-")) return [made("p", link.dataset.source)];
  const entry = (await statements())[name.slice(3)];
  return entry ? result(entry) : [];
}

async function show(link, tapped = false) {
  clearTimeout(waiting);
  if (owner === link) return;
  hide();
  owner = link;
  const parts = await content(link);
  if (owner !== link || !parts.length) return;
  card.replaceChildren(...parts, ...(tapped ? [made("p", "Tap again to go there.", "lp-card-given")] : []));
  card.hidden = false;
  link.setAttribute("aria-describedby", card.id);
  place(link);
}

// below the reference, above it where there is more room, and within the screen
function place(link) {
  const box = link.getClientRects()[0],
    { offsetWidth: width, offsetHeight: height } = card;
  const left = Math.max(8, Math.min(box.left, document.documentElement.clientWidth - width - 8));
  const below = box.bottom + 6 + height <= innerHeight || box.top < height + 6;
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
const reference = (event) => event.target.closest?.(REFERENCE);

for (const link of document.querySelectorAll(REFERENCE))
  if (link.title) {
    link.dataset.source = link.title;
    link.removeAttribute("title"); // else the browser would show it as well
  }

let touched = false;
addEventListener("pointerdown", (event) => {
  touched = event.pointerType === "touch";
  if (touched && !reference(event) && !card.contains(event.target)) hide();
});
document.addEventListener("pointerover", (event) => {
  const link = reference(event);
  if (event.pointerType === "touch") return;
  if (link) later(() => show(link), 150);
  else if (card.contains(event.target)) clearTimeout(waiting);
  else if (owner && document.activeElement !== owner) later(hide, 200);
  else clearTimeout(waiting);
});
document.addEventListener("focusin", (event) => {
  const link = reference(event);
  if (link && !touched && link.matches(":focus-visible")) show(link);
});
document.addEventListener("focusout", (event) => {
  if (event.target === owner) hide();
});
document.addEventListener("click", (event) => {
  const link = reference(event);
  if (link && touched && owner !== link) {
    event.preventDefault();
    show(link, true);
  } else if (link) hide();
});
addEventListener("keydown", (event) => {
  if (event.key === "Escape") hide();
});
