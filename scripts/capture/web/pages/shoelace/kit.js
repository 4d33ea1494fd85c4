// Shoelace: web components.
import "@shoelace-style/shoelace/dist/themes/light.css";
import "@shoelace-style/shoelace/dist/themes/dark.css";
import "@shoelace-style/shoelace/dist/shoelace.js";
import { dark, expose, field, h, is, row, show as showPage, shownValue, slug } from "../shared/base.js";
import { part } from "../shared/widgets.js";

if (dark) document.documentElement.classList.add("sl-theme-dark");
const track = (type) => (spec) => {
  const [shown, tell] = shownValue(spec);
  const bar = h("sl-range", { min: spec.min ?? 0, max: spec.max ?? 100, step: spec.step || 10, value: spec.v, tooltip: "none", "aria-label": spec.n, ...is(type, spec, { part: "input[type=range]", thumb: 20 }) });
  bar.addEventListener("sl-input", () => tell(bar.value));
  tell(spec.v);
  expose(spec.n, () => bar.value);
  return field(spec, bar, shown);
};
const turn = (type) => (spec) => {
  const node = h(type === "switch" ? "sl-switch" : "sl-checkbox", { checked: !!spec.v, style: { width: "fit-content" }, ...is(type, spec, { core: type === "switch" ? "[part=control]" : "[part~=control]" }) }, spec.n);
  expose(spec.n, () => node.checked);
  return h("div", { class: "line" }, node);
};
const radios = (type, tag) => (spec) => {
  const node = h("sl-radio-group", { value: spec.v, size: "small", ...is(type, spec, { items: tag }) }, spec.options.map((o) => h(tag, { value: o.replaceAll(" ", "_"), "data-value": o, style: type === "radio_group" ? { width: "fit-content" } : {} }, o)));
  node.value = spec.v.replaceAll(" ", "_");
  expose(spec.n, () => node.value.replaceAll("_", " "));
  return field(spec, node);
};
const kit = {
  look: (isDark) => ({ back: isDark ? "#1a1a1e" : "#fafafa", card: isDark ? "#242428" : "#ffffff", text: isDark ? "#e5e5ea" : "#3f3f46", muted: isDark ? "#a0a0aa" : "#71717a", line: isDark ? "#45454d" : "#e4e4e7", soft: isDark ? "#2f2f35" : "#f4f4f5", accent: isDark ? "#0ba5e9" : "#0284c7", "on-accent": "#ffffff", bar: isDark ? "#242428" : "#ffffff", "bar-text": isDark ? "#e5e5ea" : "#27272a", round: "6px", shadow: "0 1px 2px rgba(0,0,0,.08)", font: "Noto Sans" }),
  link: (name) => h("sl-button", { variant: "text", size: "small" }, name),
  wait: 500,
  settle: () => Promise.all(["sl-range", "sl-switch", "sl-tab-group", "sl-rating", "sl-tree"].map((tag) => customElements.whenDefined(tag))),
  parts: {
    slider: track("slider"), seek_bar: track("seek_bar"), switch: turn("switch"), check_box: turn("check_box"),
    radio_group: radios("radio_group", "sl-radio"), segmented_control: radios("segmented_control", "sl-radio-button"),
    tabs: (spec) => {
      const group = h("sl-tab-group", { "no-scroll-controls": true, ...is("tabs", spec, { items: "sl-tab", box: "[part=tabs]" }) }, spec.options.map((o) => h("sl-tab", { slot: "nav", panel: slug(o), "data-value": o, active: o === spec.v }, o)), spec.options.map((o, n) => h("sl-tab-panel", { name: slug(o), active: o === spec.v }, spec.texts[n])));
      expose(spec.n, () => group.querySelector("sl-tab[active]")?.dataset.value ?? "");
      return group;
    },
    rating: (spec) => {
      const node = h("sl-rating", { value: spec.v, label: spec.n, ...is("rating", spec, { items: ".rating__symbols:not(.rating__symbols--indicator) .rating__symbol, .rating__symbol", numeric: "" }) });
      expose(spec.n, () => node.value);
      setTimeout(() => [...node.shadowRoot.querySelectorAll(".rating__symbol")].forEach((star, n) => { star.dataset.value = n + 1; }), 300);
      return row(spec, node);
    },
    accordion: (spec) => {
      const node = h("sl-details", { open: !!spec.v }, h("span", { slot: "summary" }, spec.n), spec.text);
      setTimeout(() => { const head = node.shadowRoot.querySelector("summary"); for (const [key, value] of Object.entries(is("accordion", spec))) head.setAttribute(key, value); }, 300);
      expose(spec.n, () => node.open);
      return node;
    },
    tree_node: (spec) => {
      const make = ([name, children]) => {
        const node = h("sl-tree-item", { expanded: spec.open === name }, name, ...(children || []).map((child) => make(typeof child === "string" ? [child] : child)));
        if (children) {
          expose(name, () => node.expanded);
          setTimeout(() => { const button = node.shadowRoot.querySelector(".tree-item__expand-button"); button.removeAttribute("aria-hidden"); for (const [key, value] of Object.entries(is("tree_node", { n: name }))) button.setAttribute(key, value); }, 300);
        }
        return node;
      };
      return field(spec, h("sl-tree", { style: { height: `${spec.high || 190}px` } }, spec.items.map(make)));
    },
    colour_picker: (spec) => {
      const names = Object.keys(spec.colours);
      const node = h("sl-color-picker", { inline: true, "no-format-toggle": true, size: "small", value: spec.colours[spec.v], swatches: names.map((n) => spec.colours[n]).join(";"), ...is("colour_picker", spec, { items: ".color-picker__swatch" }) });
      expose(spec.n, () => names.find((n) => spec.colours[n].toLowerCase() === node.value.toLowerCase()) ?? "");
      setTimeout(() => [...node.shadowRoot.querySelectorAll(".color-picker__swatch")].forEach((swatch, n) => { swatch.dataset.value = names[n]; }), 300);
      return field(spec, node);
    },
  },
  part: (spec) => part(kit, spec),
};
export const show = (screen) => showPage(screen, kit);
