package io.linerate.core.counter;

import java.util.ArrayList;
import java.util.List;

/**
 * Something that can say how it stands: an engine, a graph, an application. Any thread may ask, at
 * any time; that costs the packet path nothing.
 */
@FunctionalInterface
public interface SampleSource {
  /** Says all its samples, those of one name together. */
  void collect(SampleSink sink);

  /** All its samples. */
  default List<Sample> samples() {
    List<Sample> samples = new ArrayList<>();
    collect(samples::add);
    return samples;
  }
}
