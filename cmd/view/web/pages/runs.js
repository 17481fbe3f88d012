// The table of all runs. It moves while they are bred.
import { link } from "clade/app.js";
import { h, replace, patch, count, field, select, dialog, say } from "clade/ui.js";
import { best, columns as fixed, compare, runLink, wins, state } from "clade/runs.js";
import { filter, starred } from "clade/filter.js";

export const title = "Runs";
export const keys = ["q", "group", "sort", "game", "state", "chosen"];

const mostSettings = 3; // columns of them: those with most values
const chunk = 60; // rows that are drawn at a time

export default async function (page) {
  const { query } = page;
  const runs = new Map();
  let groups = [];
  let folders = []; // what is shown
  let sweeps = [];
  const opened = new Set(); // groups whose runs are shown
  const chosen = new Set(query.getAll("chosen"));
  let shown = chunk;
  let moved = new Set();
  const drawn = new WeakMap(); // by run: its row, and what else that shows

  let settings = new Map(); // by group: those in which groups differ
  let columns = fixed;
  const search =
    h("input",
      { type: "search", placeholder: "words, or wins > 0.4 and nodes < 50",
        "aria-label": "Filter runs", size: 34,
    value: query.get("q") ?? "", oninput: (e) => set({ q: e.target.value }) });
  const wrong = h("p", { class: "refused", role: "status" });
  const games = h("span");
  const states = h("span");
  const grouped =
    h("input",
      { type: "checkbox", checked: query.has("group"),
        onchange: (e) => set({ group: e.target.checked ? "1" : null }) });
  const summary = h("span", { class: "quiet", role: "status" });
  const sweepLinks = h("p", { class: "quiet" });
  const hint = h("span", { class: "quiet wide" }, "tick runs to compare them");
  const together = h("a", { class: "button", hidden: true }, "Compare the chosen runs");
  const bests = h("div");
  const head = h("thead");
  const body = h("tbody");
  const rest = h("div", { class: "rest" });
  const note = h("div");

  function set(params) {
    page.remember(params);
    shown = chunk;
    draw();
  }

  function sorting() {
    const text = query.get("sort") ?? "-changed";
    const down = text.startsWith("-");
    const column = columns.find((c) => c.id === text.slice(down ? 1 : 0)) ?? columns[0];
    return { column, down };
  }

  function wanted() {
    let fits = (_run, _settings) => true;
    wrong.textContent = "";
    try {
      fits = filter(query.get("q") ?? "",
        [...new Set([...settings.values()].flatMap((s) => Object.keys(s)))]);
    } catch (err) {
      wrong.textContent = err.message;
    }
    const game = query.get("game");
    const want = query.get("state");
    return [...runs.values()].filter((r) => (!game || r.game === game)
      && (!want || r.state === want)
      && fits(r, settings.get(r.group) ?? {}));
  }

  function order(list) {
    const { column, down } = sorting();
    const keyed = list.map((r) => [column.sort(r), r]);
    keyed.sort(([a, x], [b, y]) => (down ? compare(b, a) : compare(a, b)) || compare(x.run, y.run));
    return keyed.map(([, r]) => r);
  }

  function row(r) {
    const look = [moved.has(r.run), ...columns.map((c) => c.id)].join();
    if (drawn.get(r)?.look === look) return drawn.get(r).tr;
    const box =
      h("input", { type: "checkbox", checked: chosen.has(r.run), "aria-label": `Choose ${r.run}`,
      onchange: (e) => {
        if (e.target.checked) chosen.add(r.run);
        else chosen.delete(r.run);
        offer();
      } });
    const star =
      h("button",
        { class: "icon star", "aria-pressed": String(starred(r)), "aria-label": `Star ${r.run}`,
      title: r.remark || "Star, or note something",
        onclick: () => note_(r, starred(r) ? r.remark.slice(1).trim() : `★ ${r.remark ?? ""}`) },
          starred(r) ? "★" : "☆");
    const pen =
      h("button",
        { class: "icon wide", "aria-label": `Note of ${r.run}`,
          title: r.remark || "Note something", onclick: () => write(r) },
            r.remark?.replace("★", "").trim() ? "✎" : "⋯");
    const tr = h("tr", { "data-run": r.run, class: moved.has(r.run) ? "moved" : null },
      h("td", {}, h("span", { class: "tools" }, box, star, pen)),
      columns.map((c) => h("td", { class: c.kind ?? null }, c.cell(r))));
    drawn.set(r, { look, tr });
    return tr;
  }

  // note_ writes a note beside a run; a star is one that begins with it.
  async function note_(r, text) {
    try {
      const { remark } = await page.post("run/note", { run: r.run }, text);
      runs.set(r.run, { ...runs.get(r.run), remark });
      draw();
    } catch (err) {
      say(err.message);
    }
  }

  function write(r) {
    const text =
      h("textarea", { rows: 4, "aria-label": "note", style: { width: "420px", maxWidth: "80vw" } });
    text.value = r.remark ?? "";
    const shown = dialog(`Note of ${r.short}`, text, h("div", { class: "bar" },
      h("button", { class: "main", onclick: () => note_(r, text.value).then(() => shown.close()) },
        "Keep")));
  }

  function groupRow(g, members) {
    const open = opened.has(g.group);
    return h("tr", { class: "group", "data-group": g.group },
      h("td", {},
        h("button",
          { class: "icon", "aria-expanded": String(open), "aria-label": `Runs of ${g.study}`,
        onclick: () => {
          if (open) opened.delete(g.group);
          else opened.add(g.group);
          draw();
        } }, open ? "▾" : "▸")),
      h("td", { colspan: columns.findIndex((c) => c.id === "state"), class: "wide" },
        h("a", { href: runLink(...members.map((r) => r.run)) }, g.study), ` ${members[0].title}`),
      h("td", { class: "narrow" },
        h("a", { href: runLink(...members.map((r) => r.run)) }, g.study)),
      h("td", { colspan: 2 },
        `${count(members.length)} run${members.length > 1 ? "s" : ""}, ${g.done} done`),
      h("td", { colspan: columns.length - columns.findIndex((c) => c.id === "state") - 3,
        class: "wide" },
          [...new Set(members.map((r) => r.state))].filter((s) => s !== "done")
            .map((s) => [state({ state: s }), " "])),
      h("td", { class: "wins" }, wins(g.wins)));
  }

  function offer() {
    together.hidden = chosen.size === 0;
    hint.hidden = chosen.size > 0 || runs.size < 2;
    together.href = runLink(...chosen);
    together.textContent = chosen.size === 1 ? "Open the chosen run"
      : `Compare ${chosen.size} runs`;
  }

  function draw() {
    const { column, down } = sorting();
    patch(head,
      [h("tr", {}, h("th", {}, h("span", { class: "hidden" }, "Chosen")), columns.map((c) =>
      h("th", { class: c.kind ?? null, scope: "col",
        "aria-sort": c === column ? (down ? "descending" : "ascending") : null },
        h("button", { onclick: () => set({ sort: (c === column && !down ? "-" : "") + c.id }) },
          c.name))))]);
    const list = order(wanted());
    let rows;
    if (query.has("group")) {
      const members = Map.groupBy(list, (r) => r.group);
      rows = groups.filter((g) => members.has(g.group)).flatMap((g) =>
        [() => groupRow(g, members.get(g.group)),
          ...(opened.has(g.group) ? members.get(g.group).map((r) => () => row(r)) : [])]);
      rows.push(...list.filter((r) => !r.group).map((r) => () => row(r)));
    } else {
      rows = list.map((r) => () => row(r));
    }
    patch(body, rows.slice(0, shown).map((make) => make()));
    rest.hidden = rows.length <= shown;
    patch(bests, best(page, list, (r) => settings.get(r.group) ?? {}));
    const tally = {};
    for (const r of list) tally[r.state] = (tally[r.state] ?? 0) + 1;
    summary.textContent = `${count(list.length)} of ${count(runs.size)} runs` +
      Object.entries(tally).filter(([s]) => s !== "done").map(([s, n]) => ` · ${count(n)} ${s}`)
        .join("");
    replace(note, runs.size > 0 ? null : h("p", { class: "empty" },
      "No runs here yet. ", h("code", {}, "clade run STUDY"),
        " makes one, and it appears while it is bred."));
  }

  function filters() {
    const all = [...runs.values()];
    const names = new Map(all.filter((r) => r.game).map((r) => [r.game, r.title]));
    replace(games,
      field("Game",
        select([["", "all games"], ...[...names].sort()], query.get("game") ?? "",
          (v) => set({ game: v }))));
    replace(states,
      field("State",
        select([["", "all states"],
          ...[...new Set(all.map((r) => r.state))].sort().map((s) => [s, s])],
      query.get("state") ?? "", (v) => set({ state: v }))));
    replace(sweepLinks,
      sweeps.length === 0 ? null
        : ["Sweeps as grids: ",
          sweeps.map((s) => [h("a", { href: link("/sweep", { sweep: s }) }, s), " "])]);
  }

  function take(now) {
    for (const r of now.runs ?? []) {
      const folder = folders.find((f) => r.run.startsWith(`${f}/`));
      const next = { ...r, short: folder ? r.run.slice(folder.length + 1) : r.run };
      if (JSON.stringify(next) !== JSON.stringify(runs.get(r.run))) runs.set(r.run, next);
    }
    for (const r of now.gone ?? []) runs.delete(r);
    groups = now.groups;
    settings = new Map(groups.map((g) => [g.group, g.settings ?? {}]));
    const values = new Map(); // of each key
    for (const [key, v] of groups.flatMap((g) => Object.entries(g.settings ?? {}))) {
      values.set(key, (values.get(key) ?? new Set()).add(v));
    }
    const keys =
      [...values.keys()].sort((a, b) => values.get(b).size - values.get(a).size || compare(a, b));
    const value = (r, key) => settings.get(r.group)?.[key];
    const all = [...runs.values()];
    const needed =
      { left: all.some((r) => r.left), game: new Set(all.map((r) => r.game)).size > 1 };
    const differing = keys.slice(0, mostSettings).map((key, i) => ({
      id: key, name: key.split(".").at(-1), kind: `number wide setting nth-${i}`,
      sort: (r) => (Number.isNaN(Number(value(r, key))) ? value(r, key) : Number(value(r, key))),
      cell: (r) => value(r, key) }));
    columns = [...fixed.slice(0, -1).filter((c) => needed[c.id] ?? true), ...differing,
      fixed.at(-1)];
    sweeps = now.sweeps ?? [];
  }

  /** @type {ViewRunsNow} */
  const now = await page.get("runs");
  folders = now.folders;
  take(now);
  page.main.append(
    h("div", { class: "bar" }, h("h1", {}, "Runs"),
      h("span", { class: "quiet" }, `in ${now.folders.join(", ")}`), h("span", { class: "gap" }),
        summary),
    h("div", { class: "bar" }, search, games, states,
      h("label", { class: "field" }, grouped, "group replicates"), h("span", { class: "gap" }),
        hint, together),
    wrong, sweepLinks,
    now.cut ? h("p", { class: "fault" },
      "There are more folders here than are looked into; name fewer to clade view.") : "",
    bests,
    h("table", { class: "list runs" }, h("caption", { class: "hidden" }, "Runs"), head, body),
      rest, note);
  filters();
  offer();
  draw();
  page.key("/", "filter the runs", () => search.focus());
  page.key("g", "group replicates", () => grouped.click());

  // Rows below the window are drawn when it comes near.
  const more = new IntersectionObserver((seen) => {
    if (seen.some((s) => s.isIntersecting) && !rest.hidden) {
      shown += chunk;
      draw();
    }
  }, { rootMargin: "600px" });
  more.observe(rest);
  page.signal.addEventListener("abort", () => more.disconnect());

  page.stream("runs/live", {}, {
    runs(change) {
      const known = new Set([...runs.values()].map((r) => `${r.game} ${r.state}`));
      const first = change.runs?.length === runs.size; // all rows, as the first event brings them
      take(change);
      if (!first) moved = new Set((change.runs ?? []).map((r) => r.run));
      if ([...runs.values()].some((r) => !known.has(`${r.game} ${r.state}`))) filters();
      draw();
    },
    fault: () => {},
  }, { again: true });
}
