// The page on which a person plays.
import { link, go } from "clade/app.js";
import { h, replace, refresh, say, count, percent, colour } from "clade/ui.js";
import { chooser } from "clade/chooser.js";
import { download, gameOf } from "clade/pages/game.js";

export const title = "Play";

export default async function (page) {
  const params = gameOf(page.query);
  if (!params.game && !params.run) {
    page.main.append(h("div", { class: "bar" }, h("h1", {}, "Play yourself")),
      await chooser(page, params, { path: "/play", person: true }));
    return;
  }
  const seat = page.query.get("seat") ?? "1";
  const board = h("div", { class: "playboard" });
  const facts = h("dl", { class: "sees" });
  const actions = h("div", { class: "actions", role: "group", "aria-label": "What you may do" });
  const words = h("pre", { class: "words", tabindex: 0, "aria-label": "What you see, in words" });
  const inWords = h("details", { hidden: true }, h("summary", {}, "In words"), words);
  const picked = []; // cells of a graph that moves are to name
  const zoomed = {}; // the part of a board of Life that is looked at
  const told = h("p", { role: "status" }, "The game begins…");
  const heading = h("h1", {}, "Play");
  const against = h("span", { class: "quiet" });
  const resign = h("button", { onclick: () => act("", { resign: 1 }, true) }, "Resign");
  const back = h("button", { hidden: true, title: "Take back (Backspace)", onclick: () => act("", { back: 1 }) }, "Take back");
  replace(page.main,
    h("div", { class: "bar" }, heading, against, h("span", { class: "gap" }), back, resign),
    told, h("div", { class: "watch" }, h("div", {}, board, inWords), h("div", {}, actions, facts)));
  let known = {}; // facts of the game
  let played = null;
  let seats = 2;
  let paint = () => {}; // draws the board
  page.on(document, "themechange", () => paint());
  let due = null; // the turn that waits for an answer: one for each, for a second would count for the next

  async function act(answer, more = {}, always = false) {
    const to = due;
    if (!played || !to && !always) return;
    due = null;
    let refused;
    try {
      ({ refused } = await page.post("play/act", { played, ...more }, answer && JSON.stringify(answer)));
    } catch (err) {
      refused = err.message;
    }
    if (!refused || !played || page.signal.aborted) return;
    say(refused);
    due ??= to; // no other turn has come
  }

  function turn(t) {
    due = t;
    told.textContent = `Decision ${count(t.number + 1)}: it is your turn.`;
    const cells = t.observation.own && t.observation.enemy ? life(t.observation, known, zoomed) : null;
    picked.length = 0;
    paint = cells ? cells.draw : () => refresh(board, picture(t, known, picked, (cell) => {
      const i = picked.indexOf(cell);
      if (i >= 0) picked.splice(i, 1);
      else picked.push(cell);
      paint();
      offer();
    }));
    words.textContent = t.text ?? "";
    inWords.hidden = !t.text;
    if (cells) refresh(board, cells.element);
    else paint();
    const plain = Object.entries(t.observation).filter(([, v]) => typeof v !== "object");
    replace(facts, plain.map(([k, v]) => [h("dt", {}, k), h("dd", {}, String(v))]));
    const compass = ["nw", "n", "ne", "w", "", "e", "sw", "s", "se"];
    const pad = t.actions.length === 8 && t.actions.every((a) => compass.includes(a.name));
    if (cells) for (const a of t.actions) if (a.key === " ") a.key = "p"; // space chooses a cell
    // an action without a key gets a free letter of its name, or the next one where none has a key
    const given = t.actions.filter((a) => a.key).map((a) => [a.key, a]);
    const used = new Set(t.actions.map((a) => a.key).filter(Boolean));
    for (const a of t.actions) { // as at a terminal, a name of one letter is its key
      if (!a.key && /^[a-z0-9]$/.test(a.name) && !used.has(a.name)) used.add(a.key = a.name);
    }
    const mnemonic = used.size > 0;
    for (const a of t.actions) {
      a.key ||= [...(mnemonic ? a.name : ""), ..."1234567890abcdefghijklmnoprstuvxyz"]
        .find((k) => /[a-z0-9]/.test(k) && !used.has(k)) ?? "";
      used.add(a.key);
    }
    const button = (a) => h("button", { onclick: () => act({ action: a.name }) }, a.name.toUpperCase(), " ", a.key?.trim() ? h("kbd", {}, a.key) : null);
    actions.className = pad ? "actions pad" : "actions";
    const places = pad ? compass.map((name) => t.actions.find((a) => a.name === name)) : t.actions;
    const offer = () => {
      const fit = places.filter((a) => !a || picked.every((cell) => a.name.split(/[ +,]/).includes(cell)));
      refresh(actions, fit.map((a) => (a ? button(a) : h("span"))),
        picked.length ? h("button", { onclick: () => { picked.length = 0; paint(); offer(); } }, `all ${count(places.length)} moves`) : null,
        cells ? h("button", { class: "main", onclick: () => act({ action: cells.chosen() }) }, "Wake them ", h("kbd", {}, "Enter")) : null,
        t.whole || cells ? null : free(t));
    };
    offer();
    page.keys.clear();
    if (cells) page.key("Enter", "wake the chosen cells", () => act({ action: cells.chosen() }));
    back.hidden = !t.back;
    if (t.back) page.key("Backspace", "take the last move back", () => act("", { back: 1 }));
    for (const a of t.actions) {
      if (a.key) page.key(a.key, a.name, () => act({ action: a.name }));
    }
    for (const [arrow, key, way] of [["ArrowUp", "8", "n"], ["ArrowDown", "2", "s"], ["ArrowLeft", "4", "w"], ["ArrowRight", "6", "e"]]) {
      const a = new Map(given).get(key) ?? t.actions.find((some) => some.name === way);
      if (a) page.key(arrow, a.name, () => act({ action: a.name }));
    }
  }

  // free is where an answer can be written that is in no list.
  function free(t) {
    const input = h("input", { type: "text", class: "code", "aria-label": "answer as JSON",
      value: t.actions.length ? JSON.stringify({ action: t.actions[0].name }) : "{}" });
    input.addEventListener("keydown", (e) => {
      if (e.key !== "Enter") return;
      try {
        act(JSON.parse(input.value));
      } catch {
        say("That is no JSON.");
      }
    });
    return h("label", { class: "field" }, h("span", {}, "or"), input);
  }

  page.stream("play", { ...params, seat }, {
    begin: (b) => {
      known = b.facts ?? {};
      played = b.played;
      seats = b.players.length;
      heading.textContent = `Play ${b.title}`;
      page.title(heading.textContent);
      against.textContent = `${b.players.map((p, i) => (i + 1 === b.seat ? "you" : p)).join(" – ")}`;
    },
    turn,
    over: (o) => {
      played = null;
      page.keys.clear();
      resign.hidden = back.hidden = true;
      const watch = async () => go(link("/game", await page.post("record", {}, o.record)));
      replace(actions, h("button", { class: "main", onclick: () => watch().catch((err) => say(err.message)) }, "Watch it, with reasons"),
        h("button", { onclick: () => download(`${o.game || "game"}.record`, o.record, "text/plain") }, "Save record"),
        h("a", { class: "button", href: link("/play", { ...params, seat: Number(seat) % seats + 1, seed: Number(params.seed ?? 1) + 1 }) }, "Another game"));
      told.textContent = o.result
        ? `${{ win: "You win", loss: "You lose", tie: "A tie" }[o.result]}: ${o.score} to ${o.other}. Against ${o.opponent} you have won ${o.tally.wins} of ${o.tally.games} (${percent(o.tally.share)}).`
        : "The game is over.";
    },
    fault: (text) => { told.textContent = text; },
    end: () => {},
  });
}

