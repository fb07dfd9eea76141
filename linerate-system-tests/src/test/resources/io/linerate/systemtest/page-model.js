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
  expect("rate now", timeline.rate("a"), 20);
  timeline.append(2_600, new Map([["a", 31], ["b", 5]]));
  expect("totals too near to each other", timeline.rates("a"), [null, 10, 40]);
  timeline.append(3_500, new Map([["a", 3]]));
  expect("a total that fell", timeline.rates("a").at(-1), null);
  expect("what is gone", timeline.rates("b").at(-1), null);
  timeline.prepend({ timesMs: [0, 500, 1_000, 9_000], series: { a: [0, 0, 0, 0], c: [1, 2, 3, 4] } });
  expect("times after the past came", timeline.times, [0, 500, 1_000, 2_000, 2_500, 3_500]);
  expect("rates of the past", timeline.rates("c").slice(0, 3), [null, 2, null]);
  const long = new Timeline();
  for (let s = 0; s < 5_000; s++) {
    long.append(1_000 * s, new Map([["a", 7 * s]]));
  }
  expect("bounded", long.times.length < 4_000 && long.rates("a").length === long.times.length, true);
  expect("rate of a long one", long.rate("a"), 7);

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
