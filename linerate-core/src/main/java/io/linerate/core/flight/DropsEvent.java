package io.linerate.core.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** Packets of a second that were dropped. */
@Name("io.linerate.Drops")
@Label("Drops")
@Category("Linerate")
@Description("Packets that ended for a reason, each second; packets that have done their work, too")
@StackTrace(false)
final class DropsEvent extends Event {
  @Label("Reason")
  String reason = "";

  @Label("Packets")
  long packets;

  @Label("Interval")
  @Description("Time in which they were dropped")
  @Timespan(Timespan.NANOSECONDS)
  long interval;
}
