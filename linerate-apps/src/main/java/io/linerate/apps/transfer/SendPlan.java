package io.linerate.apps.transfer;

import io.linerate.program.run.TerminalText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What is to be sent, and what has become of it: workers ask it for work, and tell it what the
 * receiver answers, which may be anything. Any thread.
 */
final class SendPlan {
  /** Files that the receiver has open at once. */
  private static final int MOST_OPEN = 256;

  /** Files that are opened before others are sent. */
  private static final int MOST_READY = 16;

  private static final long ASK_AGAIN_NS = 2_000_000_000L;
  private static final long LOOK_NS = 100_000_000L;

  /** Asked so often, what the receiver lacks is not on its way any more. */
  private static final int LOST_AFTER = 4;

  /** Of a file: a receiver that starts again, or disks that err, are not at it so often. */
  private static final int MOST_SETBACKS = 100;

  private static final int MOST_PROBLEMS = 20;

  /** Something that a worker does. */
  sealed interface Work permits Opening, Sending, Ending {}

  /** The receiver is asked what it has of a file. */
  record Opening(SentFile file) implements Work {}

  /** An extent of a file is sent, of so many bytes. */
  record Sending(SentFile file, int extent, long handle, Content content, int bytes)
      implements Work {}

  /** The receiver is told how long a file was that came by a pipe. */
  record Ending(SentFile file, long handle, long size) implements Work {}

  /** By which the receiver knows all workers of this one sender. */
  final long transfer = ThreadLocalRandom.current().nextLong();

  private final List<SentFile> files;
  private final long patienceNs;
  private final Map<Long, SentFile> open = new LinkedHashMap<>();

  /** By all that the receiver has called them, since answers may overtake each other. */
  private final Map<Long, SentFile> byHandle = new HashMap<>();

  private final Deque<Work> work = new ArrayDeque<>();
  private final Deque<SentFile> ready = new ArrayDeque<>();
  private final List<String> problems = new ArrayList<>();
  private final int fileCount;
  private final long totalBytes;
  private int next;
  private int over;
  private int done;
  private int failed;
  private int there;
  private long arrivedBytes;
  private long bytesThere;

  /** Sent of extents that have not arrived. */
  private long partBytes;

  private long problemCount;
  private long lookNs;
  private long heardNs;
  private boolean isByeTaken;
  private boolean isGivenUp;

  /** Why it was given up; null: it was not, or the link says why. */
  private @Nullable String unanswered;

  /**
   * @param patience how long a receiver that does not answer, or is busy, is waited for
   */
  SendPlan(List<SentFile> files, Duration patience) {
    this.files = List.copyOf(files);
    patienceNs = patience.toNanos();
    fileCount = (int) files.stream().filter(file -> !file.isDirectory).count();
    totalBytes = files.stream().mapToLong(file -> Math.max(0, file.size)).sum();
  }

  /** Something to do; null: not now. */
  synchronized @Nullable Work next(long nowNs) {
    heardNs = heardNs == 0 ? nowNs : heardNs;
    Work queued = work.poll();
    if (queued != null) {
      return queued;
    }
    if (ready.size() < MOST_READY && open.size() < MOST_OPEN && next < files.size()) {
      SentFile file = files.get(next++);
      open.put(file.number, file);
      file.state = SentFile.State.OPENING;
      file.newsNs = nowNs;
      return opening(file, nowNs);
    }
    if (nowNs - lookNs >= LOOK_NS) {
      Work again = askAgain(nowNs);
      if (again != null) {
        return again;
      }
    }
    return nextSending();
  }

  private @Nullable Work nextSending() {
    for (SentFile file = ready.peek(); file != null; file = ready.peek()) {
      Content content = file.content;
      int extent = file.state == SentFile.State.SENDING ? file.nextExtent() : -1;
      if (content != null && extent >= 0) {
        file.given.set(extent);
        file.current.set(extent);
        int bytes =
            content instanceof PipeContent pipe ? pipe.bytes(extent) : file.extentBytes(extent);
        return new Sending(file, extent, file.handle, content, bytes);
      }
      file.isReady = false;
      ready.remove();
    }
    return null;
  }

