// An ant that kills what stands beside it and else goes to the nearest food that it knows of.

const names = ["nw", "n", "ne", "e", "se", "s", "sw", "w"];
const steps = [[-1, -1], [-1, 0], [-1, 1], [0, 1], [1, 1], [1, 0], [1, -1], [0, -1]];

function choose(board, heading) {
  const middle = board.length >> 1; // the ant stands there
  let best = heading, near = board.length;
  for (const [direction, [down, right]] of steps.entries()) {
    const row = middle + down, column = middle + right;
    if (board[row][column] === "X") return direction;
    board.forEach((letters, r) => [...letters].forEach((letter, c) => {
      const distance = Math.max(Math.abs(r - row), Math.abs(c - column));
      if ("Oo".includes(letter) && distance < near) [best, near] = [direction, distance];
    }));
  }
  return best;
}

let heading = 0;
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "game") heading = message.seed % 8;
  if (message.type === "turn") {
    const direction = choose(message.observation.board, heading);
    console.log(JSON.stringify({ action: names[direction] }));
  }
});
