package io.linerate.graph.element;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import java.util.List;

/**
 * Passes everything on, and a copy of each packet to each of its other outputs. A copy for which no
 * buffer is free is not made; the packet itself goes on all the same. An output that leads nowhere
 * costs no copies.
 *
 * <pre>
 * inputs      in
 * outputs     out; copy1, copy2, ... (may be left unconnected)
 * parameters  copies: of each packet, 1 to 63; Tee() has 1
 * drops       none
 * reads       missed: copies that were not made, for want of a buffer
 * example     g.chain(tee.out("copy1"), g.add("file", new Capture("seen.pcap")), ...)
 * </pre>
 */
public record Tee(int copies) implements Element {
  private static final int MAX_COPIES = 63;

  public Tee() {
    this(1);
  }

  @Override
  public Shape shape() {
    Shape shape = Shape.inOut().anyLink();
    for (int i = 1; i <= Math.min(copies, MAX_COPIES); i++) {
      shape = shape.optionalOutput("copy" + i);
    }
    return shape;
  }

  @Override
  public List<String> problems() {
    return Parameters.check().range("copies", copies, 1, MAX_COPIES).problems();
  }

  @Override
  public void open(Wiring wiring) {
    Copier copier = new Copier(copies, wiring);
    wiring.input("in", copier);
    wiring.count("missed", () -> copier.missed);
  }

  /** On one worker. */
  private static final class Copier implements BurstHandler {
    private final Outlet out;
    private final Outlet[] copies;
    private long missed;

    Copier(int count, Wiring wiring) {
      out = wiring.output("out");
      copies = NumberedOutputs.of(wiring, "copy", count);
    }

    @Override
    public void onBurst(Burst burst) {
      for (Outlet copy : copies) {
        if (copy.isConnected()) {
          copyAll(burst, copy);
        }
      }
      out.push(burst);
    }

    private void copyAll(Burst burst, Outlet copy) {
      for (Packet packet : burst) {
        if (!copy.copy(packet)) {
          missed++;
        }
      }
    }
  }
}
