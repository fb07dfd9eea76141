package io.linerate.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Two interfaces of the kernel with a cable between them, without addresses of their own, so that
 * the kernel itself sends nothing.
 */
public final class VethPair implements AutoCloseable {
  private final String near;

  private VethPair(String near) {
    this.near = near;
  }

  /**
   * Makes a pair, or skips the test where that cannot be done.
   *
   * @param near a name of at most 15 letters that no other process uses
   * @param options more words for {@code ip link add NEAR}, such as {@code numrxqueues 2}
   */
  public static VethPair make(String near, String far, String... options) {
    List<String> words = new ArrayList<>(List.of("link", "add", near));
    words.addAll(List.of(options));
    words.addAll(List.of("type", "veth", "peer", "name", far));
    words.addAll(List.of(options));
    assumeTrue(ip(words), "cannot make a veth pair: needs root and iproute2");
    for (String name : List.of(near, far)) {
      ip(List.of("link", "set", name, "addrgenmode", "none"));
      ip(List.of("link", "set", name, "mtu", "9000"));
      ip(List.of("link", "set", name, "up"));
    }
    return new VethPair(near);
  }

  /** Runs {@code ip} with these words, and says whether it did what they say. */
  public static boolean ip(List<String> words) {
    List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(words);
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (IOException e) {
      return false;
    }
  }

  /** Runs {@code ip} with these words, which must do what they say. */
  public void run(String... words) {
    if (!ip(List.of(words))) {
      throw new UncheckedIOException(new IOException("ip failed: " + String.join(" ", words)));
    }
  }

  /** Removes both. */
  @Override
  public void close() {
    ip(List.of("link", "del", near));
  }
}
