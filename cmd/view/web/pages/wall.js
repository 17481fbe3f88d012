// Games of several players side by side, on a screen that many look at: each board goes on with the
// next game by itself.
import { link } from "clade/app.js";
import { h, replace, count, field, select } from "clade/ui.js";
import { Board } from "clade/board.js";
import { filmOf } from "clade/film.js";
import { unpack } from "clade/pages/game.js";
import { shortName } from "clade/runs.js";

export const title = "Wall";

const pause = 2500; // milliseconds between games

export default async function (page) {
  const { query } = page;
  const params =
    { game: query.get("game"), set: query.getAll("set"), run: query.get("run"),
      generation: query.get("generation") };
  const players = query.getAll("players");
  if (!params.game
    && !params.run) throw new Error("No game is named; a league and a game lead to a wall.");
  const boards =
    Math.max(1, Math.min(12, Number(query.get("boards")) || (players.length > 2 ? 6 : 1)));
  const wall = h("section", { class: "wall", "aria-label": "Boards" });
  const heading = h("h1", {}, "Wall");
  page.main.append(h("div", { class: "bar" }, heading, h("span", { class: "gap" }),
    field("boards",
      select([1, 2, 3, 4, 6, 8, 9, 12].map((n) => [String(n), String(n)]), String(boards), (v) => {
      page.remember({ boards: v });
      location.reload();
    })),
    h("button", { class: "main", onclick: () => full() }, "Full screen ", h("kbd", {}, "f"))),
      wall);
  const full =
    () => (document.fullscreenElement ? document.exitFullscreen() : wall.requestFullscreen());
  page.key("f", "full screen", full);

  const known = (await page.get("games")).find((g) => g.game === params.game);
  const seats = Number(query.get("seats")) || Math.max(2, known?.minSeats ?? 2);
  const columns = Math.ceil(Math.sqrt((boards * innerWidth) / Math.max(innerHeight, 1) / 1.3));
  const wide = innerWidth < 700 ? 1 : Math.max(1, Math.min(boards, columns));
  wall.style.setProperty("--columns", wide);
  const rows = Math.ceil(boards / wide);
  const tall =
    () => Math.max(140, (innerHeight - (document.fullscreenElement ? 20 : 120)) / rows - 70);

  // cast returns who plays a game: pairs in turn, each in both seats; of more seats the players go
  // round.
  const cast = (n) => {
    if (players.length <= seats || seats > 2) {
      return players.map((_, i) => players[(i + n) % players.length]).slice(0, Math.max(seats, 1));
    }
    const pairs = players.flatMap((a, i) => players.slice(i + 1).map((b) => [a, b]));
    const pair = pairs[n % pairs.length];
    return Math.floor(n / pairs.length) % 2 ? [...pair].reverse() : pair;
  };

  async function run(frame, first) {
    for (let n = first; !page.signal.aborted; n += boards) {
      const of = { ...params, players: cast(n), seed: String(Number(query.get("seed") ?? 1) + n) };
      const game = unpack(await page.get("game", of));
      page.answers = {}; // nobody saves a wall
      if (page.signal.aborted) return;
      heading.textContent = game.title;
      const look = game.looks[0];
      const film = filmOf(page, of, look, game.scenes);
      const board = new Board(page, game.title, look, { still: true, tall });
      const points = game.players.map(() => h("b", {}));
      replace(frame,
        h("a", { class: "seats", href: link("/game", of) },
          game.players.map((name, i) => h("span", { class: "seat" },
        h("span", { class: "dot", style: { background: look.seatColours[i] } }),
          h("span", { class: "name" }, shortName(name)), points[i]))),
      board.element);
      // scenes a second: a game takes three quarters of a minute at most
      const speed = Math.max(6, game.scenes / 45);
      const began = performance.now();
      for (let scene = 0; scene < game.scenes && !page.signal.aborted;) {
        await film.show(scene, board, speed > 15 ? 0 : 140);
        points.forEach((p, i) => { p.textContent = count(Math.round(game.scores[i][scene])); });
        if (scene === game.scenes - 1) break;
        const due = () => Math.floor(((performance.now() - began) / 1000) * speed);
        do await new Promise(requestAnimationFrame); while (due() <= scene && !page.signal.aborted);
        scene = Math.min(game.scenes - 1, due());
      }
      points[game.winner]?.parentElement.classList.add("best");
      await new Promise((done) => setTimeout(done, pause));
    }
  }
  for (let i = 0; i < boards; i++) {
    const frame = h("div", { class: "frame" });
    wall.append(frame);
    run(frame, i)
      .catch((err) => page.signal.aborted
        || replace(frame, h("p", { class: "fault" }, err.message)));
  }
}
