// A matrix of points, from blue for none through white for one half to orange for all. A cell is a
// link to its game; the arrow keys walk from cell to cell.
import { h, percent, colour } from "clade/ui.js";
import { go } from "clade/app.js";

// shade is the colour of a share of points, as its parts. Both themes draw the middle as paper.
export function shade(v, paper) {
  const ends = [[0, 114, 178], [213, 94, 0]];
  const end = v < 0.5 ? ends[0] : ends[1];
  const far = Math.min(1, Math.abs(v - 0.5) * 2);
  return end.map((c, i) => Math.round(paper[i] + (c - paper[i]) * far));
}

// inkOn is black or white, whichever has more contrast to a colour, as WCAG 2 counts it.
export function inkOn(parts) {
  const light = [0.2126, 0.7152, 0.0722].reduce((sum, share, i) => sum + share *
    (parts[i] <= 10 ? parts[i] / 3294.6 : ((parts[i] / 255 + 0.055) / 1.055) ** 2.4), 0);
  return light < 0.179 ? "#fff" : "#000";
}

// matrix draws points[row][column], null for none. names(i) tells what a row or a column is, href
// gives a cell's link, labels name rows and columns at the edge, axes say what they are. Row 0 is
// at
// the foot with up set. mark keeps the cell that is pointed at, for a matrix that is drawn anew.
/** @param {any} what */
export function matrix(what) {
  const { points, names, href, title, up = false, size = 380, labels, axes, mark = {} } = what;
  const n = points.length;
  const canvas = h("canvas", { class: "matrix", tabindex: 0, role: "img", "aria-label": title });
  const words =
    h("p", { class: "reading quiet", role: "status" },
      "Point at a cell to read it; a click opens its game.");
  const side = Math.min(56, Math.max(6, Math.floor(size / n)));
  const font = "12px system-ui, sans-serif";
  const measure = document.createElement("canvas").getContext("2d");
  measure.font = font;
  const left =
    Math.min(150, 8 + Math.max(...points.map((_, i) => measure.measureText(labels[0](i)).width)));
  const every = Math.max(1, Math.ceil((8 + measure.measureText(labels[1](n - 1)).width) / side));
  const tall = Math.max(1, Math.ceil(15 / side));
  const last = measure.measureText(labels[1](n - 1)).width; // its half may stand out
  const [width, height] = [left + side * n + 2 + Math.max(0, (last - side) / 2), side * n + 20];
  let at = mark.at ?? null;
  const draw = () => {
    const ratio = devicePixelRatio || 1;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    canvas.style.width = `${width}px`;
    canvas.style.aspectRatio = `${width} / ${height}`; // narrower where there is no room
    const c = canvas.getContext("2d");
    c.scale(ratio, ratio);
    c.font = font;
    c.fillStyle = colour("quiet");
    for (let i = 0; i < n; i++) {
      c.textAlign = "right";
      if (i % tall === 0) c.fillText(labels[0](i), left - 5,
        ((up ? n - 1 - i : i) + 0.5) * side + 4, left - 5);
      c.textAlign = "center";
      if (i % every === 0) c.fillText(labels[1](i), left + (i + 0.5) * side, side * n + 14);
    }
    c.translate(left, 0);
    const dark = getComputedStyle(canvas).colorScheme.includes("dark")
      && !getComputedStyle(canvas).colorScheme.includes("light")
      || (document.documentElement.dataset.theme === "system"
        && matchMedia("(prefers-color-scheme: dark)").matches);
    const paper = dark ? [40, 45, 51] : [247, 247, 247];
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < n; k++) {
        if (points[i][k] === null) continue;
        const parts = shade(points[i][k], paper);
        c.fillStyle = `rgb(${parts.join(" ")})`;
        c.fillRect(k * side, (up ? n - 1 - i : i) * side, side - (side > 8 ? 1 : 0),
          side - (side > 8 ? 1 : 0));
        if (side >= 34) {
          c.fillStyle = inkOn(parts);
          c.textAlign = "center";
          c.fillText((100 * points[i][k]).toFixed(0), (k + 0.5) * side,
            ((up ? n - 1 - i : i) + 0.5) * side + 4);
        }
      }
    }
    if (at) {
      c.strokeStyle = dark ? "#fff" : "#000";
      c.lineWidth = 2;
      c.strokeRect(at.k * side + 1, (up ? n - 1 - at.i : at.i) * side + 1, side - 2, side - 2);
    }
  };
  const select = (i, k) => {
    at = mark.at = i >= 0 && i < n && k >= 0 && k < n ? { i, k } : null;
    if (at) {
      const v = points[i][k];
      words.textContent = v === null ? `${names(i)} against ${names(k)}: not played`
        : `${names(i)} takes ${percent(v)} of the points against `
          + `${names(k)}${i === k ? "" : "; open its game"}`;
    }
    draw();
  };
  const cell = (e) => {
    const box = canvas.getBoundingClientRect();
    const scale = width / box.width;
    const k = Math.floor(((e.clientX - box.left) * scale - left) / side);
    const row = Math.floor((e.clientY - box.top) * scale / side);
    return [up ? n - 1 - row : row, k];
  };
  const open = () => {
    const to = at && at.i !== at.k && points[at.i][at.k] !== null ? href?.(at.i, at.k) : null;
    if (to) go(to);
  };
  canvas.addEventListener("pointermove", (e) => select(...cell(e)));
  canvas.addEventListener("click", (e) => {
    select(...cell(e));
    open();
  });
  canvas.addEventListener("keydown", (e) => {
    const steps =
      { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [up ? 1 : -1, 0],
        ArrowDown: [up ? -1 : 1, 0] };
    if (e.key === "Enter") open();
    const step = steps[e.key];
    if (!step) return;
    e.preventDefault();
    e.stopPropagation();
    const from = at ?? { i: 0, k: 0 };
    select(Math.min(n - 1, Math.max(0, from.i + step[0])),
      Math.min(n - 1, Math.max(0, from.k + step[1])));
  });
  document.addEventListener("themechange", draw);
  if (at) select(at.i, at.k);
  else draw();
  return h("div", { class: "matrices" }, canvas,
    axes ? h("p", { class: "reading quiet" }, `↑ ${axes[0]}, → ${axes[1]}`) : null, words);
}
