package io.linerate.fabric.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** Which host this is, and which PID namespace: two processes of both know each other by number. */
public final class Boot {
  private Boot() {}

  /**
   * A number that all processes of this boot and PID namespace have, and others have not; 0 where
   * it cannot be told.
   */
  public static long id() {
    try {
      UUID boot =
          UUID.fromString(Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip());
      String namespace = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
      return boot.getMostSignificantBits()
          ^ boot.getLeastSignificantBits()
          ^ namespace.hashCode() * 0x9E37_79B9_7F4A_7C15L;
    } catch (IOException | IllegalArgumentException e) {
      return 0;
    }
  }
}
