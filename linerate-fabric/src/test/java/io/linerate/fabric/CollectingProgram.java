package io.linerate.fabric;

import io.linerate.fabric.host.MappedRegion;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Injects an array into an endpoint of shm whose lock somebody has, and collects meanwhile. */
final class CollectingProgram {
  private CollectingProgram() {}

  public static void main(String[] arguments) throws IOException {
    Commands commands = new Commands();
    try (Link link = Link.open("shm", DomainOptions.DEFAULT)) {
      MemorySegment array = MemorySegment.ofArray(new long[] {1, 2, 3});
      Link.until(() -> { // The peers have met then, and all of it is bound.
        link.progress();
        return link.toRight().inject(array);
      });
      Path file = file(((OpenEndpoint) link.rightEndpoint).name());
      lock(file, 0);
      Thread.ofPlatform().daemon().start(() -> collect(commands, file));
      Commands.say("locked");
      boolean _ = link.toRight().inject(array);
      Commands.say("injected");
    }
    Commands.say("closed");
  }

  private static void collect(Commands commands, Path file) {
    while (commands.isEmpty()) {
      LockSupport.parkNanos(1_000_000);
    }
    List<String> _ = commands.take();
    System.gc();
    Commands.say("collected");
    try {
      lock(file, MappedRegion.FREE);
    } catch (IOException e) {
      Commands.say("failed", e);
    }
  }

  private static Path file(byte[] name) {
    return Path.of(
        "/dev/shm", new String(name, StandardCharsets.ISO_8859_1).split("//|\\x00", -1)[1]);
  }

  private static void lock(Path file, int value) throws IOException {
    try (FileChannel open = FileChannel.open(file, StandardOpenOption.WRITE)) {
      ByteBuffer word = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
      int _ = open.write(word.putInt(value).flip(), MappedRegion.LOCK);
    }
  }
}
