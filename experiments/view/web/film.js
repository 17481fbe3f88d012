// Pictures of a game, as package reel writes them: reels of runs of pixels that change.

// openFilm returns the film of a game that page.get("game") told about.
export function openFilm(page, params, game) {
  return new Film(page, params, game);
}

class Film {
  constructor(page, params, game) {
    this.page = page;
    this.params = params;
    this.game = game;
    this.reels = new Map(); // number: promise of bytes
    this.pixels = new Uint8Array(game.width * game.height);
    this.reel = -1; // of the picture in pixels
    this.frameInReel = -1;
    this.at = 0; // place behind it in the reel
  }

  reelOf(frame) {
    const { reels } = this.game;
    let low = 0, high = reels.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (reels[middle][0] <= frame) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  load(n) {
    if (!this.reels.has(n)) {
      if (this.reels.size > 24) this.reels.delete(this.reels.keys().next().value);
      const bytes = this.page.get("game/reel", { ...this.params, reel: n }).then(({ data }) => inflate(data));
      bytes.catch(() => this.reels.delete(n));
      this.reels.set(n, bytes);
    }
    return this.reels.get(n);
  }

  // frame returns the palette entries of a frame's pixels, which stay valid until the next call.
  async frame(n) {
    const reel = this.reelOf(n);
    const bytes = await this.load(reel);
    if (reel + 1 < this.game.reels.length) this.load(reel + 1).catch(() => {});
    const inReel = n - this.game.reels[reel][0];
    if (reel !== this.reel || inReel < this.frameInReel) {
      this.reel = reel;
      this.frameInReel = -1;
      this.at = 0;
      this.pixels.fill(0);
    }
    while (this.frameInReel < inReel) {
      this.at = apply(bytes, this.at, this.pixels);
      this.frameInReel++;
    }
    return this.pixels;
  }

  // all fetches every reel, so that they can be saved.
  async all() {
    for (let n = 0; n < this.game.reels.length; n++) await this.page.get("game/reel", { ...this.params, reel: n });
  }
}

// apply changes pixels to the next picture of a reel and returns the place behind it.
function apply(bytes, at, pixels) {
  let place = 0;
  for (;;) {
    let skip = 0, run = 0, shift = 0, b;
    do {
      b = bytes[at++];
      skip += (b & 127) * 2 ** shift;
      shift += 7;
    } while (b > 127);
    shift = 0;
    do {
      b = bytes[at++];
      run += (b & 127) * 2 ** shift;
      shift += 7;
    } while (b > 127);
    if (run === 0) return at;
    place += skip;
    pixels.fill(bytes[at++], place, place + run);
    place += run;
  }
}

async function inflate(text) {
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
