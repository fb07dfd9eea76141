package io.linerate.fabric.replication;

import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.FabricException;
import io.linerate.fabric.channel.ChannelSettings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The side that works: tables whose records are copied to a standby, if there is one, by a thread
 * of its own. One standby at a time; others are refused, and may ask again.
 */
public final class Primary implements AutoCloseable {
  private static final int MOST_NOTE_BYTES = 1_024;
  private static final Duration PAUSE = Duration.ofMillis(100);
  static final ChannelSettings SETTINGS =
      ChannelSettings.DEFAULT.window(8).messageBytes(ReplicationMessage.BYTES);

  private final FabricAddress address;
  private final TableLayout layout;
  private final byte[] note;
  private final Consumer<String> log;
  private final Runnable lost;
  private final CompletableFuture<List<ReplicatedTable>> opened = new CompletableFuture<>();
  private final Thread thread;
  private volatile boolean isStopped;
  private volatile boolean isInStep;
  private volatile @Nullable String failure;

  private Primary(
      FabricAddress address, TableLayout layout, byte[] note, Consumer<String> log, Runnable lost) {
    this.address = address;
    this.layout = layout;
    this.note = note.clone();
    this.log = log;
    this.lost = lost;
    thread = Thread.ofPlatform().daemon().name("replication").unstarted(this::run);
  }

  /**
   * Opens it, unless somebody else has the address.
   *
   * @param address where standbys come
   * @param note what a standby is told that has all: at most 1,024 bytes
   * @param log is told when a standby comes and goes
   * @param lost is called, on its thread, if it no longer has the address: another one may be the
   *     primary, so that this program has to end
   * @return empty if the address is taken: by whoever is the primary
   * @throws FabricException if it cannot be opened for another reason: {@link
   *     FabricException#isAddressElsewhere} if the address is none of this host's
   */
  public static Optional<Primary> open(
      FabricAddress address, TableLayout layout, byte[] note, Consumer<String> log, Runnable lost) {
    if (note.length > MOST_NOTE_BYTES) {
      throw new FabricException(
          "a note to standbys is too long: length=%d, limit=%d; leave something out"
              .formatted(note.length, MOST_NOTE_BYTES));
    }
    Primary primary = new Primary(address, layout, note, log, lost);
    primary.thread.start();
    try {
      primary.opened.join();
      return Optional.of(primary);
    } catch (CompletionException e) {
      if (e.getCause() instanceof FabricException cause) {
        if (cause.isAddressUnavailable() && !cause.isAddressElsewhere()) {
          return Optional.empty();
        }
        throw cause;
      }
      throw e;
    }
  }

  /**
   * A table, for the thread that writes it.
   *
   * @param number 0 to {@link TableLayout#tables} - 1
   */
  public ReplicatedTable table(int number) {
    return opened.join().get(number);
  }

  /** Whether a standby has all that there is, and is told what changes. */
  public boolean isInStep() {
    return isInStep;
  }

  /**
   * Why nothing can be copied any more, to no standby: a failure of this side; empty while there is
   * none. Any thread may ask.
   */
  public Optional<String> failure() {
    return Optional.ofNullable(failure);
  }

  // ---- its thread ----

  private void run() {
    try (Arena arena = Arena.ofShared();
        PrimaryHost host = new PrimaryHost(address, layout, note, log)) {
      MemorySegment memory = layout.allocate(arena);
      List<ReplicatedTable> tables =
          IntStream.range(0, layout.tables())
              .mapToObj(number -> new ReplicatedTable(layout, memory, number))
              .toList();
      opened.complete(tables);
      try {
        while (!isStopped) {
          serve(host, memory, tables);
        }
      } catch (Error e) { // Whoever else came to the address would work beside this program.
        fail(e);
        while (!isStopped) {
          LockSupport.parkNanos(PAUSE.toNanos());
        }
      }
    } catch (RuntimeException | Error e) { // Whoever waits for it would wait for good.
      if (!opened.completeExceptionally(e) && !isStopped) {
        fail(e);
        lost.run();
      }
    }
    isInStep = false;
  }

  private void serve(PrimaryHost host, MemorySegment memory, List<ReplicatedTable> tables) {
    String why;
    try {
      why = host.work(memory, tables);
    } catch (RuntimeException e) { // By one peer: nobody else is to pay for it.
      why = e.toString();
    }
    if (why != null) {
      isInStep = false;
      host.openAnew(why);
    }
    isInStep = host.isInStep();
  }

  private void fail(Throwable e) {
    opened.join().forEach(ReplicatedTable::stop); // Nobody takes what its thread writes.
    isInStep = false;
    String why =
        "nothing is copied to a standby any more: address=%s, cause=%s; start this program again"
            .formatted(address, e);
    failure = why;
    log.accept(why);
  }

  @Override
  public void close() {
    isStopped = true;
    LockSupport.unpark(thread);
    boolean wasInterrupted = Thread.interrupted();
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        wasInterrupted = true;
      }
    }
    opened.getNow(List.of()).forEach(ReplicatedTable::stop);
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
