"use strict";
// One rater's page. What is answered lies in `answers` by sample id, is kept in the browser's storage, and is saved as a file.
const { REVIEW, START } = window;
const $ = (id) => document.getElementById(id);
const samples = START.order.map((at) => REVIEW.samples[at]);
const clicks = REVIEW.task !== "judge";
const judges = REVIEW.task !== "click";
const KEYS = [["1", "2"], ["3", "4"], ["5", "6"], ["7", "8"]];
const storage = `windesk-review ${REVIEW.digest} ${REVIEW.seed} ${REVIEW.task} ${START.rater}`;

let answers = {};
let at = 0;
let shownSince = 0;
let view = { scale: 1, x: 0, y: 0 };

const sample = () => samples[at];
const answer = () => (answers[sample().id] ??= { id: sample().id, click: null, not_found: false, comment: "", seconds: 0 });
const clicked = (a) => Boolean(a && (a.click || a.not_found));
const judged = (a) => Boolean(a && REVIEW.questions.every((q) => typeof a[q.name] === "boolean"));
const done = (s) => (!clicks || clicked(answers[s.id])) && (!judges || judged(answers[s.id]));

// Private windows and some settings refuse storage; rating goes on without it.
const keep = () => {
  try {
    localStorage.setItem(storage, JSON.stringify(answers));
  } catch {
    $("message").textContent = "This browser cannot store your answers: save your ratings before you close the page.";
  }
};

const note = () => {
  const now = performance.now();
  // A pause is no work on the sample.
  answer().seconds += Math.min((now - shownSince) / 1000, 300);
  shownSince = now;
};

const place = () => {
  $("frame").style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
};

const fit = () => {
  const [width, height] = sample().size;
  const stage = $("stage").getBoundingClientRect();
  const scale = Math.min(stage.width / width, stage.height / height);
  view = { scale, x: (stage.width - width * scale) / 2, y: (stage.height - height * scale) / 2 };
  place();
};

const goToTarget = () => {
  const box = showsBox() && sample().box;
  if (!box) return;
  const stage = $("stage").getBoundingClientRect();
  const scale = 1.5;
  view = { scale, x: stage.width / 2 - ((box[0] + box[2]) / 2) * scale, y: stage.height / 2 - ((box[1] + box[3]) / 2) * scale };
  place();
};

const showsBox = () => judges && (!clicks || clicked(answers[sample().id]));

const draw = () => {
  const [width, height] = sample().size;
  const a = answers[sample().id];
  const marks = $("marks");
  marks.setAttribute("width", width);
  marks.setAttribute("height", height);
  marks.replaceChildren();
  const add = (name, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    marks.append(element);
  };
  if (showsBox()) {
    const [x0, y0, x1, y1] = sample().box;
    for (const kind of ["rim", "box"]) add("rect", { class: kind, x: x0, y: y0, width: x1 - x0, height: y1 - y0 });
  }
  if (a && a.click) add("circle", { class: "click", cx: a.click[0], cy: a.click[1], r: 7 });
  $("stage").classList.toggle("aiming", clicks && !clicked(a));
  $("click").hidden = !clicks;
  $("lost").hidden = clicked(a);
  // Whoever has seen the box can't click blind any more.
  $("again").hidden = !clicked(a) || judges;
  $("judge").hidden = !showsBox();
  for (const button of document.querySelectorAll(".question button")) {
    button.setAttribute("aria-pressed", String(Boolean(a) && a[button.name] === (button.value === "yes")));
  }
  const finished = samples.filter(done).length;
  $("progress").max = samples.length;
  $("progress").value = finished;
  $("count").textContent = `sample ${at + 1}, ${finished} of ${samples.length} rated`;
  $("next").disabled = !done(sample());
  $("back").disabled = at === 0;
};

const show = (number) => {
  at = number;
  shownSince = performance.now();
  $("picture").src = sample().picture;
  $("picture").width = sample().size[0];
  $("picture").height = sample().size[1];
  $("instruction").textContent = sample().instruction;
  $("comment").value = answers[sample().id]?.comment ?? "";
  fit();
  draw();
};

const settle = (name, value) => {
  answer()[name] = value;
  note();
  keep();
  draw();
};

const next = () => {
  if (!done(sample())) return;
  note();
  keep();
  if (at + 1 < samples.length) show(at + 1);
  else $("message").textContent = "That was the last sample. Save your ratings and send back the file.";
};

