package io.linerate.fabric.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.fabric.CompletionQueue;
import io.linerate.fabric.Completions;
import io.linerate.fabric.Descriptor;
import io.linerate.fabric.DomainOptions;
import io.linerate.fabric.Fabric;
import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.FabricAddresses;
import io.linerate.fabric.FabricDomain;
import io.linerate.fabric.MemoryRegion;
import io.linerate.fabric.OpenEndpoint;
import io.linerate.fabric.Peer;
import io.linerate.fabric.Waiting;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Peers that come and go, and those that do not keep to what was agreed. */
class ChannelPeersTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final ChannelSettings SMALL =
      new ChannelSettings(8, 256, 4, Duration.ofSeconds(2), ChannelSettings.DEFAULT.waiting());

  @BeforeEach
  void requireFabric() {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldTakeOnePeerAfterTheOther(String provider) {
    try (ChannelPair pair = ChannelPair.open(provider, SMALL)) {
      for (int i = 0; i < 200; i++) {
        try (Channel next = pair.leftHost.connect(pair.address)) {
          pair.until(() -> next.state() != Channel.State.OPENING);
          assertThat(next.error()).as("channel %d", i).isNull();
          Channel taken = pair.rightHost.accept().orElseThrow();
          pair.until(() -> taken.state() == Channel.State.OPEN);
          taken.close();
        }
      }
      pair.send(1); // The first goes on.
      pair.until(pair.right::hasMessages);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void shouldLetNoMoreBeWrittenThanThePeerHasMemoryFor(String provider) {
    try (ChannelPair pair = ChannelPair.open(provider, SMALL)) {
      for (int i = 0; i < 5; i++) {
        pair.send(1);
      }
      List<Outgoing> written = new ArrayList<>();
      for (Outgoing next = pair.left.claim(); next != null; next = pair.left.claim()) {
        written.add(next);
      }
      assertThat(written).hasSize(3);
      written.getFirst().cancel();
      assertThat(pair.left.claim()).isNotNull();
    }
  }

  /** Its end cannot leave while the peer takes nothing. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldTellABusyPeerLaterThatAChannelWasClosed(String provider) {
    ChannelSettings settings =
        new ChannelSettings(
            1024, 15_000, 1, Duration.ofMillis(500), ChannelSettings.DEFAULT.waiting());
    try (ChannelPair pair = ChannelPair.open(provider, settings)) {
      for (Outgoing next = pair.left.claim(); next != null; next = pair.left.claim()) {
        next.send(15_000);
      }
      pair.left.close();
      pair.until(() -> {
        Incoming in = pair.right.receive();
        if (in != null) {
          in.release();
        }
        return pair.right.state() != Channel.State.OPEN;
      });
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldEndAWaitWhenAChannelFails(String provider) {
    try (ChannelHost host = ChannelHost.openTo(FabricAddresses.free(provider), SMALL)) {
      Channel channel = host.connect(FabricAddresses.free(provider));
      long start = System.nanoTime();
      while (channel.state() == Channel.State.OPENING) {
        assertThat(host.await(SOON)).as("something has happened").isTrue();
      }
      assertThat(System.nanoTime() - start).isLessThan(SOON.toNanos());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp+rxm"})
  void shouldGoOnWhateverAStrangerSends(String provider) {
    try (ChannelPair pair = ChannelPair.open(provider, SMALL);
        Stranger stranger = new Stranger(provider, pair.address)) {
      int known = pair.right.id();
      for (int kind = 0; kind < 12; kind++) {
        for (int bytes : new int[] {0, 1, 15, 16, 19, 52, 200, 400}) {
          stranger.send(pair, kind, 1, bytes);
          stranger.send(pair, kind, known + 1, bytes);
        }
      }
      pair.send(7);
      pair.until(pair.right::hasMessages);
      assertThat(pair.right.state()).isEqualTo(Channel.State.OPEN);
      // Memory that took what was no message takes messages again.
      for (int i = 0; i < 3 * SMALL.window(); i++) {
        Incoming[] in = new Incoming[1];
        pair.until(() -> {
          in[0] = pair.right.receive();
          return in[0] != null;
        });
        in[0].release();
        pair.send(7);
      }
    }
  }

  /** Who knows the number of a channel can end that, and no other. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp+rxm"})
  void shouldEndOnlyTheChannelOfAPeerThatSendsWhatItMayNot(String provider) {
    try (ChannelPair pair = ChannelPair.open(provider, SMALL);
        ChannelHost third = ChannelHost.openTo(pair.address, SMALL);
        Stranger stranger = new Stranger(provider, pair.address)) {
      Channel other = third.connect(pair.address);
      pair.until(() -> {
        third.poll();
        return other.state() == Channel.State.OPEN;
      });
      stranger.send(pair, MessageHeader.DATA, pair.right.id(), 60);
      pair.until(() -> {
        third.poll();
        return pair.right.state() == Channel.State.FAILED;
      });
      assertThat(String.valueOf(pair.right.error())).contains("the peer has sent what it may not");
      assertThat(other.state()).isEqualTo(Channel.State.OPEN);
    }
  }

  /** Sends what it likes, by messages of its own. */
  private static final class Stranger implements AutoCloseable {
    private final FabricDomain domain;
    private final CompletionQueue queue;
    private final OpenEndpoint endpoint;
    private final MemoryRegion memory;
    private final Descriptor descriptor;
    private final Peer peer;
    private final Completions completions;

    Stranger(String provider, FabricAddress to) {
      domain = FabricDomain.open(FabricAddresses.free(provider), DomainOptions.DEFAULT);
      queue = domain.completionQueue(64, Waiting.YIELD);
      endpoint = domain.endpoint(queue);
      memory = domain.register(domain.arena().allocate(4096, 64));
      descriptor = domain.descriptor();
      peer = domain.peer(to);
      completions = domain.completions(8);
    }

    void send(ChannelPair pair, int kind, int channel, int bytes) {
      memory.segment().fill((byte) 0x5A);
      MessageHeader.write(memory.segment(), kind, 0, channel, -1, 1_000);
      memory.segment().set(ValueLayout.JAVA_BYTE, 16, (byte) 0);
      descriptor.on(memory, 0, bytes);
      pair.until(() -> {
        boolean isSent = endpoint.send(descriptor, peer);
        poll();
        return isSent;
      });
      pair.until(() -> {
        poll();
        return !descriptor.isPosted();
      });
    }

    private void poll() {
      int _ = queue.poll(completions);
    }

    @Override
    public void close() {
      domain.close();
    }
  }
}
