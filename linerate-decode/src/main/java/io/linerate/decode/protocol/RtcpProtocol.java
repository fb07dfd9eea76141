package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.SIGNED;
import static io.linerate.decode.Kind.TEXT;
import static io.linerate.decode.Kind.TIME;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.decode.ValueNames;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A packet of the control protocol of RTP; several follow each other in a datagram, each a layer.
 * It has no port of its own: bind those that are used.
 */
public final class RtcpProtocol implements Protocol {
  public static final Fields RTCP =
      Fields.of("rtcp", "RTP Control Protocol", "RFC 3550, section 6.4.1");
  public static final Field VERSION = RTCP.field("rtcp.version", 2, DECIMAL, "Version");
  public static final Field PADDING = RTCP.field("rtcp.padding", 1, FLAG, "Padding");
  public static final Field REPORTS = RTCP.floating("rtcp.rc", 5, DECIMAL, "Reports");
  public static final Field SOURCES = RTCP.floating("rtcp.sc", 5, DECIMAL, "Sources");
  public static final Field SUBTYPE = RTCP.floating("rtcp.app.subtype", 5, DECIMAL, "Subtype");
  public static final Field TRANSPORT_FORMAT =
      RTCP.source("RFC 4585, section 6.1")
          .floating("rtcp.rtpfb.fmt", 5, DECIMAL, "Transport feedback format");
  public static final Field PAYLOAD_FORMAT =
      RTCP.floating("rtcp.psfb.fmt", 5, DECIMAL, "Payload feedback format");
  public static final Field TYPE =
      RTCP.source("RFC 3550, section 6.4.1")
          .at(1)
          .field(
              "rtcp.pt",
              8,
              DECIMAL,
              "Packet type",
              ValueNames.of(
                  Map.of(
                      200,
                      "sender report",
                      201,
                      "receiver report",
                      202,
                      "source description",
                      203,
                      "goodbye",
                      204,
                      "application",
                      205,
                      "transport feedback",
                      206,
                      "payload feedback",
                      207,
                      "extended report")));
  public static final Field LENGTH = RTCP.field("rtcp.length", 16, DECIMAL, "Length in 4 B");
  public static final Field SENDER = RTCP.floating("rtcp.senderssrc", 32, HEX, "Sender");
  public static final Field SECONDS =
      RTCP.floating("rtcp.timestamp.ntp.msw", 32, DECIMAL, "NTP seconds");
  public static final Field FRACTION =
      RTCP.floating("rtcp.timestamp.ntp.lsw", 32, DECIMAL, "NTP fraction");
  public static final Field TIME_OF_REPORT = RTCP.floating("rtcp.timestamp.ntp", 64, TIME, "Time");
  public static final Field RTP_TIMESTAMP =
      RTCP.floating("rtcp.timestamp.rtp", 32, DECIMAL, "RTP timestamp");
  public static final Field PACKETS =
      RTCP.floating("rtcp.sender.packetcount", 32, DECIMAL, "Sender's packets");
  public static final Field OCTETS =
      RTCP.floating("rtcp.sender.octetcount", 32, DECIMAL, "Sender's octets");
  public static final Field SOURCE = RTCP.floating("rtcp.ssrc.identifier", 32, HEX, "Source");
  public static final Field LOST_FRACTION =
      RTCP.floating("rtcp.ssrc.fraction", 8, DECIMAL, "Lost in 1/256");
  public static final Field LOST = RTCP.floating("rtcp.ssrc.cum_nr", 24, SIGNED, "Lost");
  public static final Field HIGHEST =
      RTCP.floating("rtcp.ssrc.ext_high", 32, DECIMAL, "Highest sequence number");
  public static final Field CYCLES =
      RTCP.floating("rtcp.ssrc.high_cycles", 16, DECIMAL, "Sequence cycles");
  public static final Field SEQUENCE =
      RTCP.floating("rtcp.ssrc.high_seq", 16, DECIMAL, "Sequence number");
  public static final Field JITTER = RTCP.floating("rtcp.ssrc.jitter", 32, DECIMAL, "Jitter");
  public static final Field LAST_REPORT =
      RTCP.floating("rtcp.ssrc.lsr", 32, DECIMAL, "Last sender report");
  public static final Field SINCE_REPORT =
      RTCP.floating("rtcp.ssrc.dlsr", 32, DECIMAL, "Since then in 1/65,536 s");
  public static final Field ITEM =
      RTCP.source("RFC 3550, section 6.5")
          .floating(
              "rtcp.sdes.type",
              8,
              DECIMAL,
              "Item",
              ValueNames.from0(
                  "end", "name", "user", "mail", "phone", "location", "tool", "note", "private"));
  public static final Field ITEM_LENGTH = RTCP.floating("rtcp.sdes.length", 32, DECIMAL, "Length");
  public static final Field PREFIX_LENGTH =
      RTCP.floating("rtcp.sdes.prefix.length", 8, DECIMAL, "Prefix length");
  public static final Field PREFIX = RTCP.floating("rtcp.sdes.prefix.string", 0, TEXT, "Prefix");
  public static final Field ITEM_TEXT = RTCP.floating("rtcp.sdes.text", 0, TEXT, "Text");
  public static final Field NAME =
      RTCP.source("RFC 3550, section 6.7").floating("rtcp.app.name", 0, TEXT, "Name");
  public static final Field DATA = RTCP.floating("rtcp.app.data", 0, BYTES, "Data");
  public static final Field MEDIA =
      RTCP.source("RFC 4585, section 6.1").floating("rtcp.mediassrc", 32, HEX, "Media source");
  public static final Field LOST_PACKET =
      RTCP.source("RFC 4585, section 6.2.1")
          .floating("rtcp.rtpfb.nack_pid", 16, DECIMAL, "Lost packet");
  public static final Field LOST_PACKETS =
      RTCP.floating("rtcp.rtpfb.nack_blp", 16, HEX, "Lost packets after it");
  public static final Field FEEDBACK =
      RTCP.source("RFC 4585, section 6.1").floating("rtcp.fci", 0, BYTES, "Feedback");
  public static final Field EXTENSION =
      RTCP.source("RFC 3550, section 6.4.3")
          .floating("rtcp.report.extension", 0, BYTES, "Profile's extension");
  public static final Field PADDING_DATA =
      RTCP.floating("rtcp.padding.data", 0, BYTES, "Padding's bytes");
  public static final Field PADDING_COUNT =
      RTCP.floating("rtcp.padding.count", 8, DECIMAL, "Padding's length");

