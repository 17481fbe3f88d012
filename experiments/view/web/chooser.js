// The form that says which game is to be watched or played.
import { link, go } from "clade/app.js";
import { h, field, select } from "clade/ui.js";

// chooser returns the form of a game: which, who plays, on which board.
export async function chooser(page, params, { path = "/game", person = false } = {}) {
  const games = (await page.get("games")).filter((g) => !person || g.playable);
  const players = new Map();
  const learn = async (name) => {
    if (!players.has(name)) players.set(name, (await page.get("players", { game: name })).filter((p) => p.plain));
  };
  const { runs } = await page.get("runs").catch(() => ({ runs: [] }));
  let game = games.find((g) => g.game === params.game) ?? games[0];
  const seats = h("div", { class: "bar" });
  const about = h("p", { class: "quiet" });
  const seed = h("input", { type: "text", value: String(1 + Math.floor(Math.random() * 1e6)), size: 12, inputmode: "numeric" });
  let names = [];

  // options lists who may play: built-in players, and champions of runs of the game.
  const options = () => [...players.get(game.game).map((p) => [p.name, p.name]),
    ...runs.filter((r) => r.game === game.game && r.champion !== undefined).map((r) => [`run:${r.run}`, `${r.study} @${r.champion}`])];

  function draw() {
    const n = person ? 1 : names.length;
    about.textContent = game.about;
    seats.replaceChildren(...Array.from({ length: n }, (_, i) => field(person ? "against" : `seat ${i + 1}`,
      select(options(), names[i], (v) => { names[i] = v; }))),
    ...(person ? [] : [
      n < game.maxSeats ? h("button", { onclick: () => { names.push(names[0]); draw(); } }, "Add a seat") : "",
      n > game.minSeats ? h("button", { onclick: () => { names.pop(); draw(); } }, "Remove a seat") : ""]));
  }
  async function pick(name) {
    watch.disabled = true;
    const mine = ++picked;
    await learn(name);
    if (mine !== picked) return; // another was picked while the server answered
    watch.disabled = false;
    game = games.find((g) => g.game === name);
    const all = options().map(([v]) => v).reverse();
    names = Array.from({ length: Math.min(game.maxSeats, Math.max(2, game.minSeats)) }, (_, i) => all[i % Math.max(1, all.length)]);
    draw();
  }
  let picked = 0;
  const watch = h("button", { class: "main", onclick: () => start() }, person ? "Play" : "Watch");
  await pick(game.game);
  const start = () => go(link(path, { game: game.game, players: names.slice(0, person ? 1 : undefined), seed: seed.value }));
  return h("section", { class: "chooser" },
    h("div", { class: "bar" }, field("game", select(games.map((g) => [g.game, g.title]), game.game, pick)),
      field("seed", seed)), about, seats,
    watch);
}
