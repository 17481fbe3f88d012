// Saves the open page as one HTML file that works without a server: modules as data links behind
// the import map, answers of the server as JSON.
import { say } from "clade/ui.js";

function encode(type, text) {
  const bytes = new TextEncoder().encode(text);
  let binary = "";
  for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return `data:${type};base64,${btoa(binary)}`;
}

// saveFile makes the file of a page and lets the browser download it. It holds the answers that the
// page has had; what plays on demand stays behind.
export async function saveFile(page, name) {
  const answer = await fetch("/api/assets");
  const files = await answer.json();
  const imports = {};
  for (const [path, text] of Object.entries(files)) {
    if (path.endsWith(".js")) imports[`clade/${path}`] = encode("text/javascript", text);
  }
  const safe = (text) => text.replaceAll("</", "<\\/").replaceAll("<!--", "<\\!--");
  const kept = JSON.stringify({ link: page.path + location.search, answers: page.answers });
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src data: 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:">
<title>${document.title.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</title>
<link rel="icon" href="data:,">
<style>${files["uplot/uPlot.min.css"]}${files["style.css"]}</style>
<script type="importmap">${safe(JSON.stringify({ imports }))}</script>
<script type="application/json" id="saved">${safe(kept)}</script>
<script type="module">import "clade/start.js";</script>
</head><body></body></html>
`;
  const url = URL.createObjectURL(new Blob([html], { type: "text/html" }));
  const a = Object.assign(document.createElement("a"), { href: url, download: `${name}.html` });
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
  say(`${name}.html: ${(html.length / 1e6).toFixed(1)} MB`);
}
