// What stands under every figure: its caption, and links that save it in each form.
import { link, saved } from "clade/app.js";
import { h } from "clade/ui.js";

// save links to the figure of a kind in every form, drawn by the code of the commands; all but a
// genome's may be chosen as wide as a column or a page of a paper.
export function save(params) {
  if (saved) return null;
  const forms = Object.entries({ svg: "SVG", "text.svg": "SVG with letters", png: "PNG", pdf: "PDF",
    tex: "TEX", csv: "CSV" });
  const links = forms.map(([, name]) => h("a", { download: "" }, name));
  const aim = (width) => links.forEach((a, i) => {
    a.href = link("/api/figure", { ...params, ...(width && { width }), as: forms[i][0] });
  });
  aim("");
  const width = params.kind !== "tree"
    && h("select",
      { "aria-label": "Width of the saved figure", onchange: (e) => aim(e.target.value) },
    [["", "own width"], ["column", "column"],
      ["page", "page"]].map(([value, name]) => h("option", { value }, name)));
  return h("span", { class: "save" }, "Save: ", width || null, links);
}

// trees draws a genome; a saved page has those of some.
export function trees(page, params, alt) {
  const shown = { ...params, as: "svg", show: 1 };
  const img = h("img", { alt, src: saved ? null : link("/api/figure", shown) });
  if (saved) page.bytes("figure", shown).then((svg) => {
    img.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  }, () => img.replaceWith(h("p", { class: "quiet" },
    "The saved page has the trees of newer champions only.")));
  return img;
}

// figure frames a drawing with its title and its links.
export function figure(title, caption, links, ...body) {
  return h("figure", {},
    h("figcaption", { title: caption }, h("h3", {}, title), h("span", { class: "gap" }), links),
      ...body);
}
