// Settings - Tidewater
export default { brand: "Settings", nav: ["Done"], cards: [
  { title: "Notices", items: [{ t: "switch", n: "Sounds", v: true }, { t: "switch", n: "Vibration" }, { t: "slider", n: "Loudness", v: 70, unit: " %" }, { t: "range_selection", n: "Quiet hours", v: [8, 20], max: 24, step: 2, unit: " h" }] },
  { title: "Summary", items: [{ t: "time_picker", n: "Daily summary", options: ["07:00", "08:00", "09:00", "12:00", "18:00", "20:00"], v: "08:00" }, { t: "list_box", n: "Language", items: ["English", "French", "Polish"], v: "English" }] },
  { title: "Home screen", items: [{ t: "reorder", n: "Tiles", items: ["Weather", "Tasks", "Photos"], drags: "0 2" }] },
] };
