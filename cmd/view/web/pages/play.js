// The page on which a person plays.
import { link, go } from "clade/app.js";
import { h, replace, refresh, say, count, percent } from "clade/ui.js";
import { Board } from "clade/board.js";
import { life } from "clade/cells.js";
import { chooser } from "clade/chooser.js";
import { movesOf, piecesOf } from "clade/film.js";
import { legend } from "clade/legend.js";
import { shortName } from "clade/runs.js";
import { download } from "clade/save.js";
import { Moves, around, pointed, spots, towards } from "clade/spots.js";
import { sound, soundButton } from "clade/sound.js";
import { gameOf, linkKeys } from "clade/pages/game.js";

export const title = "Play";
export const keys = [...linkKeys, "seat"];

export default async function (page) {
  const params = gameOf(page.query);
  if (!params.game && !params.run) {
    page.main.append(h("div", { class: "bar" }, h("h1", {}, "Play yourself")),
      await chooser(page, params, { path: "/play", person: true }));
    return;
  }
  new Table(page, params).sit();
}

const compass = ["nw", "n", "ne", "w", "", "e", "sw", "s", "se"];
const arrows =
  [["ArrowUp", "8", "n"], ["ArrowDown", "2", "s"], ["ArrowLeft", "4", "w"],
    ["ArrowRight", "6", "e"]];
const motion = 260; // milliseconds

// Table is where a person plays a game.
class Table {
  constructor(page, params) {
    this.page = page;
    this.params = params;
    this.seat = page.query.get("seat") ?? "1";
    this.played = null; // the game, until it is over
    // the turn that waits for an answer: one for each, for a second would count for the next
    this.due = null;
    this.zoomed = {}; // the part of a board of Life that is looked at
    this.place = h("div", { class: "playboard" });
    this.clock = h("p", { class: "clock" });
    this.facts = h("dl", { class: "sees" });
    this.actions = h("div", { class: "actions", role: "group", "aria-label": "What you may do" });
    this.choice = h("div", {});
    this.words = h("pre", { class: "words", tabindex: 0, "aria-label": "What you see, in words" });
    this.told = h("p", { role: "status" }, "The game begins…");
    this.heading = h("h1", {}, "Play");
    this.against = h("span", { class: "quiet" });
    this.resign = h("button", { onclick: () => this.giveUp() }, "Resign");
    this.back =
      h("button",
        { hidden: true, title: "Take back (Backspace)", onclick: () => this.act("", { back: 1 }) },
          "Take back");
    this.rules = h("div", {});
    this.ladder = h("div", {});
    page.on(document, "themechange", () => this.cells?.draw());
    page.on(this.place, "wheel", (e) => {
      if (!this.moves?.wheel || !e.deltaY) return;
      e.preventDefault();
      this.moves.wheel(e.deltaY < 0 ? 1 : -1);
    }, { passive: false });
    page.on(this.place, "pointerup", (e) => this.dropped(e));
    page.on(this.place, "pointerdown", (e) => {
      this.held = e.target.closest?.(".spot");
      this.from = [e.clientX, e.clientY];
    });
    replace(page.main,
      h("div", { class: "bar" }, this.heading, this.against, h("span", { class: "gap" }),
        soundButton(), this.back, this.resign),
      this.told, this.table = h("div", { class: "watch" },
        h("div", { class: "stage" }, this.place, this.clock),
        h("div", { class: "side" }, h("div", {}, this.choice, this.actions), this.rules,
          this.ladder,
          h("details", {}, h("summary", {}, "In words and numbers"), this.words, this.facts))));
  }

  sit() {
    const { page, params } = this;
    page.stream("play", { ...params, seat: this.seat }, {
      begin: (b) => this.begin(b),
      turn: (t) => this.turn(t),
      over: (o) => this.over(o),
      fault: (text) => {
        this.told.textContent = text;
        this.told.className = "fault";
        if (!this.game) this.resign.hidden = this.table.hidden = true; // there is nothing to play
      },
      end: () => {},
    });
  }

  begin(b) {
    this.game = b;
    this.played = b.played;
    this.heading.textContent = `Play ${b.title}`;
    this.page.title(this.heading.textContent);
    this.against.textContent = b.players.map((p, i) => (i + 1 === b.seat ? "you" : shortName(p)))
      .join(" – ");
    this.climb();
  }

  // giveUp resigns at the second click.
  giveUp() {
    if (this.resign.dataset.sure) {
      this.act("", { resign: 1 }, true);
      return;
    }
    this.resign.dataset.sure = "yes";
    this.resign.textContent = "Resign: sure?";
    setTimeout(() => {
      delete this.resign.dataset.sure;
      this.resign.textContent = "Resign";
    }, 4000);
  }

  async act(answer, more = {}, always = false) {
    const to = this.due;
    if (!this.played || !to && !always) return;
    this.due = null;
    let refused;
    try {
      ({ refused } =
        await this.page.post("play/act", { played: this.played, ...more },
          answer && JSON.stringify(answer)));
    } catch (err) {
      refused = err.message;
    }
    if (!refused || !this.played || this.page.signal.aborted) return;
    say(refused);
    this.due ??= to; // no other turn has come
  }

