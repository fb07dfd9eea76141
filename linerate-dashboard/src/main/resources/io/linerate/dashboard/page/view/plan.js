/** The size of an element's box. */
export const NODE = { width: 172, height: 68 };

const MARGIN = 14;
/** So much that a rate fits above a line. */
const LEAST_GAP = 66;
const MOST_GAP = 230;
const LEAST_GAP_ACROSS = 40;
const MOST_GAP_ACROSS = 84;
/** Lines end before the box: the arrow's head comes behind them. */
const ARROW = 9;
const PORT_GAP = 15;
const PILL_ROOM = 14;
const PILL_SIDE = 34;

/**
 * Where the boxes and lines of a graph are, in px: from left to right, or down on a narrow screen.
 */
export class Plan {
  isDown;
  width;
  height;
  #laid;
  #step;
  #gap;
  #ports = new Map();

  /**
   * @param room the width that there is
   * @param roomAcross the height that may be used, when it is more than is needed
   */
  constructor(laid, edges, { room, roomAcross, isDown }) {
    this.#laid = laid;
    this.isDown = isDown;
    const steps = Math.max(1, laid.depth - 1);
    if (isDown) {
      this.#step = NODE.height + 62;
      this.#gap = NODE.width + 64;
      this.width = 2 * MARGIN + (laid.breadth - 1) * this.#gap + NODE.width + PILL_SIDE;
      this.height = 2 * MARGIN + (laid.depth - 1) * this.#step + NODE.height;
    } else {
      const fits = (room - 2 * MARGIN - laid.depth * NODE.width) / steps;
      this.#step = NODE.width + Math.min(MOST_GAP, Math.max(LEAST_GAP, fits));
      const free = roomAcross / laid.breadth - NODE.height;
      this.#gap = NODE.height + Math.min(MOST_GAP_ACROSS, Math.max(LEAST_GAP_ACROSS, free));
      this.width = 2 * MARGIN + (laid.depth - 1) * this.#step + NODE.width;
      this.height = 2 * MARGIN + (laid.breadth - 1) * this.#gap + NODE.height + PILL_ROOM;
    }
    this.#assignPorts(edges);
  }

  #middle({ layer, place }) {
    const along = MARGIN + layer * this.#step;
    const across = MARGIN + place * this.#gap;
    return this.isDown
      ? { x: across + NODE.width / 2, y: along + NODE.height / 2 }
      : { x: along + NODE.width / 2, y: across + NODE.height / 2 };
  }

  /** The top left corner of a node's box. */
  corner(name) {
    const { x, y } = this.#middle(this.#laid.nodes.get(name));
    return { x: x - NODE.width / 2, y: y - NODE.height / 2 };
  }

  /** A node's box. */
  box(name) {
    return { ...this.corner(name), ...NODE };
  }

  /** Where a mark of this size hangs at a box: away from where edges are. */
  pill(width, height) {
    return this.isDown
      ? { x: NODE.width - width + 40, y: (NODE.height - height) / 2 }
      : { x: NODE.width - width - 10, y: NODE.height - height / 2 };
  }

  /** Edges that share a side of a box leave it side by side, in the order of where they go. */
  #assignPorts(edges) {
    const sides = new Map();
    for (const edge of edges) {
      const cells = this.#laid.cells(edge);
      this.#ports.set(edge.id, { out: 0, in: 0 });
      for (const [side, name, next] of [["out", edge.from, cells[1]], ["in", edge.to, cells.at(-2)]]) {
        const key = `${side} ${name}`;
        sides.set(key, [...(sides.get(key) ?? []), { edge, side, place: next?.place ?? 0 }]);
      }
    }
    for (const ends of sides.values()) {
      ends.sort((a, b) => a.place - b.place);
      const gap = Math.min(PORT_GAP, (NODE.height - 20) / ends.length);
      ends.forEach(({ edge, side }, i) => {
        this.#ports.get(edge.id)[side] = (i - (ends.length - 1) / 2) * gap;
        this.#ports.get(edge.id)[`${side}Count`] = ends.length;
      });
    }
  }

  /** The points of an edge, and where its label stands. */
  way(edge) {
    const cells = this.#laid.cells(edge);
    const port = this.#ports.get(edge.id);
    const points = cells.flatMap((cell) => (cell.isBend ? this.#pass(cell) : [this.#middle(cell)]));
    const first = points[0];
    const last = points.at(-1);
    if (this.isDown) {
      first.x += port.out;
      first.y += NODE.height / 2;
      last.x += port.in;
      last.y -= NODE.height / 2 + ARROW;
    } else {
      first.x += NODE.width / 2;
      first.y += port.out;
      last.x -= NODE.width / 2 + ARROW;
      last.y += port.in;
    }
    return { points, label: this.#label(points, port) };
  }

  /** Past the boxes of a layer, straight. */
  #pass(cell) {
    const { x, y } = this.#middle(cell);
    const half = (this.isDown ? NODE.height : NODE.width) / 2;
    return this.isDown ? [{ x, y: y - half }, { x, y: y + half }] : [{ x: x - half, y }, { x: x + half, y }];
  }

  /** Near the end that the edge has for itself. */
  #label(points, port) {
    const isFan = port.outCount > 1;
    const isJoin = port.inCount > 1;
    const [a, b] = points;
    const t = isFan && !isJoin ? 0.66 : isJoin && !isFan ? 0.34 : 0.5;
    const s = 3 * t * t - 2 * t * t * t;
    return this.isDown
      ? { x: a.x + (b.x - a.x) * s, y: a.y + (b.y - a.y) * t }
      : { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * s };
  }
}

/** A line that leaves and arrives along the layers. */
export function curve(points, isDown) {
  const [first, ...rest] = points;
  let d = `M${first.x} ${first.y}`;
  let from = first;
  for (const to of rest) {
    const reach = isDown ? Math.max(24, Math.abs(to.y - from.y) / 2) : Math.max(24, Math.abs(to.x - from.x) / 2);
    d += isDown
      ? `C${from.x} ${from.y + reach} ${to.x} ${to.y - reach} ${to.x} ${to.y}`
      : `C${from.x + reach} ${from.y} ${to.x - reach} ${to.y} ${to.x} ${to.y}`;
    from = to;
  }
  return d;
}
