package io.linerate.apps.firewall;

import io.linerate.core.counter.SingleWriterCounters;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import io.linerate.wire.Ethernet;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.Ipv6;
import io.linerate.wire.PlainIpv4;
import io.linerate.wire.PlainIpv6;
import java.util.function.Consumer;

/**
 * The firewall on one worker, in one direction: sends or drops each packet, as the first rule says
 * that matches its source and protocol.
 *
 * <p>Packets of any link type, and inside VLAN tags, are matched by the IP header behind them;
 * fragments like whole packets. A packet whose headers are unsound up to that of IP is dropped as
 * {@code malformed}.
 */
final class FirewallHandler implements BurstHandler, Consumer<Packet> {
  static final DropReason RULE = DropReason.named("rule");
  static final DropReason DEFAULT_RULE = DropReason.named("default_rule");
  static final DropReason NON_IP = DropReason.named("non_ip");

  /** A key whose lower half is the decision. */
  private static final long IS_DECIDED = Long.MIN_VALUE;

  private static final int MALFORMED = -1;

  private final RuleBook book;
  private final RuleCounts counts;
  private final boolean isEthernet;
  private final BurstHandler out;
  private final HeaderScanner scanner = new HeaderScanner();
  private final Ipv6 ipv6 = new Ipv6();
  private long[] keys = new long[0];
  private int[] verdicts = new int[0];

  /** Packets whose decision waits: see {@link #accept}. */
  private int[] others = new int[0];

  private int otherCount;

  // Of the edition that holds for this burst.
  private RuleEdition edition;
  private RuleTable table;
  private int defaultIndex;
  private int nonIpIndex;
  private boolean[] passes;
  private SingleWriterCounters hits;

  /**
   * @param counts where this worker counts
   * @param isEthernet whether all packets begin with an Ethernet header
   * @param out sends what is left in a burst: the packets that pass
   */
  FirewallHandler(RuleBook book, RuleCounts counts, boolean isEthernet, BurstHandler out) {
    this.isEthernet = isEthernet;
    this.book = book;
    this.counts = counts;
    this.out = out;
    edition = book.edition();
    counts.adopt(edition);
    table = edition.table();
    defaultIndex = edition.rules().defaultIndex();
    nonIpIndex = edition.rules().nonIpIndex();
    passes = edition.passes();
    hits = counts.hits();
  }

  private void adopt(RuleEdition next) {
    counts.adopt(next);
    edition = next;
    table = next.table();
    defaultIndex = next.rules().defaultIndex();
    nonIpIndex = next.rules().nonIpIndex();
    passes = next.passes();
    hits = counts.hits();
  }

  @Override
  public void onBurst(Burst burst) throws Exception {
    RuleEdition now = book.edition();
    if (now != edition) {
      adopt(now);
    }
    if (burst.live() < burst.size()) { // Called again after a failure.
      actOne(burst);
      out.onBurst(burst);
      return;
    }
    if (burst.size() > verdicts.length) {
      keys = new long[burst.size()];
      others = new int[burst.size()];
      verdicts = new int[burst.size()];
    }
    decide(burst);
    act(burst, burst.size());
    out.onBurst(burst);
  }

  /**
   * Leaves the decision on each packet in {@link #verdicts}, at its place in the burst. In two
   * passes: keys that are looked up together come from memory together.
   */
  private void decide(Burst burst) {
    otherCount = 0;
    if (isEthernet) {
      burst.forEach(this);
    } else {
      burst.forEach(this::leave);
    }
    for (int i = 0; i < otherCount; i++) {
      int verdict = decideOther(burst.packet(others[i]));
      keys[others[i]] = IS_DECIDED | Integer.toUnsignedLong(verdict);
    }
    table.match(keys, burst.size(), verdicts);
  }

  /**
   * Leaves its key at its place in the burst, or its decision for later if it is not {@link
   * PlainIpv4}: a loop in which something is called for some packets is slower for all.
   */
  @Override
  public void accept(Packet packet) {
    if (PlainIpv4.is(packet)) {
      keys[packet.index()] = RuleTable.key(packet, Ethernet.HEADER_BYTES);
    } else {
      leave(packet);
    }
  }

  /** Apart: the loop's own is to be shorter than 35 bytes, or it is a call in some JVMs. */
  private void leave(Packet packet) {
    others[otherCount++] = packet.index();
  }

  private int decideOther(Packet packet) {
    return isEthernet && PlainIpv6.is(packet)
        ? table.match(
            PlainIpv6.sourceHigh(packet), PlainIpv6.sourceLow(packet), PlainIpv6.protocol(packet))
        : decideAny(packet);
  }

  /** Counts, and drops what does not pass, in runs of the same verdict: traffic has many. */
  private void act(Burst burst, int count) {
    if (count == 0) {
      return;
    }
    int[] each = verdicts;
    int different = 0;
    for (int i = 1; i < count; i++) {
      different |= each[i] ^ each[0];
    }
    if (different == 0) {
      act(burst, 0, count, each[0]);
      return;
    }
    int start = 0;
    for (int i = 1; i <= count; i++) {
      if (i == count || each[i] != each[start]) {
        act(burst, start, i, each[start]);
        start = i;
      }
    }
  }

  private void act(Burst burst, int from, int to, int verdict) {
    if (verdict != MALFORMED) {
      hits.add(verdict, to - from);
    }
    if (!isPassed(verdict)) {
      burst.drop(from, to, reason(verdict));
    }
  }

  private void actOne(Burst burst) {
    for (Packet packet : burst) {
      int index = decideAny(packet);
      if (index != MALFORMED) {
        hits.increment(index);
      }
      if (!isPassed(index)) {
        packet.drop(reason(index));
      }
    }
  }

  private boolean isPassed(int index) {
    return index != MALFORMED && passes[index];
  }

  private DropReason reason(int index) {
    if (index == MALFORMED) {
      return DropReason.MALFORMED;
    }
    if (index < defaultIndex) {
      return RULE;
    }
    return index == defaultIndex ? DEFAULT_RULE : NON_IP;
  }

  /** The number of the rule that decides, or {@link #MALFORMED}. */
  int decide(Packet packet) {
    return isEthernet && PlainIpv4.is(packet)
        ? table.match(RuleTable.word(packet, Ethernet.HEADER_BYTES))
        : decideOther(packet);
  }

  /** The same decision for every packet, those of the short cut above included. */
  int decideAny(Packet packet) {
    if (!scanner.scanAny(packet)) {
      return MALFORMED;
    }
    return switch (scanner.ipVersion()) {
      case 4 -> table.match(RuleTable.word(packet, scanner.l3Offset()));
      case 6 -> {
        ipv6.wrap(packet, scanner.l3Offset());
        yield table.match(ipv6.sourceHigh(), ipv6.sourceLow(), scanner.ipProtocol());
      }
      default -> nonIpIndex;
    };
  }
}
