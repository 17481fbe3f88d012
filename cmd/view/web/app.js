// The frame around every page: finds the module of a link, gives it what it may use, and ends what
// it began when another page is opened.
import { h, say, calm, watchPointer, theme, describeKeys } from "clade/ui.js";

const places = [
  ["/", "Runs"],
  ["/league", "League"],
  ["/game", "Watch"],
  ["/play", "Play"],
];

// saved holds what a page saved as one file was made from; null on a live page.
const embedded = document.getElementById("saved");
export const saved = embedded ? JSON.parse(embedded.textContent) : null;

let current = null; // the page that is open

// link returns the link of a page. Parameters that are null or "" are left out; lists are repeated.
export function link(path, params = {}) {
  const q = new URLSearchParams();
  for (const [key, value] of Object.entries(params)) {
    for (const v of Array.isArray(value) ? value : [value]) {
      if (v !== null && v !== undefined && v !== "") q.append(key, v);
    }
  }
  const text = q.toString();
  return text ? `${path}?${text}` : path;
}

// go opens a link of this server without loading anything anew.
export function go(href, { instead = false } = {}) {
  if (instead) history.replaceState(null, "", href);
  else history.pushState(null, "", href);
  return open();
}

// Page is what a module may use. Everything it begins with these functions ends with the page.
class Page {
  constructor(url) {
    this.path = url.pathname;
    this.query = url.searchParams; // parameters of the link
    this.main = h("main", { id: "main", tabindex: -1 });
    this.ended = new AbortController();
    this.signal = this.ended.signal; // says when the page is left
    this.saved = saved !== null; // no server is there
    this.answers = {}; // of get, for a file that works alone
    this.keys = new Map();
  }

  // title names the page in the window's title.
  title(text) {
    document.title = `${text} · clade`;
  }

  // get asks the server and returns its answer. An error says why there is none.
  async get(name, params) {
    const url = link(`/api/${name}`, params);
    if (saved) {
      if (url in saved.answers) return saved.answers[url];
      throw new Error("this file was saved without it");
    }
    const answer = await ask(url, { signal: this.signal });
    this.answers[url] = answer;
    return answer;
  }

  // bytes asks for an answer that is no JSON.
  async bytes(name, params) {
    const url = link(`/api/${name}`, params);
    if (saved) {
      if (!(url in saved.answers)) throw new Error("this file was saved without it");
      return Uint8Array.from(atob(saved.answers[url]), (c) => c.charCodeAt(0));
    }
    const response = await request(url, { signal: this.signal });
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
    throw new Error((await response.json().catch(() => null))?.error
      ?? `the server answers ${response.status}`);
  }

