// Why a bred player chose: candidates with their utilities, drawn on the board, and the tree with
// the
// values of its nodes.
import { link, go } from "clade/app.js";
import { h, replace, refresh, rove, say, dialog, field, colour, count, percent,
  interval } from "clade/ui.js";
import { shortName } from "clade/runs.js";
import { download } from "clade/save.js";
import { handlesOf } from "clade/handles.js";
import { learnt } from "clade/learnt.js";

export class Why {
  constructor(page, watch) {
    this.page = page;
    this.watch = watch;
    this.tells = watch.game.tells.some(Boolean);
    this.element = h("section", { class: "why", "aria-label": "Why" });
    this.species = new Map(); // by seat: the text of a changed species
    this.asked = 0; // what comes late for another question is not drawn
    this.undone = 0;
    this.pick = {}; // which choice of the step: seat, number
    this.idle = new Map(); // by seat: nodes that never mattered
    if (!this.tells) {
      replace(this.element, h("h2", {}, "Why"),
        h("p", { class: "quiet" }, watch.game.players.length > 0
        ? "Nobody here weighs moves or keeps notes, so that no reasons can be told." : ""));
    }
  }

  params(more = {}) { return { ...this.watch.params, ...more }; }

  // show tells about the decision that was made at a step.
  async show(step) {
    if (!this.tells) return;
    if (step !== this.step) this.pick = this.page.query.get("seat") && this.step === undefined
      ? { seat: this.page.query.get("seat"), number: this.page.query.get("number") } : {};
    this.step = step;
    this.candidate = null;
    await this.ask();
  }

  async ask() {
    const mine = ++this.asked;
    this.element.setAttribute("aria-busy", "true");
    /** @type {WatchReason} */
    let v;
    try {
      v = await this.page.get("why",
        this.params({ at: this.step, ...this.pick, candidate: this.candidate }));
    } catch (err) {
      if (this.page.signal.aborted || mine !== this.asked) return;
      this.element.removeAttribute("aria-busy");
      replace(this.element, h("h2", {}, "Why"), h("p", { class: "quiet" }, err.message));
      return;
    }
    if (this.page.signal.aborted || mine !== this.asked) return;
    this.reason = v;
    this.changed = null;
    if (v.candidates && this.species.has(v.seat)) {
      await this.change(-1, "");
      if (mine !== this.asked) return;
    }
    this.element.removeAttribute("aria-busy");
    this.draw();
    const { board } = this.watch;
    if (v.actor && board.fits) board.choose(...v.actor.map((n) => n * board.look.scale));
    if (v.tree) this.loadIdle(v.seat);
  }

  // next goes on to the next decision of the step.
  next() {
    const others = this.reason?.others ?? [];
    if (others.length < 2) return;
    const i =
      others.findIndex((o) => o.seat === this.reason.seat && o.number === this.reason.number);
    const to = others[(i + 1) % others.length];
    this.pick = { seat: to.seat, number: to.number };
    this.candidate = null;
    this.ask();
  }

  // point asks for the decision of who stands at a pixel of the picture of scale 1, if somebody
  // does.
  async point(x, y) {
    if (!this.tells || this.page.saved || (this.reason?.others ?? []).length < 2) return;
    const { step } = this;
    const v = await this.page.get("why", this.params({ at: step, x, y })).catch(() => ({}));
    if (!v.candidates || this.step !== step || this.page.signal.aborted) return;
    this.pick = { seat: v.seat, number: v.number };
    this.candidate = null;
    this.ask();
  }

  async loadIdle(seat) {
    if (this.idle.has(seat)) return;
    this.idle.set(seat, null);
    try {
      this.idle.set(seat, await this.page.get("why/idle", this.params({ seat })));
      if (!this.page.signal.aborted && this.reason?.seat === seat) this.cross();
    } catch {}
  }

  get told() { return this.changed?.here ?? this.reason; }

