// Descent: the server draws the lines of all individuals to runs of pixels, the page shows them,
// and asks again for the part that is zoomed to.
import { link, saved } from "clade/app.js";
import { h, replace, colour, count, duration, progress, round, select, field } from "clade/ui.js";
import { trees } from "clade/figures.js";

const height = 420;

// keep keeps descent for a saved page: its picture, and what a click on champions and on those
// alive
// shows, with trees of up to so many bytes.
export async function keep(page, run, bytes) {
  const frame = { run, width: 1240, height, by: page.query.get("colour") };
  const kept = { now: await page.get("descent", frame), of: [] };
  const { ids } = await page.get("individuals", { run });
  for (const id of ids) {
    const it = await page.get("individual", { ...frame, id });
    if (!it.player) continue;
    if (it.champion === null) bytes -= await page.keepBytes("figure",
      { kind: "tree", run, players: it.player, as: "svg", show: 1 });
    if (bytes < 0) break;
    kept.of.push(it);
  }
  page.answers.family = kept;
}

// descent draws the lineage of a run into an element, and returns what draws it anew when it has
// grown.
export async function descent(page, run, into) {
  const canvas =
    h("canvas",
      { class: "descent", tabindex: 0, role: "img",
        "aria-label": "Descent along first parents, time to the right" });
  const words = h("p", { class: "reading quiet", role: "status" }, "The lineage is being read…");
  const about = h("div", { class: "individual", role: "status" });
  // before it is drawn, too: what is scrolled to has its place
  if (!saved) canvas.style.height = `${height}px`;
  let now = null;
  let want = {}; // the part that was asked for last
  let by = page.query.get("colour") ?? ""; // the measure that lines are coloured by
  let marked = null;
  let asked = 0;
  let shown = 0;
  const kept = saved?.answers.family;
  const room = () => Math.max(280, Math.min(1400, Math.floor(into.clientWidth)));
  let width = kept?.now.width ?? room();
  const button =
    (sign, name, act) => h("button", { title: name, "aria-label": name, onclick: act }, sign);
  const legend = h("p", { class: "legend" });
  const measures = h("span");
  replace(into, canvas, legend,
    h("div", { class: "bar" }, words, measures, kept ? null : [h("span", { class: "gap" }),
    button("+", "Zoom in", () => zoom(0.5)), button("−", "Zoom out", () => zoom(2)),
      button("All", "All of it", () => ask({}))]), about);
  const frame =
    () => ({ run, width, height, from: now?.from, to: now?.to, low: now?.low, high: now?.high });

  async function ask(part) {
    const mine = ++asked;
    want = part;
    marked = null;
    const got = kept?.now
      ?? await page.get("descent", { run, width, height, by, ...part }).catch((err) => {
      if (!page.signal.aborted) words.textContent = err.message;
    });
    if (mine !== asked || !got) return;
    now = got;
    canvas.setAttribute("aria-label",
      `Descent of ${count(now.individuals)} individuals along first parents, time to the right`);
    words.textContent =
      `${count(now.individuals)} individuals whose lines are on record, ${count(now.leaves)} `
        + `lines · `
        + `generations ${round(Math.max(0, now.from))} to ${round(now.to)} · `
          + (kept ? "click a champion or one that is alive"
            : "drag to move, wheel or + − to zoom, 0 for all, click an individual; Enter takes the "
              + "one in the middle");
    const [all, ofChampions] = now.measures.map((names) => names ?? []);
    const options = [["", "who survives"], ...all.map((name) => [name, name]),
      ...ofChampions.map((name) => [name, `${name} (champions)`])];
    if (!kept && measures.querySelectorAll("option").length < options.length) replace(measures,
      field("coloured by", select(options, by, (name) => {
        by = name;
        page.remember({ colour: by });
        ask(want);
      })));
    const key = (name, ink) => h("span", {},
      h("i", { class: "key", style: { background: `var(--${ink})` } }), name);
    replace(legend,
      now.by ? h("span", {}, `${now.by}: ${round(now.least)}`, h("i", { class: "key ramp" }),
        round(now.most), now.dots ? " (dots: champions)" : "")
        : [key("survives", "series-0"), key("extinct", "line")],
      now.champion
        ? now.by ? h("span", {}, "thick: line of the last champion")
          : key("line of the last champion", "series-1") : null,
      now.ancestor && !now.by
        ? h("span", {}, h("b", { style: { color: "var(--series-1)" } }, "●"),
          "last common ancestor of who survives") : null);
    draw();
  }

  function draw() {
    const ratio = devicePixelRatio || 1;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    canvas.style.width = `${width}px`;
    if (kept) canvas.style.maxWidth = "100%";
    else canvas.style.height = `${height}px`;
    const c = canvas.getContext("2d");
    c.scale(ratio, ratio);
    const shade = (n) => n > 0 && `color-mix(in oklch, ${colour("series-0")}, `
      + `${colour("series-1")} ${(100 * (n - 1)) / (now.across.length - 2)}%)`;
    now.across.forEach((_, kind) => {
      c.fillStyle = kind === 0 ? now.dots ? colour("quiet", 0.6) : colour("line")
        : now.by ? shade(kind) : colour("series-0");
      for (let i = 0; i < now.across[kind].length; i += 3) c.fillRect(now.across[kind][i + 1],
        now.across[kind][i], now.across[kind][i + 2], 1);
      for (let i = 0; i < now.down[kind].length; i += 3) c.fillRect(now.down[kind][i],
        now.down[kind][i + 1], 1, now.down[kind][i + 2]);
    });
    c.lineWidth = now.by ? 4 : 2.5;
    c.lineCap = "round";
    (now.champion ?? []).forEach(([x, y, n], i, line) => { // from its birth back to its parent's
      const [from, row] = line[i + 1] ?? [x, y];
      c.strokeStyle = now.by ? shade(n) || colour("ink") : colour("series-1");
      c.beginPath();
      for (const at of [[x, y], [from, y], [from, row]]) c.lineTo(at[0], at[1]);
      c.stroke();
    });
    const dot = (x, y, ink, r) => {
      c.fillStyle = ink;
      c.beginPath();
      c.arc(x, y, r, 0, 7);
      c.fill();
    };
    if (now.ancestor && !now.by) dot(...now.ancestor, colour("series-1"), 4.5);
    for (const [x, y, n] of now.dots ?? []) dot(x, y, shade(n), 4.5);
    if (marked) {
      dot(marked.x, marked.y, colour("paper"), 6);
      dot(marked.x, marked.y, colour("ink"), 4);
    }
    if (!kept && canvas.matches(":focus-visible")) { // where Enter points
      c.fillStyle = colour("ink");
      c.fillRect(width / 2 - 8, height / 2, 17, 1);
      c.fillRect(width / 2, height / 2 - 8, 1, 17);
    }
  }

  async function show(params) {
    const mine = ++shown;
    const part = asked;
    const it = kept ? among(params)
      : await page.get("individual", { ...frame(), ...params }).catch((err) => {
      replace(about, h("p", { class: "fault" }, err.message));
    });
    if (kept && !it) replace(about,
      h("p", { class: "quiet" }, "The saved page has champions, and who was alive at the end."));
    if (!it || mine !== shown || page.signal.aborted) return;
    if (part === asked) { // else it stands elsewhere by now
      marked = it;
      draw();
    }
    const other = (id) => h("button", { class: "text", onclick: () => show({ id }) }, `#${id}`);
    // beside those of its parent, or where these are not at hand of a champion of its line
    const before = kept || !it.player ? ""
      : it.parent || (it.nearest === null ? "" : `@${it.nearest}`);
    const pictures = !before ? [[it.player, "", `Trees of individual ${it.id}`]]
      : [[it.player, before, `Individual ${it.id}, in colour what is new`],
        [before, it.player, `${it.parent ? `Its parent #${it.parents[0]}`
          : `The champion before it on its line, ${before}`}, in colour what is gone`]];
    const state = h("span", { class: "quiet", role: "status" });
    const again = kept || it.player && (it.parent || !it.parents.length) ? null
      : h("p", {}, h("button", { onclick: (e) => {
        e.target.disabled = true;
        page.stream("individual/breed", { run, id: it.id }, {
          progress: (p) => replace(state, progress(p.done, p.total, p.name),
            ` generation ${p.done} of ${p.total}`),
          bred: () => show({ id: it.id }),
          fault: (text) => replace(state, h("span", { class: "fault" }, text)),
        });
      } }, `Breed again up to generation ${it.born}`), ` takes about ${duration(it.seconds)}; then `
        + "all on its line have their trees, each beside its parent's. ", state);
    replace(about,
      h("h3", {}, `Individual ${it.id}`),
      h("p", {},
        `Born in generation `
          + `${it.born}${it.died === null ? ", alive at the end" : `, died in ${it.died}`}; `
            + `${count(it.children)} ${it.children === 1 ? "child" : "children"} by first parents; `
              + `${it.survives ? "its line survives" : "its line died out"}.`,
        it.champion === null ? "" : ` Champion of generation ${it.champion}.`),
      h("p", {}, "Parents: ",
        it.parents.length ? it.parents.map((id) => [other(id), " "]) : "none, a founder",
        it.ancestors.length > 1
          ? [" · line: ", it.ancestors.slice(1, 8).map((id) => [other(id), " "])] : null),
      it.player ? [h("p", {},
        page.saved ? null
          : [h("a", { href: link("/game", { run, players: it.player }) }, "Watch its game"), " · ",
            h("a", { href: link("/play", { run, players: it.player }) }, "Play against it")]),
        h("div", { class: "pair" }, pictures.map(([players, since, text]) => h("figure", {},
          h("figcaption", {}, before ? h("h4", {}, text) : null),
          h("div", { class: "scroll drawing" },
            trees(page, { kind: "tree", run, players, since }, text)))))]
        : h("p", { class: "quiet" },
          "Its genome is not kept: a run keeps champions and the newest populations. ",
          it.nearest === null || kept ? null
            : ["The nearest champion of its line is that of generation ",
            h("a", { href: link("/game", { run, generation: it.nearest }) }, `@${it.nearest}`),
              "."]), again);
  }

  // among returns the individual of a saved page with an id, or the one nearest to a place.
  function among({ id, x, y }) {
    const far = (it) => Math.hypot(it.x - x, it.y - y);
    return kept.of.find((it) => it.id === id)
      ?? (id === undefined ? kept.of.toSorted((a, b) => far(a) - far(b))[0] : null);
  }

  function zoom(factor, x = width / 2, y = height / 2) {
    const { from, to, low, high } = { ...now, ...want };
    const t = from + (to - from) * (x / width);
    const r = low + (high - low) * (y / height);
    ask({ from: t - (t - from) * factor, to: t + (to - t) * factor, low: r - (r - low) * factor,
      high: r + (high - r) * factor });
  }

  function move(dx, dy) {
    const { from, to, low, high } = { ...now, ...want };
    const t = ((to - from) * dx) / width;
    const r = ((high - low) * dy) / height;
    ask({ from: from + t, to: to + t, low: low + r, high: high + r });
  }

  if (kept) {
    canvas.addEventListener("click",
      (e) => show({ x: e.offsetX * width / canvas.clientWidth,
        y: e.offsetY * height / canvas.clientHeight }));
  } else {
    canvas.addEventListener("wheel", (e) => {
      e.preventDefault();
      zoom(e.deltaY > 0 ? 1.25 : 0.8, e.offsetX, e.offsetY);
    }, { passive: false });
    let from = null;
    canvas.addEventListener("pointerdown", (e) => {
      from = e;
      canvas.setPointerCapture(e.pointerId);
    });
    canvas.addEventListener("pointerup", (e) => {
      if (!from) return;
      const [dx, dy] = [from.clientX - e.clientX, from.clientY - e.clientY];
      from = null;
      if (Math.hypot(dx, dy) < 4) show({ x: Math.max(0, Math.round(e.offsetX)),
        y: Math.max(0, Math.round(e.offsetY)) });
      else move(dx, dy);
    });
    canvas.addEventListener("keydown", (e) => {
      const acts =
        { "+": () => zoom(0.7), "=": () => zoom(0.7), "-": () => zoom(1.4), 0: () => ask({}),
        ArrowLeft: () => move(-60, 0), ArrowRight: () => move(60, 0), ArrowUp: () => move(0, -60),
          ArrowDown: () => move(0, 60),
        Enter: () => show({ x: width >> 1, y: height >> 1 }) };
      if (!acts[e.key]) return;
      e.preventDefault();
      e.stopPropagation();
      acts[e.key]();
    });
    for (const event of ["focus", "blur"]) canvas.addEventListener(event, () => now && draw());
    const resized = new ResizeObserver(() => {
      if (into.clientWidth === 0 || room() === width) return;
      width = room();
      ask(want);
    });
    resized.observe(into);
    page.signal.addEventListener("abort", () => resized.disconnect());
  }
  page.on(document, "themechange", () => now && draw());
  await ask({});
  return () => ask(want);
}
