package io.linerate.stream.net;

import io.linerate.stream.Bytes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Two ends and what is between them, in a time of their own: what happens does not depend on the
 * machine, and is the same each time.
 */
final class ComputedNetwork {
  static final long MS_NS = 1_000_000;
  static final long STEP_NS = 50_000;
  private static final int MOST_STEPS = 4_000_000;

  static final UdpPath CLIENT_PATH =
      new UdpPath(false, 0, 0x0A000001L, 50_000, 0, 0x0A000002L, 4_242);

  /** What a datagram may have to suffer. */
  record Faults(
      double lost, double repeated, double reordered, double damaged, int mostBytes, long delayNs) {
    static final Faults NONE = new Faults(0, 0, 0, 0, 65_507, MS_NS);
  }

  /** On its way. */
  private static final class Travelling {
    final long atNs;
    final long number;
    final End to;
    final UdpPath path;
    final byte[] bytes;

    Travelling(long atNs, long number, End to, UdpPath path, byte[] bytes) {
      this.atNs = atNs;
      this.number = number;
      this.to = to;
      this.path = path;
      this.bytes = bytes;
    }
  }

  final Random random = new Random(7);
  Faults faults = Faults.NONE;
  long nowNs = 1_000_000_000;
  private long numbers;
  private int steps;

  /** Of what leaves for ends that have a bottleneck before them; 0: none. */
  double bitsPerS;

  /** How long datagrams wait before the bottleneck at most. */
  long queueNs;

  private long freeNs;

  /** Nothing passes. */
  boolean isCut;

  /** Every datagram that was sent. */
  final List<byte[]> seen = new ArrayList<>();

  boolean isRecording;

  /** Which datagrams come to another worker, by their path there. */
  Predicate<UdpPath> isToSecond = _ -> false;

  @Nullable End second;

  private final PriorityQueue<Travelling> onTheirWay =
      new PriorityQueue<>(
          Comparator.<Travelling>comparingLong(one -> one.atNs)
              .thenComparingLong(one -> one.number));

  /** One end: an endpoint of one worker. */
  final class End implements FlowEvents, DatagramOutput {
    final EndpointCounts counts = new EndpointCounts();
    final Endpoint endpoint;
    final List<String> events = new ArrayList<>();
    List<byte[]> messages = new ArrayList<>();
    final Datagram datagram = new Datagram();
    final PathView view = new PathView();
    boolean mayDeliver = true;
    boolean isKeeping = true;
    long delivered;
    End other = this;
    boolean isBehindBottleneck;

    /** Nothing comes to it. */
    boolean isDeaf;

    /** Whether it sends back each message that it gets. */
    boolean isEcho;

    End(Flows flows, int worker, Endpoint.Role role) {
      endpoint = new Endpoint(flows, worker, role, () -> !mayDeliver, this, this, counts);
    }

    @Override
    public boolean send(UdpPath path, Datagram sent) {
      byte[] bytes = sent.get(0, sent.length());
      if (isRecording) {
        seen.add(bytes);
      }
      UdpPath there = back(path);
      End to = second;
      travel(to != null && isToSecond.test(there) ? to : other, there, bytes);
      return true;
    }

    @Override
    public void message(Flow flow, Bytes message) {
      if (!message.segment().isReadOnly()) {
        throw new AssertionError("who gets a message can write to the flow's memory: " + message);
      }
      delivered++;
      if (isKeeping) {
        messages.add(message.toBytes());
      }
      if (isEcho) {
        boolean _ = endpoint.answer(flow, message.segment(), message.offset(), message.length());
      }
    }

    @Override
    public void begun(Flow flow) {
      events.add("begun");
    }

    @Override
    public void silent(Flow flow) {
      events.add("silent");
    }

    @Override
    public void heard(Flow flow) {
      events.add("heard");
    }

    @Override
    public void ended(Flow flow) {
      events.add("ended");
    }

    @Override
    public void lost(Flow flow, String why) {
      events.add("lost: " + why);
    }

    void take(UdpPath path, byte[] bytes) {
      datagram.set(0, bytes);
      datagram.length(bytes.length);
      view.set(path);
      endpoint.receive(datagram, view, nowNs);
    }
  }

  private static UdpPath back(UdpPath path) {
    return new UdpPath(
        path.isIpv6(),
        path.remoteHigh(),
        path.remoteLow(),
        path.remotePort(),
        path.localHigh(),
        path.localLow(),
        path.localPort());
  }

  private void travel(End to, UdpPath path, byte[] bytes) {
    if (isCut
        || to.isDeaf
        || bytes.length > faults.mostBytes
        || random.nextDouble() < faults.lost) {
      return;
    }
    long waitNs = to.isBehindBottleneck ? waitNs(bytes.length) : 0;
    if (waitNs < 0) {
      return;
    }
    byte[] arrives = bytes;
    if (random.nextDouble() < faults.damaged) {
      arrives = bytes.clone();
      arrives[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    }
    long delay = faults.delayNs + waitNs;
    if (random.nextDouble() < faults.reordered) {
      delay += random.nextLong(faults.delayNs);
    }
    onTheirWay.add(new Travelling(nowNs + delay, numbers++, to, path, arrives));
    if (random.nextDouble() < faults.repeated) {
      onTheirWay.add(new Travelling(nowNs + delay + MS_NS, numbers++, to, path, arrives));
    }
  }

  /** How long a datagram takes through the bottleneck; below 0: it has no room there. */
  private long waitNs(int bytes) {
    long from = Math.max(nowNs, freeNs);
    if (from - nowNs > queueNs) {
      return -1;
    }
    freeNs = from + (long) ((bytes + 28) * 8 / bitsPerS * 1e9);
    return freeNs - nowNs;
  }

  /** A step of time at some ends. */
  void step(End... ends) {
    nowNs += STEP_NS;
    if (steps++ > MOST_STEPS) {
      throw new AssertionError("what is waited for does not happen: steps=" + steps);
    }
    while (!onTheirWay.isEmpty() && onTheirWay.peek().atNs <= nowNs) {
      Travelling one = onTheirWay.poll();
      one.to.take(one.path, one.bytes);
    }
    for (End end : ends) {
      int _ = end.endpoint.run(nowNs);
    }
  }

  static MemorySegment segment(byte[] bytes) {
    MemorySegment segment = Arena.ofAuto().allocate(Math.max(1, bytes.length));
    MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
    return segment;
  }
}
