package io.linerate.apps.transfer;

import io.linerate.core.config.ConfigException;
import io.linerate.program.run.TerminalText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * All files that are being received, by whatever worker. Nothing that a sender says leads out of
 * the directory that they are put into. Any thread.
 */
final class Incoming {
  /** What extents may take that have come in part, of all files. */
  static final long MOST_ARRIVING_BYTES = 1 << 26;

  private static final int MOST_OPEN = 1_024;
  private static final int MOST_PROBLEMS = 20;
  private static final int MOST_TRANSFERS = 1_024;

  /** How often it is seen whether senders that are silent keep others out. */
  private static final long RELIEF_NS = 1_000_000_000L;

  /** After which another sender may take a file over. */
  private static final long IDLE_NS = 10_000_000_000L;

  private static final int NAME_BYTES = 16;

  private final Path into;
  private final SecureRandom random = new SecureRandom();
  private final Map<Long, ReceivedFile> byHandle = new ConcurrentHashMap<>();
  private final Map<String, ReceivedFile> byName = new HashMap<>();
  private final List<String> problems = new ArrayList<>();
  private final AtomicLong arrivingBytes = new AtomicLong();
  private final LongAdder bytes = new LongAdder();
  private @Nullable PartsDirectory parts;
  private long problemCount;
  private long files;
  private boolean isOver;
  private long overTransfer;

  /** Transfers that have begun: no other can end the program. */
  private final Set<Long> transfers = new LinkedHashSet<>();

  private volatile long relievedNs;

  /**
   * @param into a directory that is there
   */
  Incoming(Path into) {
    this.into = into;
  }

  /**
   * Takes the directory for itself.
   *
   * @throws ConfigException if another program has it, or it cannot be written
   */
  synchronized void open() {
    try {
      parts = PartsDirectory.open(into);
    } catch (IOException e) {
      throw new ConfigException(
          "directory for what is not whole cannot be had: directory=%s, why=%s; see whose it is, or name another with --into"
              .formatted(into.resolve(PartsDirectory.NAME), text(e)));
    }
  }

  private PartsDirectory parts() throws IOException {
    PartsDirectory open = parts;
    if (open == null) {
      throw new IOException("receiver ends");
    }
    return open;
  }

  /** What is answered to who wants to send a file. */
  sealed interface Answer permits Wanted, There, Refused, Busy {}

  /** It is to be sent, but for what is there. */
  record Wanted(ReceivedFile file) implements Answer {}

  /** It is there already. */
  record There() implements Answer {}

  /** It is not taken. */
  record Refused(String why) implements Answer {}

  /** It is not taken now. */
  record Busy(String why) implements Answer {}

  /** A file is to be sent. */
  synchronized Answer open(FileFacts facts, long transfer, boolean isDirectory, long nowNs) {
    begun(transfer);
    if (isOver && transfer == overTransfer) {
      return new Refused("sender has ended");
    }
    try {
      TargetPath target = TargetPath.of(into, facts.name());
      if (isDirectory) {
        target.makeDirectory(facts);
        return new There();
      }
      ReceivedFile before = byName.get(facts.name());
      if (before != null && before.transfer == transfer && before.facts.equals(facts)) {
        before.use(nowNs);
        return new Wanted(before);
      }
      if (before != null && before.transfer != transfer && nowNs - before.usedNs() < IDLE_NS) {
        return new Busy("another sender sends it");
      }
      if (before != null) {
        letGo(before);
      }
      if (isThere(target, facts)) {
        return new There();
      }
      return makeRoom(nowNs)
          ? begin(facts, transfer, target, nowNs)
          : new Busy("too many files are open");
    } catch (IOException e) {
      return refused(facts, text(e));
    }
  }

  /** A sender has said that it sends something, whether that is taken or not. */
  synchronized void begun(long transfer) {
    if (transfers.add(transfer) && transfers.size() > MOST_TRANSFERS) {
      transfers.remove(transfers.iterator().next());
    }
  }

  /** Its sender can go on later, if there is one. */
  private void letGo(ReceivedFile file) throws IOException {
    forget(file);
    file.close();
  }

  private boolean makeRoom(long nowNs) throws IOException {
    if (byHandle.size() < MOST_OPEN) {
      return true;
    }
    Optional<ReceivedFile> oldest =
        byHandle.values().stream()
            .min(Comparator.comparingLong(ReceivedFile::usedNs))
            .filter(file -> nowNs - file.usedNs() >= IDLE_NS);
    if (oldest.isPresent()) {
      letGo(oldest.get());
    }
    return oldest.isPresent();
  }

  /** Lets go of the file that has come in part, and is silent, if such files leave no memory. */
  void relieve(long nowNs) {
    boolean isDue =
        arrivingBytes.get() > MOST_ARRIVING_BYTES / 2 && nowNs - relievedNs >= RELIEF_NS;
    if (isDue) {
      relievedNs = nowNs;
      letGoOfSilent(nowNs);
    }
  }

  private synchronized void letGoOfSilent(long nowNs) {
    for (ReceivedFile file : List.copyOf(byHandle.values())) {
      if (file.isArriving() && nowNs - file.usedNs() >= IDLE_NS) {
        try {
          letGo(file);
        } catch (IOException e) {
          problem("file cannot be closed: file=%s, why=%s".formatted(file.facts.name(), text(e)));
        }
      }
    }
  }

