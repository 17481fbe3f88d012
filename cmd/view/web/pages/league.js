// A league of chosen players, played on the server while the page is open.
import { link } from "clade/app.js";
import { h, replace, refresh, count, field, select, settings, progress } from "clade/ui.js";
import { figure, save } from "clade/figures.js";
import { matrix } from "clade/matrix.js";
import { dropped } from "clade/chooser.js";
import { shortName } from "clade/runs.js";

export const title = "League";
export const keys = ["game", "set", "players", "seats", "boards", "go"];

export default async function (page) {
  const games = (await page.get("games")).filter((g) => g.maxSeats >= 2);
  const { runs } = await page.get("runs");
  const files = await page.get("files").catch(() => []);
  const called = new Map(); // names for people, of players that links name otherwise
  const bar = h("div", { class: "bar" });
  const shape = h("span");
  const pick = h("div", { class: "choices" });
  const list = h("div", { class: "chips" });
  const drop = dropped(page, "Drop species files here, or choose some", ".species", take);
  const told = h("p", { class: "quiet", role: "status" });
  const table = h("div", { class: "pair" });
  page.main.append(h("div", { class: "bar" }, h("h1", {}, "League"), h("span", { class: "gap" })),
    bar, pick, drop, list, told, table);
  let stop = () => {};

  const players = () => page.query.getAll("players");
  const game = () => page.query.get("game") ?? games[0].game;
  // seats of a game: two, or as many as the game and the players allow
  const most = () => Math.min(games.find((g) => g.game === game()).maxSeats, players().length);
  const seats = () => Math.max(least(), Math.min(Number(page.query.get("seats") ?? 2), most()));
  const least = () => Math.max(2, games.find((g) => g.game === game()).minSeats);
  const boards = () => Number(page.query.get("boards") ?? 256);
  const name = (p) => called.get(p) ?? shortName(p);
  const add = (p) => {
    if (!players().includes(p)) page.remember({ players: [...players(), p], game: game() });
    show();
  };
  const remove = (p) => {
    page.remember({ players: players().filter((q) => q !== p) });
    show();
  };

  async function take(name, text) {
    const got = await page.post("species", { game: game(), set: page.query.getAll("set") }, text);
    called.set(got.player, name.replace(/\.species$/, ""));
    add(got.player);
  }

  function show() {
    const counts = Array.from({ length: Math.max(0, most() - least() + 1) }, (_, i) => least() + i);
    const lack = least() - players().length;
    replace(shape,
      counts.length > 1
        ? field("Players of a game",
          select(counts.map((n) => [String(n), n === 2 ? "2: every pair" : `${n}: free-for-all`]),
            String(seats()),
      (v) => page.remember({ seats: v }))) : null);
    refresh(list,
      players()
        .map((p) =>
          h("span", { class: "chip" }, name(p),
            h("button",
              { class: "icon", "aria-label": `Leave out ${name(p)}`, onclick: () => remove(p) },
                "×"))),
      lack > 0 ? h("span", { class: "quiet", role: "status" },
        `Choose ${lack} more player${lack > 1 ? "s" : ""}`) : null);
    start.disabled = lack > 0;
    wall.hidden = start.disabled;
    wall.href =
      link("/wall",
        { game: game(), set: page.query.getAll("set"), players: players(), seats: seats() });
  }

  const start = h("button", { class: "main", onclick: () => play() }, "Play");
  const wall =
    h("a", { class: "button plain", title: "boards side by side, one game after the other" },
      "On a wall");
  const end = h("button", { hidden: true, onclick: () => {
    stop();
    over("stopped");
  } }, "Stop");
  const over = (text) => {
    end.hidden = true;
    start.disabled = players().length < least();
    if (text) told.textContent = text;
  };

  function play() {
    const chosen = players();
    const params =
      { game: game(), set: page.query.getAll("set"), players: chosen, boards: boards(),
        seats: seats() };
    stop();
    start.disabled = true;
    end.hidden = false;
    told.textContent = "waiting for its turn";
    stop = page.stream("league", params, {
      progress: (p) =>
        replace(told, progress(p.done, p.total, p.name),
          ` ${count(p.done)} of ${count(p.total)} pairings, ${p.name}`),
      league: (l) => draw(l, chosen),
      end: () => over(),
      fault: (text) => {
        over();
        replace(told, h("span", { class: "fault" }, text));
      },
    });
  }

  const mark = {}; // the cell that is pointed at, while the matrix grows
  function draw(l, chosen) {
    const order = l.standings.map((s) => s.player);
    const { playable } = games.find((g) => g.game === game());
    const many = l.casts[order[0]][order[1]].length > 2;
    const ends = l.standings.flatMap((s) => [s.low, s.high]).filter((v) => v !== null);
    const low = Math.min(...ends, 0);
    const high = Math.max(...ends, 0);
    const x = (v) => 4 + (192 * (v - low)) / Math.max(1, high - low);
    // open ends leave the picture
    const from = (s) => (s.low === null ? 0 : x(s.low)),
      to = (s) => (s.high === null ? 200 : x(s.high));
    const words =
      (s) => [s.low === null ? "" : `from ${s.low.toFixed(0)}`,
        s.high === null ? "" : `to ${s.high.toFixed(0)}`].join(" ").trim() || "not known";
    const ratings = h("table", { class: "list" }, h("caption", { class: "hidden" }, "Ratings"),
      h("thead", {},
        h("tr", {},
          [h("span", { class: "hidden" }, "Place"), "Player", "Elo", "95 % interval", "Rank"]
            .map((t) => h("th", { scope: "col" }, t)))),
      h("tbody", {},
        l.standings.map((s, i) =>
          h("tr", {}, h("td", { class: "number quiet" }, i + 1),
            h("td", {}, name(chosen[s.player]), playable ? [" ",
              h("a", { class: "small", title: `play against ${name(chosen[s.player])} yourself`,
                href: link("/play", { game: game(), set: [...page.query.getAll("set"), ...l.set],
                  players: chosen[s.player] }) }, "play")] : null),
        h("td", { class: "number" },
          s.elo === null ? s.text.replace("-", "−")
            : `${s.elo >= 0 ? "+" : "−"}${Math.abs(s.elo).toFixed(0)}`),
        h("td", {},
          h("svg",
            { class: "interval wide", viewBox: "0 0 200 12", role: "img", "aria-label": words(s) },
          h("line", { x1: 4, x2: 196, y1: 6, y2: 6, class: "axis" }),
          s.low === null && s.high === null ? null
            : h("line", { x1: from(s), x2: to(s), y1: 6, y2: 6, class: "range" }),
          s.elo === null ? null : h("circle", { cx: x(s.elo), cy: 6, r: 2.6, class: "dot" }))),
        h("td", { class: "quiet" },
          s.rankLow === s.rankHigh ? s.rankLow : `${s.rankLow}–${s.rankHigh}`)))));
    const points = order.map((i) => order.map((k) => (i === k ? null : l.points[i][k])));
    refresh(table, h("h2", { class: "hidden" }, "Result"),
      figure("Ratings",
        `Elo by ${many ? "Plackett and Luce" : "Bradley and Terry"}, `
          + "with 95 % intervals over boards",
        save({ kind: "played", key: l.key, name: "ratings" }), ratings),
      figure("Points of the row against the column", "Percent; blue: few, orange: many",
        save({ kind: "played", key: l.key, name: "round-robin" }),
        matrix({ points, mark, names: (i) => name(chosen[order[i]]),
          title: "Points of the row against the column",
            labels: [(i) => `${i + 1} ${name(chosen[order[i]])}`, (i) => String(i + 1)],
          href: (i, k) =>
            link("/game",
              { game: game(), set: [...page.query.getAll("set"), ...l.set],
                players: l.casts[order[i]][order[k]].map((p) => chosen[p]),
                  seed: l.seeds[order[i]][order[k]] }) })));
    told.textContent =
      `${count(l.games)} games of each `
        + `${many ? "table" : "pair"}${l.over ? "" : ", and going on"}`;
  }

  async function choose() {
    replace(bar, field("Game", select(games.map((g) => [g.game, g.title]), game(), (v) => {
      page.remember({ game: v, players: [], set: [] });
      choose();
    })), field("Boards",
      select([32, 64, 128, 256, 512, 1024, 2048, 4096].map((n) => [String(n), count(n)]),
        String(boards()), (v) => page.remember({ boards: v }))),
    settings(page.query.getAll("set"), (v) => page.remember({ set: v })), shape, start, end, wall);
    const asked = game();
    const built = (await page.get("players", { game: asked }).catch(() => []))
      .filter((p) => p.plain);
    if (asked !== game()) return; // another was chosen while the server answered
    const species = files.filter((f) => f.game === game() && !f.record);
    const champions = runs.filter((r) => r.game === game() && r.champion !== undefined);
    replace(pick, h("h2", { class: "hidden" }, "Players to choose"),
      built.length
        ? h("div", {}, h("h3", {}, "Built-in players"),
          h("div", { class: "chips" }, built.map((p) =>
        h("button", { class: "chip", title: p.about, onclick: () => add(p.name) }, p.name))))
          : null,
      champions.length
        ? h("div", {}, h("h3", {}, "Champions of runs"),
          Object.assign(select([["", "choose a run…"],
        ...champions.map((r) => [`run:${r.run}@${r.champion}`, `${r.run} @${r.champion}`])], "",
          (v) => v && add(v)), { ariaLabel: "Champion of a run" })) : null,
      species.length
        ? h("div", {}, h("h3", {}, "Species files and the shelf"),
          h("div", { class: "chips" }, species.map((f) =>
        h("button", { class: "chip", title: f.file, onclick: () => add(f.file) },
          shortName(f.file))))) : null);
    show();
  }
  await choose();
  if (page.query.get("go") && players().length >= least()) play();
}
