package io.linerate.apps.transfer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The directory that what is not whole lies in, below the one that files are put into. It belongs
 * to who runs the program, nobody else may enter it, one program has it at a time, and it is gone
 * when it is empty. Directories are opened below each other, and never by way of a link: whoever
 * replaces one meanwhile gets nothing. Any thread.
 */
final class PartsDirectory implements AutoCloseable {
  static final String NAME = ".linerate-receive";

  /** Ends of the names of files that are not whole, and of what is known of them. */
  static final String PART = ".part";

  static final String JOURNAL = ".journal";

  private static final String LOCK = "lock";
  private static final int ATTEMPTS = 10;
  private static final long MOST_MARK = 1 << 16;
  private static final Set<PosixFilePermission> OWN_FILE =
      PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> OWN_DIRECTORY =
      PosixFilePermissions.fromString("rwx------");

  private final Path path;
  private final SecureDirectoryStream<Path> directory;
  private final FileChannel lock;
  private final Object device;

  private PartsDirectory(Path path, SecureDirectoryStream<Path> directory, FileChannel lock)
      throws IOException {
    this.path = path;
    this.directory = directory;
    this.lock = lock;
    device = device(path);
  }

  /**
   * Opens it, or makes it.
   *
   * @throws IOException if it is not this user's, or another program has it
   */
  static PartsDirectory open(Path into) throws IOException {
    Path path = into.resolve(NAME);
    for (int i = 0; i < ATTEMPTS; i++) {
      try {
        Files.createDirectory(path, PosixFilePermissions.asFileAttribute(OWN_DIRECTORY));
      } catch (FileAlreadyExistsException e) {
        // It is looked at below.
      }
      try {
        Optional<PartsDirectory> locked = locked(path, openBelow(into));
        if (locked.isPresent()) {
          locked.get().removeUseless();
          return locked.get();
        }
      } catch (NoSuchFileException e) {
        // Another program has removed it.
      }
    }
    throw new FileSystemException(path.toString(), null, "somebody else goes on removing it");
  }

  private static SecureDirectoryStream<Path> openBelow(Path into) throws IOException {
    try (SecureDirectoryStream<Path> outer = open(into, "its file system has no safe names")) {
      return step(outer, Path.of(NAME));
    }
  }

