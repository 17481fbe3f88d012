// A run, or several that are pooled: curves, champions, descent, matrices.
import { link, go } from "clade/app.js";
import { h, replace, refresh, patch, calm, count, duration, round, percent, progress }
  from "clade/ui.js";
import { best, state, generations, wins, runLink, shortName } from "clade/runs.js";
import { chart, legend } from "clade/chart.js";
import { figure, save, trees } from "clade/figures.js";
import { matrix } from "clade/matrix.js";
import { differences } from "clade/differences.js";
import { descent, keep } from "clade/descent.js";
import { saveButton } from "clade/save.js";

export const title = "Run";
export const keys = ["run", "hide", "descent", "generation", "colour"];

const shares = new Set(["wins", "genotypic_diversity", "behavioural_diversity"]);
const titles = {
  wins: "Wins", score: "Score a game", tree_size: "Nodes a genome",
    tree_depth: "Depth of the deepest tree",
  "genotypic_diversity": "Distinct genomes", "behavioural_diversity": "Distinct behaviour",
};

const capital = (text) => text[0].toUpperCase() + text.slice(1);

export default async function (page) {
  const runs = page.query.getAll("run");
  /** @type {ViewRunNow} */
  let now = await page.get("run", { run: runs });
  const one = runs.length === 1;
  const first = now.runs[0];
  page.title(one ? `${first.study}, seed ${first.seed}` : `${count(runs.length)} runs`);

  const facts = h("div", { class: "facts" });
  const bests = h("div");
  const curves = h("section", { "aria-label": "Curves", class: "figures" });
  const names = h("div");
  page.main.append(
    h("div", { class: "bar" },
      h("h1", {}, one ? first.study : [...new Set(now.runs.map((r) => r.study))].join(", ")),
      h("span", { class: "quiet" }, one ? first.run : `${count(runs.length)} runs, pooled`),
        h("span", { class: "gap" }),
      one || page.saved || now.runs.some((r) => r.game !== first.game) ? null
        : h("a", { class: "button plain", title: "which is best: on fresh boards, with intervals",
          href: link("/league",
            { game: first.game, players: runs.map((r) => `run:${r}`), go: 1 }) },
        "League of the champions"),
      one && !page.saved && now.islands > 1
        ? h("a", { class: "button plain", title: "its islands side by side, full screen",
          href: link("/wall", { game: first.game, run: first.run, islands: 1,
            seats: now.seats[1] === 1 ? 1 : Math.max(2, now.seats[0]) }) }, "On a wall") : null,
      saveButton(page, `${first.study}-${first.seed}.html`, () => page.gather())),
    facts, bests, names, curves);
  if (now.groups.length > 1) page.main.append(differences(page, runs) ?? "");
  if (runs.length === 2) {
    page.main.append(differences(page, runs, "diff", "Differences between the two runs") ?? "");
  }

  const hidden = new Set(page.query.getAll("hide")); // groups and runs whose curves are not drawn
  const eye =
    (what, name) =>
      h("button",
        { class: "icon eye", "aria-pressed": String(hidden.has(what)), "aria-label": `Hide ${name}`,
    title: hidden.has(what) ? `Show ${name}` : `Hide ${name}`, onclick: () => {
      if (!hidden.delete(what)) hidden.add(what);
      page.remember({ hide: [...hidden] });
      tell(now.runs);
      drawCurves();
    } }, hidden.has(what) ? "◌" : "◉");
  // runs of one group have a colour each, that of the mean left out; of several, their group's
  const sole = now.groups.length === 1;
  const mark = (run) => ({ colour: 1 + (runs.indexOf(run) % 6), dash: Math.floor(runs.indexOf(run)
    / 6) });
  const tell = (rows) => {
    if (one) {
      const r = rows[0];
      const fact =
        (name, ...value) =>
          h("div", {}, h("span", { class: "quiet" }, name), h("span", {}, ...value));
      replace(facts, fact("Game", r.title), fact("Seed", r.seed), fact("State", state(r)),
        fact("Generation", generations(r) ?? "–"),
        r.gamesPerSecond ? fact("Games/s", round(r.gamesPerSecond)) : null,
          r.left ? fact("Time left", duration(r.left)) : null,
        r.wins ? fact(`Wins against ${r.wins.against}`, wins(r.wins), h("span", { class: "quiet" },
          ` of ${count(r.wins.games)} games, ${percent(r.wins.low)} to ${percent(r.wins.high)}`))
          : null,
        r.note ? h("p", { class: r.state === "running" ? "quiet" : "fault" }, r.note) : null,
        r.remark ? h("p", { class: "remark" }, r.remark) : null);
    } else {
      patch(bests, best(page, rows));
      refresh(facts, rows.slice(0, 60).map((r) => h("span", { class: "chip" },
        now.figures.some((f) => f.thin)
          ? [sole ? h("i", { class: `key key-${mark(r.run).colour}` }) : null,
            eye(r.run, `seed ${r.seed}`)] : null,
        h("a", { href: runLink(r.run), title: r.run }, state(r), ` seed ${r.seed}`),
        r.wins ? [" ", wins(r.wins), ` against ${shortName(r.wins.against)}`] : null)),
        rows.length > 60 ? h("span", { class: "quiet" }, `and ${count(rows.length - 60)} more`)
          : null);
    }
  };
  tell(now.runs);

  let charts = [];
  const zooms = new Map(); // by figure and measure: what of a curve is shown
  const drawCurves = () => {
    for (const gone of charts) gone();
    charts = [];
    replace(names,
      now.groups.filter((g) => g).length > 1 ? legend(now.groups, (g) => eye(g, g)) : null);
    replace(curves, h("h2", { class: "hidden" }, "Curves"),
      now.figures.filter((f) => f.curves.length).map((f) => {
      const against = /^Wins against ([^,]+),/.exec(f.caption)?.[1];
      const panels = [...Map.groupBy(f.curves, (c) => c.measure)].map(([measure, list]) => {
        const into = h("div", { class: "plot" });
        const seen = list.filter((c) => !hidden.has(c.group));
        if (seen.length === 0) return null;
        const percents = shares.has(measure);
        const name = (titles[measure] ?? `${capital(measure.replaceAll(/[-_]/g, " "))} a game`)
          + (measure === "wins" && against ? ` against ${against}` : "");
        const key = `${f.name} ${measure}`;
        const zoom = zooms.get(key) ?? {};
        zooms.set(key, zoom);
        queueMicrotask(() =>
          charts.push(chart(into,
            { title: name, zoom, unit: percents ? " %" : "", scale: percents ? 100 : 1,
              share: percents, sync: "generations",
          open: one ? (x) => choose(x) : null,
          thin: (f.thin ?? [])
            .filter((c) => c.measure === measure && !hidden.has(c.group) && !hidden.has(c.run))
              .map((c) => ({
            ...(sole ? mark(c.run) : { colour: now.groups.indexOf(c.group), dash: 0, faint: true }),
              name: shortName(`run:${c.run}`),
              x: c.generation, mean: c.mean })),
          curves: seen.map((c) => ({ name: c.group, colour: now.groups.indexOf(c.group),
            x: c.generation, mean: c.mean, low: c.low, high: c.high })) })));
        return h("div", { class: "panel" }, into);
      });
      return figure(against ? `Dynamics against ${against}` : capital(f.name), f.caption,
        save({ kind: "curves", run: runs, name: f.name }),
          h("div", { class: "panels" }, panels));
    }));
  };
  drawCurves();
  page.signal.addEventListener("abort", () => charts.forEach((gone) => gone()));

  let choose = (_generation) => {};
  page.gather = async () => {};
  let tail = () => {};
  let update = () => {};
  if (one) ({ choose, gather: page.gather, tail, update } = await perRun(page, now, first));

  let redraw = null;
  page.stream("run/live", { run: runs }, {
    rows(rows) {
      const grown =
        rows.some((r, i) => r.generation !== now.runs[i].generation
          || r.state !== now.runs[i].state);
      tell(rows);
      if (!grown || redraw) return;
      redraw = setTimeout(async () => { // not for every generation: some hundred a second may end
        redraw = null;
        now = await page.get("run", { run: runs }).catch(() => now);
        if (page.signal.aborted) return;
        // what only a run that has ended has is there now
        if (one && now.runs[0].state !== first.state) {
          go(location.href, { instead: true });
          return;
        }
        calm(drawCurves);
        tail();
        update();
      }, 2000);
    },
    fault: () => {},
  }, { again: true });
}

