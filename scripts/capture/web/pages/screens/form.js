// Plan an event - Gatherly
export default { brand: "Gatherly", nav: ["Events", "People", "Help"], columns: "1.1fr 1fr 1fr", rows: "1.3fr 1fr", cards: [
  { title: "When", items: [{ t: "date_picker", n: "Day in December", v: 9 }] },
  { title: "What", items: [{ t: "radio_group", n: "Kind", options: ["Workshop", "Dinner", "Walk"], v: "Workshop" }, { t: "stepper", n: "Places", v: 12, min: 4, max: 24, step: 4 }, { t: "switch", n: "Public", v: true }, { t: "switch", n: "Waiting list" }, { t: "slider", n: "Fee", v: 15, max: 50, step: 5, unit: " €" }, { t: "rating", n: "Difficulty", v: 2 }] },
  { title: "Start", items: [{ t: "time_picker", n: "Starts at", options: ["09:00", "10:00", "11:00", "13:00", "14:00", "15:00", "17:00", "19:00"], v: "10:00" }, { t: "segmented_control", n: "Language", options: ["English", "French", "Polish"], v: "English" }, { t: "check_box", n: "Record it" }] },
  { title: "Order of the day", items: [{ t: "reorder", n: "Programme", items: ["Welcome", "Talk", "Lunch", "Tour"] }, { t: "accordion", n: "Notes for helpers", text: "Keys are at the desk." }] },
  { title: "Poster", items: [{ t: "crop_handle", n: "Poster", wide: 320, high: 190, step: 20, guides: false }] },
  { title: "Colours", items: [{ t: "colour_picker", n: "Theme colour", v: "Sea", colours: { Sea: "#1a759f", Leaf: "#52b69a", Sun: "#f9c74f", Clay: "#bc6c25", Plum: "#7b2cbf" } }, { t: "knob", n: "Loudness of music", v: 30, size: 86, thick: 0.35 }] },
] };
