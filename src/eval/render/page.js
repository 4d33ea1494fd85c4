"use strict";
// Filters of the gallery: a card is shown while it has the chosen value of every filter.
const filters = [...document.querySelectorAll(".filters select")];
const cards = [...document.querySelectorAll(".failure")];
const shown = document.querySelector("#shown");
const apply = () => {
  let count = 0;
  for (const card of cards) {
    card.hidden = !filters.every((f) => f.value === "" || card.dataset[f.name] === f.value);
    count += card.hidden ? 0 : 1;
  }
  if (shown) shown.textContent = `${count} of ${cards.length} shown`;
};
for (const filter of filters) filter.addEventListener("change", apply);
apply();