  draw() {
    const v = this.told;
    this.watch.board.handles = null;
    const { game } = this.watch;
    const others = this.reason.others ?? [];
    this.element.querySelector(".ago")?.remove();
    if (!v.candidates) {
      const ago = this.step - this.drawnAt;
      const why = this.watch.at === this.watch.last ? "The game is over."
        : "Nobody decides at this step whose reasons could be told.";
      this.watch.board.overlay(null);
      if (ago > 0) { // what was told last stays, in grey
        for (const e of this.element.children) e.inert = true;
        this.element.prepend(h("p", { class: "ago" },
          `${why} What follows is of ${count(ago)} step${ago > 1 ? "s" : ""} ago.`));
      } else {
        replace(this.element, h("h2", {}, "Why"), h("p", { class: "quiet" }, why));
      }
      return;
    }
    this.drawnAt = this.step; // the step of the reasons that stand there
    const order = v.candidates.map((_, i) => i)
      .sort((a, b) => (num(v.candidates[b].utility) - num(v.candidates[a].utility)) || a - b);
    const finite = v.candidates.map((c) => num(c.utility)).filter(Number.isFinite);
    const low = Math.min(...finite), high = Math.max(...finite);
    const { digits } = this;
    const share = (u) => (Number.isFinite(u) && high > low ? (u - low) / (high - low) : 1);
    const top = v.candidates.filter((c) => num(c.utility) === num(v.candidates[v.chosen].utility))
      .length;
    const was = this.reason.candidates[this.reason.chosen].name;
    const is = v.candidates[v.chosen].name;
    refresh(this.element,
      h("div", { class: "whyhead" }, h("h2", {}, "Why"),
        h("span", { class: "name quiet", title: game.players[v.seat] },
          shortName(game.players[v.seat])), h("span", { class: "gap" }),
        h("label", { class: "field small" },
          h("input", { type: "checkbox", checked: digits, onchange: (e) => {
          this.digits = e.target.checked;
          this.draw();
        } }), "digits"),
        others.length > 1
          ? h("button",
            { onclick: () => this.next(),
              title: "Next decision (w); a click on the board chooses whose" },
          `decision ${1 + others.findIndex((o) => o.seat === this.reason.seat
            && o.number === this.reason.number)} of ${count(others.length)} ›`) : null),
      h("p", { class: "sentence" }, "takes ", h("b", {}, is),
        is !== was ? h("span", { class: "changed" }, ` (as bred: ${was})`) : null,
        ` of ${count(v.candidates.length)}`,
        top > 1 && !v.note
          ? h("span", { class: "tie" }, `, one of ${count(top)} that are worth the same`) : null,
        v.note ? `: ${v.note}` : "", top > 1 ? null : this.contrast(v), this.searched()),
      rove(h("div",
        { class: digits ? "candidates digits" : "candidates", role: "listbox",
          "aria-label": "Candidates by utility" }, order.slice(0, 60).map((i) => {
        const c = v.candidates[i];
        return h("button",
          { class: i === v.chosen ? "candidate chosen" : "candidate", role: "option",
          "aria-selected": i === v.shown ? "true" : "false",
            onclick: () => { this.candidate = i; this.again(); },
          title: `${c.name}: ${short(c.utility)}`,
          onpointerenter: () => this.mark(null, i), onpointerleave: () => this.mark(),
          onfocus: () => this.mark(null, i), onblur: () => this.mark() },
        h("span",
          { class: "bar1", style: { width: `${(100 * share(num(c.utility))).toFixed(1)}%` } }),
        h("span", { class: "cname" }, c.name),
          h("span", { class: "cvalue" }, digits ? short(c.utility) : brief(c.utility)));
      })), ".candidate", "[aria-selected=true]"),
      v.tree ? this.tree(v) : h("p", { class: "quiet" }, "No tree scores this candidate."),
      this.page.saved || !v.tree || !/^run:/.test(game.players[v.seat]) ? null
        : learnt(this.page, this.watch.params, this.reason, (c) => this.asChampion(c)),
      this.edits(v));
    this.as = null;
    if (v.tree) this.cross();
    const at = this.element.contains(document.activeElement)
      ? /** @type {HTMLElement} */ (document.activeElement.closest(".node")) : null;
    this.mark(v.tree?.find((n) => n.index === Number(at?.dataset.index)));
  }

