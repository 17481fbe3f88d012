// Amoebas that divide when rich, hit what is near, and graze.

const directions = ["nw", "n", "ne", "e", "se", "s", "sw", "w"];
const steps = [[-1, -1], [-1, 0], [-1, 1], [0, 1], [1, 1], [1, 0], [1, -1], [0, -1]];

function choose(seen, actions) {
  const friend = (down, right) => seen.amoebas.some(
    (a) => a.y === down && a.x === right && a.species === seen.species);
  const fuel = seen.fuel, middle = fuel.length >> 1; // the own cell
  let best = "rest", most = fuel[middle][middle];
  for (const action of actions) {
    const [command, direction] = action.split(" ");
    if (command === "rest") continue;
    const [down, right] = steps[directions.indexOf(direction)];
    if (command === "divide" && seen.energy > 70) return action;
    if (command === "hit" && seen.energy >= 20 && !friend(down, right)) return action;
    if (command === "move" && seen.energy >= 10 && fuel[middle][middle] < 5) {
      const there = fuel[middle + down][middle + right];
      if (there > most) [best, most] = [action, there];
    }
  }
  return best;
}

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "turn") {
    console.log(JSON.stringify({ action: choose(message.observation, message.actions) }));
  }
});
