package io.linerate.apps.transfer;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is to be sent, and what has become of it: workers ask it for work, and tell it what the
 * receiver answers. Any thread.
 */
final class SendPlan {
  /** Files that the receiver has open at once. */
  private static final int MOST_OPEN = 64;

  private static final long ASK_AGAIN_NS = 2_000_000_000L;
  private static final int MOST_PROBLEMS = 20;

  /** Something that a worker does. */
  sealed interface Work permits Opening, Sending, Ending {}

  /** The receiver is asked what it has of a file. */
  record Opening(SentFile file) implements Work {}

  /** An extent of a file is sent. */
  record Sending(SentFile file, int extent, long handle) implements Work {}

  /** The receiver is told how long a file was that came by a pipe. */
  record Ending(SentFile file, long handle) implements Work {}

  private final List<SentFile> files;
  private final Map<Long, SentFile> open = new HashMap<>();
  private final Map<Long, SentFile> byHandle = new HashMap<>();
  private final Deque<Work> work = new ArrayDeque<>();
  private final List<String> problems = new ArrayList<>();
  private final long totalBytes;
  private int next;
  private int done;
  private int failed;
  private int skipped;
  private long arrivedBytes;
  private long skippedBytes;
  private long problemCount;
  private boolean isByeTaken;

  SendPlan(List<SentFile> files) {
    this.files = List.copyOf(files);
    totalBytes = files.stream().mapToLong(file -> Math.max(0, file.size)).sum();
  }

  /** Something to do; null: not now. */
  synchronized @Nullable Work next(long nowNs) {
    Work queued = work.poll();
    if (queued != null) {
      return queued;
    }
    if (open.size() < MOST_OPEN && next < files.size()) {
      SentFile file = files.get(next++);
      open.put(file.number, file);
      return opening(file, nowNs);
    }
    for (SentFile file : open.values()) {
      boolean isWaiting = file.state == SentFile.State.OPENING || isAllGiven(file);
      long waitNs = ASK_AGAIN_NS << Math.min(file.asked, 3);
      if (isWaiting && nowNs - file.askedNs >= waitNs) {
        return opening(file, nowNs);
      }
    }
    return null;
  }

  private static boolean isAllGiven(SentFile file) {
    return file.isOfKnownSize() && file.given.cardinality() == file.extents();
  }

  private static Work opening(SentFile file, long nowNs) {
    if (file.state == SentFile.State.WAITING) {
      file.state = SentFile.State.OPENING;
    }
    file.askedNs = nowNs;
    file.asked++;
    return new Opening(file);
  }

  /** Whether nothing is left to be done. */
  synchronized boolean isOver() {
    return next == files.size() && open.isEmpty();
  }

  /** Whether the caller is to say that all is over: one is. */
  synchronized boolean takeBye() {
    boolean isMine = !isByeTaken && isOver();
    isByeTaken |= isMine;
    return isMine;
  }

  /** A worker cannot do its work now: it is done later. */
  synchronized void back(Work undone) {
    work.addFirst(undone);
  }

  // --- what the receiver answers ---

  /** It wants a file, but for extents that it has. */
  synchronized void wanted(long number, long handle, BitSet has, long nowNs) {
    SentFile file = open.get(number);
    if (file == null || file.isOver()) {
      return;
    }
    file.askedNs = nowNs;
    if (file.state == SentFile.State.SENDING && file.handle == handle) {
      for (int extent = has.nextSetBit(0); extent >= 0; extent = has.nextSetBit(extent + 1)) {
        arrived(file, extent);
      }
      return;
    }
    byHandle.remove(file.handle);
    file.handle = handle;
    byHandle.put(handle, file);
    file.state = SentFile.State.SENDING;
    arrivedBytes -= file.arrivedBytes;
    file.arrivedBytes = 0;
    file.arrived.clear();
    file.given.clear();
    if (file.isDirectory) {
      return;
    }
    if (file.content == null) {
      try {
        file.content = new FileContent(file.path);
      } catch (IOException e) {
        fail(file, "cannot be read: file=%s, error=%s".formatted(file.path, e));
        return;
      }
    }
    if (!file.isOfKnownSize()) {
      giveExtents(file);
      return;
    }
    for (int extent = 0; extent < file.extents(); extent++) {
      if (has.get(extent)) {
        skippedBytes += file.extentBytes(extent);
        arrived(file, extent);
        file.given.set(extent);
      } else {
        file.given.set(extent);
        work.add(new Sending(file, extent, handle));
      }
    }
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
    for (int extent = file.given.length(); extent < pipe.extents(); extent++) {
      file.given.set(extent);
      work.add(new Sending(file, extent, file.handle));
    }
    if (pipe.hasEnded() && !file.isOfKnownSize()) {
      file.size = pipe.size();
      work.add(new Ending(file, file.handle));
    }
  }

