// How runs differ, in the tables of clade compare and clade diff.
import { h, replace } from "clade/ui.js";

// differences asks a route for them when it is opened; run names runs, or folders of some.
export function differences(page, run, route = "compare", title = "Differences between groups") {
  if (page.saved) return null;
  const body = h("div", {}, h("p", { class: "quiet" }, "They are computed…"));
  const ask = async () => {
    /** @type {ViewComparisonNow} */
    const { tables, notes } = await page.get(route, { run });
    const words = (rows, i) => rows.some((row) => /[a-z]/.test(row[i]));
    replace(body, tables.map(({ caption, columns, rows }) => {
      const kinds = columns.map((_, i) => (i > 0 && !words(rows, i) ? "number" : null));
      return [h("p", { class: "quiet" }, caption), h("div", { class: "scroll" },
        h("table", { class: `list ${route}` }, h("caption", { class: "hidden" }, caption),
          h("thead", {}, h("tr", {},
            columns.map((c, i) => h("th", { scope: "col", class: kinds[i] }, c)))),
          h("tbody", {}, rows.map((row) =>
            h("tr", {}, row.map((c, i) => h("td", { class: kinds[i] }, c)))))))];
    }), (notes ?? []).map((note) => h("p", {}, note)));
  };
  const details = h("details", { ontoggle: () => details.open && ask()
    .catch((err) => replace(body, h("p", { class: "fault" }, err.message))) },
  h("summary", {}, h("h2", {}, title)), body);
  return details;
}