  // keepBytes asks for such an answer to have it in a saved file, and returns its length.
  async keepBytes(name, params) {
    const bytes = await this.bytes(name, params);
    let text = "";
    for (let i = 0; i < bytes.length;
      i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
    this.answers[link(`/api/${name}`, params)] = btoa(text);
    return bytes.length;
  }

  // post sends a body to the server and returns its answer.
  post(name, params, body) {
    return ask(link(`/api/${name}`, params), { method: "POST", body, signal: this.signal });
  }

  // stream listens to events of the server: hear.NAME(value) for each, hear.fault(text) when it
  // went
  // wrong, hear.end() when nothing more comes. Streams marked again are closed while the page is
  // hidden, because browsers allow few of them, and opened anew. It returns a function that ends
  // it.
  stream(name, params, hear, { again = false } = {}) {
    if (saved) return () => {};
    let source = null;
    const close = () => {
      source?.close();
      source = null;
    };
    const begin = () => {
      source = new EventSource(link(`/api/${name}`, params));
      source.addEventListener("open", () => connection(true));
      for (const event of Object.keys(hear)) {
        if (event === "end" || event === "fault" || event === "error") continue;
        source.addEventListener(event,
          (e) => calm(() => this.signal.aborted || hear[event](JSON.parse(e.data))));
      }
      source.addEventListener("end", () => {
        close();
        calm(() => hear.end?.());
      });
      source.addEventListener("fault", (e) => {
        close();
        calm(() => (hear.fault ?? say)(JSON.parse(e.data)));
      });
      source.addEventListener("error", () => {
        if (again) {
          connection(false);
          if (source?.readyState !== EventSource.CLOSED) return; // the browser tries again
          setTimeout(() => source?.readyState === EventSource.CLOSED && !this.signal.aborted
            && begin(), 3000);
          return;
        }
        close();
        (hear.fault ?? say)("the server does not answer");
      });
    };
    const look = () => {
      if (document.hidden) close();
      else if (!source) begin();
    };
    begin();
    if (again) document.addEventListener("visibilitychange", look, { signal: this.signal });
    this.signal.addEventListener("abort", close);
    return close;
  }

  // remember changes parameters of the link without opening it anew.
  remember(params) {
    for (const [key, value] of Object.entries(params)) {
      this.query.delete(key);
      for (const v of Array.isArray(value) ? value : [value]) {
        if (v !== null && v !== undefined && v !== "") this.query.append(key, v);
      }
    }
    const text = this.query.toString();
    if (!saved && !this.signal.aborted) history.replaceState(null, "",
      text ? `${this.path}?${text}` : this.path);
  }

  // key calls a function when a key is pressed outside of fields: "ArrowLeft", "Shift+J", " ". What
  // it does is listed under "?".
  key(name, what, act) {
    this.keys.set(name, { what, act });
  }

  // on listens to an event until the page is left.
  on(target, event, act, options = {}) {
    target.addEventListener(event, act, { ...options, signal: this.signal });
  }
}

let lost = null; // says that the server does not answer, and since when

// connection shows whether the server answers: what is on the page is of the time before.
function connection(is) {
  if (is === !lost) return;
  if (is) {
    lost.remove();
    lost = null;
  } else {
    const since = new Date().toLocaleTimeString("en-GB");
    lost = h("p", { class: "lost", role: "alert" },
      `No connection to clade view since ${since}; what is shown is of that time. Trying again…`);
    document.querySelector("header").after(lost);
  }
}

// request is fetch whose error says that there is no server.
async function request(url, options) {
  try {
    const response = await fetch(url, options);
    connection(true);
    return response;
  } catch (err) {
    if (options?.signal?.aborted) throw err;
    throw new Error("no connection to clade view; see whether it still runs");
  }
}

async function ask(url, options) {
  const response = await request(url, options);
  const answer = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer;
  throw new Error(answer?.error ?? `the server answers ${response.status}`);
}

async function open() {
  current?.ended.abort();
  const url = saved ? new URL(saved.link, "http://saved/") : new URL(location.href);
  const page = (current = new Page(url));
  const name = url.pathname === "/" ? "runs" : url.pathname.slice(1);
  for (const a of document.querySelectorAll("header nav a")) {
    if (a.getAttribute("href") === url.pathname) a.setAttribute("aria-current", "page");
    else a.removeAttribute("aria-current");
  }
  document.querySelector("main")?.replaceWith(page.main);
  page.main.setAttribute("aria-busy", "true");
  try {
    const module = await import(`clade/pages/${name}.js`).catch(async (err) => {
      await request("/"); // says so if the server is gone
      throw err;
    });
    if (page.signal.aborted) return;
    page.title(module.title);
    const strange = [...page.query.keys()].find((k) => k !== "token" && !module.keys.includes(k));
    if (strange) {
      say(`the address says "${strange}", which this page does not know; it knows `
        + module.keys.join(", "));
    }
    await module.default(page);
  } catch (err) {
    if (page.signal.aborted) return;
    if (err instanceof Error && !err.message) throw err;
    page.main.append(page.main.querySelector("h1") ? "" : h("h1", {}, "This page is not shown"),
      h("p", { class: "fault", role: "alert" }, err.message));
    if (!(err instanceof Error) || err instanceof TypeError || err instanceof ReferenceError) {
      console.error(err);
    }
  } finally {
    page.main.removeAttribute("aria-busy");
  }
}

function pressed(e) {
  if (e.ctrlKey || e.metaKey || e.altKey || !current) return;
  if (e.target.closest?.(
    "input:not([type=checkbox]):not([type=range]), select, textarea, dialog")) return;
  const name = (e.shiftKey && e.key.length > 1 ? "Shift+" : "") + e.key;
  if (e.target.closest?.("a, button, summary, input") && (name === " " || name === "Enter")) return;
  if (name === "?") {
    describeKeys(current.keys);
    return;
  }
  const key = current.keys.get(name);
  if (!key) return;
  e.preventDefault();
  key.act(e);
}

// start draws the frame and opens the page of the link.
export function start() {
  document.body.append(
    h("a", { class: "skip", href: "#main" }, "To the content"),
    h("header", {},
      h("a", { class: "brand", href: saved ? null : "/" }, "clade"),
      saved ? h("span", { class: "quiet" }, "saved page")
        : h("nav", { "aria-label": "Pages" }, places.map(([href, name]) => h("a", { href }, name))),
      h("span", { class: "gap" }),
      h("button", { class: "icon", title: "Keys (?)", "aria-label": "Keys",
        onclick: () => describeKeys(current.keys) }, "?"),
      theme()),
    h("main"));
  addEventListener("popstate", open);
  addEventListener("keydown", pressed);
  watchPointer();
  document.addEventListener("click", (e) => {
    const a = /** @type {HTMLElement} */ (e.target).closest("a");
    if (!a || saved || e.defaultPrevented || e.button !== 0 || e.ctrlKey || e.metaKey || e.shiftKey
      || e.altKey
      || a.target || a.hasAttribute("download") || a.origin !== location.origin
      || a.pathname.startsWith("/api/") || a.getAttribute("href").startsWith("#")) return;
    e.preventDefault();
    go(a.href).then(() => scrollTo(0, 0));
  });
  open();
}

// page returns the page that is open.
export const page = () => current;
