// The form that says which game is to be watched or played.

import { link, go } from "clade/app.js";
import { h, field, select, settings, say } from "clade/ui.js";
import { shortName } from "clade/runs.js";

// dropped is a place where files are dropped or chosen: take is called with each, and what goes
// wrong is told.
export function dropped(page, text, accept, take) {
  const each = async (files) => {
    for (const f of files) {
      try {
        await take(f.name, await f.text());
      } catch (err) {
        if (!page.signal.aborted) say(`${f.name}: ${err.message}`);
      }
    }
  };
  const zone = h("label", { class: "drop" }, text,
    h("input", { type: "file", multiple: true, accept, onchange: (e) => each(e.target.files) }));
  page.on(zone, "dragover", (e) => {
    e.preventDefault();
    zone.classList.add("over");
  });
  page.on(zone, "dragleave", () => zone.classList.remove("over"));
  page.on(zone, "drop", (e) => {
    e.preventDefault();
    zone.classList.remove("over");
    each(e.dataTransfer.files);
  });
  return zone;
}

// chooser returns the form of a game: which, who plays, on which board.
export async function chooser(page, params, { path = "/game", person = false } = {}) {
  const games = (await page.get("games")).filter((g) => !person || g.playable);
  const players = new Map();
  const learn = async (name) => {
    if (players.has(name)) return;
    players.set(name, (await page.get("players", { game: name })).filter((p) => p.plain));
  };
  const { runs } = await page.get("runs").catch(() => ({ runs: [] }));
  const files = await page.get("files").catch(() => []);
  let game = games.find((g) => g.game === params.game) ?? games[0];
  const seats = h("div", { class: "bar" });
  const about = h("p", { class: "quiet" });
  const seed =
    h("input",
      { type: "text", value: params.seed ?? String(1 + Math.floor(Math.random() * 1e6)), size: 12,
        inputmode: "numeric" });
  let set = [params.set ?? []].flat();
  const own = []; // species that were dropped here: game, name for links, name for people
  let names = []; // of all seats; that of a person is not used
  let seat = 0; // of the person

  // options lists who may play: built-in players, champions of runs of the game, and species.
  const options = () => [...players.get(game.game).map((p) => [p.name, p.name]),
    ...files.filter((f) => f.game === game.game && !f.record).map((f) => [f.file, f.file]),
    ...runs.filter((r) => r.game === game.game && r.champion !== undefined)
      .map((r) => [`run:${r.run}`, `${r.study}, seed ${r.seed} @${r.champion}`]),
    ...own.filter((o) => o.game === game.game).map((o) => [o.player, o.name])];

  function draw() {
    about.textContent = game.about;
    const n = names.length;
    seats.replaceChildren(
      ...(person
        ? [field("your seat",
          select(names.map((_, i) => [String(i), String(i + 1)]), String(seat),
            (v) => { seat = Number(v); draw(); }))] : []),
      ...names.flatMap((name, i) => (person && i === seat ? []
        : [field(person && n === 2 ? "against" : `seat ${i + 1}`,
          select(options(), name, (v) => { names[i] = v; }))])),
      n < game.maxSeats
        ? h("button", { onclick: () => { names.push(names[0]); draw(); } }, "Add a seat") : "",
      n > Math.max(game.minSeats, person ? 2 : 1)
        ? h("button", { onclick: () => { names.pop(); seat = Math.min(seat, n - 2); draw(); } },
          "Remove a seat") : "");
  }

  async function pick(name) {
    watch.disabled = true;
    const mine = ++picked;
    await learn(name);
    if (mine !== picked) return; // another was picked while the server answered
    watch.disabled = false;
    game = games.find((g) => g.game === name);
    const all = options().map(([v]) => v).reverse();
    names = Array.from({ length: Math.min(game.maxSeats, Math.max(2, game.minSeats)) },
      (_, i) => all[i % Math.max(1, all.length)]);
    seat = 0;
    draw();
  }
  let picked = 0;
  const begin = async () => {
    await pick(game.game);
    if (!params.players) return;
    for (const player of params.players) {
      if (!options()
        .some(([name]) => name === player)) own.push({ game: game.game, player,
          name: shortName(player) });
    }
    names = [...params.players];
    draw();
  };
  const watch = h("button", { class: "main", onclick: () => start() }, person ? "Play" : "Watch");
  await begin();

  const start = () => go(link(path, { game: game.game, set,
    players: names.filter((_, i) => !person || i !== seat),
      seat: person && seat > 0 ? seat + 1 : null, seed: seed.value }));
  const take = async (name, text) => {
    if (text.startsWith("clade record")) {
      go(link(path, await page.post("record", {}, text)));
      return;
    }
    const asked = game.game;
    const { player } = await page.post("species", { game: asked, set }, text);
    own.push({ game: asked, player, name });
    if (asked !== game.game) return;
    names[names.findIndex((_, i) => !person || i !== seat)] = player;
    draw();
  };
  const records = person ? [] : files.filter((f) => f.record);
  return h("section", { class: "chooser" },
    h("div", { class: "bar" },
      field("game", select(games.map((g) => [g.game, g.title]), game.game, pick)),
      field("seed", seed), settings(set, (v) => { set = v; })), about, seats,
    watch,
    dropped(page,
      person ? "Drop a species file here, or choose one"
        : "Drop species files or a record here, or choose some",
      person ? ".species" : ".species,.record", take),
    records.length === 0 ? null
      : field("or a recorded game",
        select([["", "choose a record…"], ...records.map((f) => [f.file, f.file])], "",
      (v) => v && go(link(path, { record: v })))));
}