  private @Nullable Work askAgain(long nowNs) {
    for (SentFile file : List.copyOf(open.values())) {
      boolean isWaiting =
          file.state == SentFile.State.OPENING || (isAllGiven(file) && file.current.isEmpty());
      long waitNs = ASK_AGAIN_NS << Math.min(file.asked, 3);
      if (!isWaiting) {
        file.newsNs = nowNs;
      } else if (nowNs - Math.max(file.newsNs, heardNs) >= patienceNs) {
        giveUp(
            "receiver does not answer: file=%s; see whether linerate receive of this version runs there"
                .formatted(file.name));
        return null;
      } else if (nowNs - file.askedNs >= waitNs) {
        return opening(file, nowNs);
      }
    }
    lookNs = nowNs;
    return null;
  }

  private static boolean isAllGiven(SentFile file) {
    return file.isOfKnownSize() && file.given.nextClearBit(0) >= file.extents();
  }

  private static Work opening(SentFile file, long nowNs) {
    file.askedNs = nowNs;
    file.asked++;
    return new Opening(file);
  }

  private void ready(SentFile file) {
    if (!file.isReady && file.nextExtent() >= 0) {
      file.isReady = true;
      ready.add(file);
    }
  }

  /** An extent was sent as a whole, or is not sent any more. */
  synchronized void sent(Sending sending, long nowNs) {
    sending.file.current.clear(sending.extent);
    sending.file.askedNs = nowNs;
    sending.file.newsNs = nowNs;
  }

  /** So many bytes more of an extent were sent. */
  synchronized void sentPart(Sending sending, int bytes) {
    if (isCurrent(sending)) {
      sending.file.parts.merge(sending.extent, bytes, Integer::sum);
      partBytes += bytes;
    }
  }

  private void forgetPart(SentFile file, int extent) {
    Integer bytes = file.parts.remove(extent);
    partBytes -= bytes == null ? 0 : bytes;
  }

  private void forgetParts(SentFile file) {
    List.copyOf(file.parts.keySet()).forEach(extent -> forgetPart(file, extent));
  }

  private static void news(SentFile file, long nowNs) {
    file.newsNs = nowNs;
    file.askedNs = nowNs;
    file.asked = 0;
  }

  /** What is not done is left. */
  private void giveUp(String why) {
    if (!isGivenUp) {
      isGivenUp = true;
      unanswered = why;
    }
  }

  /** Whether nothing is left to be done. */
  synchronized boolean isOver() {
    return isGivenUp || (next == files.size() && open.isEmpty());
  }

  /** Whether the caller is to say that all is over: one is. */
  synchronized boolean takeBye() {
    boolean isMine = !isByeTaken && isOver();
    isByeTaken |= isMine;
    return isMine;
  }

  // --- what the receiver answers ---

  /** It answers, whatever. */
  synchronized void heard(long nowNs) {
    heardNs = nowNs;
  }

  /** It wants a file, but for extents that it has. */
  synchronized void wanted(long number, long handle, BitSet has, long nowNs) {
    SentFile file = open.get(number);
    if (file == null || (file.handle != handle && byHandle.containsKey(handle))) {
      return;
    }
    if (file.state == SentFile.State.SENDING && file.handle == handle) {
      again(file, has, nowNs);
      return;
    }
    boolean isFirst = file.handle == 0 && file.setbacks == 0;
    if (!isFirst && isSetBack(file)) {
      return;
    }
    news(file, nowNs);
    file.handle = handle;
    byHandle.put(handle, file);
    file.state = SentFile.State.SENDING;
    arrivedBytes -= file.arrivedBytes;
    file.arrivedBytes = 0;
    forgetParts(file);
    file.arrived.clear();
    file.given.clear();
    file.current.clear();
    if (file.isDirectory || !isOpened(file)) {
      return;
    }
    if (file.content instanceof PipeContent) {
      giveExtents(file);
      return;
    }
    for (int extent = has.nextSetBit(0);
        extent >= 0 && extent < file.extents();
        extent = has.nextSetBit(extent + 1)) {
      bytesThere += isFirst ? file.extentBytes(extent) : 0;
      file.given.set(extent);
      arrived(file, extent);
    }
    ready(file);
  }

  private boolean isOpened(SentFile file) {
    try {
      if (file.content == null) {
        file.content = new FileContent(file.path);
      }
      return true;
    } catch (IOException e) {
      fail(file, "cannot be read: file=%s, error=%s".formatted(file.path, e));
      return false;
    }
  }

