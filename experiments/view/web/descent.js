// Descent: the server draws the lines of all individuals to runs of pixels, the page shows them,
// and asks again for the part that is zoomed to.
import { link } from "clade/app.js";
import { h, replace, colour, count, round } from "clade/ui.js";

const height = 420;

// descent draws the lineage of a run into an element.
export async function descent(page, run, into) {
  const canvas = h("canvas", { class: "descent", tabindex: 0, role: "img", "aria-label": "Descent along first parents, time to the right" });
  const words = h("p", { class: "reading quiet" });
  const about = h("div", { class: "individual", role: "status" });
  replace(into, canvas, words, about);
  let now = null;
  let marked = null;
  let asked = 0;
  const width = Math.max(280, Math.min(1400, Math.floor(into.clientWidth)));
  const frame = () => ({ run, width, height, from: now?.from, to: now?.to, low: now?.low, high: now?.high });

  async function ask(part) {
    const mine = ++asked;
    const got = await page.get("descent", { run, width, height, ...part });
    if (mine !== asked) return;
    now = got;
    canvas.setAttribute("aria-label", `Descent of ${count(now.individuals)} individuals along first parents, time to the right`);
    words.textContent = `${count(now.individuals)} individuals whose lines are on record, ${count(now.leaves)} lines · generations ${round(Math.max(0, now.from))} to ${round(now.to)} · drag to move, wheel or + − to zoom, 0 for all, click an individual`;
    draw();
  }

  function draw() {
    const ratio = devicePixelRatio || 1;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    const c = canvas.getContext("2d");
    c.scale(ratio, ratio);
    [colour("line"), colour("series-0")].forEach((ink, kind) => {
      c.fillStyle = ink;
      for (let i = 0; i < now.across[kind].length; i += 3) c.fillRect(now.across[kind][i + 1], now.across[kind][i], now.across[kind][i + 2], 1);
      for (let i = 0; i < now.down[kind].length; i += 3) c.fillRect(now.down[kind][i], now.down[kind][i + 1], 1, now.down[kind][i + 2]);
    });
    const dot = (x, y, ink, r) => {
      c.fillStyle = ink;
      c.beginPath();
      c.arc(x, y, r, 0, 7);
      c.fill();
    };
    if (now.ancestor) dot(...now.ancestor, colour("series-1"), 4.5);
    if (marked) {
      dot(marked.x, marked.y, colour("paper"), 6);
      dot(marked.x, marked.y, colour("ink"), 4);
    }
  }

  async function show(params) {
    const it = await page.get("individual", { ...frame(), ...params }).catch((err) => {
      replace(about, h("p", { class: "fault" }, err.message));
    });
    if (!it) return;
    marked = it;
    draw();
    const other = (id) => h("button", { class: "text", onclick: () => show({ id }) }, `#${id}`);
    const tree = it.player ? link("/api/figure", { kind: "tree", run, players: it.player, as: "svg", show: 1 }) : null;
    replace(about,
      h("h3", {}, `Individual ${it.id}`),
      h("p", {}, `Born in generation ${it.born}${it.died === null ? ", alive at the end" : `, died in ${it.died}`}; ${count(it.children)} children by first parents; ${it.survives ? "its line survives" : "its line died out"}.`,
        it.champion === null ? "" : ` Champion of generation ${it.champion}.`),
      h("p", {}, "Parents: ", it.parents.length ? it.parents.map((id) => [other(id), " "]) : "none, a founder",
        it.ancestors.length > 1 ? [" · line: ", it.ancestors.slice(1, 8).map((id) => [other(id), " "])] : null),
      tree ? [h("p", {}, page.saved ? null : h("a", { href: link("/game", { run, players: it.player }) }, "Play its game")),
        h("div", { class: "scroll drawing" }, page.saved ? null : h("img", { src: tree, alt: `Trees of individual ${it.id}` }))]
        : h("p", { class: "quiet" }, "Its genome is not kept: a run keeps champions and the newest populations. ",
          it.nearest === null ? null : ["The nearest champion of its line is that of generation ",
            h("a", { href: link("/game", { run, generation: it.nearest }) }, `@${it.nearest}`), "."]));
  }

  function zoom(factor, x = width / 2, y = height / 2) {
    const t = now.from + (now.to - now.from) * (x / width);
    const r = now.low + (now.high - now.low) * (y / height);
    marked = null;
    ask({ from: t - (t - now.from) * factor, to: t + (now.to - t) * factor,
      low: r - (r - now.low) * factor, high: r + (now.high - r) * factor });
  }

  function move(dx, dy) {
    const t = ((now.to - now.from) * dx) / width;
    const r = ((now.high - now.low) * dy) / height;
    marked = null;
    ask({ from: now.from + t, to: now.to + t, low: now.low + r, high: now.high + r });
  }

  if (!page.saved) {
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
      if (Math.hypot(dx, dy) < 4) show({ x: Math.max(0, Math.round(e.offsetX)), y: Math.max(0, Math.round(e.offsetY)) });
      else move(dx, dy);
    });
    canvas.addEventListener("keydown", (e) => {
      const acts = { "+": () => zoom(0.7), "=": () => zoom(0.7), "-": () => zoom(1.4), 0: () => ask({}),
        ArrowLeft: () => move(-60, 0), ArrowRight: () => move(60, 0), ArrowUp: () => move(0, -60), ArrowDown: () => move(0, 60) };
      if (!acts[e.key]) return;
      e.preventDefault();
      e.stopPropagation();
      acts[e.key]();
    });
  }
  page.on(document, "themechange", () => now && draw());
  await ask({});
}
