// Onsen UI in its two looks; VARIANT is ios or android.
import "onsenui/css/onsenui-core.css";
import "onsenui/css/onsen-css-components.css";
import ons from "onsenui/js/onsenui.js";
import { dark, expose, field, h, is, row, show as showPage, shownValue, slug } from "../shared/base.js";
import { part } from "../shared/widgets.js";

ons.platform.select(VARIANT);
ons.disableAnimations();
const isIos = VARIANT === "ios", adapt = isIos ? {} : { modifier: "material" };
const track = (type) => (spec) => {
  const [shown, tell] = shownValue(spec);
  const bar = h("ons-range", { min: spec.min ?? 0, max: spec.max ?? 100, step: spec.step || 10, value: spec.v, style: { width: "100%", display: "block" }, ...adapt, ...is(type, spec, { part: "input[type=range]", thumb: isIos ? 28 : 14 }) });
  bar.addEventListener("input", () => tell(bar.value));
  tell(spec.v);
  return field(spec, bar, shown);
};
const kit = {
  phone: true,
  wait: 500,
  look: (isDark) => ({ back: isDark ? "#0d0d0d" : "#efeff4", card: isDark ? "#1c1c1c" : "#ffffff", text: isDark ? "#ffffff" : "#1f1f21", muted: isDark ? "#a0a0a0" : "#757575", line: isDark ? "#3c3c3c" : "#d8d8dc", soft: isDark ? "#2a2a2a" : "#f2f2f2", accent: isIos ? "#0076ff" : "#37474f", "on-accent": "#ffffff", bar: isDark ? "#181818" : isIos ? "#fafafa" : "#37474f", "bar-text": isDark || !isIos ? "#ffffff" : "#1f1f21", round: isIos ? "10px" : "2px", shadow: isIos ? "none" : "0 1px 3px rgba(0,0,0,.2)", font: isIos ? "Inter" : "Noto Sans" }),
  link: (name) => h("ons-button", { modifier: isIos ? "quiet" : "material quiet" }, name),
  parts: {
    slider: track("slider"), seek_bar: track("seek_bar"),
    switch: (spec) => { const node = h("ons-switch", { checked: !!spec.v, ...adapt, ...is("switch", spec, { part: "ons-switch" }) }); expose(spec.n, () => node.checked); return row(spec, node); },
    check_box: (spec) => { const node = h("ons-checkbox", { "input-id": slug(spec.n), checked: !!spec.v, ...adapt }); expose(spec.n, () => node.checked); return h("label", { class: "line", for: slug(spec.n), style: { width: "fit-content" }, ...is("check_box", spec, { part: "ons-checkbox", core: "ons-checkbox" }) }, node, spec.n); },
    radio_group: (spec) => {
      const inputs = spec.options.map((o) => h("ons-radio", { name: slug(spec.n), "input-id": slug(spec.n + o), value: o, checked: o === spec.v, ...adapt }));
      expose(spec.n, () => inputs.find((input) => input.checked)?.value ?? "");
      return field(spec, h("div", { role: "radiogroup", ...is("radio_group", spec, { items: "label[data-value]" }) }, spec.options.map((o, n) => h("label", { class: "line", "data-value": o, for: slug(spec.n + o), style: { width: "fit-content", minHeight: "34px" } }, inputs[n], o))));
    },
    segmented_control: (spec) => {
      const node = h("ons-segment", { "active-index": spec.options.indexOf(spec.v), style: { width: "100%" }, ...adapt, ...is("segmented_control", spec, { items: ".segment__item" }) }, spec.options.map((o) => h("button", {}, o)));
      expose(spec.n, () => spec.options[node.getActiveButtonIndex()] ?? "");
      return field(spec, node);
    },
    tabs: (spec) => {
      let now = spec.v;
      const text = h("div", { style: { height: "34px", padding: "8px 4px" } }), tabs = spec.options.map((o) => h("div", { class: `tabbar__item ${isIos ? "" : "tabbar--material__item"}`, role: "tab", "data-value": o, onclick: () => { now = o; draw(); } }, h("button", { class: `tabbar__button ${isIos ? "" : "tabbar--material__button"}`, tabindex: -1 }, h("div", { class: `tabbar__label ${isIos ? "" : "tabbar--material__label"}`, style: { fontSize: "14px", lineHeight: "40px" } }, o))));
      const draw = () => { tabs.forEach((tab) => { const on = tab.dataset.value === now; tab.setAttribute("aria-selected", on); tab.querySelector(".tabbar__label").style.color = on ? "var(--accent)" : "var(--muted)"; tab.style.boxShadow = on ? "inset 0 -2px var(--accent)" : "none"; }); text.textContent = spec.texts[spec.options.indexOf(now)]; };
      draw();
      return h("div", {}, h("div", { role: "tablist", style: { display: "flex", height: "44px" }, ...is("tabs", spec, { items: "[role=tab]" }) }, tabs), text);
    },
    accordion: (spec) => {
      const inner = h("div", { class: "expandable-content" }, spec.text), head = h("div", { style: { flex: 1, padding: "10px 0" } }, spec.n);
      const item = h("ons-list-item", { expandable: true, expanded: !!spec.v, ...adapt }, head, inner);
      expose(spec.n, () => item.expanded);
      setTimeout(() => { const top = item.querySelector(".top") || item; for (const [key, value] of Object.entries(is("accordion", spec))) top.setAttribute(key, value); }, 300);
      return h("ons-list", {}, item);
    },
  },
  part: (spec) => part(kit, spec),
};
export const show = (screen) => showPage(screen, kit);