  private Refused refused(FileFacts facts, String why) {
    problem("file is not taken: file=%s, why=%s".formatted(facts.name(), why));
    return new Refused(why);
  }

  /** As rsync has it: what has the same size and time is the same. */
  private boolean isThere(TargetPath target, FileFacts facts) throws IOException {
    try (SecureDirectoryStream<Path> parent = target.openParent()) {
      Optional<BasicFileAttributes> there = target.file(parent);
      return there.isPresent()
          && there.get().size() == facts.size()
          && there.get().lastModifiedTime().to(TimeUnit.NANOSECONDS) == facts.modifiedNs();
    }
  }

  private Answer begin(FileFacts facts, long transfer, TargetPath target, long nowNs)
      throws IOException {
    if (!parts().isOnDevice(target.parent())) {
      throw new FileSystemException(
          facts.name(), null, "it would be on another file system than --into");
    }
    ReceivedFile file =
        new ReceivedFile(
            random.nextLong(),
            transfer,
            facts,
            parts(),
            partName(facts.name()),
            target,
            arrivingBytes);
    file.use(nowNs);
    byHandle.put(file.handle, file);
    byName.put(facts.name(), file);
    return new Wanted(file);
  }

  /** The same for the same file each time, and as long whatever that is called. */
  private static String partName(String name) {
    byte[] hash = TransferWire.digest().digest(name.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(hash, 0, NAME_BYTES);
  }

  Optional<ReceivedFile> find(long handle) {
    return Optional.ofNullable(byHandle.get(handle));
  }

  /** Gives a file its name if all of it is there. */
  synchronized boolean finish(ReceivedFile file) throws IOException {
    if (!byHandle.containsKey(file.handle) || !file.isWhole()) {
      return false;
    }
    file.finish();
    forget(file);
    files++;
    return true;
  }

  void count(long arrivedBytes) {
    bytes.add(arrivedBytes);
  }

  /**
   * A file cannot be written.
   *
   * @return why; empty: it was let go of before
   */
  synchronized Optional<String> fail(ReceivedFile file, IOException cause) {
    if (!byHandle.containsKey(file.handle)) {
      return Optional.empty();
    }
    String why = text(cause);
    problem("file cannot be written: file=%s, why=%s".formatted(file.facts.name(), why));
    forget(file);
    try {
      file.discard();
    } catch (IOException e) {
      problem("file cannot be removed: file=%s, why=%s".formatted(file.facts.name(), text(e)));
    }
    return Optional.of(why);
  }

  private static String text(IOException e) {
    if (e instanceof DirectoryNotEmptyException) {
      return "a directory has its name";
    }
    String reason = e instanceof FileSystemException file ? file.getReason() : e.getMessage();
    return reason == null ? e.getClass().getSimpleName() : reason;
  }

  private void forget(ReceivedFile file) {
    byHandle.remove(file.handle);
    byName.remove(file.facts.name(), file);
  }

  /** Names are a sender's. */
  private void problem(String what) {
    problemCount++;
    if (problems.size() < MOST_PROBLEMS) {
      problems.add(TerminalText.of(what));
    }
  }

  /** A sender has sent all that it has: what it says of files by other streams is too late. */
  synchronized void over(long transfer) {
    if (!transfers.contains(transfer)) {
      return;
    }
    isOver = true;
    overTransfer = transfer;
    for (ReceivedFile file : List.copyOf(byHandle.values())) {
      if (file.transfer == transfer) {
        try {
          letGo(file);
        } catch (IOException e) {
          problem("file cannot be closed: file=%s, why=%s".formatted(file.facts.name(), text(e)));
        }
      }
    }
  }

  synchronized boolean isOver() {
    return isOver;
  }

  /** Whether a sender has sent all that it has, and no other is at work. */
  synchronized boolean mayEnd(long nowNs) {
    return isOver && byHandle.values().stream().allMatch(file -> nowNs - file.usedNs() >= IDLE_NS);
  }

  /** Closes what is open; what is not whole stays for the next time. */
  synchronized List<String> close() {
    List<String> all = new ArrayList<>(problems);
    if (problemCount > problems.size()) {
      all.add("and %d more".formatted(problemCount - problems.size()));
    }
    int left = byHandle.size();
    for (ReceivedFile file : List.copyOf(byHandle.values())) {
      try {
        letGo(file);
      } catch (IOException e) {
        all.add("file cannot be closed: file=%s, why=%s".formatted(file.facts.name(), text(e)));
      }
    }
    if (left > 0) {
      all.add(
          "files are not whole: files=%d, directory=%s; let them be sent again, which goes on where this has ended"
              .formatted(left, into.resolve(PartsDirectory.NAME)));
    }
    PartsDirectory open = parts;
    parts = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        all.add("directory cannot be closed: directory=%s, why=%s".formatted(into, text(e)));
      }
    }
    return all;
  }

  synchronized long files() {
    return files;
  }

  long bytes() {
    return bytes.sum();
  }
}
