// Games of several players side by side, on a screen that many look at: each board goes on with the
// next game by itself.
import { link } from "clade/app.js";
import { h, replace, say, count, field, select } from "clade/ui.js";
import { Board } from "clade/board.js";
import { filmOf } from "clade/film.js";
import { unpack } from "clade/pages/game.js";
import { shortName } from "clade/runs.js";

export const title = "Wall";
export const keys = ["game", "set", "run", "generation", "players", "seed", "seats", "boards",
  "islands", "code"];

const pause = 2500; // milliseconds between games

export default async function (page) {
  const { query } = page;
  const params =
    { game: query.get("game"), set: query.getAll("set"), run: query.get("run"),
      generation: query.get("generation") };
  let players = query.getAll("players");
  if (!params.game
    && !params.run) throw new Error("No game is named; a league and a game lead to a wall.");
  const called = new Map(); // names for people, of islands
  const name = (p) => called.get(p) ?? shortName(p);
  // islands are those of a run, as they are in its newest checkpoint
  const islands = query.has("islands") && (async () => {
    /** @type {ViewIslandsNow} */
    const now = await page.get("islands", { run: params.run });
    players = now.players;
    players.forEach((p, i) => called.set(p, `island ${i + 1}`));
    after.textContent = `islands after generation ${count(now.generation)}`;
  });
  const wall = h("section", { class: "wall", "aria-label": "Boards" });
  const heading = h("h1", {}, "Wall");
  const after = h("span", { class: "quiet" });
  if (islands) await islands();
  const boards = Math.max(1, Math.min(12, Number(query.get("boards"))
    || (islands ? players.length : players.length > 2 ? 6 : 1)));
  const code = h("button", { "aria-pressed": "false",
    title: "a QR code of this link: who scans it may use this page as you do",
    onclick: () => showCode(code.ariaPressed !== "true") }, "QR code");
  page.main.append(h("div", { class: "bar" }, heading, after, h("span", { class: "gap" }),
    field("boards",
      select([...new Set([1, 2, 3, 4, 6, 8, 9, 12, boards])].sort((a, b) => a - b)
        .map((n) => [String(n), String(n)]), String(boards), (v) => {
      page.remember({ boards: v });
      location.reload();
    })), code,
    h("button", { class: "main", onclick: () => full() }, "Full screen ", h("kbd", {}, "f"))),
      wall);
  const full =
    () => (document.fullscreenElement ? document.exitFullscreen() : wall.requestFullscreen());
  page.key("f", "full screen", full);
  function showCode(is) {
    code.ariaPressed = String(is);
    page.remember({ code: is ? 1 : null });
    wall.querySelector(".code")?.remove();
    if (!is) return;
    wall.append(h("img", { class: "code", alt: "QR code of this page's link",
      src: link("/api/qr", { link: location.href }) }));
    if (/^(localhost|127\.|\[::1)/.test(location.hostname)) {
      say("This link works on this machine only; for others start clade view with --listen.");
    }
  }
  if (query.has("code")) showCode(true);

  const known = (await page.get("games")).find((g) => g.game === params.game);
  const seats = Number(query.get("seats")) || Math.max(2, known?.minSeats ?? 2);
  const columns = Math.ceil(Math.sqrt((boards * innerWidth) / Math.max(innerHeight, 1) / 1.3));
  const wide = innerWidth < 700 ? 1 : Math.max(1, Math.min(boards, columns));
  wall.style.setProperty("--columns", wide);
  const rows = wide > 1 ? Math.ceil(boards / wide) : 1; // below each other they are scrolled
  const tall =
    () => Math.max(140, (innerHeight - (document.fullscreenElement ? 20 : 120)) / rows - 70);

  // cast returns who plays a game: pairs in turn, each in both seats; of more seats the players go
  // round. Each board keeps an island, and the others come to it in turn.
  const cast = (n) => {
    if (islands) {
      const own = n % boards % players.length;
      const others = players.toSpliced(own, 1);
      return [players[own], ...others.map((_, i) =>
        others[(own + Math.floor(n / boards) + i) % others.length])].slice(0, seats);
    }
    if (players.length <= seats || seats > 2) {
      return players.map((_, i) => players[(i + n) % players.length]).slice(0, Math.max(seats, 1));
    }
    const pairs = players.flatMap((a, i) => players.slice(i + 1).map((b) => [a, b]));
    const pair = pairs[n % pairs.length];
    return Math.floor(n / pairs.length) % 2 ? [...pair].reverse() : pair;
  };

  async function run(frame, first) {
    for (let n = first; !page.signal.aborted; n += boards) {
      if (islands && n >= boards) await islands();
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
          game.players.map((player, i) => h("span", { class: "seat" },
        h("span", { class: "dot", style: { background: look.seatColours[i] } }),
          h("span", { class: "name" }, name(player)), points[i]))),
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
