// Material UI.
import { createTheme, ThemeProvider } from "@mui/material/styles";
import { Accordion, AccordionDetails, AccordionSummary, Button, Checkbox, FormControlLabel, IconButton, List, ListItemButton, ListItemText,
  Radio, RadioGroup, Rating, Slider, Switch, Tab, Tabs, ToggleButton, ToggleButtonGroup } from "@mui/material";
import { DateCalendar, LocalizationProvider } from "@mui/x-date-pickers";
import { AdapterDayjs } from "@mui/x-date-pickers/AdapterDayjs";
import { SimpleTreeView, TreeItem } from "@mui/x-tree-view";
import dayjs from "dayjs";
import { dark, expose, field, is, row, show as showPage, shownValue } from "../shared/base.js";
import { host, useValue } from "../shared/react.jsx";
import { markThumb, part } from "../shared/widgets.js";

const theme = createTheme({
  palette: { mode: dark ? "dark" : "light", primary: { main: dark ? "#90caf9" : "#1565c0" } },
  typography: { fontFamily: "Inter" },
  components: { MuiButtonBase: { defaultProps: { disableRipple: true } } },
});
const put = host((inner) => <ThemeProvider theme={theme}><LocalizationProvider dateAdapter={AdapterDayjs}>{inner}</LocalizationProvider></ThemeProvider>);

function Track({ spec, type, tell }) {
  const [value, set] = useValue(spec.n, spec.v);
  tell(value);
  return <Slider {...is(type, spec, { part: "input", core: ".MuiSlider-thumb" })} size={spec.size || "small"} min={spec.min ?? 0} max={spec.max ?? 100} step={spec.step || 10}
    value={value} onChange={(_, v) => set(v)} aria-label={spec.n} track={spec.track} />;
}
const track = (type) => (spec) => { const [shown, tell] = shownValue(spec); return field(spec, put(<Track spec={spec} type={type} tell={tell} />, { style: { padding: "0 8px" } }), shown); };

function Turn({ spec, type }) {
  const [on, set] = useValue(spec.n, !!spec.v), Part = type === "switch" ? Switch : Checkbox;
  return <FormControlLabel {...is(type, spec, { core: type === "switch" ? ".MuiSwitch-root" : ".MuiCheckbox-root" })} label={spec.n} sx={{ m: 0, width: "fit-content" }}
    control={<Part size="small" checked={on} onChange={(e) => set(e.target.checked)} />} />;
}
function Choice({ spec }) {
  const [value, set] = useValue(spec.n, spec.v);
  return <RadioGroup row={spec.row} {...is("radio_group", spec, { items: "label" })} value={value} onChange={(e) => set(e.target.value)}>
    {spec.options.map((o) => <FormControlLabel key={o} value={o} data-value={o} label={o} control={<Radio size="small" sx={{ p: 0.6 }} />} sx={{ width: "fit-content", ml: 0 }} />)}</RadioGroup>;
}
function Segments({ spec }) {
  const [value, set] = useValue(spec.n, spec.v);
  return <ToggleButtonGroup {...is("segmented_control", spec, { items: "button" })} exclusive size="small" sx={{ width: "fit-content" }} value={value} onChange={(_, v) => v && set(v)}>
    {spec.options.map((o) => <ToggleButton key={o} value={o} data-value={o}>{o}</ToggleButton>)}</ToggleButtonGroup>;
}
function TabRow({ spec }) {
  const [value, set] = useValue(spec.n, spec.v);
  return <><Tabs {...is("tabs", spec)} value={value} onChange={(_, v) => set(v)} variant="scrollable" scrollButtons={false}>
    {spec.options.map((o) => <Tab key={o} value={o} label={o} data-value={o} />)}</Tabs><div style={{ height: 40, padding: "8px 4px", boxSizing: "border-box" }}>{spec.texts[spec.options.indexOf(value)]}</div></>;
}
function Stars({ spec }) {
  const [value, set] = useValue(spec.n, spec.v);
  return <Rating {...is("rating", spec, { items: "label", skip: ":last-of-type", numeric: "" })} value={value} onChange={(_, v) => set(v ?? 0)} getLabelText={(v) => String(v)} />;
}
function Fold({ spec }) {
  const [open, set] = useValue(spec.n, !!spec.v);
  return <Accordion expanded={open} onChange={(_, v) => set(v)} disableGutters variant="outlined" slotProps={{ transition: { timeout: 0 } }}>
    <AccordionSummary {...is("accordion", spec)} expandIcon={<span aria-hidden="true">▾</span>}>{spec.n}</AccordionSummary><AccordionDetails sx={{ pt: 0 }}>{spec.text}</AccordionDetails></Accordion>;
}
function Count({ spec }) {
  const [value, set] = useValue(spec.n, spec.v), step = spec.step || 1, min = spec.min ?? 0, max = spec.max ?? 9;
  return <div {...is("stepper", spec, { min, max, step, core: "[data-shown]" })} style={{ display: "inline-flex", alignItems: "center" }}>
    <IconButton size="small" aria-label={`Fewer ${spec.n}`} disabled={value <= min} onClick={() => set(value - step)}>−</IconButton><span data-shown="" style={{ width: 40, textAlign: "center" }}>{value}</span>
    <IconButton size="small" aria-label={`More ${spec.n}`} disabled={value >= max} onClick={() => set(value + step)}>+</IconButton></div>;
}
function Month({ spec }) {
  const [value, set] = useValue(spec.n, String(spec.v));
  return <div {...is("date_picker", spec, { items: "button.MuiPickersDay-root" })} style={{ width: 320 }}>
    <DateCalendar value={dayjs(`2026-12-${value.padStart(2, "0")}`)} onChange={(v) => set(String(v.date()))} reduceAnimations disableHighlightToday sx={{ height: 300 }} /></div>;
}
function Rows({ spec }) {
  const [value, set] = useValue(spec.n, spec.v);
  return <List role="listbox" {...is("list_box", spec)} dense sx={{ p: 0 }}>
    {spec.items.map((o) => <ListItemButton key={o} role="option" data-value={o} selected={o === value} aria-selected={o === value} onClick={() => set(o)}><ListItemText primary={o} /></ListItemButton>)}</List>;
}
function Range({ spec, tell }) {
  const [value, set] = useValue(spec.n, spec.v);
  tell(value);
  expose(`${spec.n} from`, () => value[0]);
  expose(`${spec.n} to`, () => value[1]);
  return <Slider size="small" min={spec.min ?? 0} max={spec.max ?? 100} step={spec.step || 10} value={value} onChange={(_, v) => set(v)} getAriaLabel={(n) => `${spec.n} ${n ? "to" : "from"}`} disableSwap
    ref={(node) => node && [...node.querySelectorAll(".MuiSlider-thumb")].forEach((thumb, n) => { const read = window.values[`${is("", { n: spec.n + (n ? " to" : " from") })["data-id"]}`]; markThumb(thumb, spec, n, read); })} />;
}
function Branches({ spec }) {
  const [open, set] = useValue(spec.n, [spec.open].filter(Boolean));
  const make = ([name, children]) => { expose(name, () => open.includes(name)); return <TreeItem key={name} itemId={name} label={children ? <span {...is("tree_node", { n: name })}>{name}</span> : name}>{children?.map((c) => make(typeof c === "string" ? [c] : c))}</TreeItem>; };
  return <SimpleTreeView expandedItems={open} onExpandedItemsChange={(_, v) => set(v)} sx={{ height: spec.high || 190 }}>{spec.items.map(make)}</SimpleTreeView>;
}

