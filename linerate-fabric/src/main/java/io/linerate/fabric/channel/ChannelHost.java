package io.linerate.fabric.channel;

import io.linerate.fabric.CompletionQueue;
import io.linerate.fabric.Completions;
import io.linerate.fabric.Connection;
import io.linerate.fabric.Destination;
import io.linerate.fabric.DomainOptions;
import io.linerate.fabric.EndpointKind;
import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.FabricDomain;
import io.linerate.fabric.FabricError;
import io.linerate.fabric.FabricException;
import io.linerate.fabric.OpenEndpoint;
import io.linerate.fabric.Peer;
import io.linerate.fabric.Receiver;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Channels of one address: it opens them to peers, and takes those that peers open. One thread uses
 * it and its channels, and polls it often: {@link #poll} or {@link #await}.
 *
 * <p>Credits: a side posts memory for {@code window} messages of each peer, and tells in each
 * header how many it has freed; a peer never has more under way. Beside them it posts memory for
 * eight without data, of which these can be under way at once: two that tell of credits after half
 * a window, since the second is sent only after half a window more came; two that tell of credits
 * when there is nothing else to do, since a third is sent only after the peer has told that it got
 * the first; one question whether it is there, one answer, the greeting and the end.
 */
public final class ChannelHost implements AutoCloseable {
  private static final int GREETINGS = 16;
  private static final int BATCH = 64;
  private static final int POLLS_BETWEEN_CHECKS = 1024;
  private static final int POLLS_BETWEEN_EVENTS = 32;

  /** Polls without a completion after which there is time to tell of credits. */
  private static final int IDLE_POLLS = 4;

  private static final long CHECK_NS = 50_000_000;

  private final ChannelSettings settings;
  private final FabricDomain domain;
  private final CompletionQueue queue;
  private final Completions completions;
  private final @Nullable OpenEndpoint endpoint;
  private final @Nullable ReceiveMemory sharedMemory;
  private final ChannelHandshake handshake;
  private final ChannelTable channels;
  private int polls;
  private int idlePolls;
  private long lastCheckNs = System.nanoTime();
  private int events;
  private boolean isClosed;

  private ChannelHost(FabricAddress address, ChannelSettings settings, FabricDomain domain) {
    this.settings = settings;
    this.domain = domain;
    channels = new ChannelTable(settings.channels());
    int entries = (2 * settings.window() + 4 * Channel.RESERVE) * settings.channels() + 64;
    queue = domain.completionQueue(Math.min(entries, 1 << 16), settings.waiting());
    completions = domain.completions(BATCH);
    if (domain.provider().kind() == EndpointKind.OPEN) {
      endpoint = domain.endpoint(queue);
      sharedMemory = memory(endpoint);
      sharedMemory.reserve(GREETINGS);
    } else {
      endpoint = null;
      sharedMemory = null;
    }
    handshake = new ChannelHandshake(this, address, queue, endpoint);
  }

  /**
   * Opens a host at an address of this side. Peers can open channels to it after {@link #listen}.
   *
   * @throws FabricException if the provider is not there, or refuses
   */
  public static ChannelHost open(FabricAddress local, ChannelSettings settings) {
    int queueEntries =
        Math.min((settings.window() + Channel.RESERVE) * settings.channels(), 16_384);
    DomainOptions wanted = DomainOptions.DEFAULT;
    FabricDomain domain =
        FabricDomain.open(
            local,
            new DomainOptions(
                wanted.capabilities(),
                0,
                0,
                Math.max(wanted.descriptors(), 3 * queueEntries),
                settings.channels()));
    try {
      return new ChannelHost(local, settings, domain);
    } catch (RuntimeException | Error e) {
      domain.close();
      throw e;
    }
  }

  /**
   * Opens a host that connects to an address: its own address is one that the peer can answer to.
   */
  public static ChannelHost openTo(FabricAddress remote, ChannelSettings settings) {
    return open(LocalAddress.towards(remote), settings);
  }

  /** Takes channels that peers open, which are refused before. */
  public ChannelHost listen() {
    check();
    handshake.listen();
    return this;
  }

  /** Where it is, with the port that the provider has chosen if it was to. */
  public FabricAddress address() {
    check();
    return endpoint != null ? endpoint.address() : handshake.address();
  }

  /** Opens a channel to a peer. It is open when {@link Channel#state} says so. */
  public Channel connect(FabricAddress remote) {
    check();
    Channel channel = add(remote.toString());
    if (endpoint == null) {
      handshake.connect(channel, remote);
    } else {
      wire(channel, domain.peer(remote));
      channel.greet(MessageHeader.HELLO, Hello.own(channel.id(), settings, endpoint.name()));
    }
    return channel;
  }

  /** The next channel that a peer has opened, if there is one. */
  public Optional<Channel> accept() {
    check();
    return Optional.ofNullable(handshake.accept());
  }

  /**
   * Goes on: sends, receives, answers.
   *
   * @return how much has happened; 0 means nothing
   */
  public int poll() {
    check();
    events = 0;
    int count = queue.poll(completions);
    events += count;
    for (int i = 0; i < count; i++) {
      FabricError error = completions.error(i);
      Receiver receiver = completions.receiver(i);
      if (error != null && completions.descriptor(i) == null && receiver != null) {
        failed(receiver, error);
      }
    }
    polls++;
    idlePolls = count == 0 ? idlePolls + 1 : 0;
    long now = 0;
    boolean isCheckDue = false;
    if (idlePolls > 0 || polls % POLLS_BETWEEN_CHECKS == 0) {
      now = System.nanoTime();
      isCheckDue = now - lastCheckNs > CHECK_NS;
      lastCheckNs = isCheckDue ? now : lastCheckNs;
    }
    work(now, isCheckDue);
    return events;
  }

  /** Polls until something has happened, as its settings say how to wait. */
  public boolean await(Duration timeout) {
    check();
    long start = System.nanoTime();
    while (poll() == 0) {
      long left = timeout.toNanos() - (System.nanoTime() - start);
      if (left <= 0 || Thread.currentThread().isInterrupted()) {
        return false;
      }
      queue.pause(System.nanoTime() - start, left);
    }
    return true;
  }

  /** Whether {@link #descriptorToSleepOn} can give a descriptor, if nothing is in the way. */
  public boolean canSleep() {
    check();
    return queue.canSleep();
  }

  /**
   * As {@link CompletionQueue#descriptorToSleepOn}. Also without one while a channel has something
   * to do that no completion tells of: it is being opened, or a full queue has refused what it
   * sends.
   */
  public int descriptorToSleepOn() {
    check();
    int descriptor = queue.descriptorToSleepOn();
    for (Channel channel : channels.all()) {
      if (descriptor >= 0 && !channel.waitsForPeer()) {
        descriptor = CompletionQueue.NO_DESCRIPTOR;
      }
    }
    return channels.size() == 0 ? CompletionQueue.NO_DESCRIPTOR : descriptor;
  }

  // ---- inside ----

  private void work(long now, boolean isCheckDue) {
    if (channels.size() == 0 || polls % POLLS_BETWEEN_EVENTS == 0) {
      events += handshake.answerNext();
    }
    events += handshake.advance();
    if (sharedMemory != null) {
      sharedMemory.retry();
    }
    for (Channel channel : channels.all()) {
      ReceiveMemory memory = channel.ownMemory();
      if (memory != null) {
        memory.retry();
      }
      channel.work(now, idlePolls >= IDLE_POLLS, isCheckDue);
    }
  }

  boolean hasRoom() {
    return channels.size() < settings.channels();
  }

  Channel add(String peer) {
    if (!hasRoom()) {
      throw new FabricException(
          "too many channels: channels=%d; close some, or ask for more with ChannelSettings"
              .formatted(channels.size()));
    }
    return channels.add(id -> new Channel(this, id, peer));
  }

  void wire(Channel channel, Connection connection) {
    ReceiveMemory memory = memory(connection);
    memory.reserve(settings.window() + Channel.RESERVE);
    channel.wire(new Destination.ByConnection(connection), memory);
  }

  void wire(Channel channel, Peer peer) {
    Objects.requireNonNull(sharedMemory).reserve(settings.window() + Channel.RESERVE);
    channel.wire(new Destination.ByPeer(Objects.requireNonNull(endpoint), peer), null);
  }

  private ReceiveMemory memory(Receiver receiver) {
    return new ReceiveMemory(domain, receiver, settings.messageBytes(), this::arrived);
  }

  private void failed(Receiver receiver, FabricError error) {
    for (Channel channel : channels.all()) {
      if (channel.wire() instanceof Destination.ByConnection(Connection connection)
          && receiver.equals(connection)) {
        ChannelHandshake.failed(channel, connection, error);
      }
    }
  }

  /** Memory that was posted for a message has come back. */
  private void arrived(ReceiveMemory memory, Incoming slot) {
    FabricError error = slot.descriptor().error();
    boolean isShared = memory.equals(sharedMemory);
    if (isClosed || (error != null && !isShared)) {
      return; // Its endpoint is closed, or its connection has ended.
    }
    boolean isKept = error == null && isKept(memory, slot);
    if (!isKept) {
      memory.post(slot); // Also after what was too long, or whose sender has gone.
    }
  }

  private boolean isKept(ReceiveMemory memory, Incoming slot) {
    MemorySegment message = slot.whole();
    int kind = MessageHeader.kind(message, slot.descriptor().length());
    if (kind == 0) {
      return false;
    }
    Channel channel = channels.find(MessageHeader.channel(message));
    if (channel != null && channel.ownMemory() != null && !memory.equals(channel.ownMemory())) {
      return false; // It came over the connection of another channel.
    }
    try {
      return !handshake.arrived(kind, channel, slot)
          && channel != null
          && channel.arrived(slot, kind);
    } catch (FabricException e) { // Whatever a peer sends, others go on.
      if (channel != null) {
        channel.fail(FabricError.of(FabricError.Kind.FAILED, String.valueOf(e.getMessage())));
      }
      return false;
    }
  }

  /** Something has happened to a channel that no completion tells of. */
  void happened() {
    events++;
  }

  /** What a peer without a connection needs to tell that it does not know a channel. */
  byte[] ownName(int channel) {
    return endpoint == null
        ? new byte[0]
        : ByteBuffer.allocate(Integer.BYTES + endpoint.name().length)
            .putInt(channel)
            .put(endpoint.name())
            .array();
  }

  ChannelSettings settings() {
    return settings;
  }

  /** Where it works: for memory, and descriptors that write the peers'. */
  public FabricDomain domain() {
    return domain;
  }

  void check() {
    domain.requireOwner();
  }

  /** Lets what was sent leave, for as long as a silent peer is waited for. */
  void drain(Channel channel) {
    long start = System.nanoTime();
    while (channel.error() == null
        && !channel.hasLeft()
        && System.nanoTime() - start < settings.lostAfter().toNanos()) {
      poll();
    }
  }

  void closed(Channel channel) {
    channels.remove(channel);
    handshake.forget(channel);
    Destination wire = channel.wire();
    ReceiveMemory memory = channel.ownMemory();
    if (memory != null && wire != null) {
      wire.endpoint().close();
      memory.free();
    } else if (wire instanceof Destination.ByPeer byPeer) {
      Objects.requireNonNull(sharedMemory).release(settings.window() + Channel.RESERVE);
      removeUnused(byPeer.peer());
    }
    channel.free();
  }

  /** Forgets a peer, unless another channel leads to it. */
  void removeUnused(Peer peer) {
    boolean isUsed = isClosed || handshake.isRefusing(peer);
    for (Channel channel : channels.all()) {
      isUsed |= channel.wire() instanceof Destination.ByPeer byPeer && byPeer.peer().equals(peer);
    }
    if (!isUsed) {
      domain.remove(peer);
    }
  }

  /** Ends all channels, then itself. */
  @Override
  public void close() {
    check();
    if (isClosed) {
      return;
    }
    List.of(channels.all()).forEach(Channel::close);
    isClosed = true;
    domain.close();
  }
}
