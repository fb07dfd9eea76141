package io.linerate.apps.transfer;

import io.linerate.core.config.ConfigException;
import io.linerate.core.time.TokenBucket;
import io.linerate.program.run.TerminalText;
import java.io.IOException;
import java.lang.System.Logger.Level;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
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

  /** What is said while it runs: so much at once, then one sentence a second. */
  private static final int MOST_SAID = 20;

  private static final double NS_PER_S = 1e9;

  /** How often it is seen whether senders that are silent keep others out. */
  private static final long RELIEF_NS = 1_000_000_000L;

  /** After which another sender may take a file over. */
  private static final long IDLE_NS = 10_000_000_000L;

  private static final int NAME_BYTES = 16;

  private final Path into;
  private final BiConsumer<Level, String> log;
  private final TokenBucket said = new TokenBucket(1, MOST_SAID);
  private final SecureRandom random = new SecureRandom();
  private final Map<Long, ReceivedFile> byHandle = new ConcurrentHashMap<>();
  private final Map<String, ReceivedFile> byName = new HashMap<>();
  private final List<String> problems = new ArrayList<>();
  private final AtomicLong arrivingBytes = new AtomicLong();
  private final LongAdder bytes = new LongAdder();
  private @Nullable PartsDirectory parts;
  private long problemCount;
  private long unsaid;
  private long files;
  private boolean isOver;
  private long overTransfer;

  /** Transfers that have begun, the oldest first: no other can end the program. */
  private final SequencedMap<Long, Transfer> transfers = new LinkedHashMap<>();

  private volatile long relievedNs;

  /** What a sender has brought. */
  static final class Transfer {
    final String peer;
    final long beginNs;
    long files;
    long bytes;
    long there;
    boolean isOver;

    Transfer(String peer, long beginNs) {
      this.peer = peer;
      this.beginNs = beginNs;
    }
  }

  /**
   * @param into a directory that is there
   * @param log hears of senders and of what is wrong when it happens
   */
  Incoming(Path into, BiConsumer<Level, String> log) {
    this.into = into;
    this.log = log;
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
    Transfer sender = begun(transfer, "", nowNs);
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
        sender.there++;
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
  synchronized Transfer begun(long transfer, String peer, long nowNs) {
    Transfer known = transfers.get(transfer);
    if (known != null) {
      return known;
    }
    if (transfers.size() == MOST_TRANSFERS) {
      transfers.pollFirstEntry();
    }
    Transfer sender = new Transfer(peer, nowNs);
    transfers.put(transfer, sender);
    say(Level.INFO, "sender has begun: peer=" + peer);
    return sender;
  }

  /** What is too much at once is counted. */
  private void say(Level level, String what) {
    said.fill(System.nanoTime());
    if (!said.take(1)) {
      unsaid++;
      return;
    }
    String more = unsaid == 0 ? "" : "; %,d more before it were not said".formatted(unsaid);
    unsaid = 0;
    log.accept(level, TerminalText.of(what) + more);
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
    Transfer sender = transfers.get(file.transfer);
    if (sender != null) {
      sender.files++;
      sender.bytes += file.bytes();
    }
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

  static String text(IOException e) {
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
    say(Level.WARNING, what);
    if (problems.size() < MOST_PROBLEMS) {
      problems.add(TerminalText.of(what));
    }
  }

  /** A sender has sent all that it has: what it says of files by other streams is too late. */
  synchronized void over(long transfer, long nowNs) {
    Transfer sender = transfers.get(transfer);
    if (sender == null) {
      return;
    }
    if (!sender.isOver) {
      sender.isOver = true;
      say(
          Level.INFO,
          String.format(
              Locale.ROOT,
              "sender has ended: peer=%s, files=%,d, there=%,d, bytes=%,d, seconds=%.1f",
              sender.peer,
              sender.files,
              sender.there,
              sender.bytes,
              (nowNs - sender.beginNs) / NS_PER_S));
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
