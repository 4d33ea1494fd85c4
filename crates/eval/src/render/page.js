"use strict";
// Filters of the gallery: a card is shown while it has the chosen value of every filter. Values that would leave nothing are greyed out.
const cards = [...document.querySelectorAll(".failure")];
const filters = [...document.querySelectorAll(".filters [data-filter]")].map((row) => ({
  name: row.dataset.filter,
  chosen: "",
  buttons: [...row.querySelectorAll("button")],
}));
const fits = (card, except) => filters.every((f) => f === except || f.chosen === "" || card.dataset[f.name] === f.chosen);
const apply = () => {
  let count = 0;
  for (const card of cards) {
    card.hidden = !fits(card, null);
    count += card.hidden ? 0 : 1;
  }
  for (const filter of filters) {
    for (const button of filter.buttons) {
      const value = button.value;
      const left = cards.filter((c) => fits(c, filter) && (value === "" || c.dataset[filter.name] === value)).length;
      button.querySelector("small").textContent = left;
      button.disabled = left === 0 && value !== filter.chosen;
      button.setAttribute("aria-pressed", String(value === filter.chosen));
    }
  }
  const shown = document.querySelector("#shown");
  if (shown) shown.textContent = `${count} of ${cards.length} shown`;
};
for (const filter of filters) {
  for (const button of filter.buttons) {
    button.addEventListener("click", () => {
      filter.chosen = button.value;
      apply();
    });
  }
}
for (const card of cards) card.querySelector("svg")?.addEventListener("click", () => card.classList.toggle("large"));
apply();
