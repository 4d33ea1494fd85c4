// Edit picture - Plumbline
export default { brand: "Plumbline", nav: ["Open", "Share", "Undo"], columns: "1.15fr 1fr 1fr", rows: "1fr 1fr", cards: [
  { title: "Crop", items: [{ t: "crop_handle", n: "Crop", wide: 360, high: 216, step: 24 }] },
  { title: "Adjust", items: [{ t: "slider", n: "Exposure", v: 0, min: -5, max: 5, step: 1 }, { t: "slider", n: "Contrast", v: 20 }, { t: "slider", n: "Saturation", v: 50 }, { t: "switch", n: "Black and white" }, { t: "check_box", n: "Show the histogram", v: true }] },
  { title: "Paint", items: [{ t: "colour_picker", n: "Brush colour", v: "Red", colours: { Red: "#d63031", Orange: "#e17055", Yellow: "#fdcb6e", Green: "#00b894", Blue: "#0984e3", Violet: "#6c5ce7", Black: "#2d3436" } }, { t: "knob", n: "Brush size", v: 30, size: 80, cursor: 20, thick: 0.3 }] },
  { title: "View", items: [{ t: "zoom_and_pan", n: "Navigator", wide: 360, high: 170, levels: [50, 100, 150, 200, 300], v: 100 }] },
  { title: "Layers", items: [{ t: "reorder", n: "Layers", items: ["Text", "Frame", "Photo", "Paper"] }, { t: "segmented_control", n: "Blend", options: ["Normal", "Multiply", "Screen"], v: "Normal" }] },
  { title: "Panels", items: [{ t: "splitter", n: "Panel width", wide: 348, left: "Tools", right: "Canvas", v: 0.4, step: 29 }, { t: "stepper", n: "Grid lines", v: 3, min: 1, max: 9 }, { t: "accordion", n: "Picture details", text: "4,032 × 3,024, taken at Norrhaven." }] },
] };
