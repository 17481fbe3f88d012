// The table of all runs. It moves while they are bred.
import { link } from "clade/app.js";
import { h, replace, refresh, count, field, select } from "clade/ui.js";
import { columns, compare, runLink, wins, state } from "clade/runs.js";

export const title = "Runs";

const chunk = 60; // rows that are drawn at a time

export default async function (page) {
  const { query } = page;
  const runs = new Map();
  let groups = [];
  let folders = []; // what is shown
  let sweeps = [];
  const opened = new Set(); // groups whose runs are shown
  const chosen = new Set(query.getAll("chosen"));
  const drawn = new Map(); // row elements by run
  let shown = chunk;
  let moved = new Set();

  const search = h("input", { type: "search", placeholder: "study, directory, seed…", "aria-label": "Filter runs",
    value: query.get("q") ?? "", oninput: (e) => set({ q: e.target.value }) });
  const games = h("span");
  const states = h("span");
  const grouped = h("input", { type: "checkbox", checked: query.has("group"), onchange: (e) => set({ group: e.target.checked ? "1" : null }) });
  const summary = h("span", { class: "quiet", role: "status" });
  const sweepLinks = h("p", { class: "quiet" });
  const together = h("a", { class: "button", hidden: true }, "Pool the chosen runs");
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
    const text = query.get("sort") ?? "run";
    const down = text.startsWith("-");
    const column = columns.find((c) => c.id === text.slice(down ? 1 : 0)) ?? columns[0];
    return { column, down };
  }

  function wanted() {
    const q = (query.get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    const game = query.get("game");
    const want = query.get("state");
    return [...runs.values()].filter((r) => (!game || r.game === game) && (!want || r.state === want)
      && q.every((word) => `${r.study} ${r.run} ${r.seed} ${r.title} ${r.state} ${r.remark ?? ""}`.toLowerCase().includes(word)));
  }

  function order(list) {
    const { column, down } = sorting();
    const keyed = list.map((r) => [column.sort(r), r]);
    keyed.sort(([a, x], [b, y]) => (down ? compare(b, a) : compare(a, b)) || compare(x.run, y.run));
    return keyed.map(([, r]) => r);
  }

  function row(r) {
    const box = h("input", { type: "checkbox", checked: chosen.has(r.run), "aria-label": `Choose ${r.run}`,
      onchange: (e) => {
        if (e.target.checked) chosen.add(r.run);
        else chosen.delete(r.run);
        offer();
      } });
    const tr = h("tr", { "data-run": r.run, class: moved.has(r.run) ? "moved" : null }, h("td", {}, box),
      columns.map((c) => h("td", { class: c.kind ?? null }, c.cell(r))));
    drawn.set(r.run, tr);
    return tr;
  }

  function groupRow(g, members) {
    const open = opened.has(g.group);
    return h("tr", { class: "group" },
      h("td", {}, h("button", { class: "icon", "aria-expanded": String(open), "aria-label": `Runs of ${g.study}`,
        onclick: () => {
          if (open) opened.delete(g.group);
          else opened.add(g.group);
          draw();
        } }, open ? "▾" : "▸")),
      h("td", { colspan: 4, class: "wide" }, h("a", { href: runLink(...members.map((r) => r.run)) }, g.study), ` ${members[0].title}`),
      h("td", { class: "narrow" }, h("a", { href: runLink(...members.map((r) => r.run)) }, g.study)),
      h("td", { colspan: 2 }, `${count(members.length)} run${members.length > 1 ? "s" : ""}, ${g.done} done`),
      h("td", { colspan: 4, class: "wide" }, [...new Set(members.map((r) => r.state))].filter((s) => s !== "done").map((s) => [state({ state: s }), " "])),
      h("td", { class: "wins" }, wins(g.wins)));
  }

  function offer() {
    together.hidden = chosen.size === 0;
    together.href = runLink(...chosen);
    together.textContent = chosen.size === 1 ? "Open the chosen run" : `Pool ${chosen.size} runs`;
  }

  function draw() {
    const focus = document.activeElement?.closest?.("tr")?.dataset.run;
    const at = focus ? [...document.activeElement.closest("tr").querySelectorAll("a, input")].indexOf(document.activeElement) : -1;
    const { column, down } = sorting();
    refresh(head, h("tr", {}, h("th", {}, h("span", { class: "hidden" }, "Chosen")), columns.map((c) =>
      h("th", { class: c.kind ?? null, scope: "col", "aria-sort": c === column ? (down ? "descending" : "ascending") : null },
        h("button", { onclick: () => set({ sort: (c === column && !down ? "-" : "") + c.id }) }, c.name)))));
    const list = order(wanted());
    drawn.clear();
    let rows;
    if (query.has("group")) {
      const members = Map.groupBy(list, (r) => r.group);
      rows = groups.filter((g) => members.has(g.group)).flatMap((g) =>
        [() => groupRow(g, members.get(g.group)), ...(opened.has(g.group) ? members.get(g.group).map((r) => () => row(r)) : [])]);
      rows.push(...list.filter((r) => !r.group).map((r) => () => row(r)));
    } else {
      rows = list.map((r) => () => row(r));
    }
    refresh(body, rows.slice(0, shown).map((make) => make()));
    rest.hidden = rows.length <= shown;
    const tally = {};
    for (const r of list) tally[r.state] = (tally[r.state] ?? 0) + 1;
    summary.textContent = `${count(list.length)} of ${count(runs.size)} runs` +
      Object.entries(tally).filter(([s]) => s !== "done").map(([s, n]) => ` · ${count(n)} ${s}`).join("");
    replace(note, runs.size > 0 ? null : h("p", { class: "empty" },
      "No runs here yet. ", h("code", {}, "clade run STUDY"), " makes one, and it appears while it is bred."));
    if (focus && drawn.has(focus)) drawn.get(focus).querySelectorAll("a, input")[at]?.focus();
  }

  function filters() {
    const all = [...runs.values()];
    const names = new Map(all.filter((r) => r.game).map((r) => [r.game, r.title]));
    replace(games, field("Game", select([["", "all games"], ...[...names].sort()], query.get("game") ?? "", (v) => set({ game: v }))));
    replace(states, field("State", select([["", "all states"], ...[...new Set(all.map((r) => r.state))].sort().map((s) => [s, s])],
      query.get("state") ?? "", (v) => set({ state: v }))));
    replace(sweepLinks, sweeps.length === 0 ? null : ["Sweeps as grids: ", sweeps.map((s) => [h("a", { href: link("/sweep", { sweep: s }) }, s), " "])]);
  }

  function take(now) {
    for (const r of now.runs ?? []) {
      const folder = folders.find((f) => r.run.startsWith(`${f}/`));
      runs.set(r.run, { ...r, short: folder ? r.run.slice(folder.length + 1) : r.run });
    }
    for (const r of now.gone ?? []) runs.delete(r);
    groups = now.groups;
    sweeps = now.sweeps ?? [];
  }

  const now = await page.get("runs");
  folders = now.folders;
  take(now);
  page.main.append(
    h("div", { class: "bar" }, h("h1", {}, "Runs"), h("span", { class: "quiet" }, `in ${now.folders.join(", ")}`), h("span", { class: "gap" }), summary),
    h("div", { class: "bar" }, search, games, states, h("label", { class: "field" }, grouped, "group replicates"), h("span", { class: "gap" }), together),
    sweepLinks,
    now.cut ? h("p", { class: "fault" }, "There are more folders here than are looked into; name fewer to clade view.") : "",
    h("table", { class: "list runs" }, h("caption", { class: "hidden" }, "Runs"), head, body), rest, note);
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
      const before = order(wanted()).slice(0, shown).map((r) => r.run).join("\n");
      const first = change.runs?.length === runs.size; // all rows, as the first event brings them
      take(change);
      if (!first) moved = new Set((change.runs ?? []).map((r) => r.run));
      if ([...runs.values()].some((r) => !known.has(`${r.game} ${r.state}`))) filters();
      if (query.has("group") || before !== order(wanted()).slice(0, shown).map((r) => r.run).join("\n")) {
        draw();
        return;
      }
      for (const [run, tr] of [...drawn]) { // the order stands: only rows that changed are drawn
        if (moved.has(run) && !tr.contains(document.activeElement)) tr.replaceWith(row(runs.get(run)));
        else tr.classList.toggle("moved", moved.has(run));
      }
    },
    fault: () => {},
  }, { again: true });
}
