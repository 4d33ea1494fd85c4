// Ant Design.
import { Calendar, Checkbox, Collapse, ColorPicker, ConfigProvider, InputNumber, Radio, Rate, Segmented, Slider, Switch, Tabs, Tree, Button, theme } from "antd";
import dayjs from "dayjs";
import { dark, expose, field, is, row, show as showPage, shownValue } from "../shared/base.js";
import { host, Month, Range, useValue } from "../shared/react.jsx";
import { part } from "../shared/widgets.js";

const put = host((inner) => <ConfigProvider wave={{ disabled: true }} theme={{ algorithm: dark ? theme.darkAlgorithm : theme.defaultAlgorithm, token: { motion: false, fontFamily: "Inter" } }}>{inner}</ConfigProvider>);
function Track({ spec, type, tell }) {
  const [value, set] = useValue(spec.n, spec.v);
  tell(value);
  return <div {...is(type, spec, { part: "[role=slider]", core: "[role=slider]" })} style={{ padding: "1px 0" }}><Slider min={spec.min ?? 0} max={spec.max ?? 100} step={spec.step || 10} value={value} onChange={set} tooltip={{ open: false }} dots={!!spec.dots} /></div>;
}
const track = (type) => (spec) => { const [shown, tell] = shownValue(spec); return field(spec, put(<Track spec={spec} type={type} tell={tell} />), shown); };
function Turn({ spec }) { const [on, set] = useValue(spec.n, !!spec.v); return <Switch {...is("switch", spec)} checked={on} onChange={set} />; }
function Check({ spec }) { const [on, set] = useValue(spec.n, !!spec.v); return <span {...is("check_box", spec, { core: ".ant-checkbox" })} style={{ display: "inline-block" }}><Checkbox checked={on} onChange={(e) => set(e.target.checked)}>{spec.n}</Checkbox></span>; }
function Choice({ spec }) {
  const [value, set] = useValue(spec.n, spec.v);
  return <div {...is("radio_group", spec, { items: "label" })}><Radio.Group value={value} onChange={(e) => set(e.target.value)} style={{ display: "flex", flexDirection: "column", gap: 6, alignItems: "start" }}>{spec.options.map((o) => <Radio key={o} value={o}>{o}</Radio>)}</Radio.Group></div>;
}
function Segments({ spec }) { const [value, set] = useValue(spec.n, spec.v); return <div {...is("segmented_control", spec, { items: "label" })} style={{ width: "max-content" }}><Segmented options={spec.options} value={value} onChange={set} /></div>; }
function TabRow({ spec }) {
  const [value, set] = useValue(spec.n, spec.v);
  return <div style={{ height: 96 }}><div {...is("tabs", spec, { box: ".ant-tabs-nav", items: "[role=tab]" })}><Tabs animated={false} activeKey={value} onChange={set} items={spec.options.map((o, n) => ({ key: o, label: o, children: spec.texts[n] }))} /></div></div>;
}
function Stars({ spec }) { const [value, set] = useValue(spec.n, spec.v); return <div {...is("rating", spec, { items: "[role=radio]", numeric: "" })} ref={(n) => n && [...n.querySelectorAll("[role=radio]")].forEach((star, k) => { star.dataset.value = k + 1; })}><Rate value={value} onChange={set} allowClear={false} /></div>; }
function Fold({ spec }) { const [open, set] = useValue(spec.n, !!spec.v); return <Collapse size="small" activeKey={open ? ["a"] : []} onChange={(k) => set(k.length > 0)} items={[{ key: "a", label: spec.n, children: spec.text }]} ref={(n) => { const head = n?.querySelector?.(".ant-collapse-header") ?? null; if (head) for (const [k, v] of Object.entries(is("accordion", spec))) head.setAttribute(k, v); }} />; }
const month = (spec) => <Month spec={spec} days=".ant-picker-cell" told={{ items: ".ant-picker-cell-in-view" }} style={{ width: 290 }} draw={(value, set) =>
  <Calendar fullscreen={false} headerRender={() => <b style={{ display: "block", padding: "2px 8px" }}>December 2026</b>} value={dayjs(`2026-12-${value.padStart(2, "0")}`)} onSelect={(v) => set(String(v.date()))} />} />;
const range = (spec, tell) => <Range spec={spec} tell={tell} draw={(told) => <Slider {...told} range={{ draggableTrack: false }} tooltip={{ open: false }} />} />;
function Branches({ spec }) {
  const [open, set] = useValue(spec.n, [spec.open].filter(Boolean));
  const make = ([name, children]) => { if (children) expose(name, () => open.includes(name)); return { key: name, title: name, children: children?.map((c) => make(typeof c === "string" ? [c] : c)) }; };
  const data = spec.items.map(make);
  const mark = (n) => n && setTimeout(() => [...n.querySelectorAll(".ant-tree-treenode:not([aria-hidden=true])")].forEach((line) => { const name = line.querySelector(".ant-tree-title")?.textContent, button = line.querySelector(".ant-tree-switcher:not(.ant-tree-switcher-noop)"); if (button) for (const [k, v] of Object.entries(is("tree_node", { n: name }))) button.setAttribute(k, v); }));
  return <div ref={mark} style={{ height: spec.high || 190 }}><Tree motion={false} treeData={data} expandedKeys={open} onExpand={set} selectable={false} /></div>;
}
const kit = {
  look: (isDark) => ({ back: isDark ? "#000000" : "#f5f5f5", card: isDark ? "#141414" : "#ffffff", text: isDark ? "#dcdcdc" : "#1f1f1f", muted: isDark ? "#8c8c8c" : "#7a7a7a", line: isDark ? "#303030" : "#e4e4e4", soft: isDark ? "#1f1f1f" : "#fafafa", accent: "#1677ff", "on-accent": "#ffffff", bar: isDark ? "#141414" : "#001529", "bar-text": "#ffffff", round: "8px", shadow: "none", font: "Inter" }),
  link: (name) => put(<Button type="text" size="small" style={{ color: "#fff" }}>{name}</Button>),
  parts: {
    slider: track("slider"), seek_bar: track("seek_bar"), switch: (s) => row(s, put(<Turn spec={s} />)), check_box: (s) => put(<Check spec={s} />),
    radio_group: (s) => field(s, put(<Choice spec={s} />)), segmented_control: (s) => field(s, put(<Segments spec={s} />)), tabs: (s) => put(<TabRow spec={s} />),
    rating: (s) => row(s, put(<Stars spec={s} />)), accordion: (s) => put(<Fold spec={s} />), date_picker: (s) => field(s, put(month(s))),
    range_selection: (s) => { const [shown, tell] = shownValue({ tell: (v) => v.map((n) => `${n}${s.unit || ""}`).join(" – ") }); return field(s, put(range(s, tell)), shown); },
    tree_node: (s) => field(s, put(<Branches spec={s} />)),
  },
  part: (spec) => part(kit, spec),
};
export const show = (screen) => showPage(screen, kit);
