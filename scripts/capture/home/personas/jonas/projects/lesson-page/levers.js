const forces = { left: 300, right: 200 }; // newtons
const arms = { left: 4, right: 6 }; // decimeters

const canvas = document.getElementById("seesaw");
const context = canvas.getContext("2d");
const answer = document.getElementById("answer");

function moment(side) {
  return (forces[side] * arms[side]) / 10;
}

function tilt() {
  const difference = moment("right") - moment("left");
  return Math.max(-0.25, Math.min(0.25, difference / 400));
}

function draw() {
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.save();
  context.translate(canvas.width / 2, 180);
  context.fillStyle = "#6b4a26";
  context.beginPath();
  context.moveTo(0, 0);
  context.lineTo(-30, 60);
  context.lineTo(30, 60);
  context.fill();
  context.rotate(tilt());
  context.fillRect(-300, -8, 600, 8);
  context.fillStyle = "#b02a3a";
  context.fillRect(-arms.left * 28 - 20, -48, 40, 40);
  context.fillStyle = "#2d5f8b";
  context.fillRect(arms.right * 28 - 15, -38, 30, 30);
  context.restore();
  answer.textContent = `left ${moment("left")} Nm, right ${moment("right")} Nm`;
}

for (const side of ["left", "right"]) {
  document.getElementById(side).addEventListener("input", (event) => {
    arms[side] = Number(event.target.value);
    draw();
  });
}
draw();
