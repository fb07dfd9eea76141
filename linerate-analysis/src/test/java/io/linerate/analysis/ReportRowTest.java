package io.linerate.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.wire.IpProtocol;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportRowTest {
  private static final HostAddress ONE = new HostAddress(4, 0, 0x0A00_0001);
  private static final HostAddress OTHER = new HostAddress(6, 0x2001_0DB8_0000_0000L, 1);
  private static final FlowTraffic TCP =
      new FlowTraffic(IpProtocol.TCP, ONE, 1_000, ONE, 80, 1, 40, 2, 80);
  private static final FlowTraffic GRE =
      new FlowTraffic(IpProtocol.GRE, OTHER, 0, OTHER, 0, 9, 400, 0, 0);

  static final WindowReport REPORT =
      new WindowReport(
          1_700_000_000_500_000_000L,
          1_700_000_001_000_000_000L,
          12,
          520,
          2,
          1,
          2,
          5,
          7,
          9,
          List.of(GRE, TCP),
          List.of(TCP),
          List.of(new HostTraffic(ONE, 1, 1, 40, 2, 80)),
          List.of(),
          List.of(new NameCount("a\\\"b\\007.example", 5)),
          List.of(new PortScan(ONE, OTHER, 100)),
          List.of(new HostScan(ONE, 200, 3)),
          List.of(new SynFlood(OTHER, 443, 5_000, 4_000, 3_000)));

  private static String json(ReportRow row) {
    StringBuilder json = new StringBuilder();
    ReportJson.append(row, json);
    return json.toString();
  }

  @Test
  void shouldBeOneOfTheWindowAndOneOfEachThingInIt() {
    List<ReportRow> rows = ReportRow.of(REPORT);
    assertThat(rows)
        .extracting(ReportRow::kind)
        .containsExactly(
            "window", "flow", "flow", "host", "name", "port_scan", "host_scan", "syn_flood");
    assertThat(rows).allMatch(row -> row.number(ReportColumn.WINDOW_START) == REPORT.startNs());
    ReportRow window = rows.getFirst();
    assertThat(window.number(ReportColumn.PACKETS)).isEqualTo(12);
    assertThat(window.values().get(ReportColumn.CONNECTIONS_PER_SECOND)).isEqualTo(6.0);
    assertThat(window.values()).doesNotContainKey(ReportColumn.SOURCE);
  }

  @Test
  void shouldHaveBothRanksOfOneThingInOneRow() {
    List<ReportRow> rows = ReportRow.of(REPORT);
    ReportRow gre = rows.get(1);
    assertThat(gre.number(ReportColumn.RANK_BY_BYTES)).isEqualTo(1);
    assertThat(gre.values())
        .doesNotContainKeys(ReportColumn.RANK_BY_PACKETS, ReportColumn.SOURCE_PORT);
    ReportRow tcp = rows.get(2);
    assertThat(tcp.number(ReportColumn.RANK_BY_BYTES)).isEqualTo(2);
    assertThat(tcp.number(ReportColumn.RANK_BY_PACKETS)).isEqualTo(1);
    assertThat(tcp.number(ReportColumn.DESTINATION_PORT)).isEqualTo(80);
    assertThat(tcp.text(ReportColumn.PROTOCOL)).isEqualTo("tcp");
  }

  @Test
  void shouldBeObjectsOfJson() {
    List<ReportRow> rows = ReportRow.of(REPORT);
    String window =
        """
        {"windowStart":"2023-11-14T22:13:20.500000000Z","windowEnd":"2023-11-14T22:13:21.000000000Z",\
        """;
    assertThat(json(rows.get(0)))
        .isEqualTo(
            window
                + """
                "kind":"window","packets":12,"bytes":520,"flows":2,"tcpConnections":1,"udpConnections":2,\
                "connectionsPerSecond":6.0,"questions":5,"evictedFlows":7,"dropped":9}\
                """);
    assertThat(json(rows.get(1)))
        .isEqualTo(
            window
                + """
                "kind":"flow","rankByBytes":1,"protocol":"gre","source":"2001:db8::1",\
                "destination":"2001:db8::1","packets":9,"bytes":400,"packetsBack":0,"bytesBack":0}\
                """);
    assertThat(json(rows.get(4)))
        .endsWith(
            """
            "name":"a\\\\\\"b\\\\007.example","questions":5}\
            """);
    assertThat(json(rows.get(7)))
        .endsWith(
            """
            "kind":"syn_flood","destination":"2001:db8::1","destinationPort":443,"syns":5000,\
            "connections":4000,"sources":3000}\
            """);
  }
}
