package io.linerate.fabric.host;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A file or link of an endpoint of shm, which nobody but this user can have made or can change:
 * every user may put files into /dev/shm, and the provider takes all of them for what they say that
 * they are.
 *
 * @param isLink whether it is a link, by which an endpoint is addressed
 */
record SharedFile(Path path, boolean isLink) {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final int TYPE = 0170000;
  private static final int REGULAR = 0100000;
  private static final int LINK = 0120000;
  private static final int OTHERS_WRITE = 0022;

  /**
   * What is at a path; null if nothing is.
   *
   * @throws IOException if it is another user's, others may change it, or it is neither a file nor
   *     a link: it is not opened then, since a FIFO would hold up who does
   */
  static @Nullable SharedFile find(Path path) throws IOException {
    Map<String, Object> status;
    try {
      status = Files.readAttributes(path, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      return null;
    }
    int user = number(status, "uid");
    int mode = number(status, "mode");
    boolean isLink = (mode & TYPE) == LINK;
    boolean isChangedByOthers = !isLink && (mode & OTHERS_WRITE) != 0;
    if (user != ownUser() || isChangedByOthers || (!isLink && (mode & TYPE) != REGULAR)) {
      throw new IOException(
          "not an endpoint of this user: file=%s, user=%d, own=%d, mode=%o"
              .formatted(path, user, ownUser(), mode));
    }
    return new SharedFile(path, isLink);
  }

  /** Whether this user alone has something at a path. */
  static boolean isOwn(Path path) {
    try {
      return find(path) != null;
    } catch (IOException e) {
      return false;
    }
  }

  /** Opens it for reading: nothing else than what was found. */
  FileChannel open() throws IOException {
    return FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
  }

  private static int number(Map<String, Object> status, String name) {
    return status.get(name) instanceof Integer number ? number : -1;
  }

  /** The one by whom files are made: not the owner of /proc/self, which may be root's. */
  private static int ownUser() throws IOException {
    for (String line : Files.readAllLines(STATUS)) {
      if (line.startsWith("Uid:")) {
        return Integer.parseUnsignedInt(line.split("\\s+", -1)[2]); // The effective one.
      }
    }
    throw new IOException("no user: file=" + STATUS);
  }
}
