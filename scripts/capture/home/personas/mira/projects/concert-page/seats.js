const rows = 14;
const seatsPerRow = 20;
const taken = new Set(["3-4", "3-5", "5-10", "5-11", "5-12", "8-1", "8-2", "12-19"]);

const table = document.getElementById("seats");
const output = document.getElementById("chosen");
const chosen = new Set();

function name(row, seat) {
  return `row ${row}, seat ${seat}`;
}

function toggle(button, row, seat) {
  const key = `${row}-${seat}`;
  if (chosen.has(key)) {
    chosen.delete(key);
  } else {
    chosen.add(key);
  }
  button.classList.toggle("mine", chosen.has(key));
  output.textContent = [...chosen].map((k) => name(...k.split("-"))).join("; ") || "none";
}

for (let row = 1; row <= rows; row += 1) {
  const line = table.insertRow();
  for (let seat = 1; seat <= seatsPerRow; seat += 1) {
    const button = document.createElement("button");
    button.ariaLabel = name(row, seat);
    button.disabled = taken.has(`${row}-${seat}`);
    button.addEventListener("click", () => toggle(button, row, seat));
    line.insertCell().append(button);
  }
}