  private static final int HEADER_BYTES = 4;
  private static final int SENDER_REPORT = 200;
  private static final int RECEIVER_REPORT = 201;
  private static final int DESCRIPTION = 202;
  private static final int GOODBYE = 203;
  private static final int APPLICATION = 204;
  private static final int TRANSPORT_FEEDBACK = 205;
  private static final int PAYLOAD_FEEDBACK = 206;
  private static final int REPORT_BYTES = 24;
  private static final int PRIVATE_ITEM = 8;

  static {
    RTCP.summary("rtcp.pt", "sender=|rtcp.senderssrc", "rtcp.sdes.text");
  }

  @Override
  public Fields fields() {
    return RTCP;
  }

  @Override
  public void scan(Scan scan) {
    if (!scan.has(0, HEADER_BYTES) || scan.number(VERSION) != 2) {
      scan.refuse();
      return;
    }
    scan.header(HEADER_BYTES + 4 * scan.number(LENGTH));
    scan.next(this);
  }

  @Override
  public void dissect(Dissection dissection) {
    int first = dissection.u8(0);
    int type = dissection.u8(1);
    dissection.fixed(VERSION);
    dissection.fixed(PADDING);
    Field count = count(type);
    if (count != null) {
      dissection.value(count, first & 0x1F, -1, 1);
    }
    dissection.fixed(TYPE);
    dissection.fixed(LENGTH);
    int padding = (first & 0x20) != 0 ? padding(dissection) : 0;
    int before = dissection.enter(dissection.left() - padding);
    body(dissection, type, first & 0x1F);
    dissection.leave(before);
    if (padding > 0) {
      if (padding > 1) {
        dissection.add(PADDING_DATA, padding - 1);
      }
      dissection.add(PADDING_COUNT);
    }
  }

  private static int padding(Dissection dissection) {
    int left = dissection.left();
    int count = left == 0 ? 0 : dissection.u8(left - 1);
    if (count > left) {
      dissection.malformed();
      return 0;
    }
    return count;
  }

  private static @Nullable Field count(int type) {
    return switch (type) {
      case SENDER_REPORT, RECEIVER_REPORT -> REPORTS;
      case DESCRIPTION, GOODBYE -> SOURCES;
      case APPLICATION -> SUBTYPE;
      case TRANSPORT_FEEDBACK -> TRANSPORT_FORMAT;
      case PAYLOAD_FEEDBACK -> PAYLOAD_FORMAT;
      default -> null;
    };
  }

