// Kitchen - Nook
export default { brand: "Kitchen", nav: ["Rooms"], cards: [
  { title: "Lamps", items: [{ t: "slider", n: "Worktop", v: 60, unit: " %" }, { t: "slider", n: "Table", v: 30, unit: " %" }, { t: "switch", n: "Extractor fan", v: true }] },
  { title: "Oven", items: [{ t: "segmented_control", n: "Mode", options: ["Bake", "Grill", "Fan"], v: "Fan" }, { t: "knob", n: "Heat", v: 180, min: 100, max: 250, step: 15, size: 84 }, { t: "stepper", n: "Timer in minutes", v: 20, min: 0, max: 40, step: 5 }] },
  { title: "Power", items: [{ t: "chart_point", n: "Limit", kind: "bar", labels: ["6h", "12h", "18h", "24h"], values: [40, 60, 80, 30], points: [0, 2], wide: 300, high: 150 }] },
] };
