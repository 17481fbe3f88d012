// The page of a game: board, controls, scores, and why a bred player chose.
import { link } from "clade/app.js";
import { h, replace, rove, say, count, field, select, dialog } from "clade/ui.js";
import { Board } from "clade/board.js";
import { filmOf } from "clade/film.js";
import { legend } from "clade/legend.js";
import { margins } from "clade/margins.js";
import { chart } from "clade/scores.js";
import { Why } from "clade/why.js";
import { download, saveButton } from "clade/save.js";
import { chooser } from "clade/chooser.js";
import { shortName } from "clade/runs.js";

export const title = "Game";

// linkKeys say which game it is.
export const linkKeys = ["run", "game", "set", "record", "generation", "players", "seed"];
export const keys = [...linkKeys, "speed", "step", "layer", "events", "seat", "number"];

// gameOf returns the parameters of a link that say which game it is.
export function gameOf(query) {
  const params = {};
  for (const key of linkKeys) {
    const all = query.getAll(key);
    if (all.length > 0) params[key] = all.length > 1 ? all : all[0];
  }
  return params;
}

const speeds = [0.5, 1, 2, 4, 8, 15, 30, 60, 240, 1000]; // scenes a second
const saveable = 32e6; // bytes of a film in a saved file

export default async function (page) {
  const params = gameOf(page.query);
  if (!params.run && !params.game && !params.record) {
    page.main.append(h("div", { class: "bar" }, h("h1", {}, "Watch a game")),
      await chooser(page, params));
    return;
  }
  const game = unpack(await page.get("game", params));
  page.title(`${game.title}: ${game.players.join(" – ")}`);
  page.watch = new Watch(page, params, game);
}

// unpack gives each scene its step and its scores.
/** @param {WatchShown} told */
export function unpack(told) {
  const game = { ...told, steps: told.steps ?? Array.from({ length: told.scenes }, (_, i) => i) };
  game.scores = told.scores.map((changes) => {
    const all = new Array(told.scenes);
    for (let i = 0; i < changes.length; i += 2) all.fill(changes[i + 1], changes[i],
      changes[i + 2] ?? told.scenes);
    return all;
  });
  return game;
}

// Watch is a game that is looked at.
class Watch {
  constructor(page, params, game) {
    this.page = page;
    this.params = params;
    this.game = game;
    this.at = -1; // the scene that is shown
    this.wanted = 0;
    this.speed = page.query.get("speed") ? Number(page.query.get("speed")) : game.scenes > 400 ? 30
      : 4;
    this.playing = null; // else an object of its own for each time it is played
    this.draw();
    this.keys();
    page.on(document, "themechange", () => { // pictures have the colours of the page
      this.film.forget();
      if (this.at >= 0) this.film.show(this.at, this.board, 0)
        .catch((err) => page.signal.aborted || say(err.message));
    });
    const step = Number(page.query.get("step"));
    this.show(step > 0 ? this.sceneOf(step) : 0);
  }

  get last() { return this.game.scenes - 1; }

