// What pages draw with: elements, numbers, the theme, and the few widgets that several pages share.

const svgNames = new Set(["svg", "g", "path", "line", "circle", "rect", "text", "polygon"]);

// h makes an element: h("a", { href, onclick, class }, "text", child, [more]). Attributes that are
// null or false are left out.
export function h(name, attributes = {}, ...children) {
  const e = svgNames.has(name)
    ? document.createElementNS("http://www.w3.org/2000/svg", name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
    else if (key === "style") Object.assign(e.style, value);
    else if (key === "value" || key === "checked" || key === "selected"
      || key === "disabled") e[key] = value;
    else e.setAttribute(key, value === true ? "" : value);
  }
  e.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
  return e;
}

// replace gives an element other children.
export function replace(e, ...children) {
  e.replaceChildren(...children.flat(Infinity)
    .filter((c) => c !== null && c !== undefined && c !== false));
  return e;
}

// refresh gives an element other children and leaves the focus where it was: on what is named
// alike.
export function refresh(e, ...children) {
  const focus = e.contains(document.activeElement) ? document.activeElement : null;
  const name = (some) => some.getAttribute("aria-label") ?? some.textContent;
  const alike =
    () => [...e.querySelectorAll(focus.localName)].filter((some) => name(some) === name(focus));
  const at = focus ? alike().indexOf(focus) : -1;
  replace(e, ...children);
  if (focus) alike()[at]?.focus({ preventScroll: true });
  return e;
}

// patch gives an element children, of which those that look as the one before at their place are
// left alone, with what is pointed at or selected there. The focus stays on the row that had it.
export function patch(e, children) {
  const had = e.querySelector(":scope > :focus-within");
  const parts = (row) => [...row?.querySelectorAll("a, button, input") ?? []];
  const at = parts(had).indexOf(document.activeElement);
  const same = (row) => JSON.stringify(row.dataset) === JSON.stringify(had.dataset);
  children.forEach((child, i) => {
    const was = e.children[i];
    if (!was) e.append(child);
    else if (was !== child && was.outerHTML !== child.outerHTML) was.replaceWith(child);
  });
  while (e.children.length > children.length) e.lastChild.remove();
  if (had) parts([...e.children].find(same))[at]?.focus({ preventScroll: true });
}

// rove makes a list or tree one stop of Tab, at first its current item: up, down, Home and End go
// from item to item, and in a tree left to what an item is part of and right to its first part.
export function rove(list, items, current = items) {
  const all = () => /** @type {HTMLElement[]} */ ([...list.querySelectorAll(items)]);
  const stop = (item) => { for (const e of all()) e.tabIndex = e === item ? 0 : -1; };
  stop(list.querySelector(current) ?? all()[0]);
  list.addEventListener("focusin", (e) => e.target.matches(items) && stop(e.target));
  list.addEventListener("keydown", (e) => {
    const here = all();
    const at = here.indexOf(e.target);
    if (at < 0 || e.ctrlKey || e.altKey || e.metaKey || e.shiftKey) return;
    const level = (some) => Number(some?.closest("[aria-level]")?.ariaLevel);
    const depth = level(e.target);
    const up = here.slice(0, at).findLast((some) => level(some) < depth);
    const next = here[at + 1];
    const to = { ArrowUp: here[at - 1], ArrowDown: next, Home: here[0], End: here.at(-1),
      ...(depth && { ArrowLeft: up, ArrowRight: level(next) > depth ? next : null }) };
    if (!(e.key in to)) return;
    e.preventDefault();
    e.stopPropagation();
    to[e.key]?.focus();
  });
  return list;
}

let pressing = false;
const held = []; // what waits until the pointer is released

// calm acts at once, or when the pointer is released: what is pressed must be there still then, or
// the browser makes no click of it.
export function calm(act) {
  if (pressing) held.push(act);
  else act();
}

// watchPointer begins to look for presses.
export function watchPointer() {
  addEventListener("pointerdown", () => (pressing = true), true);
  const release = () => setTimeout(() => { // behind the click
    pressing = false;
    for (const act of held.splice(0)) act();
  });
  for (const end of ["pointerup", "pointercancel", "dragend", "drop",
    "contextmenu"]) addEventListener(end, release, true);
  addEventListener("blur", release);
}

let probe = null;

// colour returns a colour of the theme as rgb(…): ink, quiet, line, paper, accent, series-0…
export function colour(name, alpha = 1) {
  probe ??= document.body.appendChild(h("span", { hidden: true }));
  probe.style.color = `var(--${name})`;
  const plain = getComputedStyle(probe).color;
  return alpha === 1 ? plain : plain.replace("rgb(", "rgba(").replace(")", `, ${alpha})`);
}

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

// count writes a whole number with its thousands apart.
export const count = (n) => whole.format(n);

