// Fluent UI: web components.
import { allComponents, baseLayerLuminance, provideFluentDesignSystem, StandardLuminance, accentBaseColor } from "@fluentui/web-components";
import { dark, expose, field, h, is, pending, row, show as showPage, shownValue, slug } from "../shared/base.js";
import { part } from "../shared/widgets.js";

provideFluentDesignSystem().register(allComponents);
baseLayerLuminance.setValueFor(document.body, dark ? StandardLuminance.DarkMode : StandardLuminance.LightMode);
const track = (type) => (spec) => {
  const [shown, tell] = shownValue(spec);
  const bar = h("fluent-slider", { min: spec.min ?? 0, max: spec.max ?? 100, step: spec.step || 10, value: spec.v });
  // The slider draws half of its thumb above its own box.
  const box = h("div", { style: { paddingTop: "9px", height: "22px", boxSizing: "border-box" }, ...is(type, spec, { part: "fluent-slider", core: ".thumb-container, .thumb-cursor" }) }, bar);
  bar.addEventListener("change", () => tell(bar.currentValue));
  tell(spec.v);
  expose(spec.n, () => Number(bar.currentValue));
  return field(spec, box, shown);
};
const turn = (type) => (spec) => {
  const node = h(type === "switch" ? "fluent-switch" : "fluent-checkbox", { checked: !!spec.v, style: { width: "fit-content" }, ...is(type, spec, { core: type === "switch" ? ".switch" : ".control" }) }, spec.n);
  expose(spec.n, () => node.checked);
  return h("div", { class: "line" }, node);
};
const kit = {
  look: (isDark) => ({ back: isDark ? "#1f1f1f" : "#f5f5f5", card: isDark ? "#292929" : "#ffffff", text: isDark ? "#ffffff" : "#242424", muted: isDark ? "#adadad" : "#616161", line: isDark ? "#474747" : "#dcdcdc", soft: isDark ? "#333333" : "#f0f0f0", accent: isDark ? "#479ef5" : "#0f6cbd", "on-accent": isDark ? "#0b1f33" : "#ffffff", bar: isDark ? "#292929" : "#0f548c", "bar-text": "#ffffff", round: "4px", shadow: "0 1px 3px rgba(0,0,0,.14)", font: "Noto Sans" }),
  link: (name) => h("fluent-button", { appearance: "stealth" }, name),
  wait: 500,
  parts: {
    slider: track("slider"), seek_bar: track("seek_bar"), switch: turn("switch"), check_box: turn("check_box"),
    radio_group: (spec) => {
      const node = h("fluent-radio-group", { value: spec.v, orientation: "vertical", ...is("radio_group", spec, { items: "fluent-radio" }) }, spec.options.map((o) => h("fluent-radio", { value: o, "data-value": o, style: { width: "fit-content" } }, o)));
      expose(spec.n, () => node.value);
      return field(spec, node);
    },
    segmented_control: (spec) => {
      let now = spec.v;
      const items = spec.options.map((o) => h("fluent-button", { role: "radio", "data-value": o, onclick: () => { now = o; draw(); } }, o));
      const draw = () => items.forEach((item) => { item.appearance = item.dataset.value === now ? "accent" : "neutral"; item.setAttribute("aria-checked", item.dataset.value === now); });
      pending.push(new Promise((done) => setTimeout(() => { draw(); done(); })));
      expose(spec.n, () => now);
      return field(spec, h("div", { role: "radiogroup", ...is("segmented_control", spec, { items: "[data-value]" }) }, items));
    },
    tabs: (spec) => {
      const node = h("fluent-tabs", { activeid: slug(spec.v), ...is("tabs", spec, { items: "fluent-tab", box: "[part=tablist]" }) }, spec.options.map((o) => h("fluent-tab", { id: slug(o), "data-value": o }, o)), spec.options.map((o, n) => h("fluent-tab-panel", { id: slug(o) + "-panel" }, spec.texts[n])));
      // The line below the tab moves once its transition has ended; these pages have no transitions.
      node.addEventListener("change", () => node.activeIndicatorRef?.dispatchEvent(new Event("transitionend")));
      expose(spec.n, () => spec.options.find((o) => slug(o) === node.activeid) ?? "");
      return node;
    },
    accordion: (spec) => {
      const item = h("fluent-accordion-item", { expanded: !!spec.v }, h("span", { slot: "heading" }, spec.n), h("div", {}, spec.text));
      expose(spec.n, () => item.expanded);
      setTimeout(() => { const head = item.shadowRoot.querySelector(".heading"); for (const [key, value] of Object.entries(is("accordion", spec, { part: "button", core: ".heading" }))) head.setAttribute(key, value); }, 300);
      return h("fluent-accordion", {}, item);
    },
    list_box: (spec) => {
      const node = h("fluent-listbox", { style: { width: "100%" }, ...is("list_box", spec, { items: "fluent-option" }) }, spec.items.map((o) => h("fluent-option", { value: o, "data-value": o, selected: o === spec.v }, o)));
      expose(spec.n, () => node.selectedOptions?.[0]?.value ?? spec.v);
      return field(spec, node);
    },
    tree_node: (spec) => {
      const make = ([name, children]) => {
        const node = h("fluent-tree-item", { expanded: spec.open === name }, name, ...(children || []).map((child) => make(typeof child === "string" ? [child] : child)));
        if (children) {
          expose(name, () => node.expanded);
          setTimeout(() => { const button = node.shadowRoot.querySelector(".expand-collapse-button"); button?.removeAttribute("aria-hidden"); if (button) for (const [key, value] of Object.entries(is("tree_node", { n: name }))) button.setAttribute(key, value); }, 300);
        }
        return node;
      };
      return field(spec, h("fluent-tree-view", { style: { height: `${spec.high || 190}px` } }, spec.items.map(make)));
    },
  },
  part: (spec) => part(kit, spec),
};
export const show = (screen) => showPage(screen, kit);
