package io.linerate.graph.element;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.ValueType;
import io.linerate.graph.Wiring;
import io.linerate.wire.FlowKey;
import io.linerate.wire.HeaderScanner;
import java.util.List;

/**
 * Passes everything on, and counts packets and bytes of each flow: addresses, protocol and ports of
 * one direction. Fragments are counted as flows without ports. A flow without packets for a time is
 * forgotten. A flow for which there is no room is counted as untracked, packet by packet: with
 * flows of up to half the capacity that hardly happens.
 *
 * <pre>
 * inputs      in
 * outputs     out
 * parameters  capacity: flows on each worker, 8 to 1048576, rounded up to a power of two; a flow
 *             takes 64 bytes
 *             idleNs: 1e6 to 86400e9, a day. FlowTable(capacity) has 60e9, a minute
 * drops       none
 * reads       flows: known now; forgotten: flows; untracked: packets; non_ip: packets without flow
 *             top: the ten flows of most bytes. Reading it stops the worker: 10 ms for a million
 * example     g.chain(in, g.add("flows", new FlowTable(65536)), ...)
 * </pre>
 */
public record FlowTable(int capacity, long idleNs) implements Element {
  private static final int MIN_CAPACITY = 8;
  private static final int MAX_CAPACITY = 1 << 20;
  private static final long MIN_IDLE_NS = 1_000_000;
  private static final long MAX_IDLE_NS = 86_400_000_000_000L;
  private static final long USUAL_IDLE_NS = 60_000_000_000L;

  /** Idle flows go within a hundredth of the time, each time a part of the table is looked at. */
  private static final int SWEEPS = 100;

  private static final int TOP = 10;

  public FlowTable(int capacity) {
    this(capacity, USUAL_IDLE_NS);
  }

  @Override
  public List<String> problems() {
    return Parameters.check()
        .range("capacity", capacity, MIN_CAPACITY, MAX_CAPACITY)
        .range("idleNs", idleNs, MIN_IDLE_NS, MAX_IDLE_NS)
        .problems();
  }

  @Override
  public void open(Wiring wiring) {
    Meter meter = new Meter(this, wiring);
    wiring.input("in", meter);
    wiring.every(idleNs / SWEEPS, () -> meter.flows.sweep(wiring.nowNs(), SWEEPS));
    wiring.count("flows", meter.flows::size);
    wiring.count("forgotten", meter.flows::forgotten);
    wiring.count("untracked", () -> meter.untracked);
    wiring.count("non_ip", () -> meter.nonIp);
    wiring.read("top", ValueType.TEXT, () -> meter.flows.top(TOP));
  }

  /** On one worker. */
  private static final class Meter implements BurstHandler {
    private final Wiring wiring;
    private final Outlet out;
    private final FlowStore flows;
    private final HeaderScanner scanner = new HeaderScanner();

    /** With a seed that nobody knows, so that nobody fills the places of one flow on purpose. */
    private final FlowKey key = new FlowKey(System.nanoTime());

    private long untracked;
    private long nonIp;

    Meter(FlowTable table, Wiring wiring) {
      this.wiring = wiring;
      out = wiring.output("out");
      flows = new FlowStore(table.capacity, table.idleNs);
    }

    @Override
    public void onBurst(Burst burst) {
      long now = wiring.nowNs();
      for (Packet packet : burst) {
        if (!scanner.scan(packet) || !key.read(packet, scanner)) {
          nonIp++;
        } else if (!flows.add(key, packet.length(), now)) {
          untracked++;
        }
      }
      out.push(burst);
    }
  }
}