const save = () => {
  const rated = samples.filter((s) => clicked(answers[s.id]) || REVIEW.questions.some((q) => typeof answers[s.id]?.[q.name] === "boolean"));
  const ratings = rated.map((s) => ({ ...answers[s.id], seconds: Math.round(answers[s.id].seconds * 10) / 10 }));
  const file = { schema_version: 1, dataset_digest: REVIEW.digest, rater: START.rater, task: REVIEW.task, ratings };
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(file, null, 1)], { type: "application/json" }));
  link.download = `ratings-${START.rater}.json`;
  link.click();
  $("message").textContent = `Saved ${ratings.length} of ${samples.length} as ${link.download}.`;
};

const load = async (file) => {
  const found = JSON.parse(await file.text());
  if (found.dataset_digest !== REVIEW.digest || found.rater !== START.rater || found.task !== REVIEW.task) {
    $("message").textContent = "These ratings belong to another dataset, rater or task.";
    return;
  }
  for (const rating of found.ratings) answers[rating.id] = rating;
  keep();
  show(Math.max(samples.findIndex((s) => !done(s)), 0));
};

// A press that moves drags the picture; one that does not is a click on it.
let press = null;
$("stage").addEventListener("pointerdown", (event) => {
  if (event.button !== 0) return;
  press = { x: event.clientX, y: event.clientY, from: { ...view }, moved: false };
  $("stage").setPointerCapture(event.pointerId);
});
$("stage").addEventListener("pointermove", (event) => {
  if (!press) return;
  const [dx, dy] = [event.clientX - press.x, event.clientY - press.y];
  press.moved ||= Math.hypot(dx, dy) > 4;
  if (!press.moved) return;
  view.x = press.from.x + dx;
  view.y = press.from.y + dy;
  place();
});
$("stage").addEventListener("pointerup", (event) => {
  const still = press && !press.moved;
  press = null;
  if (!still || !clicks || clicked(answers[sample().id])) return;
  const stage = $("stage").getBoundingClientRect();
  const point = [(event.clientX - stage.left - view.x) / view.scale, (event.clientY - stage.top - view.y) / view.scale];
  const inside = point.every((value, axis) => value >= 0 && value <= sample().size[axis]);
  if (inside) settle("click", point.map((value) => Math.round(value * 10) / 10));
});
$("stage").addEventListener("pointercancel", () => { press = null; });
$("stage").addEventListener("wheel", (event) => {
  event.preventDefault();
  const stage = $("stage").getBoundingClientRect();
  const [x, y] = [event.clientX - stage.left, event.clientY - stage.top];
  const scale = Math.min(Math.max(view.scale * Math.exp(-event.deltaY * 0.0015), 0.1), 8);
  view = { scale, x: x - ((x - view.x) * scale) / view.scale, y: y - ((y - view.y) * scale) / view.scale };
  place();
}, { passive: false });

REVIEW.questions.forEach((question, number) => {
  const row = document.createElement("div");
  row.className = "question";
  const words = document.createElement("p");
  words.textContent = question.words;
  row.append(words);
  ["yes", "no"].forEach((value, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.name = question.name;
    button.value = value;
    button.className = (value === "yes") === question.good ? "good" : "bad";
    button.append(value === "yes" ? "Yes " : "No ");
    const key = document.createElement("kbd");
    key.textContent = KEYS[number][column];
    button.append(key);
    button.addEventListener("click", () => settle(question.name, value === "yes"));
    row.append(button, " ");
  });
  $("questions").append(row);
});
$("lost").addEventListener("click", () => settle("not_found", true));
$("again").addEventListener("click", () => {
  answer().not_found = false;
  settle("click", null);
});
$("comment").addEventListener("input", () => {
  answer().comment = $("comment").value;
  keep();
});
$("next").addEventListener("click", next);
$("back").addEventListener("click", () => at > 0 && show(at - 1));
$("save").addEventListener("click", save);
$("load").addEventListener("change", () => {
  const [file] = $("load").files;
  if (file) load(file).catch(() => { $("message").textContent = "This file contains no ratings."; });
});
document.addEventListener("keydown", (event) => {
  if (event.target === $("comment") || event.ctrlKey || event.metaKey || event.altKey) return;
  const number = KEYS.findIndex((pair) => pair.includes(event.key));
  if (event.key === "Enter") {
    event.preventDefault();
    next();
  } else if (event.key === "f") fit();
  else if (event.key === "z") goToTarget();
  else if (event.key === "0" && clicks && !clicked(answers[sample().id])) settle("not_found", true);
  else if (number >= 0 && showsBox()) settle(REVIEW.questions[number].name, event.key === KEYS[number][0]);
});
window.addEventListener("resize", fit);

try {
  answers = JSON.parse(localStorage.getItem(storage)) ?? {};
} catch {
  answers = {};
}
show(Math.max(samples.findIndex((s) => !done(s)), 0));
