package io.linerate.fabric;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Closes objects of libfabric on a thread of its own, and waits for it for two seconds: a provider
 * that does not return holds up that thread instead of the program. The endpoints of udp+rxd 1.17
 * do not, after remote memory was written.
 */
final class NativeClose {
  private static final long TIMEOUT_MS = 2000;

  private NativeClose() {}

  /** Closes an object; false if the provider has not returned in time, and has it still. */
  static boolean closeInTime(String what, long object) {
    CountDownLatch done = new CountDownLatch(1);
    Thread.ofPlatform()
        .daemon()
        .name("linerate-close-" + what.replace(' ', '-'))
        .start(() -> {
          long _ =
              NativeWatch.silently(
                  FabricFunction.CLOSE, () -> FabricFunction.CLOSE.callUnwatched(object));
          done.countDown();
        });
    long end = System.nanoTime() + TIMEOUT_MS * 1_000_000;
    boolean wasInterrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return done.await(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          wasInterrupted = true; // The provider works on.
        }
      }
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