  // searched says what a search would have taken, where it expects 2 % of a win more of that.
  searched() {
    const { prospects, candidates, chosen } = this.reason;
    if (!prospects) return null;
    const most = Math.max(...prospects);
    const lost = most - prospects[chosen];
    return lost < 0.02 ? null : [h("span", { class: lost > 0.1 ? "changed" : "quiet" },
      " · A search would take ", h("b", {}, candidates[prospects.indexOf(most)].name),
      `, and expects ${percent(lost, 0)} of a win more.`)];
  }

  // contrast says by how much the choice was taken before the next best, and what made the
  // difference.
  contrast(v) {
    const { contrast } = v;
    if (!contrast || typeof contrast.margin !== "number") return null;
    const rival = v.candidates[contrast.rival].name;
    const value = (d, x) => (d.type === "Bool" ? (num(x) ? "true" : "false") : brief(x));
    const why = (contrast.why ?? []).map((d, i) => [i === 0 ? ", because " : "; ",
      h("button",
        { class: "link code", onclick: () => this.find(d.index),
          onpointerenter: () => this.light(d.index),
        onpointerleave: () => this.light() }, d.text),
      ` is ${value(d, d.here)} there and ${value(d, d.there)} for ${rival}`,
      h("span", { class: "quiet" }, ` (+${brief(d.worth)})`)]);
    return [`, ${brief(contrast.margin)} before `, h("b", {}, rival),
      why.length > 0 || !v.tree ? why : ", though no single sense makes the difference", "."];
  }

  // find shows a node of the tree that scored what was taken.
  async find(index) {
    if (this.candidate !== null && this.candidate !== this.told.chosen) {
      this.candidate = null;
      await this.ask();
    }
    const node = this.element.querySelector(`.node[data-index="${index}"]`);
    node?.scrollIntoView({ block: "nearest" });
    this.light(index);
  }

  // light marks a node, none without a number, and the area that it senses.
  light(index) {
    for (const n of this.element.querySelectorAll(".node")) n.classList.toggle("found",
      Number(n.dataset.index) === index);
    const v = this.told;
    if (v.shown === v.chosen) this.mark(v.tree?.find((n) => n.index === index));
  }

  // again asks for another candidate's tree, of the changed species if there is one.
  again() {
    if (this.page.saved || this.species.has(this.reason.seat)) {
      if (this.page.saved) this.ask();
      else this.change(-1, "").then((ok) => ok && this.draw());
      return;
    }
    this.ask();
  }

  tree(v) {
    this.note = h("p", { class: "quiet small" });
    const most =
      Math.max(...v.tree.map((n) => Math.abs(num(n.value))).filter(Number.isFinite), 1e-9);
    const alike = v.candidates[v.shown].slot === v.candidates[v.chosen].slot;
    const lit = new Set(alike && num(v.contrast?.margin) > 0
      ? (v.contrast.why ?? []).map((d) => d.index) : []);
    const seek = (text) => {
      const q = text.trim().toLowerCase();
      const hits = [...this.element.querySelectorAll(".node")].filter((n) => {
        const is = q !== "" && n.querySelector(".text")?.textContent.toLowerCase().includes(q);
        n.classList.toggle("found", is);
        return is;
      });
      hits[0]?.scrollIntoView({ block: "nearest" });
    };
    return h("div", {},
      h("div", { class: "bar" }, h("h3", {}, `Tree “${v.slot}” for ${v.candidates[v.shown].name}`),
        this.page.saved ? null : h("span", { class: "quiet small" }, "click a node to change it"),
        h("span", { class: "gap" }),
        h("input",
          { type: "search", placeholder: "find in the tree", "aria-label": "find in the tree",
            size: 12,
          oninput: (e) => seek(e.target.value) })),
      rove(h("div", { class: "tree", role: "tree", "aria-label": `tree ${v.slot}` },
        v.tree.map((n) => h("div", {
        class: ["node", n.taken ? "taken" : "faint", n.cells ? "area" : "",
          lit.has(n.index) ? "lit" : ""].join(" "),
        role: "treeitem", "data-index": n.index, "aria-level": n.depth + 1, tabindex: -1,
        onpointerenter: () => this.mark(n), onpointerleave: () => this.mark(),
        onfocusin: () => this.mark(n), onfocusout: () => this.mark() },
      h("span", { class: "value", title: short(n.value) },
        n.type === "Bool" ? (num(n.value) ? "true" : "false")
        : this.digits ? short(n.value)
          : h("span",
            { class: num(n.value) < 0 ? "minus" : "plus", "aria-label": short(n.value), role: "img",
          style: { width: `${100 * Math.sqrt(Math.min(1, Math.abs(num(n.value)) / most))}%` } })),
      h("span", { class: "rails" }, "│ ".repeat(n.depth)),
      this.page.saved ? h("span", { class: "text" }, n.text)
        : h("button",
          { class: "text", title: "Change it", onclick: (e) => this.edit(e.currentTarget, v, n) },
            n.text)))), this.page.saved ? ".node" : ".node > .text"),
      this.note);
  }

