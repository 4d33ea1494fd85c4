// Radix: its themed components.
import "@radix-ui/themes/styles.css";
import { Button, Checkbox, IconButton, RadioGroup, SegmentedControl, Slider, Switch, Tabs, Text, Theme } from "@radix-ui/themes";
import { dark, field, is, row, show as showPage, shownValue } from "../shared/base.js";
import { host, useValue } from "../shared/react.jsx";
import { part } from "../shared/widgets.js";

const put = host((inner) => <Theme appearance={dark ? "dark" : "light"} accentColor="iris" hasBackground={false} style={{ minHeight: 0, "--default-font-family": "Inter" }}>{inner}</Theme>);
function Track({ spec, type, tell }) {
  const [value, set] = useValue(spec.n, spec.v);
  tell(value);
  return <div {...is(type, spec, { part: "[role=slider]", core: "[role=slider]" })} style={{ padding: "6px 0" }}><Slider min={spec.min ?? 0} max={spec.max ?? 100} step={spec.step || 10} value={[value]} onValueChange={(v) => set(v[0])} /></div>;
}
const track = (type) => (spec) => { const [shown, tell] = shownValue(spec); return field(spec, put(<Track spec={spec} type={type} tell={tell} />), shown); };
function Turn({ spec }) { const [on, set] = useValue(spec.n, !!spec.v); return <Switch {...is("switch", spec)} checked={on} onCheckedChange={set} />; }
function Check({ spec }) { const [on, set] = useValue(spec.n, !!spec.v); return <Text as="label" size="2" {...is("check_box", spec, { core: "button" })} style={{ display: "inline-flex", gap: 8, alignItems: "center" }}><Checkbox checked={on} onCheckedChange={(v) => set(!!v)} />{spec.n}</Text>; }
function Choice({ spec }) { const [value, set] = useValue(spec.n, spec.v); return <div {...is("radio_group", spec, { items: "label" })}><RadioGroup.Root value={value} onValueChange={set}>{spec.options.map((o) => <RadioGroup.Item key={o} value={o}>{o}</RadioGroup.Item>)}</RadioGroup.Root></div>; }
function Segments({ spec }) { const [value, set] = useValue(spec.n, spec.v); return <SegmentedControl.Root {...is("segmented_control", spec, { items: "[role=radio]" })} value={value} onValueChange={set}>{spec.options.map((o) => <SegmentedControl.Item key={o} value={o} data-value={o}>{o}</SegmentedControl.Item>)}</SegmentedControl.Root>; }
function TabRow({ spec }) { const [value, set] = useValue(spec.n, spec.v); return <Tabs.Root value={value} onValueChange={set}><Tabs.List {...is("tabs", spec)}>{spec.options.map((o) => <Tabs.Trigger key={o} value={o} data-value={o}>{o}</Tabs.Trigger>)}</Tabs.List><div style={{ height: 40, padding: "8px 4px", boxSizing: "border-box" }}>{spec.texts[spec.options.indexOf(value)]}</div></Tabs.Root>; }
function Count({ spec }) {
  const [value, set] = useValue(spec.n, spec.v), step = spec.step || 1, min = spec.min ?? 0, max = spec.max ?? 9;
  return <div {...is("stepper", spec, { min, max, step, core: "[data-shown]" })} style={{ display: "inline-flex", alignItems: "center" }}><IconButton variant="soft" aria-label={`Fewer ${spec.n}`} disabled={value <= min} onClick={() => set(value - step)}>−</IconButton><Text data-shown="" style={{ width: 44, textAlign: "center" }}>{value}</Text><IconButton variant="soft" aria-label={`More ${spec.n}`} disabled={value >= max} onClick={() => set(value + step)}>+</IconButton></div>;
}
const kit = {
  look: (isDark) => ({ back: isDark ? "#111113" : "#fcfcfd", card: isDark ? "#18191b" : "#ffffff", text: isDark ? "#edeef0" : "#1c2024", muted: isDark ? "#b0b4ba" : "#60646c", line: isDark ? "#363a3f" : "#d9d9e0", soft: isDark ? "#212225" : "#f0f0f3", accent: "#5b5bd6", "on-accent": "#ffffff", bar: isDark ? "#18191b" : "#f0f1fe", "bar-text": isDark ? "#edeef0" : "#272962", round: "12px", shadow: "none", font: "Inter" }),
  link: (name) => put(<Button variant="soft" size="1">{name}</Button>),
  parts: {
    slider: track("slider"), seek_bar: track("seek_bar"), switch: (s) => row(s, put(<Turn spec={s} />)), check_box: (s) => put(<Check spec={s} />), radio_group: (s) => field(s, put(<Choice spec={s} />)),
    segmented_control: (s) => field(s, put(<Segments spec={s} />)), tabs: (s) => put(<TabRow spec={s} />), stepper: (s) => row(s, put(<Count spec={s} />)),
  },
  part: (spec) => part(kit, spec),
};
export const show = (screen) => showPage(screen, kit);