  /** @param {PlayTurn} t */
  turn(t) {
    const { page } = this;
    this.due = t;
    sound("turn");
    this.told.textContent = `Decision ${count(t.number + 1)}: it is your turn.`;
    this.clock.textContent = /\n\s*\n(.*)/.exec(t.text ?? "")?.[1] ?? "";
    this.words.textContent = t.text ?? "";
    const plain = Object.entries(t.observation).filter(([, v]) => typeof v !== "object");
    replace(this.facts, plain.map(([k, v]) => [h("dt", {}, k), h("dd", {}, String(v))]));
    page.keys.clear();
    this.back.hidden = !t.back;
    if (t.back) page.key("Backspace", "take the last move back", () => this.act("", { back: 1 }));
    this.show(t);
    this.keys(t.actions);
    this.offer(t);
  }

  // show draws what the person knows of the board.
  show(t) {
    this.cells = null;
    if (t.plan?.dense) { // cells are chosen
      this.cells = life(t.observation, this.game.facts, this.zoomed);
      refresh(this.place, this.cells.element);
    } else if (!t.plan) {
      replace(this.place, h("pre", {}, t.text || JSON.stringify(t.observation, null, 1)));
    } else {
      const before = this.pieces ?? [];
      this.pieces = piecesOf(t.pieces);
      if (!this.board) {
        this.board =
          new Board(this.page, this.game.title,
            { plan: t.plan, tile: 48, scale: 4, seatColours: [] }, { still: true });
        replace(this.place, this.board.element);
      }
      const key = (p) => Object.values(p).join();
      const is = new Set(this.pieces.map(key));
      const was = new Set(before.map(key));
      const moves =
        movesOf(t.plan, before.filter((p) => !is.has(key(p))),
          this.pieces.filter((p) => !was.has(key(p))));
      this.board.place(this.pieces, moves, motion, t.plan.torus ? t.actor : null);
    }
    if (!this.rules.firstChild) replace(this.rules, legend(this.page, this.game.rules, t.plan, []));
  }

  // keys gives every action a key: its own, else a free letter of its name, or the next one where
  // none has a key.
  keys(actions) {
    if (this.cells) for (const a of actions) if (a.key === " ") a.key = "p"; // space chooses a cell
    const given = new Map(actions.filter((a) => a.key).map((a) => [a.key, a]));
    const used = new Set(given.keys());
    for (const a of actions) { // as at a terminal, a name of one letter is its key
      if (!a.key && /^[a-z0-9]$/.test(a.name) && !used.has(a.name)) used.add(a.key = a.name);
    }
    const mnemonic = used.size > 0;
    for (const a of actions) {
      a.key ||= [...(mnemonic ? a.name : ""), ..."1234567890abcdefghijklmnoprstuvxyz"]
        .find((k) => /[a-z0-9]/.test(k) && !used.has(k)) ?? "";
      used.add(a.key);
    }
    for (const [arrow, key, way] of arrows) {
      const a = given.get(key) ?? actions.find((some) => some.name === way);
      if (a) this.page.key(arrow, a.name, () => this.take(a));
    }
  }

  take(a) { return this.act({ action: a.name }); }

  button(a) {
    if (a.key) this.page.key(a.key, a.name, () => this.take(a));
    return h("button", { onclick: () => this.take(a) }, a.name.toUpperCase(), " ",
      a.key?.trim() ? h("kbd", {}, a.key) : null);
  }

  // offer shows what the person may do: on the board where that can be, else as buttons.
  offer(t) {
    this.moves = this.swipe = null;
    replace(this.choice);
    this.actions.className = "actions";
    if (this.cells) {
      const wake = () => this.act({ action: this.cells.chosen() });
      this.page.key("Enter", "wake the chosen cells", wake);
      refresh(this.actions, t.actions.map((a) => this.button(a)),
        h("button", { class: "main", onclick: wake }, "Wake them ", h("kbd", {}, "Enter")));
    } else if (t.plan?.labels && this.board) {
      this.moves = new Moves(this.board, this.pieces, t.actions, (a) => this.take(a));
      this.page.key("Enter", "make the move", () => this.moves.go?.());
      refresh(this.actions, this.moves.element, t.whole ? null : this.free(t));
    } else this.offerAround(t);
  }

  // offerAround shows actions of who stands on the board: neighbouring cells can be clicked. Where
  // there are several things to do to one, a choice says which.
  offerAround(t) {
    const { actions } = t;
    const verb = (a) => (a.name.includes(" ") ? a.name.split(" ")[0] : "");
    const verbs = [...new Set(actions.filter(pointed).map(verb))];
    this.verb = verbs.includes(this.verb) ? this.verb : verbs[0];
    if (t.actor) this.lay(t);
    if (verbs.length > 1) {
      replace(this.choice,
        h("div", { class: "choice", role: "group", "aria-label": "what a click on a cell does" },
        verbs.map((v) => h("button", { "aria-pressed": String(v === this.verb), onclick: () => {
          this.verb = v;
          this.offerAround(t);
        } }, v))));
    }
    const pad = actions.length === 8 && actions.every((a) => compass.includes(a.name));
    this.actions.className = pad ? "actions pad" : "actions";
    const places = pad ? compass.map((name) => actions.find((a) => a.name === name)) : actions;
    const listed = verbs.length > 1 ? places.filter((a) => !pointed(a)) : places;
    for (const a of actions) if (a.key) this.page.key(a.key, a.name, () => this.take(a));
    refresh(this.actions, listed.map((a) => (a ? this.button(a) : h("span"))),
      t.whole ? null : this.free(t));
  }