  // cross marks what never mattered in the tree that stands there.
  cross() {
    const v = this.told;
    /** @type {WatchIdle} */
    const idle = this.idle.get(v.seat);
    if (!idle || !v.tree || this.species.has(v.seat)) return;
    const dead = new Set(idle.idle[v.candidates[v.shown].slot]);
    if (dead.size === 0) return;
    for (const node of this.element.querySelectorAll(".node[data-index]")) node.classList.toggle(
      "idle", dead.has(Number(node.dataset.index)));
    replace(this.note, h("span", { class: "node idle inline" }, "dotted"),
      ` nodes (${count(dead.size)} of ${count(v.tree.length)}) made no difference in `
        + `${idle.kept === idle.choices ? "the" : `${count(idle.kept)} of the`} `
      + `${count(idle.choices)} decisions of `
      + `${idle.games > 1 ? `${idle.games} games of these players` : "this game"}; `
      + "in others they may.");
  }

  // edit lets a subtree be written anew.
  edit(button, v, n) {
    if (this.watch.playing) { // the tree of the step that is shown then comes first
      this.watch.pause();
      return;
    }
    if (this.changing) {
      say("The change before is on its way.");
      return;
    }
    const back = () => {
      this.draw();
      this.element.querySelector(`.node[data-index="${n.index}"] button`)?.focus(
        { preventScroll: true });
    };
    const input =
      h("textarea",
        { class: "code", "aria-label": "subtree",
          rows: Math.min(8, 1 + Math.floor(n.code.length / 36)),
          cols: Math.min(36, n.code.length + 2), spellcheck: "false" });
    input.value = n.code;
    const fault = h("span", { class: "refused", role: "alert" });
    const done = async () => {
      if (input.value.trim() === n.code) {
        back();
        return;
      }
      this.changing = true;
      const ok = await this.change(v.candidates[v.shown].slot, input.value, n.index, fault);
      this.changing = false;
      if (ok) back();
    };
    const { board } = this.watch;
    const handles = board.fits && handlesOf(v, n.code, this.tile, {
      written: (code) => { input.value = code; },
      done: async () => {
        await done();
        if (this.species.has(v.seat)) this.element.querySelector(
          `.node[data-index="${n.index}"] button`)?.click();
      } });
    const form = h("span", { class: "edit" }, input, this.slider(n, input, done), fault,
      handles ? h("span", { class: "quiet small" },
        "On the board its middle moves it, its corner sizes it.") : null);
    button.replaceWith(form);
    board.handles = handles;
    board.later();
    input.focus();
    input.select();
    input.addEventListener("keydown", (e) => {
      if (e.key === "Enter" && !e.shiftKey) {
        e.preventDefault();
        done();
      } else if (e.key === "Escape") back();
    });
    form.addEventListener("focusout", () => setTimeout(() => {
      if (form.isConnected && document.hasFocus() && !form.contains(document.activeElement)
        && !this.changing) this.draw();
    }, 150));
  }