  /** It was asked once more: answers may have been lost, and so may have been what was sent. */
  private void again(SentFile file, BitSet has, long nowNs) {
    int before = file.arrived.cardinality();
    for (int extent = has.nextSetBit(0); extent >= 0; extent = has.nextSetBit(extent + 1)) {
      if (!file.given.get(extent)) {
        break;
      }
      arrived(file, extent);
    }
    boolean isLost = file.asked >= LOST_AFTER && isAllGiven(file) && file.current.isEmpty();
    if (file.arrived.cardinality() > before) {
      news(file, nowNs);
    } else if (isLost && !isSetBack(file)) {
      news(file, nowNs);
      forgetParts(file);
      file.given.clear();
      file.given.or(file.arrived);
      ready(file);
      if (file.content instanceof PipeContent) {
        work.add(new Ending(file, file.handle, file.size));
      }
    }
  }

  /** Something has to be sent again; true if that has been so too often: the file has failed. */
  private boolean isSetBack(SentFile file) {
    file.setbacks++;
    if (file.setbacks > MOST_SETBACKS) {
      fail(
          file,
          "receiver wants it again and again: file=%s, times=%d; see what it says"
              .formatted(file.name, file.setbacks));
    }
    return file.isOver();
  }

  /** Extents of a pipe that have been read meanwhile. */
  synchronized void giveExtents(SentFile file) {
    if (file.state != SentFile.State.SENDING || !(file.content instanceof PipeContent pipe)) {
      return;
    }
    IOException failure = pipe.failure();
    if (failure != null) {
      fail(file, "cannot be read: file=%s, error=%s".formatted(file.path, failure));
      return;
    }
    if (pipe.extents() > TransferWire.MOST_PIPE_EXTENTS) {
      fail(file, "pipe is too long: file=%s, most=8 TiB; send a file".formatted(file.name));
      return;
    }
    ready(file);
    if (pipe.hasEnded() && !file.isOfKnownSize()) {
      file.size = pipe.size();
      work.add(new Ending(file, file.handle, file.size));
    }
  }

  /** It has a file already, as it is. */
  synchronized void there(long number) {
    SentFile file = open.get(number);
    if (file != null && !file.isOver()) {
      end(file, file.state == SentFile.State.OPENING && file.setbacks == 0);
    }
  }

  /** It does not take a file. */
  synchronized void refused(long number, String why) {
    SentFile file = open.get(number);
    if (file != null && !file.isOver()) {
      fail(file, "receiver does not take a file: file=%s, why=%s".formatted(file.name, why));
    }
  }

  /** It does not take a file now: it is asked again. */
  synchronized void busy(long number, String why, long nowNs) {
    SentFile file = open.get(number);
    if (file != null && file.state == SentFile.State.OPENING) {
      file.asked = 0;
      if (nowNs - file.newsNs >= patienceNs - 2 * ASK_AGAIN_NS) {
        refused(number, why);
      }
    }
  }

  /** It has an extent, or what it has got is not what was sent. */
  synchronized void extent(long handle, int extent, boolean isGood, long nowNs) {
    SentFile file = byHandle.get(handle);
    boolean isOfNow = file != null && file.handle == handle && !file.isOver();
    if (file == null || !isOfNow || extent < 0 || !file.given.get(extent)) {
      return;
    }
    news(file, nowNs);
    if (isGood) {
      arrived(file, extent);
    } else if (!file.arrived.get(extent) && !isSetBack(file)) {
      file.given.clear(extent);
      forgetPart(file, extent);
      ready(file);
    }
  }

  private void arrived(SentFile file, int extent) {
    if (!file.arrived.get(extent) && (!file.isOfKnownSize() || extent < file.extents())) {
      file.arrived.set(extent);
      forgetPart(file, extent);
      int bytes = file.isOfKnownSize() ? file.extentBytes(extent) : file.extentSize;
      file.arrivedBytes += bytes;
      arrivedBytes += bytes;
      Content content = file.content;
      if (content != null) {
        content.arrived(extent);
      }
    }
  }

  /** It has a file as a whole, or has given it up. */
  synchronized void file(long handle, boolean isGood, String why) {
    SentFile file = byHandle.get(handle);
    if (file == null || file.isOver()) {
      return;
    }
    if (isGood && file.isOfKnownSize()) {
      end(file, false);
    } else if (isGood) {
      fail(
          file,
          "receiver has a file as a whole before it has ended: file=%s; see who else sends to it, and use --key"
              .formatted(file.name));
    } else {
      fail(file, "receiver has not kept a file: file=%s, why=%s".formatted(file.name, why));
    }
  }

