// Controls that component libraries lack, each by an npm package made for it, or of plain elements.
import Sortable from "sortablejs";
import Split from "split.js";
import { Chart, BarController, BarElement, CategoryScale, LinearScale, LineController, LineElement, PointElement } from "chart.js";
import dragData from "chartjs-plugin-dragdata";
import Cropper from "cropperjs";
import "cropperjs/dist/cropper.css";
import noUiSlider from "nouislider";
import "nouislider/dist/nouislider.css";
import panzoom from "panzoom";
import flatpickr from "flatpickr";
import "flatpickr/dist/flatpickr.css";
import jQuery from "./jquery.js";
import "jquery-knob";
import { dark, expose, field, h, is, pending, row, shownValue, slug } from "./base.js";

Chart.register(BarController, BarElement, CategoryScale, LinearScale, LineController, LineElement, PointElement, dragData);
Chart.defaults.animation = false;
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** A list whose items are dragged (Sortable). */
export function reorder(spec) {
  const list = h("ul", { class: "pile", ...is("reorder", spec, { axis: "y", drags: spec.drags || "0 2" }) }, spec.items.map((name) => h("li", { "data-item": name, tabindex: 0 }, name)));
  Sortable.create(list, { forceFallback: true, animation: 0, fallbackTolerance: 2 });
  return field(spec, list);
}

/** A table whose columns are dragged (Sortable). */
export function columns(spec) {
  const head = h("tr", {}, spec.items.map((name) => h("th", { "data-item": name, tabindex: 0 }, name)));
  const body = spec.rows.map((cells) => h("tr", {}, cells.map((cell, n) => h("td", { "data-of": spec.items[n] }, cell))));
  const table = h("table", { class: "sheet", ...is("table_column", spec, { axis: "x", drags: spec.drags || "0 1" }) }, h("thead", {}, head), h("tbody", {}, body));
  Sortable.create(head, { forceFallback: true, animation: 0, direction: "horizontal", fallbackTolerance: 2, onEnd: () => {
    const order = [...head.children].map((th) => th.dataset.item);
    for (const line of body) line.append(...order.map((name) => [...line.children].find((td) => td.dataset.of === name)));
  } });
  return field(spec, table);
}

/** Two panes with a gutter between them (Split.js). */
export function splitter(spec) {
  const wide = spec.wide || 360, step = spec.step || 24, start = spec.v || 0.4;
  const panes = [h("div", { class: "pane" }, spec.left || "Folders"), h("div", { class: "pane" }, spec.right || "Messages")];
  const box = h("div", { class: "split", style: { width: `${wide}px`, height: `${spec.high || 84}px` } }, panes);
  setTimeout(() => {
    const inner = wide - 2;
    const first = Math.round(inner * start / step) * step;
    Split(panes, { gutterSize: 10, minSize: step * 3, snapOffset: 0, sizes: [first / inner * 100, 100 - first / inner * 100], dragInterval: step,
      elementStyle: (_, size) => ({ flex: "none", width: `${Math.round((inner - 10) * size / 100)}px` }), gutterStyle: () => ({ width: "10px" }),
      gutter: () => h("div", { class: "gutter", tabindex: 0, ...is("splitter", spec, { dragOnly: "", min: 3, step: 1, beyond: 400 }) }) });
    const gutter = box.querySelector(".gutter");
    expose(spec.n, () => Math.round((gutter.getBoundingClientRect().left - box.getBoundingClientRect().left) / step));
  });
  return field(spec, box);
}

const land = () => {
  const c = dark ? { a: "#24313a", b: "#33523f", c: "#1d4a6b", d: "#8a7a50", e: "#c9c4b4" } : { a: "#f1ece0", b: "#cfe3bd", c: "#9cc7e6", d: "#e0bd6b", e: "#5a5a5a" };
  return `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="240" viewBox="0 0 400 240"><rect width="400" height="240" fill="${c.a}"/><path d="M0 150L90 120L180 170L400 130V240H0z" fill="${c.c}"/><rect x="40" y="20" width="80" height="60" fill="${c.b}"/><rect x="250" y="30" width="110" height="70" fill="${c.b}"/><path d="M0 100H400M200 0V240M130 0V130" stroke="${c.d}" stroke-width="6" fill="none"/><rect x="146" y="40" width="30" height="30" fill="${c.e}"/><rect x="216" y="60" width="22" height="26" fill="${c.e}"/></svg>`;
};