  // sceneOf returns the last scene that is not behind a step.
  sceneOf(step) {
    let low = 0, high = this.last;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.game.steps[middle] <= step) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  draw() {
    const { game, page, params } = this;
    const layer = Number(page.query.get("layer"));
    this.setLook(game.looks[layer] && !page.saved ? layer : 0);
    this.slider = h("input", { type: "range", class: "scrubber", min: 0, max: this.last, value: 0,
      "aria-label": "Step", oninput: (e) => { this.pause(); this.show(Number(e.target.value)); } });
    this.playButton =
      h("button", { class: "main", title: "Play (space)", onclick: () => this.toggle() }, "▶ Play");
    this.where = h("output", { class: "where" });
    this.spoken = h("div", { class: "hidden", role: "status" });
    const colour = game.looks[0].seatColours;
    this.seats = game.players.map((name, i) => ({ points: h("b", {}),
      dot: h("span", { class: "dot", style: { background: colour[i % colour.length] } }) }));
    this.scores = h("div", { class: "seats" }, game.players.map((name, i) =>
      h("span", { class: "seat" }, this.seats[i].dot,
        h("span", { class: "name", title: name }, shortName(name)), this.seats[i].points)));
    this.chart = chart(page, game, (scene) => { this.pause(); this.show(scene); });
    this.says =
      h("p", { class: "quiet says" },
        page.saved ? "" : "Point at the board to read what is there.");
    const events = this.eventList();
    this.why = new Why(page, this);
    const strip = h("div", {});
    if (game.tells.some(Boolean)) {
      margins(page, game, params, (step) => { this.pause(); this.show(this.sceneOf(step)); })
        .then((made) => {
        if (!made || page.signal.aborted) return;
        this.strip = made;
        strip.append(made.element);
        if (this.at >= 0) made.cursor(game.steps[this.at]);
      });
    }
    const part = (name, route) => {
      const text = h("pre", { class: "words", tabindex: 0 });
      const details =
        h("details", { ontoggle: () => this.read(details) }, h("summary", {}, name), text);
      return Object.assign(details, { route, text });
    };
    this.words = part("The position in words", "game/text");
    this.log = params.run ? part("The run's log of this champion's generation", "run/log") : null;
    this.solver = part("Bounds of its value and best moves, by search", "game/analysis");
    const speed = h("select", { onchange: (e) => this.setSpeed(Number(e.target.value)) },
      speeds.map((s) => h("option", { value: s, selected: s === this.speed }, `${s} / s`)));
    this.speedSelect = speed;
    const tools = [
      h("button",
        { title: "First (Home)", "aria-label": "First step", onclick: () => this.jump(0) }, "|‹"),
      h("button",
        { title: "Event before (Shift+←)", "aria-label": "Event before",
          onclick: () => this.event(-1) }, "«"),
      h("button",
        { title: "Step back (←)", "aria-label": "Step back", onclick: () => this.step(-1) }, "‹"),
      this.playButton,
      h("button", { title: "Step on (→)", "aria-label": "Step on", onclick: () => this.step(1) },
        "›"),
      h("button",
        { title: "Next event (Shift+→)", "aria-label": "Next event",
          onclick: () => this.event(1) }, "»"),
      h("button",
        { title: "Last (End)", "aria-label": "Last step", onclick: () => this.jump(this.last) },
          "›|"),
      field("speed", speed),
      field("jump to",
        this.kinds =
          select([["", "events"], ...game.kinds.map((k) => [k.name, k.name])],
            page.query.get("events") ?? "", (name) => this.rechoose(name))),
      game.looks.length > 1 && !page.saved
        ? field("show",
          this.layers =
            select(game.looks.map((l, i) => [String(i), l.name]), String(this.layer),
              (v) => this.relayer(Number(v)))) : null,
      game.looks[0].plan?.dense
        ? h("button",
          { title: "Enlarge what lives, and follow it (f)", "aria-label": "Enlarge what lives",
            onclick: () => this.board.fitLife() }, "⤢") : null,
      this.where, h("span", { class: "gap" }),
    ];
    const actions = [
      ...this.ways(),
      page.saved ? null : h("button", { onclick: () => this.copy() }, "Copy link"),
      page.saved ? null : h("button", { onclick: () => this.saveRecord() }, "Save record"),
      h("button", { title: "the board as it stands there, in these colours",
        onclick: () => this.board.canvas.toBlob((png) => download(
          `${game.game}-${game.seed}-step-${game.steps[this.at]}.png`, png, "image/png")) },
      "Save picture"),
      saveButton(page, `${game.game}-${game.seed}.html`, () => this.gather()),
    ];
    replace(page.main,
      h("div", { class: "bar" }, h("h1", {}, game.title),
        h("span", { class: "quiet" }, `seed ${game.seed}`), h("div", { class: "ways" }, actions)),
      h("div", { class: "watch" },
        h("section", { class: "stage", "aria-label": "Board" },
          this.scores, this.board.element,
          h("div", { class: "transport" }, tools), this.slider, strip, this.chart.element, events,
          page.saved ? null : [this.words, this.log],
            game.analyst && !page.saved ? this.solver : null, this.says, this.spoken),
        h("div", { class: "side" },
          legend(page, game.rules, game.looks[0].plan, game.looks[0].seatColours),
            this.why.element)));
  }

