// A board on a canvas, with zoom, pan and an overlay.
import { h, colour } from "clade/ui.js";
import { painterOf } from "clade/tilted.js";
import { mover } from "clade/painter.js";

export class Board {
  /**
   * @param {Partial<WatchLayer>} look of the game, or what a board of pieces needs of one
   * @param {{ onpoint?: Function, onpick?: Function, still?: boolean, tall?: () => number }} how
   */
  constructor(page, title, look, how = {}) {
    const { onpoint, onpick, still, tall } = how;
    this.page = page;
    const { plan } = look;
    this.look = look;
    this.width = look.width;
    this.height = look.height;
    if (plan && !plan.dense) {
      this.painter = painterOf(plan, look.seatColours);
      [this.width, this.height] = this.painter.size.map((n) => look.tile * n);
      this.pieces = [];
    } else {
      this.source = document.createElement("canvas");
      this.source.width = look.width;
      this.source.height = look.height;
      // in memory, where it is written: a picture that is kept for a graphics card is copied first
      this.ink = this.source.getContext("2d", { alpha: false, willReadFrequently: true });
      this.image = this.ink.createImageData(look.width, look.height);
      this.words = new Uint32Array(this.image.data.buffer); // the picture, a word a pixel
    }
    this.canvas = h("canvas", { class: "board", tabindex: 0, role: "img",
      "aria-label": `board of ${title}, ${look.width / look.scale} by `
        + `${look.height / look.scale}` });
    this.holder = h("div", { class: "holder" }, this.canvas);
    this.element = h("div", { class: "boardframe" }, this.holder);
    this.tall = tall ?? (() => Math.max(160, innerHeight - 340)); // pixels at most
    this.ground = new Set(); // colours of what is no life
    this.fits = true; // what is drawn over the first layer fits this one
    this.zoom = 1;
    this.x = this.y = 0; // pixel of the picture in the upper left corner
    this.follows = false; // what lives on a dense board
    this.chosen = null; // the piece that stays in sight on an enlarged one
    this.marks = null;
    this.handles = null; // what can be dragged: its grab takes a point, and tells what follows
    this.pointers = new Map();
    this.onpoint = onpoint;
    this.onpick = onpick;
    new ResizeObserver(() => this.resize()).observe(this.element);
    page.on(document, "themechange", () => {
      this.painter?.retheme();
      this.later();
    });
    if (still) return; // it is neither zoomed nor asked
    page.on(this.canvas, "wheel", (e) => {
      if (!e.ctrlKey && this.zoom === 1 && e.deltaY > 0) return;
      e.preventDefault();
      this.zoomBy(Math.exp(-e.deltaY / 300), e.offsetX, e.offsetY);
    }, { passive: false });
    page.on(this.canvas, "pointerdown", (e) => this.down(e));
    // what is dragged by the board's handles keeps the focus
    page.on(this.canvas, "mousedown", (e) => this.grabbed && e.preventDefault());
    page.on(this.canvas, "pointermove", (e) => this.move(e));
    page.on(this.canvas, "pointerup", (e) => this.up(e));
    page.on(this.canvas, "pointercancel", (e) => this.pointers.delete(e.pointerId));
    page.on(this.canvas, "dblclick", () => this.fit());
  }

  // place shows pieces; those that moved, a Map from them to what they were, take so many
  // milliseconds to do so. A torus is turned so that the cell of origin is in its middle.
  place(pieces, moves, ms, origin = null) {
    this.pieces = pieces;
    this.painter.turn(origin);
    this.moves = ms > 0 && !matchMedia("(prefers-reduced-motion: reduce)").matches ? moves : null;
    this.began = performance.now();
    this.span = ms;
    if (!pieces.includes(this.chosen)) this.chosen = null;
    const { x, y } = this.chosen ?? {};
    if (this.chosen) this.reveal(...[x, y].map((n) => (n + 0.5) * this.look.tile));
    this.render();
  }

  // keep finds the piece that is kept in sight among those that moved.
  keep(moves) {
    for (const [to, from] of moves) {
      if (from === this.chosen) {
        this.chosen = to;
        return;
      }
    }
  }

  // choose keeps what moves at a pixel of a board seen from above in sight, if something does.
  choose(x, y) {
    const { tile, plan } = this.look;
    this.reveal(x, y);
    this.chosen = this.pieces?.findLast((p) => mover(plan.kinds[p.kind])
      && p.x === Math.floor(x / tile) && p.y === Math.floor(y / tile)) ?? this.chosen;
  }

