package io.linerate.core.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A worker was slow. */
@Name("io.linerate.SlowBurst")
@Label("Slow Burst")
@Category("Linerate")
@Description(
    "A worker's rounds between two readings of the clock, 16 under load and one otherwise, took longer"
        + " than slowburstus")
@StackTrace(false)
final class SlowBurstEvent extends Event {
  @Label("Worker")
  @Description("Its number")
  int worker;

  @Label("Took")
  @Timespan(Timespan.NANOSECONDS)
  long took;

  @Label("Packets")
  @Description("Packets that it received meanwhile")
  long packets;
}
