const MOST_SCALE = 2;
const STEP = 1.25;
const DRAG_PX = 4;
const MARGIN_PX = 24;

/**
 * What is to be seen of a drawing that may be larger than its place: all of it, or a part at a larger scale, which
 * is moved by dragging. Ctrl and the wheel, two fingers and the keys + - 0 zoom; in full screen the wheel alone does.
 */
export class Viewport {
  scale = 1;
  #host;
  #world;
  #changed;
  #size = { width: 1, height: 1 };
  #at = { x: 0, y: 0 };
  #isFit = true;
  #pointers = new Map();
  #hasDragged = false;

  /**
   * @param host an svg element
   * @param world the group in it that is moved
   * @param changed called when the scale is another one
   */
  constructor(host, world, changed) {
    this.#host = host;
    this.#world = world;
    this.#changed = changed;
    host.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    host.addEventListener("pointerdown", (event) => this.#down(event));
    host.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
      host.addEventListener(end, (event) => this.#pointers.delete(event.pointerId));
    }
    // What ends a drag is no click on what is below it.
    host.addEventListener("click", (event) => this.#hasDragged && event.stopPropagation(), true);
    host.addEventListener("keydown", (event) => this.#key(event));
  }

  /** The drawing has another size, or its place has. */
  resize(width, height) {
    this.#size = { width, height };
    if (this.#isFit) {
      this.fit();
    } else {
      this.#show(this.scale, this.#at);
    }
  }

  get isFit() {
    return this.#isFit;
  }

  /** The scale at which all of a drawing of this size is to be seen in such a place. */
  static fitting({ width, height }, room) {
    return Math.min(1, room.width / width, room.height / height);
  }

  /** All of it. */
  fit() {
    this.#isFit = true;
    const room = this.#room();
    const scale = Viewport.fitting(this.#size, room);
    this.#show(scale, {
      x: (room.width - scale * this.#size.width) / 2,
      y: (room.height - scale * this.#size.height) / 2,
    });
  }

  zoomIn() {
    this.#zoom(STEP);
  }

  zoomOut() {
    this.#zoom(1 / STEP);
  }

  /** Moves the drawing so that a box of it is to be seen: {x, y, width, height} in its own measure. */
  reveal(box) {
    if (this.#isFit) {
      return;
    }
    const room = this.#room();
    const shift = (from, length, size) =>
      from < MARGIN_PX ? MARGIN_PX - from : from + length > size - MARGIN_PX ? size - MARGIN_PX - from - length : 0;
    const x = this.#at.x + this.scale * box.x;
    const y = this.#at.y + this.scale * box.y;
    this.#show(this.scale, {
      x: this.#at.x + shift(x, this.scale * box.width, room.width),
      y: this.#at.y + shift(y, this.scale * box.height, room.height),
    });
  }

  #room() {
    const { width, height } = this.#host.getBoundingClientRect();
    return { width: Math.max(1, width), height: Math.max(1, height) };
  }

  #zoom(factor, point = null) {
    const room = this.#room();
    const { x, y } = point ?? { x: room.width / 2, y: room.height / 2 };
    const least = Viewport.fitting(this.#size, room);
    const scale = Math.min(MOST_SCALE, this.scale * factor);
    if (scale <= least) {
      this.fit();
      return;
    }
    this.#isFit = false;
    const ratio = scale / this.scale;
    this.#show(scale, { x: x - ratio * (x - this.#at.x), y: y - ratio * (y - this.#at.y) });
  }

  /** Never so far aside that nothing of it is left to be seen. */
  #show(scale, at) {
    const room = this.#room();
    const within = (value, length, size) => Math.min(size - MARGIN_PX, Math.max(MARGIN_PX - scale * length, value));
    this.#at = { x: within(at.x, this.#size.width, room.width), y: within(at.y, this.#size.height, room.height) };
    this.#world.setAttribute("transform", `translate(${this.#at.x} ${this.#at.y}) scale(${scale})`);
    this.#host.classList.toggle("zoomed", !this.#isFit);
    if (scale !== this.scale) {
      this.scale = scale;
      this.#changed();
    }
  }

  #point(event) {
    const box = this.#host.getBoundingClientRect();
    return { x: event.clientX - box.x, y: event.clientY - box.y };
  }

  #wheel(event) {
    if (event.ctrlKey || event.metaKey || document.fullscreenElement) {
      event.preventDefault();
      this.#zoom(Math.exp(-Math.sign(event.deltaY) * Math.min(60, Math.abs(event.deltaY)) / 250), this.#point(event));
    }
  }

  #down(event) {
    this.#hasDragged = false;
    this.#pointers.set(event.pointerId, this.#point(event));
  }

  #move(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) {
      return;
    }
    const now = this.#point(event);
    const [dx, dy] = [now.x - before.x, now.y - before.y];
    if (!this.#hasDragged && Math.hypot(dx, dy) < DRAG_PX) {
      return;
    }
    if (!this.#hasDragged) {
      this.#hasDragged = true;
      this.#host.setPointerCapture(event.pointerId);
    }
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.#pointers.set(event.pointerId, now);
    if (other) {
      const apart = (point) => Math.max(1, Math.hypot(point.x - other.x, point.y - other.y));
      this.#zoom(apart(now) / apart(before), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
    } else if (!this.#isFit) {
      this.#show(this.scale, { x: this.#at.x + dx, y: this.#at.y + dy });
    }
  }

  #key(event) {
    const action = { "+": () => this.zoomIn(), "=": () => this.zoomIn(), "-": () => this.zoomOut(), 0: () => this.fit() }[event.key];
    if (action && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      event.stopPropagation();
      action();
    }
  }
}
