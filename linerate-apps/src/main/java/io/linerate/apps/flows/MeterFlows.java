package io.linerate.apps.flows;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.LinkType;
import io.linerate.core.worker.BurstHandler;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import io.linerate.track.flow.FlowMeter;
import java.util.function.IntFunction;

/**
 * Makes flows of packets, and passes the packets on.
 *
 * <pre>
 * inputs      in
 * outputs     out
 * parameters  meters: the meter of a worker, by its number
 *             isCapture: whether the time is that of the packets alone, however long they stay away
 * drops       none
 * reads       flows: that ended, or whose active time-out was over
 *             evicted: flows that ended to make room for others
 *             metered, other, malformed: packets of flows, of no IP, and with headers that cannot be read
 * </pre>
 */
record MeterFlows(IntFunction<FlowsOutput.Meter> meters, boolean isCapture) implements Element {
  private static final long SECOND_NS = 1_000_000_000;
  private static final long NS_PER_MS = 1_000_000;

  @Override
  public Shape shape() {
    return Shape.inOut().anyLink();
  }

  @Override
  public void open(Wiring wiring) {
    FlowsOutput.Meter own = meters.apply(wiring.worker());
    FlowMeter meter = own.meter();
    wiring.input("in", new Worker(own, wiring.output("out")));
    wiring.every(
        SECOND_NS,
        () -> {
          if (!isCapture) {
            meter.advance(System.currentTimeMillis() * NS_PER_MS);
          }
          own.flush();
        });
    wiring.count("flows", meter::told);
    wiring.count("evicted", meter::evicted);
    wiring.count("metered", meter::packets);
    wiring.count("other", meter::otherPackets);
    wiring.count("malformed", meter::malformedPackets);
  }

  /** On one worker. */
  private record Worker(FlowsOutput.Meter own, Outlet out) implements BurstHandler {
    @Override
    public void onBurst(Burst burst) throws Exception {
      own.meter().meter(burst);
      own.endOfBurst();
      out.onBurst(burst);
    }

    @Override
    public boolean takes(LinkType type) {
      return true;
    }
  }
}
