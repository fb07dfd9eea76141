package io.linerate.fabric.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.FabricAddresses;
import io.linerate.fabric.FabricError;
import io.linerate.fabric.FabricException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChannelTest {
  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm", "udp+rxd"})
  void shouldBringAllMessagesInOrderToASlowReceiver(String provider) {
    ChannelSettings settings = ChannelSettings.DEFAULT.window(8).messageBytes(9000);
    try (ChannelPair pair = ChannelPair.open(provider, settings)) {
      int messages = 3000;
      int sent = 0;
      int received = 0;
      Deque<Incoming> held = new ArrayDeque<>();
      SplittableRandom random = new SplittableRandom(1);
      long start = System.nanoTime();
      while (received < messages) {
        pair.poll();
        assertThat(System.nanoTime() - start).isLessThan(ChannelPair.SOON_NS);
        Outgoing out = sent < messages ? pair.left.claim() : null;
        if (out != null) {
          int length = (sent * 37) % 9001;
          fill(out.memory(), length, sent++);
          out.send(length);
        }
        Incoming in = pair.right.receive();
        if (in != null) {
          assertThat(in.length()).isEqualTo((received * 37) % 9001);
          assertFilled(in.memory(), in.length(), received++);
          held.add(in);
        }
        assertThat(held.size()).isLessThanOrEqualTo(8);
        if (!held.isEmpty() && random.nextInt(3) == 0) {
          held.remove().release();
        }
      }
      while (!held.isEmpty()) {
        held.remove().release();
      }
      pair.until(() -> pair.left.untakenMessages() == 0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldKeepTheOrderOfLongAndShortMessages(String provider) {
    ChannelSettings settings = ChannelSettings.DEFAULT.window(16).messageBytes(200_000);
    try (ChannelPair pair = ChannelPair.open(provider, settings)) {
      int messages = 400;
      int sent = 0;
      int received = 0;
      long start = System.nanoTime();
      while (received < messages) {
        pair.poll();
        assertThat(System.nanoTime() - start).isLessThan(ChannelPair.SOON_NS);
        Outgoing out = sent < messages ? pair.left.claim() : null;
        if (out != null) {
          int length = sent % 3 == 0 ? 200_000 : sent % 100;
          fill(out.memory(), length, sent++);
          out.send(length);
        }
        if (sent == messages) {
          pair.left.end(); // It does not pass them either.
        }
        Incoming in = pair.right.receive();
        if (in != null) {
          assertThat(in.length()).isEqualTo(received % 3 == 0 ? 200_000 : received % 100);
          assertFilled(in.memory(), in.length(), received++);
          in.release();
        }
      }
      pair.until(() -> pair.right.state() == Channel.State.ENDED);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm", "udp+rxd"})
  void shouldHoldTheSenderBackWhileTheReceiverKeepsItsMessages(String provider) {
    try (ChannelPair pair =
        ChannelPair.open(provider, ChannelSettings.DEFAULT.window(4).messageBytes(64))) {
      for (int i = 0; i < 4; i++) {
        pair.send(1);
      }
      Deque<Incoming> held = new ArrayDeque<>();
      pair.until(() -> {
        Incoming in = pair.right.receive();
        if (in != null) {
          held.add(in);
        }
        return held.size() == 4;
      });
      for (int i = 0; i < 1000; i++) {
        pair.poll();
        assertThat(pair.left.claim()).isNull();
      }
      held.remove().release();
      held.remove().release();
      pair.send(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm", "udp+rxd"})
  void shouldDeliverWhatWasSentBeforeTheEnd(String provider) {
    try (ChannelPair pair = ChannelPair.open(provider, ChannelSettings.DEFAULT)) {
      for (int i = 0; i < 10; i++) {
        pair.send(100 + i);
      }
      pair.left.end();
      pair.until(() -> pair.right.state() == Channel.State.ENDED);
      for (int i = 0; i < 10; i++) {
        Incoming in = pair.right.receive();
        assertThat(in).isNotNull();
        assertThat(in.length()).isEqualTo(100 + i);
        in.release();
      }
      assertThatThrownBy(pair.right::claim).hasMessageContaining("a channel has ended", "by=peer");
      assertThatThrownBy(pair.left::claim).hasMessageContaining("by=this side");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "tcp+rxm", "shm"})
  void shouldTellThatNobodyIsThere(String provider) {
    try (ChannelHost host = ChannelHost.open(FabricAddresses.free(provider), ChannelPair.QUICK)) {
      Channel channel = host.connect(FabricAddresses.free(provider));
      long start = System.nanoTime();
      while (channel.state() == Channel.State.OPENING) {
        host.poll();
        assertThat(System.nanoTime() - start).isLessThan(ChannelPair.SOON_NS);
      }
      assertThat(channel.state()).isEqualTo(Channel.State.FAILED);
      FabricError error = channel.error();
      assertThat(error).isNotNull();
      assertThat(error.kind()).isEqualTo(FabricError.Kind.PEER_LOST);
      assertThatThrownBy(channel::claim)
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("a channel has failed: peer=fabric:" + provider);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "tcp+rxm", "shm", "udp+rxd"})
  void shouldRefuseWhoIsOneTooMany(String provider) {
    ChannelSettings one =
        new ChannelSettings(
            4, 64, 1, ChannelSettings.DEFAULT.lostAfter(), ChannelSettings.DEFAULT.waiting());
    try (ChannelPair pair = ChannelPair.open(provider, one);
        ChannelHost other = ChannelHost.openTo(pair.address, one)) {
      assertThat(refusal(pair, other, pair.address))
          .contains("the peer has too many channels: channels=1");
      assertThat(refusal(pair, other, pair.address))
          .as("asked again")
          .contains("the peer has too many channels: channels=1");
      pair.send(1); // What is there goes on.
      pair.until(pair.right::hasMessages);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp+rxm", "shm", "udp+rxd"})
  void shouldRefuseChannelsWhereNobodyListens(String provider) {
    try (ChannelPair pair = ChannelPair.open(provider, ChannelSettings.DEFAULT);
        ChannelHost silent = ChannelHost.openTo(pair.address, ChannelSettings.DEFAULT);
        ChannelHost other = ChannelHost.openTo(pair.address, ChannelSettings.DEFAULT)) {
      FabricAddress there = silent.domain().address();
      Channel refused = other.connect(there);
      pair.until(() -> {
        silent.poll();
        other.poll();
        return refused.state() == Channel.State.FAILED;
      });
      assertThat(error(refused).text()).contains("the peer takes no channels: address=" + there);
      assertThat(silent.accept()).isEmpty();
    }
  }

  private static String refusal(ChannelPair pair, ChannelHost other, FabricAddress address) {
    try (Channel refused = other.connect(address)) {
      pair.until(() -> {
        other.poll();
        return refused.state() == Channel.State.FAILED;
      });
      return error(refused).text();
    }
  }

  private static FabricError error(Channel failed) {
    FabricError error = failed.error();
    assertThat(error).isNotNull();
    return error;
  }

  @Test
  void shouldRefuseUseOfWhatWasSentOrReleased() {
    try (ChannelPair pair = ChannelPair.open("tcp", ChannelSettings.DEFAULT)) {
      Outgoing out = pair.claim();
      assertThatThrownBy(() -> out.send(pair.left.messageBytes() + 1))
          .hasMessageContaining("a message is too long");
      out.send(5);
      assertThatThrownBy(() -> out.send(5)).hasMessageContaining("a message was sent");
      assertThatThrownBy(out::memory).hasMessageContaining("a message was sent");
      Deque<Incoming> got = new ArrayDeque<>();
      pair.until(() -> {
        Incoming in = pair.right.receive();
        if (in != null) {
          got.add(in);
        }
        return !got.isEmpty();
      });
      got.element().release();
      assertThatThrownBy(() -> got.element().release()).hasMessageContaining("was released");
    }
  }

  private static void fill(MemorySegment memory, int length, int seed) {
    for (int i = 0; i < length; i += 13) {
      memory.set(ValueLayout.JAVA_BYTE, i, (byte) (seed + i));
    }
  }

  private static void assertFilled(MemorySegment memory, int length, int seed) {
    for (int i = 0; i < length; i += 13) {
      if (memory.get(ValueLayout.JAVA_BYTE, i) != (byte) (seed + i)) {
        assertThat(i).as("first byte that differs in message %d", seed).isEqualTo(length);
      }
    }
  }
}