const kit = {
  look: (isDark) => ({ back: isDark ? "#121212" : "#f4f6f8", card: isDark ? "#1e1e1e" : "#ffffff", text: isDark ? "#ffffff" : "#212121", muted: isDark ? "#b0b0b0" : "#666666", line: isDark ? "#3a3a3a" : "#dcdcdc", soft: isDark ? "#2a2a2a" : "#f0f2f5", accent: isDark ? "#90caf9" : "#1565c0", "on-accent": isDark ? "#0b1a28" : "#ffffff", bar: isDark ? "#272727" : "#1565c0", "bar-text": "#ffffff", round: "4px", shadow: "none", font: "Inter" }),
  link: (name) => put(<Button color="inherit" size="small" sx={{ color: "#fff" }}>{name}</Button>),
  parts: {
    slider: track("slider"), seek_bar: track("seek_bar"),
    switch: (s) => put(<Turn spec={s} type="switch" />), check_box: (s) => put(<Turn spec={s} type="check_box" />),
    radio_group: (s) => field(s, put(<Choice spec={s} />)), segmented_control: (s) => field(s, put(<Segments spec={s} />)), tabs: (s) => put(<TabRow spec={s} />),
    rating: (s) => row(s, put(<Stars spec={s} />)), accordion: (s) => put(<Fold spec={s} />), stepper: (s) => row(s, put(<Count spec={s} />)),
    date_picker: (s) => field(s, put(<Month spec={s} />)), list_box: (s) => field(s, put(<Rows spec={s} />)),
    range_selection: (s) => { const [shown, tell] = shownValue({ tell: (v) => v.map((n) => `${n}${s.unit || ""}`).join(" – ") }); return field(s, put(<Range spec={s} tell={tell} />, { style: { padding: "0 8px" } }), shown); },
    tree_node: (s) => field(s, put(<Branches spec={s} />)),
  },
  part: (spec) => part(kit, spec),
};
export const show = (screen) => showPage(screen, kit);
