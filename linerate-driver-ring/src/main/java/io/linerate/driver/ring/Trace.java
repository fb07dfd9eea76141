package io.linerate.driver.ring;

import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.Packet;
import io.linerate.core.memory.PacketView;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.RxQueueDecorator;
import io.linerate.core.port.TxQueue;
import io.linerate.core.port.TxQueueDecorator;
import io.linerate.core.time.EpochClock;
import java.time.Instant;
import java.util.HexFormat;

/** Prints packets on their way. */
record Trace(TraceLog log, EpochClock clock) implements Decoration {
  private static final int ETHERTYPE_OFFSET = 12;
  private static final int SHOWN_BYTES = 48;

  @Override
  public RxQueue receiving(RxQueue inner, int queue) {
    return new Receiver(inner, queue, log, new PacketView(clock));
  }

  @Override
  public TxQueue sending(TxQueue inner, int queue) {
    return new Sender(inner, queue, log, new PacketView(clock));
  }

  @Override
  public void close() {
    log.printNotShown();
  }

  private static String line(TraceLog log, String direction, int queue, Packet packet) {
    int shown = Math.min(packet.length(), SHOWN_BYTES);
    byte[] bytes = new byte[shown];
    packet.get(0, bytes, 0, shown);
    String type =
        packet.length() >= ETHERTYPE_OFFSET + 2
            ? "0x%04x".formatted(packet.u16(ETHERTYPE_OFFSET))
            : "-";
    return "%s %s %s/%d length=%d type=%s %s%s"
        .formatted(
            time(packet.timestampNs()),
            direction,
            log.portName(),
            queue,
            packet.length(),
            type,
            HexFormat.of().formatHex(bytes),
            shown < packet.length() ? "..." : "");
  }

  private static Instant time(long epochNs) {
    return Instant.ofEpochSecond(epochNs / 1_000_000_000, epochNs % 1_000_000_000);
  }

  private record Receiver(RxQueue inner, int queue, TraceLog log, PacketView view)
      implements RxQueueDecorator {
    @Override
    public int receive(MbufArray packets) {
      int start = packets.size();
      int count = inner.receive(packets);
      if (count > 0) {
        int shown = log.allowed(count);
        for (int i = 0; i < shown; i++) {
          log.print(line(log, "rx", queue, view.of(packets, start + i)));
        }
        view.end();
        log.skip(count - shown);
      }
      return count;
    }
  }

  private record Sender(TxQueue inner, int queue, TraceLog log, PacketView view)
      implements TxQueueDecorator {
    @Override
    public int send(MbufArray packets, int from) {
      int allowed = log.allowed(packets.size() - from);
      if (allowed == 0) {
        int count = inner.send(packets, from);
        log.skip(count);
        return count;
      }
      return sendShown(packets, from, allowed);
    }

    /** Writes the lines before it sends: afterwards the packets cannot be read. */
    private int sendShown(MbufArray packets, int from, int allowed) {
      String[] lines = new String[allowed];
      for (int i = 0; i < allowed; i++) {
        lines[i] = line(log, "tx", queue, view.of(packets, from + i));
      }
      view.end();
      int count = inner.send(packets, from);
      int shown = Math.min(count, lines.length);
      for (int i = 0; i < shown; i++) {
        log.print(lines[i]);
      }
      log.skip(count - shown);
      return count;
    }
  }
}
