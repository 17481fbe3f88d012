// Saving a page, with all that the server has answered to it, as one file that needs no server.
import { link } from "clade/app.js";
import { h, say } from "clade/ui.js";

// saveButton is the button that saves a page when gather has fetched what its file needs.
export function saveButton(page, name, gather) {
  if (page.saved) return null;
  const text = "Save as one file";
  const button = h("button", { onclick: async () => {
    button.disabled = true;
    button.textContent = "Saving…";
    try {
      await gather();
      await saveAsFile(page, name);
    } catch (err) {
      if (!page.signal.aborted) say(err.message);
    }
    button.disabled = false;
    button.textContent = text;
  } }, text);
  return button;
}

// saveAsFile lets the browser save a page as it stands.
async function saveAsFile(page, name) {
  download(name, await fileOf(page), "text/html");
}

// download lets the browser save a text, or bytes.
export function download(name, content, type) {
  const href = URL.createObjectURL(new Blob([content], { type }));
  const a = h("a", { href, download: name });
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}

// fileOf returns the text of the file, with the answers of page.get so far.
export async function fileOf(page) {
  const response = await fetch(link("/api/assets"), { signal: page.signal });
  if (!response.ok) throw new Error("the server does not answer");
  return oneFile(await response.json(), {
    link: location.pathname + location.search, answers: page.answers, title: document.title,
  });
}

// oneFile writes it: style sheets, scripts and modules stand in it, the modules as data
// that an import map names.
function oneFile(files, saved) {
  const imports = {};
  const inside = (text) => text.replaceAll("</", "<\\/");
  let style = "", scripts = "";
  for (const [path, text] of Object.entries(files)) {
    if (path.endsWith(".min.js")) scripts += `<script>${inside(text)}</script>\n`;
    else if (path.endsWith(".js")) imports[`clade/${path}`] =
      `data:text/javascript;charset=utf-8,${encodeURIComponent(text)}`;
    else if (path.endsWith(".css")) style += text;
  }
  const json = (v) => JSON.stringify(v).replaceAll("<", "\\u003c");
  const plain = (text) => text.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${plain(saved.title)}</title>
<style>${inside(style)}</style>
${scripts}<script type="importmap">${json({ imports })}</script>
<script type="application/json" id="saved">${json(saved)}</script>
<script type="module">import { start } from "clade/app.js"; start();</script>
</head>
<body>
<noscript>This page needs JavaScript.</noscript>
</body>
</html>
`;
}