  // ways are links to what one may want next: the run, the same players otherwise, others, a seat.
  ways() {
    const { page, game, params } = this;
    if (page.saved) return [];
    const others = h("button", { onclick: async () => {
      const form =
        await chooser(page,
          { game: game.game, set: params.set, players: game.players, seed: game.seed });
      dialog("Another game", form)
        .addEventListener("click",
          (e) => e.target.matches("button.main") && e.currentTarget.close());
    } }, "Other players");
    const run = params.run
      ? h("a",
        { class: "button plain",
          href: link("/run", { run: params.run, generation: params.generation }) }, "Its run")
            : null;
    if (params.record) return [run, others];
    const to = (path, players, more) => link(path, { ...params, players, ...more });
    const rival = game.players[Math.max(0, game.tells.indexOf(true))];
    return [run,
      h("a", { class: "button plain",
        href: to("/game", params.players, { seed: String(BigInt(game.seed) + 1n) }),
          title: "the same players on another board" }, "Next board"),
      game.players.length > 1
        ? h("a",
          { class: "button plain",
            href: to("/game", [...game.players.slice(1), game.players[0]], { seed: game.seed }) },
              "Swap seats") : null,
      others,
      h("a", { class: "button plain",
        href: to("/wall", params.players,
          { generation: params.generation, seats: game.players.length }),
            title: "full screen, one game after the other" }, "On a wall"),
      game.playable
        ? h("a",
          { class: "button plain", href: to("/play", [rival], { seed: game.seed }),
            title: `against ${shortName(rival)}` }, "Play against it") : null];
  }

  // setLook chooses what of the game is drawn: its board, or one of its layers.
  setLook(layer) {
    const look = this.game.looks[layer];
    this.layer = layer;
    this.film = filmOf(this.page, { ...this.params, layer: layer || null }, look, this.game.scenes);
    const board = new Board(this.page, this.game.title, look, { onpoint: (x, y) => this.point(x, y),
      onpick: (x, y) => {
      this.point(x, y);
      this.board.choose(x, y);
      if (this.board.fits) this.why.point(Math.floor(x / look.scale), Math.floor(y / look.scale));
    } });
    this.board?.element.replaceWith(board.element);
    this.board = board;
    // what is drawn over the board fits layers of the same shape
    const first = this.game.looks[0];
    board.fits = look.width * first.scale === first.width * look.scale;
  }

  relayer(layer) {
    this.page.remember({ layer: layer || null });
    this.setLook(layer);
    this.layers.value = String(layer);
    this.at = -1;
    this.show(this.wanted);
  }

  eventList() {
    const list = h("div");
    const title = h("summary");
    this.eventTitle = title;
    this.events = list;
    this.choose(this.page.query.get("events") ?? "");
    return h("details", { class: "events" }, title, list);
  }

  // choose chooses the kind of events that are listed and jumped to; "" for all but daily business.
  choose(name) {
    const { game } = this;
    const colour = game.looks[0].seatColours;
    const kind = game.kinds.findIndex((k) => k.name === name);
    const all = game.events.filter((e) => (kind < 0 ? !game.kinds[e.kind].daily : e.kind === kind));
    this.kind = kind;
    this.marks = [...new Set(all.map((e) => e.scene))].sort((a, b) => a - b);
    this.eventTitle.textContent = `Events${kind < 0 ? "" : `: ${name}`} (${count(all.length)})`;
    replace(this.events, rove(h("ol", {}, all.slice(0, 200).map((e) => h("li", {},
        h("button", { class: "link", onclick: () => { this.pause(); this.show(e.scene); } },
          h("span",
            { class: "dot",
              style: { background: e.seat >= 0 ? colour[e.seat % colour.length]
                : "transparent" } }),
          e.text === "end"
            ? (game.winner >= 0 ? `end: ${shortName(game.players[game.winner])} wins`
              : "end: a tie")
            : `step ${game.steps[e.scene]}: ${shortName(game.players[e.seat])} ${e.text}`)))),
      "button"));
  }