  lay(t) {
    const cells = around(t.plan, this.pieces, t.actor, t.actions).map((cell) => {
      const a = cell.actions.find((some) => some.name.startsWith(this.verb)) ?? cell.actions[0];
      return { x: cell.x, y: cell.y, name: a.name, act: () => this.take(a) };
    });
    spots(this.board, cells, t.actor);
    this.swipe = (right, down) => towards(t.plan, t.actor, cells, right, down)?.act();
  }

  // dropped takes a piece that was dragged to a cell as both being clicked, and a swipe as a click
  // on the cell in its direction.
  dropped(e) {
    const from = this.held;
    this.held = null;
    const [right, down] = [e.clientX - this.from?.[0], e.clientY - this.from?.[1]];
    if (this.due && !this.moves && Math.hypot(right, down) > 30) this.swipe?.(right, down);
    if (!this.moves || !from) return;
    const to = this.at(e);
    if (!to || from.getAttribute("aria-label").startsWith(`${to}:`)) return;
    this.moves.from = null;
    this.moves.pick(from.getAttribute("aria-label").split(":")[0]);
    this.moves.pick(to);
  }

  // at returns the label of the cell under the pointer.
  at(e) {
    const { plan } = this.board.look;
    const box = this.board.canvas.getBoundingClientRect();
    const x = Math.floor((e.clientX - box.left) / box.width * plan.columns);
    const y = Math.floor((e.clientY - box.top) / box.height * plan.rows);
    return plan.labels.find((l) => l.x === x && l.y === y)?.name;
  }

  // free is where an answer can be written that is in no list.
  free(t) {
    const input = h("input", { type: "text", class: "code", "aria-label": "answer as JSON",
      value: t.actions.length ? JSON.stringify({ action: t.actions[0].name }) : "{}" });
    input.addEventListener("keydown", (e) => {
      if (e.key !== "Enter") return;
      try {
        this.act(JSON.parse(input.value));
      } catch {
        say("That is no JSON.");
      }
    });
    return h("details", { class: "free" }, h("summary", {}, "Another answer"), input);
  }

  over(o) {
    const { page, params } = this;
    this.played = null;
    sound(o.result);
    page.keys.clear();
    this.resign.hidden = this.back.hidden = true;
    if (this.board) spots(this.board, []);
    replace(this.choice);
    this.actions.className = "actions";
    const watch = async () => go(link("/game", await page.post("record", {}, o.record)));
    const again = link("/play", { ...params, seat: Number(this.seat) % this.game.players.length + 1,
      seed: String(BigInt(params.seed ?? 1) + 1n) });
    replace(this.actions,
      h("a", { class: "button", href: again, title: "in another seat, on another board" },
        "Rematch"),
      h("button", { onclick: () => watch().catch((err) => say(err.message)) },
        "Watch it, with reasons"),
      h("button",
        { onclick: () => download(`${o.game || "game"}.record`, o.record, "text/plain") },
          "Save record"));
    this.told.textContent = o.result
      ? `${{ win: "You win", loss: "You lose", tie: "A tie" }[o.result]}: ${o.score} to `
        + `${o.other}. Against ${shortName(o.opponent)} you have won ${o.tally.wins} of `
          + `${o.tally.games} (${percent(o.tally.share)}).`
      : "The game is over.";
    this.climb();
  }

  // climb shows the ladder: who is met one after the other, and who has been beaten.
  async climb() {
    const { page, params } = this;
    const { run, game, set } = params;
    /** @type {PlayRung[]} */
    const rungs = await page.get("play/ladder", { run, game, set }).catch(() => []);
    if (page.signal.aborted || rungs.length < 2) return;
    const next = rungs.find((r) => r.wins === 0);
    const met = new Set(this.game.players.map(shortName));
    replace(this.ladder, h("h2", {}, "Ladder"),
      h("ol", { class: "ladder" }, rungs.map((r) => h("li", {
      class: r.wins > 0 ? "beaten" : r === next ? "next" : "" },
    h("a", { href: link("/play", { ...params, players: r.name, seat: this.seat }),
      "aria-current": met.has(shortName(r.name)) ? "true" : null },
      run ? r.name.slice(r.name.lastIndexOf("@")) : r.name),
    h("span", { class: "quiet" },
      r.games ? ` ${count(r.wins)} of ${count(r.games)} won` : r === next ? " beat it next"
        : "")))));
  }
}
