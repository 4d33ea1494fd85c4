// Ionic in its two looks; VARIANT is ios or md.
import "@ionic/core/css/core.css";
import "@ionic/core/css/palettes/dark.class.css";
import { initialize } from "@ionic/core/components";
import { defineCustomElement as app } from "@ionic/core/components/ion-app.js";
import { defineCustomElement as range } from "@ionic/core/components/ion-range.js";
import { defineCustomElement as toggle } from "@ionic/core/components/ion-toggle.js";
import { defineCustomElement as checkbox } from "@ionic/core/components/ion-checkbox.js";
import { defineCustomElement as radio } from "@ionic/core/components/ion-radio.js";
import { defineCustomElement as radioGroup } from "@ionic/core/components/ion-radio-group.js";
import { defineCustomElement as segment } from "@ionic/core/components/ion-segment.js";
import { defineCustomElement as segmentButton } from "@ionic/core/components/ion-segment-button.js";
import { defineCustomElement as accordion } from "@ionic/core/components/ion-accordion.js";
import { defineCustomElement as accordionGroup } from "@ionic/core/components/ion-accordion-group.js";
import { defineCustomElement as item } from "@ionic/core/components/ion-item.js";
import { defineCustomElement as label } from "@ionic/core/components/ion-label.js";
import { defineCustomElement as button } from "@ionic/core/components/ion-button.js";
import { defineCustomElement as datetime } from "@ionic/core/components/ion-datetime.js";
import { defineCustomElement as chip } from "@ionic/core/components/ion-chip.js";
import { dark, expose, field, h, is, row, show as showPage, shownValue, slug } from "../shared/base.js";
import { buttons, markThumb, part } from "../shared/widgets.js";