/** A map that two buttons zoom (panzoom). */
export function zoom(spec) {
  const content = h("div", { style: { width: "400px", height: "240px", transformOrigin: "0 0" } });
  content.innerHTML = land();
  const levels = spec.levels || [100, 150, 200, 250], wide = spec.wide || 300, high = spec.high || 150;
  let at = levels.indexOf(spec.v || 100);
  const box = h("div", { class: "map", style: { width: spec.full ? "100%" : `${wide}px`, height: `${high}px`, boxSizing: "border-box" }, ...is("zoom_and_pan", spec, { order: "up-down", core: ".scene", min: levels[0], max: levels[levels.length - 1] }) },
    h("div", { class: "scene", style: { width: "100%", height: "100%" } }, content));
  const pan = panzoom(content, { smoothScroll: false, zoomDoubleClickSpeed: 1, autocenter: false, maxZoom: 8, minZoom: 0.2, beforeMouseDown: () => true, beforeWheel: () => true });
  const turn = (by) => { at = Math.min(levels.length - 1, Math.max(0, at + by)); draw(); };
  const less = h("button", { "aria-label": "Zoom out", onclick: () => turn(-1) }, "−"), more = h("button", { "aria-label": "Zoom in", onclick: () => turn(1) }, "+");
  box.append(h("div", { class: "tools" }, more, less));
  const [shown, tell] = shownValue({ unit: " %" });
  const draw = () => { const s = levels[at] / 100; pan.zoomAbs(0, 0, s); pan.moveTo(wide / 2 - 200 * s, high / 2 - 120 * s); less.disabled = at === 0; more.disabled = at === levels.length - 1; tell(levels[at]); };
  draw();
  expose(spec.n, () => levels[at]);
  return field(spec, box, shown);
}

/** Bars or a line with points that are dragged (Chart.js with chartjs-plugin-dragdata). */
export function chart(spec) {
  const wide = spec.wide || 320, high = spec.high || 150, values = [...spec.values], step = spec.step || 10;
  const canvas = h("canvas", { width: wide, height: high });
  const box = h("div", { class: "plot still", style: { width: `${wide}px`, height: `${high}px` } }, canvas);
  let drawn = null;
  const marks = (spec.points || [1, 3]).map((index) => {
    const name = `${spec.n} ${spec.labels[index]}`;
    const core = h("i", {}), mark = h("div", { class: "point", tabindex: 0, ...is("chart_point", { n: name }, { axis: "y", dragOnly: "", core: "i", min: 0, max: spec.max || 100, step, beyond: 0 }) }, core);
    expose(name, () => values[index]);
    box.append(mark);
    return [index, mark, core];
  });
  const place = () => marks.forEach(([index, mark, core]) => {
    const meta = drawn.getDatasetMeta(0).data[index], area = drawn.chartArea, half = 14;
    Object.assign(mark.style, { left: `${Math.round(meta.x) - half}px`, width: `${2 * half}px`, top: `${Math.floor(area.top)}px`, height: `${Math.ceil(area.bottom - area.top)}px` });
    Object.assign(core.style, { left: `${half - 7}px`, width: "14px", top: `${Math.round(meta.y - area.top) - (spec.kind === "bar" ? 0 : 7)}px`, height: "14px" });
  });
  const start = () => {
    drawn = new Chart(canvas, {
      type: spec.kind || "line",
      data: { labels: spec.labels, datasets: [{ data: values, borderColor: colour("accent"), backgroundColor: colour("accent"), pointRadius: 6, pointHitRadius: 8, borderWidth: 2, pointHoverRadius: 6, pointBackgroundColor: colour("card"), pointHoverBackgroundColor: colour("card"), pointHoverBorderColor: colour("accent"), pointBorderWidth: 2, pointHoverBorderWidth: 2, hoverBackgroundColor: colour("accent") }] },
      options: { responsive: false, devicePixelRatio: window.devicePixelRatio, hover: { mode: null }, events: ["mousemove", "mouseout", "mousedown", "mouseup", "touchstart", "touchmove", "touchend"], layout: { padding: { top: 8 } },
        scales: { y: { min: 0, max: spec.max || 100, ticks: { stepSize: (spec.max || 100) / 4, color: colour("muted") }, grid: { color: colour("line") } }, x: { ticks: { color: colour("muted") }, grid: { display: false } } },
        plugins: { legend: { display: false }, tooltip: { enabled: false }, dragData: { showTooltip: false, round: 0, onDrag: (_, __, index, value) => { values[index] = Math.min(spec.max || 100, Math.max(spec.kind === "bar" ? step : 0, Math.round(value / step) * step)); drawn.data.datasets[0].data[index] = values[index]; },
          onDragEnd: (_, __, index, value) => { values[index] = Math.min(spec.max || 100, Math.max(spec.kind === "bar" ? step : 0, Math.round(value / step) * step)); drawn.data.datasets[0].data[index] = values[index]; drawn.setActiveElements([]); drawn.update("none"); place(); } } } },
    });
    place();
  };
  setTimeout(start);
  return field(spec, box);
}

