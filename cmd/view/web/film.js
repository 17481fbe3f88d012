// Pictures of a game, as package reel writes them: reels of runs of pixels that change. Reels come
// when they are needed, the next ones before that.
import { inflate } from "clade/inflate.js";

const kept = 24; // reels in memory
const ahead = 3;

// Film is the film of a game in a look that page.get("game") told about.
export class Film {
  constructor(page, params, look, scenes) {
    Object.assign(this, { page, params, look, scenes });
    this.reels = new Map(); // number: promise of bytes
    this.reel = -1; // of the picture that was painted last
    this.inReel = -1;
    this.at = 0; // place behind it in the reel
    this.inflate = page.saved ? inflate : page.inflate ??= worker(page);
    const words = look.palette.map((c) => {
      const n = parseInt(c.slice(1), 16);
      return 0xff000000 | (n & 255) << 16 | (n & 0xff00) | n >> 16; // little-endian RGBA
    });
    this.palette = Uint32Array.from(words);
  }

  get count() { return Math.ceil(this.scenes / this.look.frames); }

  load(n) {
    if (!this.reels.has(n)) {
      if (this.reels.size > kept) this.reels.delete(this.reels.keys().next().value);
      const bytes = this.page.bytes("game/reel", { ...this.params, reel: n }).then(this.inflate);
      bytes.catch(() => this.reels.delete(n));
      this.reels.set(n, bytes);
    }
    return this.reels.get(n);
  }

  // paint brings a picture of 32 bits a pixel from the one that was painted last to scene n, and
  // returns the first row that has changed and the one behind the last.
  async paint(n, words) {
    const { frames, width, height } = this.look;
    const reel = Math.floor(n / frames);
    const bytes = await this.load(reel);
    for (let i = 1; i <= ahead && reel + i < this.count; i++) this.load(reel + i).catch(() => {});
    const inReel = n - reel * frames;
    const rows = [height, 0];
    if (reel !== this.reel || inReel < this.inReel) {
      this.reel = reel;
      this.inReel = -1;
      this.at = 0;
      words.fill(this.palette[0]);
      rows[0] = 0;
      rows[1] = height;
    }
    while (this.inReel < inReel) {
      this.at = apply(bytes, this.at, words, this.palette, width, rows);
      this.inReel++;
    }
    return rows;
  }

  // all fetches every reel, so that they can be saved, up to a number of bytes.
  async all(most) {
    for (let n = 0, size = 0; n < this.count; n++) {
      size += await this.page.keepBytes("game/reel", { ...this.params, reel: n });
      if (size > most) throw new Error("The game is too long for one file; save its record instead.");
    }
  }
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
