package io.linerate.fabric.port;

import java.util.concurrent.atomic.AtomicInteger;

/** By shm. */
final class ShmPortConformanceTest extends FabricPortConformance {
  private static final AtomicInteger NAMES = new AtomicInteger();

  @Override
  protected String address() {
    return "fabric:shm:lr-port-%d-%d"
        .formatted(ProcessHandle.current().pid(), NAMES.incrementAndGet());
  }
}
