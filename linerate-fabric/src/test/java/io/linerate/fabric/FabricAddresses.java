package io.linerate.fabric;

import io.linerate.testkit.FreePorts;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** Addresses that nobody has. */
public final class FabricAddresses {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");
  private static final String PREFIX = "lr-test-" + ProcessHandle.current().pid() + "-";
  private static final AtomicInteger NAMES = new AtomicInteger();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(FabricAddresses::deleteLeft));
  }

  private FabricAddresses() {}

  /** What programs of a test have left that were killed: nobody comes who would. */
  private static void deleteLeft() {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(SHARED_MEMORY, PREFIX + "*")) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      // There is no shared memory.
    }
  }

  /** One of a provider. */
  public static FabricAddress free(String provider) {
    return free(provider, 1);
  }

  /** One of a provider, whose next ports are free, too: so many together. */
  public static FabricAddress free(String provider, int ports) {
    return FabricAddress.parse(
        provider.equals("shm")
            ? "fabric:shm:" + PREFIX + NAMES.incrementAndGet()
            : "fabric:%s:127.0.0.1:%d".formatted(provider, FreePorts.inARow(ports)));
  }
}
