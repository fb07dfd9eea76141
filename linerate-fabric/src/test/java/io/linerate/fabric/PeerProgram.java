package io.linerate.fabric;

import io.linerate.fabric.host.MappedRegion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The other end of a link, for tests: a program that does what it is told, until it is killed. */
final class PeerProgram {
  private static final int WINDOW = 16;
  private static final int KNOCKS = 100;

  private final Commands commands;
  private final Station station;
  private @Nullable LinkEnd end;

  private PeerProgram(Commands commands, Station station) {
    this.commands = commands;
    this.station = station;
  }

  /**
   * Does what it is told, until it is told to end.
   *
   * @param arguments the address where it listens, and what its endpoints need beside messages
   */
  public static void main(String[] arguments) {
    Commands commands = new Commands();
    try (Station station = Station.listen(commands.address(arguments), options(arguments))) {
      PeerProgram program = new PeerProgram(commands, station);
      Commands.say("ready");
      while (program.goesOn()) {
        // As it is told.
      }
    }
    Commands.say("closed");
  }

  private static DomainOptions options(String... arguments) {
    return arguments.length < 2
        ? DomainOptions.DEFAULT
        : DomainOptions.DEFAULT.with(
            Capability.MESSAGES,
            Stream.of(arguments).skip(1).map(Capability::valueOf).toArray(Capability[]::new));
  }

  private boolean goesOn() {
    if (commands.isEmpty()) {
      station.idle();
      return true;
    }
    List<String> words = commands.take();
    switch (words.getFirst()) {
      case "accept" -> end = station.accept();
      case "ask" -> end = station.ask(FabricAddress.parse(words.get(1)));
      case "knock" -> {
        LinkEnd asked = station.ask(FabricAddress.parse(words.get(1)));
        Descriptor hello = station.side.domain.descriptor().on(station.side.region(8));
        for (int i = 0; i < KNOCKS && !asked.to().send(hello); i++) {
          station.idle();
        }
      }
      case "connect" -> end = station.connect(FabricAddress.parse(words.get(1)));
      case "echo" -> echo(Integer.parseInt(words.get(1)));
      case "receive" -> stream(Integer.parseInt(words.get(1)), end().endpoint()::receive);
      case "send" -> stream(Integer.parseInt(words.get(1)), end().to()::send);
      case "target" -> say(station.side.region(Long.parseLong(words.get(1)), Access.values()));
      case "write" -> {
        RemoteRegion region = region(words);
        stream((int) region.length(), each -> end().to().write(each, region, 0));
      }
      case "sleep" -> {
        Commands.say("sleep");
        while (commands.isEmpty()) {
          int _ = station.side.queue.await(station.side.completions, Duration.ofSeconds(1));
        }
      }
      case "lock" -> lock(words);
      case "write-slots", "add", "take-turns" -> {
        int number = Integer.parseInt(words.get(1));
        int argument = Integer.parseInt(words.get(2));
        SharedMemoryWork work = new SharedMemoryWork(end(), region(words));
        switch (words.getFirst()) {
          case "write-slots" -> work.write(number, argument);
          case "take-turns" -> work.takeTurns(number + 1, argument);
          default -> {
            Commands.say("result", work.add(argument));
            Commands.say("done");
            return true;
          }
        }
        Commands.say("result");
      }
      case "exchange" -> new Exchange(end()).answer(lengths(words));
      case "flood" -> new Flood(end(), Integer.parseInt(words.get(1))).receive();
      case "links" -> links(Integer.parseInt(words.get(1)), words.get(2), words.get(3));
      case "end" -> {
        return false;
      }
      case "exit" -> {
        Commands.say("closed");
        System.exit(0); // With all that is open.
      }
      default -> throw new IllegalArgumentException(words.toString());
    }
    Commands.say("done");
    return true;
  }

  private LinkEnd end() {
    return Objects.requireNonNull(end);
  }

  private static long[] lengths(List<String> words) {
    return words.stream().skip(1).mapToLong(Long::parseLong).toArray();
  }

  /** Many at once, each with a domain of its own. */
  private static void links(int count, String provider, String remote) {
    List<Station> stations = new ArrayList<>();
    List<LinkEnd> ends = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      stations.add(Station.open(FabricAddresses.free(provider)));
      ends.add(stations.getLast().connect(FabricAddress.parse(remote)));
    }
    new ManyLinks(ends).ask();
    stations.forEach(Station::close);
  }

  /** Returns one message. */
  private void echo(int bytes) {
    Descriptor descriptor = station.side.domain.descriptor();
    descriptor.on(station.side.region(Math.max(1, bytes)), 0, bytes);
    end().complete(descriptor, () -> end().endpoint().receive(descriptor));
    end().complete(descriptor, () -> end().to().send(descriptor));
    descriptor.close();
  }

  /** Does it again and again, until something else is to be done. */
  private void stream(int bytes, Predicate<Descriptor> post) {
    Side side = station.side;
    OperationStream stream = new OperationStream(side, WINDOW, side.region(bytes), post);
    Commands.say("stream");
    while (commands.isEmpty()) {
      stream.post();
      int _ = side.queue.poll(side.completions);
    }
  }

  /**
   * Takes the lock of an endpoint, as it does now and then: until it is told something, or for
   * good; of its own where no other is named.
   */
  private void lock(List<String> words) {
    String name =
        words.size() > 1
            ? words.get(1)
            : new String(station.name(), StandardCharsets.ISO_8859_1).split("//|\\x00", -1)[1];
    Descriptor message = station.side.domain.descriptor().on(station.side.region(1));
    end().complete(message, () -> end().to().send(message)); // For which the peer takes its lock.
    write(name, 0);
    if (words.size() > 2) {
      Commands.say("locked");
      while (commands.isEmpty()) {
        LockSupport.parkNanos(1_000_000);
      }
      List<String> _ = commands.take();
      write(name, MappedRegion.FREE);
    } else if (words.size() == 1) {
      Commands.say("done");
      LockSupport.park(); // It cannot go on itself.
    }
  }

  private static void write(String name, int value) {
    try (FileChannel file = FileChannel.open(Path.of("/dev/shm", name), StandardOpenOption.WRITE)) {
      ByteBuffer word = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
      file.write(word.putInt(value).flip(), MappedRegion.LOCK);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void say(MemoryRegion region) {
    RemoteRegion there = region.publish();
    Commands.say("region", text(there));
  }

  /** A region as a word. */
  static String text(RemoteRegion region) {
    byte[] bytes = new byte[RemoteRegion.BYTES];
    region.write(MemorySegment.ofArray(bytes), 0);
    return HexFormat.of().formatHex(bytes);
  }

  /** The region that the last word is. */
  static RemoteRegion region(List<String> words) {
    return RemoteRegion.read(MemorySegment.ofArray(HexFormat.of().parseHex(words.getLast())), 0);
  }
}
