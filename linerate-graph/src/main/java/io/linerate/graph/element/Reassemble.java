package io.linerate.graph.element;

import static java.util.Objects.requireNonNull;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Wiring;
import io.linerate.wire.FragmentDefect;
import io.linerate.wire.FragmentView;
import io.linerate.wire.HeaderDefect;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.PlainIpv4;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Puts the fragments of IP packets together again, behind up to two VLAN tags: IPv4 as RFC 791,
 * section 3.2 says, IPv6 as RFC 8200, section 4.5. The bytes are not copied: the packet is made of
 * the segments of its fragments, unless these came from different pools.
 *
 * <p>Fragments that overlap end their packet, of either version (RFC 5722, RFC 8200); an exact
 * repetition is dropped alone. Time and memory are bounded: if the packet that is the oldest has to
 * go for a new one, it goes. So it does when the fragments that are held have more than a share of
 * the buffers that their port receives into, so that reception goes on: each worker has an equal
 * part of it, so that none ends the packets of another.
 *
 * <pre>
 * inputs      in
 * outputs     out: whole packets, and everything that is no fragment, as it came
 * parameters  datagrams: put together at the same time at most, 1 to 1024
 *             fragments: of one packet at most, 2 to 1024
 *             timeoutNs: after the first fragment, 1e6 to 120e9. Reassemble() has 64, 64 and
 *             30e9, as Linux has; a datagram of 65535 bytes in fragments of 1500 has 45
 *             poolPercent: of the buffers of a pool, all workers together, 1 to 100; without it 25
 * drops       joined: its bytes went on as part of another packet
 *             reassembly_timeout, too_many_fragments; the oldest: reassembly_full (datagrams),
 *             reassembly_pool (poolPercent)
 *             overlap: contradicting fragments, and what came of their packet before
 *             duplicate: the same fragment again
 *             bad_fragment: no multiple of 8 bytes though not the last, empty, beyond 65535
 *             truncated_payload: fewer bytes than it claims
 *             nested_fragment: a second fragment header of IPv6
 *             no_buffer: for a packet of several pools, also if its frame is longer than 65535
 * reads       reassembled: packets; incomplete: packets that are waited for
 *             given_up: packets that went for room, too early for their time
 * example     g.add("whole", new Reassemble())
 * </pre>
 */
