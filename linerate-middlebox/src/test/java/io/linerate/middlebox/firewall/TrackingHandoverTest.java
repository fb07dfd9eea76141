package io.linerate.middlebox.firewall;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.middlebox.rule.Direction;
import io.linerate.middlebox.rule.RulesFile;
import io.linerate.middlebox.standby.TableHandover;
import io.linerate.track.ConnectionImage;
import io.linerate.track.ConnectionTable;
import io.linerate.track.Phase;
import io.linerate.track.TrackSettings;
import io.linerate.wire.FlowKey;
import io.linerate.wire.IpProtocol;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a firewall makes of connections that it is told of: whoever tells them may be anybody. */
class TrackingHandoverTest {
  private static final int CAPACITY = 64;
  private static final long YEARS_NS = TimeUnit.DAYS.toNanos(10_000);
  private static final List<Direction> BOTH =
      List.of(new Direction("left", "right"), new Direction("right", "left"));

  private final ConnectionTable told = new ConnectionTable(CAPACITY, 0, new Random(1));
  private final List<long[]> images = new ArrayList<>();
  private final FlowKey flow = new FlowKey();
  private final FlowKey reply = new FlowKey();

  private void tell(int version, int protocol, int sourcePort, int destinationPort) {
    flow.protocol(version, protocol);
    flow.source(0, 0x0A00_0001, sourcePort);
    flow.destination(0, 0xC000_0201L, destinationPort);
    reply.reverseOf(flow);
    int number = told.add(flow, reply, 0, YEARS_NS);
    long[] image = new long[ConnectionImage.WORDS];
    ConnectionImage.write(told.records(), number, 0, image);
    images.add(image);
  }

  private Tracking.Connections restore(String rules, TrackSettings settings) {
    TableHandover handover =
        (_, table, nowNs, restored) -> {
          for (long[] each : images) {
            restored.accept(table.restore(each, nowNs));
          }
          return Optional.empty();
        };
    RuleBook book = RuleBook.of(RulesFile.parse("r", rules, _ -> {}), BOTH);
    return new Tracking(CAPACITY, settings).withHandover(handover, book).of(0, 5);
  }

  private void assertRestored(String rules, int count) {
    Tracking.Connections connections = restore(rules, TrackSettings.DEFAULT);
    assertThat(connections.table().size()).as(rules).isEqualTo(count);
    assertThat(connections.notRestored()).as(rules).isEqualTo(images.size() - count);
  }

  @Test
  void shouldRestoreOnlyWhatTheRulesLetBegin() {
    tell(4, IpProtocol.TCP, 1_000, 80);
    tell(4, IpProtocol.TCP, 80, 1_000);
    tell(6, IpProtocol.UDP, 1_000, 53);
    tell(4, IpProtocol.ICMP, 77, 8);
    String known = "pass state established,related\n";
    assertRestored(known + "default drop", 0);
    assertRestored(known + "default pass", 4);
    assertRestored(known + "drop tcp\ndefault pass", 2);
    assertRestored(known + "pass in left tcp to any port 80 state new flags S/SA\ndefault drop", 1);
    assertRestored(known + "pass in right udp to any port 53 state new\ndefault drop", 1);
    assertRestored(known + "pass tcp flags A/SA\ndefault drop", 0);
    assertRestored(known + "pass vlan 7 tcp\ndefault drop", 2);
    assertRestored(known + "drop vlan 7 tcp\npass tcp\ndefault drop", 2);
    assertRestored(known + "pass icmp type 8\ndefault drop", 1);
    assertRestored(known + "pass icmp type 13\ndefault drop", 0);
  }

  @Test
  void shouldRestoreNoLongerThanTheTimeOutOfThePhase() {
    tell(4, IpProtocol.UDP, 1_000, 53);
    TrackSettings settings =
        TrackSettings.DEFAULT
            .withTimeout(Phase.UDP_UNANSWERED, Duration.ofSeconds(3))
            .withTimeout(Phase.TCP_OPENING, Duration.ofSeconds(3));
    ConnectionTable table = restore("pass state established\ndefault pass", settings).table();
    assertThat(table.size()).isEqualTo(1);
    Phase phase = table.records().phase(0);
    assertThat(table.records().expiresNs(0) - 5)
        .isEqualTo(settings.timeouts().get(phase).toNanos())
        .isLessThan(YEARS_NS);
    table.expire(TimeUnit.DAYS.toNanos(1), CAPACITY);
    assertThat(table.size()).isZero();
  }
}
