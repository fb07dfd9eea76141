package io.linerate.driver.dpdk;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.linerate.core.driver.Errno;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * What DPDK and its drivers log, in the program's log, under the name {@code dpdk}: a thread of its
 * own takes it out of a socket, so that who logs, maybe a worker, never waits. DPDK's levels (see
 * {@code rte_log.h}) become Java's. Before an abort, and when the socket is full, messages go to
 * standard error.
 *
 * <p>The environment is opened once in a process, and so is this. When it is closed, or the thread
 * cannot go on, DPDK logs to standard error again: its threads may log at any time. So does a
 * message that the program's log cannot take.
 */
final class EalLog implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dpdk");

  private static final int RTE_LOG_WARNING = 5;
  private static final int RTE_LOG_DEBUG = 8;

  /** No level of DPDK's. */
  private static final int MARK = 0;

  /** The longest piece that stdio passes on at once, BUFSIZ, and the level. */
  private static final int MAX_MESSAGE_BYTES = 8_192 + 1;

  private static final int TIMEOUT_S = 1;

  private final Semaphore marks = new Semaphore(0);
  private final int readFd;
  private final int writeFd;

  private EalLog(int readFd, int writeFd) {
    this.readFd = readFd;
    this.writeFd = writeFd;
  }

  /** Has DPDK log here from now on. */
  static EalLog open() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment fds = arena.allocateFrom(JAVA_INT, -1, -1);
      int result = ShimFunction.LOG_OPEN.call(fds.address());
      if (result < 0) {
        LOG.log(
            Level.WARNING,
            "DPDK logs to standard error only: "
                + DpdkLibrary.error(result)
                + "; close some files");
        return new EalLog(-1, -1);
      }
      EalLog log = new EalLog(fds.getAtIndex(JAVA_INT, 0), fds.getAtIndex(JAVA_INT, 1));
      Thread.ofPlatform().daemon().name("dpdk-log").start(log::read);
      return log;
    }
  }

  private void read() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment message = arena.allocate(MAX_MESSAGE_BYTES);
      StringBuilder line = new StringBuilder();
      int length;
      do {
        length = ShimFunction.LOG_READ.call(readFd, message.address(), MAX_MESSAGE_BYTES);
        if (length > 0) {
          take(message.asSlice(0, length).toArray(JAVA_BYTE), line);
        }
      } while (length > 0 || length == -Errno.EINTR);
    } finally {
      int _ = ShimFunction.LOG_TO_STDERR.call();
    }
  }

  /** One message may be a part of a line, or several. */
  private void take(byte[] message, StringBuilder line) {
    int level = message[0];
    line.append(new String(message, 1, message.length - 1, StandardCharsets.UTF_8));
    int start = 0;
    for (int end = line.indexOf("\n"); end >= 0; end = line.indexOf("\n", start)) {
      log(level, line.substring(start, end));
      start = end + 1;
    }
    line.delete(0, start);
    boolean isTooLong = line.length() >= MAX_MESSAGE_BYTES;
    if (level == MARK || isTooLong) {
      log(level, line.toString());
      line.setLength(0);
    }
    if (level == MARK) {
      marks.release();
    }
  }

  private static void log(int level, String text) {
    if (text.isBlank()) {
      return;
    }
    try {
      LOG.log(level(level), text.strip());
    } catch (Throwable e) { // Whatever a logger does, the next message is read.
      System.err.println("DPDK: " + text.strip() + " (cannot be logged: " + e + ")");
    }
  }

  static Level level(int level) {
    if (level >= RTE_LOG_DEBUG) {
      return Level.DEBUG;
    }
    if (level > RTE_LOG_WARNING || level == MARK) {
      return Level.INFO;
    }
    return level == RTE_LOG_WARNING ? Level.WARNING : Level.ERROR;
  }

  /** Waits until what DPDK has logged before is in the log, or a second has passed. */
  void settle() {
    marks.drainPermits();
    if (writeFd < 0 || ShimFunction.LOG_MARK.call(writeFd) < 0) {
      return;
    }
    try {
      if (!marks.tryAcquire(TIMEOUT_S, TimeUnit.SECONDS)) {
        LOG.log(Level.DEBUG, "DPDK's log is late: waitedS=" + TIMEOUT_S);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Takes what DPDK has logged until now into the log, and has it log to standard error. */
  @Override
  public void close() {
    settle();
    int _ = ShimFunction.LOG_TO_STDERR.call();
  }
}