/** A picture with a crop frame (Cropper.js); edges settle on steps. */
export function crop(spec) {
  const wide = spec.wide || 260, high = spec.high || 160, step = spec.step || 20;
  const image = h("img", { src: "data:image/svg+xml," + encodeURIComponent(land()), style: { maxWidth: "100%", display: "block" } });
  const box = h("div", { style: { width: `${wide}px`, height: `${high}px` } }, image);
  const edges = spec.edges || { e: "right", s: "bottom" }, near = (v) => Math.round(v / step) * step;
  let isDone = null;
  pending.push(new Promise((done) => { isDone = done; }));
  image.addEventListener("ready", () => {
    const cropper = image.cropper;
    cropper.setCropBoxData({ left: near(40), top: near(20), width: step * 7, height: step * 5 });
    for (const [side, name] of Object.entries(edges)) {
      const handle = box.querySelector(`.cropper-point.point-${side}`);
      const across = side === "e" || side === "w", told = `${spec.n} ${name}`;
      for (const [key, value] of Object.entries(is("crop_handle", { n: told }, { axis: across ? "x" : "y", dragOnly: "", step, beyond: 260, min: step }))) handle.setAttribute(key, value);
      // Beyond these the frame would turn over, or stop between two steps: a picture may begin beside its box.
      const frame = box.getBoundingClientRect(), first = cropper.getCropBoxData(), zero = across ? frame.left : frame.top;
      const [low, long] = across ? [first.left, first.width] : [first.top, first.height], isEnd = side === "e" || side === "s";
      handle.setAttribute("data-low", zero + (isEnd ? low + step * 1.5 : step * 0.6));
      handle.setAttribute("data-high", zero + (isEnd ? (across ? wide : high) - step : low + long - step * 1.5));
      expose(told, () => { const at = cropper.getCropBoxData(); return Math.round(across ? (side === "e" ? at.left + at.width : at.left) : side === "s" ? at.top + at.height : at.top); });
    }
    isDone();
  });
  image.addEventListener("cropend", () => {
    const at = image.cropper.getCropBoxData();
    const left = near(at.left), top = near(at.top);
    image.cropper.setCropBoxData({ left, top, width: Math.max(step, near(at.left + at.width) - left), height: Math.max(step, near(at.top + at.height) - top) });
  });
  setTimeout(() => new Cropper(image, { viewMode: 1, autoCrop: true, zoomable: false, movable: false, guides: spec.guides ?? true, center: false, background: false, toggleDragModeOnDblclick: false, minCropBoxWidth: step, minCropBoxHeight: step }));
  return field(spec, box);
}

