// Pictures of a game, as package film writes them: reels of runs of pixels that change. Reels come
// when they are needed, the next ones before that.
import { inflate } from "clade/inflate.js";
import { mover } from "clade/painter.js";
import { dark } from "clade/ui.js";

const kept = 24; // reels in memory
const ahead = 3;

// filmOf returns the film of a game in a look that page.get("game") told about: of pieces, or of
// pictures where a board is dense.
export function filmOf(page, params, look, scenes) {
  const kind = look.plan && !look.plan.dense ? Pieces : Pictures;
  return new kind(page, params, look, scenes);
}

// Film is what both have in common: reels that are fetched. They add read, which takes the bytes of
// a reel, and draw, which brings a board to a scene of one.
class Film {
  constructor(page, params, look, scenes) {
    this.page = page;
    this.params = params;
    this.look = look;
    this.scenes = scenes;
    this.reels = new Map(); // number: promise of bytes
    this.inflate = page.saved ? inflate : page.inflate ??= worker(page);
    this.forget();
  }

  // forget makes the next scene be drawn as a whole.
  forget() {
    this.reel = -1; // of the scene that was drawn last
    this.inReel = -1;
  }

  get count() { return Math.ceil(this.scenes / this.look.frames); }

  load(n) {
    if (!this.reels.has(n)) {
      if (this.reels.size > kept) this.reels.delete(this.reels.keys().next().value);
      const bytes = this.page.bytes("game/reel", { ...this.params, reel: n }).then(this.inflate)
        .then((raw) => /** @type {any} */ (this).read(raw));
      bytes.catch(() => this.reels.delete(n));
      this.reels.set(n, bytes);
    }
    return this.reels.get(n);
  }

  // show shows scene n on a board; pieces that moved take so many milliseconds to do so.
  async show(n, board, ms) {
    const { frames } = this.look;
    const reel = Math.floor(n / frames);
    const data = await this.load(reel);
    for (let i = 1; i <= ahead && reel + i < this.count; i++) this.load(reel + i).catch(() => {});
    if (this.page.signal.aborted) return;
    const inReel = n - reel * frames;
    const anew = reel !== this.reel || inReel < this.inReel;
    if (anew) {
      this.reel = reel;
      this.inReel = -1;
    }
    /** @type {any} */ (this).draw(data, inReel, board, anew, ms);
    this.inReel = inReel;
  }

  // all fetches every reel, so that they can be saved, up to a number of bytes.
  async all(most) {
    for (let n = 0, size = 0; n < this.count; n++) {
      size += await this.page.keepBytes("game/reel", { ...this.params, reel: n });
      if (size > most) throw new Error(
        "The game is too long for one file; save its record instead.");
    }
  }
}

// Pictures is a film of pictures of 32 bits a pixel.
class Pictures extends Film {
  read(raw) { return raw; }

  forget() {
    super.forget();
    const words = this.look.palette.map((c) => {
      const n = parseInt(dark() ? toDark(c) : c.slice(1), 16);
      return 0xff000000 | (n & 255) << 16 | (n & 0xff00) | n >> 16; // little-endian RGBA
    });
    this.palette = Uint32Array.from(words);
  }

  draw(bytes, inReel, board, anew) {
    const { width, height } = this.look;
    const rows = anew ? [0, height] : [height, 0];
    if (anew) {
      this.at = 0; // place in the reel
      board.words.fill(this.palette[0]);
    }
    for (let i = this.inReel; i < inReel; i++) {
      this.at = apply(bytes, this.at, board.words, this.palette, width, rows);
    }
    board.ground = new Set(this.palette.subarray(0, this.look.ground));
    board.paint(...rows);
  }
}

// toDark turns a grey, such as paper, into one as far from the dark paper; other colours stay.
function toDark(hex) {
  const parts = hex.slice(1).match(/../g).map((v) => parseInt(v, 16));
  if (Math.max(...parts) - Math.min(...parts) > 48) return hex.slice(1);
  const turned = parts.map((v) => Math.round(26 + (255 - v) * 0.5));
  return turned.map((v) => v.toString(16).padStart(2, "0")).join("");
}

