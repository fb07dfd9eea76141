package io.linerate.apps.capture;

import io.linerate.core.counter.SampleSink;
import io.linerate.core.counter.SampleSource;
import io.linerate.core.worker.BurstHandler;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Packets of a capture by size and protocol, all workers together, also those that have ended. Any
 * thread may read them; no worker is asked for that.
 */
final class CaptureCounts implements SampleSource {
  private final List<CaptureHandler> handlers = new CopyOnWriteArrayList<>();

  /**
   * What counts on one more worker.
   *
   * @param out what bursts are given to when they are counted
   */
  CaptureHandler newHandler(boolean isEthernet, BurstHandler out) {
    CaptureHandler handler = new CaptureHandler(isEthernet, out);
    handlers.add(handler);
    return handler;
  }

  FrameSizes sizes() {
    FrameSizes sum = new FrameSizes();
    handlers.forEach(handler -> sum.addAll(handler.sizes()));
    return sum;
  }

  ProtocolCounts protocols() {
    ProtocolCounts sum = new ProtocolCounts();
    handlers.forEach(handler -> sum.addAll(handler.protocols()));
    return sum;
  }

  @Override
  public void collect(SampleSink sink) {
    sizes().collect(sink);
    protocols().collect(sink);
  }
}
