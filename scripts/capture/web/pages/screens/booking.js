// Book a room - Larch House
export default { brand: "Larch House", nav: ["Rooms", "Offers", "Contact"], columns: "1fr 1fr 1fr", rows: "1.1fr 1fr", cards: [
  { title: "Your stay", items: [{ t: "date_picker", n: "Arrival in December", v: 14 }] },
  { title: "Guests", items: [{ t: "stepper", n: "Adults", v: 2, min: 1, max: 6 }, { t: "stepper", n: "Children", v: 0, max: 4 }, { t: "stepper", n: "Nights", v: 3, min: 1, max: 10 }, { t: "check_box", n: "Breakfast included", v: true }, { t: "check_box", n: "We bring a dog" }, { t: "segmented_control", n: "Beds", options: ["Double", "Twin", "Bunk"], v: "Double" }] },
  { title: "Arrival time", items: [{ t: "time_picker", n: "Check-in", options: ["14:00", "14:30", "15:00", "15:30", "16:00", "16:30", "17:00", "17:30"], v: "15:00" }, { t: "radio_group", n: "Parking", options: ["None", "Garage", "Street permit"], v: "None" }] },
  { title: "Budget", items: [{ t: "range_selection", n: "Price a night", v: [60, 140], min: 40, max: 240, step: 20, unit: " €" }, { t: "slider", n: "Distance to the lake", v: 4, max: 10, step: 1, unit: " km" }, { t: "rating", n: "At least", v: 3 }] },
  { title: "Where", items: [{ t: "zoom_and_pan", n: "Map", wide: 340, high: 180, v: 100 }, { t: "seek_bar", n: "Film of the house", v: 30, max: 120, step: 15, unit: " s" }] },
  { title: "Good to know", items: [{ t: "tabs", n: "Policy", options: ["Cancel", "Payment", "House rules"], v: "Cancel", texts: ["Free until three days before.", "Pay at the desk.", "Quiet after ten."] }, { t: "accordion", n: "How to find us", text: "Bus 4 stops at the gate." }, { t: "switch", n: "Send a reminder", v: true }] },
] };
