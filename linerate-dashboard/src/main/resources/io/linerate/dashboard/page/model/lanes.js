/**
 * Folds equal lanes of a large drawing into one: nodes of one type whose neighbours, and theirs, are of the same
 * types. They are told apart by refining colours: nodes that differ in the colours before or behind them get
 * different ones, until nothing changes (Weisfeiler and Leman, 1968).
 */

/** Smaller drawings are read as they are. */
const LARGE_FROM = 15;

/** Fewer lanes are drawn side by side. */
const LEAST_LANES = 3;

/**
 * The drawing with equal lanes folded but for those that are opened. A folded node has `members`, its nodes, and
 * `lanes`, the name by which it is opened.
 *
 * @param drawn as `drawable` gives it
 * @param opened names of lanes
 */
export function fold(drawn, opened) {
  if (drawn.nodes.length < LARGE_FROM) {
    return drawn;
  }
  const groups = [...Map.groupBy(drawn.nodes, colours(drawn)).values()].filter(
    (group) => group.length >= LEAST_LANES && !hasInner(group, drawn.edges));
  const lanes = names(groups, drawn.edges);
  const standsFor = new Map();
  const folded = groups
    .filter((group) => !opened.has(lanes.get(group)))
    .map((group) => {
      const node = together(group, lanes.get(group));
      group.forEach(({ id }) => standsFor.set(id, node));
      return node;
    });
  const id = (name) => standsFor.get(name)?.id ?? name;
  const nodes = [];
  for (const node of drawn.nodes) {
    const shown = standsFor.get(node.id) ?? { ...node, lanes: lanes.get(groups.find((group) => group.includes(node))) };
    if (!nodes.includes(shown)) {
      nodes.push(shown);
    }
  }
  const edges = [...Map.groupBy(drawn.edges, ({ from, to }) => `${id(from)} to ${id(to)}`).entries()].flatMap(([key, some]) => {
    const [{ from, to }] = some;
    if (!standsFor.has(from) && !standsFor.has(to)) {
      return some;
    }
    return [{ id: key, from: id(from), to: id(to), label: "", rates: some.flatMap(({ rates }) => rates), isEdge: false }];
  });
  return { nodes, edges, hasFolds: folded.length > 0 };
}

/** A function that says the colour of a node: equal ones are alike as far as edges lead. */
function colours({ nodes, edges }) {
  let colour = new Map(nodes.map(({ id, kind, type }) => [id, `${kind} ${type}`]));
  for (let known = 0; ; ) {
    const numbers = new Map();
    const next = new Map();
    for (const { id } of nodes) {
      const near = (side, other) => edges.filter((edge) => edge[side] === id).map((edge) => colour.get(edge[other])).sort();
      const text = JSON.stringify([colour.get(id), near("to", "from"), near("from", "to")]);
      numbers.set(text, numbers.get(text) ?? numbers.size);
      next.set(id, numbers.get(text));
    }
    colour = next;
    if (numbers.size === known) {
      return ({ id }) => colour.get(id);
    }
    known = numbers.size;
  }
}

const hasInner = (group, edges) => {
  const ids = new Set(group.map(({ id }) => id));
  return edges.some(({ from, to }) => ids.has(from) && ids.has(to));
};

/** Groups of as many nodes that edges connect are opened together: the name of the first node is theirs. */
function names(groups, edges) {
  const groupOf = new Map(groups.flatMap((group) => group.map(({ id }) => [id, group])));
  const name = new Map(groups.map((group) => [group, group[0].id]));
  for (let isMoving = true; isMoving; ) {
    isMoving = false;
    for (const { from, to } of edges) {
      const [a, b] = [groupOf.get(from), groupOf.get(to)];
      if (a && b && a.length === b.length && name.get(a) !== name.get(b)) {
        const least = name.get(a) < name.get(b) ? name.get(a) : name.get(b);
        name.set(a, least);
        name.set(b, least);
        isMoving = true;
      }
    }
  }
  return name;
}

function together(group, lanes) {
  const all = (key) => group.flatMap((node) => node[key]);
  const total = (key) => group.reduce((sum, node) => sum + node[key], 0);
  const stores = group.map(({ store }) => store).filter(Boolean);
  const inStores = (key) => stores.reduce((sum, store) => sum + (store[key] ?? 0), 0);
  return {
    id: `lanes of ${group[0].id}`,
    name: common(group.map(({ name }) => name)) || group[0].type,
    kind: group[0].kind,
    type: group[0].type,
    members: group,
    lanes,
    rates: all("rates"),
    made: all("made"),
    drops: all("drops"),
    losses: [...new Set(all("losses"))],
    dropped: total("dropped"),
    lost: total("lost"),
    workers: undefined,
    store: stores.length > 0 ? { held: inStores("held"), capacity: inStores("capacity"), peak: inStores("peak") } : null,
  };
}

/** What names have in common at their start, without the number that follows. */
function common(all) {
  let length = 0;
  while (all.every((name) => name[length] !== undefined && name[length] === all[0][length])) {
    length++;
  }
  return all[0].slice(0, length).replace(/[\d\s._-]+$/, "");
}
