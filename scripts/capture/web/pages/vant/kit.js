// Vant, with Vue.
import "@vant/touch-emulator";
import "vant/lib/index.css";
import { createApp, h as v, nextTick, ref } from "vue/dist/vue.esm-bundler.js";
import { Button, Calendar, Checkbox, Collapse, CollapseItem, ConfigProvider, Locale, Radio, RadioGroup, Rate, Slider, Stepper, Switch, Tab, Tabs } from "vant";
import enUS from "vant/es/locale/lang/en-US.mjs";
import { dark, expose, field, h, is, row, show as showPage, shownValue } from "../shared/base.js";
import { markThumb, part } from "../shared/widgets.js";

Locale.use("en-US", enUS);
document.documentElement.classList.toggle("van-theme-dark", dark);
/** A component in an element of its own: `draw` gets the value and what sets it. */
const put = (spec, told, draw, first = spec.v) => {
  const node = h("div", told), value = ref(first);
  createApp({ setup: () => () => v(ConfigProvider, { theme: dark ? "dark" : "light" }, () => draw(value)) }).mount(node);
  return [node, value];
};
const model = (value, more = {}) => ({ modelValue: value.value, "onUpdate:modelValue": (next) => { value.value = next; }, ...more });
const track = (type) => (spec) => {
  const [shown, tell] = shownValue(spec);
  const [node, value] = put(spec, { style: { padding: "10px 12px" }, ...is(type, spec, { part: "[role=slider]", core: ".van-slider__button", box: ".van-slider" }) }, (now) => { tell(now.value); return v(Slider, model(now, { min: spec.min ?? 0, max: spec.max ?? 100, step: spec.step || 10, barHeight: 6 })); });
  expose(spec.n, () => value.value);
  return field(spec, node, shown);
};
const kit = {
  phone: true,
  wait: 400,
  look: (isDark) => ({ back: isDark ? "#000000" : "#f7f8fa", card: isDark ? "#1c1c1e" : "#ffffff", text: isDark ? "#f5f5f5" : "#323233", muted: isDark ? "#9a9a9e" : "#969799", line: isDark ? "#3a3a3c" : "#ebedf0", soft: isDark ? "#2c2c2e" : "#f2f3f5", accent: "#1989fa", "on-accent": "#ffffff", bar: isDark ? "#1c1c1e" : "#ffffff", "bar-text": isDark ? "#f5f5f5" : "#323233", round: "8px", shadow: "none", font: "Noto Sans" }),
  link: (name) => put({}, {}, () => v(Button, { size: "small", plain: true, type: "primary" }, () => name))[0],
  parts: {
    slider: track("slider"), seek_bar: track("seek_bar"),
    switch: (spec) => { const [node, value] = put(spec, is("switch", spec, { part: "[role=switch]", box: "[role=switch]" }), (now) => v(Switch, model(now, { size: "24px" })), !!spec.v); expose(spec.n, () => value.value); node.style.lineHeight = 0; return row(spec, node); },
    check_box: (spec) => { const [node, value] = put(spec, { style: { width: "fit-content" }, ...is("check_box", spec, { part: "[role=checkbox]", box: "[role=checkbox]", core: ".van-checkbox__icon" }) }, (now) => v(Checkbox, model(now, { shape: "square" }), () => spec.n), !!spec.v); expose(spec.n, () => value.value); return h("div", { class: "line" }, node); },
    radio_group: (spec) => { const [node, value] = put(spec, is("radio_group", spec, { items: "[role=radio]" }), (now) => v(RadioGroup, model(now), () => spec.options.map((o) => v(Radio, { name: o, "data-value": o, style: "margin:4px 0" }, () => o)))); expose(spec.n, () => value.value); return field(spec, node); },
    segmented_control: (spec) => { const [node, value] = put(spec, is("segmented_control", spec, { items: "[role=tab]" }), (now) => v(Tabs, { type: "card", active: now.value, "onUpdate:active": (next) => { now.value = next; } }, () => spec.options.map((o) => v(Tab, { name: o, title: o })))); expose(spec.n, () => value.value); return field(spec, node); },
    tabs: (spec) => { const [node, value] = put(spec, { style: { height: "86px" }, ...is("tabs", spec, { box: ".van-tabs__wrap" }) }, (now) => v(Tabs, { active: now.value, duration: 0, "onUpdate:active": (next) => { now.value = next; } }, () => spec.options.map((o, n) => v(Tab, { name: o, title: o }, () => v("div", { style: "padding:10px 4px" }, spec.texts[n]))))); expose(spec.n, () => value.value); return node; },
    rating: (spec) => { const [node, value] = put(spec, { style: { lineHeight: 0 }, ...is("rating", spec, { items: ".van-rate__item", numeric: "" }) }, (now) => v(Rate, model(now, { size: 24 }))); expose(spec.n, () => value.value); nextTick(() => [...node.querySelectorAll(".van-rate__item")].forEach((star, n) => { star.dataset.value = n + 1; })); return row(spec, node); },
    accordion: (spec) => {
      const [node, value] = put(spec, {}, (now) => v(Collapse, { modelValue: now.value, "onUpdate:modelValue": (next) => { now.value = next; } }, () => v(CollapseItem, { title: spec.n, name: "a" }, () => spec.text)), spec.v ? ["a"] : []);
      expose(spec.n, () => value.value.length > 0);
      nextTick(() => { for (const [key, told] of Object.entries(is("accordion", spec))) node.querySelector(".van-collapse-item__title").setAttribute(key, told); });
      return node;
    },
    stepper: (spec) => { const [node, value] = put(spec, is("stepper", spec, { min: spec.min ?? 0, max: spec.max ?? 9, step: spec.step || 1, items: "button", core: "input", box: ".van-stepper" }), (now) => v(Stepper, model(now, { min: spec.min ?? 0, max: spec.max ?? 9, step: spec.step || 1, longPress: false, disableInput: true, buttonSize: 30 }))); expose(spec.n, () => Number(value.value)); return row(spec, node); },
    date_picker: (spec) => {
      const [node, value] = put(spec, { style: { height: "400px" }, ...is("date_picker", spec, { items: "[role=gridcell]:not(.van-calendar__day--disabled)" }) }, (now) => v(Calendar, { poppable: false, showConfirm: false, showTitle: false, rowHeight: 48, firstDayOfWeek: 1, minDate: new Date(2026, 11, 1), maxDate: new Date(2026, 11, 31), defaultDate: new Date(2026, 11, Number(now.value)), style: "height:400px", onSelect: (date) => { now.value = String(date.getDate()); } }), String(spec.v));
      expose(spec.n, () => value.value);
      const mark = () => [...node.querySelectorAll("[role=gridcell]")].forEach((cell) => { const day = parseInt(cell.textContent, 10); if (day) cell.dataset.value = day; });
      setTimeout(mark, 200);
      new MutationObserver(mark).observe(node, { childList: true, subtree: true });
      return field(spec, node);
    },
    range_selection: (spec) => {
      const [shown, tell] = shownValue({ tell: (now) => now.map((n) => `${n}${spec.unit || ""}`).join(" – ") });
      const [node, value] = put(spec, { style: { padding: "10px 14px" } }, (now) => { tell(now.value); return v(Slider, model(now, { range: true, min: spec.min ?? 0, max: spec.max ?? 100, step: spec.step || 10, barHeight: 6 })); });
      nextTick(() => [...node.querySelectorAll("[role=slider]")].forEach((thumb, n) => markThumb(thumb, spec, n, () => value.value[n])));
      return field(spec, node, shown);
    },
  },
  part: (spec) => part(kit, spec),
};
export const show = (screen) => showPage(screen, kit);