/** A dial (jQuery Knob). */
export function knob(spec) {
  const input = h("input", { type: "text", value: spec.v, "aria-label": spec.n });
  const box = h("div", { class: "dial still", ...is("knob", spec, { manner: "dial", min: spec.min ?? 0, max: spec.max ?? 100, step: spec.step || 10, core: "canvas" }) }, input);
  expose(spec.n, () => Number(jQuery(input).val()));
  setTimeout(() => {
    jQuery(input).knob({ min: spec.min ?? 0, max: spec.max ?? 100, step: spec.step || 10, width: spec.size || 84, height: spec.size || 84, thickness: spec.thick || 0.28, angleOffset: spec.offset ?? -125, angleArc: spec.arc ?? 250, cursor: spec.cursor || false, lineCap: spec.cap || "butt", fgColor: colour("accent"), bgColor: colour("line"), inputColor: colour("text"), font: "inherit" });
    input.setAttribute("readonly", "");
    input.style.pointerEvents = "none";
  });
  return row(spec, box);
}

/** Two handles on one line (noUiSlider). */
export function range(spec) {
  const bar = h("div", { style: { margin: "6px 12px 4px", width: spec.wide ? `${spec.wide}px` : "auto" } });
  const [shown, tell] = shownValue({ tell: (v) => v.map((n) => `${n}${spec.unit || ""}`).join(" – ") });
  setTimeout(() => {
    noUiSlider.create(bar, { start: spec.v, step: spec.step || 10, connect: true, range: { min: spec.min ?? 0, max: spec.max ?? 100 }, animate: false });
    const now = () => bar.noUiSlider.get(true).map((v) => Math.round(v));
    bar.noUiSlider.on("update", () => tell(now()));
    [...bar.querySelectorAll(".noUi-handle")].forEach((handle, n) => markThumb(handle, spec, n, () => now()[n]));
  });
  return field(spec, bar, shown);
}

/** Says that a handle of a range is a control. */
export function markThumb(handle, spec, n, read) {
  const name = `${spec.n} ${n ? "to" : "from"}`;
  for (const [key, value] of Object.entries(is("range_selection", { n: name }, { axis: spec.axis || "x", dragOnly: "", min: spec.min ?? 0, max: spec.max ?? 100, step: spec.step || 10, beyond: spec.beyond ?? 400}))) handle.setAttribute(key, value);
  expose(name, read);
}

/** A month (flatpickr). */
export function dates(spec) {
  const box = h("div", { class: "still", ...is("date_picker", spec, { items: ".flatpickr-day:not(.prevMonthDay):not(.nextMonthDay)", on: ".selected" }) });
  const input = h("input", { type: "text", style: { display: "none" } });
  box.append(input);
  flatpickr(input, { inline: true, minDate: "2026-12-01", maxDate: "2026-12-31", defaultDate: `2026-12-${String(spec.v).padStart(2, "0")}`, locale: { firstDayOfWeek: 1 }, animate: false, appendTo: box });
  expose(spec.n, () => String(input._flatpickr.selectedDates[0].getDate()));
  for (const day of box.querySelectorAll(".flatpickr-day")) day.dataset.value = day.textContent;
  new MutationObserver(() => { for (const day of box.querySelectorAll(".flatpickr-day:not([data-value])")) day.dataset.value = day.textContent; }).observe(box, { childList: true, subtree: true });
  return field(spec, box);
}

/** One of several plain buttons. */
export function buttons(type, spec, options, cls, role = "radio", make = (o) => h("button", { class: "plain" }, o)) {
  let now = spec.v;
  const parts = options.map((o) => {
    const part = make(o);
    part.setAttribute("role", role);
    part.dataset.value = o;
    part.addEventListener("click", () => { now = o; mark(); });
    return part;
  });
  const mark = () => parts.forEach((part) => { part.setAttribute(role === "radio" ? "aria-checked" : "aria-selected", part.dataset.value === String(now)); });
  mark();
  expose(spec.n, () => String(now));
  return h("div", { class: cls, role: role === "radio" ? "radiogroup" : "listbox", ...is(type, spec, { items: "[data-value]" }) }, parts);
}

