// Bootstrap: plain elements with its classes.
import "bootstrap/dist/css/bootstrap.css";
import { Collapse } from "bootstrap";
import { dark, expose, field, h, is, row, show as showPage, shownValue, slug } from "../shared/base.js";
import { part } from "../shared/widgets.js";

document.documentElement.dataset.bsTheme = dark ? "dark" : "light";
const track = (type) => (spec) => {
  const [shown, tell] = shownValue(spec);
  const bar = h("input", { type: "range", class: "form-range", min: spec.min ?? 0, max: spec.max ?? 100, step: spec.step || 10, value: spec.v, "aria-label": spec.n, ...is(type, spec, { thumb: 16 }) });
  bar.addEventListener("input", () => tell(bar.value));
  tell(spec.v);
  return field(spec, bar, shown);
};
// Labels begin at their mark: clicks between the two count.
const beside = { marginLeft: "-0.5em", paddingLeft: "0.5em" };
const turn = (type) => (spec) => {
  const input = h("input", { class: "form-check-input", type: "checkbox", id: slug(spec.n), ".checked": !!spec.v, role: type === "switch" ? "switch" : null });
  return h("div", { class: `form-check mb-0 ${type === "switch" ? "form-switch" : ""}`, style: { width: "fit-content" }, ...is(type, spec, { core: "input" }) }, input, h("label", { class: "form-check-label", style: beside, for: slug(spec.n) }, spec.n));
};
const kit = {
  look: (isDark) => ({ back: isDark ? "#212529" : "#f8f9fa", card: isDark ? "#2b3035" : "#ffffff", text: isDark ? "#dee2e6" : "#212529", muted: isDark ? "#adb5bd" : "#6c757d", line: isDark ? "#495057" : "#dee2e6", soft: isDark ? "#343a40" : "#e9ecef", accent: "#0d6efd", "on-accent": "#ffffff", bar: isDark ? "#14171a" : "#212529", "bar-text": "#f8f9fa", round: "6px", shadow: "none", font: "Liberation Sans" }),
  link: (name) => h("button", { class: "btn btn-outline-light btn-sm" }, name),
  parts: {
    slider: track("slider"), seek_bar: track("seek_bar"), switch: turn("switch"), check_box: turn("check_box"),
    radio_group: (spec) => field(spec, h("div", { ...is("radio_group", spec, { items: ".form-check", on: ":has(input:checked)" }), role: "radiogroup" }, spec.options.map((o) => h("div", { class: "form-check mb-0", style: { width: "fit-content" }, "data-value": o }, h("input", { class: "form-check-input", type: "radio", name: slug(spec.n), id: slug(spec.n + o), ".checked": o === spec.v }), h("label", { class: "form-check-label", style: beside, for: slug(spec.n + o) }, o))))),
    segmented_control: (spec) => field(spec, h("div", { class: "btn-group", role: "group", ...is("segmented_control", spec, { items: "label" }) }, spec.options.flatMap((o) => {
      const input = h("input", { type: "radio", class: "btn-check", name: slug(spec.n), id: slug(spec.n + o), value: o, ".checked": o === spec.v });
      expose(spec.n, () => document.querySelector(`input[name="${slug(spec.n)}"]:checked`)?.value ?? "");
      return [input, h("label", { class: "btn btn-outline-primary btn-sm", for: slug(spec.n + o), "data-value": o }, o)];
    }))),
    tabs: (spec) => {
      let now = spec.v;
      const text = h("div", { style: { height: "40px", padding: "8px 4px" } }), tabs = spec.options.map((o) => h("button", { class: "nav-link", role: "tab", "data-value": o, onclick: () => { now = o; draw(); } }, o));
      const draw = () => { tabs.forEach((tab) => { tab.classList.toggle("active", tab.dataset.value === now); tab.setAttribute("aria-selected", tab.dataset.value === now); }); text.textContent = spec.texts[spec.options.indexOf(now)]; };
      draw();
      return h("div", {}, h("ul", { class: "nav nav-tabs", role: "tablist", ...is("tabs", spec) }, tabs.map((tab) => h("li", { class: "nav-item", role: "presentation" }, tab))), text);
    },
    accordion: (spec) => {
      const inner = h("div", { class: `accordion-collapse collapse ${spec.v ? "show" : ""}` }, h("div", { class: "accordion-body py-2" }, spec.text));
      const button = h("button", { class: `accordion-button py-2 ${spec.v ? "" : "collapsed"}`, "aria-expanded": String(!!spec.v), ...is("accordion", spec) }, spec.n);
      const fold = new Collapse(inner, { toggle: false });
      button.addEventListener("click", () => { const open = button.getAttribute("aria-expanded") !== "true"; button.setAttribute("aria-expanded", open); button.classList.toggle("collapsed", !open); inner.classList.toggle("show", open); });
      fold.dispose();
      return h("div", { class: "accordion" }, h("div", { class: "accordion-item" }, h("h2", { class: "accordion-header" }, button), inner));
    },
    stepper: (spec) => {
      let now = spec.v;
      const step = spec.step || 1, min = spec.min ?? 0, max = spec.max ?? 9, shown = h("span", { class: "input-group-text justify-content-center", style: { width: "52px" }, "data-shown": "" });
      const less = h("button", { class: "btn btn-outline-secondary", "aria-label": `Fewer ${spec.n}`, onclick: () => { now -= step; draw(); } }, "−"), more = h("button", { class: "btn btn-outline-secondary", "aria-label": `More ${spec.n}`, onclick: () => { now += step; draw(); } }, "+");
      const draw = () => { shown.textContent = now; less.disabled = now <= min; more.disabled = now >= max; };
      draw();
      expose(spec.n, () => now);
      return row(spec, h("div", { class: "input-group input-group-sm", style: { width: "auto" }, ...is("stepper", spec, { min, max, step, core: "[data-shown]" }) }, less, shown, more));
    },
    list_box: (spec) => {
      let now = spec.v;
      const items = spec.items.map((o) => h("button", { class: "list-group-item list-group-item-action py-1", role: "option", "data-value": o, onclick: () => { now = o; draw(); } }, o));
      const draw = () => items.forEach((item) => { item.classList.toggle("active", item.dataset.value === now); item.setAttribute("aria-selected", item.dataset.value === now); });
      draw();
      return field(spec, h("div", { class: "list-group", role: "listbox", ...is("list_box", spec) }, items));
    },
  },
  part: (spec) => part(kit, spec),
};
export const show = (screen) => showPage(screen, kit);
