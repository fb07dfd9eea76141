package io.linerate.fabric.channel;

import io.linerate.fabric.Bindings;
import io.linerate.fabric.CompletionQueue;
import io.linerate.fabric.Completions;
import io.linerate.fabric.Connection;
import io.linerate.fabric.ConnectionRequest;
import io.linerate.fabric.Destination;
import io.linerate.fabric.DomainOptions;
import io.linerate.fabric.EndpointKind;
import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.FabricDomain;
import io.linerate.fabric.FabricError;
import io.linerate.fabric.FabricException;
import io.linerate.fabric.Listener;
import io.linerate.fabric.OpenEndpoint;
import io.linerate.fabric.Receiver;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
  private static final int POLLS_BETWEEN_LOOKS = 1024;
  private static final int POLLS_BETWEEN_EVENTS = 32;

  /** Polls without a completion after which there is time to tell of credits. */
  private static final int IDLE_POLLS = 4;

  private static final long LOOK_NS = 50_000_000;

  private final ChannelSettings settings;
  private final FabricAddress address;
  private final FabricDomain domain;
  private final CompletionQueue queue;
  private final Completions completions;
  private final @Nullable OpenEndpoint endpoint;
  private final @Nullable ReceiveMemory sharedMemory;
  private @Nullable Listener listener;
  private final Map<Integer, Channel> channels = new HashMap<>();
  private Channel[] all = {}; // To go through them without an object.
  private final List<Channel> opening = new ArrayList<>();
  private final Deque<Channel> accepted = new ArrayDeque<>();
  private int ids;
  private int polls;
  private int idlePolls;
  private long lastLookNs = System.nanoTime();
  private int events;
  private boolean isClosed;

  private ChannelHost(FabricAddress address, ChannelSettings settings, FabricDomain domain) {
    this.address = address;
    this.settings = settings;
    this.domain = domain;
    int entries = (2 * settings.window() + 4 * Channel.RESERVE) * settings.channels() + 64;
    queue = domain.completionQueue(Math.min(entries, 1 << 16), settings.waiting());
    completions = domain.completions(BATCH);
    if (domain.provider().kind() == EndpointKind.OPEN) {
      endpoint = domain.endpoint(queue);
      sharedMemory = memory(endpoint);
      sharedMemory.add(GREETINGS);
    } else {
      endpoint = null;
      sharedMemory = null;
    }
  }

  /**
   * Opens a host at an address of this side. Peers can open channels to it, for providers with
   * connections after {@link #listen}.
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
    } catch (FabricException e) {
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

  /** Takes channels that peers open; for providers without connections it does so at once. */
  public ChannelHost listen() {
    if (endpoint == null && listener == null) {
      listener = domain.listen(address);
    }
    return this;
  }

  /** Where it is, with the port that the provider has chosen if it was to. */
  public FabricAddress address() {
    OpenEndpoint open = endpoint;
    Listener there = listener;
    return open != null ? open.address() : there != null ? there.address() : address;
  }

  /** Opens a channel to a peer. It is open when {@link Channel#state} says so. */
  public Channel connect(FabricAddress remote) {
    Channel channel = add(remote.toString());
    OpenEndpoint open = endpoint;
    ReceiveMemory shared = sharedMemory;
    if (open != null && shared != null) {
      shared.add(settings.window() + Channel.RESERVE);
      channel.wire(new Destination.ByPeer(open, domain.peer(remote)), null);
      channel.greet(MessageHeader.HELLO, Hello.own(channel.id(), settings, open.name()));
      return channel;
    }
    Connection connection =
        domain.connect(
            remote, Bindings.of(queue), Hello.own(channel.id(), settings, new byte[0]).encode());
    wire(channel, connection);
    opening.add(channel);
    return channel;
  }

  /** The next channel that a peer has opened, if there is one. */
  public Optional<Channel> accept() {
    return Optional.ofNullable(accepted.poll());
  }

  /**
   * Goes on: sends, receives, answers.
   *
   * @return how much has happened; 0 means nothing
   */
  public int poll() {
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
    boolean isLooking = false;
    if (idlePolls > 0 || polls % POLLS_BETWEEN_LOOKS == 0) {
      now = System.nanoTime();
      isLooking = now - lastLookNs > LOOK_NS;
      lastLookNs = isLooking ? now : lastLookNs;
    }
    work(now, isLooking);
    return events;
  }

  /** Polls until something has happened, as its settings say how to wait. */
  public boolean await(Duration timeout) {
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
    return queue.canSleep();
  }

  /**
   * As {@link CompletionQueue#descriptorToSleepOn}. Also without one while a channel has something
   * to do that no completion tells of: it is being opened, or a full queue has refused what it
   * sends.
   */
  public int descriptorToSleepOn() {
    int descriptor = queue.descriptorToSleepOn();
    for (Channel channel : all) {
      if (descriptor >= 0 && !channel.waitsForPeer()) {
        descriptor = CompletionQueue.NO_DESCRIPTOR;
      }
    }
    return all.length == 0 ? CompletionQueue.NO_DESCRIPTOR : descriptor;
  }

  // ---- inside ----

  private void work(long now, boolean isLooking) {
    Listener there = listener;
    if (there != null && (all.length == 0 || polls % POLLS_BETWEEN_EVENTS == 0)) {
      Optional<ConnectionRequest> request = there.poll();
      if (request.isPresent()) { // Without a lambda: it would be an object for each.
        answer(request.get());
      }
    }
    for (int i = opening.size() - 1; i >= 0; i--) {
      look(opening.get(i));
    }
    if (sharedMemory != null) {
      sharedMemory.retry();
    }
    for (Channel channel : all) {
      ReceiveMemory memory = channel.ownMemory();
      if (memory != null) {
        memory.retry();
      }
      channel.work(now, idlePolls >= IDLE_POLLS, isLooking);
    }
  }

  private Channel add(String peer) {
    check();
    if (channels.size() >= settings.channels()) {
      throw new FabricException(
          "too many channels: channels=%d; close some, or ask for more with ChannelSettings"
              .formatted(channels.size()));
    }
    Channel channel = new Channel(this, ++ids, peer);
    channels.put(channel.id(), channel);
    all = channels.values().toArray(Channel[]::new);
    return channel;
  }

  private void wire(Channel channel, Connection connection) {
    ReceiveMemory memory = memory(connection);
    memory.add(settings.window() + Channel.RESERVE);
    channel.wire(new Destination.ByConnection(connection), memory);
  }

  private ReceiveMemory memory(Receiver receiver) {
    return new ReceiveMemory(domain, receiver, settings.messageBytes(), this::arrived);
  }

  /** A peer asks for a connection. */
  private void answer(ConnectionRequest request) {
    events++;
    Hello hello;
    try {
      hello = Hello.decode(request.data());
    } catch (FabricException e) {
      request.reject(text(e.getMessage()));
      return;
    }
    if (channels.size() >= settings.channels()) {
      request.reject(text("the peer has too many channels: channels=" + channels.size()));
      return;
    }
    Channel channel = add("%s from process %d".formatted(address, hello.pid()));
    Connection connection =
        request.accept(Bindings.of(queue), Hello.own(channel.id(), settings, new byte[0]).encode());
    wire(channel, connection);
    channel.requested(hello);
    opening.add(channel);
    accepted.add(channel);
  }

  private static byte[] text(@Nullable String message) {
    byte[] bytes = String.valueOf(message).getBytes(StandardCharsets.UTF_8);
    return bytes.length <= 200 ? bytes : java.util.Arrays.copyOf(bytes, 200);
  }

  /** How far a connection is that was asked for, or accepted. */
  private void look(Channel channel) {
    if (!(channel.wire() instanceof Destination.ByConnection(Connection connection))) {
      opening.remove(channel);
      return;
    }
    switch (connection.state()) {
      case CONNECTED -> {
        opening.remove(channel);
        events++;
        if (channel.state() == Channel.State.OPENING) {
          try {
            channel.connected(connection.data());
          } catch (FabricException e) {
            channel.fail(FabricError.of(FabricError.Kind.FAILED, String.valueOf(e.getMessage())));
          }
        }
      }
      case CONNECTING -> {}
      default -> {
        opening.remove(channel);
        failed(connection, java.util.Objects.requireNonNull(connection.error()));
      }
    }
  }

  private void failed(Receiver receiver, FabricError error) {
    for (Channel channel : all) {
      Destination wire = channel.wire();
      if (wire != null && wire.endpoint() == receiver && !(wire instanceof Destination.ByPeer)) {
        byte[] data = ((Connection) receiver).data();
        boolean isRefused = data.length > 0 && channel.state() == Channel.State.OPENING;
        channel.fail(
            isRefused
                ? FabricError.of(error.kind(), new String(data, StandardCharsets.UTF_8).strip())
                : error);
        events++;
      }
    }
  }

  /** Memory that was posted for a message has come back. */
  private void arrived(ReceiveMemory memory, Incoming slot) {
    if (isClosed || slot.descriptor().error() != null) {
      return; // Its endpoint is closed, or its connection has ended.
    }
    MemorySegment message = slot.whole();
    int kind = MessageHeader.kind(message, slot.descriptor().length());
    boolean isKept = false;
    if (kind == MessageHeader.HELLO) {
      greeted(payload(slot));
    } else {
      Channel channel = channels.get(MessageHeader.channel(message));
      if (channel != null && kind == MessageHeader.WELCOME) {
        channel.opened(Hello.decode(payload(slot)));
      } else if (channel != null && kind == MessageHeader.REFUSED) {
        channel.fail(
            FabricError.of(
                FabricError.Kind.FAILED, new String(payload(slot), StandardCharsets.UTF_8)));
      } else if (channel != null && kind != 0) {
        isKept = channel.arrived(slot, kind);
      }
    }
    if (!isKept) {
      memory.post(slot);
    }
  }

  private static byte[] payload(Incoming slot) {
    return slot.whole()
        .asSlice(MessageHeader.BYTES, slot.descriptor().length() - MessageHeader.BYTES)
        .toArray(ValueLayout.JAVA_BYTE);
  }

  /** A peer opens a channel without a connection. */
  private void greeted(byte[] data) {
    OpenEndpoint open = endpoint;
    ReceiveMemory shared = sharedMemory;
    if (open == null || shared == null || channels.size() >= settings.channels()) {
      return; // The peer counts it as lost after its time.
    }
    try {
      Hello hello = Hello.decode(data);
      var peer = domain.peer(hello.name());
      Channel channel = add(peer.toString());
      shared.add(settings.window() + Channel.RESERVE);
      channel.wire(new Destination.ByPeer(open, peer), null);
      channel.opened(hello);
      channel.greet(MessageHeader.WELCOME, Hello.own(channel.id(), settings, new byte[0]));
      accepted.add(channel);
    } catch (FabricException e) {
      // Nobody whom it could be told: the peer counts this side as lost after its time.
    }
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
    channels.remove(channel.id());
    all = channels.values().toArray(Channel[]::new);
    opening.remove(channel);
    accepted.remove(channel);
    Destination wire = channel.wire();
    ReceiveMemory memory = channel.ownMemory();
    if (memory != null && wire != null) {
      wire.endpoint().close();
      memory.free();
    } else if (wire instanceof Destination.ByPeer byPeer) {
      domain.remove(byPeer.peer());
    }
    channel.free();
  }

  /** Ends all channels, then itself. */
  @Override
  public void close() {
    check();
    if (isClosed) {
      return;
    }
    List.copyOf(channels.values()).forEach(Channel::close);
    isClosed = true;
    domain.close();
  }
}