  // slider changes a constant by its handle: when it is let go, the change is tried.
  slider(n, input, done) {
    const [, name, value] = /^\((const|constint) (-?[\d.e-]+)\)$/.exec(n.code) ?? [];
    if (!name) return null;
    const [min, max, step] = name === "const" ? [-1, 1, 0.01] : [0, 5, 1];
    return h("input", { type: "range", min, max, step, value, "aria-label": "the constant",
      onkeydown: (e) => e.stopPropagation(), // arrows are the handle's, not steps
      oninput: (e) => { input.value = `(${name} ${e.target.value})`; }, onchange: done });
  }

  // change asks what a change of the species does to this game; slot -1 for what it is already.
  async change(slot, code, node = -1, fault = null) {
    const { seat, number } = this.reason;
    const { step, undone } = this;
    const mine = slot >= 0 ? ++this.asked : this.asked;
    let changed;
    try {
      if (!this.species.has(seat)) {
        const { text } = await this.page.get("why/species", this.params({ seat }));
        this.species.set(seat, text);
      }
      changed = await this.page.post("why/change",
        this.params({ seat, at: step, number, candidate: this.candidate }),
        JSON.stringify({ species: this.species.get(seat), slot, node, code }));
    } catch (err) {
      if (this.page.signal.aborted) return false;
      if (this.changed === null && slot >= 0) this.species.delete(seat);
      if (fault?.isConnected) fault.textContent = err.message;
      else say(err.message);
      return false;
    }
    if (this.page.signal.aborted || undone !== this.undone) return false;
    this.element.removeAttribute("aria-busy");
    if (slot >= 0) {
      this.species.set(seat, changed.species);
      this.tryOut(seat, changed.name);
    }
    if (mine !== this.asked) { // another step is looked at by now
      if (slot >= 0) this.ask();
      return false;
    }
    this.changed = changed;
    return true;
  }

  // tryOut plays a thousand games in the background.
  tryOut(seat, name) {
    this.stop?.();
    this.trial = null;
    this.stop = this.page.stream("why/trial", this.params({ seat, changed: name }), {
      trial: (t) => {
        this.trial = t;
        if (this.trialArea) replace(this.trialArea, this.trialTold());
      },
      fault: (text) => {
        this.trial = { fault: text };
        if (this.trialArea) replace(this.trialArea, this.trialTold());
      },
    });
  }

  trialTold() {
    const t = this.trial;
    if (!t) return h("p", { class: "quiet" }, "A thousand games are being played…");
    if (t.fault) return h("p", { class: "quiet" }, t.fault);
    const row = (name, i) => h("tr", {}, h("th", { scope: "row" }, name),
      h("td", {}, interval(t.shares[i]), percent(t.shares[i].share)),
      h("td", { class: "number" }, `score ${Number(t.scores[i].toPrecision(4))}`));
    const { seat } = this.reason;
    const others = this.watch.game.players.filter((_, i) => i !== seat).map(shortName).join(", ");
    return [h("p", { class: "quiet" },
      `${count(Math.min(t.games, t.of))} of ${count(t.of)} games each against ${others}, on fresh `
        + "boards, won:"),
      h("table", { class: "trial" }, h("tbody", {}, row("as bred", 0), row("changed", 1))),
      t.gain === undefined ? null
        : h("p", { class: "verdict", role: "status" }, verdict(t, others))];
  }

  // edits tells what a change does.
  edits(v) {
    if (this.page.saved || !v.tree && !this.changed) return null;
    const seat = this.reason.seat;
    if (!this.species.has(seat) || !this.changed) {
      return null;
    }
    const c = this.changed;
    const { game } = this.watch;
    this.trialArea = h("div", {}, this.trialTold());
    const list = c.changes ?? [];
    return h("div", { class: "edits" },
      h("h3", {},
        `${count(list.length)} of `
          + `${count(c.kept)}${c.kept < c.choices ? ` (of ${count(c.choices)})` : ""} decisions `
            + `of this game change`),
      h("div", { class: "changes" }, list.slice(0, 100).map((k) => h("button", { class: "link",
        onclick: () => { this.watch.pause(); this.watch.show(this.watch.sceneOf(k.step)); } },
          `step ${k.step}: ${k.from} → ${k.to}`))),
      h("div", { class: "bar" },
        h("button",
          { class: "main", onclick: () => this.goOn(c, seat).catch((err) => say(err.message)),
          title: "the same game from its first changed decision on" }, "Go on with it"),
        h("button", { onclick: () => this.keep(c, seat) }, "Keep on the shelf"),
        h("button",
          { onclick: () => download(`changed-${game.game}.species`, c.species, "text/plain") },
            "Save species"),
        h("button", { onclick: () => this.undo(seat) }, "As bred")),
      this.trialArea);
  }

