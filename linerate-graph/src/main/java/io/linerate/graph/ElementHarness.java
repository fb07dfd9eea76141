package io.linerate.graph;

import io.linerate.core.config.ConfigException;
import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.PacketChains;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.log.FailureLog;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.OwnerThread;
import io.linerate.core.memory.Packet;
import io.linerate.core.statistics.PacketLedger;
import io.linerate.core.worker.BurstHandler;
import io.linerate.core.worker.WorkerResources;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Runs one element in a test, without ports, threads or hardware: packets in, packets out, drops by
 * reason, and a clock in the hands of the test.
 *
 * <pre>{@code
 * try (var harness = new ElementHarness(new MinLength(60))) {
 *   harness.push(new byte[59], new byte[60]);
 *   assertThat(harness.out("out")).containsExactly(new byte[60]);
 *   assertThat(harness.drops()).containsExactly(entry("too_short", 1L));
 * }
 * }</pre>
 *
 * Closing checks that every packet has ended where the counters say, and that every buffer is home.
 */
public final class ElementHarness implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ElementHarness.class.getName());
  private static final int BUFFERS = 1_024;
  private static final int HEADROOM_BYTES = 128;
  private static final int ROOM_BYTES = 2_048;
  private static final int MAX_BURST = 32;
  private static final long START_NS = 1_000_000_000_000L;
  private static final String SUBJECT = "subject";

  private final PacketPools pools = new PacketPools();
  private final BufferPool pool;
  private final BufferPool madePool;
  private final FreeBuffer home = new FreeBuffer(pools, 1);
  private final DropCounts drops = new DropCounts();
  private final PacketLedger ledger = new PacketLedger();
  private final Map<String, BurstHandler> receivers = new LinkedHashMap<>();
  private final Map<String, List<byte[]>> collected = new LinkedHashMap<>();
  private final Junctions junctions = new Junctions();
  private final Replica replica;
  private final RunningElement element;
  private final OwnedBurst burst;
  private final PacketChains packets;
  private long nowNs = START_NS;

  public ElementHarness(Element element) {
    this(element, BUFFERS);
  }

  /**
   * @param buffers for packets that the element makes
   */
  public ElementHarness(Element element, int buffers) {
    this(element, buffers, HEADROOM_BYTES);
  }

  /**
   * @param buffers for packets that the element makes
   * @param headroomBytes room before the packets that come in
   */
  public ElementHarness(Element element, int buffers, int headroomBytes) {
    List<String> wrong = element.problems();
    if (!wrong.isEmpty()) {
      throw new ConfigException(String.join("\n", wrong));
    }
    pool = pools.create("test", BUFFERS, headroomBytes, ROOM_BYTES);
    madePool = pools.create("made", buffers, HEADROOM_BYTES, ROOM_BYTES);
    packets = new PacketChains(() -> pool);
    OwnerThread owner = new OwnerThread();
    burst = new OwnedBurst(MAX_BURST, drops, () -> nowNs, owner);
    replica =
        new Replica(
            new ReplicaHost(
                new Ports(),
                0,
                MAX_BURST,
                pools,
                new WorkerResources(burst.burst(), drops, home, ledger, owner, new FailureLog(LOG)),
                () -> madePool,
                () -> nowNs,
                () -> nowNs,
                junctions));
    Graph graph = around(element);
    GraphCheck check = new GraphCheck(graph);
    junctions.prepare(graph, check.stages().layout(Set.of(0), _ -> Set.of(0)));
    replica.change(replica.prepare(graph.elements()), graph.edges());
    this.element = Objects.requireNonNull(replica.elements().get(SUBJECT));
  }

  /** The element with a collector behind each output. */
  private Graph around(Element subject) {
    return Graph.of(g -> {
      Node node = g.add(SUBJECT, subject);
      for (ElementPort port : subject.shape().outputs()) {
        List<byte[]> frames = new ArrayList<>();
        collected.put(port.name(), frames);
        g.chain(node.out(port.name()), g.add("out-" + port.name(), new Collector(frames)));
      }
    });
  }

  /** Leaves an output unconnected, as a graph may that has no use for an optional one. */
  public ElementHarness disconnect(String output) {
    Objects.requireNonNull(element.outlets.get(output), output).target(null);
    return this;
  }

  /** Packets of one burst come to the first input. */
  public void push(byte[]... frames) {
    pushTo(element.placed().element().shape().inputs().getFirst().name(), frames);
  }

  /** Packets of one burst come to an input. */
  public void pushTo(String input, byte[]... frames) {
    Inlet inlet = Objects.requireNonNull(element.inlets.get(input), input);
    enter(inlet, frames);
  }

  /** Packets of one burst come from a port of the engine. */
  public void receive(String port, byte[]... frames) {
    BurstHandler receiver = Objects.requireNonNull(receivers.get(port), port);
    fill(frames);
    try {
      receiver.onBurst(burst.burst());
    } catch (Exception e) {
      throw new IllegalStateException("graphs throw nothing", e);
    }
    burst.finish(home);
  }

  private void enter(Inlet inlet, byte[]... frames) {
    fill(frames);
    inlet.onBurst(burst.burst());
    burst.finish(home);
  }

  private void fill(byte[]... frames) {
    if (frames.length > MAX_BURST) {
      throw new IllegalArgumentException(
          "too many packets for one burst: packets=" + frames.length + ", max=" + MAX_BURST);
    }
    for (byte[] frame : frames) {
      long mbuf = packets.make(frame.length);
      if (mbuf == 0) {
        throw new IllegalStateException("no buffer is free: pool=" + pool.name());
      }
      burst.array().append(mbuf, pool);
      burst.packet(burst.size() - 1).set(0, frame, 0, frame.length);
    }
  }

  /** Lets time pass, and the worker do a round then. */
  public void advance(long ns) {
    nowNs += ns;
    round();
  }

  /** Lets the worker do a round: what elements do at times happens in it. */
  public void round() {
    replica.doWork();
  }

  /** The time now, in ns: of the clock, and since the epoch for packets. */
  public long nowNs() {
    return nowNs;
  }

  /** What came out of an output since the last call, in its order. */
  public List<byte[]> out(String output) {
    List<byte[]> frames = Objects.requireNonNull(collected.get(output), output);
    List<byte[]> copy = List.copyOf(frames);
    frames.clear();
    return copy;
  }

  /** What went to a port of the engine since the last call. */
  public List<byte[]> transmitted(String port) {
    return out("port " + port);
  }

  /** What the element has dropped until now, by reason. */
  public Map<String, Long> drops() {
    return counts().dropped();
  }

  /** What the element has done with packets until now. */
  public ElementCounts counts() {
    return element.counts();
  }

  /** The text of a value of the element, as {@link GraphRunner#read} gives it. */
  public String read(String handler) {
    return String.valueOf(element.reader(handler).read());
  }

  /** Writes a value of the element. */
  public void write(String handler, String value) {
    element.writer(handler).write(value);
  }

  /** Ends the element as the end of a worker does: it sends or drops what it holds. */
  public void end() {
    replica.end();
  }

  /**
   * Ends the element.
   *
   * @throws IllegalStateException if a packet is missing
   */
  @Override
  public void close() {
    end();
    element.close();
    ElementCounts counts = counts();
    long came = counts.packetsIn() + counts.made();
    long went = counts.packetsOut() + counts.droppedTotal() + counts.held();
    List<BufferPool> incomplete = pools.close();
    if (came != went || counts.held() != 0 || !incomplete.isEmpty()) {
      throw new IllegalStateException(
          "packets are missing: counts=%s, pools with buffers missing=%s; each packet is sent, dropped or stored"
              .formatted(counts, incomplete.stream().map(BufferPool::name).toList()));
    }
  }

  /** Keeps what comes. */
  private record Collector(List<byte[]> frames) implements Element {
    @Override
    public Shape shape() {
      return Shape.NONE.input("in");
    }

    @Override
    public void open(Wiring wiring) {
      wiring.input(
          "in",
          burst -> {
            for (Packet packet : burst) {
              frames.add(packet.toBytes());
            }
            burst.dropAll(DropReason.CONSUMED);
          });
    }
  }

  /** The world around: what is transmitted is kept. */
  private final class Ports implements HostWorker {
    @Override
    public void receive(String port, BurstHandler handler) {
      receivers.put(port, handler);
    }

    @Override
    public BurstHandler transmit(String port, DropCounts refused) {
      List<byte[]> frames = new ArrayList<>();
      collected.put("port " + port, frames);
      return out -> {
        for (Packet packet : out) {
          frames.add(packet.toBytes());
        }
        DropCounts before = OwnedBurst.drops(out, new DropCounts());
        out.dropAll(DropReason.CONSUMED);
        OwnedBurst.drops(out, before);
      };
    }

    @Override
    public void submit(Runnable action) {
      action.run();
    }
  }
}
