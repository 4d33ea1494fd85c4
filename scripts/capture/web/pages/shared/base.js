// What all pages share: the layout, and how values are told to the capture tool.
import "./base.css";

export const dark = location.hash === "#dark";

/** Tells the tool a value of a control whose library keeps it to itself. */
export function expose(name, read) {
  window.values[slug(name)] = read;
}

export const slug = (name) => name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/-+$/, "");

/** An element with attributes, properties (`.checked`), listeners (`onclick`) and children. */
export function h(tag, told = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(told)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key.startsWith(".")) node[key.slice(1)] = value;
    else if (key === "style" && typeof value === "object") for (const [name, part] of Object.entries(value)) name.startsWith("--") ? node.style.setProperty(name, part) : (node.style[name] = part);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

/** Attributes that say what a control is. */
export function is(type, spec, more = {}) {
  const out = { "data-control": type, "data-name": spec.n, "data-id": slug(spec.n) };
  for (const [key, value] of Object.entries(more)) out[`data-${key.replace(/[A-Z]/g, (c) => "-" + c.toLowerCase())}`] = value;
  return out;
}

/** A label above, and what is shown of the value beside it. */
export function field(spec, part, shown) {
  const head = h("div", { class: "head" }, h("span", {}, spec.n));
  if (shown) head.append(shown);
  return h("div", { class: "field", style: spec.style }, head, part);
}

/** A label at the left and the control at the right. */
export const row = (spec, part) => h("div", { class: "line" }, h("span", { class: "name" }, spec.n), part);

export function shownValue(spec) {
  const node = h("span", { class: "shown" });
  const told = spec.tell || ((value) => `${value}${spec.unit || ""}`);
  return [node, (value) => { node.textContent = told(value); }];
}

/** What must be done before a page may be looked at. */
export const pending = [];

/** Draws a screen with a kit, and says when it may be looked at. */
export function show(screen, kit) {
  draw(screen, kit).catch((error) => { (window.faults ||= []).push(String(error.stack || error)); });
}

async function draw(screen, kit) {
  const look = kit.look(dark);
  for (const [key, value] of Object.entries(look)) document.documentElement.style.setProperty(`--${key}`, value);
  document.documentElement.style.colorScheme = dark ? "dark" : "light";
  const root = document.getElementById("root");
  if (kit.phone) root.classList.add("phone");
  root.append(h("header", { class: "bar" }, h("b", {}, screen.brand), ...(screen.nav || []).slice(0, kit.phone ? 1 : 4).map((name) => kit.link ? kit.link(name) : h("a", { href: "#", style: { color: "inherit" }, onclick: (e) => e.preventDefault() }, name))));
  const grid = h("main", { class: "grid", style: kit.phone ? {} : { gridTemplateColumns: screen.columns || "1fr 1fr 1fr", gridTemplateRows: screen.rows || "auto" } });
  root.append(grid);
  for (const card of screen.cards) {
    const box = h("section", { class: "tile", style: card.style }, card.title ? h("h2", {}, card.title) : null);
    grid.append(box);
    for (const spec of card.items) {
      if (typeof spec === "string") box.append(h("div", { class: "muted" }, spec));
      else box.append(await kit.part(spec));
    }
  }
  await kit.settle?.();
  await Promise.all(pending);
  setTimeout(() => { window.isReady = true; }, kit.wait || 80);
}
