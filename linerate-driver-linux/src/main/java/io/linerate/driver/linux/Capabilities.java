package io.linerate.driver.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What this process may do: the effective set of capabilities(7), as {@code /proc/self/status}
 * shows it.
 */
public final class Capabilities {
  /** One capability, by its bit in linux/capability.h. */
  public enum Capability {
    CAP_NET_ADMIN(12),
    CAP_NET_RAW(13),
    CAP_SYS_ADMIN(21),
    CAP_BPF(39);

    private final int bit;

    Capability(int bit) {
      this.bit = bit;
    }
  }

  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String EFFECTIVE = "CapEff:";

  private final long effective;

  private Capabilities(long effective) {
    this.effective = effective;
  }

  /** Those of this process; none when the kernel does not say. */
  public static Capabilities read() {
    try {
      for (String line : Files.readAllLines(STATUS)) {
        if (line.startsWith(EFFECTIVE)) {
          return new Capabilities(
              Long.parseUnsignedLong(line.substring(EFFECTIVE.length()).strip(), 16));
        }
      }
    } catch (IOException e) {
      // No /proc: nothing is known.
    }
    return new Capabilities(0);
  }

  public boolean has(Capability capability) {
    return (effective >>> capability.bit & 1) != 0;
  }
}
