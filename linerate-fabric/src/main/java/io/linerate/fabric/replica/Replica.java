package io.linerate.fabric.replica;

import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.FabricError;
import io.linerate.fabric.FabricException;
import io.linerate.fabric.MemoryRegion;
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
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The first side: tables whose records are copied to a standby, if there is one, by a thread of its
 * own. One standby at a time; others are refused, and may ask again.
 */
public final class Replica implements AutoCloseable {
  private static final int MOST_NOTE_BYTES = 1_024;
  private static final Duration PAUSE = Duration.ofMillis(1);
  static final ChannelSettings SETTINGS =
      ChannelSettings.DEFAULT.window(8).messageBytes(ReplicaMessage.BYTES);

  private final FabricAddress address;
  private final ReplicaLayout layout;
  private final byte[] note;
  private final Consumer<String> log;
  private final CompletableFuture<List<ReplicaTable>> opened = new CompletableFuture<>();
  private final Thread thread;
  private volatile boolean isStopped;
  private volatile boolean isInStep;

  // Of the thread.
  private final List<Channel> asking = new ArrayList<>();
  private @Nullable Channel standby;
  private @Nullable ReplicaCopy copy;

  private Replica(FabricAddress address, ReplicaLayout layout, byte[] note, Consumer<String> log) {
    this.address = address;
    this.layout = layout;
    this.note = note.clone();
    this.log = log;
    thread = Thread.ofPlatform().daemon().name("replica").unstarted(this::run);
  }

  /**
   * Opens it, unless somebody else has the address.
   *
   * @param address where standbys come
   * @param note what a standby is told that has all: at most 1,024 bytes
   * @param log is told when a standby comes and goes
   * @return empty if the address is taken: by whoever is first
   * @throws FabricException if it cannot be opened for another reason
   */
  public static Optional<Replica> open(
      FabricAddress address, ReplicaLayout layout, byte[] note, Consumer<String> log) {
    if (note.length > MOST_NOTE_BYTES) {
      throw new FabricException(
          "a note to standbys is too long: length=%d, limit=%d"
              .formatted(note.length, MOST_NOTE_BYTES));
    }
    Replica replica = new Replica(address, layout, note, log);
    replica.thread.start();
    try {
      replica.opened.join();
      return Optional.of(replica);
    } catch (java.util.concurrent.CompletionException e) {
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
   * @param number 0 to {@link ReplicaLayout#tables} - 1
   */
  public ReplicaTable table(int number) {
    return opened.join().get(number);
  }

  /** Whether a standby has all that there is, and is told what changes. */
  public boolean isInStep() {
    return isInStep;
  }

  // ---- its thread ----

  private void run() {
    try (ChannelHost host = ChannelHost.open(address, SETTINGS)) {
      host.listen();
      MemorySegment memory = layout.allocate(host.domain().arena());
      MemoryRegion region = host.domain().register(memory);
      List<ReplicaTable> tables =
          IntStream.range(0, layout.tables())
              .mapToObj(number -> new ReplicaTable(layout, memory, number))
              .toList();
      opened.complete(tables);
      while (!isStopped) {
        boolean hasWorked = host.poll() > 0;
        host.accept().ifPresent(asking::add);
        asking.removeIf(channel -> isAnswered(channel, host, region, tables));
        hasWorked |= copy();
        if (!hasWorked) {
          host.await(PAUSE);
        }
      }
    } catch (RuntimeException | Error e) { // Whoever waits for it would wait for good.
      if (!opened.completeExceptionally(e)) {
        log.accept("no standby any more: address=%s, cause=%s".formatted(address, e.getMessage()));
        opened.join().forEach(ReplicaTable::stop); // Nobody takes what its thread writes.
      }
    }
    isInStep = false;
  }

  private boolean isAnswered(
      Channel channel, ChannelHost host, MemoryRegion region, List<ReplicaTable> tables) {
    Incoming message = channel.receive();
    if (message == null) {
      boolean isGone =
          channel.state() == Channel.State.FAILED || channel.state() == Channel.State.ENDED;
      if (isGone) {
        channel.close();
      }
      return isGone;
    }
    int kind = ReplicaMessage.REFUSED;
    String refusal = null;
    MemorySegment asked = message.memory().asSlice(0, message.length());
    try {
      refusal = refusal(asked);
      Channel other = standby;
      if (refusal == null && other != null) {
        kind = ReplicaMessage.BUSY;
        refusal = "there is a standby: " + other.peer();
      } else if (refusal == null) {
        RemoteRegion theirs = ReplicaMessage.region(asked);
        copy = new ReplicaCopy(layout, tables, host.domain(), region, channel, theirs, note);
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
    if (ReplicaMessage.kind(asked) != ReplicaMessage.ASK) {
      return "not a standby's question: length=" + asked.byteSize();
    }
    ReplicaLayout theirs = ReplicaMessage.layout(asked);
    if (!theirs.equals(layout)) {
      return "the standby is not set as the first is: first=%s, standby=%s; give both the same"
          .formatted(layout, theirs);
    }
    return null;
  }

  private static void refuse(Channel channel, int kind, String why) {
    if (channel.state() == Channel.State.OPEN) {
      Outgoing answer = channel.claim();
      if (answer != null) {
        byte[] text = why.getBytes(StandardCharsets.UTF_8);
        answer.send(ReplicaMessage.write(answer.memory(), kind, text));
      }
    }
    channel.close();
  }

  private boolean copy() {
    ReplicaCopy current = copy;
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
    copy = null;
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
    opened.getNow(List.of()).forEach(ReplicaTable::stop);
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
