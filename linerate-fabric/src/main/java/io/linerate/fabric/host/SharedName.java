package io.linerate.fabric.host;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

  /**
   * Who reaches a name: by its own process and time, so that nobody takes it again (LocalAddress of
   * package channel).
   */
  private static final Pattern CLIENT = Pattern.compile("(.{1,32})-\\d{1,9}-[0-9a-f]{8,16}");

  private static final int ATTEMPTS = 10;

  /**
   * Numbers that nobody knows before, so that nobody has made the file of an endpoint: of 32 bits,
   * since programs in C may have little room for a name.
   */
  private static final SecureRandom NUMBERS = new SecureRandom();

  private static final int NUMBER_BITS = 32;

  /** All of this process: the provider forgets none. */
  private static final Set<Long> USED = ConcurrentHashMap.newKeySet();

  /**
   * Takes a name for an endpoint of this process, also one that a killed process has left.
   *
   * @return what the endpoint is to be called; null if another one has the name
   * @throws IOException if the name cannot be taken: another user has it, or another file
   */
  public static @Nullable SharedName claim(String name) throws IOException {
    PeerProcess own = PeerProcess.own();
    SharedName made =
        new SharedName("%s~%d~%d~%d".formatted(name, own.pid(), own.started(), nextNumber()));
    deleteOrphans(name);
    deleteClients(name);
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

  private static long nextNumber() {
    long number = NUMBERS.nextLong(1L << NUMBER_BITS);
    return USED.add(number) ? number : nextNumber();
  }

  /**
   * What endpoints have left at a name whose processes have ended, and the memory of their long
   * messages: also where no link leads to it, since a process can be killed between making or
   * deleting the two.
   */
  private static void deleteOrphans(String name) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(SHARED_MEMORY, name + "~*")) {
      for (Path file : files) {
        deleteOrphan(file);
      }
    }
  }

  /** The same of those that have reached a name, or reach the same one as it: no other comes. */
  private static void deleteClients(String name) throws IOException {
    Matcher client = CLIENT.matcher(name);
    String served =
        client.matches() ? client.group(1) : name.substring(0, Math.min(32, name.length()));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(SHARED_MEMORY, served + "-*")) {
      for (Path file : files) {
        String[] own = file.getFileName().toString().split("~", 2);
        Matcher other = CLIENT.matcher(own[0]);
        if (other.matches() && other.group(1).equals(served)) {
          deleteOrphan(file);
        }
      }
    }
  }

  /** Deletes a file or link of an endpoint, if its process has ended. */
  private static void deleteOrphan(Path file) throws IOException {
    String name = file.getFileName().toString();
    SharedName target = target(name);
    String endpoint = target != null && target.text.startsWith(name + "~") ? target.text : name;
    Matcher left = LEFT.matcher(endpoint);
    PeerProcess process = left.matches() ? processOf(left.group(1)) : null;
    boolean isLeft = process != null && !process.isAlive() && SharedFile.isOwn(file);
    if (isLeft && !isAwaited(SHARED_MEMORY.resolve(left.group(1)))) {
      Files.deleteIfExists(file);
    }
  }

  private static boolean isAwaited(Path endpoint) {
    try (FileChannel file = FileChannel.open(endpoint, LinkOption.NOFOLLOW_LINKS)) {
      return RegionForm.isAwaited(file);
    } catch (IOException e) {
      return false; // It is not there.
    }
  }

  /** Deletes what its process has left, which has ended; nothing where the name does not tell. */
  public void deleteLeft() {
    if (processOf(text) == null) {
      return;
    }
    String name = text.substring(0, text.indexOf('~'));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(SHARED_MEMORY, text + "*")) {
      for (Path file : files) {
        deleteOrphan(file);
      }
      if (equals(target(name))) {
        deleteOrphan(SHARED_MEMORY.resolve(name));
      }
    } catch (IOException e) {
      // It stays, until somebody takes the name, or reaches the same one.
    }
  }

  /** What a killed process has left under a name, but no file of anything else. */
  private static void deleteLeft(String name) throws IOException {
    Path path = SHARED_MEMORY.resolve(name);
    SharedFile file = SharedFile.find(path);
    if (file == null) {
      return;
    }
    SharedName target = target(name);
    if (!file.isLink() && pidOf(file) <= 0) {
      throw new IOException("not an endpoint of shm: file=" + path);
    }
    if (target != null && target.text.startsWith(name + "~") && SharedFile.isOwn(target.path())) {
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

  /**
   * The endpoint that has a name now; null if there is none whose process is alive.
   *
   * @throws IOException if another user has the name
   */
  public static @Nullable SharedName find(String name) throws IOException {
    SharedFile file = SharedFile.find(SHARED_MEMORY.resolve(name));
    if (file == null) {
      return null;
    }
    SharedName found = file.isLink() ? target(name) : new SharedName(name);
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

  Path path() {
    return SHARED_MEMORY.resolve(text);
  }

  /** Whether the file is there. */
  public boolean isThere() {
    return Files.exists(path(), LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Whether the endpoint is made, so that a provider can use it.
   *
   * @param isFormKnown whether its memory is laid out as libfabric 1.17 does
   * @throws IOException if it is another user's, or not as it must be: the provider would follow
   *     whatever is in it
   */
  public boolean isMade(boolean isFormKnown) throws IOException {
    SharedFile found = SharedFile.find(path());
    if (found == null) {
      return false;
    }
    if (found.isLink()) {
      throw new IOException("a link in place of an endpoint: file=" + path());
    }
    try (FileChannel file = found.open()) {
      int process = RegionForm.process(file);
      if (process != 0 && (process < 0 || (isFormKnown && !RegionForm.isSound(file)))) {
        throw new IOException(
            "not the memory of an endpoint: file=%s, length=%d".formatted(path(), file.size()));
      }
      return process != 0;
    }
  }

  /** Whose endpoint it is; null where it cannot be told. */
  public @Nullable PeerProcess process() {
    PeerProcess named = processOf(text);
    if (named != null) {
      return named;
    }
    try {
      SharedFile file = SharedFile.find(path());
      int pid = file == null || file.isLink() ? 0 : pidOf(file);
      return pid > 0 ? PeerProcess.of(pid) : null;
    } catch (IOException e) {
      return null; // Another user's, which tells nothing.
    }
  }

  /** Whose endpoint it is that has a name; null where the name does not tell. */
  static @Nullable PeerProcess processOf(String name) {
    Matcher own = OWN.matcher(name);
    return own.matches()
        ? new PeerProcess(Integer.parseInt(own.group(1)), Long.parseLong(own.group(2)))
        : null;
  }

  private static int pidOf(SharedFile region) {
    try (FileChannel file = region.open()) {
      return RegionForm.process(file);
    } catch (IOException e) {
      return 0;
    }
  }
}