export const slots = (spec) => field(spec, buttons("time_picker", spec, spec.options, "slots"));
export const swatches = (spec) => field(spec, buttons("colour_picker", spec, Object.keys(spec.colours), "swatches", "radio", (o) => h("button", { "aria-label": o, style: `--colour:${spec.colours[o]}` })));

/** Stars. */
export function stars(spec) {
  let now = spec.v;
  const parts = [1, 2, 3, 4, 5].map((n) => h("button", { "data-value": n, "aria-label": `${n} stars`, onclick: () => { now = n; mark(); } }, "★"));
  const mark = () => parts.forEach((part, n) => { part.classList.toggle("lit", n < now); part.setAttribute("aria-checked", n + 1 === now); });
  mark();
  expose(spec.n, () => now);
  return row(spec, h("div", { class: "stars", ...is("rating", spec, { items: "button", numeric: "" }) }, parts));
}

/** A list of the browser's own. */
export function list(spec) {
  const select = h("select", { class: "plain", size: spec.items.length, ...is("list_box", spec, { items: "option" }) }, spec.items.map((o) => h("option", { value: o, "data-value": o, ".selected": o === spec.v }, o)));
  expose(spec.n, () => select.value);
  return field(spec, select);
}

/** Branches that unfold. */
export function tree(spec) {
  const make = ([name, children]) => {
    if (!children) return h("li", {}, h("span", {}, name));
    let open = spec.open === name;
    const inner = h("ul", { class: "branch" }, children.map((child) => make(typeof child === "string" ? [child] : child)));
    const button = h("button", { onclick: () => { open = !open; draw(); }, ...is("tree_node", { n: name }) });
    const draw = () => { button.setAttribute("aria-expanded", open); button.textContent = `${open ? "▾" : "▸"} ${name}`; inner.hidden = !open; };
    draw();
    expose(name, () => open);
    return h("li", {}, button, inner);
  };
  return field(spec, h("ul", { class: "branch", role: "tree", style: { height: `${spec.high || 190}px` } }, spec.items.map(make)));
}

/** A part that unfolds: the browser's own. */
export function accordion(spec) {
  const node = h("details", { class: "fold", ".open": !!spec.v }, h("summary", is("accordion", spec), spec.n), h("div", { class: "muted" }, spec.text));
  expose(spec.n, () => node.open);
  return node;
}

/** A number between two buttons. */
export function stepper(spec) {
  let now = spec.v;
  const step = spec.step || 1, min = spec.min ?? 0, max = spec.max ?? 9, shown = h("span", { "data-shown": "" });
  const less = h("button", { "aria-label": `Fewer ${spec.n}`, onclick: () => { now -= step; draw(); } }, "−"), more = h("button", { "aria-label": `More ${spec.n}`, onclick: () => { now += step; draw(); } }, "+");
  const draw = () => { shown.textContent = now; less.disabled = now <= min; more.disabled = now >= max; };
  draw();
  expose(spec.n, () => now);
  return row(spec, h("div", { class: "count", ...is("stepper", spec, { min, max, step, core: "[data-shown]" }) }, less, shown, more));
}

export const common = { reorder, table_column: columns, splitter, zoom_and_pan: zoom, chart_point: chart, crop_handle: crop, knob, range_selection: range, date_picker: dates, time_picker: slots, colour_picker: swatches, rating: stars, list_box: list, tree_node: tree, stepper, accordion };

/** Builds a part with a kit's own component, or the shared one. */
export function part(kit, spec) {
  const make = kit.parts[spec.t] || common[spec.t];
  if (!make) throw new Error(`no part for ${spec.t}`);
  return make(spec);
}
