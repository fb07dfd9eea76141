package io.linerate.fabric.channel;

import io.linerate.fabric.Bindings;
import io.linerate.fabric.CompletionQueue;
import io.linerate.fabric.Connection;
import io.linerate.fabric.ConnectionRequest;
import io.linerate.fabric.Destination;
import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.FabricDomain;
import io.linerate.fabric.FabricError;
import io.linerate.fabric.FabricException;
import io.linerate.fabric.Listener;
import io.linerate.fabric.OpenEndpoint;
import io.linerate.fabric.Peer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How channels of a host begin: those that it opens, and those that peers open. */
final class ChannelHandshake {
  private static final int TEXT_BYTES_AT_MOST = 200;

  private final ChannelHost host;
  private final FabricAddress address;
  private final FabricDomain domain;
  private final CompletionQueue queue;
  private final @Nullable Refusals refusals;
  private @Nullable Listener listener;
  private boolean isListening;

  /** Connections that were asked for, or accepted, and are not there yet. */
  private final List<Channel> opening = new ArrayList<>();

  /** Opened by peers, and not taken by the program. */
  private final Deque<Channel> accepted = new ArrayDeque<>();

  /**
   * @param endpoint of a provider without connections
   */
  ChannelHandshake(
      ChannelHost host,
      FabricAddress address,
      CompletionQueue queue,
      @Nullable OpenEndpoint endpoint) {
    this.host = host;
    this.address = address;
    this.queue = queue;
    domain = host.domain();
    refusals = endpoint == null ? null : new Refusals(host, endpoint);
  }

  /** Takes channels that peers open, from now on. */
  void listen() {
    if (refusals == null && listener == null) {
      listener = domain.listen(address);
    }
    isListening = true;
  }

  /** Where it listens, with the port that it was given; otherwise where it was to be. */
  FabricAddress address() {
    Listener there = listener;
    return there != null ? there.address() : address;
  }

  @Nullable Channel accept() {
    return accepted.poll();
  }

  /** Asks a peer for a channel over a connection. */
  void connect(Channel channel, FabricAddress remote) {
    Hello own = Hello.own(channel.id(), host.settings(), new byte[0]);
    host.wire(channel, domain.connect(remote, Bindings.of(queue), own.encode()));
    opening.add(channel);
  }

  /** Whether a peer is being told that it is refused. */
  boolean isRefusing(Peer peer) {
    return refusals != null && refusals.isFor(peer);
  }

  void forget(Channel channel) {
    opening.remove(channel);
    accepted.remove(channel);
  }

  /** Answers the next peer that asks for a connection, if there is one; how many it has. */
  int answerNext() {
    Listener there = listener;
    Optional<ConnectionRequest> request = there == null ? Optional.empty() : there.poll();
    if (request.isPresent()) { // Without a lambda: it would be an object for each.
      answer(request.get());
      return 1;
    }
    return 0;
  }

  private void answer(ConnectionRequest request) {
    try {
      Hello hello = Hello.decode(request.data());
      String refusal = refusal();
      if (refusal != null) {
        request.reject(text(request, refusal));
        return;
      }
      accept(request, hello);
    } catch (FabricException e) {
      reject(request, e);
    }
  }

  private void accept(ConnectionRequest request, Hello hello) {
    Channel channel = host.add("%s from process %d".formatted(address, hello.pid()));
    try {
      Hello own = Hello.own(channel.id(), host.settings(), new byte[0]);
      host.wire(channel, request.accept(Bindings.of(queue), own.encode()));
    } catch (FabricException e) {
      channel.close();
      throw e;
    }
    channel.requested(hello);
    opening.add(channel);
    accepted.add(channel);
  }

  private static void reject(ConnectionRequest request, FabricException why) {
    try {
      request.reject(text(request, why.getMessage()));
    } catch (FabricException e) {
      // It is gone already.
    }
  }

  /** Why no peer can have a channel now; null if one can. */
  private @Nullable String refusal() {
    if (!isListening) {
      return "the peer takes no channels: address=%s; have it listen".formatted(address);
    }
    return host.hasRoom()
        ? null
        : "the peer has too many channels: channels=%d; close some, or have it take more"
            .formatted(host.settings().channels());
  }

