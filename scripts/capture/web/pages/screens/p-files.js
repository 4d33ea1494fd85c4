// Files - Satchel
export default { brand: "Satchel", nav: ["Select"], cards: [
  { title: "Folders", items: [{ t: "tree_node", n: "Folders", items: [["Documents", ["Letters", "Plans"]], ["Pictures", ["Harbour"]]], open: "Documents", high: 180 }] },
  { title: "Recent", items: [{ t: "table_column", n: "Columns", items: ["Name", "Size", "Date"], rows: [["Plan", "2 MB", "20 Nov"], ["Letter", "40 kB", "22 Nov"]], drags: "0 1" }, { t: "splitter", n: "Preview width", wide: 304, high: 70, left: "Files", right: "Preview", v: 0.4, step: 24 }] },
  { items: [{ t: "radio_group", n: "Sort", options: ["Name", "Date"], v: "Name" }, { t: "switch", n: "Show hidden files" }] },
] };
