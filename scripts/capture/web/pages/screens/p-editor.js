// Edit picture - Plumbline
export default { brand: "Plumbline", nav: ["Save"], cards: [
  { items: [{ t: "crop_handle", n: "Crop", wide: 300, high: 180, step: 20 }] },
  { title: "Light", items: [{ t: "slider", n: "Exposure", v: 0, min: -5, max: 5, step: 1 }, { t: "slider", n: "Shadows", v: 30 }] },
  { title: "Frame", items: [{ t: "colour_picker", n: "Frame colour", v: "White", colours: { White: "#ffffff", Cream: "#f1e7d0", Grey: "#8d99ae", Black: "#1d1d1f", Red: "#c1121f" } }, { t: "stepper", n: "Frame width", v: 2, max: 6 }, { t: "switch", n: "Round corners" }] },
] };
