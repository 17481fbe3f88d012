// What the marks on a board mean, and how the game is played.
import { h } from "clade/ui.js";
import { painterOf } from "clade/tilted.js";

const side = 24; // pixels of a mark

// legend returns the rules of a game and the marks on its board, which can be folded away.
export function legend(page, rules, plan, seatColours) {
  if (!rules && !plan) return null;
  let open = true;
  try {
    open = localStorage.getItem("rules") !== "closed";
  } catch {} // a saved file may have no storage
  return h("details", { class: "rules", open, ontoggle: (e) => {
    try {
      localStorage.setItem("rules", e.target.open ? "open" : "closed");
    } catch {}
  } }, h("summary", {}, h("h2", {}, "Rules")), rules ? h("p", {}, rules) : null,
  plan ? marks(page, plan, seatColours) : null);
}

function marks(page, plan, seatColours) {
  const painter = painterOf({ ...plan, edges: null }, seatColours);
  const drawn = plan.kinds.map((kind, i) => {
    const canvas = h("canvas", { width: side * 2, height: side * 2, "aria-hidden": "true" });
    return { kind: i, canvas, name: kind.name };
  });
  const draw = () => {
    painter.retheme();
    for (const { kind, canvas } of drawn) {
      const c = canvas.getContext("2d");
      c.setTransform(2 * side, 0, 0, 2 * side, 0, 0);
      c.fillStyle = painter.inks[0];
      c.fillRect(0, 0, 1, 1);
      const of = plan.kinds[kind];
      const seat = of.colour > 0
        || ["mud", "wall", "apple", "chest", "flytrap", "thicket", "amount"].includes(of.form) ? -1
          : 0;
      const p =
        { kind, seat, x: 0, y: 0, facing: 0,
          number: of.form === "blob" ? 0 : of.form === "amount" ? 60 : 5 };
      if (of.form === "dot") c.transform(2.5, 0, 0, 2.5, 0.05, -1.55); // from its corner
      if (of.form === "units") painter.units(c, [p]);
      else painter.mark(c, p);
    }
  };
  draw();
  page.on(document, "themechange", draw);
  return h("ul", { class: "marks" }, drawn.map(({ canvas, name }) => h("li", {}, canvas, name)));
}
