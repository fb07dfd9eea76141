package io.linerate.analysis;

import io.linerate.core.memory.Packet;
import io.linerate.track.flow.FlowMeter;
import io.linerate.track.flow.FlowPacket;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Udp;
import io.linerate.wire.name.DnsQuestion;
import io.linerate.wire.name.DomainName;
import io.linerate.wire.name.NameSearch;
import io.linerate.wire.name.PacketBytes;
import java.security.SecureRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Says of each packet which flow it is of, on one worker. It makes no object but the names that are
 * asked for.
 */
final class PacketReader implements Function<Packet, @Nullable SeenPacket> {
  private static final int PRINTABLE_FROM = 0x21;
  private static final int PRINTABLE_TO = 0x7E;

  private final FlowMeter meter;
  private final SeenPacket seen = new SeenPacket();
  private final DnsQuestion question = new DnsQuestion(false);
  private final PacketBytes payload = new PacketBytes();
  private final Udp udp = new Udp();
  private long evictedBefore;

  PacketReader(AnalysisSettings settings) {
    meter = new FlowMeter(settings.flows(), new SecureRandom(), _ -> {});
  }

  @Override
  public @Nullable SeenPacket apply(Packet packet) {
    FlowPacket of = meter.add(packet);
    if (of == null) {
      return null;
    }
    long evicted = meter.evicted();
    seen.set(of, packet.timestampNs(), (int) (evicted - evictedBefore));
    evictedBefore = evicted;
    if (of.flow().protocol() == IpProtocol.UDP) {
      readName(packet, of.scanner());
    }
    return seen;
  }

  private void readName(Packet packet, HeaderScanner scanner) {
    if (!scanner.l4Fits() || scanner.isFragment()) {
      return;
    }
    udp.wrap(packet, scanner.l4Offset());
    if (udp.destinationPort() != DnsQuestion.PORT) {
      return;
    }
    payload.wrap(packet, udp.payloadOffset(), udp.payloadBytes());
    if (question.read(payload, 0) == NameSearch.FOUND) {
      seen.name(text(question.name()));
    }
  }

  /** As files of zones have it: RFC 1035, section 5.1. Nothing in it can control a terminal. */
  private static String text(DomainName name) {
    StringBuilder text = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      int each = name.u8(i);
      if (each == '\\' || each == '"') {
        text.append('\\').append((char) each);
      } else if (each >= PRINTABLE_FROM && each <= PRINTABLE_TO) {
        text.append((char) each);
      } else {
        text.append('\\').append((char) ('0' + each / 100));
        text.append((char) ('0' + each / 10 % 10)).append((char) ('0' + each % 10));
      }
    }
    return text.toString();
  }
}
