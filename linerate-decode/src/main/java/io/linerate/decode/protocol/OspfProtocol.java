package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Layer;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.decode.ValueNames;
import io.linerate.wire.IpProtocol;
import java.util.List;

/**
 * OSPF, versions 2 and 3: a header, a message, and behind what the header calls its length the
 * digest of a cryptographic authentication, a block of link-local signalling, and the trailer of
 * authentication of version 3.
 */
public final class OspfProtocol implements Protocol {
  public static final Fields OSPF =
      Fields.of("ospf", "Open Shortest Path First", "RFC 2328, appendix A.3.1");
  public static final Field VERSION = OSPF.field("ospf.version", 8, DECIMAL, "Version");
  public static final Field TYPE =
      OSPF.field(
          "ospf.msg",
          8,
          DECIMAL,
          "Message",
          ValueNames.from0(
              "Reserved",
              "Hello",
              "Database description",
              "Link state request",
              "Link state update",
              "Link state acknowledgment"));
  public static final Field LENGTH = OSPF.field("ospf.packet_length", 16, DECIMAL, "Length");
  public static final Field ROUTER = OSPF.field("ospf.srcrouter", 32, IPV4, "Router");
  public static final Field AREA = OSPF.field("ospf.area_id", 32, IPV4, "Area");
  public static final Field CHECKSUM = OSPF.field("ospf.checksum", 16, HEX, "Checksum");

  private static final Field AUTHENTICATION =
      OSPF.source("RFC 2328, appendix D")
          .floating(
              "ospf.auth.type",
              16,
              DECIMAL,
              "Authentication",
              ValueNames.from0("None", "Simple password", "Cryptographic"));
  private static final Field AUTH_NONE =
      OSPF.floating("ospf.auth.none", 64, BYTES, "Authentication data");
  private static final Field AUTH_SIMPLE = OSPF.floating("ospf.auth.simple", 64, TEXT, "Password");
  private static final Field AUTH_UNKNOWN =
      OSPF.floating("ospf.auth.unknown", 64, BYTES, "Authentication data");
  private static final Field KEY = OSPF.floating("ospf.auth.crypt.key_id", 8, DECIMAL, "Key");
  private static final Field DIGEST_LENGTH =
      OSPF.floating("ospf.auth.crypt.data_length", 8, DECIMAL, "Digest length");
  private static final Field NUMBER =
      OSPF.floating("ospf.auth.crypt.seq_nbr", 32, DECIMAL, "Sequence number");
  private static final Field DIGEST = OSPF.floating("ospf.auth.crypt.data", 0, BYTES, "Digest");
  private static final Field INSTANCE =
      OSPF.source("RFC 5340, appendix A.3.1").floating("ospf.instance_id", 8, DECIMAL, "Instance");
  static final Field RESERVED = OSPF.floating("ospf.reserved", 0, BYTES, "Reserved");

  static final int VERSION_2 = 2;
  static final int VERSION_3 = 3;
  private static final int HEADER_BYTES_2 = 24;
  private static final int HEADER_BYTES_3 = 16;
  private static final int SIMPLE = 1;
  private static final int CRYPTOGRAPHIC = 2;

  static {
    OspfMessages.declare();
    OSPF.summary(VERSION, TYPE, ROUTER, AREA);
  }

  @Override
  public Fields fields() {
    return OSPF;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.IP_PROTOCOL.key(IpProtocol.OSPF));
  }

  /** What is no message that it knows is data. */
  @Override
  public void scan(Scan scan) {
    int type = scan.number(TYPE);
    int version = scan.number(VERSION);
    if (type == 0 || type > OspfMessages.ACKNOWLEDGMENT) {
      scan.header(version == VERSION_2 ? HEADER_BYTES_2 : HEADER_BYTES_3);
    }
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed();
    Layer layer = dissection.layer();
    if (!layer.has(CHECKSUM)) {
      return;
    }
    int version = (int) layer.value(VERSION);
    int length = (int) layer.value(LENGTH);
    int header = version == VERSION_2 ? HEADER_BYTES_2 : HEADER_BYTES_3;
    if ((version != VERSION_2 && version != VERSION_3) || length < header) {
      dissection.malformed();
      return;
    }
    int digestBytes = version == VERSION_2 ? authentication(dissection, length) : 0;
    if (version == VERSION_3) {
      dissection.add(INSTANCE);
      dissection.add(RESERVED, 1);
    }
    if (layer.payloadBytes() > 0) {
      return;
    }
    int before = dissection.enter(length - header);
    int options = OspfMessages.dissect(dissection, version, (int) layer.value(TYPE));
    dissection.leave(before);
    dissection.skip(Math.min(digestBytes, dissection.left()));
    OspfSignalling.dissect(dissection, version, options);
  }

  /** Bytes of the digest behind the packet. */
  private static int authentication(Dissection dissection, int length) {
    int type = (int) dissection.add(AUTHENTICATION);
    switch (type) {
      case 0 -> dissection.add(AUTH_NONE);
      case SIMPLE -> dissection.add(AUTH_SIMPLE);
      case CRYPTOGRAPHIC -> {
        dissection.skip(2);
        dissection.add(KEY);
        int bytes = (int) dissection.add(DIGEST_LENGTH);
        dissection.add(NUMBER);
        dissection.bytes(DIGEST, length - HEADER_BYTES_2, bytes);
        return bytes;
      }
      default -> dissection.add(AUTH_UNKNOWN);
    }
    return 0;
  }
}
