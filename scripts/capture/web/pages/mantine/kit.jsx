// Mantine.
import "@mantine/core/styles.css";
import "@mantine/dates/styles.css";
import { Accordion, Button, CheckIcon, Checkbox, ColorSwatch, Group, MantineProvider, Radio, RangeSlider, Rating, SegmentedControl, Slider, Switch, Tabs, createTheme, NavLink, ActionIcon } from "@mantine/core";
import { DatePicker } from "@mantine/dates";
import { dark, expose, field, is, row, show as showPage, shownValue } from "../shared/base.js";
import { host, Month, Range, useValue } from "../shared/react.jsx";
import { part } from "../shared/widgets.js";

const theme = createTheme({ fontFamily: "Inter", primaryColor: "teal", respectReducedMotion: true });
const put = host((inner) => <MantineProvider theme={theme} forceColorScheme={dark ? "dark" : "light"} env="test">{inner}</MantineProvider>);
function Track({ spec, type, tell }) {
  const [value, set] = useValue(spec.n, spec.v);
  tell(value);
  return <div {...is(type, spec, { part: "[role=slider]", core: "[role=slider]" })} style={{ padding: "4px 0" }}><Slider min={spec.min ?? 0} max={spec.max ?? 100} step={spec.step || 10} value={value} onChange={set} label={null} /></div>;
}
const track = (type) => (spec) => { const [shown, tell] = shownValue(spec); return field(spec, put(<Track spec={spec} type={type} tell={tell} />), shown); };
function Turn({ spec }) { const [on, set] = useValue(spec.n, !!spec.v); return <div {...is("switch", spec, { core: ".mantine-Switch-track" })} style={{ width: "fit-content" }}><Switch checked={on} onChange={(e) => set(e.currentTarget.checked)} label={spec.n} withThumbIndicator={false} /></div>; }
function Check({ spec }) { const [on, set] = useValue(spec.n, !!spec.v); return <div {...is("check_box", spec, { core: "input" })} style={{ width: "fit-content" }}><Checkbox checked={on} onChange={(e) => set(e.currentTarget.checked)} label={spec.n} /></div>; }
function Choice({ spec }) {
  const [value, set] = useValue(spec.n, spec.v);
  return <div {...is("radio_group", spec, { items: ".mantine-Radio-root" })}><Radio.Group value={value} onChange={set}><div style={{ display: "flex", flexDirection: "column", gap: 8, alignItems: "start" }}>{spec.options.map((o) => <Radio key={o} value={o} label={o} data-value={o} wrapperProps={{ "data-value": o }} />)}</div></Radio.Group></div>;
}
function Segments({ spec }) { const [value, set] = useValue(spec.n, spec.v); return <div {...is("segmented_control", spec, { items: "label" })} style={{ width: "max-content" }}><SegmentedControl data={spec.options} value={value} onChange={set} transitionDuration={0} /></div>; }
function TabRow({ spec }) {
  const [value, set] = useValue(spec.n, spec.v);
  return <Tabs value={value} onChange={set}><Tabs.List {...is("tabs", spec)}>{spec.options.map((o) => <Tabs.Tab key={o} value={o} data-value={o}>{o}</Tabs.Tab>)}</Tabs.List><div style={{ height: 40, padding: "8px 4px", boxSizing: "border-box" }}>{spec.texts[spec.options.indexOf(value)]}</div></Tabs>;
}
function Stars({ spec }) { const [value, set] = useValue(spec.n, spec.v); return <div {...is("rating", spec, { items: ".mantine-Rating-label", skip: "[data-value='0']", numeric: "" })} ref={(n) => n && [...n.querySelectorAll(".mantine-Rating-label")].forEach((l) => { const input = n.querySelector(`#${CSS.escape(l.htmlFor)}`); if (input) l.dataset.value = input.value; })}><Rating value={value} onChange={set} size="md" /></div>; }
function Fold({ spec }) { const [open, set] = useValue(spec.n, !!spec.v); return <Accordion variant="contained" value={open ? "a" : null} onChange={(v) => set(v === "a")} transitionDuration={0}><Accordion.Item value="a"><Accordion.Control {...is("accordion", spec)}>{spec.n}</Accordion.Control><Accordion.Panel>{spec.text}</Accordion.Panel></Accordion.Item></Accordion>; }
function Count({ spec }) {
  const [value, set] = useValue(spec.n, spec.v), step = spec.step || 1, min = spec.min ?? 0, max = spec.max ?? 9;
  return <div {...is("stepper", spec, { min, max, step, core: "[data-shown]" })} style={{ display: "inline-flex", alignItems: "center" }}><ActionIcon variant="default" size="lg" aria-label={`Fewer ${spec.n}`} disabled={value <= min} onClick={() => set(value - step)}>−</ActionIcon><span data-shown="" style={{ width: 44, textAlign: "center" }}>{value}</span><ActionIcon variant="default" size="lg" aria-label={`More ${spec.n}`} disabled={value >= max} onClick={() => set(value + step)}>+</ActionIcon></div>;
}
const month = (spec) => <Month spec={spec} days="td button" told={{ items: "td button:not([data-outside])", on: "[data-selected]" }} style={{ width: "max-content" }} draw={(value, set) =>
  <DatePicker value={new Date(2026, 11, Number(value))} defaultDate={new Date(2026, 11, 1)} onChange={(v) => v && set(String(new Date(v).getDate()))} hideOutsideDates size="sm" />} />;
