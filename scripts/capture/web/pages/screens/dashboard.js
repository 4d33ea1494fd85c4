// Sales - Fernway
export default { brand: "Fernway", nav: ["Orders", "Stock", "Reports"], columns: "1.2fr 1.1fr 1fr", rows: "1fr 1fr", cards: [
  { title: "Plan", items: [{ t: "chart_point", n: "Target", kind: "line", labels: ["Jan", "Feb", "Mar", "Apr", "May", "Jun"], values: [20, 50, 30, 60, 70, 90], points: [1, 4], wide: 390, high: 200 }] },
  { title: "Orders", items: [{ t: "table_column", n: "Orders", items: ["Item", "Size", "Date"], rows: [["Fern pot", "M", "20 Nov"], ["Moss tray", "S", "21 Nov"], ["Trellis", "L", "22 Nov"]], drags: "0 1" }, { t: "stepper", n: "Rows a page", v: 10, min: 5, max: 30, step: 5 }, { t: "splitter", n: "List and order", wide: 360, high: 62, left: "Orders", right: "Fern pot, M", v: 0.5, step: 30 }] },
  { title: "Filter", items: [{ t: "range_selection", n: "Order value", v: [20, 80], unit: " €" }, { t: "segmented_control", n: "Period", options: ["Week", "Month", "Year"], v: "Month" }, { t: "check_box", n: "Only open orders" }, { t: "check_box", n: "With returns", v: true }, { t: "switch", n: "Refresh by itself", v: true }] },
  { title: "Budget", items: [{ t: "knob", n: "Advertising", v: 40, size: 90, thick: 0.22, cap: "round" }, { t: "slider", n: "Discount", v: 10, max: 50, step: 5, unit: " %" }] },
  { title: "Regions", items: [{ t: "tree_node", n: "Regions", items: [["North", ["Aldby", "Norrhaven"]], ["South", ["Seahaven", "Larch"]], ["Export"]], high: 220 }] },
  { title: "Report", items: [{ t: "radio_group", n: "Format", options: ["PDF", "Sheet", "Mail"], v: "PDF" }, { t: "list_box", n: "Chart", items: ["Bars", "Lines", "Areas", "Table"], v: "Lines" }] },
] };