  /** As much of a text as the provider sends with the answer to a request. */
  private static byte[] text(ConnectionRequest request, @Nullable String message) {
    return text(message, Math.min(TEXT_BYTES_AT_MOST, request.answerBytes()));
  }

  private static byte[] text(@Nullable String message) {
    return text(message, TEXT_BYTES_AT_MOST);
  }

  private static byte[] text(@Nullable String message, int most) {
    byte[] bytes = String.valueOf(message).getBytes(StandardCharsets.UTF_8);
    return bytes.length <= most ? bytes : Arrays.copyOf(bytes, most);
  }

  /** Goes on with connections that are not there yet; how many have come, or failed. */
  int advance() {
    int count = 0;
    for (int i = opening.size() - 1; i >= 0; i--) {
      count += advance(opening.get(i)) ? 1 : 0;
    }
    return count;
  }

  private boolean advance(Channel channel) {
    if (!(channel.wire() instanceof Destination.ByConnection(Connection connection))) {
      opening.remove(channel);
      return false;
    }
    switch (connection.state()) {
      case CONNECTED -> {
        opening.remove(channel);
        if (channel.state() == Channel.State.OPENING) {
          connected(channel, connection.data());
        }
      }
      case CONNECTING -> {
        return false;
      }
      default -> {
        opening.remove(channel);
        failed(channel, connection, Objects.requireNonNull(connection.error()));
      }
    }
    return true;
  }

  private static void connected(Channel channel, byte[] answer) {
    try {
      channel.connected(answer);
    } catch (FabricException e) {
      channel.fail(FabricError.of(FabricError.Kind.FAILED, String.valueOf(e.getMessage())));
    }
  }

  /** A connection has ended, or was refused: with what the peer has said to it. */
  static void failed(Channel channel, Connection connection, FabricError error) {
    byte[] data = connection.data();
    boolean isRefused = data.length > 0 && channel.state() == Channel.State.OPENING;
    channel.fail(isRefused ? FabricError.of(error.kind(), refused(data).text()) : error);
  }

  // ---- without connections ----

  /** Whether a message is one of those that channels begin with; it was looked at then. */
  boolean arrived(int kind, @Nullable Channel channel, Incoming slot) {
    switch (kind) {
      case MessageHeader.HELLO -> greeted(slot.payload());
      case MessageHeader.WELCOME -> {
        if (channel != null && channel.state() == Channel.State.OPENING) {
          channel.opened(Hello.decode(slot.payload()));
        }
      }
      case MessageHeader.REFUSED -> {
        if (channel != null) {
          channel.fail(refused(slot.payload()));
        }
      }
      case MessageHeader.PING -> {
        if (channel != null) {
          return false;
        }
        asked(slot.payload());
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private static FabricError refused(byte[] why) {
    String text = new String(why, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", " ");
    return FabricError.of(FabricError.Kind.FAILED, text);
  }

  /** A peer asks whether it is heard in a channel that was closed: its end may not have left. */
  private void asked(byte[] ownName) {
    Refusals there = refusals;
    if (there != null && ownName.length > Integer.BYTES) {
      int channel = ByteBuffer.wrap(ownName).getInt();
      Peer peer = domain.peer(Arrays.copyOfRange(ownName, Integer.BYTES, ownName.length));
      there.send(peer, channel, text("the peer has closed the channel"));
    }
  }

  /** A peer opens a channel without a connection. */
  private void greeted(byte[] data) {
    Refusals there = refusals;
    if (there == null) {
      return;
    }
    try {
      Hello hello = Hello.decode(data);
      Peer peer = domain.peer(hello.name());
      String refusal = refusal();
      if (refusal != null) {
        there.send(peer, hello.channel(), text(refusal));
        return;
      }
      Channel channel = host.add(peer.toString());
      try {
        host.wire(channel, peer);
        channel.opened(hello);
        channel.greet(MessageHeader.WELCOME, Hello.own(channel.id(), host.settings(), new byte[0]));
        accepted.add(channel);
      } catch (FabricException | OutOfMemoryError e) {
        channel.fail(FabricError.of(FabricError.Kind.FAILED, String.valueOf(e.getMessage())));
        channel.close();
        there.send(peer, hello.channel(), text("the peer has no memory for a channel: " + e));
      }
    } catch (FabricException e) {
      // Nobody whom it could be told: the peer counts this side as lost after its time.
    }
  }
}
