package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConnectionsTest {
  private static final byte[] HELLO = "hello".getBytes(StandardCharsets.UTF_8);
  private static final byte[] ANSWER = "welcome".getBytes(StandardCharsets.UTF_8);

  private FabricAddress address;

  @BeforeEach
  void requireFabric() {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
    address = FabricAddresses.free("tcp");
  }

  @Test
  void shouldBringDataWithARequestAndItsAnswer() {
    try (Side left = new Side(address, DomainOptions.DEFAULT);
        Side right = new Side(address, DomainOptions.DEFAULT)) {
      Listener listener = right.domain.listen(address);
      Connection connecting = left.domain.connect(address, Bindings.of(left.queue), HELLO);
      ConnectionRequest request = request(listener, connecting);
      assertThat(request.data()).isEqualTo(HELLO);
      Connection accepted = request.accept(Bindings.of(right.queue), ANSWER);
      connect(connecting, accepted);
      assertThat(connecting.data()).startsWith(ANSWER);
      assertThatThrownBy(() -> request.accept(Bindings.of(right.queue)))
          .hasMessageContaining("was answered before");
    }
  }

  @Test
  void shouldTellHowMuchDataGoesWithARequestAndItsAnswer() {
    try (Side left = new Side(address, DomainOptions.DEFAULT);
        Side right = new Side(address, DomainOptions.DEFAULT)) {
      Listener listener = right.domain.listen(address);
      int most = left.domain.connectionDataBytes(address);
      assertThat(most).isEqualTo(256); // As tcp of libfabric says.
      byte[] longest = new byte[most];
      longest[most - 1] = 7;
      Connection connecting = left.domain.connect(address, Bindings.of(left.queue), longest);
      ConnectionRequest request = request(listener, connecting);
      assertThat(request.data()).isEqualTo(longest);
      assertThat(request.answerBytes()).isEqualTo(most);
      assertThatThrownBy(() -> request.reject(new byte[most + 1]))
          .hasMessageContaining("length=257, limit=256");
      connect(connecting, request.accept(Bindings.of(right.queue), longest));
      assertThat(connecting.data()).isEqualTo(longest);
    }
  }

  /** As verbs, which takes 56 less its own. */
  @Test
  void shouldRefuseMoreDataThanTheProviderLetsGo() {
    Connection.requireData(55, new byte[55]);
    assertThatThrownBy(() -> Connection.requireData(55, new byte[56]))
        .isInstanceOf(FabricException.class)
        .hasMessageContaining("connection data is too long: length=56, limit=55");
  }

  @Test
  void shouldTellWhoIsRejected() {
    try (Side left = new Side(address, DomainOptions.DEFAULT);
        Side right = new Side(address, DomainOptions.DEFAULT)) {
      Listener listener = right.domain.listen(address);
      Connection connecting = left.domain.connect(address, left.queue);
      request(listener, connecting).reject(ANSWER);
      Link.until(() -> connecting.state() == Connection.State.REFUSED);
      assertThat(connecting.error()).isNotNull();
      assertThat(connecting.data()).startsWith(ANSWER);
      assertThatThrownBy(() -> connecting.awaitConnected(Duration.ZERO))
          .hasMessageContaining("no connection: address=" + address);
    }
  }

  @Test
  void shouldTellThatNobodyListens() {
    try (Side left = new Side(address, DomainOptions.DEFAULT)) {
      Connection connecting = left.domain.connect(address, left.queue);
      assertThatThrownBy(() -> connecting.awaitConnected(Side.SOON))
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("Connection refused")
          .hasMessageContaining("see whether the peer listens there");
    }
  }

  @Test
  void shouldTellThatThePeerHasEndedTheConnection() {
    try (Link link = Link.open("tcp", DomainOptions.DEFAULT)) {
      Descriptor receive = link.left.domain.descriptor().on(link.left.region(64));
      assertThat(link.leftEndpoint.receive(receive)).isTrue();
      link.rightEndpoint.close();
      List<FabricError> errors = new ArrayList<>();
      Link.until(() -> {
        int count = link.left.queue.poll(link.left.completions);
        for (int i = 0; i < count; i++) {
          assertThat(link.left.completions.receiver(i)).isSameAs(link.leftEndpoint);
          errors.add(Objects.requireNonNull(link.left.completions.error(i)));
        }
        return !errors.isEmpty() && ((Connection) link.leftEndpoint).error() != null;
      });
      assertThat(errors)
          .extracting(FabricError::kind)
          .containsAnyOf(FabricError.Kind.DISCONNECTED, FabricError.Kind.CANCELED);
      assertThatThrownBy(() -> link.toRight().send(link.left.domain.descriptor()))
          .hasMessageContaining("not connected: address=", "state=DISCONNECTED");
    }
  }

  @Test
  void shouldRefuseMoreDataThanARequestHolds() {
    try (Side left = new Side(address, DomainOptions.DEFAULT)) {
      assertThatThrownBy(() -> left.domain.connect(address, Bindings.of(left.queue), new byte[257]))
          .hasMessageContaining("length=257, limit=256");
    }
  }

  @Test
  void shouldTellThatAnAddressIsTaken() {
    try (Side left = new Side(address, DomainOptions.DEFAULT);
        Side right = new Side(address, DomainOptions.DEFAULT)) {
      Listener _ = right.domain.listen(address);
      assertThatThrownBy(() -> left.domain.listen(address))
          .hasMessageContainingAll(
              "cannot listen: address=" + address,
              "Address already in use",
              "; take another port, or end who has it");
    }
  }

  @Test
  void shouldTellThatAnAddressIsAnotherHosts() {
    try (Side side = new Side(address, DomainOptions.DEFAULT)) {
      assertThatThrownBy(() -> side.domain.listen(FabricAddress.parse("tcp:192.0.2.7:7000")))
          .hasMessageContaining("tcp:192.0.2.7:7000")
          .hasMessageEndingWith("; write an address of this host");
    }
  }

  @Test
  void shouldTellThePortThatItWasGiven() {
    try (Side left = new Side(address, DomainOptions.DEFAULT);
        Side right = new Side(address, DomainOptions.DEFAULT)) {
      Listener listener = right.domain.listen(FabricAddress.parse("tcp:127.0.0.1:0"));
      assertThat(listener.address().port()).isPositive();
      Connection connecting = left.domain.connect(listener.address(), left.queue);
      connect(connecting, request(listener, connecting).accept(Bindings.of(right.queue)));
    }
  }

  @Test
  void shouldServeEightConnectionsByOneQueue() {
    try (Side left = new Side(address, DomainOptions.DEFAULT);
        Side right = new Side(address, DomainOptions.DEFAULT)) {
      Listener listener = right.domain.listen(address);
      List<Connection> senders = new ArrayList<>();
      List<Connection> receivers = new ArrayList<>();
      MemoryRegion into = right.region(8 * 64);
      for (int i = 0; i < 8; i++) {
        Connection connecting = left.domain.connect(address, left.queue);
        Connection accepted = request(listener, connecting).accept(Bindings.of(right.queue));
        connect(connecting, accepted);
        senders.add(connecting);
        receivers.add(accepted);
        assertThat(accepted.receive(right.domain.descriptor().on(into, i * 64L, 64))).isTrue();
      }
      MemoryRegion from = left.pattern(64, 3);
      for (int i = 0; i < 8; i++) {
        Connection sender = senders.get(i);
        Descriptor send = left.domain.descriptor().on(from, 0, i + 1);
        Link.until(() -> sender.send(send));
      }
      int[] received = {0};
      Link.until(() -> {
        left.queue.progress();
        int count = right.queue.poll(right.completions);
        for (int i = 0; i < count; i++) {
          int which = receivers.indexOf(right.completions.receiver(i));
          assertThat(right.completions.length(i)).isEqualTo(which + 1);
          received[0]++;
        }
        return received[0] == 8;
      });
    }
  }

  @Test
  void shouldTakeMessagesOfSeveralConnectionsIntoSharedMemory() {
    try (Side left = new Side(address, DomainOptions.DEFAULT);
        Side right = new Side(address, DomainOptions.DEFAULT)) {
      assumeTrue(right.domain.provider().sharedReceiveContexts() > 0);
      Listener listener = right.domain.listen(address);
      SharedReceiver shared = right.domain.sharedReceiver(right.queue);
      MemoryRegion into = right.region(4 * 64);
      List<Descriptor> posted = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Descriptor receive = right.domain.descriptor().on(into, i * 64L, 64);
        assertThat(shared.receive(receive)).isTrue();
        posted.add(receive);
      }
      MemoryRegion from = left.pattern(64, 3);
      for (int i = 0; i < 4; i++) {
        Connection connecting = left.domain.connect(address, left.queue);
        Connection accepted =
            request(listener, connecting).accept(Bindings.of(right.queue).sharing(shared));
        connect(connecting, accepted);
        Link.until(() -> connecting.send(left.domain.descriptor().on(from, 0, 60)));
      }
      for (Descriptor receive : posted) {
        right.await(receive, left);
        assertThat(receive.error()).isNull();
        assertThat(receive.length()).isEqualTo(60);
      }
    }
  }

  private static ConnectionRequest request(Listener listener, Connection connecting) {
    List<ConnectionRequest> requests = new ArrayList<>();
    Link.until(() -> {
      connecting.state(); // Both sides have to go on.
      listener.poll().ifPresent(requests::add);
      return !requests.isEmpty();
    });
    return requests.getFirst();
  }

  private static void connect(Connection one, Connection other) {
    Link.until(() -> {
      boolean isConnected = other.state() == Connection.State.CONNECTED;
      return one.state() == Connection.State.CONNECTED && isConnected;
    });
  }
}
