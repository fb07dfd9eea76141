async () => {
  // What the page's modules work out: a function that returns what is wrong, for a browser that has the page.
  const { Timeline } = await import("/model/timeline.js");
  const { layers } = await import("/model/layers.js");
  const format = await import("/model/format.js");
  const problems = [];
  const expect = (what, seen, wanted) => {
    if (JSON.stringify(seen) !== JSON.stringify(wanted)) {
      problems.push(`${what}: seen=${JSON.stringify(seen)}, wanted=${JSON.stringify(wanted)}`);
    }
  };

  expect("three digits", format.packetRate(1_234_567), "1.23 Mpps");
  expect("rounding to the next prefix", format.packetRate(999_600), "1.00 Mpps");
  expect("whole", format.packetRate(7), "7 pps");
  expect("none", format.packetRate(null), "–");
  expect("bits", format.bitRate(125_000_000), "1.00 Gbit/s");
  // Those of RateTextTest, which does the same on terminals.
  const examples = [
    [0, "0 pps"], [0.04, "0.040 pps"], [0.5, "0.50 pps"], [12, "12 pps"], [12.5, "12.5 pps"], [999, "999 pps"],
    [999.4, "999 pps"], [999.5, "1.00 kpps"], [3_400, "3.40 kpps"], [9_996, "10.0 kpps"], [99_960, "100 kpps"],
    [1_250_000, "1.25 Mpps"], [14_880_952, "14.9 Mpps"], [148_809_523, "149 Mpps"], [1e15, "1.00 Ppps"], [2e18, "2000 Ppps"],
  ];
  for (const [value, text] of examples) {
    expect(`rate ${value}`, format.packetRate(value), text);
  }
  expect("bytes", format.bytes(1_536), "1.50 KiB");
  expect("time", format.time(18_300), "18.3 µs");
  expect("one", format.counted(1, "packet"), "1 packet");
  expect("several", format.counted(1_234, "packet"), "1,234 packets");
  expect("no number", format.counted(null, "packet"), "– packets");
  expect("count", format.count(1_234_567), "1,234,567");

  const timeline = new Timeline();
  timeline.append(1_000, new Map([["a", 0]]));
  timeline.append(2_000, new Map([["a", 10], ["b", 5]]));
  timeline.append(2_500, new Map([["a", 30], ["b", 5]]));
  expect("rates", timeline.rates("a"), [null, 10, 40]);
  expect("rates of what came later", timeline.rates("b"), [null, null, 0]);
  expect("rate now is the last one", timeline.rate("a"), 40);
  timeline.append(2_600, new Map([["a", 31], ["b", 5]]));
  expect("totals too near to each other", timeline.rates("a"), [null, 10, 40]);
  timeline.append(3_500, new Map([["a", 3]]));
  expect("a total that fell", timeline.rates("a").at(-1), null);
  expect("what is gone", timeline.rates("b").at(-1), null);
  timeline.merge({ timesMs: [0, 500, 1_000, 1_200, 3_000, 9_000], series: { a: [0, 0, 0, 0, 40, 50], c: [1, 2, 3, 3, 4, 5] } });
  expect("times after the past came", timeline.times, [0, 500, 1_000, 2_000, 2_500, 3_000, 3_500, 9_000]);
  expect("rates of the past", timeline.rates("c").slice(0, 3), [null, 2, 2]);
  expect("what was seen here stays", timeline.rates("a").slice(2, 5), [0, 10, 40]);
  const long = new Timeline();
  for (let s = 0; s < 100_000; s++) {
    long.append(1_000 * s, new Map([["a", 7 * s]]));
  }
  const steps = long.times.slice(1).map((time, i) => time - long.times[i]);
  expect("each second of the last ten minutes", steps.slice(-600).every((step) => step === 1_000), true);
  expect("coarser before", [steps.at(-900), steps.at(0)], [10_000, 60_000]);
  expect("a day, and bounded", long.times.length < 3_000 && 99_999_000 - long.times[0] > 86_000_000, true);
  expect("rates of a long one", [...new Set(long.rates("a").slice(1))], [7]);

  const { fold } = await import("/model/lanes.js");
  const node = (id, type) => ({ id, name: id, type, kind: "element", rates: [id], made: [], drops: [], losses: [], dropped: 1, lost: 0, store: null });
  const lanes = (n, types) => {
    const nodes = [node("end", "End")];
    const edges = [];
    for (let i = 0; i < n; i++) {
      types.forEach((type, k) => nodes.push(node(`${type}-${i}`.toLowerCase(), type, k)));
      types.forEach((type, k) => edges.push({
        id: `${type}${i}`, from: `${type}-${i}`.toLowerCase(), to: k + 1 < types.length ? `${types[k + 1]}-${i}`.toLowerCase() : "end", label: "", rates: [`${type}${i}`],
      }));
    }
    return { nodes, edges };
  };
  const drawn = lanes(5, ["In", "Check", "Count"]);
  const folded = fold(drawn, new Set());
  expect("folded lanes", folded.nodes.map(({ name, members }) => [name, members?.length]), [["end", undefined], ["in", 5], ["check", 5], ["count", 5]]);
  expect("rates of folded lanes", folded.edges.map(({ rates }) => rates.length), [5, 5, 5]);
  expect("drops of folded lanes", folded.nodes[1].dropped, 5);
  expect("opened lanes", fold(drawn, new Set([folded.nodes[1].lanes])).nodes.length, 16);
  expect("few elements stay as they are", fold(lanes(4, ["In", "Check"]), new Set()).nodes.length, 9);
  const other = lanes(5, ["In", "Check", "Count"]);
  other.nodes[2].type = "Other";
  expect("a lane that differs is not folded", fold(other, new Set()).nodes.length, 7);

  expect("names are cut in the middle", format.cut("check-ip-header-12", 10), "check-…-12");
  const short = (names, letters) => names.map((name) => format.bestCut(names, letters)(name, letters));
  expect("so that they differ", short(["lane-1-of-all", "lane-2-of-all"], 8), ["lane-1-…", "lane-2-…"]);
  expect("words are shortened where that is needed",
    short(["user-1-step-2", "user-2-step-2", "user-1-step-3"], 8), ["u-1-st-2", "u-2-st-2", "u-1-st-3"]);
  expect("small parts", [format.percent(0.00012), format.percent(0.0345), format.percent(0)], ["0.01 %", "3.5 %", "0 %"]);

  const { changed } = await import("/model/changed.js");
  const before = { a: 1, list: [{ n: 1 }, { n: 2, m: 3 }], gone: 1, all: [1, 2] };
  const after = changed(before, { a: 2, list: { 1: { n: 4, m: null } }, gone: null, all: [7], more: { x: 1 } });
  expect("a change", after, { a: 2, list: [{ n: 1 }, { n: 4 }], all: [7], more: { x: 1 } });
  expect("what was before stays", before.list[1], { n: 2, m: 3 });
  expect("what has not changed is the same", after.list[0] === before.list[0], true);

  let seed = 1;
  const random = (below) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 200; round++) {
    const names = Array.from({ length: 1 + random(12) }, (_, i) => `n${i}`);
    const isAcyclic = round % 2 === 0;
    const edges = [];
    for (let i = random(2 * names.length); i > 0 && names.length > 1; i--) {
      const [a, b] = [random(names.length), random(names.length)];
      if (!isAcyclic || a !== b) {
        const [from, to] = isAcyclic ? [Math.min(a, b), Math.max(a, b)] : [a, b];
        edges.push({ id: `e${i}`, from: names[from], to: names[to] });
      }
    }
    const drawn = layers(names, edges);
    const cells = names.map((name) => drawn.nodes.get(name));
    if (cells.some((cell) => !cell || !(cell.place >= 0) || !(cell.layer >= 0) || cell.layer >= drawn.depth)) {
      problems.push(`round ${round}: a node has no place`);
      continue;
    }
    for (const [i, a] of cells.entries()) {
      if (cells.some((b, j) => j < i && a.layer === b.layer && Math.abs(a.place - b.place) < 0.999)) {
        problems.push(`round ${round}: nodes overlap`);
      }
    }
    if (isAcyclic && edges.some(({ from, to }) => drawn.nodes.get(from).layer >= drawn.nodes.get(to).layer)) {
      problems.push(`round ${round}: an edge goes backwards`);
    }
  }
  return problems;
}
