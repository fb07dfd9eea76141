package io.linerate.apps.flows;

import io.linerate.track.flow.FlowRecord;
import io.linerate.track.flow.FlowSink;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Several sinks, each of which gets all flows. Closing them is for who made them. */
record FlowSinks(List<FlowSink> sinks) implements FlowSink {
  /** A sink for several threads. */
  static FlowSink shared(FlowSink sink) {
    return new FlowSink() {
      @Override
      public synchronized void onFlow(FlowRecord flow) {
        sink.onFlow(flow);
      }

      @Override
      public synchronized void flush() {
        sink.flush();
      }

      @Override
      public synchronized @Nullable IOException failure() {
        return sink.failure();
      }

      @Override
      public synchronized void close() throws IOException {
        sink.close();
      }
    };
  }

  @Override
  public void onFlow(FlowRecord flow) {
    for (int i = 0; i < sinks.size(); i++) {
      sinks.get(i).onFlow(flow);
    }
  }

  @Override
  public void flush() {
    sinks.forEach(FlowSink::flush);
  }

  @Override
  public @Nullable IOException failure() {
    return sinks.stream().map(FlowSink::failure).filter(Objects::nonNull).findFirst().orElse(null);
  }
}
