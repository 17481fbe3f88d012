// Wins of the runs of a sweep, by their settings.
import { go } from "clade/app.js";
import { h, rove, say, percent } from "clade/ui.js";
import { runLink, compare } from "clade/runs.js";

const high = 240, left = 44, below = 26;
const wide = () => Math.max(300, Math.min(560, innerWidth - 24));

// write writes the value of a setting.
export const write = (v) => (Array.isArray(v) ? v.join(", ") : String(v));

// scale returns the values of a setting in order, and where in a span each of them stands.
function scale(cells, key, from, to) {
  const values =
    [...new Map(cells.map((c) => [write(c.values[key]), c.values[key]])).values()].sort(compare);
  const numbers = values.every((v) => typeof v === "number");
  const [least, most] = numbers ? [values[0], values.at(-1)] : [0, values.length - 1];
  const at = (v) => (numbers ? v : values.findIndex((w) => write(w) === write(v)));
  return { values,
    place: (v) => from + (to - from) * (most > least ? (at(v) - least) / (most - least) : 0.5) };
}

// apart moves replicates of the same settings apart.
const apart = (cells) => {
  const seeds = [...new Set(cells.map((c) => c.seed))];
  return (c) => 3 * (seeds.indexOf(c.seed) - (seeds.length - 1) / 2);
};

const share = (s) => 8 + (high - below - 8) * (1 - s);

// picture is a drawing of runs, each a link that is named where the pointer is.
const picture = (name, ground, cells, told, drawn, above = []) => rove(h("svg",
  { class: "scatter", viewBox: `0 0 ${wide()} ${high}`, role: "group", "aria-label": name },
  ground, cells.map((c) => {
    const words = `${told(c)}, seed ${c.seed}: ${percent(c.row.wins.share)}`;
    const open = () => go(runLink(c.row.run));
    return h("g", { class: "run", role: "link", "aria-label": words, onclick: open,
      onkeydown: (e) => e.key === "Enter" && open(), onpointerenter: () => say(words) }, drawn(c));
  }), above), "g.run");

// scatter draws a dot with its interval for each run that was measured; cells are those of a sweep.
export function scatter(cells, key, name) {
  const { values, place } = scale(cells, key, left + 20, wide() - 20);
  const by = apart(cells);
  return picture(`wins by ${name}`, [
    [0, 0.25, 0.5, 0.75,
      1].map((s) => [h("line", { x1: left, x2: wide(), y1: share(s), y2: share(s), class: "axis" }),
      h("text", { x: left - 6, y: share(s) + 4, class: "end" }, `${100 * s} %`)]),
    values.map((v) => h("text", { x: place(v), y: high - 6, class: "middle" }, write(v)))],
  cells, (c) => `${name} ${write(c.values[key])}`, (c) => {
    const { wins } = c.row;
    const x = place(c.values[key]) + by(c);
    return [h("line", { x1: x, x2: x, y1: share(wins.low), y2: share(wins.high), class: "range" }),
      h("circle", { cx: x, cy: share(wins.share), r: 4, class: "dot" })];
  });
}

// parallel draws a line for each run, through its settings to its wins: an axis each.
export function parallel(cells, keys) {
  const scales = keys.map((_, key) => scale(cells, key, high - below - 8, 16));
  const apiece = (wide() - left - 56) / keys.length;
  const x = (i) => left + apiece * i;
  const [least, most] =
    [Math.min, Math.max].map((end) => end(...cells.map((c) => c.row.wins.share)));
  const y = (s) => (most > least ? 16 + (high - below - 24) * (most - s) / (most - least)
    : high / 2);
  const by = apart(cells);
  const axis = (i, name, marks, side = "end") => [
    h("line", { x1: x(i), x2: x(i), y1: 16, y2: high - below - 8, class: "axis" }),
    h("text", { x: x(i), y: high - (i % 2 && apiece < 90 ? 16 : 4), class: "middle" }, name),
    marks.map(([at, text]) => h("text",
      { x: x(i) + (side === "end" ? -6 : 6), y: at + 4, class: side }, text))];
  const axes = [
    keys.map((key, i) => axis(i, key.split(".").at(-1),
      scales[i].values.map((v) => [scales[i].place(v), write(v)]))),
    axis(keys.length, "wins", [...new Set([least, most])].map((s) => [y(s), percent(s)]),
      "start")];
  return picture("settings and wins of each run", [],
  cells.toSorted((a, b) => a.row.wins.share - b.row.wins.share),
  (c) => keys.map((key, i) => `${key} ${write(c.values[i])}`).join(", "), (c) => {
    const points = [...scales.map(({ place }, i) => [x(i), place(c.values[i]) + by(c)]),
      [x(keys.length), y(c.row.wins.share)]];
    const rank = most > least ? (c.row.wins.share - least) / (most - least) : 1;
    return h("path", { d: `M${points.map((p) => p.join(" ")).join("L")}`, class: "thread",
      style: { stroke: `color-mix(in oklab, var(--series-1) ${100 * rank}%, var(--series-0))` } });
  }, axes);
}