public record Reassemble(int datagrams, int fragments, long timeoutNs, int poolPercent)
    implements Element {
  public static final DropReason JOINED = DropReason.named("joined");
  public static final DropReason TIMEOUT = DropReason.named("reassembly_timeout");
  public static final DropReason FULL = DropReason.named("reassembly_full");
  public static final DropReason POOL = DropReason.named("reassembly_pool");
  public static final DropReason TOO_MANY_FRAGMENTS = DropReason.named("too_many_fragments");
  public static final DropReason OVERLAP = DropReason.named("overlap");
  public static final DropReason DUPLICATE = DropReason.named("duplicate");
  public static final DropReason BAD_FRAGMENT = DropReason.named("bad_fragment");

  private static final int MAX_DATAGRAMS = 1_024;
  private static final int MAX_FRAGMENTS = 1_024;
  private static final long MAX_TIMEOUT_NS = 120_000_000_000L;
  private static final long MIN_TIMEOUT_NS = 1_000_000;
  private static final int USUAL = 64;
  private static final long USUAL_TIMEOUT_NS = 30_000_000_000L;
  private static final int USUAL_PERCENT = 25;

  /** Timeouts are late by a tenth at most. */
  private static final int CHECKS_PER_TIMEOUT = 10;

  public Reassemble() {
    this(USUAL, USUAL, USUAL_TIMEOUT_NS);
  }

  public Reassemble(int datagrams, int fragments, long timeoutNs) {
    this(datagrams, fragments, timeoutNs, USUAL_PERCENT);
  }

  @Override
  public List<String> problems() {
    return Parameters.check()
        .range("datagrams", datagrams, 1, MAX_DATAGRAMS)
        .range("fragments", fragments, 2, MAX_FRAGMENTS)
        .range("timeoutNs", timeoutNs, MIN_TIMEOUT_NS, MAX_TIMEOUT_NS)
        .range("poolPercent", poolPercent, 1, 100)
        .problems();
  }

  @Override
  public void open(Wiring wiring) {
    Reassembler reassembler = new Reassembler(this, wiring);
    wiring.input("in", reassembler);
    wiring.every(timeoutNs / CHECKS_PER_TIMEOUT, reassembler::dropOld);
    wiring.count("reassembled", () -> reassembler.reassembled);
    wiring.count("incomplete", reassembler::incomplete);
    wiring.count("given_up", () -> reassembler.givenUp);
  }

  /** On one worker. */
  private static final class Reassembler implements BurstHandler, Consumer<Packet> {
    private final long timeoutNs;
    private final Wiring wiring;
    private final HeaderScanner scanner = new HeaderScanner();
    private final FragmentView fragment = new FragmentView();
    private final Datagram[] datagrams;
    private final Outlet out;
    private final int poolPercent;

    /** Buffers that fragments have on this worker. */
    private final AtomicInteger held = new AtomicInteger();

    /** That have the element: their buffers are of the same pools. */
    private final AtomicInteger workers;

    private boolean isAnyFragment;
    private long reassembled;
    private long givenUp;

    Reassembler(Reassemble parameters, Wiring wiring) {
      this.wiring = wiring;
      timeoutNs = parameters.timeoutNs;
      out = wiring.output("out");
      poolPercent = parameters.poolPercent;
      workers = wiring.shared(AtomicInteger::new);
      workers.incrementAndGet();
      wiring.onClose(workers::decrementAndGet);
      datagrams = new Datagram[parameters.datagrams];
      byte[] headers = new byte[FragmentView.MAX_HEADER_BYTES];
      for (int i = 0; i < datagrams.length; i++) {
        datagrams[i] = new Datagram(wiring.group(parameters.fragments, held), out, headers);
      }
    }

    long incomplete() {
      long count = 0;
      for (Datagram datagram : datagrams) {
        count += datagram.isFree() ? 0 : 1;
      }
      return count;
    }

    @Override
    public void onBurst(Burst burst) {
      isAnyFragment = false;
      burst.forEach(this);
      if (!isAnyFragment) {
        out.push(burst);
        return;
      }
      for (Packet packet : burst) {
        if (isFragment(packet)) {
          take(packet);
        } else {
          out.send(packet);
        }
      }
    }

    /** Looks for fragments. */
    @Override
    public void accept(Packet packet) {
      if (PlainIpv4.is(packet) ? PlainIpv4.isFragment(packet) : isFragment(packet)) {
        isAnyFragment = true;
      }
    }

    private boolean isFragment(Packet packet) {
      return scanner.scan(packet)
          ? scanner.isFragment()
          : scanner.defect() == HeaderDefect.NESTED_FRAGMENT;
    }

    private void take(Packet packet) {
      DropReason defect =
          scanner.defect() == HeaderDefect.NESTED_FRAGMENT
              ? DefectReasons.of(scanner)
              : defect(fragment.read(packet, scanner));
      if (defect != null) {
        packet.drop(defect);
        return;
      }
      Datagram datagram = find();
      if (datagram.add(packet, fragment)) {
        reassembled++;
      }
      long all = (long) datagram.poolBuffers() * poolPercent / 100;
      long share = Math.max(2, all / workers.get());
      while (held.get() > share) {
        endOldest(POOL);
      }
    }

    private static @Nullable DropReason defect(FragmentDefect defect) {
      return switch (defect) {
        case NONE -> null;
        case TRUNCATED -> DefectReasons.of(HeaderDefect.TRUNCATED_PAYLOAD);
        case MALFORMED -> BAD_FRAGMENT;
      };
    }

    private Datagram find() {
      Datagram free = null;
      for (Datagram datagram : datagrams) {
        if (datagram.isFree()) {
          free = datagram;
        } else if (datagram.isOf(fragment)) {
          return datagram;
        }
      }
      if (free == null) {
        endOldest(FULL);
        return find();
      }
      free.begin(fragment, wiring.nowNs());
      return free;
    }

    /** Gives the oldest packet up: there is one. */
    private void endOldest(DropReason reason) {
      Datagram oldest = null;
      for (Datagram datagram : datagrams) {
        if (!datagram.isFree() && (oldest == null || datagram.sinceNs() - oldest.sinceNs() < 0)) {
          oldest = datagram;
        }
      }
      requireNonNull(oldest).end(reason);
      givenUp++;
    }

    void dropOld() {
      long now = wiring.nowNs();
      for (Datagram datagram : datagrams) {
        if (!datagram.isFree() && now - datagram.sinceNs() >= timeoutNs) {
          datagram.end(TIMEOUT);
        }
      }
    }
  }
}
