// Framework7 in its two looks; VARIANT is ios or md.
import "framework7/css/bundle";
import Framework7 from "framework7/bundle";
import { dark, expose, field, h, is, row, show as showPage, shownValue, slug } from "../shared/base.js";
import { markThumb, part } from "../shared/widgets.js";

document.getElementById("root").classList.add("framework7-root");
const app = new Framework7({ el: document.body, theme: VARIANT, darkMode: dark, touch: { tapHold: false, mdTouchRipple: false, iosTouchRipple: false, touchHighlight: false, activeState: false }, accordion: {}, routes: [] });
document.documentElement.classList.add(VARIANT);
document.documentElement.classList.toggle("dark", dark);
const isIos = VARIANT === "ios";
const track = (type) => (spec) => {
  const [shown, tell] = shownValue(spec);
  const node = h("div", { class: "range-slider", ...is(type, spec, { part: ".range-knob", core: ".range-knob" }) });
  tell(spec.v);
  setTimeout(() => { const bar = app.range.create({ el: node, min: spec.min ?? 0, max: spec.max ?? 100, step: spec.step || 10, value: spec.v, on: { change: (_, v) => tell(v) } }); expose(spec.n, () => bar.getValue()); });
  return field(spec, h("div", { style: { padding: "4px 14px" } }, node), shown);
};
const kit = {
  phone: true,
  wait: 400,
  look: (isDark) => ({ back: isDark ? "#000000" : isIos ? "#efeff4" : "#f4f2f8", card: isDark ? "#1c1c1d" : "#ffffff", text: isDark ? "#ffffff" : "#1c1b1f", muted: isDark ? "#a0a0a5" : "#6b6b70", line: isDark ? "#3a3a3c" : "#dddde2", soft: isDark ? "#2a2a2c" : "#f0eff5", accent: isIos ? "#007aff" : "#6750a4", "on-accent": "#ffffff", bar: isDark ? "#161617" : isIos ? "#f7f7f8" : "#eaddff", "bar-text": isDark ? "#ffffff" : "#1c1b1f", round: isIos ? "10px" : "16px", shadow: "none", font: isIos ? "Inter" : "Noto Sans" }),
  link: (name) => h("a", { href: "#", class: "link", onclick: (e) => e.preventDefault() }, name),
  parts: {
    slider: track("slider"), seek_bar: track("seek_bar"),
    switch: (spec) => { const input = h("input", { type: "checkbox", ".checked": !!spec.v }); return row(spec, h("label", { class: "toggle toggle-init", ...is("switch", spec) }, input, h("span", { class: "toggle-icon" }))); },
    check_box: (spec) => h("label", { class: "line", style: { gap: "12px", width: "fit-content" }, ...is("check_box", spec, { core: ".icon-checkbox" }) }, h("span", { class: "checkbox" }, h("input", { type: "checkbox", ".checked": !!spec.v }), h("i", { class: "icon-checkbox" })), spec.n),
    radio_group: (spec) => field(spec, h("div", { role: "radiogroup", ...is("radio_group", spec, { items: "label", on: ":has(input:checked)" }) }, spec.options.map((o) => h("label", { class: "line", "data-value": o, style: { minHeight: "32px", width: "fit-content" } }, h("span", { class: "radio" }, h("input", { type: "radio", name: slug(spec.n), value: o, ".checked": o === spec.v }), h("i", { class: "icon-radio" })), o)))),
    segmented_control: (spec) => {
      let now = spec.v;
      const items = spec.options.map((o) => h("button", { class: "button", "data-value": o, onclick: () => { now = o; draw(); } }, o));
      const draw = () => items.forEach((item) => { item.classList.toggle("button-active", item.dataset.value === now); item.setAttribute("aria-pressed", item.dataset.value === now); });
      draw();
      expose(spec.n, () => now);
      return field(spec, h("div", { class: "segmented segmented-round", ...is("segmented_control", spec, { items: "button" }) }, items));
    },
    tabs: (spec) => {
      let now = spec.v;
      const text = h("div", { style: { height: "34px", padding: "8px 4px" } }), tabs = spec.options.map((o) => h("button", { class: "button", role: "tab", "data-value": o, style: { flex: 1 }, onclick: () => { now = o; draw(); } }, o));
      const draw = () => { tabs.forEach((tab) => { tab.classList.toggle("button-active", tab.dataset.value === now); tab.setAttribute("aria-selected", tab.dataset.value === now); }); text.textContent = spec.texts[spec.options.indexOf(now)]; };
      draw();
      return h("div", {}, h("div", { class: "segmented segmented-strong", role: "tablist", ...is("tabs", spec) }, tabs), text);
    },
    accordion: (spec) => {
      const head = h("div", { class: "item-content", style: { cursor: "pointer", userSelect: "none" }, ...is("accordion", spec) }, h("div", { class: "item-inner" }, h("div", { class: "item-title" }, spec.n)));
      const item = h("li", { class: `accordion-item ${spec.v ? "accordion-item-opened" : ""}` }, h("a", { class: "item-link" }, head), h("div", { class: "accordion-item-content" }, h("div", { class: "block" }, spec.text)));
      expose(spec.n, () => item.classList.contains("accordion-item-opened"));
      return h("div", { class: "list accordion-list list-outline", style: { margin: 0 } }, h("ul", {}, item));
    },
    stepper: (spec) => {
      const node = h("div", { class: `stepper stepper-fill ${isIos ? "stepper-round" : ""}`, ...is("stepper", spec, { min: spec.min ?? 0, max: spec.max ?? 9, step: spec.step || 1, items: ".stepper-button-minus, .stepper-button-plus", core: ".stepper-value" }) }, h("button", { class: "stepper-button-minus", "aria-label": `Fewer ${spec.n}` }), h("div", { class: "stepper-value" }), h("button", { class: "stepper-button-plus", "aria-label": `More ${spec.n}` }));
      setTimeout(() => { const stepper = app.stepper.create({ el: node, min: spec.min ?? 0, max: spec.max ?? 9, step: spec.step || 1, value: spec.v }); expose(spec.n, () => stepper.getValue()); });
      return row(spec, node);
    },
    range_selection: (spec) => {
      const [shown, tell] = shownValue({ tell: (now) => now.map((n) => `${n}${spec.unit || ""}`).join(" – ") });
      const node = h("div", { class: "range-slider" });
      setTimeout(() => { const bar = app.range.create({ el: node, dual: true, min: spec.min ?? 0, max: spec.max ?? 100, step: spec.step || 10, value: spec.v, on: { change: (_, now) => tell(now) } }); tell(spec.v); [...node.querySelectorAll(".range-knob-wrap")].forEach((knob, n) => markThumb(knob.querySelector(".range-knob"), spec, n, () => bar.getValue()[n])); });
      return field(spec, h("div", { style: { padding: "4px 16px" } }, node), shown);
    },
    tree_node: (spec) => {
      const make = ([name, children]) => {
        const item = h("div", { class: `treeview-item ${spec.open === name ? "treeview-item-opened" : ""}` }, h("div", { class: `treeview-item-root ${children ? "treeview-item-toggle" : ""}`, ...(children ? is("tree_node", { n: name }) : {}) }, children ? h("div", { class: "treeview-toggle" }) : null, h("div", { class: "treeview-item-content" }, h("div", { class: "treeview-item-label" }, name))), children ? h("div", { class: "treeview-item-children" }, children.map((child) => make(typeof child === "string" ? [child] : child))) : null);
        if (children) expose(name, () => item.classList.contains("treeview-item-opened"));
        return item;
      };
      return field(spec, h("div", { class: "treeview", style: { height: `${spec.high || 190}px` } }, spec.items.map(make)));
    },
  },
  part: (spec) => part(kit, spec),
};
export const show = (screen) => showPage(screen, kit);