  /** It has a file already, as it is. */
  synchronized void there(long number) {
    SentFile file = open.get(number);
    if (file != null && !file.isOver()) {
      if (file.state == SentFile.State.OPENING && !file.isDirectory) {
        skipped++;
        skippedBytes += Math.max(0, file.size);
      }
      end(file);
    }
  }

  /** It does not take a file. */
  synchronized void refused(long number, String why) {
    SentFile file = open.get(number);
    if (file != null && !file.isOver()) {
      fail(file, "receiver does not take a file: file=%s, why=%s".formatted(file.name, why));
    }
  }

  /** It has an extent, or what it has got is not what was sent. */
  synchronized void extent(long handle, int extent, boolean isGood, long nowNs) {
    SentFile file = byHandle.get(handle);
    if (file == null || file.isOver() || extent < 0 || !file.given.get(extent)) {
      return;
    }
    file.askedNs = nowNs;
    if (isGood) {
      arrived(file, extent);
    } else if (!file.arrived.get(extent)) {
      work.add(new Sending(file, extent, handle));
    }
  }

  private void arrived(SentFile file, int extent) {
    if (!file.arrived.get(extent) && (!file.isOfKnownSize() || extent < file.extents())) {
      file.arrived.set(extent);
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
    if (isGood) {
      end(file);
    } else {
      fail(file, "receiver has not kept a file: file=%s, why=%s".formatted(file.name, why));
    }
  }

  /** It knows nothing of a file: it has begun anew. */
  synchronized void unknown(long handle) {
    SentFile file = byHandle.remove(handle);
    if (file != null && !file.isOver()) {
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
      work.removeIf(queued -> queued instanceof Sending sending && sending.file == file);
      work.add(new Opening(file));
    }
  }

  /** Whether an extent is still to be sent: not once the receiver has begun anew. */
  synchronized boolean isCurrent(Sending sending) {
    return sending.file.handle == sending.handle && !sending.file.isOver();
  }

  // --- ends ---

  private void end(SentFile file) {
    file.state = SentFile.State.DONE;
    done++;
    long rest = Math.max(0, file.size) - file.arrivedBytes;
    arrivedBytes += rest;
    file.arrivedBytes += rest;
    forget(file);
  }

  /** A file cannot be sent; others can. */
  synchronized void fail(SentFile file, String why) {
    if (!file.isOver()) {
      file.state = SentFile.State.FAILED;
      failed++;
      problem(why);
      forget(file);
    }
  }

  /** Something is wrong that ends nothing. */
  synchronized void problem(String what) {
    problemCount++;
    if (problems.size() < MOST_PROBLEMS) {
      problems.add(what);
    }
  }

  private void forget(SentFile file) {
    open.remove(file.number);
    byHandle.remove(file.handle);
    work.removeIf(queued -> queued instanceof Sending sending && sending.file == file);
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

  /** Every file that is not done counts as failed: the program ends. */
  synchronized List<String> problems() {
    List<String> all = new ArrayList<>(problems);
    if (problemCount > problems.size()) {
      all.add("and %d more".formatted(problemCount - problems.size()));
    }
    int left = files.size() - done - failed;
    if (left > 0) {
      all.add(
          "not all was sent: files=%d, left=%d; send again, which goes on where this has ended"
              .formatted(files.size(), left));
    }
    return all;
  }

  synchronized Optional<SentFile> find(long number) {
    return Optional.ofNullable(open.get(number));
  }

  int files() {
    return files.size();
  }

  synchronized int done() {
    return done;
  }

  synchronized int failed() {
    return failed;
  }

  synchronized int skipped() {
    return skipped;
  }

  long totalBytes() {
    return totalBytes;
  }

  synchronized long arrivedBytes() {
    return arrivedBytes;
  }

  synchronized long skippedBytes() {
    return skippedBytes;
  }
}
