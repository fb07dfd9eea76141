package io.linerate.bench.linux;

import io.linerate.bench.suite.SkipException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Two veth pairs of one contestant: frames that are sent to {@link #source} arrive at {@link #in},
 * and the kernel drops what is sent to {@link #out}.
 */
final class Cables implements AutoCloseable {
  private final String prefix;

  /** Makes the interfaces, and switches them on. */
  Cables(int number) {
    prefix = "lb" + ProcessHandle.current().pid() + "c" + number;
    try {
      join(in(), source());
      join(out(), prefix + "s");
    } catch (SkipException e) {
      close();
      throw e;
    }
  }

  String source() {
    return prefix + "f";
  }

  String in() {
    return prefix + "i";
  }

  String out() {
    return prefix + "o";
  }

  private static void join(String near, String far) {
    if (!ip("link", "add", near, "type", "veth", "peer", "name", far)) {
      throw new SkipException("cannot make a veth pair: needs root and iproute2");
    }
    for (String name : List.of(near, far)) {
      // Without addresses of its own the kernel sends nothing.
      ip("link", "set", name, "addrgenmode", "none");
      ip("link", "set", name, "up");
    }
  }

  private static boolean ip(String... arguments) {
    List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(List.of(arguments));
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run ip", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() {
    ip("link", "del", in());
    ip("link", "del", out());
  }
}
