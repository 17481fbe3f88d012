// Draws what stands on a board, in cells of side 1: one drawing for each form that package engine
// names. Facing is in eighths of a turn clockwise from up.
import { colour, dark } from "clade/ui.js";

// inks are the entries of the engine's palette before those of the seats, as colours of the theme.
const inks = ["board", "ink", "board-line", "board-veil", "goods", "hazard"];
const seats = 6, tints = 22, ramp = 38; // where they begin in the palette
const moving = new Set(["ant", "fox", "hen", "viper", "walker", "blob", "disc", "units"]);

// mix returns the colour a share of the way from one rgb(…) to another.
export function mix(from, to, share) {
  const [a, b] = [from, to].map((c) => c.match(/\d+/g).map(Number));
  return `rgb(${a.slice(0, 3).map((v, i) => Math.round(v + (b[i] - v) * share)).join(" ")})`;
}

const rgb = (hex) => `rgb(${hex.match(/\w\w/g).map((v) => parseInt(v, 16)).join(" ")})`;

// shorter returns a way round a ring of n cells as the shorter one.
const shorter = (way, n) => (2 * Math.abs(way) > n ? way - Math.sign(way) * n : way);

// mover tells whether pieces of a kind go from cell to cell.
export const mover = (kind) => moving.has(kind.form);

export class Painter {
  constructor(plan, seatColours) {
    this.plan = plan;
    this.given = seatColours.map(rgb);
    this.size = [plan.columns, plan.rows]; // of the drawing
    this.tilt = [1, 0, 0, 1, 0, 0]; // from cells to the drawing
    this.retheme();
  }

  // retheme takes the colours of the page as it is now.
  retheme() {
    this.inks = inks.map((name) => colour(name));
    this.shades = [colour("board-least"), colour("board-most")];
    this.seats = this.given.map((c) => (dark() ? mix(c, "rgb(255 255 255)", 0.28) : c));
  }

  // seat returns the colour of a seat: that of its picture, else that of the engine's order.
  seat(i) { return this.seats[i] ?? colour(`series-${(this.plan.seats?.[i] ?? i) % 7}`); }

  // turn turns a torus so that a cell comes to its middle.
  turn(cell) {
    this.from = this.origin ?? cell;
    this.origin = cell;
  }

  // shift is how far the board is turned, at a share of the way from how it was before.
  shift(share) {
    const { columns, rows, torus } = this.plan;
    if (!this.origin || !torus) return [0, 0];
    return [columns, rows].map((n, i) => {
      const to = this.origin[i];
      return (n - 1) / 2 - to + shorter(to - this.from[i], n) * (1 - share);
    });
  }

  // ink returns the colour of a piece.
  ink(kind, seat) {
    const n = kind.colour;
    if (seat >= 0) return this.seat(seat);
    if (n < seats) return this.inks[n];
    if (n < tints) return this.seat(n - seats);
    if (n < ramp) return mix(this.seat(n - tints), this.inks[0], 0.6);
    return mix(...this.shades, (n - ramp) / 31);
  }

  // draw draws the board: pieces that moved at a share of their way from where they were.
  draw(c, pieces, moves, share) {
    const { plan } = this;
    c.fillStyle = this.inks[0];
    c.fillRect(0, 0, plan.columns, plan.rows);
    if (plan.edges) this.graph(c);
    else this.grid(c);
    const byKind = plan.kinds.map(() => []);
    for (const p of pieces) byKind[p.kind].push(p);
    for (const all of byKind) {
      const { form } = plan.kinds[all[0]?.kind] ?? {};
      if (form === "units") this.units(c, all, moves, share);
      else for (const p of all) this.piece(c, p, moves?.get(p), share);
    }
  }

  grid(c) {
    const { columns, rows } = this.plan;
    c.strokeStyle = this.inks[2];
    c.lineWidth = 0.03;
    c.beginPath();
    for (let x = 0; x <= columns; x++) {
      c.moveTo(x, 0);
      c.lineTo(x, rows);
    }
    for (let y = 0; y <= rows; y++) {
      c.moveTo(0, y);
      c.lineTo(columns, y);
    }
    c.stroke();
  }

  graph(c) {
    const { labels, edges } = this.plan;
    c.strokeStyle = this.inks[3];
    c.lineWidth = 0.02;
    c.beginPath();
    for (const [a, b] of edges) {
      c.moveTo(labels[a].x + 0.5, labels[a].y + 0.5);
      c.lineTo(labels[b].x + 0.5, labels[b].y + 0.5);
    }
    c.stroke();
    for (const { name, x, y } of labels) {
      c.fillStyle = this.inks[0];
      disc(c, x + 0.5, y + 0.5, 0.2);
      c.stroke();
      c.fillStyle = this.inks[3];
      text(c, name, x + 0.1, y + 0.1, 0.12);
    }
  }