// picture draws what a seat sees: rows of letters as squares, the pieces of a graph that is known,
// tables of numbers as shades, else the text: its rows of single letters as squares.
function picture(t, known, picked, pick) {
  const rows = t.observation.board;
  if (Array.isArray(rows) && rows.every((r) => typeof r === "string")) return letters(rows);
  if (known.neighbours && t.observation.pieces) return graph(known, t.observation, picked, pick);
  const table = Object.values(t.observation).find((v) => Array.isArray(v) && Array.isArray(v[0]) && typeof v[0][0] === "number");
  if ("facing" in t.observation && "x" in t.observation) return chart(t.observation);
  if (table) return shades(table, t.observation.amoebas ?? [], t.observation.species);
  const lines = (t.text || JSON.stringify(t.observation, null, 1)).split("\n");
  const row = /^(\s?\S)(\s\S)+\s*$/;
  const map = lines.filter((l) => row.test(l)).map((l) => l.replaceAll(/\s/g, "").replaceAll("-", " "));
  if (map.length < 3 || map.some((r) => r.length !== map[0].length)) return h("pre", {}, lines.join("\n"));
  return h("div", {}, letters(map), lines.filter((l) => l && !row.test(l)).map((l) => h("p", { class: "quiet" }, l)));
}

// graph draws the pieces of two sides on the cells of a graph: on a grid where cells are named as on
// a chess board, else in a ring. A click on a cell, or Enter on it, calls pick with its name.
function graph({ cells, neighbours }, { pieces, you }, picked, pick) {
  const grid = cells.map((name) => /^([a-z])(\d+)$/.exec(name));
  const place = grid.every(Boolean) ? grid.map(([, x, y]) => [x.charCodeAt(0) - 97, Number(y) - 1])
    : cells.map((_, i) => [Math.sin(2 * Math.PI * i / cells.length), -Math.cos(2 * Math.PI * i / cells.length)]
      .map((v) => (1 + v) * cells.length / 6));
  const [wide, high] = [0, 1].map((k) => Math.max(...place.map((p) => p[k])));
  const at = (i) => place[i].map((v) => 60 * v + 35);
  const own = you === "B" ? 1 : 0;
  const lines = neighbours.flatMap((near, i) => near.map((name) => cells.indexOf(name)).filter((k) => k > i).map((k) => {
    const [[x1, y1], [x2, y2]] = [at(i), at(k)];
    return h("line", { x1, y1, x2, y2, class: "edge" });
  }));
  const dots = cells.map((name, i) => {
    const [x, y] = at(i);
    const [mine, theirs] = [pieces[i][own], pieces[i][1 - own]];
    const share = mine / Math.max(1, mine + theirs);
    const told = mine + theirs === 0 ? "empty" : [mine ? `${mine} yours` : null, theirs ? `${theirs} the other's` : null].filter(Boolean).join(", ");
    const is = picked.includes(name);
    return h("g", { class: is ? "cell picked" : "cell", role: "button", tabindex: 0, "aria-pressed": String(is), "aria-label": `${name}: ${told}`,
      onclick: () => pick(name), onkeydown: (e) => {
        if (e.key !== "Enter" && e.key !== " ") return;
        e.preventDefault();
        e.stopPropagation();
        pick(name);
      } },
    h("circle", { cx: x, cy: y, r: 24, class: mine + theirs === 0 ? "empty" : share > 0 ? "own" : "other" }),
    share > 0 && share < 1 ? h("path", { class: "other", d: `M ${x} ${y} L ${x} ${y - 24} A 24 24 0 ${share < 0.5 ? 1 : 0} 0 ${x + 24 * Math.sin(2 * Math.PI * share)} ${y - 24 * Math.cos(2 * Math.PI * share)} Z` }) : null,
    h("text", { x, y: y - 27, class: "where" }, name),
    mine + theirs === 0 ? null : h("text", { x, y: y + 4.5, class: "units" }, mine && theirs ? `${mine}:${theirs}` : String(mine + theirs)));
  });
  return h("svg", { class: "graph", viewBox: `0 0 ${60 * wide + 70} ${60 * high + 70}`, role: "group",
    "aria-label": "the pieces; choose cells to see the moves that name them" }, lines, dots);
}

