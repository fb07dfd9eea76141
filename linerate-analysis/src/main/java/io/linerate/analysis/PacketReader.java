package io.linerate.analysis;

import io.linerate.core.memory.Packet;
import io.linerate.track.flow.FlowMeter;
import io.linerate.track.flow.FlowPacket;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Udp;
import io.linerate.wire.name.DnsQuestion;
import io.linerate.wire.name.NameSearch;
import io.linerate.wire.name.PacketBytes;
import java.security.SecureRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Says of each packet which flow it is of, on one worker. It makes no object. */
final class PacketReader implements Function<Packet, @Nullable Seen> {
  private final FlowMeter meter;
  private final TimeMark mark;
  private final SeenPacket seen = new SeenPacket();
  private final SeenName asked = new SeenName();
  private final DnsQuestion question = new DnsQuestion(false);
  private final PacketBytes payload = new PacketBytes();
  private final Udp udp = new Udp();
  private long evictedBefore;

  PacketReader(AnalysisSettings settings, TimeMark mark) {
    this.mark = mark;
    meter = new FlowMeter(settings.flows(), new SecureRandom(), _ -> {});
  }

  @Override
  public @Nullable Seen apply(Packet packet) {
    if (mark.is(packet)) {
      return mark.read(packet);
    }
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
      asked.set(question.name(), seen.timeNs());
      seen.question(asked);
    }
  }
}
