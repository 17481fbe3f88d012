// What a person does on the board itself: cells that are clicked, and moves from cell to cell.
import { h, refresh } from "clade/ui.js";

const eighths = ["n", "ne", "e", "se", "s", "sw", "w", "nw"];
const ways = { forward: 0, right: 2, backward: 4, left: 6 }; // from where a creature faces
const steps = [[0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1]];

const last = (name) => name.toLowerCase().split(" ").at(-1);

// pointed tells whether an action is done towards a neighbouring cell.
export const pointed = (action) => eighths.includes(last(action.name)) || action.name in ways;

// around returns the actions that are done by a click on a cell beside the actor: pairs of the cell
// and its actions.
export function around(plan, pieces, actor, actions) {
  const faces = pieces.find((p) => p.x === actor[0] && p.y === actor[1] && p.facing >= 0)?.facing;
  const cells = new Map();
  for (const a of actions) {
    let way = eighths.indexOf(last(a.name));
    if (way < 0 && a.name in ways && faces !== undefined) way = (faces + ways[a.name]) % 8;
    if (way < 0) continue;
    let x = actor[0] + steps[way][0];
    let y = actor[1] + steps[way][1];
    if (plan.torus) [x, y] = [(x + plan.columns) % plan.columns, (y + plan.rows) % plan.rows];
    if (x < 0 || y < 0 || x >= plan.columns || y >= plan.rows) continue;
    const key = `${x} ${y}`;
    if (!cells.has(key)) cells.set(key, { x, y, actions: [] });
    cells.get(key).actions.push(a);
  }
  return [...cells.values()];
}

// towards returns which of these cells lies in the direction of a swipe from the actor.
export function towards(plan, actor, cells, right, down) {
  const way = steps[(Math.round(Math.atan2(right, -down) / (Math.PI / 4)) + 8) % 8];
  const [x, y] = [[plan.columns, 0], [plan.rows, 1]].map(([n, i]) => (actor[i] + way[i] + n) % n);
  return cells.find((cell) => cell.x === x && cell.y === y);
}

// spots lays buttons over cells of a board, { x, y, name, pressed, act }, and a ring around the
// cell
// of who acts.
export function spots(board, list, actor = null) {
  const { plan } = board.look;
  const [right, down] = board.painter.shift(1);
  const at = (v, by, n) => `${(100 * ((v + by + 2 * n) % n)) / n}%`;
  board.over ??= board.holder.appendChild(h("div", { class: "spots" }));
  const place = (x, y) => ({ left: at(x, right, plan.columns), top: at(y, down, plan.rows),
    width: `${100 / plan.columns}%`, height: `${100 / plan.rows}%` });
  refresh(board.over, actor ? h("span", { class: "actor", style: place(...actor) }) : null,
    list.map((s) => h("button", { class: "spot", "aria-label": s.name, title: s.name,
      "aria-pressed": s.pressed === undefined ? null : String(s.pressed), onclick: s.act,
        style: place(s.x, s.y) })));
}

// read takes a move on a graph apart: "+c3 a1 b2 3,1" lets c3 grow and moves 3 and 1 units from a1
// to b2.
function read(action, labels) {
  const words = action.name.split(" ");
  const grow = words[0].startsWith("+") ? words.shift().slice(1) : words[0];
  const [from, to, units] = words;
  if (!labels.has(from) || !labels.has(to)) return { action, grow };
  const parts = units?.split(",").map(Number) ?? [];
  return { action, grow, from, to, units, sum: parts.reduce((a, b) => a + b, 0) };
}

// Moves lets a person choose among moves on a graph: a cell to move from, one to move to, and how
// many units.
export class Moves {
  constructor(board, pieces, actions, act) {
    this.board = board;
    this.pieces = pieces;
    this.act = act;
    this.labels = new Map(board.look.plan.labels.map((l) => [l.name, l]));
    this.all = actions.map((a) => read(a, this.labels));
    this.element = h("div", { class: "units" });
    this.from = this.to = null;
    const froms = new Set(this.all.map((m) => m.from).filter(Boolean));
    if (froms.size === 1) [this.from] = froms;
    this.draw();
  }

  // pick takes a click on a cell: the first one says from where, the second one where to.
  pick(name) {
    if (name === this.from) this.from = this.to = null;
    else if (this.from && this.all.some((m) => m.from === this.from && m.to === name)) {
      this.to = name;
    } else if (this.all.some((m) => m.from === name)) {
      this.from = name;
      this.to = null;
    }
    this.draw();
  }

  told(label) {
    const own = this.pieces.filter((p) => p.x === label.x && p.y === label.y && p.number > 0);
    return own.map((p) => `${p.number} of player ${p.seat + 1}`).join(", ") || "empty";
  }

  draw() {
    const { all, from, to } = this;
    const able = new Set(all.flatMap((m) => (from ? [m.from, m.from === from && m.to] : [m.from])));
    spots(this.board,
      [...this.labels.values()].filter((l) => able.has(l.name)).map((l) => ({ x: l.x, y: l.y,
      name: `${l.name}: ${this.told(l)}`, pressed: l.name === from || l.name === to,
      act: () => this.pick(l.name) })));
    const others = all.filter((m) => !m.from);
    refresh(this.element,
      h("p", {}, !from ? "Choose a piece to move." : !to ? `From ${from}: choose where to.` : ""),
      others.map((m) => h("button", { onclick: () => this.act(m.action) }, m.action.name)),
      from && to ? this.amounts() : null);
  }

  // amounts is a slider over how much can move, for each piece that may grow before.
  amounts() {
    const some = this.all.filter((m) => m.from === this.from && m.to === this.to);
    const grows = [...new Set(some.map((m) => m.grow))];
    if (!grows.includes(this.grow)) this.grow = grows.includes(this.from) ? this.from : grows[0];
    const list = some.filter((m) => m.grow === this.grow).sort((a, b) => a.sum - b.sum);
    let now = list.at(-1);
    const said = h("output", {});
    const slider =
      h("input", { type: "range", min: 0, max: list.length - 1, "aria-label": "how many units move",
      oninput: () => choose(Number(slider.value)) });
    const choose = (i) => {
      now = list[i];
      slider.value = i;
      said.textContent = `${now.units} (${now.sum} units)`;
    };
    choose(list.length - 1);
    this.wheel = (by) => choose(Math.max(0, Math.min(list.length - 1, Number(slider.value) + by)));
    this.go = () => this.act(now.action);
    return [grows.length < 2 ? null
      : h("div", { class: "choice", role: "group", "aria-label": "which piece grows" },
      grows.map((g) => h("button", { "aria-pressed": String(g === this.grow), onclick: () => {
        this.grow = g;
        this.draw();
      } }, `${g} grows`))),
    h("div", { class: "bar" }, list.length > 1 ? slider : null, said),
    h("button", { class: "main", onclick: this.go }, `Move ${this.from} → ${this.to} `,
      h("kbd", {}, "Enter"))];
  }
}
