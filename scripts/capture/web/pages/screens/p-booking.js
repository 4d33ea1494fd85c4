// Table for supper - Larder
export default { brand: "Larder", nav: ["Menu"], cards: [
  { title: "Your table", items: [{ t: "date_picker", n: "Evening in December", v: 17 }] },
  { items: [{ t: "time_picker", n: "Time", options: ["18:00", "18:30", "19:00", "19:30", "20:00", "20:30", "21:00", "21:30"], v: "19:00" }, { t: "stepper", n: "Guests", v: 2, min: 1, max: 8 }, { t: "check_box", n: "By the window", v: true }] },
] };