  rechoose(name) {
    this.kinds.value = name;
    this.page.remember({ events: name || null });
    this.choose(name);
    say(`${name || "All events"}: ${count(this.marks.length)} steps to jump to`);
  }

  keys() {
    const { page } = this;
    const names = ["", ...this.game.kinds.map((k) => k.name)];
    page.key("e", "jump to other events: births, captures, what the game counts",
      () => this.rechoose(names[(this.kind + 2) % names.length]));
    page.key(" ", "play and pause", () => this.toggle());
    page.key("ArrowRight", "a step on", () => this.step(1));
    page.key("ArrowLeft", "a step back", () => this.step(-1));
    page.key("Shift+ArrowRight", "the next event", () => this.event(1));
    page.key("Shift+ArrowLeft", "the event before", () => this.event(-1));
    page.key("PageDown", "a hundred steps on", () => this.step(100));
    page.key("PageUp", "a hundred steps back", () => this.step(-100));
    page.key("Home", "the first step", () => this.jump(0));
    page.key("End", "the last step", () => this.jump(this.last));
    page.key("ArrowUp", "the first step", () => this.jump(0));
    page.key("ArrowDown", "the last step", () => this.jump(this.last));
    page.key("k", "play and pause", () => this.toggle());
    page.key(".", "faster", () => this.faster(1));
    page.key(",", "slower", () => this.faster(-1));
    if (this.game.looks[0].plan?.dense) page.key("f", "enlarge what lives, and follow it",
      () => this.board.fitLife());
    if (this.layers) page.key("v", "the next layer",
      () => this.relayer((this.layer + 1) % this.game.looks.length));
    page.key("+", "zoom in", () => this.board.zoomBy(1.5));
    page.key("-", "zoom out", () => this.board.zoomBy(1 / 1.5));
    page.key("0", "the whole board", () => this.board.fit());
    for (const [key, way] of [["8", "up"], ["2", "down"], ["4", "left"], ["6", "right"]]) {
      const [right, down] = { 8: [0, -1], 2: [0, 1], 4: [-1, 0], 6: [1, 0] }[key];
      page.key(key, `move ${way} on the enlarged board`, () => this.board.pan(right / 4, down / 4));
    }
    if (this.game.analyst) page.key("s", "bounds of the position's value",
      () => { this.solver.open = !this.solver.open; });
    page.key("t", "the position in words", () => { this.words.open = !this.words.open; });
    page.key("w", "why: the next decision of this step", () => this.why.next());
  }

  // show shows a scene as soon as it is there.
  async show(scene) {
    this.wanted = Math.max(0, Math.min(scene, this.last));
    if (this.busy) return;
    this.busy = true;
    try {
      while (this.at !== this.wanted) {
        const to = this.wanted;
        const { film, board } = this;
        await film.show(to, board, this.motion());
        if (this.page.signal.aborted) return;
        if (film !== this.film) continue;
        this.at = to;
        this.tell();
      }
    } catch (err) {
      if (!this.page.signal.aborted) say(err.message);
    } finally {
      this.busy = false;
    }
  }

  // motion is how many milliseconds pieces take to move: none where pictures follow fast.
  motion() {
    if (!this.playing) return 180;
    return this.speed > 15 ? 0 : Math.min(180, 700 / this.speed);
  }

  // tell brings what stands around the board up to date.
  tell() {
    const { game, at } = this;
    const step = game.steps[at];
    this.slider.value = at;
    this.where.textContent = `step ${count(step)} of ${count(game.steps[this.last])}`;
    this.seats.forEach(({ points }, i) => {
      points.textContent = this.number(game.scores[i][at]);
      points.parentElement.classList.toggle("best", at === this.last && i === game.winner);
    });
    this.chart.cursor(at);
    this.strip?.cursor(step);
    if (!this.playing) this.settle(step);
  }