  // place returns where a piece is to be drawn, on a torus the shorter way round.
  place(p, from, share = 1) {
    const { columns, rows, torus } = this.plan;
    const [right, down] = this.shift(share);
    return [[p.x, from?.x, columns, right], [p.y, from?.y, rows, down]].map(([to, was, n, by]) => {
      const way = from ? to - was : 0;
      const at = to - (torus ? shorter(way, n) : way) * (1 - share) + by;
      return by && (at < -0.5 || at >= n - 0.5) ? at - Math.floor((at + 0.5) / n) * n : at;
    });
  }

  piece(c, p, from, share) {
    const kind = this.plan.kinds[p.kind];
    const [x, y] = this.place(p, from, share);
    c.save();
    c.translate(x + 0.5, y + 0.5);
    this.form(c, kind, p);
    c.restore();
  }

  // mark draws a piece alone, in a square of side 1.
  mark(c, p) { this.piece(c, p); }

  // form draws a kind of pieces around the point of origin.
  form(c, kind, p) {
    const ink = this.ink(kind, p.seat);
    for (const form of kind.form.split("+")) {
      c.save();
      c.fillStyle = c.strokeStyle = ink;
      if (turning.has(form) && p.facing > 0) c.rotate((p.facing * Math.PI) / 4);
      (forms[form] ?? forms.disc)(c, this, p, kind);
      c.restore();
    }
    if (kind.letter) {
      c.fillStyle = this.inks[0];
      text(c, kind.letter, 0, 0, 0.42);
    }
  }

  // units draws what each seat has on a cell as a disc that is cut like a cake, with the numbers.
  units(c, all, moves, share) {
    const cells = new Map();
    for (const p of all) {
      const [x, y] = this.place(p, moves?.get(p), share);
      const key = `${x} ${y}`;
      if (!cells.has(key)) cells.set(key, { x: x + 0.5, y: y + 0.5, parts: [] });
      cells.get(key).parts.push(p);
    }
    const most = Math.max(...all.map((p) => p.number));
    for (const { x, y, parts } of cells.values()) {
      parts.sort((a, b) => a.seat - b.seat);
      const sum = parts.reduce((n, p) => n + p.number, 0);
      const r = 0.24 + 0.18 * Math.sqrt(Math.min(1, sum / Math.max(most, 1)));
      let angle = -Math.PI / 2;
      for (const p of parts) {
        const to = angle + (2 * Math.PI * p.number) / sum;
        c.fillStyle = this.seat(p.seat);
        c.beginPath();
        if (parts.length > 1) c.moveTo(x, y);
        c.arc(x, y, r, angle, to);
        c.fill();
        angle = to;
      }
      c.fillStyle = this.inks[0];
      text(c, parts.map((p) => p.number).join(":"), x, y, parts.length > 1 ? 0.17 : 0.24);
    }
  }
}

export function disc(c, x, y, r, high = r) {
  c.beginPath();
  c.ellipse(x, y, r, high, 0, 0, 7);
  c.fill();
}

function text(c, words, x, y, size) {
  c.save();
  c.translate(x, y);
  c.scale(size / 32, size / 32); // browsers set no type of less than a pixel well
  c.font = "650 32px system-ui, sans-serif";
  c.textAlign = "center";
  c.textBaseline = "middle";
  c.fillText(words, 0, 1);
  c.restore();
}

function line(c, width, ...points) {
  c.lineWidth = width;
  c.lineCap = c.lineJoin = "round";
  c.beginPath();
  for (let i = 0; i < points.length; i += 2) c.lineTo(points[i], points[i + 1]);
  c.stroke();
}

export function shape(c, ...points) {
  c.beginPath();
  for (let i = 0; i < points.length; i += 2) c.lineTo(points[i], points[i + 1]);
  c.closePath();
  c.fill();
}

const turning = new Set(["ant", "walker", "flytrap"]);

// eyes are two, with pupils that look up.
function eyes(c, y, apart, r) {
  c.fillStyle = "#fff";
  for (const x of [-apart, apart]) disc(c, x, y, r);
  c.fillStyle = "#16181c";
  for (const x of [-apart, apart]) disc(c, x, y - r * 0.25, r * 0.5);
}

