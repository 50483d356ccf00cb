// Choosing a result shows all that it rests on and all that rests on it, near and far. Without this
// script boxes are links.
const chooser = document.querySelector(".lp-chooser");
const select = document.getElementById("lp-choose");
const panel = document.getElementById("lp-chosen");
const boxes = [...document.querySelectorAll(".lp-node")];
const lines = new Map(
  [...document.querySelectorAll(".lp-graph-text li[data-label]")].map((line) => [
    line.dataset.label,
    line,
  ]),
);

const uses = new Map([...lines.keys()].map((label) => [label, new Set()]));
for (const edge of document.querySelectorAll(".lp-edge"))
  uses.get(edge.closest(".lp-node").dataset.label).add(edge.dataset.from);
const users = new Map(
  [...uses.keys()].map((label) => [
    label,
    [...uses.keys()].filter((other) => uses.get(other).has(label)),
  ]),
);

function reached(label, next, found = new Set()) {
  for (const other of next.get(label))
    if (!found.has(other)) reached(other, next, found.add(other));
  return found;
}

const counted = ({ size }) => `${size || "no"} result${size > 1 ? "s" : ""}`;

const linked = (label) =>
  [...lines.get(label).children].slice(0, 2).flatMap((part) => [part.cloneNode(true), " "]);

function list(name, labels) {
  const title = document.createElement("p"),
    items = document.createElement("ul");
  title.textContent = name;
  for (const label of lines.keys()) {
    if (!labels.has(label)) continue;
    const item = document.createElement("li");
    item.append(...linked(label));
    items.append(item);
  }
  const both = document.createElement("div");
  both.hidden = !labels.size;
  both.append(title, items);
  return both;
}

function choose(label) {
  const chosen = uses.has(label) ? label : "";
  const above = chosen ? reached(chosen, uses) : new Set(),
    below = chosen ? reached(chosen, users) : new Set();
  const on = (name) => name === chosen || above.has(name) || below.has(name);
  const drawn = boxes.some((box) => chosen && on(box.dataset.label)); // else it is in a list
  for (const box of boxes) {
    const name = box.dataset.label;
    box.classList.toggle("lp-chosen", name === chosen && Boolean(chosen));
    box.classList.toggle("lp-faint", drawn && !on(name));
    box.setAttribute("aria-pressed", name === chosen);
    for (const edge of box.querySelectorAll(".lp-edge")) {
      const from = edge.dataset.from;
      const inside =
        (above.has(from) && (above.has(name) || name === chosen)) ||
        ((below.has(from) || from === chosen) && below.has(name));
      edge.classList.toggle("lp-lit", inside);
    }
  }
  for (const line of document.querySelectorAll(".lp-alone a")) {
    const here = Boolean(chosen) && line.hash === `#eq-${chosen}`;
    line.classList.toggle("lp-chosen", here);
    if (here) line.closest("details").open = true;
  }
  for (const drawing of document.querySelectorAll(".lp-graph"))
    drawing.classList.toggle("lp-choosing", drawn);
  select.value = chosen;
  panel.hidden = !chosen;
  panel.replaceChildren();
  if (chosen) {
    const head = document.createElement("p"),
      reach = document.createElement("p"),
      close = document.createElement("button");
    close.type = "button";
    close.textContent = "Close";
    close.addEventListener("click", leave);
    reach.textContent = `It rests on ${counted(above)}; ${counted(below)} rest${below.size > 1 ? "" : "s"} on it.`;
    head.append(close, ...linked(chosen));
    panel.append(head, reach, list("Rests on", above), list("What rests on it", below));
  }
  history.replaceState(null, "", chosen ? `#${chosen}` : location.pathname);
}

// the focus goes back to where the choice was made
let origin = select;
function leave() {
  choose("");
  origin.focus({ preventScroll: true });
}

for (const box of boxes) {
  box.setAttribute("role", "button");
  const press = (event) => {
    event.preventDefault();
    origin = box;
    choose(box.getAttribute("aria-pressed") === "true" ? "" : box.dataset.label);
  };
  box.addEventListener("click", press);
  box.addEventListener("keydown", (event) => {
    if (event.key === " ") press(event);
  });
}
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !panel.hidden) choose("");
});
function show(label) {
  choose(label);
  const box = document.querySelector("a.lp-chosen");
  box?.scrollIntoView({ block: "nearest", inline: "center" });
}
addEventListener("hashchange", () => show(location.hash.slice(1)));
select.addEventListener("change", () => {
  origin = select;
  show(select.value);
});
chooser.addEventListener("submit", (event) => event.preventDefault());
chooser.hidden = false;
if (uses.has(location.hash.slice(1))) show(location.hash.slice(1));
else for (const box of boxes) box.setAttribute("aria-pressed", "false");
