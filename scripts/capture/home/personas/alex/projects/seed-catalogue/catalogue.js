const seeds = [
  { name: "Broad bean", sow: "Mar", harvest: "Jul", left: 14 },
  { name: "Beetroot", sow: "Apr", harvest: "Aug", left: 32 },
  { name: "Chard", sow: "Apr", harvest: "Oct", left: 9 },
  { name: "Leek", sow: "Mar", harvest: "Nov", left: 21 },
  { name: "Radish", sow: "Mar", harvest: "May", left: 60 },
];

const list = document.getElementById("seeds");
const filter = document.getElementById("filter");

function show() {
  const wanted = filter.value.trim().toLowerCase();
  list.replaceChildren(
    ...seeds
      .filter((seed) => seed.name.toLowerCase().includes(wanted))
      .map((seed) => {
        const item = document.createElement("li");
        item.textContent = `${seed.name}: sow in ${seed.sow}, ${seed.left} packets left`;
        item.classList.toggle("low", seed.left < 10);
        return item;
      }),
  );
}

filter.addEventListener("input", show);
show();
