// Wins of the runs of a sweep against one of its settings.
import { go } from "clade/app.js";
import { h, rove, say, percent } from "clade/ui.js";
import { runLink, compare } from "clade/runs.js";

const wide = 560, high = 240, left = 44, below = 26;

// scatter draws a dot with its interval for each run that was measured; cells are those of a sweep.
export function scatter(cells, key, name, write) {
  const rows = cells.filter((c) => c.row?.wins);
  if (rows.length === 0) return null;
  const values =
    [...new Map(rows.map((c) => [write(c.values[key]), c.values[key]])).values()].sort(compare);
  const numbers = values.every((v) => typeof v === "number");
  const [least, most] = numbers ? [values[0], values.at(-1)] : [0, values.length - 1];
  const at = (v) => (numbers ? v : values.findIndex((w) => write(w) === write(v)));
  const x = (v) => left + 20
    + (wide - left - 40) * (most > least ? (at(v) - least) / (most - least) : 0.5);
  const y = (share) => 8 + (high - below - 8) * (1 - share);
  const seeds = [...new Set(rows.map((c) => c.seed))];
  return rove(h("svg",
    { class: "scatter", viewBox: `0 0 ${wide} ${high}`, role: "group",
      "aria-label": `wins by ${name}` },
    [0, 0.25, 0.5, 0.75,
      1].map((s) => [h("line", { x1: left, x2: wide, y1: y(s), y2: y(s), class: "axis" }),
      h("text", { x: left - 6, y: y(s) + 4, class: "end" }, `${100 * s} %`)]),
    values.map((v) => h("text", { x: x(v), y: high - 6, class: "middle" }, write(v))),
    rows.map((c) => {
      const by = 3 * (seeds.indexOf(c.seed) - (seeds.length - 1) / 2); // apart from its replicates
      const { share, low, high: top } = c.row.wins;
      const told = `${name} ${write(c.values[key])}, seed ${c.seed}: ${percent(share)}`;
      const open = () => go(runLink(c.row.run));
      return h("g", { class: "run", role: "link", "aria-label": told, onclick: open,
        onkeydown: (e) => e.key === "Enter" && open(), onpointerenter: () => say(told) },
        h("line",
          { x1: x(c.values[key]) + by, x2: x(c.values[key]) + by, y1: y(low), y2: y(top),
            class: "range" }),
        h("circle", { cx: x(c.values[key]) + by, cy: y(share), r: 4, class: "dot" }));
    })), "g.run");
}