  // paint shows the picture in words, of which some rows have changed.
  paint(from, to) {
    if (from < to) this.ink.putImageData(this.image, 0, 0, 0, from, this.look.width, to - from);
    if (this.follows) this.fitLife(true);
    this.render();
  }

  resize() {
    const wide = this.element.clientWidth;
    if (wide === 0) return;
    const { width, height } = this;
    const fit = Math.min(wide / width, this.tall() / height);
    this.shownWidth = Math.round(width * fit);
    this.shownHeight = Math.round(height * fit);
    const dense = devicePixelRatio || 1;
    this.canvas.width = Math.round(this.shownWidth * dense);
    this.canvas.height = Math.round(this.shownHeight * dense);
    this.canvas.style.width = `${this.shownWidth}px`;
    this.canvas.style.height = `${this.shownHeight}px`;
    this.render();
  }

  later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.render();
    });
  }

  // factor is how many CSS pixels a pixel of the picture takes.
  get factor() { return (this.shownWidth ?? this.width) / this.width * this.zoom; }

  render() {
    const c = this.canvas.getContext("2d");
    const dense = devicePixelRatio || 1;
    const k = this.factor * dense;
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.clearRect(0, 0, this.canvas.width, this.canvas.height);
    c.imageSmoothingEnabled = k < 1;
    c.setTransform(k, 0, 0, k, -this.x * k, -this.y * k);
    if (this.painter) {
      const share = this.moves ? Math.min(1, (performance.now() - this.began) / this.span) : 1;
      c.save();
      c.scale(this.look.tile, this.look.tile);
      this.painter.draw(c, this.pieces, this.moves, share * (2 - share));
      c.restore();
      if (share < 1) this.later();
      else this.moves = null;
    } else c.drawImage(this.source, 0, 0);
    if (this.marks) {
      c.save();
      c.transform(...this.tilt);
      this.marks(c, this.look.scale, k);
      c.restore();
    }
    const { map } = this;
    if (!map) return;
    c.setTransform(dense, 0, 0, dense, map.x * dense, map.y * dense);
    c.drawImage(this.source, 0, 0, map.width, map.height);
    c.strokeStyle = colour("accent");
    for (const [x, y, part] of [[0, 0, 1],
      [this.x / this.width * map.width, this.y / this.height * map.height, 1 / this.zoom]]) {
      c.strokeRect(x, y, map.width * part, map.height * part);
    }
  }

  // map is where the whole of a dense board is drawn while a part of it is enlarged, in CSS pixels.
  get map() {
    if (!this.source || this.zoom === 1) return null;
    const width = Math.min(180, this.shownWidth * 0.25);
    const height = width * this.height / this.width;
    return { x: this.shownWidth - width - 8, y: this.shownHeight - height - 8, width, height };
  }

  // tilt leads from pixels of a board seen from above to those of the picture.
  get tilt() {
    const [a, b, c, d, right, down] = this.painter?.tilt ?? [1, 0, 0, 1, 0, 0];
    return [a, b, c, d, right * this.look.tile, down * this.look.tile];
  }

  // overlay draws something over each picture: a function of the context, the pixels of a picture
  // of scale 1 seen from above, and how many device pixels a pixel takes.
  overlay(draw) {
    this.marks = draw;
    this.later();
  }

  fit() {
    this.follows = false;
    this.zoom = 1;
    this.x = this.y = 0;
    this.later();
  }

  // fitLife enlarges the part of a dense board on which there is anything, with a margin, and
  // follows it until another part is chosen: it is fitted again once it has left what is shown, or
  // has become small there.
  fitLife(again = false) {
    const { width, height, words, ground } = this;
    let [left, top, right, bottom] = [width, height, -1, -1];
    const [most] = ground; // of a million cells
    for (let i = 0; i < words.length; i++) {
      if (words[i] === most || ground.has(words[i])) continue;
      const x = i % width;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, (i - x) / width);
      bottom = (i - x) / width;
    }
    this.follows = true;
    if (right < 0) [left, top, right, bottom] = [0, 0, width - 1, height - 1];
    const share = Math.max((right + 1 - left) / width, (bottom + 1 - top) / height) * 1.2;
    const part = 1 / this.zoom;
    if (again && share > part / 2 && left >= this.x && right + 1 <= this.x + width * part
      && top >= this.y && bottom + 1 <= this.y + height * part) return;
    this.zoom = Math.max(1, Math.min(64, 1 / share));
    this.centre((left + right + 1) / 2, (top + bottom + 1) / 2);
  }

  // centre brings a pixel of the picture to the middle of what is shown, as far as that goes.
  centre(x, y) {
    this.x = x - this.width / this.zoom / 2;
    this.y = y - this.height / this.zoom / 2;
    this.clamp();
  }

  // reveal brings a pixel of a board seen from above into what is shown.
  reveal(x, y) {
    const at = new DOMPoint(x, y).matrixTransform(new DOMMatrix(this.tilt));
    const [right, down] = [at.x - this.x, at.y - this.y];
    if (right < 0 || down < 0 || right > this.width / this.zoom
      || down > this.height / this.zoom) this.centre(at.x, at.y);
  }

  zoomBy(by, x = this.shownWidth / 2, y = this.shownHeight / 2) {
    const before = this.factor;
    this.follows = false;
    this.zoom = Math.max(1, Math.min(this.zoom * by, 64));
    this.x += x / before - x / this.factor;
    this.y += y / before - y / this.factor;
    this.clamp();
  }

  // leave follows nothing any more.
  leave() {
    this.follows = false;
    this.chosen = null;
  }

  // pan moves what is shown by shares of its size.
  pan(right, down) {
    this.leave();
    this.x += right * this.width / this.zoom;
    this.y += down * this.height / this.zoom;
    this.clamp();
  }

  clamp() {
    const { width, height } = this;
    this.x = Math.max(0, Math.min(this.x, width - width / this.zoom));
    this.y = Math.max(0, Math.min(this.y, height - height / this.zoom));
    this.later();
  }

  // above returns the point under the pointer in the picture of scale 1 seen from above.
  above(e) {
    const at = new DOMPoint(this.x + e.offsetX / this.factor, this.y + e.offsetY / this.factor)
      .matrixTransform(new DOMMatrix(this.tilt).inverse());
    return [at.x / this.look.scale, at.y / this.look.scale];
  }

  pixel(e) { return this.above(e).map((n) => Math.floor(n * this.look.scale)); }

  // onMap brings what is pointed at on the map to the middle.
  onMap(e) {
    this.leave();
    const { map } = this;
    this.centre((e.offsetX - map.x) / map.width * this.width,
      (e.offsetY - map.y) / map.height * this.height);
  }

  down(e) {
    const { map } = this;
    this.mapping = map && e.offsetX > map.x && e.offsetY > map.y;
    if (this.mapping) this.onMap(e);
    this.grabbed = this.mapping ? null : this.handles?.grab(this.above(e));
    if (this.grabbed) this.canvas.setPointerCapture(e.pointerId);
    this.pointers.set(e.pointerId, [e.offsetX, e.offsetY]);
    this.moved = 0;
    if (this.zoom > 1) this.canvas.setPointerCapture(e.pointerId);
  }

  move(e) {
    const from = this.pointers.get(e.pointerId);
    if (!from) {
      this.onpoint?.(...this.pixel(e));
      return;
    }
    if (this.mapping || this.grabbed) {
      this.grabbed?.to(this.above(e));
      if (this.mapping) this.onMap(e);
      this.later();
      return;
    }
    const to = [e.offsetX, e.offsetY];
    this.moved += Math.abs(to[0] - from[0]) + Math.abs(to[1] - from[1]);
    const others = [...this.pointers].filter(([id]) => id !== e.pointerId);
    if (others.length === 1) { // two fingers
      const other = others[0][1];
      const length = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]);
      this.zoomBy(length(to) / Math.max(1, length(from)), (to[0] + other[0]) / 2,
        (to[1] + other[1]) / 2);
    } else if (this.zoom > 1) {
      this.leave();
      this.x -= (to[0] - from[0]) / this.factor;
      this.y -= (to[1] - from[1]) / this.factor;
      this.clamp();
    }
    this.pointers.set(e.pointerId, to);
  }

  up(e) {
    const had = this.pointers.delete(e.pointerId);
    this.grabbed?.drop();
    if (had && this.moved < 6 && !this.mapping && !this.grabbed) {
      (this.onpick ?? this.onpoint)?.(...this.pixel(e), e);
    }
  }
}
