package io.linerate.fabric;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What another program is told, line by line; it ends with the one that tells it. */
public final class Commands {
  private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();

  public Commands() {
    Thread.ofPlatform().daemon().name("commands").start(this::read);
  }

  private void read() {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        lines.add(line);
      }
    } catch (IOException e) {
      System.out.println("failed " + e);
    }
    Runtime.getRuntime().halt(3);
  }

  /** Whether there is none now. */
  public boolean isEmpty() {
    return lines.isEmpty();
  }

  /** The words of the next one. */
  public List<String> take() {
    return List.of(Objects.requireNonNull(lines.poll()).split(" ", -1));
  }

  /** Where to listen: what the program was started with, or else what it is told first. */
  public FabricAddress address(String... arguments) {
    if (arguments.length > 0) {
      return FabricAddress.parse(arguments[0]);
    }
    String _ = Fabric.problem(); // Loads the library meanwhile.
    while (isEmpty()) {
      LockSupport.parkNanos(1_000_000);
    }
    return FabricAddress.parse(take().getLast());
  }

  /** Says a line to who tells. */
  public static void say(Object... words) {
    System.out.println(Stream.of(words).map(String::valueOf).collect(Collectors.joining(" ")));
    System.out.flush();
  }
}