  // settle does what waits until the picture stands still.
  settle(step) {
    this.page.remember({ step: step || null });
    this.spoken.textContent =
      `step ${step}, scores ${this.game.scores.map((s) => this.number(s[this.at])).join(" to ")}`;
    this.why.show(step);
    this.read(this.words);
    this.read(this.solver);
    if (this.log) this.read(this.log);
  }

  // read fills what tells about the scene that is shown, if it is open.
  async read(part) {
    if (!part.open || this.at < 0 || part.about === this.at) return;
    const about = part.about = this.at;
    part.text.setAttribute("aria-busy", "true");
    const told = await this.page.get(part.route, { ...this.params, scene: about })
      .catch((err) => ({ text: err.message }));
    if (part.about !== about || this.page.signal.aborted) return;
    part.text.removeAttribute("aria-busy");
    part.text.textContent = told.text || "This game has no words for it.";
  }

  number(v) { return Number.isInteger(v) ? count(v) : String(Number(v.toPrecision(5))); }

  step(by) {
    this.pause();
    this.show(this.wanted + by);
  }

  jump(scene) {
    this.pause();
    this.show(scene);
  }

  event(direction) {
    this.pause();
    const marks = direction > 0 ? this.marks : [...this.marks].reverse();
    const next = marks.find((f) => (f - this.wanted) * direction > 0);
    this.show(next ?? (direction > 0 ? this.last : 0));
  }

  faster(by) {
    const i = speeds.indexOf(this.speed);
    this.setSpeed(speeds[Math.max(0, Math.min(speeds.length - 1, (i < 0 ? 3 : i) + by))]);
    this.speedSelect.value = this.speed;
  }

  setSpeed(speed) {
    this.speed = speed;
    this.page.remember({ speed });
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (this.wanted >= this.last) this.wanted = -1;
    const mine = this.playing = {}; // a pause and another start end it
    this.playButton.textContent = "❚❚ Pause";
    this.board.overlay(null);
    let due = performance.now();
    const tick = (now) => {
      if (this.playing !== mine || this.page.signal.aborted) return;
      const wait = 1000 / this.speed;
      if (now >= due - 2) {
        const steps = Math.max(1, Math.floor((now - due) / wait));
        due = Math.max(due + wait * steps, now - wait);
        if (!this.busy) this.show(this.wanted
          + Math.min(steps, Math.max(4, Math.ceil(this.speed / 15))));
      }
      if (this.wanted >= this.last && this.at >= this.last) this.pause();
      else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  pause() {
    if (!this.playing) return;
    this.playing = null;
    this.playButton.textContent = "▶ Play";
    if (this.at >= 0) this.settle(this.game.steps[this.at]);
  }

  // point tells what is at a pixel of the picture.
  async point(x, y) {
    if (this.page.saved || this.playing || this.at < 0) return;
    this.pointed = `${this.at} ${x} ${y}`;
    const asked = this.pointed;
    await new Promise((done) => setTimeout(done, 80));
    if (asked !== this.pointed || this.page.signal.aborted) return;
    try {
      const url =
        link("/api/game/inspect", { ...this.params, layer: this.layer, scene: this.at, x, y });
      const { text } = await (await fetch(url, { signal: this.page.signal })).json();
      if (asked === this.pointed) this.says.textContent = text || "nothing";
    } catch {}
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(location.href);
      say("The link leads to this step.");
    } catch { // a page that does not come from this machine may not
      dialog("Link to this step", h("p", { class: "link" }, location.href));
    }
  }

  async saveRecord() {
    try {
      const { text } = await this.page.get("game/record", this.params);
      download(`${this.game.game}-${this.game.seed}.record`, text, "text/plain");
    } catch (err) {
      if (!this.page.signal.aborted) say(err.message);
    }
  }

  // gather fetches all that a saved file needs.
  async gather() {
    const film = this.layer === 0 ? this.film
      : filmOf(this.page, this.params, this.game.looks[0], this.game.scenes);
    await film.all(saveable);
    await this.why.all();
  }
}
