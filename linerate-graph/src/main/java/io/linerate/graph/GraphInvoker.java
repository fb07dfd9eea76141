package io.linerate.graph;

import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketChains;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.log.FailureLog;
import io.linerate.core.memory.BurstOwner;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.LinkType;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.ClosingSteps;
import io.linerate.core.statistics.PacketLedger;
import io.linerate.core.time.EpochClock;
import io.linerate.core.worker.BurstHandler;
import io.linerate.core.worker.WorkerResources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A graph on the thread that calls, without an engine: for tests and simulations. The caller brings
 * the bursts of its ports, which are names only, takes what it transmits, asks for each round and
 * gives the time.
 *
 * <pre>{@code
 * try (var invoker = new GraphInvoker(graph, () -> nowNs)) {
 *   invoker.receive("eth0", frame);
 *   invoker.round();
 *   invoker.transmitted("eth1");
 *   invoker.read("count.packets");
 * }
 * }</pre>
 *
 * All elements are on one worker, wherever the graph places them. Closing checks that every packet
 * has ended where the counters say, and that every buffer is free. For the thread that made it.
 */
public final class GraphInvoker implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(GraphInvoker.class.getName());
  private static final Set<Integer> WORKERS = Set.of(0);
  private static final int BUFFERS = 1_024;
  private static final int HEADROOM_BYTES = 128;
  private static final int ROOM_BYTES = 2_048;
  private static final int MAX_BURST = 32;

  private final PacketPools pools = new PacketPools();
  private final FailureLog failures = new FailureLog(LOG);
  private final FreeBuffer freeBuffer = new FreeBuffer(pools, 1);
  private final PacketChains arriving;
  private final OwnedBurst burst;
  private final Junctions junctions = new Junctions();
  private final Replica replica;
  private final GraphValues values;

  /** Where bursts come in, by the name of the port. */
  private final Map<String, Inlet> entries = new TreeMap<>();

  private final Map<String, List<byte[]>> transmitted = new TreeMap<>();

  /** Why an element has stopped the program. */
  private @Nullable Throwable stopCause;

  private boolean isStopped;

  /**
   * As the other, with 1,024 buffers for packets that elements make, and 128 bytes before those
   * that come in.
   */
  public GraphInvoker(Graph graph, EpochClock clock) {
    this(graph, clock, BUFFERS, HEADROOM_BYTES);
  }

  /**
   * Checks the graph and makes its elements.
   *
   * @param clock the time in ns since the epoch, and for durations
   * @param buffers for packets that elements make
   * @param headroomBytes room before packets that come in
   * @throws GraphException if anything is wrong with the graph: everything is said at once
   * @throws io.linerate.core.config.ConfigException if an element cannot have what it needs
   */
  public GraphInvoker(Graph graph, EpochClock clock, int buffers, int headroomBytes) {
    BufferPool received = pools.create("received", BUFFERS, headroomBytes, ROOM_BYTES);
    BufferPool made = pools.create("made", buffers, HEADROOM_BYTES, ROOM_BYTES);
    arriving = new PacketChains(() -> received);
    DropCounts drops = new DropCounts();
    burst = new OwnedBurst(new MbufArray(MAX_BURST), drops, clock, new BurstOwner());
    replica =
        new Replica(
            new ReplicaHost(
                new Ports(),
                0,
                MAX_BURST,
                BUFFERS,
                pools,
                new WorkerResources(
                    burst.burst(), drops, freeBuffer, new PacketLedger(), burst.owner(), failures),
                () -> made,
                clock,
                clock::epochNs,
                junctions));
    values = new GraphValues(List.of(replica));
    try {
      change(graph);
    } catch (Throwable e) {
      pools.close();
      throw e;
    }
  }

  /**
   * Runs another graph from now on, as {@link GraphRunner#change}: elements that both have, under
   * the same name and equal, stay with their state.
   *
   * @throws GraphException if anything is wrong with the graph: the old one goes on
   */
  public void change(Graph next) {
    Graph graph = onOneWorker(next);
    GraphCheck check = new GraphCheck(graph);
    if (!check.problems().isEmpty()) {
      throw new GraphException(check.problems());
    }
    Map<String, Junction> before = junctions.snapshot();
    junctions.prepare(graph, check.stages().layout(WORKERS, _ -> WORKERS));
    Map<String, RunningElement> prepared = Map.of();
    try {
      prepared = replica.prepare(check.ordered());
      replica.change(prepared, graph.edges()).forEach(removed -> removed.close(this::notClosed));
    } catch (Throwable e) {
      replica.abandon(prepared, e);
      junctions.restore(before);
      throw e;
    }
    junctions.keep(graph);
    entries.clear();
    replica.elements().values().forEach(element -> entries.putAll(element.entries));
  }

  private void notClosed(String what, Throwable failure) {
    failures.add(() -> what, failure);
  }

  private static Graph onOneWorker(Graph graph) {
    return new Graph(
        graph.elements().stream()
            .map(placed -> new PlacedElement(placed.name(), placed.element(), Set.of()))
            .toList(),
        graph.edges(),
        graph.parts());
  }

  /** Frames of one burst, at most 32, come from a port. */
  public void receive(String port, byte[]... frames) {
    receive(port, LinkType.ETHERNET, frames);
  }

  /** Packets of one burst, at most 32, come from a port; all begin so. */
  public void receive(String port, LinkType type, byte[]... packets) {
    Inlet entry = require(entries.get(port), "receives from", port, entries);
    replica.host().owner().require();
    try {
      fill(type, packets);
      entry.onBurst(burst.burst());
    } finally {
      burst.finish(freeBuffer);
    }
  }

  private static <T> T require(@Nullable T found, String does, String port, Map<String, T> all) {
    if (found == null) {
      throw new IllegalArgumentException(
          "graph %s no such port: port=%s; it has %s"
              .formatted(does, port, all.isEmpty() ? "none" : String.join(", ", all.keySet())));
    }
    return found;
  }

  private void fill(LinkType type, byte[]... frames) {
    if (frames.length > MAX_BURST) {
      throw new IllegalArgumentException(
          "too many packets for one burst: packets=" + frames.length + ", max=" + MAX_BURST);
    }
    for (byte[] frame : frames) {
      long mbuf = arriving.make(frame.length);
      if (mbuf == 0) {
        throw new IllegalStateException("no buffer is free: pool=" + arriving.pool().name());
      }
      burst.array().append(mbuf, arriving.pool());
      burst.packet(burst.size() - 1).set(0, frame, 0, frame.length);
      Mbuf.linkType(mbuf, type.number());
    }
  }

  /** What went to a port since the last call, in its order. */
  public List<byte[]> transmitted(String port) {
    List<byte[]> frames = require(transmitted.get(port), "transmits to", port, transmitted);
    List<byte[]> copy = List.copyOf(frames);
    frames.clear();
    return copy;
  }

  /**
   * Lets the worker do a round: what elements do at times happens in it.
   *
   * @return packets that were moved
   */
  public int round() {
    return replica.doWork();
  }

  /** What each element has done with packets. */
  public Map<String, ElementCounts> counts() {
    return replica.counts();
  }

  /** Whether an element has stopped the program: its worker would end after this round. */
  public boolean hasStopped() {
    return stopCause != null;
  }

  /** What an element has thrown first, and where. */
  public Optional<String> failure() {
    return failures.first();
  }

  /** As {@link GraphRunner#read}. */
  public Reading read(String name) {
    return values.read(name);
  }

  /** As {@link GraphRunner#write}. */
  public void write(String name, String value) {
    values.write(name, value);
  }

  /** Ends the graph as the end of a worker does: elements send or drop what they hold. */
  public void end() {
    replica.end();
  }

  /**
   * Ends the graph.
   *
   * @throws IllegalStateException if a packet is missing, or an element cannot be closed
   */
  @Override
  public void close() {
    end();
    ClosingSteps steps = new ClosingSteps("graph cannot be closed");
    replica.elements().values().forEach(element -> element.close(steps::add));
    List<BufferPool> incomplete = pools.close();
    if (!incomplete.isEmpty() || !counts().values().stream().allMatch(GraphInvoker::isConserved)) {
      throw new IllegalStateException(
          "packets are missing: counts=%s, pools with buffers missing=%s; each packet is sent, dropped or stored"
              .formatted(counts(), incomplete.stream().map(BufferPool::name).toList()));
    }
    steps.end();
  }

  private static boolean isConserved(ElementCounts counts) {
    return counts.held() == 0
        && counts.packetsIn() + counts.made() == counts.packetsOut() + counts.droppedTotal();
  }

  /** The ports of the graph: what is transmitted is kept. */
  private final class Ports implements HostWorker {
    /** Bursts come in by {@link GraphInvoker#entries}. */
    @Override
    public void receive(String port, BurstHandler handler) {}

    @Override
    public BurstHandler transmit(String port, DropCounts refused) {
      List<byte[]> frames = transmitted.computeIfAbsent(port, _ -> new ArrayList<>());
      return out -> {
        for (Packet packet : out) {
          frames.add(packet.toBytes());
        }
        DropCounts before = burst.owner().drops(out, new DropCounts());
        out.dropAll(DropReason.CONSUMED);
        burst.owner().drops(out, before);
      };
    }

    @Override
    public void submit(Runnable action) {
      action.run();
    }

    @Override
    public void stop(String what, Throwable why) {
      stopCause = stopCause == null ? why : stopCause;
      failures.add(() -> what, why);
    }

    @Override
    public void giveUp(Throwable why) {
      stopCause = stopCause == null ? why : stopCause;
    }

    @Override
    public void stop() {
      isStopped = true;
    }

    @Override
    public boolean isStopping() {
      return isStopped || hasStopped();
    }

    @Override
    public Optional<Throwable> failure() {
      return Optional.ofNullable(stopCause);
    }
  }
}