  // cast is the link of this game with another player in a seat.
  cast(seat, player) {
    const { params, game } = this.watch;
    const { run, generation } = params;
    const settings = game.settings.split("\n").filter((l) => l.includes(" = "))
      .map((l) => l.replace(" = ", "="));
    const players = game.players.map((name, i) => (i === seat ? player : name));
    const of = run ? null : game.game;
    return { run, generation, game: of, set: params.set ?? (run ? null : settings), players,
      seed: game.seed };
  }

  // goOn opens the game as it goes on with the changed player: up to the first decision that it
  // makes otherwise it is this one.
  async goOn(c, seat) {
    const { run, game, set } = this.cast(seat, "");
    const { player } = await this.page.post("species", { run, game, set }, c.species);
    go(link("/game", { ...this.cast(seat, player), step: c.changes?.[0]?.step ?? null }));
  }

  // keep writes the changed species to the shelf under a name.
  keep(c, seat) {
    const { run, game, set } = this.cast(seat, "");
    const was = this.watch.game.players[seat];
    const input =
      h("input",
        { type: "text", size: 24, maxlength: 40, value: `better-${this.watch.game.game}` });
    const told = h("p", { role: "status" });
    const form = h("form", { class: "bar", onsubmit: async (e) => {
      e.preventDefault();
      try {
        const { player } =
          await this.page.post("shelf", { run, game, set, name: input.value }, c.species);
        const of = { game: this.watch.game.game, set };
        replace(told, `It is ${player}. `,
          h("a", { href: link("/league", { ...of, players: [player, was], go: 1 }) },
            "League with the one as bred"), " · ",
          h("a", { href: link("/play", { ...of, players: player }) }, "Play against it"));
      } catch (err) {
        replace(told, h("span", { class: "refused" }, err.message));
      }
    } }, field("name", input), h("button", { class: "main" }, "Keep"));
    const shown = dialog("Keep on the shelf", form, told);
    told.addEventListener("click", (e) => e.target.matches("a") && shown.close());
  }

  undo(seat) {
    this.stop?.();
    this.undone++;
    this.species.delete(seat);
    this.changed = null;
    this.ask();
  }

  // asChampion marks what another champion thinks of this position, none for who plays.
  asChampion(c) {
    const { candidates } = this.reason;
    this.as = c && { ...this.reason, chosen: c.chosen,
      candidates: candidates.map((k, i) => ({ ...k, utility: c.utilities[i] ?? "NaN" })) };
    this.mark();
  }

  // tile is the side of a cell in the picture of scale 1.
  get tile() {
    const { tile, scale } = this.watch.game.looks[0];
    return (tile || scale * 8) / scale;
  }

