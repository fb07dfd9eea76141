package io.linerate.decode;

import static io.linerate.decode.protocol.TcpProtocol.ACK;
import static io.linerate.decode.protocol.TcpProtocol.ACKNOWLEDGMENT;
import static io.linerate.decode.protocol.TcpProtocol.DESTINATION_PORT;
import static io.linerate.decode.protocol.TcpProtocol.FIN;
import static io.linerate.decode.protocol.TcpProtocol.RST;
import static io.linerate.decode.protocol.TcpProtocol.SEQUENCE;
import static io.linerate.decode.protocol.TcpProtocol.SOURCE_PORT;
import static io.linerate.decode.protocol.TcpProtocol.SYN;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Numbers connections of TCP as tshark does: a SYN begins another one between the same ends if its
 * sequence number is new, or the one before has ended.
 */
final class TcpStreamNumbers {
  private static final int LOWER_BASE = 1;
  private static final int HIGHER_BASE = 2;
  private static final int ENDED = 4;

  private final StreamNumbers numbers = new StreamNumbers();

  // By the place of a layer the packet in which it was asked for last, and what was answered.
  private final long[] packets = new long[LayerTable.PLACES];
  private final long[] answers = new long[LayerTable.PLACES];

  TcpStreamNumbers() {
    Arrays.fill(packets, -1);
  }

  /**
   * The number of a layer's connection, which is the same however often it is asked for; {@link
   * StreamNumbers#NONE} if it has none.
   *
   * @param packet that the layer is in: see {@link Frame#count}
   */
  long number(long packet, Layer tcp, @Nullable Layer ip) {
    int place = tcp.index();
    if (packets[place] != packet) {
      answers[place] = follow(tcp, ip);
      packets[place] = packet;
    }
    return answers[place];
  }

  private long follow(Layer tcp, @Nullable Layer ip) {
    int record = numbers.find(tcp.value(SOURCE_PORT), tcp.value(DESTINATION_PORT), ip);
    if (record == StreamNumbers.NONE) {
      return StreamNumbers.NONE;
    }
    boolean isHigher = numbers.isSwapped();
    boolean isSyn = tcp.value(SYN) != 0;
    boolean isAck = tcp.value(ACK) != 0;
    int sequence = (int) tcp.value(SEQUENCE);
    if (isSyn && !isAck && isNew(record, isHigher, sequence)) {
      numbers.renumber(record);
    }
    begin(record, isHigher, isSyn ? sequence : sequence - 1);
    if (isAck) {
      begin(record, !isHigher, (int) tcp.value(ACKNOWLEDGMENT) - 1);
    }
    if (tcp.value(FIN) != 0 || tcp.value(RST) != 0) {
      numbers.facts(record, numbers.facts(record) | ENDED);
    }
    return numbers.number(record);
  }

  private boolean isNew(int record, boolean isHigher, int sequence) {
    int facts = numbers.facts(record);
    return (facts & fact(isHigher)) != 0
        && (numbers.base(record, isHigher) != sequence || (facts & ENDED) != 0);
  }

  /** Where an end begins to count, unless that is known. */
  private void begin(int record, boolean isHigher, int base) {
    int facts = numbers.facts(record);
    if ((facts & fact(isHigher)) == 0) {
      numbers.base(record, isHigher, base);
      numbers.facts(record, facts | fact(isHigher));
    }
  }

  private static int fact(boolean isHigher) {
    return isHigher ? HIGHER_BASE : LOWER_BASE;
  }
}