  private static void body(Dissection dissection, int type, int count) {
    switch (type) {
      case SENDER_REPORT -> {
        dissection.add(SENDER);
        sender(dissection);
        reports(dissection, count);
      }
      case RECEIVER_REPORT -> {
        dissection.add(SENDER);
        reports(dissection, count);
      }
      case DESCRIPTION -> description(dissection, count);
      case GOODBYE -> goodbye(dissection, count);
      case APPLICATION -> application(dissection);
      case TRANSPORT_FEEDBACK, PAYLOAD_FEEDBACK ->
          feedback(dissection, type == TRANSPORT_FEEDBACK && count == 1);
      default -> {}
    }
  }

  private static void sender(Dissection dissection) {
    if (!dissection.has(Long.BYTES)) {
      dissection.skip(Long.BYTES);
      return;
    }
    long time = dissection.u64(0);
    dissection.add(SECONDS);
    dissection.add(FRACTION);
    dissection.value(TIME_OF_REPORT, NtpProtocol.timeNs(time), -Long.BYTES, Long.BYTES);
    dissection.add(RTP_TIMESTAMP);
    dissection.add(PACKETS);
    dissection.add(OCTETS);
  }

  private static void reports(Dissection dissection, int count) {
    for (int i = 0; i < count; i++) {
      if (!dissection.has(REPORT_BYTES)) {
        dissection.skip(REPORT_BYTES);
        return;
      }
      dissection.add(SOURCE);
      dissection.add(LOST_FRACTION);
      dissection.add(LOST);
      long highest = dissection.add(HIGHEST);
      dissection.value(CYCLES, highest >>> Short.SIZE, -4, 2);
      dissection.value(SEQUENCE, highest & 0xFFFF, -2, 2);
      dissection.add(JITTER);
      dissection.add(LAST_REPORT);
      dissection.add(SINCE_REPORT);
    }
    if (dissection.left() > 0) {
      dissection.add(EXTENSION, dissection.left());
    }
  }

  /** Each source begins at a multiple of four bytes: RFC 3550, section 6.5. */
  private static void description(Dissection dissection, int count) {
    int sources = count;
    for (int i = 0; i < count && dissection.has(4); i++) {
      dissection.add(SOURCE);
      int type;
      do {
        type = (int) dissection.add(ITEM);
        if (type != 0) {
          item(dissection, type);
        }
      } while (type != 0 && dissection.left() > 0);
      dissection.skip(Math.min(-dissection.offset() & 3, dissection.left()));
      sources--;
    }
    if (sources > 0) {
      dissection.malformed();
    }
  }

  private static void item(Dissection dissection, int type) {
    int bytes = (int) dissection.add(ITEM_LENGTH, 1);
    if (!dissection.has(bytes)) {
      dissection.skip(bytes);
      return;
    }
    int before = dissection.enter(bytes);
    if (type == PRIVATE_ITEM && bytes > 0) {
      dissection.add(PREFIX, (int) dissection.add(PREFIX_LENGTH));
    }
    dissection.add(ITEM_TEXT, dissection.left());
    dissection.leave(before);
  }

  private static void goodbye(Dissection dissection, int count) {
    for (int i = 0; i < count; i++) {
      dissection.add(SOURCE);
    }
    if (dissection.left() > 0) {
      dissection.add(ITEM_TEXT, (int) dissection.add(ITEM_LENGTH, 1));
    }
  }

  private static void application(Dissection dissection) {
    dissection.add(SOURCE);
    dissection.add(NAME, 4);
    if (dissection.left() > 0) {
      dissection.add(DATA, dissection.left());
    }
  }

  private static void feedback(Dissection dissection, boolean isLoss) {
    dissection.add(SENDER);
    dissection.add(MEDIA);
    while (isLoss && dissection.left() > 0) {
      loss(dissection);
    }
    if (dissection.left() > 0) {
      dissection.add(FEEDBACK, dissection.left());
    }
  }

  private static void loss(Dissection dissection) {
    int first = (int) dissection.add(LOST_PACKET);
    int after = (int) dissection.add(LOST_PACKETS);
    for (int bits = after; bits != 0; bits &= bits - 1) {
      int packet = first + 1 + Integer.numberOfTrailingZeros(bits);
      dissection.value(LOST_PACKET, packet & 0xFFFF, -2, 2);
    }
  }
}
