package io.linerate.graph.element;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.core.time.TokenBucket;
import io.linerate.core.worker.BurstHandler;
import io.linerate.filter.PacketFilter;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Passes everything on, and prints a line about packets to standard error: the label, the length,
 * and the first bytes. It prints at a bounded rate, and says how many packets it did not print. For
 * looking, not for counting: a printed packet costs objects, and microseconds.
 *
 * <pre>
 * inputs      in
 * outputs     out
 * parameters  label: in front of each line
 *             bytes: of each packet at most, 0 to 1500
 *             perSecond: lines on each worker, 1 to 10000. Print(label) has 32 bytes and 10 lines
 *             filter: only packets that it accepts; of a text: print.only("tcp port 80")
 * drops       none
 * reads       printed, unprinted: packets
 * example     g.chain(kind.out("rest"), g.add("look", new Print("rest")), ...)
 * </pre>
 */
public record Print(String label, int bytes, int perSecond, Optional<PacketFilter> filter)
    implements Element {
  private static final int USUAL_BYTES = 32;
  private static final int USUAL_PER_SECOND = 10;
  private static final int MAX_BYTES = 1_500;
  private static final int MAX_PER_SECOND = 10_000;

  public Print(String label) {
    this(label, USUAL_BYTES, USUAL_PER_SECOND);
  }

  public Print(String label, int bytes, int perSecond) {
    this(label, bytes, perSecond, Optional.empty());
  }

  /**
   * The same of packets only that a filter accepts.
   *
   * @param expression as pcap-filter(7) has it
   * @throws io.linerate.filter.FilterException if it is wrong
   */
  public Print only(String expression) {
    return new Print(label, bytes, perSecond, Optional.of(PacketFilter.compile(expression)));
  }

  @Override
  public Shape shape() {
    return Shape.inOut().anyLink();
  }

  @Override
  public List<String> problems() {
    return Parameters.check()
        .range("bytes", bytes, 0, MAX_BYTES)
        .range("perSecond", perSecond, 1, MAX_PER_SECOND)
        .problems();
  }

  @Override
  public void open(Wiring wiring) {
    Printer printer = new Printer(this, wiring);
    wiring.input("in", printer);
    wiring.count("printed", () -> printer.printed);
    wiring.count("unprinted", () -> printer.unprinted);
  }

  /** On one worker. */
  private static final class Printer implements BurstHandler {
    private final String label;
    private final Wiring wiring;
    private final Outlet out;
    private final byte[] first;
    private final TokenBucket bucket;
    private final @Nullable PacketFilter filter;
    private long printed;
    private long unprinted;

    /** Since the last line. */
    private long unsaid;

    Printer(Print print, Wiring wiring) {
      this.wiring = wiring;
      label = print.label;
      out = wiring.output("out");
      first = new byte[print.bytes];
      filter = print.filter.orElse(null);
      bucket = new TokenBucket(print.perSecond, print.perSecond);
    }

    @Override
    public void onBurst(Burst burst) {
      bucket.fill(wiring.nowNs());
      for (Packet packet : burst) {
        if (filter != null && !filter.accepts(packet)) {
          continue;
        }
        if (bucket.take(1)) {
          print(packet);
        } else {
          unprinted++;
          unsaid++;
        }
      }
      out.push(burst);
    }

    private void print(Packet packet) {
      if (unsaid > 0) {
        System.err.println(label + ": packets not printed=" + unsaid);
        unsaid = 0;
      }
      int count = Math.min(first.length, packet.length());
      packet.get(0, first, 0, count);
      String hex = HexFormat.ofDelimiter(" ").formatHex(first, 0, count);
      System.err.println(label + ": length=" + packet.length() + ", bytes=" + hex);
      printed++;
    }
  }
}
