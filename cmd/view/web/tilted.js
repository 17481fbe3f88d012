// A board seen from above its lower corner: cells are rhombi, and what stands on them is upright.
import { Painter, disc, mix, shape } from "clade/painter.js";

const wide = 0.8, high = 0.4; // from the middle of a rhombus to its corners, in cells
const head = 1.2; // room above the farthest cell
const lying = new Set(["filled", "wash", "dot", "mud", "fog", "amount"]);

// painterOf returns who draws a board.
export const painterOf =
  (plan, seatColours) => new (plan.tilted ? Tilted : Painter)(plan, seatColours);

class Tilted extends Painter {
  constructor(plan, seatColours) {
    super(plan, seatColours);
    this.tilt = [wide, high, -wide, high, wide * plan.rows, head];
    this.size = [wide * (plan.columns + plan.rows), high * (plan.columns + plan.rows) + head];
  }

  lies(p) { return this.plan.kinds[p.kind].form.split("+").every((form) => lying.has(form)); }

  draw(c, pieces, moves, share) {
    c.save();
    c.transform(...this.tilt);
    super.draw(c, pieces.filter((p) => this.lies(p)), moves, share);
    c.restore();
    const [a, b, d, e, right, down] = this.tilt;
    const stand = pieces.filter((p) => !this.lies(p)).map((p) => {
      const [x, y] = this.place(p, moves?.get(p), share);
      return { p, x, y };
    }).sort((one, other) => one.x + one.y - other.x - other.y || one.p.kind - other.p.kind);
    for (const { p, x, y } of stand) { // what is farther away first
      c.save();
      c.translate(a * (x + 0.5) + d * (y + 0.5) + right, b * (x + 0.5) + e * (y + 0.5) + down);
      this.form(c, this.plan.kinds[p.kind], p);
      c.restore();
    }
  }

  mark(c, p) {
    if (!this.lies(p)) {
      const tall = ["wall", "walker"].includes(this.plan.kinds[p.kind].form);
      c.translate(...(tall ? [0.27, 0.54] : [0.1, 0.34]));
      c.scale(...(tall ? [0.46, 0.46] : [0.8, 0.8]));
    }
    super.mark(c, p);
  }

  form(c, kind, p) {
    if (this.lies(p)) super.form(c, kind, p);
    else if (kind.form === "wall") wall(c);
    else {
      c.fillStyle = "rgb(0 0 0 / .22)";
      disc(c, 0, 0, 0.5, 0.24);
      if (kind.form === "walker") walker(c, this.ink(kind, p.seat), p.facing);
      else {
        c.translate(0, -0.3);
        super.form(c, kind, { ...p, facing: p.facing < 0 ? p.facing : (p.facing + 1) % 8 });
      }
    }
  }
}

function wall(c) {
  const up = -0.7;
  c.fillStyle = "#6f7886";
  shape(c, -wide, up, 0, up + high, 0, high, -wide, 0);
  c.fillStyle = "#565e6a";
  shape(c, wide, up, 0, up + high, 0, high, wide, 0);
  c.fillStyle = "#8e97a5";
  shape(c, -wide, up, 0, up + high, wide, up, 0, up - high);
}

// walker draws a creature on two feet with a head that looks ahead; from behind one sees no eyes.
function walker(c, ink, facing) {
  const shade = mix(ink, "rgb(0 0 0)", 0.35);
  const x = facing === 0 || facing === 2 ? 1 : -1; // where it looks, to the right and down
  const y = facing === 2 || facing === 4 ? 1 : -1;
  const blob = (colour, ...at) => {
    c.fillStyle = colour;
    disc(c, at[0], at[1], at[2], at[3]);
  };
  c.scale(0.04, 0.04);
  for (const side of [-5, 5]) blob(shade, side, 0, 4, 3);
  const nose = () => blob(shade, 7 * x, -26 + 3 * y, 4, 3);
  if (y < 0) nose();
  blob(ink, 0, -12, 11, 12);
  blob(shade, -4 * x, -10, 6, 9);
  blob(ink, 2 * x, -28, 9, 9);
  if (y < 0) return;
  for (const side of [-2, 5]) {
    blob("#fff", 2 * x + side, -30, 3, 3);
    blob("#16181c", 3 * x + side, -29, 1.4, 2);
  }
  nose();
}
