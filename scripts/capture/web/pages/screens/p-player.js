// Low Water - Overtone
export default { brand: "Overtone", nav: ["Library"], cards: [
  { title: "Low Water", items: [{ t: "seek_bar", n: "Position", v: 75, max: 210, step: 15, unit: " s" }, { t: "slider", n: "Volume", v: 50, unit: " %" }, { t: "rating", n: "Rating", v: 3 }, { t: "segmented_control", n: "Speed", options: ["0.8×", "1×", "1.5×", "2×"], v: "1×" }] },
  { title: "Queue", items: [{ t: "reorder", n: "Queue", items: ["Lantern", "Gull Song", "Paper Boats", "Ebb"] }, { t: "switch", n: "Keep playing", v: true }, { t: "accordion", n: "Lyrics", text: "No words, only waves." }] },
] };
