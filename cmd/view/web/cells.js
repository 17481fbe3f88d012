// The board of Life on which a person wakes cells.
import { h, count, colour } from "clade/ui.js";

// life draws a board of cells, own ones and the other side's, on which dead cells are chosen by
// clicks, or by the arrow keys and space. chosen returns them in order. zoomed keeps the part of a
// large board that is looked at from turn to turn.
export function life({ own, enemy }, { width, height, cells: most }, zoomed) {
  const side = Math.max(1, Math.min(12, Math.floor(900 / Math.max(width, height))));
  const canvas = h("canvas", { class: "board", tabindex: 0, role: "application",
    "aria-label": `board of ${width} by ${height} cells; arrow keys move, with shift ten cells, `
      + `space chooses a cell, + and - zoom` });
  canvas.width = width * side;
  canvas.height = height * side;
  Object.assign(canvas.style, { maxWidth: "100%", maxHeight: "max(300px, 100vh - 250px)" });
  const words = h("p", { class: "quiet", role: "status" });
  const live = new Set([...own, ...enemy].map(([y, x]) => `${y} ${x}`));
  const picked = new Map();
  let at = zoomed.at ??= own[0] ? [...own[0]] : [height >> 1, width >> 1];
  zoomed.times ??= 1;
  zoomed.from ??= [0, 0]; // the first row and column that is shown
  // reveal moves the part that is shown as little as brings the cell into it
  const reveal = () => [height, width].forEach((all, i) => {
    const part = all / zoomed.times;
    zoomed.from[i] = Math.max(0, at[i] + 1 - part, Math.min(zoomed.from[i], at[i], all - part));
  });
  const draw = () => {
    const c = canvas.getContext("2d");
    const k = side * zoomed.times;
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.fillStyle = colour("paper");
    c.fillRect(0, 0, canvas.width, canvas.height);
    c.setTransform(k, 0, 0, k, -zoomed.from[1] * k, -zoomed.from[0] * k);
    const dots = (list, ink) => {
      c.fillStyle = ink;
      for (const [y, x] of list) c.fillRect(x, y, 1, 1);
    };
    dots(own, colour("series-0"));
    dots(enemy, colour("series-1"));
    dots(picked.values(), colour("series-2"));
    c.strokeStyle = colour("ink");
    c.lineWidth = Math.max(1, canvas.width / (canvas.clientWidth || canvas.width)) / k;
    c.strokeRect(at[1] - 1 / k, at[0] - 1 / k, 1 + 2 / k, 1 + 2 / k);
    words.textContent =
      `${count(own.length)} cells are yours, ${count(enemy.length)} the other side's; `
        + `${picked.size} of ${count(most)} chosen; at row ${at[0]}, column ${at[1]}`;
  };
  const go = (cell) => {
    at = zoomed.at = cell;
    reveal();
    draw();
  };
  const pick = (cell) => {
    const key = `${cell[0]} ${cell[1]}`;
    if (picked.has(key)) picked.delete(key);
    else if (!live.has(key) && picked.size < most) picked.set(key, cell);
    go(cell);
  };
  // zoom leaves a cell where it is shown
  const zoom = (by, cell = at) => {
    const was = zoomed.times;
    zoomed.times = Math.max(1, Math.min(64, Math.min(width, height) / 8, was * by));
    cell.forEach((v, i) => {
      zoomed.from[i] = v + 0.5 - (v + 0.5 - zoomed.from[i]) * was / zoomed.times;
    });
    [height, width].forEach((all, i) => {
      zoomed.from[i] = Math.max(0, Math.min(zoomed.from[i], all - all / zoomed.times));
    });
    draw();
  };
  const under = (e) => {
    const box = canvas.getBoundingClientRect();
    return [[e.clientY - box.top, box.height, height], [e.clientX - box.left, box.width, width]]
      .map(([v, of, all], i) =>
        Math.max(0, Math.min(all - 1, Math.floor(zoomed.from[i] + v / of * all / zoomed.times))));
  };
  canvas.addEventListener("click", (e) => pick(under(e)));
  canvas.addEventListener("wheel", (e) => {
    if (!e.ctrlKey && zoomed.times === 1 && e.deltaY > 0) return;
    e.preventDefault();
    zoom(Math.exp(-e.deltaY / 300), under(e));
  }, { passive: false });
  canvas.addEventListener("keydown", (e) => {
    const step =
      { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[e.key];
    if (!step && ![" ", "+", "-"].includes(e.key)) return;
    e.preventDefault();
    e.stopPropagation();
    if (e.key === " ") pick(at);
    else if (step) {
      const far = e.shiftKey ? 10 : 1;
      go([height, width].map((all, i) => Math.max(0, Math.min(all - 1, at[i] + step[i] * far))));
    } else zoom(e.key === "+" ? 2 : 0.5);
  });
  const button =
    (sign, name, by) =>
      h("button", { title: name, "aria-label": name, onclick: () => zoom(by) }, sign);
  reveal();
  draw();
  return { element: h("div", {}, canvas,
    h("div", { class: "bar" }, words, h("span", { class: "gap" }), button("+", "Zoom in", 2),
      button("−", "Zoom out", 0.5))),
    draw, chosen: () => [...picked.values()] };
}