const fields = ["kind", "seat", "x", "y", "facing", "number"];

// piecesOf returns pieces that are written as six numbers each.
export function piecesOf(numbers) {
  const all = [];
  for (let k = 0; k < numbers.length; k += fields.length) {
    all.push(Object.fromEntries(fields.map((name, j) => [name, numbers[k + j]])));
  }
  return all;
}

// Pieces is a film of what stands on a board.
class Pieces extends Film {
  read(raw) { return JSON.parse(new TextDecoder().decode(raw)); }

  draw(scenes, inReel, board, anew, ms) {
    const follows = anew ? inReel === 0 && this.stands : inReel === this.inReel + 1;
    const stands = anew ? [] : this.stands;
    let moves = null;
    for (let i = this.inReel + 1; i <= inReel; i++) {
      const [places, added] = scenes[i];
      const gone = places.map((k) => stands.splice(k, 1)[0]);
      const came = piecesOf(added);
      stands.push(...came);
      moves = movesOf(this.look.plan, anew && i === 0 ? this.stands ?? [] : gone, came);
      board.keep(moves);
    }
    this.stands = stands;
    board.place([...stands], follows ? moves : null, ms);
  }
}

// movesOf finds for pieces that came those that they were, of those that are gone: of the same kind
// and seat, at most two cells away, the nearest first. It returns a Map from those to these.
export function movesOf(plan, gone, came) {
  const { columns, rows, torus, kinds } = plan;
  const far = (a, b, n) => {
    const d = Math.abs(a - b);
    return torus ? Math.min(d, n - d) : d;
  };
  const pairs = [];
  for (const to of came) {
    if (!mover(kinds[to.kind])) continue;
    for (const from of gone) {
      if (from.kind !== to.kind || from.seat !== to.seat) continue;
      const d = Math.max(far(from.x, to.x, columns), far(from.y, to.y, rows));
      if (d <= 2) pairs.push([d, from, to]);
    }
  }
  const moves = new Map();
  const used = new Set();
  for (const [, from, to] of pairs.sort((a, b) => a[0] - b[0])) {
    if (moves.has(to) || used.has(from)) continue;
    used.add(from);
    moves.set(to, from);
  }
  return moves;
}

// apply changes a picture to the next one of a reel and returns the place behind it.
function apply(bytes, at, words, palette, width, rows) {
  let place = 0;
  for (let first = true; ; first = false) {
    let skip = bytes[at++];
    if (skip > 127) {
      skip &= 127;
      for (let shift = 7, b = 128; b > 127; shift += 7) {
        b = bytes[at++];
        skip += (b & 127) * 2 ** shift;
      }
    }
    let run = bytes[at++];
    if (run > 127) {
      run &= 127;
      for (let shift = 7, b = 128; b > 127; shift += 7) {
        b = bytes[at++];
        run += (b & 127) * 2 ** shift;
      }
    }
    if (run === 0) {
      if (!first) rows[1] = Math.max(rows[1], Math.ceil(place / width));
      return at;
    }
    place += skip;
    if (first) rows[0] = Math.min(rows[0], Math.floor(place / width));
    const ink = palette[bytes[at++]];
    if (run < 16) for (const end = place + run; place < end; place++) words[place] = ink;
    else words.fill(ink, place, place += run);
  }
}

// worker returns a function that inflates reels in a thread of their own, so that a large one does
// not hold up the pictures; it ends with the page. A saved page has no file to start it from.
function worker(page) {
  const thread = new Worker("/web/inflate.js", { type: "module" });
  page.signal.addEventListener("abort", () => thread.terminate());
  const waiting = new Map();
  let asked = 0;
  thread.onerror = () => {
    for (const { fail } of waiting.values()) fail(new Error("reels cannot be inflated"));
    waiting.clear();
  };
  thread.onmessage = ({ data: { number, bytes, fault } }) => {
    const { done, fail } = waiting.get(number);
    waiting.delete(number);
    if (fault) fail(new Error(fault));
    else done(bytes);
  };
  return (packed) => new Promise((done, fail) => {
    waiting.set(asked, { done, fail });
    thread.postMessage({ number: asked++, packed });
  });
}