const treeBytes = 3e6; // of all trees in a saved page of a run, where each byte takes 4/3

// perRun draws what is about a single run. It returns a function that shows the champion of a
// generation, and one that fetches the trees of the champions for a saved page, the newest first.
async function perRun(page, now, run) {
  const section =
    (name, open, ...body) => h("details", { open }, h("summary", {}, h("h2", {}, name)), ...body);
  const list = h("div", { class: "champions" });
  const tree = h("div", { class: "scroll drawing" });
  let all = await page.get("champions", { run: run.run });
  const rows = h("tbody");
  const fill = () => replace(rows, all.map((c) => h("tr", { "data-generation": c.generation },
    h("td", {}, h("button", { class: "text", onclick: () => show(c) }, `@${c.generation}`)),
    h("td", { class: "number" }, count(c.size)), h("td", { class: "number wide" }, count(c.depth)),
    h("td", { class: "number" }, `@${c.born}`),
      h("td", { class: "number" }, c.games ? percent(c.wins / c.games) : "–"),
    h("td", { class: "number" }, round(c.score)),
    h("td", {},
      page.saved ? null
        : [h("a", { href: link("/game", { run: run.run, generation: c.generation }) }, "game"), " ",
      h("a", { href: link("/play", { run: run.run, generation: c.generation }),
        title: "play against it yourself" }, "play")]))));
  fill();
  list.append(h("div", { class: "scroll tall" }, h("table", { class: "list" },
    h("caption", { class: "hidden" }, "Champions"),
    h("thead", {},
      h("tr", {},
        [["Champion"], ["Nodes", "number"], ["Depth", "number wide"], ["Born", "number"],
          ["Wins in its race", "number"], ["Score", "number"],
          [h("span", { class: "hidden" }, "Its game")]]
      .map(([n, kind]) => h("th", { scope: "col", class: kind ?? null }, n)))), rows)), tree);

  let marked = false; // what is new in a champion's trees
  function show(c) {
    rows.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const tr = rows.querySelector(`[data-generation="${c.generation}"]`);
    tr?.setAttribute("aria-current", "true");
    if (tr) {
      const box = tr.closest(".tall"); // the page itself stays where it is
      box.scrollTop =
        Math.min(Math.max(box.scrollTop, tr.offsetTop + tr.offsetHeight - box.clientHeight),
          tr.offsetTop - tr.offsetHeight);
    }
    page.remember({ generation: c.generation });
    const before = page.saved ? null : all[all.indexOf(c) + 1];
    const params = { kind: "tree", run: run.run, players: `@${c.generation}`,
      since: before && marked ? `@${before.generation}` : null };
    replace(tree,
      h("div", { class: "bar" }, h("h3", {}, `Champion of generation ${c.generation}`),
        before ? h("label", { class: "field small" },
          h("input", { type: "checkbox", checked: marked, onchange: (e) => {
            marked = e.target.checked;
            show(c);
          } }), `what is new since @${before.generation}`) : null,
        h("span", { class: "gap" }), save(params)),
      trees(page, params, `Trees of the champion of generation ${c.generation}: ${c.size} nodes`));
  }
  const gather = async () => {
    let size = 0;
    for (const c of all) {
      size += await page.keepBytes("figure",
        { kind: "tree", run: run.run, players: `@${c.generation}`, as: "svg", show: 1 });
      if (size > treeBytes) break;
    }
    await page.get("run/log", { run: run.run });
    await keep(page, run.run, treeBytes - size).catch(() => {}); // one that just began has none
  };
  const choose = (generation) => {
    const c = all.find((c) => c.generation <= generation);
    if (c) show(c);
  };

  const family = h("div");
  const descends = section("Descent", false, save({ kind: "descent", run: run.run }), family);
  let grow = null;
  descends.addEventListener("toggle", async () => {
    page.remember({ descent: descends.open ? 1 : null });
    if (descends.open && !grow) {
      grow = () => {};
      grow = await descent(page, run.run, family);
    }
  });
  if (page.saved || page.query.has("descent")) descends.open = true;

  const meets = section("Champions against champions", false);
  const bar = h("div", { class: "bar" });
  const drawn = h("div", { class: "pair" });
  meets.append(bar, drawn);
  const games =
    h("input",
      { type: "number", min: 2, max: 1000, step: 2, value: 20,
        "aria-label": "games of each pair" });
  const told = h("span", { class: "quiet", role: "status" });
  const draw = (m) => {
    page.answers.matrix = m;
    const names = (i) => `@${m.generations[i]}`;
    const href =
      (i, k) =>
        link("/game",
          { run: run.run, generation: m.generations[i],
            players: [`@${m.generations[i]}`, `@${m.generations[k]}`], seed: m.seeds[i][k] });
    replace(drawn,
      [["ciao", "Current individuals against ancestral opponents", m.ancestors],
        ["master", "Master tournament", m.master]].map(([name, text, points]) =>
      figure(text,
        "Up: the individual's generation; right: its opponent's. Blue: few points, orange: many.",
          save({ kind: "played", key: m.key, name }),
        matrix({ points, names, labels: [names, names], href: page.saved ? null : href,
          title: text, up: true,
            axes: ["Generation of the individual", "Generation of the opponent"] }))));
    told.textContent =
      `${m.generations.length} champions, ${m.games} games of each pair; every cell is a link to `
        + `its first game`;
  };
  if (page.saved) {
    const { saved } = await import("clade/app.js");
    if (saved.answers.matrix) {
      draw(saved.answers.matrix);
      meets.open = true;
    }
  } else if (now.seats[0] <= 2 && now.seats[1] >= 2) {
    const start = h("button", { class: "main", onclick: () => {
      start.disabled = true;
      page.stream("matrix", { run: run.run, games: games.value }, {
        progress: (p) =>
          replace(told, progress(p.done, p.total, p.name),
            ` ${count(p.done)} of ${count(p.total)} pairs`),
        matrix: draw,
        end: () => (start.disabled = false),
        fault: (text) => {
          start.disabled = false;
          replace(told, h("span", { class: "fault" }, text));
        },
      });
    } }, "Play them");
    bar.append(start, h("label", { class: "field" }, games, "games of each pair"), told);
  } else {
    bar.append(h("p", { class: "quiet" }, "This game is not for two."));
  }

  const lines = h("pre", { class: "words", tabindex: 0 });
  const log = section("Log", false, lines);
  const tail = async () => {
    if (!log.open) return;
    const { text } = await page.get("run/log", { run: run.run })
      .catch((err) => ({ text: err.message }));
    lines.textContent = text;
  };
  log.addEventListener("toggle", tail);
  page.main.append(section("Champions by generation", true, list), descends, meets, log,
    section("Study", false, h("pre", {}, now.study)));
  if (all.length) {
    const wanted = page.query.get("generation");
    const c = wanted === null ? all[0] : all.find((c) => c.generation === Number(wanted)) ?? all[0];
    show(c);
    const step = (by) => {
      const i = all.findIndex((c) => String(c.generation) === page.query.get("generation"));
      show(all[Math.min(all.length - 1, Math.max(0, i + by))]);
    };
    page.key("j", "older champion", () => step(1));
    page.key("k", "newer champion", () => step(-1));
  }
  for (const [key, what, part] of [["d", "descent", descends],
    ["m", "champions against champions", meets],
    ["l", "the run's log, newest first", log]]) {
    page.key(key, what, () => {
      // what opens it has its room by then
      if (!part.open) part.addEventListener("toggle", () => part.scrollIntoView(), { once: true });
      part.open = true;
      part.scrollIntoView();
      // the next Tab goes on from here
      part.querySelector("summary").focus({ preventScroll: true });
    });
  }
  // update shows what was bred meanwhile: the newest champion, if the one before was looked at.
  const update = async () => {
    const before = all[0]?.generation;
    all = await page.get("champions", { run: run.run }).catch(() => all);
    grow?.();
    if (page.signal.aborted || all[0]?.generation === before) return;
    const shown = page.query.get("generation");
    fill();
    show(all.find((c) => String(c.generation) === shown && c.generation !== before) ?? all[0]);
  };
  return { choose, gather, tail, update };
}