  /** It knows nothing of a file: it has begun anew. */
  synchronized void unknown(long handle) {
    SentFile file = byHandle.get(handle);
    boolean isOfNow = file != null && file.handle == handle && file.state == SentFile.State.SENDING;
    if (file == null || !isOfNow || isSetBack(file)) {
      return;
    }
    if (file.content instanceof PipeContent) {
      fail(
          file,
          "receiver has begun anew, and a pipe cannot: file=%s; send it again"
              .formatted(file.name));
      return;
    }
    file.state = SentFile.State.OPENING;
    file.askedNs = 0;
    file.asked = 0;
    work.add(new Opening(file));
  }

  /** Whether an extent is still to be sent: not once the receiver has it, or has begun anew. */
  synchronized boolean isCurrent(Sending sending) {
    SentFile file = sending.file;
    return file.handle == sending.handle
        && file.state == SentFile.State.SENDING
        && !file.arrived.get(sending.extent);
  }

  // --- ends ---

  private void end(SentFile file, boolean wasThere) {
    file.state = SentFile.State.DONE;
    if (wasThere && !file.isDirectory) {
      there++;
      bytesThere += Math.max(0, file.size);
    } else {
      done += file.isDirectory ? 0 : 1;
    }
    long rest = Math.max(0, file.size) - file.arrivedBytes;
    arrivedBytes += rest;
    file.arrivedBytes += rest;
    if (file.content instanceof FileContent) {
      requireUnchanged(file);
    }
    forget(file);
  }

  /** The receiver has what was read; whether that is one state of the file, nobody knows. */
  private void requireUnchanged(SentFile file) {
    try {
      BasicFileAttributes now =
          Files.readAttributes(file.path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (now.size() != file.size
          || now.lastModifiedTime().to(TimeUnit.NANOSECONDS) != file.modifiedNs) {
        problem("file has changed while it was sent: file=%s; send it again".formatted(file.path));
      }
    } catch (IOException e) {
      // It was removed: what was sent is what it was.
    }
  }

  /** A file cannot be sent; others can. */
  synchronized void fail(SentFile file, String why) {
    if (!file.isOver()) {
      file.state = SentFile.State.FAILED;
      failed += file.isDirectory ? 0 : 1;
      problem(why);
      forget(file);
    }
  }

  /** Something is wrong that ends nothing. */
  synchronized void problem(String what) {
    problemCount++;
    if (problems.size() < MOST_PROBLEMS) {
      problems.add(TerminalText.of(what));
    }
  }

  private void forget(SentFile file) {
    over++;
    forgetParts(file);
    open.remove(file.number);
    if (file.setbacks == 0) {
      byHandle.remove(file.handle);
    } else {
      byHandle.values().removeIf(one -> one.number == file.number);
    }
    Content content = file.content;
    file.content = null;
    if (content != null) {
      try {
        content.close();
      } catch (IOException e) {
        problem("cannot be closed: file=%s, error=%s".formatted(file.path, e));
      }
    }
  }

  // --- numbers ---

  /** The link has failed: that nobody answers follows from it, and is not said as well. */
  synchronized void linkHasFailed() {
    unanswered = null;
  }

  /** What is not over is left: the program ends. */
  synchronized List<String> problems() {
    List<String> all = new ArrayList<>(problems);
    if (problemCount > problems.size()) {
      all.add("and %d more".formatted(problemCount - problems.size()));
    }
    if (unanswered != null) {
      all.add(unanswered);
    }
    if (over < files.size()) {
      all.add(
          "not all was sent: files=%d, left=%d; send again, which goes on where this has ended"
              .formatted(fileCount, fileCount - done - there - failed));
    }
    return all;
  }

  synchronized Optional<SentFile> find(long number) {
    return Optional.ofNullable(open.get(number));
  }

  /** Directories are none. */
  int files() {
    return fileCount;
  }

  /** Files that were sent, and that the receiver has. */
  synchronized int done() {
    return done;
  }

  synchronized int failed() {
    return failed;
  }

  /** Files that the receiver had. */
  synchronized int there() {
    return there;
  }

  long totalBytes() {
    return totalBytes;
  }

  /** Bytes that the receiver has, without those that it had. */
  synchronized long sentBytes() {
    return Math.max(0, arrivedBytes - bytesThere);
  }

  /** Bytes that the receiver had: of whole files, and of parts. */
  synchronized long bytesThere() {
    return bytesThere;
  }

  /** Bytes that have not been sent. */
  synchronized long leftBytes() {
    return Math.max(0, totalBytes - arrivedBytes - partBytes);
  }

  /** As {@link #sentBytes}, with what is on its way. */
  synchronized long movedBytes() {
    return Math.max(0, arrivedBytes - bytesThere + partBytes);
  }
}