// life draws a board of cells, own ones and the other side's, on which dead cells are chosen by
// clicks, or by the arrow keys and space. chosen returns them in order. zoomed keeps the part of a
// large board that is looked at from turn to turn.
function life({ own, enemy }, { width, height, cells: most }, zoomed) {
  const side = Math.max(1, Math.min(12, Math.floor(900 / Math.max(width, height))));
  const canvas = h("canvas", { class: "board", tabindex: 0, role: "application",
    "aria-label": `board of ${width} by ${height} cells; arrow keys move, with shift ten cells, space chooses a cell, + and - zoom` });
  canvas.width = width * side;
  canvas.height = height * side;
  Object.assign(canvas.style, { maxWidth: "100%", maxHeight: "max(300px, 100vh - 250px)" });
  const words = h("p", { class: "quiet", role: "status" });
  const live = new Set([...own, ...enemy].map(([y, x]) => `${y} ${x}`));
  const picked = new Map();
  let at = zoomed.at ??= own[0] ? [...own[0]] : [height >> 1, width >> 1];
  zoomed.times ??= 1;
  zoomed.from ??= [0, 0]; // the first row and column that is shown
  // reveal moves the part that is shown as little as brings the cell into it
  const reveal = () => [height, width].forEach((all, i) => {
    const part = all / zoomed.times;
    zoomed.from[i] = Math.max(0, at[i] + 1 - part, Math.min(zoomed.from[i], at[i], all - part));
  });
  const draw = () => {
    const c = canvas.getContext("2d");
    const k = side * zoomed.times;
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.fillStyle = colour("paper");
    c.fillRect(0, 0, canvas.width, canvas.height);
    c.setTransform(k, 0, 0, k, -zoomed.from[1] * k, -zoomed.from[0] * k);
    const dots = (list, ink) => {
      c.fillStyle = ink;
      for (const [y, x] of list) c.fillRect(x, y, 1, 1);
    };
    dots(own, colour("series-0"));
    dots(enemy, colour("series-1"));
    dots(picked.values(), colour("series-2"));
    c.strokeStyle = colour("ink");
    c.lineWidth = Math.max(1, canvas.width / (canvas.clientWidth || canvas.width)) / k;
    c.strokeRect(at[1] - 1 / k, at[0] - 1 / k, 1 + 2 / k, 1 + 2 / k);
    words.textContent = `${count(own.length)} cells are yours, ${count(enemy.length)} the other side's; ${picked.size} of ${count(most)} chosen; at row ${at[0]}, column ${at[1]}`;
  };
  const go = (cell) => {
    at = zoomed.at = cell;
    reveal();
    draw();
  };
  const pick = (cell) => {
    const key = `${cell[0]} ${cell[1]}`;
    if (picked.has(key)) picked.delete(key);
    else if (!live.has(key) && picked.size < most) picked.set(key, cell);
    go(cell);
  };
  // zoom leaves a cell where it is shown
  const zoom = (by, cell = at) => {
    const was = zoomed.times;
    zoomed.times = Math.max(1, Math.min(64, Math.min(width, height) / 8, was * by));
    cell.forEach((v, i) => { zoomed.from[i] = v + 0.5 - (v + 0.5 - zoomed.from[i]) * was / zoomed.times; });
    [height, width].forEach((all, i) => { zoomed.from[i] = Math.max(0, Math.min(zoomed.from[i], all - all / zoomed.times)); });
    draw();
  };
  const under = (e) => {
    const box = canvas.getBoundingClientRect();
    return [[e.clientY - box.top, box.height, height], [e.clientX - box.left, box.width, width]]
      .map(([v, of, all], i) => Math.max(0, Math.min(all - 1, Math.floor(zoomed.from[i] + v / of * all / zoomed.times))));
  };
  canvas.addEventListener("click", (e) => pick(under(e)));
  canvas.addEventListener("wheel", (e) => {
    if (!e.ctrlKey && zoomed.times === 1 && e.deltaY > 0) return;
    e.preventDefault();
    zoom(Math.exp(-e.deltaY / 300), under(e));
  }, { passive: false });
  canvas.addEventListener("keydown", (e) => {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[e.key];
    if (!step && ![" ", "+", "-"].includes(e.key)) return;
    e.preventDefault();
    e.stopPropagation();
    if (e.key === " ") pick(at);
    else if (step) go([height, width].map((all, i) => Math.max(0, Math.min(all - 1, at[i] + step[i] * (e.shiftKey ? 10 : 1)))));
    else zoom(e.key === "+" ? 2 : 0.5);
  });
  const button = (sign, name, by) => h("button", { title: name, "aria-label": name, onclick: () => zoom(by) }, sign);
  reveal();
  draw();
  return { element: h("div", {}, canvas, h("div", { class: "bar" }, words, h("span", { class: "gap" }), button("+", "Zoom in", 2), button("−", "Zoom out", 0.5))),
    draw, chosen: () => [...picked.values()] };
}

