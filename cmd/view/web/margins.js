// A strip of all decisions of a game: how far what was taken lay before the next best.
import { h, colour, say } from "clade/ui.js";

const isClose = (m) => m.share < 0.05; // of the way from the worst to the best
// of a win as a search sees it, or of that way
const isBlunder = (m) => m.lost > (m.searched ? 0.1 : 0.3);

// margins returns { element, cursor(step) }; seek is called with a step.
export async function margins(page, game, params, seek) {
  /** @type {WatchMargin[]} */
  const all = await page.get("why/margins", params).catch(() => []);
  if (all.length < 2) return null;
  const judge = all.some((m) => m.searched) ? "a search: 10 % of a win or more lost"
    : "the run's last champion";
  const last = Math.max(1, game.steps.at(-1));
  const canvas = h("canvas", { class: "strip", role: "img", tabindex: 0,
    "aria-label": `margins of ${all.length} decisions, ${all.filter(isClose).length} of them close`
      + `${all.some(isBlunder) ? `, ${all.filter(isBlunder).length} blunders` : ""}` });
  const told = h("span", { class: "quiet" }, "Margins of decisions; low bars are close calls (c)",
    all.some(isBlunder) ? `; ▾ blunders to ${judge} (b)` : "");
  const line = h("span", { class: "now" }); // apart, since there may be thousands of bars
  let at = 0;
  let bar = 1, wide = 0, left = 0; // of the strip as it is drawn, in pixels
  const x = (step) => (step / last) * (wide - bar);
  const cursor = () => { line.style.left = `${left + x(at) + bar / 2 - 0.5}px`; };
  const draw = () => {
    const dense = devicePixelRatio || 1;
    const high = canvas.clientHeight;
    [wide, left] = [canvas.clientWidth, canvas.offsetLeft];
    if (wide === 0) return;
    bar = Math.max(1, Math.min(8, wide / (last + 1) - 1));
    cursor();
    canvas.width = wide * dense;
    canvas.height = high * dense;
    const c = canvas.getContext("2d");
    c.scale(dense, dense);
    for (const m of all) {
      c.fillStyle = isClose(m) ? colour("warn") : game.looks[0].seatColours[m.seat];
      const tall = Math.max(3, m.share * (high - 4));
      c.globalAlpha = isClose(m) ? 1 : 0.85;
      c.fillRect(x(m.step), high - tall, bar, tall);
    }
    c.globalAlpha = 1;
    c.fillStyle = colour("warn");
    for (const { step } of all.filter(isBlunder)) {
      c.beginPath();
      for (const by of [-4, 4, 0]) c.lineTo(x(step) + bar / 2 + by, by ? 0 : 7);
      c.fill();
    }
  };
  const nearest =
    (step) =>
      all.reduce((best, m) => (Math.abs(m.step - step) < Math.abs(best.step - step) ? m : best));
  page.on(canvas, "click", (e) => seek(nearest((e.offsetX / canvas.clientWidth) * last).step));
  page.on(document, "themechange", draw);
  new ResizeObserver(draw).observe(canvas);
  const next = (is, none) => () => {
    const calls = all.filter(is);
    if (calls.length === 0) say(none);
    else seek((calls.find((m) => m.step > at) ?? calls[0]).step);
  };
  page.key("c", "the next close call", next(isClose, "No decision of this game was close."));
  page.key("b", "the next blunder, as a search or the last champion of its run sees it",
    next(isBlunder, `No decision of this game is a blunder to ${judge}.`));
  return { element: h("div", { class: "margins" }, told, canvas, line), cursor(step) {
    at = step;
    cursor();
  } };
}
