/**
 * Places the nodes of a directed graph in layers, so that edges go forward where they can (Sugiyama,
 * Tagawa, Toda: Methods for visual understanding of hierarchical system structures, 1981):
 *
 *   1. edges that close a cycle are turned for the time being;
 *   2. a node's layer is the longest way to it;
 *   3. edges over several layers get a bend in each between;
 *   4. each layer is sorted by the mean place of the neighbours, to and fro, and the order with the
 *      fewest crossings is kept;
 *   5. places are as near to the neighbours' as the order and the distance allow.
 *
 * `layer` counts from 0 along the edges, `place` across them, in units of a node's distance.
 */
const SWEEPS = 12;

export function layers(names, edges) {
  const links = acyclic(names, edges.filter((edge) => edge.from !== edge.to));
  const depth = depths(names, links);
  const { rows, chains } = bends(names, links, depth);
  sort(rows);
  place(rows);
  const nodes = new Map();
  rows.flat().forEach((cell) => !cell.isBend && nodes.set(cell.name, cell));
  return {
    nodes,
    depth: rows.length,
    breadth: 1 + Math.max(0, ...rows.flat().map((cell) => cell.place)),
    /** The cells that an edge passes, from its first to its last. */
    cells: (edge) => chains.get(edge.id) ?? [nodes.get(edge.from), nodes.get(edge.to)],
  };
}

function acyclic(names, edges) {
  const state = new Map();
  const links = [];
  const visit = (name) => {
    state.set(name, "open");
    for (const edge of edges.filter((candidate) => candidate.from === name)) {
      if (state.get(edge.to) === "open") {
        links.push({ edge, from: edge.to, to: edge.from, isTurned: true });
      } else {
        links.push({ edge, from: edge.from, to: edge.to, isTurned: false });
        if (!state.has(edge.to)) {
          visit(edge.to);
        }
      }
    }
    state.set(name, "done");
  };
  const entered = new Set(edges.map((edge) => edge.to));
  names.filter((name) => !entered.has(name)).forEach((name) => !state.has(name) && visit(name));
  names.forEach((name) => !state.has(name) && visit(name));
  return links;
}

function depths(names, links) {
  const depth = new Map(names.map((name) => [name, 0]));
  for (let round = 0, isMoving = true; isMoving && round <= names.length; round++) {
    isMoving = false;
    for (const { from, to } of links) {
      if (depth.get(to) <= depth.get(from)) {
        depth.set(to, depth.get(from) + 1);
        isMoving = true;
      }
    }
  }
  // What only feeds others stands right before the first of them.
  for (const name of names.filter((candidate) => !links.some(({ to }) => to === candidate))) {
    const next = links.filter(({ from }) => from === name).map(({ to }) => depth.get(to));
    if (next.length > 0) {
      depth.set(name, Math.min(...next) - 1);
    }
  }
  return depth;
}

function bends(names, links, depth) {
  const rows = Array.from({ length: 1 + Math.max(0, ...depth.values()) }, () => []);
  const cells = new Map();
  const add = (name, layer, isBend) => {
    const cell = { name, layer, isBend, before: [], after: [], place: 0 };
    rows[layer].push(cell);
    return cell;
  };
  // In the order of a walk along the edges: what belongs together starts side by side.
  const seen = new Set();
  const walk = (name) => {
    if (seen.has(name)) {
      return;
    }
    seen.add(name);
    cells.set(name, add(name, depth.get(name), false));
    links.filter(({ from }) => from === name).forEach(({ to }) => walk(to));
  };
  [...names].sort((a, b) => depth.get(a) - depth.get(b)).forEach(walk);
  const chains = new Map();
  for (const { edge, from, to, isTurned } of links) {
    const chain = [cells.get(from)];
    for (let layer = depth.get(from) + 1; layer < depth.get(to); layer++) {
      chain.push(add(`${from}>${to}@${layer}`, layer, true));
    }
    chain.push(cells.get(to));
    for (let i = 1; i < chain.length; i++) {
      chain[i - 1].after.push(chain[i]);
      chain[i].before.push(chain[i - 1]);
    }
    chains.set(edge.id, isTurned ? chain.toReversed() : chain);
  }
  return { rows, chains };
}

function sort(rows) {
  const number = () => rows.forEach((row) => row.forEach((cell, i) => (cell.place = i)));
  number();
  let best = rows.map((row) => [...row]);
  let fewest = crossings(rows);
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep++) {
    const isDown = sweep % 2 === 0;
    for (const row of isDown ? rows : rows.toReversed()) {
      const wish = new Map(row.map((cell) => [cell, mean(isDown ? cell.before : cell.after) ?? cell.place]));
      row.sort((a, b) => wish.get(a) - wish.get(b));
      row.forEach((cell, i) => (cell.place = i));
    }
    const now = crossings(rows);
    if (now < fewest) {
      fewest = now;
      best = rows.map((row) => [...row]);
    }
  }
  best.forEach((row, layer) => (rows[layer] = row));
  number();
}

function crossings(rows) {
  let n = 0;
  for (const row of rows) {
    const ends = row.flatMap((cell) => cell.after.map((next) => [cell.place, next.place]));
    for (let i = 0; i < ends.length; i++) {
      for (let j = 0; j < i; j++) {
        n += (ends[i][0] - ends[j][0]) * (ends[i][1] - ends[j][1]) < 0 ? 1 : 0;
      }
    }
  }
  return n;
}

function mean(cells) {
  return cells.length === 0 ? null : cells.reduce((sum, cell) => sum + cell.place, 0) / cells.length;
}

function place(rows) {
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const row of sweep % 2 === 0 ? rows : rows.toReversed()) {
      const wishes = row.map((cell) => mean([...cell.before, ...cell.after]) ?? cell.place);
      apart(wishes).forEach((wanted, i) => (row[i].place = wanted));
    }
  }
  const least = Math.min(...rows.flat().map((cell) => cell.place));
  // By quarters: what is nearly in a line is in a line, and distances of 1 stay.
  rows.flat().forEach((cell) => (cell.place = Math.round(4 * (cell.place - least)) / 4));
}

/** The places nearest to the wishes, by least squares, that keep the order and a distance of 1. */
function apart(wishes) {
  const blocks = [];
  wishes.forEach((wish, i) => {
    let block = { sum: wish - i, size: 1 };
    while (blocks.length > 0 && blocks.at(-1).sum / blocks.at(-1).size > block.sum / block.size) {
      const last = blocks.pop();
      block = { sum: last.sum + block.sum, size: last.size + block.size };
    }
    blocks.push(block);
  });
  return blocks.flatMap((block) => new Array(block.size).fill(block.sum / block.size)).map((x, i) => x + i);
}
