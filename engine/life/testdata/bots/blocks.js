// Places a block a turn. With an argument it answers once, without any it stays and answers line by line.

function answer(text) {
  const state = JSON.parse(text);
  const y = 3 * state.tick_id, x = 10 * state.bot_id;
  console.log(JSON.stringify([[y, x], [y, x + 1], [y + 1, x], [y + 1, x + 1]]));
}

if (process.argv.length > 2) {
  const text = process.argv[process.argv.length - 1];
  answer(text === "-" ? require("fs").readFileSync(0, "utf8") : text);
} else {
  require("readline").createInterface({ input: process.stdin }).on("line", answer);
}