const range = (spec, tell) => <Range spec={spec} tell={tell} style={{ padding: "4px 0" }} draw={(told) => <RangeSlider {...told} minRange={told.step} label={null} />} />;
function Rows({ spec }) {
  const [value, set] = useValue(spec.n, spec.v);
  return <div role="listbox" {...is("list_box", spec)}>{spec.items.map((o) => <NavLink key={o} component="button" role="option" label={o} data-value={o} active={o === value} aria-selected={o === value} onClick={() => set(o)} />)}</div>;
}
function Paint({ spec }) {
  const [value, set] = useValue(spec.n, spec.v);
  return <Group gap="xs" role="radiogroup" {...is("colour_picker", spec, { items: "button" })}>{Object.entries(spec.colours).map(([name, colour]) =>
    <ColorSwatch key={name} component="button" role="radio" data-value={name} aria-label={name} aria-checked={name === value} color={colour} style={{ color: "#fff" }} onClick={() => set(name)}>{name === value && <CheckIcon size={12} />}</ColorSwatch>)}</Group>;
}
window.slow = true;
const kit = {
  look: (isDark) => ({ back: isDark ? "#1a1b1e" : "#f8f9fa", card: isDark ? "#25262b" : "#ffffff", text: isDark ? "#c1c2c5" : "#212529", muted: isDark ? "#909296" : "#868e96", line: isDark ? "#3a3b40" : "#dee2e6", soft: isDark ? "#2c2e33" : "#f1f3f5", accent: isDark ? "#20c997" : "#099268", "on-accent": "#ffffff", bar: isDark ? "#141517" : "#ffffff", "bar-text": isDark ? "#e9ecef" : "#212529", round: "10px", shadow: "0 1px 3px rgba(0,0,0,.1)", font: "Inter" }),
  link: (name) => put(<Button variant="subtle" size="compact-sm">{name}</Button>),
  parts: {
    slider: track("slider"), seek_bar: track("seek_bar"), switch: (s) => put(<Turn spec={s} />), check_box: (s) => put(<Check spec={s} />), radio_group: (s) => field(s, put(<Choice spec={s} />)),
    segmented_control: (s) => field(s, put(<Segments spec={s} />)), tabs: (s) => put(<TabRow spec={s} />), rating: (s) => row(s, put(<Stars spec={s} />)), accordion: (s) => put(<Fold spec={s} />), stepper: (s) => row(s, put(<Count spec={s} />)),
    date_picker: (s) => field(s, put(month(s))), list_box: (s) => field(s, put(<Rows spec={s} />)), colour_picker: (s) => field(s, put(<Paint spec={s} />)),
    range_selection: (s) => { const [shown, tell] = shownValue({ tell: (v) => v.map((n) => `${n}${s.unit || ""}`).join(" – ") }); return field(s, put(range(s, tell)), shown); },
  },
  part: (spec) => part(kit, spec),
};
export const show = (screen) => showPage(screen, kit);
