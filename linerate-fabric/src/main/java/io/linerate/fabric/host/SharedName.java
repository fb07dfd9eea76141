package io.linerate.fabric.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the provider shm knows an endpoint by: a file below /dev/shm, which is there as long as the
 * endpoint is, or longer where its process was killed.
 *
 * <p>The provider never forgets a name, and takes memory that is gone for that of an endpoint whose
 * name comes again, in whatever process. So each endpoint has a name of its own, {@code
 * NAME~PID~STARTED~NUMBER}, and NAME, by which it is addressed, is a link to it. Programs without
 * Linerate have endpoints without links: they are found by their names as they are.
 *
 * @param text the name of the file
 */
public record SharedName(String text) {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");
  private static final Pattern OWN = Pattern.compile("[^~]+~(\\d{1,9})~(\\d{1,18})~\\d{1,18}");

  /** An endpoint's own file, or one of a long message of it, which the provider numbers. */
  private static final Pattern LEFT = Pattern.compile("(" + OWN.pattern() + ")(?:_\\d+)?");

  private static final int ATTEMPTS = 10;

  /** Where the file has the number of its process: behind version, reserve and flags. */
  private static final int PID_OFFSET = 4;

  /**
   * Takes a name for an endpoint of this process, also one that a killed process has left.
   *
   * @param number sets it apart from others of this process
   * @return what the endpoint is to be called; null if another one has the name
   * @throws IOException if the name cannot be taken
   */
  public static @Nullable SharedName claim(String name, long number) throws IOException {
    PeerProcess own = PeerProcess.own();
    SharedName made =
        new SharedName("%s~%d~%d~%d".formatted(name, own.pid(), own.started(), number));
    deleteOrphans(name);
    for (int i = 0; i < ATTEMPTS; i++) {
      try {
        Files.createSymbolicLink(SHARED_MEMORY.resolve(name), Path.of(made.text));
        return made;
      } catch (FileAlreadyExistsException e) {
        if (find(name) != null) {
          return null;
        }
        deleteLeft(name);
      }
    }
    return null;
  }

  /**
   * Endpoints under a name whose processes have ended, and the memory of their long messages: also
   * those that no link leads to, since a process can be killed between making or deleting the two.
   */
  private static void deleteOrphans(String name) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(SHARED_MEMORY, name + "~*")) {
      for (Path file : files) {
        Matcher left = LEFT.matcher(file.getFileName().toString());
        if (left.matches()) {
          PeerProcess process = new SharedName(left.group(1)).process();
          if (process != null && !process.isAlive()) {
            Files.deleteIfExists(file);
          }
        }
      }
    }
  }

  /** What a killed process has left under a name, but no file of anything else. */
  private static void deleteLeft(String name) throws IOException {
    Path path = SHARED_MEMORY.resolve(name);
    SharedName target = target(name);
    if (target == null && Files.exists(path, LinkOption.NOFOLLOW_LINKS) && pidOf(path) <= 0) {
      throw new IOException("not an endpoint of shm: file=" + path);
    }
    if (target != null && target.text.startsWith(name + "~")) {
      Files.deleteIfExists(target.path());
    }
    Files.deleteIfExists(path);
  }

  /** Gives the name back. */
  public void release() {
    String name = text.substring(0, text.indexOf('~'));
    try {
      if (equals(target(name))) {
        Files.deleteIfExists(SHARED_MEMORY.resolve(name));
      }
    } catch (IOException e) {
      // It stays, and is known to be nobody's when this process has ended.
    }
  }

  /** The endpoint that has a name now; null if there is none whose process is alive. */
  public static @Nullable SharedName find(String name) {
    SharedName target = target(name);
    SharedName found =
        target == null && Files.isRegularFile(SHARED_MEMORY.resolve(name))
            ? new SharedName(name)
            : target;
    PeerProcess process = found == null ? null : found.process();
    return process != null && process.isAlive() ? found : null;
  }

  private static @Nullable SharedName target(String name) {
    try {
      return new SharedName(
          Files.readSymbolicLink(SHARED_MEMORY.resolve(name)).getFileName().toString());
    } catch (IOException | UnsupportedOperationException e) {
      return null; // No link: there is nothing, or a file.
    }
  }

  private Path path() {
    return SHARED_MEMORY.resolve(text);
  }

  /** Whether the file is there. */
  public boolean isThere() {
    return Files.exists(path(), LinkOption.NOFOLLOW_LINKS);
  }

  /** Whose endpoint it is; null where it cannot be told. */
  public @Nullable PeerProcess process() {
    PeerProcess named = processOf(text);
    if (named != null) {
      return named;
    }
    int pid = pidOf(path());
    return pid > 0 ? PeerProcess.of(pid) : null;
  }

  /** Whose endpoint it is that has a name; null where the name does not tell. */
  static @Nullable PeerProcess processOf(String name) {
    Matcher own = OWN.matcher(name);
    return own.matches()
        ? new PeerProcess(Integer.parseInt(own.group(1)), Long.parseLong(own.group(2)))
        : null;
  }

  private static int pidOf(Path region) {
    try (FileChannel file = FileChannel.open(region, StandardOpenOption.READ)) {
      ByteBuffer head = ByteBuffer.allocate(PID_OFFSET + Integer.BYTES);
      head.order(ByteOrder.nativeOrder());
      while (head.hasRemaining() && file.read(head) > 0) {
        // Until the head is whole.
      }
      return head.hasRemaining() ? 0 : head.getInt(PID_OFFSET);
    } catch (IOException e) {
      return 0;
    }
  }
}
