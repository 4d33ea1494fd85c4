// Plan a trip - Wayfare
export default { brand: "Wayfare", nav: ["Trips", "Maps", "Album"], columns: "1.1fr 1fr 1fr", rows: "1.3fr 1fr", cards: [
  { title: "Leaving", items: [{ t: "date_picker", n: "Departure in December", v: 12 }] },
  { title: "Crossing", items: [{ t: "segmented_control", n: "Travel by", options: ["Ferry", "Train", "Car"], v: "Ferry" }, { t: "stepper", n: "Travellers", v: 2, min: 1, max: 6 }, { t: "seek_bar", n: "Film of the route", v: 40, max: 120, step: 10, unit: " s" }, { t: "slider", n: "Longest walk", v: 6, max: 20, step: 2, unit: " km" }, { t: "switch", n: "Bring bicycles", v: true }, { t: "check_box", n: "Insure the luggage" }] },
  { title: "Ferry", items: [{ t: "time_picker", n: "Boat at", options: ["06:30", "08:00", "09:30", "11:00", "13:00", "15:30", "18:00", "20:30"], v: "11:00" }, { t: "radio_group", n: "Seat", options: ["Deck", "Saloon", "Cabin"], v: "Saloon" }] },
  { title: "Album", items: [{ t: "crop_handle", n: "Cover", wide: 320, high: 190, step: 20, edges: { w: "left", n: "top" } }] },
  { title: "Plan", items: [{ t: "splitter", n: "Map and plan", wide: 330, high: 90, left: "Map", right: "Day one", v: 0.5, step: 30 }, { t: "tabs", n: "Days", options: ["One", "Two", "Three"], v: "One", texts: ["Harbour and old town.", "Over the ridge to Larch.", "Home by train."] }] },
  { title: "Packing", items: [{ t: "reorder", n: "Packing list", items: ["Boots", "Maps", "Tent", "Stove"] }, { t: "accordion", n: "Tickets", text: "Two, paid at the pier." }] },
] };