  // mark draws the candidates on the board, and the area of a node.
  mark(node = null, candidate = null) {
    const v = this.as ?? this.told;
    if (!v?.candidates || this.watch.playing || !this.watch.board.fits) return;
    const { tile } = this;
    const finite = v.candidates.map((c) => num(c.utility)).filter(Number.isFinite);
    const low = Math.min(...finite), high = Math.max(...finite);
    const accent = colour("accent");
    const best = new Map(); // one label a square
    v.candidates.forEach((c, i) => {
      const key = c.at.join();
      const other = best.get(key);
      if (other === undefined || i === candidate || i === v.chosen
        || (other !== v.chosen && other !== candidate
          && num(c.utility) > num(v.candidates[other].utility))) best.set(key, i);
    });
    this.watch.board.overlay((c, scale, k) => {
      c.save();
      c.scale(scale, scale);
      const half = tile % 2 / 2; // a middle that is no corner of pixels
      c.translate(half, half);
      const one = 1 / (k * scale); // a device pixel
      const square =
        (at, inset) =>
          [at[0] - tile / 2 + inset, at[1] - tile / 2 + inset, tile - 2 * inset, tile - 2 * inset];
      for (const at of node?.cells ?? []) {
        c.fillStyle = "rgb(255 0 200 / .28)";
        c.fillRect(...square(at, 0));
        c.strokeStyle = "rgb(200 0 160)";
        c.lineWidth = 2 * one;
        c.strokeRect(...square(at, one));
      }
      const text = tile * k * scale > 34 * (devicePixelRatio || 1);
      for (const i of best.values()) {
        const x = v.candidates[i];
        const u = num(x.utility);
        const part = high > low && Number.isFinite(u) ? (u - low) / (high - low) : 0;
        // a shade for what it is worth
        c.globalAlpha = node?.cells?.length ? 0.06 : 0.04 + 0.2 * part;
        c.fillStyle = i === v.chosen ? "rgb(200 0 160)" : accent;
        c.fillRect(...square(x.at, tile * 0.08));
        c.globalAlpha = node?.cells?.length ? 0.35 : 1;
        c.strokeStyle = i === v.chosen ? "rgb(200 0 160)" : accent;
        c.lineWidth = (i === v.chosen || i === candidate ? 4 : 1.5) * one * (devicePixelRatio || 1);
        c.strokeRect(...square(x.at, tile * 0.08));
        if (!text) continue;
        const size = Math.min(tile * 0.24, 13 * one * (devicePixelRatio || 1));
        c.font = `600 ${size}px system-ui, sans-serif`;
        c.textAlign = "center";
        const label = brief(x.utility);
        const wide = c.measureText(label).width + size * 0.6;
        c.fillStyle = `rgb(255 255 255 / ${0.72 + 0.2 * part})`;
        c.fillRect(x.at[0] - wide / 2, x.at[1] + tile * 0.36 - size * 1.05, wide, size * 1.3);
        c.fillStyle = i === v.chosen ? "rgb(160 0 128)" : "rgb(20 40 60)";
        c.fillText(label, x.at[0], x.at[1] + tile * 0.36);
      }
      c.globalAlpha = 1;
      c.strokeStyle = "rgb(200 0 160)";
      c.lineWidth = 2 * one * (devicePixelRatio || 1);
      c.beginPath();
      c.arc(v.actor[0], v.actor[1], tile * 0.46, 0, 7);
      c.stroke();
      this.watch.board.handles?.draw(c, one);
      c.restore();
    });
  }

  // all fetches what a saved file needs: the reasons of all steps, as far as they are few enough.
  async all() {
    if (!this.tells) return;
    const steps = [...new Set(this.watch.game.steps.slice(0, 4000))].slice(0, 400);
    for (const step of steps) {
      const v = await this.page.get("why", this.params({ at: step, candidate: null }));
      if (v.tree && !this.idle.get(v.seat)) await this.page.get("why/idle",
        this.params({ seat: v.seat }));
    }
  }
}

// verdict says whether a changed player wins more games, and how sure that is.
function verdict(t, others) {
  const points = (v) => `${v > 0 ? "+" : ""}${(100 * v).toFixed(1)}`.replace("-", "−");
  const { gain, low = gain, high = gain } = t;
  const is = low > 0 ? "Better" : high < 0 ? "Worse" : "Not shown to be better or worse";
  const sure = t.low === undefined ? "on every one of"
    : `95 % interval ${points(low)} to ${points(high)}, over`;
  return [h("b", {}, is), ` against ${others}: ${points(gain)} percentage points of wins (${sure} `
    + `${count(t.boards)} boards, which both played).`];
}

// brief writes a number with two digits that count.
function brief(v) {
  return typeof v === "number" ? String(Number(v.toPrecision(2))).replace("-", "−") : short(v);
}

const num = (v) => (typeof v === "number" ? v : v === "+Inf" ? Infinity : -Infinity);

function short(v) {
  if (typeof v !== "number") return v === "NaN" ? "–" : v === "+Inf" ? "∞" : "−∞";
  return String(Number(v.toPrecision(4))).replace("-", "−");
}
