// A sweep as a grid: two of its settings as rows and columns, the runs of a cell in it.
import { h, replace, refresh, patch, calm, field, select, percent, count } from "clade/ui.js";
import { best, runLink, state, compare } from "clade/runs.js";
import { differences } from "clade/differences.js";
import { parallel, scatter, write } from "clade/scatter.js";

export const title = "Sweep";
export const keys = ["sweep", "row", "column"];

export default async function (page) {
  const sweep = page.query.get("sweep");
  const show = h("div", { class: "scroll" });
  const bar = h("div", { class: "bar" });
  const bests = h("div");
  const dots = h("div", { class: "plots" });
  const finished = h("span", { class: "quiet", role: "status" });
  page.main.append(bar,
    h("p", { class: "quiet" }, "Mean wins of the last champions; one sign for each run."),
    bests, show, dots, differences(page, sweep));
  /** @type {ViewSweepNow} */
  let now = await page.get("sweep", { sweep });

  const index = (name, otherwise) => {
    const i = now.keys.indexOf(page.query.get(name));
    return i >= 0 ? i : otherwise;
  };

  function draw() {
    const row = index("row", 0);
    const column = index("column", Math.min(1, now.keys.length - 1));
    const value = (cell, key) => (now.keys.length ? cell.values[key] : "");
    const distinct =
      (key) =>
        [...new Map(now.cells.map((c) => [write(value(c, key)), value(c, key)]))
          .values()].sort(compare);
    const single = now.keys.length < 2 || row === column;
    const choose = (name, at) => field(name === "row" ? "Rows" : "Columns",
      select(now.keys.map((k) => [k, k]), now.keys[at], (v) => {
        page.remember({ [name]: v });
        draw();
      }));
    finished.textContent =
      `${count(now.cells.filter((c) => c.row?.state === "done").length)} of `
        + `${count(now.cells.length)} runs done`;
    // a list that is open stays so while runs move on
    if (!bar.firstChild) {
      replace(bar, h("h1", {}, now.name), finished, h("span", { class: "gap" }),
        now.keys.length > 1 ? [choose("row", row), choose("column", column)] : null);
    }
    plot(row);
    const of = new Map(now.cells.map((c) =>
      [c.run, Object.fromEntries(now.keys.map((key, i) => [key, write(c.values[i])]))]));
    patch(bests, best(page, now.cells.map((c) => c.row).filter(Boolean), (r) => of.get(r.run)));
    const columns = single ? [null] : distinct(column);
    const key = (v) => write(v);
    const cells =
      Map.groupBy(now.cells,
        (c) => `${key(value(c, row))}\n${single ? "" : key(value(c, column))}`);
    refresh(show, h("table", { class: "grid" },
      h("caption", { class: "hidden" }, "Mean wins by settings"),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, now.keys[row] ?? ""), columns.map((v) =>
        h("th", { scope: "col" },
          single ? "" : `${now.keys[column].split(".").at(-1)} = ${write(v)}`)))),
      h("tbody", {},
        distinct(row).map((v) => h("tr", {}, h("th", { scope: "row" }, write(v)), columns.map((w) =>
        h("td", {}, cell(cells.get(`${key(v)}\n${single ? "" : key(w)}`) ?? []))))))));
  }

  // plot draws the wins of all runs against the setting of the rows.
  function plot(row) {
    if (!now.keys.length) return;
    const measured = now.cells.filter((c) => c.row?.wins);
    if (measured.length === 0) {
      replace(dots, h("p", { class: "quiet" }, "No run of it is measured yet."));
      return;
    }
    replace(dots,
      h("section", {}, h("h2", {}, `Wins by ${now.keys[row]}`),
        scatter(measured, row, now.keys[row])),
      now.keys.length > 1 && h("section", {}, h("h2", {}, "Settings and wins of each run"),
        parallel(measured, now.keys)));
  }

  function cell(members) {
    const rows = members.map((c) => c.row).filter(Boolean);
    if (members.length === 0) return null;
    const shares = rows.filter((r) => r.wins).map((r) => r.wins.share);
    const mean = shares.reduce((a, b) => a + b, 0) / shares.length;
    const pooled = rows.length ? h("a", { href: runLink(...rows.map((r) => r.run)) },
      shares.length ? percent(mean) : `${rows.length} runs`)
        : h("span", { class: "quiet" }, "waiting");
    return [pooled,
      shares.length ? h("meter", { min: 0, max: 1, value: mean, "aria-label": "mean wins" }) : null,
      h("div", { class: "signs" }, members.map((c) => (c.row
        ? h("a",
          { href: runLink(c.run), title: `seed ${c.seed}: ${c.row.state}`,
            "aria-label": `seed ${c.seed}: ${c.row.state}` },
              state({ ...c.row, note: null }).dataset.sign)
        : h("span", { title: `seed ${c.seed}: waiting`, class: "quiet" }, "·"))))];
  }

  let asked = 0;
  draw();
  page.on(window, "resize", () => calm(draw)); // charts are as wide as there is room
  page.stream("runs/live", {}, {
    async runs() {
      const mine = ++asked;
      const next = await page.get("sweep", { sweep }).catch(() => now);
      if (mine !== asked || page.signal.aborted) return;
      now = next;
      calm(draw);
    },
    fault: () => {},
  }, { again: true });
}