initialize({ mode: VARIANT, animated: false, rippleEffect: false, _forceStatusbarPadding: false });
document.documentElement.setAttribute("mode", VARIANT);
document.documentElement.classList.add(VARIANT);
document.documentElement.classList.toggle("ion-palette-dark", dark);
[app, range, toggle, checkbox, radio, radioGroup, segment, segmentButton, accordion, accordionGroup, item, label, button, datetime, chip].forEach((define) => define());
const isIos = VARIANT === "ios";
const track = (type) => (spec) => {
  const [shown, tell] = shownValue(spec);
  const bar = h("ion-range", { min: spec.min ?? 0, max: spec.max ?? 100, step: spec.step || 10, value: spec.v, snaps: true, ticks: false, "aria-label": spec.n, style: { padding: "0 6px" }, ...is(type, spec, { part: "[role=slider]", core: ".range-knob" }) });
  bar.addEventListener("ionInput", () => tell(bar.value));
  tell(spec.v);
  expose(spec.n, () => Number(bar.value));
  return field(spec, bar, shown);
};
const turn = (type) => (spec) => {
  const node = h(type === "switch" ? "ion-toggle" : "ion-checkbox", { checked: !!spec.v, justify: "space-between", style: { width: "100%", minHeight: "38px" }, ...is(type, spec, { part: type === "switch" ? "ion-toggle" : "ion-checkbox", core: type === "switch" ? ".toggle-icon" : ".checkbox-icon" }) }, spec.n);
  expose(spec.n, () => node.checked);
  return node;
};
const kit = {
  phone: true,
  wait: 700,
  look: (isDark) => ({ back: isDark ? (isIos ? "#000000" : "#121212") : isIos ? "#f2f2f7" : "#ffffff", card: isDark ? (isIos ? "#1c1c1e" : "#1e1e1e") : "#ffffff", text: isDark ? "#ffffff" : "#000000", muted: isDark ? "#98989f" : "#6d6d72", line: isDark ? "#38383a" : isIos ? "#e5e5ea" : "#dedede", soft: isDark ? "#2c2c2e" : "#f4f5f8", accent: isDark ? "#4d8dff" : "#0054e9", "on-accent": "#ffffff", bar: isDark ? "#1f1f1f" : isIos ? "#f7f7f7" : "#0054e9", "bar-text": isDark || !isIos ? "#ffffff" : "#000000", round: isIos ? "12px" : "4px", shadow: isIos ? "none" : "0 1px 4px rgba(0,0,0,.18)", font: isIos ? "Inter" : "Noto Sans" }),
  link: (name) => h("ion-button", { fill: "clear", size: "small", color: isIos || dark ? "primary" : "light" }, name),
  parts: {
    slider: track("slider"), seek_bar: track("seek_bar"), switch: turn("switch"), check_box: turn("check_box"),
    radio_group: (spec) => {
      const node = h("ion-radio-group", { value: spec.v, ...is("radio_group", spec, { items: "ion-radio" }) }, spec.options.map((o) => h("ion-radio", { value: o, "data-value": o, justify: "space-between", style: { display: "block", width: "100%", minHeight: "34px" } }, o)));
      expose(spec.n, () => node.value);
      return field(spec, node);
    },
    segmented_control: (spec) => {
      const node = h("ion-segment", { value: spec.v, scrollable: false, style: { width: "100%", "--background": "" }, ...is("segmented_control", spec, { items: "ion-segment-button" }) }, spec.options.map((o) => h("ion-segment-button", { value: o, "data-value": o, style: { "--padding-start": "2px", "--padding-end": "2px" } }, h("ion-label", { style: { margin: "0" } }, o))));
      expose(spec.n, () => node.value);
      return field(spec, node);
    },
    tabs: (spec) => {
      const text = h("div", { style: { height: "34px", padding: "8px 4px" } });
      const node = h("ion-segment", { value: spec.v, ...is("tabs", spec, { items: "ion-segment-button" }) }, spec.options.map((o) => h("ion-segment-button", { value: o, "data-value": o, layout: "label-hide" }, h("ion-label", { style: { display: "block" } }, o))));
      const tell = () => { text.textContent = spec.texts[spec.options.indexOf(node.value)]; };
      node.addEventListener("ionChange", tell);
      setTimeout(tell);
      expose(spec.n, () => node.value);
      return h("div", {}, node, text);
    },
    accordion: (spec) => {
      const head = h("ion-item", { slot: "header", lines: "none", button: false, ...is("accordion", spec) }, h("ion-label", {}, spec.n));
      const group = h("ion-accordion-group", {}, h("ion-accordion", { value: "a" }, head, h("div", { slot: "content", style: { padding: "8px 16px" } }, spec.text)));
      expose(spec.n, () => group.value === "a");
      if (spec.v) group.value = "a";
      return group;
    },
    date_picker: (spec) => {
      const node = h("ion-datetime", { presentation: "date", value: `2026-12-${String(spec.v).padStart(2, "0")}`, locale: "en-GB", "first-day-of-week": 1, size: "cover", style: { "--background": "transparent" }, ...is("date_picker", spec, { items: ".calendar-month:nth-child(2) button.calendar-day[data-day]:not([disabled]):not(.calendar-day-adjacent-day)", on: ".calendar-day-active" }) });
      expose(spec.n, () => String(Number(String(node.value).slice(8, 10))));
      setTimeout(() => { for (const day of node.shadowRoot.querySelectorAll("button.calendar-day[data-day]")) day.dataset.value = day.dataset.day; }, 500);
      return field(spec, node);
    },
    time_picker: (spec) => field(spec, buttons("time_picker", spec, spec.options, "slots", "radio", (o) => h("ion-button", { size: "small", fill: o === spec.v ? "solid" : "outline", "data-slot": "" }, o))),
    range_selection: (spec) => {
      const [shown, tell] = shownValue({ tell: (v) => `${v.lower}${spec.unit || ""} – ${v.upper}${spec.unit || ""}` });
      const bar = h("ion-range", { "dual-knobs": true, min: spec.min ?? 0, max: spec.max ?? 100, step: spec.step || 10, snaps: true, ticks: false, ".value": { lower: spec.v[0], upper: spec.v[1] }, "aria-label": spec.n, style: { padding: "0 10px" } });
      bar.addEventListener("ionInput", () => tell(bar.value));
      tell(bar.value);
      setTimeout(() => [...bar.shadowRoot.querySelectorAll("[role=slider]")].forEach((knob, n) => markThumb(knob, spec, n, () => (n ? bar.value.upper : bar.value.lower))), 500);
      return field(spec, bar, shown);
    },
  },
  part: (spec) => part(kit, spec),
};
delete kit.parts.time_picker;
export const show = (screen) => showPage(screen, kit);