  /** Empty: it was removed meanwhile. */
  private static Optional<PartsDirectory> locked(Path path, SecureDirectoryStream<Path> directory)
      throws IOException {
    boolean isKept = false;
    FileChannel channel = null;
    try {
      requireOwn(path, directory);
      channel = open(directory, LOCK);
      if (!isLocked(channel)) {
        throw new FileSystemException(
            path.toString(), null, "another linerate receive puts files there");
      }
      // Whoever had the lock before may have removed the file: is what has the name the one that
      // is open? It is not opened for that, since closing it again would end the lock.
      long mark = new SecureRandom().nextLong(MOST_MARK);
      channel.truncate(0).write(ByteBuffer.allocate(1), mark);
      isKept = size(directory, LOCK) == mark + 1;
      return isKept ? Optional.of(new PartsDirectory(path, directory, channel)) : Optional.empty();
    } finally {
      if (!isKept) {
        directory.close();
        if (channel != null) {
          channel.close();
        }
      }
    }
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      @Nullable FileLock held = channel.tryLock();
      return held != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  /** What others own, or may write into, has traps for those who write there. */
  private static void requireOwn(Path path, SecureDirectoryStream<Path> directory)
      throws IOException {
    PosixFileAttributeView view = directory.getFileAttributeView(PosixFileAttributeView.class);
    Object own = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    Object owner = Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    boolean isOwn =
        own.equals(owner)
            && view.readAttributes()
                .fileKey()
                .equals(
                    Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                        .fileKey());
    if (!isOwn) {
      throw new FileSystemException(path.toString(), null, "it belongs to somebody else");
    }
    view.setPermissions(OWN_DIRECTORY);
  }

  private static Object device(Path path) throws IOException {
    return Files.getAttribute(path, "unix:dev", LinkOption.NOFOLLOW_LINKS);
  }

  /** Whether what is in here can be moved to another directory. */
  boolean isOnDevice(Path other) throws IOException {
    return device.equals(device(other));
  }

  /** A program that was killed leaves parts of which nothing is known. */
  private void removeUseless() throws IOException {
    Set<String> names = names();
    for (String name : names) {
      if (name.endsWith(PART) && !names.contains(name.replace(PART, JOURNAL))) {
        delete(name);
      }
    }
  }

  private Set<String> names() throws IOException {
    Set<String> names = new HashSet<>();
    try (DirectoryStream<Path> all = directory.newDirectoryStream(Path.of("."))) {
      all.forEach(one -> names.add(one.getFileName().toString()));
    }
    return names;
  }

  // --- files in it ---

  /** Opens a file for writing. */
  FileChannel open(String name) throws IOException {
    return open(directory, name);
  }

  private static FileChannel open(SecureDirectoryStream<Path> in, String name) throws IOException {
    Set<OpenOption> options = new HashSet<>();
    options.add(StandardOpenOption.CREATE);
    options.add(StandardOpenOption.WRITE);
    options.add(LinkOption.NOFOLLOW_LINKS);
    return (FileChannel)
        in.newByteChannel(Path.of(name), options, PosixFilePermissions.asFileAttribute(OWN_FILE));
  }

  /** What is in a file, up to a number of bytes; empty if it is not there. */
  byte[] read(String name, int most) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(Math.clamp(size(name), 0, most));
    try (SeekableByteChannel channel =
        directory.newByteChannel(
            Path.of(name), Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
      int _ = channel.read(buffer);
    } catch (NoSuchFileException e) {
      return new byte[0];
    }
    return Arrays.copyOf(buffer.array(), buffer.position());
  }

  /** How long a file is; -1 if it is not there. */
  long size(String name) throws IOException {
    return size(directory, name);
  }

  private static long size(SecureDirectoryStream<Path> in, String name) throws IOException {
    try {
      return in.getFileAttributeView(
              Path.of(name), BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
          .readAttributes()
          .size();
    } catch (NoSuchFileException e) {
      return -1;
    }
  }

  void delete(String name) throws IOException {
    try {
      directory.deleteFile(Path.of(name));
    } catch (NoSuchFileException e) {
      // As it is to be.
    }
  }

  /** Gives a file its time and mode, and its place, in the stead of what is there. */
  void move(String name, FileFacts facts, SecureDirectoryStream<Path> target, Path targetName)
      throws IOException {
    Path file = Path.of(name);
    directory
        .getFileAttributeView(file, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .setTimes(FileTime.from(facts.modifiedNs(), TimeUnit.NANOSECONDS), null, null);
    directory
        .getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .setPermissions(facts.permissions());
    directory.move(file, target, targetName);
  }

  // --- directories in general ---

  /** Opens a directory that was named by the user. */
  @SuppressWarnings("StreamResourceLeak") // It is what is returned.
  static SecureDirectoryStream<Path> open(Path path, String problem) throws IOException {
    DirectoryStream<Path> stream = Files.newDirectoryStream(path);
    if (stream instanceof SecureDirectoryStream<Path> secure) {
      return secure;
    }
    stream.close();
    throw new FileSystemException(path.toString(), null, problem);
  }

  /** Opens a directory in another one, if it is no link. */
  static SecureDirectoryStream<Path> step(SecureDirectoryStream<Path> outer, Path name)
      throws IOException {
    try {
      return outer.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      throw e;
    } catch (IOException e) {
      String why = e instanceof FileSystemException file ? file.getReason() : e.getMessage();
      throw new FileSystemException(
          name.toString(), null, "%s: name=%s".formatted(why == null ? "no directory" : why, name));
    }
  }

  /** Removes it, if nothing is in it that waits for the rest. */
  @Override
  public void close() throws IOException {
    try (directory;
        lock) {
      boolean isEmpty = names().equals(Set.of(LOCK));
      delete(LOCK);
      if (isEmpty) {
        Files.deleteIfExists(path);
      }
    }
  }
}