const size = 44;

function canvas(columns, rows, draw) {
  const c = h("canvas", { class: "board", role: "img", "aria-label": "what you see" });
  c.width = columns * size;
  c.height = rows * size;
  c.style.width = "100%";
  c.style.maxWidth = `${columns * size}px`;
  draw(c.getContext("2d"));
  return c;
}

const steps = { N: [0, -1], E: [1, 0], S: [0, 1], W: [-1, 0] };

// chart draws where a creature stands on its map and which way it faces, with what it sees ahead.
function chart(o) {
  const side = Math.max(8, Math.min(24, Math.floor(640 / Math.max(o.width, o.height))));
  const c = h("canvas", { class: "board", role: "img", "aria-label": `you stand in column ${o.x}, row ${o.y}, and face ${o.facing}` });
  c.width = o.width * side;
  c.height = o.height * side;
  c.style.maxWidth = "100%";
  const ink = c.getContext("2d");
  const square = (x, y, fill) => {
    ink.fillStyle = colour(fill);
    ink.fillRect(x * side, y * side, side - 1, side - 1);
  };
  for (let y = 0; y < o.height; y++) for (let x = 0; x < o.width; x++) square(x, y, "paper");
  const [dx, dy] = steps[o.facing] ?? [0, 0];
  const inks = { wall: "ink", hazard: "warn", creature: "series-1", empty: "line" };
  (o.line ?? []).forEach((seen, i) => square(o.x + dx * (i + 1), o.y + dy * (i + 1), inks[seen.kind] ?? "line"));
  square(o.x, o.y, "series-0");
  ink.fillStyle = colour("paper");
  ink.beginPath();
  ink.arc((o.x + 0.5 + dx * 0.28) * side, (o.y + 0.5 + dy * 0.28) * side, side * 0.16, 0, 7);
  ink.fill();
  const last = o.line?.at(-1);
  return h("div", {}, c, h("p", { class: "quiet" }, last ? `Ahead, ${o.line.length} squares away: ${last.kind}${last.kind === "creature" ? ` of class ${last.class}` : ""}.`
    : "Observe to see what is ahead."));
}

