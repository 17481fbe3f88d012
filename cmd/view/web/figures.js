// What stands under every figure: its caption, and links that save it in each form.
import { link, saved } from "clade/app.js";
import { h } from "clade/ui.js";

// save links to the figure of a kind in every form, drawn by the code of the commands.
export function save(params) {
  if (saved) return null;
  return h("span", { class: "save" }, "Save: ", ["svg", "png", "pdf", "tex", "csv"].map((as) =>
    h("a", { href: link("/api/figure", { ...params, as }), download: "" }, as.toUpperCase())));
}

// figure frames a drawing with its title and its links.
export function figure(title, caption, links, ...body) {
  return h("figure", {}, h("figcaption", { title: caption }, h("h3", {}, title), h("span", { class: "gap" }), links), ...body);
}
