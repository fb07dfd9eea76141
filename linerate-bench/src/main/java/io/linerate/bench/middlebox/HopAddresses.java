package io.linerate.bench.middlebox;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import java.util.function.Consumer;

/**
 * Gives packets the Ethernet addresses of their next hops, which are known for good: what a table
 * of neighbors does that never has to ask.
 *
 * <pre>
 * inputs      in: packets as a Route leaves them, whose next hops differ in one byte
 * outputs     out
 * parameters  hopByte: offset of that byte
 * </pre>
 */
record HopAddresses(int hopByte) implements Element {
  /** As route.c says. */
  private static final long OWN_MAC = 0x0200_0000_0001L;

  private static final long FIRST_MAC = 0x0200_0000_0100L;

  @Override
  public Shape shape() {
    return Shape.inOut();
  }

  @Override
  public void open(Wiring wiring) {
    wiring.input("in", new Writer(hopByte, wiring.output("out")));
  }

  private static final class Writer implements BurstHandler, Consumer<Packet> {
    private final int hopByte;
    private final Outlet out;
    private final long[] firstWords = new long[RouteTables.HOPS];

    Writer(int hopByte, Outlet out) {
      this.hopByte = hopByte;
      this.out = out;
      for (int hop = 0; hop < firstWords.length; hop++) {
        firstWords[hop] = ((FIRST_MAC + hop) << 16) | (OWN_MAC >>> 32);
      }
    }

    @Override
    public void onBurst(Burst burst) {
      burst.forEach(this);
      out.push(burst);
    }

    @Override
    public void accept(Packet packet) {
      packet.u64(0, firstWords[packet.u8(hopByte) & (firstWords.length - 1)]);
      packet.i32(Long.BYTES, (int) OWN_MAC);
    }
  }
}
