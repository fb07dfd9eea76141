package io.linerate.fabric.replication;

import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.FabricError;
import io.linerate.fabric.FabricException;
import io.linerate.fabric.ProviderInfo;
import io.linerate.fabric.RemoteRegion;
import io.linerate.fabric.channel.Channel;
import io.linerate.fabric.channel.ChannelHost;
import io.linerate.fabric.channel.Incoming;
import io.linerate.fabric.channel.Outgoing;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a primary has open at its address: those who ask, and its standby. Of one thread. */
final class PrimaryHost implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(1);

  /** As often a message of a peer may throw while the host is being closed. */
  private static final int CLOSINGS = 8;

  /** Opening anew is told no more often. */
  private static final long TOLD_NS = 10_000_000_000L;

  /** What shm calls an endpoint: name, process, its start, number. */
  private static final Pattern SHARED_PEER = Pattern.compile("fi_shm://([^~]+)~(\\d+)~.*");

  private final FabricAddress address;
  private final TableLayout layout;
  private final byte[] note;
  private final Consumer<String> log;
  private final List<Asking> asking = new ArrayList<>();
  private ChannelHost host;
  private @Nullable Channel standby;
  private @Nullable StandbySender sender;
  private @Nullable String shortage;
  private long toldNs = System.nanoTime() - TOLD_NS;

  /** Who has connected and not asked yet. */
  private record Asking(Channel channel, long sinceNs) {}

  PrimaryHost(FabricAddress address, TableLayout layout, byte[] note, Consumer<String> log) {
    this.address = address;
    this.layout = layout;
    this.note = note;
    this.log = log;
    host = open(address);
  }

  private static ChannelHost open(FabricAddress address) {
    ChannelHost opened = ChannelHost.open(address, Primary.SETTINGS);
    try {
      requireOrder(opened.domain().provider());
      return opened.listen();
    } catch (RuntimeException | Error e) {
      opened.close();
      throw e;
    }
  }

  /**
   * A slot is written again, and what changes behind the whole: the later one has to be what stays.
   * shm promises it of operations, and nothing of their bytes (max_order_waw_size is 0): of writes
   * that it copies, as these, it ends each before the next.
   */
  static void requireOrder(ProviderInfo provider) {
    if (!provider.ordersWrites()) {
      throw new FabricException(
          "the provider does not write remote memory in order: provider=%s, missing=FI_ORDER_RMA_WAW; use another, such as tcp"
              .formatted(provider.name()));
    }
  }

  /**
   * Answers who asks, and sends what is new to the standby; waits a moment if there is nothing.
   *
   * @return why it has to be opened anew; null if it has not
   */
  @Nullable String work(MemorySegment memory, List<ReplicatedTable> tables) {
    boolean hasWorked = host.poll() > 0;
    host.accept().ifPresent(channel -> asking.add(new Asking(channel, System.nanoTime())));
    asking.removeIf(each -> answer(each, memory, tables));
    if (shortage != null) {
      return shortage;
    }
    StandbySender current = sender;
    Channel channel = standby;
    if (current != null && channel != null) {
      FabricError error = current.error();
      if (error != null || channel.state() != Channel.State.OPEN) {
        boolean isUnanswered = current.isUnanswered();
        drop(current, channel, error);
        return isUnanswered ? "writes to a standby were not answered: " + error : null;
      }
      hasWorked |= current.work();
    }
    if (!hasWorked) {
      host.await(PAUSE);
    }
    return null;
  }

  boolean isInStep() {
    StandbySender current = sender;
    return current != null && current.isInStep();
  }

  private void drop(StandbySender current, Channel channel, @Nullable FabricError error) {
    sender = null;
    standby = null;
    String who = readable(channel);
    channel.close();
    current.free();
    log.accept(
        "the standby has gone: %s, cause=%s"
            .formatted(who, error == null ? "it has ended" : error));
  }

  /** Answers who asks; whether that is done, or nothing is to be waited for. */
  private boolean answer(Asking who, MemorySegment memory, List<ReplicatedTable> tables) {
    Channel channel = who.channel;
    Incoming message = channel.receive();
    if (message == null) {
      boolean isGone =
          channel.state() == Channel.State.FAILED || channel.state() == Channel.State.ENDED;
      boolean isSilent = System.nanoTime() - who.sinceNs > Primary.SETTINGS.lostAfter().toNanos();
      if (isGone || isSilent) { // Others want its channel.
        channel.close();
      }
      return isGone || isSilent;
    }
    int kind = ReplicationMessage.REFUSED;
    String refusal = null;
    MemorySegment asked = message.memory().asSlice(0, message.length());
    try {
      refusal = refusal(channel, asked);
      Channel other = standby;
      if (refusal == null && other != null) {
        kind = ReplicationMessage.BUSY;
        refusal = "there is a standby: " + readable(other);
      } else if (refusal == null) {
        RemoteRegion theirs = ReplicationMessage.region(asked);
        sender = sender(memory, tables, channel, theirs);
        standby = channel;
        log.accept("a standby has come: " + readable(channel));
      }
    } catch (RuntimeException e) {
      kind = shortage == null ? kind : ReplicationMessage.BUSY;
      refusal = String.valueOf(e.getMessage());
    }
    message.release();
    if (refusal != null) {
      refuse(channel, kind, refusal);
    }
    return true;
  }

  private StandbySender sender(
      MemorySegment memory, List<ReplicatedTable> tables, Channel channel, RemoteRegion theirs) {
    try {
      return new StandbySender(layout, tables, memory, host.domain(), channel, theirs, note);
    } catch (FabricException e) { // shm keeps writes to those who were killed.
      shortage = e.getMessage();
      throw e;
    }
  }

  private @Nullable String refusal(Channel channel, MemorySegment asked) {
    if (channel.messageBytes() < ReplicationMessage.BYTES) {
      return "messages of the standby are too short: messageBytes=%d, expected=%d; use the same release on both sides"
          .formatted(channel.messageBytes(), ReplicationMessage.BYTES);
    }
    if (ReplicationMessage.kind(asked) != ReplicationMessage.ASK) {
      return "not a standby's question: length=%d; use the same release on both sides"
          .formatted(asked.byteSize());
    }
    TableLayout theirs = ReplicationMessage.layout(asked);
    if (!theirs.equals(layout)) {
      return "the standby is not set as the primary is: %s; give both the same"
          .formatted(layout.differences("primary", theirs, "standby"));
    }
    RemoteRegion region = ReplicationMessage.region(asked);
    if (region.length() < layout.bytes()) {
      return "the standby's memory is too short: length=%d, expected=%d; use the same release on both sides"
          .formatted(region.length(), layout.bytes());
    }
    return null;
  }

  private static void refuse(Channel channel, int kind, String why) {
    boolean hasRoom = channel.messageBytes() >= ReplicationMessage.HEAD_BYTES;
    if (channel.state() == Channel.State.OPEN && hasRoom) {
      Outgoing answer = channel.claim();
      if (answer != null) {
        MemorySegment memory = answer.memory().asSlice(0, channel.messageBytes());
        byte[] text = why.getBytes(StandardCharsets.UTF_8);
        answer.send(ReplicationMessage.write(memory, kind, text));
      }
    }
    channel.close();
  }

  private static String readable(Channel channel) {
    return SHARED_PEER.matcher(channel.peer()).replaceFirst("fabric:shm:$1 from process $2");
  }

  /**
   * Closes it, and opens it at the same address: standbys have to ask again.
   *
   * @throws RuntimeException if the address is somebody else's now
   */
  void openAnew(String why) {
    Channel there = standby;
    if (there != null) { // Otherwise it would take the end of its channel for that of the primary.
      try {
        refuse(there, ReplicationMessage.BUSY, "the primary opens its address anew");
      } catch (RuntimeException e) {
        // It may be the one that has thrown before.
      }
    }
    close();
    asking.clear();
    standby = null;
    sender = null;
    shortage = null;
    if (System.nanoTime() - toldNs >= TOLD_NS) {
      toldNs = System.nanoTime();
      log.accept(
          "opens its address anew, where standbys ask again: address=%s, cause=%s"
              .formatted(address, why));
    }
    host = open(address);
  }

  @Override
  public void close() {
    for (int i = 1; ; i++) {
      try {
        host.close();
        return;
      } catch (RuntimeException e) { // By a message that has come meanwhile.
        if (i == CLOSINGS) {
          throw e;
        }
      }
    }
  }
}
