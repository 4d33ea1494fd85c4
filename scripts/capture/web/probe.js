// Reads a page: its controls with their values, and its elements as an accessibility tree tells them.
// Runs in the page before any of its own scripts. Boxes are layout pixels here; the tool makes device pixels of them.
(() => {
  const style = "*,*::before,*::after{transition:none!important;animation-duration:0s!important;animation-delay:0s!important;" +
    "caret-color:transparent!important;scroll-behavior:auto!important}" +
    "ion-ripple-effect,md-ripple,.ripple,.MuiTouchRipple-root{display:none!important}";
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (options) {
    const root = attach.call(this, { ...options, mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    let own = [];
    try {
      root.adoptedStyleSheets = [sheet];
    } catch (_) {
      own = [];
    }
    const late = document.createElement("style");
    late.textContent = style;
    queueMicrotask(() => { if (!root.querySelector("style[data-still]")) { late.dataset.still = ""; root.append(late); } });
    return root;
  };
  addEventListener("DOMContentLoaded", () => {
    const sheet = document.createElement("style");
    sheet.textContent = style;
    document.head.append(sheet);
  });
  // The fixed clock: pages are drawn at 10:20 on 23 November 2026.
  const start = Date.UTC(2026, 10, 23, 10, 20), RealDate = Date;
  window.Date = class extends RealDate {
    constructor(...args) { if (args.length) super(...args); else super(start); }
    static now() { return start; }
  };
  let seed = 7;
  Math.random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  window.values = {};
  window.onerror = (message) => { (window.faults ||= []).push(String(message)); };

  const childrenOf = (node) => {
    if (node.shadowRoot) return [...node.shadowRoot.children];
    if (node.localName === "slot") { const given = node.assignedElements({ flatten: true }); return given.length ? given : [...node.children]; }
    return [...node.children];
  };
  const textOf = (node) => {
    if (node.nodeType === 3) return node.data;
    if (node.nodeType !== 1 || node.localName === "style" || node.localName === "script") return "";
    if (node.localName === "slot") { const given = node.assignedNodes({ flatten: true }); return (given.length ? given : [...node.childNodes]).map(textOf).join(""); }
    return [...(node.shadowRoot || node).childNodes].map(textOf).join(/^(div|p|li|tr|td|label)$/.test(node.localName) ? " " : "");
  };
  const clean = (text) => (text || "").replace(/\s+/g, " ").trim();
  function* deep(node) { for (const child of childrenOf(node)) { yield child; yield* deep(child); } }
  const find = (root, selector) => { if (root.matches?.(selector)) return root; for (const node of deep(root)) if (node.matches(selector)) return node; return null; };
  const all = (root, selector) => { const out = []; for (const node of deep(root)) if (node.matches(selector)) out.push(node); return out; };

  const viewport = () => ({ x0: 0, y0: 0, x1: innerWidth, y1: innerHeight });
  const meet = (a, b) => ({ x0: Math.max(a.x0, b.x0), y0: Math.max(a.y0, b.y0), x1: Math.min(a.x1, b.x1), y1: Math.min(a.y1, b.y1) });
  const rectOf = (node) => { const r = node.getBoundingClientRect(); return { x0: r.left, y0: r.top, x1: r.right, y1: r.bottom }; };
  const list = (b) => [b.x0, b.y0, b.x1, b.y1];
  const empty = (b) => b.x1 - b.x0 < 2 || b.y1 - b.y0 < 2;

  const isOn = (node, more) => {
    if (more && node.matches(more)) return true;
    if (node.matches("[aria-checked=true],[aria-pressed=true],[aria-selected=true],[aria-expanded=true],[data-state=checked],[data-state=on],[data-state=active],[data-state=open]")) return true;
    if (node.matches("[aria-current]:not([aria-current=false])")) return true;
    return node.checked === true || node.open === true || node.selected === true || node.expanded === true;
  };
  const PARTS = {
    switch: "[role=switch],input[type=checkbox],sl-switch,ion-toggle,fluent-switch,cds-toggle,.switch",
    check_box: "[role=checkbox],input[type=checkbox],sl-checkbox,ion-checkbox,fluent-checkbox,cds-checkbox",
    toggle_button: "[aria-pressed],button",
    accordion: "[aria-expanded],summary,details",
    tree_node: "[aria-expanded]",
  };
  const ITEMS = {
    radio_group: "[role=radio],input[type=radio],sl-radio,ion-radio,fluent-radio,cds-radio-button",
    tabs: "[role=tab]",
    segmented_control: "[role=radio],[role=tab],[aria-pressed],input[type=radio],ion-segment-button",
    list_box: "[role=option]",
    rating: "[role=radio],input[type=radio]",
    colour_picker: "[role=radio],[role=option],[data-colour]",
    date_picker: "[role=gridcell] button,[role=gridcell],td",
    time_picker: "[role=option],li",
    chart_point: "[data-point]",
    table_column: "[role=columnheader],th",
    stepper: "button",
    zoom_and_pan: "button,a",
  };
  const number = (text) => { const value = parseFloat(text); return Number.isFinite(value) ? value : null; };

  // Whether all of a box shows: no ancestor cuts it.
  const whole = (node) => {
    const box = rectOf(node);
    let clip = viewport();
    for (let at = node.assignedSlot || node.parentElement || node.getRootNode().host; at; at = at.assignedSlot || at.parentElement || at.getRootNode().host) {
      const style = getComputedStyle(at);
      if (at !== document.body && at !== document.documentElement && /(hidden|auto|scroll|clip)/.test(style.overflowX + style.overflowY)) clip = meet(clip, rectOf(at));
    }
    const seen = meet(box, clip);
    return !empty(box) && seen.x0 <= box.x0 + 1 && seen.y0 <= box.y0 + 1 && seen.x1 >= box.x1 - 1 && seen.y1 >= box.y1 - 1;
  };
  function annotated() {
    const out = [];
    for (const node of deep(document.body)) if (node.dataset?.control) out.push(node);
    return out;
  }
  const nameOf = (node) => clean(node.dataset.name || node.getAttribute("aria-label") || textOf(node));

  const nodes = new Map();
  const idOf = (node) => node.dataset.id || `${node.dataset.control}-${nameOf(node)}`.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/-+$/, "");
  // One control: what it is, which value it has, which box is its core, and the places that set it.
  function controlOf(node) {
    const d = node.dataset, type = d.control, id = idOf(node);
    const out = { id, type, name: nameOf(node), manner: d.manner || mannerOf(type), axis: d.axis || "x", node };
    const known = window.values[id];
    if (["toggle"].includes(out.manner)) {
      const part = (d.part && find(node, d.part)) || find(node, PARTS[type] || "[aria-pressed]") || node;
      out.part = part;
      out.value = known ? known() : isOn(part, d.on);
      out.core = d.core ? find(node, d.core) : part;
    } else if (["pick", "cycle"].includes(out.manner)) {
      out.items = all(node, d.items || ITEMS[type]).filter((item) => !d.skip || !item.matches(d.skip));
      out.items = out.items.map((item) => ({ node: item, value: itemValue(item, d, out.items), on: isOn(item, d.on) }));
      out.items = out.items.filter((item) => item.value !== "");
      const on = out.items.filter((item) => item.on);
      out.value = known ? known() : on.length ? on[on.length - 1].value : "";
      const core = out.items.find((item) => item.value === out.value);
      out.core = d.core ? find(node, d.core) : core ? core.node : null;
    } else if (["track", "dial"].includes(out.manner)) {
      const part = (d.part && find(node, d.part)) || find(node, "[role=slider],input[type=range],[aria-valuenow]") || node;
      const own = d.read ? find(node, d.read) : part;
      out.value = known ? known() : number(own.getAttribute?.("aria-valuenow") ?? own.value ?? node.value);
      out.core = d.core ? find(node, d.core) : part;
      if (out.core?.matches?.("input[type=range]")) out.coreBox = thumbOf(out.core, number(d.thumb) || 16);
      for (const key of ["min", "max", "step"]) {
        const told = d[key] ?? own.getAttribute?.(`aria-value${key}`) ?? own[key] ?? node[key];
        if (told !== undefined && told !== null && told !== "") out[key] = number(told);
      }
    } else if (out.manner === "step") {
      const input = find(node, "input,[role=spinbutton],[aria-valuenow]");
      out.value = known ? known() : number(input?.getAttribute("aria-valuenow") ?? input?.value ?? find(node, "[data-value]")?.dataset.value);
      for (const key of ["min", "max", "step"]) out[key] = number(d[key]);
      const buttons = all(node, d.items || "button");
      const [less, more] = d.order === "up-down" ? [buttons[1], buttons[0]] : buttons;
      out.items = [{ node: less, value: -1 }, { node: more, value: 1 }];
      out.core = (d.core && find(node, d.core)) || input || node;
    } else if (out.manner === "order") {
      const items = all(node, d.items || "[data-item]");
      items.sort((a, b) => { const p = rectOf(a), q = rectOf(b); return p.y0 + 3 < q.y0 || (Math.abs(p.y0 - q.y0) <= 3 && p.x0 < q.x0) ? -1 : 1; });
      out.items = items.map((item) => ({ node: item, value: item.dataset.item || clean(textOf(item)) }));
      out.value = out.items.map((item) => item.value);
    }
    if (out.value === undefined) out.value = null;
    return out;
  }
  const itemValue = (item, d, _) => {
    let told = item.dataset.value ?? item.dataset.colour;
    if (told === undefined && d.values) told = item.getAttribute(d.values) ?? item[d.values];
    if (told === undefined || told === null) told = item.getAttribute("aria-label") || clean(textOf(item)) || clean(item.title) || (typeof item.value === "string" ? item.value : "");
    if (told === "" && item.labels?.length) told = clean(textOf(item.labels[0]));
    return d.numeric !== undefined ? number(told) ?? "" : String(told);
  };
  const thumbOf = (input, wide) => {
    const box = rectOf(input), min = number(input.min) ?? 0, max = number(input.max) ?? 100;
    const share = (input.valueAsNumber - min) / (max - min);
    const style = getComputedStyle(input), x = box.x0 + parseFloat(style.paddingLeft) + share * (box.x1 - box.x0 - wide - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight));
    const middle = (box.y0 + box.y1) / 2;
    return { x0: x, y0: middle - wide / 2, x1: x + wide, y1: middle + wide / 2 };
  };
  const mannerOf = (type) => ({
    slider: "track", knob: "track", stepper: "step", seek_bar: "track", chart_point: "track", switch: "toggle", check_box: "toggle",
    toggle_button: "toggle", radio_group: "pick", tabs: "pick", segmented_control: "pick", accordion: "toggle", rating: "pick",
    colour_picker: "pick", date_picker: "pick", time_picker: "pick", list_box: "pick", reorder: "order", zoom_and_pan: "step",
    table_column: "order", splitter: "track", crop_handle: "track", tree_node: "toggle", range_selection: "track", combo_box: "pick",
  })[type];

  // What is visible where a hidden input stands for a drawn control.
  const drawn = (node) => {
    let at = node;
    for (let up = 0; up < 3 && at && (empty(rectOf(at)) || getComputedStyle(at).opacity === "0"); up++) at = at.parentElement || at.getRootNode().host;
    return at || node;
  };

  const ROLES = {
    button: "push button", link: "link", checkbox: "check box", radio: "radio button", switch: "switch", slider: "slider", tab: "page tab",
    tablist: "page tab list", textbox: "entry", searchbox: "entry", spinbutton: "spin button", combobox: "combo box", ComboBoxSelect: "combo box",
    listbox: "list", option: "list item", list: "list", listitem: "list item", img: "image", image: "image", heading: "heading", menuitem: "menu item",
    menuitemradio: "radio menu item", menuitemcheckbox: "check menu item", menu: "menu", menubar: "menu bar", progressbar: "progress bar", meter: "level bar",
    table: "table", grid: "table", treegrid: "table", row: "table row", cell: "table cell", gridcell: "table cell", columnheader: "column header",
    rowheader: "row header", tree: "tree", treeitem: "tree item", toolbar: "tool bar", separator: "separator", dialog: "dialog", status: "status bar",
    tooltip: "tool tip", navigation: "panel", main: "panel", region: "panel", group: "panel", radiogroup: "panel", banner: "panel", form: "panel",
    complementary: "panel", contentinfo: "panel", tabpanel: "panel", article: "panel", Canvas: "canvas", canvas: "canvas", paragraph: "label", LabelText: "label",
  };
  const ACTIVE = new Set(["push button", "link", "check box", "radio button", "switch", "slider", "page tab", "entry", "spin button", "combo box", "toggle button", "menu item", "tree item", "list item", "column header", "table cell", "radio menu item"]);
  const BOXES = {
    slider: "slider", knob: "slider", seek_bar: "slider", chart_point: "slider", range_selection: "slider", splitter: "split pane", crop_handle: "slider",
    stepper: "panel", switch: "switch", check_box: "check box", toggle_button: "toggle button", radio_group: "panel", tabs: "page tab list",
    segmented_control: "panel", accordion: "toggle button", rating: "panel", colour_picker: "color chooser", date_picker: "calendar", time_picker: "list",
    list_box: "list", reorder: "list", zoom_and_pan: "canvas", table_column: "table", tree_node: "tree item", combo_box: "combo box",
  };
  const ITEM_ROLES = {
    radio_group: "radio button", tabs: "page tab", segmented_control: "toggle button", rating: "radio button", colour_picker: "radio button",
    date_picker: "table cell", time_picker: "list item", list_box: "list item", reorder: "list item", table_column: "column header", stepper: "push button",
    zoom_and_pan: "push button", chart_point: "icon", combo_box: "list item",
  };
  // The name that an accessibility tree would tell: of the attributes, the label, the text.
  const accessible = (node) => {
    const by = node.getAttribute("aria-labelledby")?.split(/\s+/).map((id) => node.getRootNode().getElementById?.(id)).filter(Boolean);
    return node.getAttribute("aria-label") || (by?.length ? by.map(textOf).join(" ") : "") || (node.labels?.length ? textOf(node.labels[0]) : "") ||
      node.getAttribute("alt") || node.getAttribute("placeholder") || (roleOf(node) === "tree item" ? rowText(node) : NAMED_BY_TEXT.has(roleOf(node)) ? textOf(node) : "") || node.title || "";
  };
  const NAMED_BY_TEXT = new Set(["push button", "toggle button", "link", "check box", "radio button", "switch", "page tab", "heading", "list item", "menu item", "tree item", "column header", "row header", "table cell"]);
  const ids = new WeakMap();
  let last = 0;
  const uid = (node) => { if (!ids.has(node)) ids.set(node, ++last); return ids.get(node); };

  const roleOf = (node) => {
    const told = node.getAttribute("role");
    if (told && ROLES[told]) return told === "button" && node.hasAttribute("aria-pressed") ? "toggle button" : ROLES[told];
    const tag = node.localName;
    if (tag === "button") return node.hasAttribute("aria-pressed") ? "toggle button" : "push button";
    if (tag === "a" && node.hasAttribute("href")) return "link";
    if (tag === "input") return { checkbox: "check box", radio: "radio button", range: "slider", number: "spin button", button: "push button", submit: "push button", hidden: null, color: "push button" }[node.type] ?? (node.type === "hidden" ? null : "entry");
    if (tag === "textarea") return "entry";
    if (tag === "select") return "combo box";
    if (tag === "summary") return "toggle button";
    if (/^h[1-6]$/.test(tag)) return "heading";
    if (tag === "img" || tag === "svg" && node.getAttribute("aria-label")) return "image";
    if (tag === "th") return "column header";
    if (tag === "td") return "table cell";
    if (tag === "table") return "table";
    if (tag === "ul" || tag === "ol") return "list";
    if (tag === "li") return "list item";
    if (tag === "progress") return "progress bar";
    return null;
  };
  // An item of a tree without the items below it: its text, its box.
  const rowText = (node) => {
    if (node.nodeType === 3) return node.data;
    if (node.nodeType !== 1 || node.matches("style,script,[role=group]")) return "";
    const inner = node.localName === "slot" ? node.assignedNodes({ flatten: true }) : [...(node.shadowRoot || node).childNodes];
    return inner.filter((one) => one.nodeType !== 1 || !one.matches("[role=treeitem]")).map(rowText).join("");
  };
  const rowOf = (node) => {
    const box = rectOf(node);
    for (const below of all(node, "[role=treeitem]")) if (below !== node && !empty(rectOf(below))) box.y1 = Math.min(box.y1, rectOf(below).y0);
    return box;
  };
  const ownText = (node) => clean([...node.childNodes].filter((c) => c.nodeType === 3).map((c) => c.data).join(" "));

  function read(withElements) {
    const controls = annotated().map(controlOf);
    const answer = { controls: {}, faults: window.faults || [] };
    const stands = new Map(), hidden = new Set(), kinds = new Map();
    for (const c of controls) {
      const box = c.node.dataset.box ? find(c.node, c.node.dataset.box) : c.node;
      const shown = (node) => list(rectOf(drawn(node)));
      answer.controls[c.id] = {
        id: c.id, type: c.type, name: c.name, manner: c.manner, axis: c.axis, value: c.value, uid: uid(c.node), box: list(rectOf(box)), whole: whole(box) && (c.items || []).every((i) => whole(drawn(i.node))),
        core: c.coreBox ? list(c.coreBox) : c.core ? shown(c.core) : null, min: c.min, max: c.max, step: c.step,
        parts: (c.items || []).map((i) => ({ value: i.value, box: shown(i.node), uid: uid(i.node) })),
        target: shown(c.part || c.node), flags: { ...c.node.dataset },
      };
      stands.set(c.node, c);
      for (const item of c.items || []) kinds.set(item.node, [ITEM_ROLES[c.type], c, item]);
      // A library's own inputs behind the items that it draws.
      if (["pick", "cycle"].includes(c.manner)) for (const node of deep(c.node)) if (node.matches("input[type=radio],input[type=checkbox]") && !kinds.has(node)) hidden.add(node);
      if (["toggle", "track", "dial"].includes(c.manner)) for (const node of deep(c.node)) if (roleOf(node) && !node.dataset.keep) hidden.add(node);
    }
    if (!withElements) return answer;
    const out = [];
    const walk = (node, parent, clip, skip) => {
      if (node.nodeType !== 1 || ["style", "script", "template", "link"].includes(node.localName)) return;
      const style = getComputedStyle(node);
      if (style.display === "none" || style.visibility === "hidden" || node.getAttribute("aria-hidden") === "true" && !stands.has(node) && !find(node, "[data-control]") && !kinds.has(node)) return;
      let here = parent;
      const control = stands.get(node), kind = kinds.get(node);
      let role = control ? node.dataset.role || BOXES[control.type] : kind ? kind[0] : roleOf(node);
      const text = !role && node.childElementCount < 12 ? ownText(node) : "";
      if (!role && text && !skip) role = "label";
      if (hidden.has(node)) role = null;
      if (role && (!skip || control || kind)) {
        const isMark = ["check box", "radio button", "switch"].includes(role);
        const full = !control && role === "tree item" ? rowOf(node) : rectOf(control && node.dataset.box ? find(node, node.dataset.box) : control || kind || isMark ? drawn(node) : node), box = meet(full, clip);
        const name = control ? control.name : kind ? clean(String(kind[2].value === -1 ? node.getAttribute("aria-label") || "Less" : kind[2].value === 1 && ["step"].includes(kind[1].manner) ? node.getAttribute("aria-label") || "More" : kind[2].value)) : clean(role === "label" ? text : accessible(node)).slice(0, 120);
        const active = control ? ["toggle", "track", "dial"].includes(control.manner) : kind ? true : ACTIVE.has(role) && (role !== "list item" && role !== "table cell" && role !== "column header" || node.hasAttribute("tabindex"));
        if (!empty(box) && (name || active || control) && (style.opacity !== "0" || !!control || !!kind || isMark && drawn(node) !== node)) {
          const state = {};
          if (node.disabled === true || node.getAttribute("aria-disabled") === "true") state.enabled = false;
          if (control) {
            if (control.manner === "toggle") state[control.type === "accordion" || control.type === "tree_node" ? "expanded" : control.type === "toggle_button" ? "pressed" : "checked"] = !!control.value;
            if (["track", "step", "dial"].includes(control.manner) && typeof control.value === "number") { state.value = control.value; for (const k of ["min", "max", "step"]) if (typeof control[k] === "number") state[k] = control[k]; }
          } else if (kind) {
            if (kind[1].manner === "pick" && role !== "push button") state[role === "radio button" ? "checked" : role === "toggle button" ? "pressed" : "selected"] = kind[2].value === kind[1].value;
          } else if (role === "entry" || role === "spin button") { state.editable = true; if (node.value) state.text = String(node.value).slice(0, 200); }
          else if (role === "check box" || role === "radio button") state.checked = isOn(node);
          else if (role === "combo box") state.has_popup = true;
          else if (node.getAttribute("aria-expanded")) state.expanded = node.getAttribute("aria-expanded") === "true";
          here = out.length;
          out.push({ uid: uid(node), parent, role, name, bbox: list(box), interactive: active, state, control: control ? control.id : null });
        }
      }
      let inner = clip;
      if (/(hidden|auto|scroll|clip)/.test(style.overflowX + style.overflowY)) inner = meet(clip, rectOf(node));
      const stop = skip || hidden.has(node) || !!kind || ["push button", "link", "heading", "page tab", "label", "radio button", "toggle button", "list item"].includes(role) && !!textOf(node) && !find(node, "[data-control]") && !all(node, "button,a,input").length && role !== "label";
      if (!empty(inner)) for (const child of childrenOf(node)) walk(child, here, inner, stop || (control && ["toggle", "track", "dial"].includes(control.manner) && !node.dataset.open));
    };
    walk(document.body, null, viewport(), false);
    answer.elements = out;
    return answer;
  }
  const frames = (n) => new Promise((done) => { const next = () => (n-- > 0 ? requestAnimationFrame(next) : done()); next(); });
  window.windesk = {
    read, frames,
    async still() { document.activeElement?.blur?.(); let at = document.activeElement; while (at?.shadowRoot?.activeElement) { at.shadowRoot.activeElement.blur(); at = at.shadowRoot; } getSelection()?.removeAllRanges(); await frames(1); return read(true); },
    async value(id) {
      await (window.slow ? frames(1) : 0);
      await new Promise((done) => setTimeout(done, 0));
      let node = nodes.get(id);
      if (!node?.isConnected) { nodes.clear(); for (const one of annotated()) nodes.set(idOf(one), one); node = nodes.get(id); }
      return node ? controlOf(node).value : null;
    },
    async ready() { if (document.fonts) await document.fonts.ready; await frames(3); return !!window.isReady && !window.faults; },
    hits(points) { return points.map(([x, y]) => { let at = document.elementFromPoint(x, y); while (at?.shadowRoot) { const inner = at.shadowRoot.elementFromPoint(x, y); if (!inner || inner === at) break; at = inner; } for (; at; at = at.parentElement || at.getRootNode().host) if (ids.has(at)) return ids.get(at); return 0; }); },
  };
})();
