// Scores, and what else a game counts, by step, with a cursor in common with the board.
import { h, colour, select, replace } from "clade/ui.js";

// chart returns { element, cursor(frame) }; seek is called with a frame that is clicked.
export function chart(page, game, seek) {
  const element = h("div", { class: "chart" });
  const counts = [{ title: "Score", unit: "", of: (i) => game.scores[i] },
    ...(game.series ?? []).map((s) => ({ title: s.title, unit: s.unit,
      of: (i) => s.values[i] }))];
  let shown = counts[0];
  let plot = null;
  let frame = 0;
  const area = h("div", { role: "img", "aria-label": "scores by step" });
  const heading = counts.length > 1
    ? Object.assign(select(counts.map((c) =>
      [c.title, c.unit ? `${c.title}, ${c.unit}` : c.title]), shown.title, (title) => {
      shown = counts.find((c) => c.title === title);
      draw();
    }), { ariaLabel: "What is drawn by step" }) : h("span", { class: "quiet" }, "Score by step");
  element.append(h("div", { class: "charthead" }, heading), area);

  function draw() {
    plot?.destroy();
    const wide = element.clientWidth;
    if (wide === 0) return;
    const axis =
      { stroke: colour("quiet"), grid: { stroke: colour("line"), width: 1 }, ticks: { show: false },
      font: "11px system-ui, sans-serif" };
    plot = new uPlot({
      width: wide, height: 120, legend: { show: false }, padding: [8, 22, 0, 0],
      scales: { x: { time: false } },
      axes: [{ ...axis, size: 24 }, { ...axis, size: (u, all) =>
        Math.max(48, ...(all ?? []).map((v) => 16 + 6.5 * String(v).length)) }],
      cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false } },
      hooks: { ready: [() => cursor(frame)] }, // before, it knows no places
      series: [{},
        ...game.players.map((name, i) => ({ label: name, width: 1.75, points: { show: false },
        stroke: game.looks[0].seatColours[i], paths: uPlot.paths.stepped({ align: 1 }) }))],
    }, [game.steps, ...game.players.map((_, i) => shown.of(i))], replace(area));
    plot.ctx.canvas.setAttribute("aria-hidden", "true"); // the area has the name
    plot.over.addEventListener("click", () => {
      if (plot.cursor.idx !== null && plot.cursor.idx !== undefined) seek(plot.cursor.idx);
    });
    plot.over.addEventListener("mouseleave", () => cursor(frame));
  }

  function cursor(to) {
    frame = to;
    plot?.setCursor({ left: plot.valToPos(game.steps[frame], "x"), top: -10 }, false);
  }
  new ResizeObserver(() => draw()).observe(element);
  page.on(document, "themechange", draw);
  return { element, cursor };
}
