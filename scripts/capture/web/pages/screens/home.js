// Living room - Hearth
export default { brand: "Hearth", nav: ["Rooms", "Devices", "Energy"], rows: "1.2fr 1fr", cards: [
  { title: "Lights", items: [{ t: "slider", n: "Ceiling lamp", v: 40, unit: " %" }, { t: "slider", n: "Reading corner", v: 70, unit: " %" }, { t: "slider", n: "Warmth", v: 3000, min: 2200, max: 5200, step: 200, unit: " K" }, { t: "switch", n: "Night light", v: true }, { t: "switch", n: "Follow the sun" }] },
  { title: "Climate", items: [{ t: "knob", n: "Target temperature", v: 20, min: 15, max: 25, step: 1 }, { t: "segmented_control", n: "Heating", options: ["Off", "Eco", "Comfort"], v: "Eco" }, { t: "stepper", n: "Hours away", v: 2, max: 8 }, { t: "radio_group", n: "Blinds", options: ["Open", "Half open", "Closed"], v: "Open" }] },
  { title: "Scenes", items: [{ t: "list_box", n: "Scene", items: ["Breakfast", "Film night", "Reading", "Guests", "Away"], v: "Reading" }, { t: "check_box", n: "Announce changes", v: true }, { t: "seek_bar", n: "Bedtime story", v: 4, max: 20, step: 2, unit: " min" }] },
  { title: "This week", items: [{ t: "chart_point", n: "Heating plan", kind: "line", labels: ["Mon", "Tue", "Wed", "Thu", "Fri"], values: [30, 60, 50, 70, 40], points: [1, 3], wide: 340, high: 170 }] },
  { title: "House", items: [{ t: "tree_node", n: "Floors", items: [["Ground floor", ["Kitchen", "Study"]], ["Upper floor", ["Bedroom", "Bath"]]], open: "Ground floor", high: 220 }] },
  { title: "Routine", items: [{ t: "reorder", n: "Evening routine", items: ["Lock doors", "Dim lamps", "Close blinds", "Set alarm"] }, { t: "accordion", n: "Battery report", text: "All sensors are above 60 %." }] },
] };
