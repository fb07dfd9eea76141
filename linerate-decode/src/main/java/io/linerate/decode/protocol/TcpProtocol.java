package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.LayerBuilder;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Tcp;
import java.util.List;

/** TCP. */
public final class TcpProtocol implements Protocol {
  public static final Fields TCP =
      Fields.of("tcp", "Transmission Control Protocol", "RFC 9293, section 3.1");
  public static final Field SOURCE_PORT = TCP.field("tcp.srcport", 16, DECIMAL, "Source port");
  public static final Field DESTINATION_PORT =
      TCP.field("tcp.dstport", 16, DECIMAL, "Destination port");
  public static final Field LENGTH = TCP.floating("tcp.len", 32, DECIMAL, "Bytes of the segment");
  public static final Field SEQUENCE = TCP.field("tcp.seq_raw", 32, DECIMAL, "Sequence number");
  public static final Field ACKNOWLEDGMENT =
      TCP.field("tcp.ack_raw", 32, DECIMAL, "Acknowledgment number");
  public static final Field HEADER_LENGTH =
      TCP.scaled("tcp.hdr_len", 4, 4, DECIMAL, "Header length");
  public static final Field FLAGS = TCP.part("tcp.flags", 100, 12, 16, HEX, "Flags");
  public static final Field RESERVED = TCP.field("tcp.flags.res", 3, FLAG, "Reserved");
  public static final Field ACCURATE_ECN = TCP.field("tcp.flags.ae", 1, FLAG, "Accurate ECN");
  public static final Field CWR = TCP.field("tcp.flags.cwr", 1, FLAG, "Congestion window reduced");
  public static final Field ECE = TCP.field("tcp.flags.ece", 1, FLAG, "ECN-Echo");
  public static final Field URG = TCP.field("tcp.flags.urg", 1, FLAG, "Urgent");
  public static final Field ACK = TCP.field("tcp.flags.ack", 1, FLAG, "Acknowledgment");
  public static final Field PSH = TCP.field("tcp.flags.push", 1, FLAG, "Push");
  public static final Field RST = TCP.field("tcp.flags.reset", 1, FLAG, "Reset");
  public static final Field SYN = TCP.field("tcp.flags.syn", 1, FLAG, "Syn");
  public static final Field FIN = TCP.field("tcp.flags.fin", 1, FLAG, "Fin");
  public static final Field WINDOW = TCP.field("tcp.window_size_value", 16, DECIMAL, "Window");
  public static final Field CHECKSUM = TCP.field("tcp.checksum", 16, HEX, "Checksum");
  public static final Field URGENT_POINTER =
      TCP.field("tcp.urgent_pointer", 16, DECIMAL, "Urgent pointer");
  public static final Field FLAGS_TEXT = TCP.floating("tcp.flags.str", 16, TEXT, "Flags");
  public static final Field OPTIONS = TCP.floating("tcp.options", 0, BYTES, "Options");
  public static final Field STREAM = TCP.floating("tcp.stream", 32, DECIMAL, "Stream");
  public static final Field PAYLOAD = TCP.floating("tcp.payload", 0, BYTES, "Payload");

  private static final int USUAL_WINDOW = 65_535;
  private static final String FLAG_LETTERS = "RRRACEUAPRSF";
  private static final char UNSET_FLAG = '\u00b7';
  private static final int FLAGS_OFFSET = 12;

  static {
    TcpOptions.declare();
    TCP.alias("tcp.port", SOURCE_PORT, DESTINATION_PORT);
    TCP.summary(
        "SYN|tcp.flags.syn",
        "FIN|tcp.flags.fin",
        "RST|tcp.flags.reset",
        "PSH|tcp.flags.push",
        "ACK|tcp.flags.ack",
        "URG|tcp.flags.urg",
        "ECE|tcp.flags.ece",
        "CWR|tcp.flags.cwr",
        "seq=|tcp.seq_raw",
        "ack=|tcp.ack_raw",
        "win=|tcp.window_size_value",
        "len=|tcp.len");
  }

  @Override
  public Fields fields() {
    return TCP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.IP_PROTOCOL.key(IpProtocol.TCP));
  }

  @Override
  public void scan(Scan scan) {
    int headerBytes = scan.number(HEADER_LENGTH);
    int _ = scan.number(URGENT_POINTER);
    if (headerBytes < Tcp.HEADER_BYTES) {
      scan.malformed();
      return;
    }
    scan.header(headerBytes);
    scan.nextOfPorts(
        DispatchTable.TCP_PORT, scan.number(SOURCE_PORT), scan.number(DESTINATION_PORT));
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed();
    if (!dissection.wantsMore()) {
      return;
    }
    if (dissection.layer().has(URGENT_POINTER)) {
      dissection.value(LENGTH, dissection.layer().claimedPayloadBytes(), 0, 0);
      flagsText(dissection);
      stream(dissection);
    }
    int left = dissection.left();
    if (left > 0) {
      dissection.bytes(OPTIONS, 0, left);
      TcpOptions.dissect(dissection);
    }
    dissection.payload(PAYLOAD);
  }

  @Override
  public void complete(LayerBuilder layer) {
    layer.complete(HEADER_LENGTH, layer.length());
    layer.complete(WINDOW, USUAL_WINDOW);
    if (!layer.isSet(CHECKSUM)) {
      layer.complete(CHECKSUM, PseudoHeader.checksum(layer, IpProtocol.TCP));
    }
  }

  private static void stream(Dissection dissection) {
    if (dissection.wants(STREAM)) {
      long number = dissection.stream();
      if (number >= 0) {
        dissection.value(STREAM, number, 0, 0);
      }
    }
  }

  private static void flagsText(Dissection dissection) {
    if (!dissection.wants(FLAGS_TEXT)) {
      return;
    }
    StringBuilder text = dissection.text();
    int flags = (int) dissection.layer().value(FLAGS);
    for (int i = 0; i < FLAG_LETTERS.length(); i++) {
      boolean isSet = (flags & (0x800 >>> i)) != 0;
      text.append(isSet ? FLAG_LETTERS.charAt(i) : UNSET_FLAG);
    }
    dissection.text(FLAGS_TEXT, text, FLAGS_OFFSET - dissection.offset(), 2);
  }
}