function letters(rows) {
  return canvas(rows[0].length, rows.length, (c) => {
    const ink = { "@": colour("accent"), X: colour("warn"), O: colour("good"), o: colour("good") };
    rows.forEach((row, y) => [...row].forEach((letter, x) => {
      c.fillStyle = letter === " " ? colour("line") : letter === ":" || letter === "o" ? colour("raised") : colour("paper");
      c.fillRect(x * size, y * size, size - 1, size - 1);
      if (letter === " " || letter === ".") return;
      const middle = [x * size + size / 2, y * size + size / 2];
      c.globalAlpha = letter === "o" ? 0.45 : 1;
      c.fillStyle = ink[letter] ?? colour("quiet");
      c.beginPath();
      if (letter in ink) c.arc(...middle, letter === "@" || letter === "X" ? size * 0.4 : size * 0.26, 0, 7);
      else if (letter === ":") c.arc(...middle, 3, 0, 7);
      else {
        c.font = `600 ${size * 0.5}px system-ui`;
        c.textAlign = "center";
        c.textBaseline = "middle";
        c.fillText(letter, ...middle);
      }
      c.fill();
      c.globalAlpha = 1;
    }));
  });
}

function shades(table, others, species) {
  const most = Math.max(1, ...table.flat());
  const middle = (table.length - 1) / 2;
  return canvas(table[0].length, table.length, (c) => {
    table.forEach((row, y) => row.forEach((v, x) => {
      c.fillStyle = `rgb(20 ${Math.round(40 + 170 * v / most)} 60)`;
      c.fillRect(x * size, y * size, size - 1, size - 1);
      c.fillStyle = v > most / 2 ? "#000" : "#fff";
      c.font = "11px system-ui";
      c.fillText(String(v), x * size + 3, y * size + 12);
    }));
    for (const o of [{ x: 0, y: 0, species, own: true }, ...others]) {
      c.fillStyle = o.own ? "#fff" : o.species === species ? colour("series-5") : colour("series-4");
      c.beginPath();
      c.arc((middle + o.x + 0.5) * size, (middle + o.y + 0.5) * size, size * 0.32, 0, 7);
      c.fill();
    }
  });
}
