// This week - Stride
export default { brand: "Stride", nav: ["Friends"], cards: [
  { title: "Goals", items: [{ t: "chart_point", n: "Goal", kind: "line", labels: ["Mon", "Tue", "Wed", "Thu", "Fri"], values: [50, 70, 40, 60, 80], points: [1, 3], wide: 304, high: 170 }] },
  { title: "Training", items: [{ t: "knob", n: "Effort", v: 5, min: 0, max: 10, step: 1, size: 84, thick: 0.2 }, { t: "stepper", n: "Sessions", v: 3, min: 0, max: 7 }, { t: "tabs", n: "Plan", options: ["Run", "Swim", "Rest"], v: "Run", texts: ["Five easy kilometres.", "Twenty lengths.", "Stretch for ten minutes."] }, { t: "rating", n: "How was it", v: 4 }] },
  { items: [{ t: "accordion", n: "Advice", text: "Drink more water." }] },
] };
