package io.linerate.fabric.replication;

import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.FabricError;
import io.linerate.fabric.FabricException;
import io.linerate.fabric.RemoteRegion;
import io.linerate.fabric.channel.Channel;
import io.linerate.fabric.channel.ChannelHost;
import io.linerate.fabric.channel.ChannelSettings;
import io.linerate.fabric.channel.Incoming;
import io.linerate.fabric.channel.Outgoing;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The side that works: tables whose records are copied to a standby, if there is one, by a thread
 * of its own. One standby at a time; others are refused, and may ask again.
 */
public final class Primary implements AutoCloseable {
  private static final int MOST_NOTE_BYTES = 1_024;
  private static final Duration PAUSE = Duration.ofMillis(1);
  static final ChannelSettings SETTINGS =
      ChannelSettings.DEFAULT.window(8).messageBytes(ReplicationMessage.BYTES);

  private final FabricAddress address;
  private final TableLayout layout;
  private final byte[] note;
  private final Consumer<String> log;
  private final CompletableFuture<List<ReplicatedTable>> opened = new CompletableFuture<>();
  private final Thread thread;
  private volatile boolean isStopped;
  private volatile boolean isInStep;
  private volatile @Nullable String failure;

  // Of the thread.
  private final List<Asking> asking = new ArrayList<>();
  private @Nullable Channel standby;
  private @Nullable StandbySender sender;

  /** Who has connected and not asked yet. */
  private record Asking(Channel channel, long sinceNs) {}

  private Primary(FabricAddress address, TableLayout layout, byte[] note, Consumer<String> log) {
    this.address = address;
    this.layout = layout;
    this.note = note.clone();
    this.log = log;
    thread = Thread.ofPlatform().daemon().name("replication").unstarted(this::run);
  }

  /**
   * Opens it, unless somebody else has the address.
   *
   * @param address where standbys come
   * @param note what a standby is told that has all: at most 1,024 bytes
   * @param log is told when a standby comes and goes
   * @return empty if the address is taken: by whoever is the primary
   * @throws FabricException if it cannot be opened for another reason
   */
  public static Optional<Primary> open(
      FabricAddress address, TableLayout layout, byte[] note, Consumer<String> log) {
    if (note.length > MOST_NOTE_BYTES) {
      throw new FabricException(
          "a note to standbys is too long: length=%d, limit=%d; leave something out"
              .formatted(note.length, MOST_NOTE_BYTES));
    }
    Primary primary = new Primary(address, layout, note, log);
    primary.thread.start();
    try {
      primary.opened.join();
      return Optional.of(primary);
    } catch (CompletionException e) {
      if (e.getCause() instanceof FabricException cause) {
        if (cause.isAddressUnavailable()) {
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
    try (ChannelHost host = ChannelHost.open(address, SETTINGS)) {
      host.listen();
      MemorySegment memory = layout.allocate(host.domain().arena());
      List<ReplicatedTable> tables =
          IntStream.range(0, layout.tables())
              .mapToObj(number -> new ReplicatedTable(layout, memory, number))
              .toList();
      opened.complete(tables);
      while (!isStopped) {
        boolean hasWorked = host.poll() > 0;
        host.accept().ifPresent(channel -> asking.add(new Asking(channel, System.nanoTime())));
        asking.removeIf(each -> answer(each, host, memory, tables));
        hasWorked |= copy();
        if (!hasWorked) {
          host.await(PAUSE);
        }
      }
    } catch (RuntimeException | Error e) { // Whoever waits for it would wait for good.
      if (!opened.completeExceptionally(e)) {
        opened.join().forEach(ReplicatedTable::stop); // Nobody takes what its thread writes.
        String why =
            "nothing is copied to a standby any more: address=%s, cause=%s; start this program again"
                .formatted(address, e);
        failure = why;
        log.accept(why);
      }
    }
    isInStep = false;
  }

  /** Answers who asks; whether that is done, or nothing is to be waited for. */
  private boolean answer(
      Asking who, ChannelHost host, MemorySegment memory, List<ReplicatedTable> tables) {
    Channel channel = who.channel;
    Incoming message = channel.receive();
    if (message == null) {
      boolean isGone =
          channel.state() == Channel.State.FAILED || channel.state() == Channel.State.ENDED;
      boolean isSilent = System.nanoTime() - who.sinceNs > SETTINGS.lostAfter().toNanos();
      if (isGone || isSilent) { // Others want its channel.
        channel.close();
      }
      return isGone || isSilent;
    }
    int kind = ReplicationMessage.REFUSED;
    String refusal = null;
    MemorySegment asked = message.memory().asSlice(0, message.length());
    try {
      refusal = refusal(asked);
      Channel other = standby;
      if (refusal == null && other != null) {
        kind = ReplicationMessage.BUSY;
        refusal = "there is a standby: " + other.peer();
      } else if (refusal == null) {
        RemoteRegion theirs = ReplicationMessage.region(asked);
        sender = new StandbySender(layout, tables, memory, host.domain(), channel, theirs, note);
        standby = channel;
        log.accept("a standby has come: " + channel.peer());
      }
    } catch (RuntimeException e) {
      refusal = String.valueOf(e.getMessage());
    }
    message.release();
    if (refusal != null) {
      refuse(channel, kind, refusal);
    }
    return true;
  }

  private @Nullable String refusal(MemorySegment asked) {
    if (ReplicationMessage.kind(asked) != ReplicationMessage.ASK) {
      return "not a standby's question: length=%d; use the same release on both sides"
          .formatted(asked.byteSize());
    }
    TableLayout theirs = ReplicationMessage.layout(asked);
    if (!theirs.equals(layout)) {
      return "the standby is not set as the primary is: primary=%s, standby=%s; give both the same"
          .formatted(layout, theirs);
    }
    RemoteRegion region = ReplicationMessage.region(asked);
    if (region.length() < layout.bytes()) {
      return "the standby's memory is too short: length=%d, expected=%d; use the same release on both sides"
          .formatted(region.length(), layout.bytes());
    }
    return null;
  }

  private static void refuse(Channel channel, int kind, String why) {
    if (channel.state() == Channel.State.OPEN) {
      Outgoing answer = channel.claim();
      if (answer != null) {
        byte[] text = why.getBytes(StandardCharsets.UTF_8);
        answer.send(ReplicationMessage.write(answer.memory(), kind, text));
      }
    }
    channel.close();
  }

  private boolean copy() {
    StandbySender current = sender;
    Channel channel = standby;
    if (current == null || channel == null) {
      return false;
    }
    FabricError error = current.error();
    if (error == null && channel.state() == Channel.State.OPEN) {
      boolean hasWorked = current.work();
      isInStep = current.isInStep();
      return hasWorked;
    }
    log.accept(
        "the standby has gone: %s, cause=%s"
            .formatted(channel.peer(), error == null ? "it has ended" : error));
    isInStep = false;
    sender = null;
    standby = null;
    channel.close();
    current.free();
    return true;
  }

  @Override
  public void close() {
    isStopped = true;
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