const forms = {
  filled: (c) => c.fillRect(-0.5, -0.5, 1, 1),
  wash: (c) => {
    c.globalAlpha = 0.2;
    c.fillRect(-0.5, -0.5, 1, 1);
  },
  // each seat's in a corner of its own, so that trails of several are seen
  dot: (c, _, { seat }) => {
    const corner =
      [[-0.32, 0.32], [0.32, 0.32], [-0.32, -0.32], [0.32, -0.32]][seat < 0 ? 0 : seat % 4];
    disc(c, ...corner, 0.075);
  },
  grain: (c, painter, p, { form }) => {
    if (form !== "grain") c.fillStyle = painter.inks[4]; // on something that has the kind's colour
    disc(c, 0, 0.02, 0.2, 0.22);
    c.globalAlpha = 0.5;
    c.fillStyle = "#fff";
    disc(c, -0.06, -0.07, 0.05);
  },
  disc: (c) => disc(c, 0, 0, 0.38),
  spark: (c) =>
    shape(c,
      ...Array.from({ length: 16 },
        (_, i) => [Math.sin(i * Math.PI / 8), -Math.cos(i * Math.PI / 8)]
    .map((v) => v * (i % 2 ? 0.2 : 0.42))).flat()),
  cross: (c) => {
    line(c, 0.12, -0.28, -0.28, 0.28, 0.28);
    line(c, 0.12, 0.28, -0.28, -0.28, 0.28);
  },
  pips: (c, painter, { number }) => {
    c.scale(0.7, 0.7);
    c.fillStyle = painter.inks[0];
    c.lineWidth = 0.04;
    c.beginPath();
    c.roundRect(-0.34, -0.34, 0.68, 0.68, 0.14);
    c.fill();
    c.stroke();
    c.fillStyle = c.strokeStyle;
    const places =
      [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]][number];
    if (!places) text(c, String(number), 0, 0, 0.4);
    for (const i of places ?? []) disc(c, 0.18 * (i % 3 - 1), 0.18 * (Math.floor(i / 3) - 1),
      0.065);
  },
  ant: (c) => {
    for (const side of [-1, 1]) {
      for (const [y, out, to] of [[-0.06, 0.3, -0.2], [0.02, 0.34, 0.06], [0.1, 0.3, 0.3]]) {
        line(c, 0.035, side * 0.05, y, side * 0.2, (y + to) / 2, side * out, to);
      }
      line(c, 0.03, side * 0.04, -0.26, side * 0.1, -0.37, side * 0.2, -0.42);
    }
    disc(c, 0, 0.22, 0.145, 0.2);
    disc(c, 0, -0.01, 0.09, 0.12);
    disc(c, 0, -0.22, 0.12, 0.11);
    c.fillStyle = "#fff";
    for (const side of [-1, 1]) disc(c, side * 0.06, -0.25, 0.03);
  },
  fox: (c) => {
    shape(c, -0.4, -0.4, -0.1, -0.24, 0.1, -0.24, 0.4, -0.4, 0.34, 0.02, 0, 0.4, -0.34, 0.02);
    c.fillStyle = "#fff";
    shape(c, -0.32, 0.04, -0.08, 0.08, 0, 0.3, -0.02, 0.38);
    shape(c, 0.32, 0.04, 0.08, 0.08, 0, 0.3, 0.02, 0.38);
    c.fillStyle = "#16181c";
    for (const side of [-1, 1]) disc(c, side * 0.14, -0.05, 0.045);
    disc(c, 0, 0.34, 0.06, 0.05);
  },
  hen: (c) => {
    const ink = c.fillStyle;
    c.fillStyle = "#c8281e";
    for (const x of [0.1, 0.2, 0.28]) disc(c, x, -0.36 + Math.abs(x - 0.19) * 0.5, 0.065);
    c.fillStyle = ink;
    shape(c, -0.44, -0.2, -0.2, 0.0, -0.12, 0.24, -0.34, 0.16);
    disc(c, -0.02, 0.14, 0.3, 0.24);
    disc(c, 0.18, -0.16, 0.17);
    c.fillStyle = "#e6a000";
    shape(c, 0.32, -0.2, 0.46, -0.12, 0.32, -0.06);
    c.strokeStyle = "#e6a000";
    for (const x of [-0.08, 0.06]) line(c, 0.04, x, 0.36, x, 0.46);
    c.fillStyle = "#fff";
    disc(c, 0.21, -0.19, 0.05);
    c.fillStyle = "#16181c";
    disc(c, 0.22, -0.19, 0.025);
  },
  viper: (c) => {
    c.lineWidth = 0.15;
    c.lineCap = "round";
    c.beginPath();
    c.moveTo(-0.36, 0.36);
    c.bezierCurveTo(0.3, 0.5, 0.5, 0.16, 0.02, 0.12);
    c.bezierCurveTo(-0.46, 0.08, -0.4, -0.26, 0.08, -0.2);
    c.stroke();
    disc(c, 0.16, -0.22, 0.19, 0.14);
    c.strokeStyle = "#c8281e";
    line(c, 0.03, 0.34, -0.2, 0.42, -0.2, 0.47, -0.25);
    line(c, 0.03, 0.42, -0.2, 0.47, -0.15);
    c.fillStyle = "#fff";
    disc(c, 0.2, -0.27, 0.05);
    c.fillStyle = "#16181c";
    disc(c, 0.21, -0.27, 0.025, 0.045);
  },
  walker: (c) => {
    for (const side of [-1, 1]) disc(c, side * 0.3, 0.02, 0.1, 0.16);
    disc(c, 0, 0.06, 0.3, 0.34);
    shape(c, -0.18, -0.22, 0, -0.47, 0.18, -0.22);
    eyes(c, -0.12, 0.12, 0.1);
  },
  blob: (c, painter, { number }) => {
    c.beginPath();
    for (let i = 0; i <= 48; i++) {
      const a = (i * Math.PI) / 24;
      const r = 0.36 + 0.05 * Math.sin(3 * a) + 0.03 * Math.cos(5 * a);
      c.lineTo(r * Math.cos(a), r * Math.sin(a));
    }
    c.fill();
    c.fillStyle = painter.inks[0];
    if (number) text(c, String(number), 0, 0, 0.3);
    else disc(c, 0.08, -0.06, 0.1);
  },
  apple: (c) => {
    c.fillStyle = "#c8281e";
    disc(c, -0.1, 0.08, 0.22, 0.28);
    disc(c, 0.1, 0.08, 0.22, 0.28);
    c.strokeStyle = "#7a5230";
    line(c, 0.06, 0, -0.12, 0.04, -0.34);
    c.fillStyle = "#3f9142";
    disc(c, 0.16, -0.28, 0.13, 0.07);
  },
  flytrap: (c) => {
    c.fillStyle = "#3f9142";
    disc(c, 0, 0, 0.38);
    c.fillStyle = "#c8281e";
    shape(c, -0.24, -0.34, 0, 0.08, 0.24, -0.34);
    c.fillStyle = "#fff";
    for (const [x, y] of [[-0.2, -0.26], [-0.12, -0.12], [0.2, -0.26], [0.12, -0.12]]) disc(c, x,
      y, 0.04);
  },
  chest: (c) => {
    c.fillStyle = "#8a5a2c";
    c.fillRect(-0.36, -0.24, 0.72, 0.52);
    c.fillStyle = "#f4c430";
    c.fillRect(-0.36, -0.04, 0.72, 0.07);
    c.fillRect(-0.07, -0.1, 0.14, 0.2);
  },
  thicket: (c) => {
    for (const [x, y, r, ink] of [[-0.2, 0.14, 0.27, "#4c7a4f"], [0.22, 0.16, 0.26, "#3f6c46"],
      [0, -0.16, 0.3, "#5d8d5b"]]) {
      c.fillStyle = ink;
      disc(c, x, y, r);
    }
  },
  wall: (c) => {
    c.fillStyle = "#6f7886";
    c.fillRect(-0.5, -0.5, 1, 1);
    c.fillStyle = "#8e97a5";
    c.fillRect(-0.5, -0.5, 1, 0.16);
    c.fillStyle = "#565e6a";
    c.fillRect(-0.5, 0.4, 1, 0.1);
  },
  thorns: (c) => {
    c.fillStyle = "#5b2a3c";
    disc(c, 0, 0.2, 0.42, 0.2);
    for (const [x, y] of [[-0.28, -0.08], [-0.12, -0.3], [0.06, -0.44], [0.22, -0.22],
      [0.34, -0.02]]) {
      c.fillStyle = "#b8436a";
      shape(c, x - 0.08, 0.26, x, y, x + 0.08, 0.26);
    }
  },
  mud: (c) => {
    c.fillStyle = "#a98a5e";
    c.globalAlpha = 0.75;
    c.fillRect(-0.5, -0.5, 1, 1);
    c.fillStyle = "#7d6340";
    for (const [x, y, r] of [[-0.2, -0.16, 0.16], [0.2, 0.1, 0.2], [-0.16, 0.3, 0.12]]) disc(c, x,
      y, r, r / 2);
  },
  fog: (c) => {
    c.globalAlpha = 0.45;
    for (const [x, y, r] of [[-0.16, 0.06, 0.28], [0.18, 0.1, 0.28], [0, -0.16, 0.26]]) disc(c, x,
      y, r);
  },
  shrine: (c) => { // a gate
    for (const x of [-0.24, 0.24]) line(c, 0.11, x, -0.3, x, 0.42);
    line(c, 0.09, -0.34, -0.08, 0.34, -0.08);
    shape(c, -0.46, -0.42, 0, -0.36, 0.46, -0.42, 0.4, -0.22, -0.4, -0.22);
  },
  amount: (c, painter, { number }) => {
    c.fillStyle = mix(...painter.shades, number / 220);
    c.fillRect(-0.5, -0.5, 1, 1);
  },
};