// round writes a number with three digits that count.
export function round(n) {
  if (n === null || n === undefined || !Number.isFinite(n)) return "–";
  if (Math.abs(n) >= 1000) return whole.format(n);
  return String(Number(n.toPrecision(3)));
}

// percent writes a share.
export const percent = (share, digits = 1) =>
  `${(100 * share).toFixed(digits)} %`.replace("-", "−");

// duration writes seconds as people say them.
export function duration(seconds) {
  if (!(seconds > 0)) return "";
  const s = Math.round(seconds);
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60 ? `${s % 60} s` : ""}`.trim();
  const hours = Math.floor(s / 3600);
  const minutes = Math.round((s % 3600) / 60);
  if (hours < 48) return `${hours} h ${minutes ? `${minutes} min` : ""}`.trim();
  return `${Math.round(hours / 24)} days`;
}

let live = null;
let saying = 0; // the timer of what is said

// say tells something in a line at the foot of the window, also to screen readers.
export function say(text) {
  live ??= document.body.appendChild(h("div", { class: "toast", role: "status" }));
  live.textContent = text;
  live.classList.add("shown");
  clearTimeout(saying);
  saying = setTimeout(() => live.classList.remove("shown"), 6000);
}

// theme is the button that goes from the system's colours to dark and light.
export function theme() {
  const kinds = ["system", "light", "dark"];
  const signs = { system: "◐", light: "☀", dark: "☾" };
  let kind = "system";
  try {
    kind = localStorage.getItem("theme") ?? kind;
  } catch {} // a saved file may have no storage
  const button = h("button", { class: "icon" });
  const show = () => {
    document.documentElement.dataset.theme = kind;
    button.textContent = signs[kind];
    button.title = `Colours: ${kind}`;
    button.setAttribute("aria-label", `Colours: ${kind}`);
    document.dispatchEvent(new Event("themechange"));
  };
  button.addEventListener("click", () => {
    kind = kinds[(kinds.indexOf(kind) + 1) % kinds.length];
    try {
      localStorage.setItem("theme", kind);
    } catch {}
    show();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
  show();
  return button;
}

// dark tells whether the page has dark colours now.
export const dark = () => ({ dark: true, light: false })[document.documentElement.dataset.theme]
  ?? matchMedia("(prefers-color-scheme: dark)").matches;

// dialog shows something over the page until it is closed.
export function dialog(title, ...children) {
  const d = h("dialog", { "aria-label": title, onclose: () => d.remove(),
    onclick: (e) => e.target === d && d.close() },
  h("div", { class: "bar" }, h("h2", {}, title), h("span", { class: "gap" }),
    h("button", { class: "icon", "aria-label": "Close", onclick: () => d.close() }, "×")),
  ...children);
  document.body.append(d);
  d.showModal();
  return d;
}

// describeKeys lists the keys of a page.
export function describeKeys(keys) {
  const names = { " ": "Space", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };
  const rows = [...keys].map(([key, { what }]) =>
    h("tr", {},
      h("th", { scope: "row" },
        h("kbd", {},
          key.replace(/^Shift\+/, "") in names ? key.replace(/[^+]+$/, (k) => names[k]) : key)),
            h("td", {}, what)));
  rows.push(h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, "?")), h("td", {}, "this list")));
  dialog("Keys", h("table", { class: "keys" }, h("tbody", {}, rows)));
}

// interval draws a share with its interval on a line from 0 to 1, the middle marked.
export function interval(w) {
  if (!w) return null;
  const x = (v) => (4 + 92 * v).toFixed(1);
  return h("svg", { class: "interval", viewBox: "0 0 100 12", role: "img",
    "aria-label": `${percent(w.share)}, 95 % interval ${percent(w.low)} to ${percent(w.high)}` },
  h("line", { x1: 4, x2: 96, y1: 6, y2: 6, class: "axis" }),
  h("line", { x1: 50, x2: 50, y1: 3, y2: 9, class: "axis" }),
  h("line", { x1: x(w.low), x2: x(w.high), y1: 6, y2: 6, class: "range" }),
  h("circle", { cx: x(w.share), cy: 6, r: 2.6, class: "dot" }));
}

// progress draws how much of something is done.
export function progress(done, total, label) {
  return h("progress", { max: Math.max(1, total), value: done, "aria-label": label });
}

// field is a labelled control.
export const field =
  (label, control) => h("label", { class: "field" }, h("span", {}, label), control);

// settings is a field for settings of a game, KEY=VALUE each.
export function settings(now, onchange) {
  const input =
    h("input",
      { type: "text", class: "code", size: 30, placeholder: "KEY=VALUE; KEY=VALUE",
        value: now.join("; "),
    onchange: () => onchange(input.value.split(";").map((s) => s.trim()).filter(Boolean)) });
  return field("settings", input);
}

// select is a choice: options are [value, text].
export function select(options, value, onchange) {
  return h("select", { onchange: (e) => onchange(e.target.value) },
    options.map(([v, text]) => h("option", { value: v, selected: v === value }, text)));
}
