package io.linerate.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.linerate.wire.FlowKey;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ConnectionTextTest {
  private static final long SECOND = 1_000_000_000;

  private final ConnectionTable table = new ConnectionTable(8, 0, new SplittableRandom(1));
  private final ConnectionRecords records = table.records();
  private final FlowKey flow = new FlowKey();
  private final FlowKey reply = new FlowKey();

  @Test
  void shouldWriteAConnectionAsALineOfJson() {
    flow.protocol(4, 6);
    flow.source(0, 0x0A00_0001L, 40_000);
    flow.destination(0, 0xC633_6401L, 443);
    reply.reverseOf(flow);
    int number = table.add(flow, reply, SECOND, 121 * SECOND);
    records.phase(number, Phase.TCP_OPENING);
    records.count(2 * number, 60);
    assertThat(ConnectionText.json(records, number, 3 * SECOND / 2))
        .isEqualTo(
            """
            {"protocol":"tcp","phase":"tcp_opening",\
            "flow":{"source":"10.0.0.1","sourcePort":40000,\
            "destination":"198.51.100.1","destinationPort":443},\
            "replied":false,"assured":false,\
            "packets":[1,0],"bytes":[60,0],\
            "ageSeconds":0.500,"leftSeconds":119.500}\
            """);
    assertThat(ConnectionText.lines(table, 10, 0)).hasLineCount(1).endsWith("}\n");
    reply.source(0, 0xC633_6401L, 444);
    flow.destination(0, 0xC633_6401L, 444);
    table.remove(number);
    table.add(flow, reply, 0, SECOND);
    flow.destination(0, 0xC633_6401L, 445);
    reply.reverseOf(flow);
    table.add(flow, reply, 0, SECOND);
    assertThat(ConnectionText.lines(table, 10, 0)).hasLineCount(2).contains(":444}", ":445}");
    assertThat(ConnectionText.lines(table, 1, 0)).hasLineCount(1);
  }

  @Test
  void shouldWriteTheReplyOfWhatIsTranslated() {
    flow.protocol(6, 17);
    flow.source(0x2001_0DB8_0000_0000L, 1, 5_000);
    flow.destination(0x0064_FF9B_0000_0000L, 0xC633_6401L, 53);
    reply.protocol(4, 17);
    reply.source(0, 0xC633_6401L, 53);
    reply.destination(0, 0xC000_0201L, 6_000);
    int number = table.add(flow, reply, 0, SECOND);
    assertThat(ConnectionText.json(records, number, 0))
        .contains("\"flow\":{\"source\":\"2001:db8::1\",\"sourcePort\":5000,")
        .contains("\"destination\":\"64:ff9b::c633:6401\",\"destinationPort\":53}")
        .contains("\"reply\":{\"source\":\"198.51.100.1\",\"sourcePort\":53,")
        .contains("\"destination\":\"192.0.2.1\",\"destinationPort\":6000}");
  }

  @Test
  void shouldSayThatThereIsNone() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ConnectionText.json(records, 3, 0))
        .withMessageContaining("no such connection: number=3");
  }
}
