package io.linerate.stream.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.worker.Engine;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.Node;
import io.linerate.stream.Bytes;
import io.linerate.stream.Streams;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A peer that is not there, and one that cannot be reached. */
class LostPeerTest {
  private static final StreamHost HOST =
      StreamHost.of("wire", "02:00:00:00:00:01", "10.0.0.1/24", "fd00::1/64");

  @Test
  void shouldSayOnceForAllFlowsThatThePeerIsLost() {
    Duration patience = Duration.ofMillis(300);
    LinkSettings settings = LinkSettings.DEFAULT.withTimes(patience, patience);
    Graph graph =
        Streams.graph(s -> {
          Node out = s.graph().add("out", HOST.sender(settings, "10.0.0.2:4242", 4));
          s.objects("source", Bytes.class, () -> new Numbered(Long.MAX_VALUE)).to(out);
        });
    EngineConfig config = EngineConfig.DEFAULT.withIdle(Idle.YIELD).withWorkers(2);
    try (Engine engine = new Engine(config)) {
      engine.port("wire", "ring:lost,size=1024");
      GraphRunner _ = GraphRunner.install(graph, engine);
      engine.start();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      assertThat(engine.summary().failures())
          .singleElement()
          .asString()
          .startsWith("peer is lost: peer=10.0.0.2:4242, why=it has not answered for 0 s; see");
    }
  }

  @ParameterizedTest
  @CsvSource({"192.0.2.7:4242", "[2001:db8::7]:4242"})
  void shouldRefuseAPeerThatNoRouterLeadsTo(String peer) {
    assertThatThrownBy(() -> HOST.sender(LinkSettings.DEFAULT, peer, 1))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "no route to the peer: peer=%s, addresses=%s; name a router, or an address of the peer's network"
                .formatted(peer, String.join(" ", HOST.addresses())));
    String router = peer.startsWith("[") ? "fd00::9" : "10.0.0.9";
    StreamHost routed = new StreamHost(HOST.port(), HOST.mac(), HOST.addresses(), List.of(router));
    assertThat(routed.sender(LinkSettings.DEFAULT, peer, 1)).isNotNull();
    // A router of the other version leads nowhere.
    String other = peer.startsWith("[") ? "10.0.0.9" : "fd00::9";
    StreamHost astray = new StreamHost(HOST.port(), HOST.mac(), HOST.addresses(), List.of(other));
    assertThatThrownBy(() -> astray.sender(LinkSettings.DEFAULT, peer, 1))
        .hasMessageStartingWith("no route to the peer");
  }

  @ParameterizedTest
  @CsvSource({"10.0.0.1:4242", "[fd00::1]:4242"})
  void shouldRefuseItsOwnAddressAsPeer(String peer) {
    assertThatThrownBy(() -> HOST.sender(LinkSettings.DEFAULT, peer, 1))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("peer is this host itself: peer=" + peer);
  }
}
