// Norrhaven - Wayfare
export default { brand: "Wayfare", nav: ["Search"], cards: [
  { items: [{ t: "zoom_and_pan", n: "Map", wide: 304, high: 250, levels: [100, 150, 200, 300], v: 150 }] },
  { title: "Route", items: [{ t: "segmented_control", n: "Travel", options: ["Walk", "Cycle", "Bus"], v: "Walk" }, { t: "tabs", n: "Show", options: ["Steps", "Times"], v: "Steps", texts: ["Left at the mill, then along the shore.", "24 minutes, 1.8 km."] }, { t: "slider", n: "Pace", v: 4, min: 2, max: 8, step: 1, unit: " km/h" }, { t: "check_box", n: "Avoid stairs", v: true }] },
] };
