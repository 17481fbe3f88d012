// Curves with their bands, drawn by uPlot: every point, nothing smoothed. Charts of a page that
// share a sync key share their cursor.
import { h, colour, round } from "clade/ui.js";
import { download } from "clade/save.js";

// steps of ticks, 1, 2, 5 and so on: there is no half of a generation
const whole = Array.from({ length: 30 }, (_, i) => [1, 2, 5][i % 3] * 10 ** Math.floor(i / 3));
const dashes = [[], [6, 4], [2, 3], [8, 3, 2, 3]];

// chart draws curves {name, colour, x, mean, low, high} into an element and keeps it as wide as
// that. thin are curves {x, mean, name, colour, dash, faint} of single runs; the one under the
// pointer is drawn out, and named.
// scale multiplies values; a click calls open(x). zoom keeps the part that is shown, x of it, while
// the chart is drawn anew. With the focus, arrow keys move the cursor, + and 0 zoom, Enter is a
// click. It returns a function that takes it away.
/** @param {any} what */
export function chart(into, what) {
  const { title, unit = "", scale = 1, curves, thin = [], open, sync, share = false } = what;
  const { zoom = {} } = what;
  const times = (v) => (v === null || v === undefined ? null : v * scale);
  const xs = [...new Set([...curves, ...thin].flatMap((c) => c.x))].sort((a, b) => a - b);
  const place = new Map(xs.map((x, i) => [x, i]));
  const column = (c, values) => {
    const all = new Array(xs.length).fill(null);
    c.x.forEach((x, i) => (all[place.get(x)] = times(values[i])));
    return all;
  };
  const data = [xs];
  for (const c of curves) data.push(column(c, c.mean), column(c, c.low), column(c, c.high));
  for (const c of thin) data.push(column(c, c.mean));
  let plot = null;
  // options are uPlot's for a size in pixels, letters and lines k times as large
  const options = (width, height, k = 1) => {
    const ink = colour("quiet");
    const grid = { stroke: colour("line"), width: k };
    const axis = { stroke: ink, grid, ticks: grid, font: `${12 * k}px system-ui, sans-serif` };
    const series = [{ label: "Generation" }];
    const bands = [];
    curves.forEach((c, i) => {
      const stroke = colour(`series-${c.colour % 7}`);
      const few = c.x.length < 60;
      series.push(
        { label: c.name, stroke, width: 2 * k,
          dash: dashes[Math.floor(c.colour / 7) % dashes.length],
          spanGaps: true, points: { show: few, size: 4 * k, fill: stroke },
            value: (u, v) => (v === null ? "–" : `${round(v)}${unit}`) },
        { label: `${c.name}, low`, stroke: "transparent", width: 0, spanGaps: true,
          points: { show: false } },
        { label: `${c.name}, high`, stroke: "transparent", width: 0, spanGaps: true,
          points: { show: false } });
      bands.push({ series: [3 * i + 3, 3 * i + 2], fill: colour(`series-${c.colour % 7}`, 0.2) });
    });
    for (const c of thin) {
      series.push({ label: c.name, stroke: colour(`series-${c.colour % 7}`, c.faint ? 0.45 : 1),
        width: k, dash: dashes[c.dash % dashes.length], spanGaps: true, points: { show: false } });
    }
    return { width, height, series, bands, padding: [8, 16 * k, 0, 0], legend: { show: false },
        scales: { x: { time: false, ...(xs.length === 1 && { range: [xs[0], xs[0] + 1] }) },
          y: share ? { range: (u, low, high) => [0, Math.min(100, Math.max(5, high * 1.08))] }
            : {} },
      axes: [{ ...axis, size: 34 * k, space: 50 * k, incrs: whole,
        label: k > 1 ? "Generation" : null, labelFont: axis.font, labelSize: 20 * k },
        { ...axis, size: (unit ? 52 : 64) * k, space: 30 * k,
          values: (u, all) => all.map((v) => `${round(v)}${unit}`) }],
      focus: { alpha: 0.35 },
      cursor: { show: k === 1, sync: sync ? { key: sync } : undefined,
        focus: { prox: thin.length ? 12 : -1 }, drag: { x: true, y: false } },
      hooks: { setCursor: [read], setSeries: [(u, i) => {
        const run = thin[i - 1 - 3 * curves.length];
        near = run ? `${run.name}: ` : "";
        read(u);
      }], setScale: [(u, key) => {
        const { min, max } = u.scales.x;
        if (key === "x") zoom.x = min > xs[0] || max < xs.at(-1) ? { min, max } : null;
      }] },
    };
  };
  const draw = () => {
    plot?.destroy();
    const part = zoom.x;
    plot = new uPlot(options(Math.max(200, into.clientWidth), 220), data, into);
    if (part) plot.setScale("x", part);
    plot.over.setAttribute("role", "img");
    plot.over.setAttribute("aria-label",
      `${title}: ${curves.map((c) => `${c.name || "mean"} from ${round(times(c.mean[0]))}${unit} `
        + `to ${round(times(c.mean.at(-1)))}${unit}`).join("; ")}`);
    plot.ctx.canvas.setAttribute("aria-hidden", "true"); // over has the name
    plot.over.tabIndex = 0;
    plot.over.addEventListener("focus", () => words.setAttribute("aria-live", "polite"));
    plot.over.addEventListener("blur", () => words.removeAttribute("aria-live"));
    plot.over.addEventListener("keydown", (e) => {
      const { min, max } = plot.scales.x;
      const at = plot.cursor.idx ?? -1;
      const point = (i) => {
        const x = xs[Math.max(0, Math.min(i, xs.length - 1))];
        if (x < min || x > max) plot.setScale("x",
          { min: x - (max - min) / 2, max: x + (max - min) / 2 });
        // in its new place
        queueMicrotask(() => plot.setCursor({ left: plot.valToPos(x, "x"), top: 10 }));
      };
      const acts =
        { ArrowRight: () => point(at + 1), ArrowLeft: () => point(at - 1), Home: () => point(0),
          End: () => point(xs.length - 1),
        "+": () => {
          const middle = xs[at] ?? (min + max) / 2;
          plot.setScale("x", { min: middle - (max - min) / 4, max: middle + (max - min) / 4 });
        },
        0: () => plot.setScale("x", { min: xs[0], max: xs.at(-1) }),
        Enter: () => at >= 0 && open?.(xs[at]) };
      if (!acts[e.key]) return;
      e.preventDefault();
      e.stopPropagation();
      acts[e.key]();
    });
    let from = 0;
    plot.over.addEventListener("mousedown", (e) => (from = e.clientX));
    plot.over.addEventListener("click", (e) => {
      const i = plot.cursor.idx;
      if (Math.abs(e.clientX - from) < 3 && i !== null && i !== undefined) open?.(xs[i]);
    });
  };
  // slide saves the curves as a picture of 16 by 9, in the colours of the page
  const slide = async () => {
    const [wide, high, head, k] = [1600, 900, 130, 2];
    const holder = h("div", { style: { position: "fixed", left: `${-2 * wide}px` } });
    document.body.append(holder);
    const drawn = new uPlot(options(wide, high - head, k), data, holder);
    if (zoom.x) drawn.setScale("x", zoom.x);
    await null; // it draws behind what is under way
    const picture = document.createElement("canvas");
    const dense = drawn.ctx.canvas.width / wide;
    Object.assign(picture, { width: wide * dense, height: high * dense });
    const c = picture.getContext("2d");
    c.fillStyle = colour("paper");
    c.fillRect(0, 0, picture.width, picture.height);
    c.drawImage(drawn.ctx.canvas, 0, head * dense);
    drawn.destroy();
    holder.remove();
    c.scale(dense, dense);
    c.fillStyle = colour("ink");
    c.font = "600 38px system-ui, sans-serif";
    c.fillText(title, 32, 56);
    c.font = "26px system-ui, sans-serif";
    let x = 32;
    const named = curves.length + thin.length > 1
      ? [...curves, ...thin.filter((t) => !t.faint)] : [];
    for (const { name, colour: n, dash } of named) {
      c.strokeStyle = colour(`series-${n % 7}`);
      c.lineWidth = dash === undefined ? 2 * k : k;
      c.setLineDash(dashes[(dash ?? Math.floor(n / 7)) % dashes.length]);
      c.beginPath();
      c.moveTo(x, 94);
      c.lineTo(x + 48, 94);
      c.stroke();
      c.fillText(name || "mean", x + 60, 103);
      x += 100 + c.measureText(name || "mean").width;
      if (x > wide - 200) break;
    }
    picture.toBlob((png) => download(`${title}.png`, png, "image/png"));
  };
  into.before(h("div", { class: "bar" }, h("h4", {}, title), h("span", { class: "gap" }),
    h("button", { class: "icon slide", "aria-label": `Save a slide of ${title}`,
      title: "Save a picture for a slide, in these colours", onclick: slide }, "⤓ slide")));
  let near = ""; // the run under the pointer
  const words = h("p", { class: "reading quiet" });
  const usual = curves.length > 1 ? "" : " ";
  function read(u) {
    const i = u.cursor.idx;
    if (i === null || i === undefined) {
      words.textContent = usual || " ";
      return;
    }
    words.textContent = `${near}@${xs[i]}: ` + curves.map((c, k) => {
      const v = data[3 * k + 1][i];
      if (v === null) return null;
      const [low, high] = [data[3 * k + 2][i], data[3 * k + 3][i]];
      const band = low === null ? "" : ` (${round(low)}–${round(high)})`;
      return `${curves.length > 1 ? `${c.name} ` : ""}${round(v)}${unit}${band}`;
    }).filter(Boolean).slice(0, 4).join(" · ");
  }
  draw();
  into.append(words);
  const watch =
    new ResizeObserver(() => plot.setSize({ width: Math.max(200, into.clientWidth), height: 220 }));
  watch.observe(into);
  document.addEventListener("themechange", draw);
  return () => {
    watch.disconnect();
    document.removeEventListener("themechange", draw);
    plot.destroy();
  };
}

// legend names the curves by colour; a name that is empty is of none that is here.
// eye makes the button that hides one.
export const legend = (names, eye) => h("p", { class: "legend" }, names.map((n, i) =>
  n && h("span", {}, h("i", { class: `key key-${i % 7}` }), n, eye(n))));
