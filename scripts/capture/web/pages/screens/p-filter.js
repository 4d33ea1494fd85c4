// Filter - Cairn
export default { brand: "Filter", nav: ["Reset"], cards: [
  { title: "Boots", items: [{ t: "range_selection", n: "Price", v: [60, 160], min: 40, max: 240, step: 20, unit: " €" }, { t: "colour_picker", n: "Colour", v: "Moss", colours: { Bark: "#7b5138", Moss: "#5d7042", Slate: "#56636e", Sand: "#c9ad7f", Night: "#22262b", Rust: "#b5532a" } }, { t: "rating", n: "At least", v: 4 }] },
  { items: [{ t: "list_box", n: "Size", items: ["38", "39", "40", "41"], v: "40" }, { t: "check_box", n: "In stock", v: true }, { t: "check_box", n: "Waterproof" }, { t: "radio_group", n: "Sort by", options: ["Newest", "Price"], v: "Price" }] },
] };
