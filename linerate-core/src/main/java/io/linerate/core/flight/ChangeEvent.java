package io.linerate.core.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

/** Something is otherwise since a moment ago. */
@Name("io.linerate.Change")
@Label("Live Change")
@Category("Linerate")
@Description("The graph or the rules were changed, or read again, while packets flowed")
final class ChangeEvent extends Event {
  @Label("What")
  @Description("graph or rules")
  String what = "";

  @Label("Text")
  @Description("What it is now")
  String text = "";

  @Label("Took")
  @Description("Until all workers had changed")
  @Timespan(Timespan.NANOSECONDS)
  long took;
}
