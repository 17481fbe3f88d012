// A rectangle of a tree on the board: its middle is dragged to another place, its corner to another
// size.

const pattern = /\(rect (-?\d+) (-?\d+) (\d+) (\d+)\)/;

// handlesOf returns the handles of the rectangle in the code of a node, null where it has none. v
// is the explanation that the tree is of; written takes the code while a handle is dragged, done
// says that it was let go.
export function handlesOf(v, code, tile, { written, done }) {
  const found = pattern.exec(code);
  if (!found || !v.rects) return null;
  let [x, y, wide, high] = found.slice(1).map(Number);
  const { x: u, y: w, centre, side, side_sum: sum, exact } = v.rects;
  const at = (right, down) => [0, 1].map((i) => v.actor[i] + right * u[i] + down * w[i]);
  // of a way over the board along an axis, in cells
  const along = (by, axis) => (by[0] * axis[0] + by[1] * axis[1]) / (axis[0] ** 2 + axis[1] ** 2);
  const near = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]) < tile * 0.6;
  const within = (n, low, high) => Math.max(low, Math.min(Math.round(n), high));
  // ends returns the first and the last column or row that is covered, as gp.RectRange.Corners does
  const ends = (middle, size) => {
    if (exact) {
      const first = middle - Math.trunc((size - 1) / 2);
      return [first, first + size - 1];
    }
    const less = Math.max(0, Math.trunc((wide + high - sum + 1) / 2));
    return [Math.trunc((2 * middle - size) / 2) + less, Math.trunc((2 * middle + size) / 2)];
  };
  const box = () => [ends(x, wide), ends(y, high)];
  const corner = () => at(...box().map(([, last]) => last + 0.5));

  // grab returns what is done with the pointer from a point of the board on, null for nothing.
  const grab = (from) => {
    const sizing = near(from, corner());
    const here = [u, w].map((axis) => along([0, 1].map((i) => from[i] - v.actor[i]), axis));
    const beside = box().some(([first, last], i) => here[i] < first - 0.6 || here[i] > last + 0.6);
    if (beside && !sizing) return null;
    const was = [x, y, wide, high];
    return {
      to: (point) => {
        const by = [u, w].map((axis) => along([0, 1].map((i) => point[i] - from[i]), axis));
        if (sizing) [wide, high] = by.map((n, i) => within(was[2 + i] + 2 * n, 1, side));
        else [x, y] = by.map((n, i) => within(was[i] + n, -centre, centre));
        written(code.replace(pattern, `(rect ${x} ${y} ${wide} ${high})`));
      },
      drop: done,
    };
  };

  // draw draws them; one is a pixel of the device.
  const draw = (c, one) => {
    const edge = 2 * one * (devicePixelRatio || 1);
    c.strokeStyle = c.fillStyle = "rgb(200 0 160)";
    c.lineWidth = edge;
    c.setLineDash([3 * edge, 2 * edge]);
    c.beginPath();
    const [[left, right], [top, bottom]] = box().map(([first, last]) => [first - 0.5, last + 0.5]);
    const corners = [[left, top], [right, top], [right, bottom], [left, bottom]];
    for (const [to, down] of corners) {
      const [px, py] = at(to, down);
      c.lineTo(px, py);
    }
    c.closePath();
    c.stroke();
    c.setLineDash([]);
    const middle = at((left + right) / 2, (top + bottom) / 2);
    for (const [[px, py], r] of /** @type {[number[], number][]} */ (
      [[middle, 2.5 * edge], [corner(), 4 * edge]])) {
      c.beginPath();
      c.arc(px, py, r, 0, 7);
      c.fill();
    }
  };
  return { grab, draw };
}
