package io.linerate.core.counter;

/** The Java virtual machine of this process: its heap, pauses of the collector, safepoints. */
public final class JvmSamples implements SampleSource, AutoCloseable {
  /** HotSpot's collectors are numbered; it has three at most. */
  private static final int COLLECTORS = 3;

  private volatile PerfData data = PerfData.NONE;
  private volatile boolean wasLookedFor;
  private final Deoptimisations deoptimisations = new Deoptimisations();

  @Override
  public void collect(SampleSink sink) {
    if (!wasLookedFor) {
      data = PerfData.ofThisProcess();
      wasLookedFor = true;
    }
    Runtime runtime = Runtime.getRuntime();
    sink.gauge(
        "linerate_jvm_heap_used_bytes",
        SampleUnit.BYTES,
        runtime.totalMemory() - runtime.freeMemory());
    sink.gauge("linerate_jvm_heap_max_bytes", SampleUnit.BYTES, runtime.maxMemory());
    PerfData counts = data;
    if (counts.has("sun.rt.safepoints")) {
      pauses(sink, counts);
    }
    deoptimisations.update();
    if (deoptimisations.hasCounted()) {
      sink.counter("linerate_jvm_deoptimisations_total", SampleUnit.NONE, deoptimisations.count());
    }
  }

  private static void pauses(SampleSink sink, PerfData counts) {
    long pauses = 0;
    long pausedNs = 0;
    for (int i = 0; i < COLLECTORS; i++) {
      pauses += counts.value("sun.gc.collector." + i + ".invocations");
      pausedNs += counts.ns("sun.gc.collector." + i + ".time");
    }
    sink.counter("linerate_jvm_gc_pauses_total", SampleUnit.NONE, pauses);
    sink.counter("linerate_jvm_gc_pause_seconds_total", SampleUnit.NANOSECONDS, pausedNs);
    sink.counter(
        "linerate_jvm_safepoints_total", SampleUnit.NONE, counts.value("sun.rt.safepoints"));
    sink.counter(
        "linerate_jvm_safepoint_seconds_total",
        SampleUnit.NANOSECONDS,
        counts.ns("sun.rt.safepointTime"));
  }

  /** Counts no more. */
  @Override
  public void close() {
    deoptimisations.close();
  }
}
