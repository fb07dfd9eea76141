package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV6;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Parts;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.decode.ValueNames;
import io.linerate.wire.IpProtocol;
import java.util.List;

/** The mobility header: Mobile IPv6. Nothing follows it. */
public final class MobilityProtocol implements Protocol {
  public static final Fields MOBILITY =
      Fields.of("mipv6", "Mobile IPv6", "RFC 6275, section 6.1.1");
  public static final Field PAYLOAD_PROTOCOL =
      MOBILITY.field("mip6.proto", 8, DECIMAL, "Payload protocol");
  public static final Field LENGTH =
      MOBILITY.field("mip6.hlen", 8, DECIMAL, "Length in units of 8 bytes, less 1");
  public static final Field TYPE =
      MOBILITY.field(
          "mip6.mhtype",
          8,
          DECIMAL,
          "Message",
          ValueNames.from0(
              "Binding refresh request",
              "Home test init",
              "Care-of test init",
              "Home test",
              "Care-of test",
              "Binding update",
              "Binding acknowledgment",
              "Binding error",
              "Fast binding update",
              "Fast binding acknowledgment",
              "Fast neighbor advertisement",
              "Experiment",
              "Home agent switch",
              "Heartbeat",
              "Handover initiate",
              "Handover acknowledge",
              "Binding revocation"));
  public static final Field RESERVED = MOBILITY.field("mip6.reserved", 8, HEX, "Reserved");
  public static final Field CHECKSUM = MOBILITY.field("mip6.csum", 16, HEX, "Checksum");

  private static final Field HOME_INIT_COOKIE =
      MOBILITY
          .source("RFC 6275, section 6.1.3")
          .floating("mip6.hoti.cookie", 64, HEX, "Home init cookie");
  private static final Field CARE_OF_INIT_COOKIE =
      MOBILITY.floating("mip6.coti.cookie", 64, HEX, "Care-of init cookie");
  private static final Field HOME_INDEX =
      MOBILITY.floating("mip6.hot.nindex", 16, DECIMAL, "Home nonce index");
  private static final Field HOME_COOKIE =
      MOBILITY.floating("mip6.hot.cookie", 64, HEX, "Home init cookie of the test");
  private static final Field TOKEN = MOBILITY.floating("mip6.hot.token", 64, HEX, "Keygen token");
  private static final Field CARE_OF_INDEX =
      MOBILITY.floating("mip6.cot.nindex", 16, DECIMAL, "Care-of nonce index");
  private static final Field CARE_OF_COOKIE =
      MOBILITY.floating("mip6.cot.cookie", 64, HEX, "Care-of init cookie of the test");
  private static final Field UPDATE_NUMBER =
      MOBILITY
          .source("RFC 6275, section 6.1.7")
          .floating("mip6.bu.seqnr", 16, DECIMAL, "Number of the update");
  private static final Parts UPDATE_FLAGS =
      MOBILITY
          .parts(16)
          .flag("mip6.bu.a_flag", "Acknowledge")
          .flag("mip6.bu.h_flag", "Home registration")
          .flag("mip6.bu.l_flag", "Link-local address compatibility")
          .flag("mip6.bu.k_flag", "Key management mobility")
          .flag("mip6.bu.m_flag", "MAP registration")
          .flag("mip6.nemo.bu.r_flag", "Mobile router")
          .flag("mip6.bu.p_flag", "Proxy registration")
          .flag("mip6.bu.f_flag", "Forcing UDP encapsulation")
          .flag("mip6.bu.t_flag", "TLV header format")
          .flag("mip6.bu.b_flag", "Bulk binding update");
  private static final Field UPDATE_LIFETIME =
      MOBILITY.floating("mip6.bu.lifetime", 16, DECIMAL, "Lifetime in units of 4 s");
  private static final Field ACK_STATUS =
      MOBILITY
          .source("RFC 6275, section 6.1.8")
          .floating("mip6.ba.status", 8, DECIMAL, "Status of the update");
  private static final Parts ACK_FLAGS =
      MOBILITY
          .parts(8)
          .flag("mip6.ba.k_flag", "Key management mobility")
          .flag("mip6.nemo.ba.r_flag", "Mobile router")
          .flag("mip6.ba.p_flag", "Proxy registration")
          .flag("mip6.ba.t_flag", "TLV header format")
          .flag("mip6.ba.b_flag", "Bulk binding update");
  private static final Field ACK_NUMBER =
      MOBILITY.floating("mip6.ba.seqnr", 16, DECIMAL, "Number of the update acknowledged");
  private static final Field ACK_LIFETIME =
      MOBILITY.floating("mip6.ba.lifetime", 16, DECIMAL, "Lifetime granted in units of 4 s");
  private static final Field ERROR_STATUS =
      MOBILITY
          .source("RFC 6275, section 6.1.9")
          .floating("mip6.be.status", 8, DECIMAL, "Status of the error");
  private static final Field ERROR_ADDRESS =
      MOBILITY.floating("mip6.be.haddr", 128, IPV6, "Home address");
  private static final Parts HEARTBEAT =
      MOBILITY
          .source("RFC 5847, section 3.3")
          .parts(8)
          .skip(6)
          .flag("mip6.hb.u_flag", "Unsolicited")
          .flag("mip6.hb.r_flag", "Response");
  private static final Field HEARTBEAT_NUMBER =
      MOBILITY.floating("mip6.hb.seqnr", 32, DECIMAL, "Number of the heartbeat");
  private static final Field OPTION =
      MOBILITY.source("RFC 6275, section 6.2.1").floating("mip6.option", 8, DECIMAL, "Option");
  private static final Field OPTION_LENGTH =
      MOBILITY.floating("mip6.mobility_opt.len", 8, DECIMAL, "Option length");
  private static final Field PADDING = MOBILITY.floating("mip6.padn", 0, BYTES, "Padding");
  private static final Field REFRESH =
      MOBILITY.floating("mip6.bra.interval", 16, DECIMAL, "Refresh interval in units of 4 s");
  private static final Field CARE_OF_ADDRESS =
      MOBILITY.floating("mip6.acoa.acoa", 128, IPV6, "Alternate care-of address");
  private static final Field HOME_NONCE =
      MOBILITY.floating("mip6.ni.hni", 16, DECIMAL, "Home nonce");
  private static final Field CARE_OF_NONCE =
      MOBILITY.floating("mip6.ni.cni", 16, DECIMAL, "Care-of nonce");
  private static final Field AUTHENTICATOR =
      MOBILITY.floating("mip6.bad.auth", 0, BYTES, "Authenticator");
  private static final Field OPTION_DATA =
      MOBILITY.floating("mip6.option.data", 0, BYTES, "Option data");
  private static final Field DATA =
      MOBILITY.floating("mip6.unknown_type_data", 0, BYTES, "Message data");

  private static final int REFRESH_REQUEST = 0;
  private static final int HOME_TEST_INIT = 1;
  private static final int CARE_OF_TEST_INIT = 2;
  private static final int HOME_TEST = 3;
  private static final int CARE_OF_TEST = 4;
  private static final int UPDATE = 5;
  private static final int ACKNOWLEDGMENT = 6;
  private static final int ERROR = 7;
  private static final int HEARTBEAT_MESSAGE = 13;
  private static final int PAD_1 = 0;
  private static final int PAD_N = 1;
  private static final int REFRESH_ADVICE = 2;
  private static final int ALTERNATE_CARE_OF = 3;
  private static final int NONCE_INDICES = 4;
  private static final int AUTHORIZATION = 5;

  /** The number that drafts before RFC 3775 had. */
  private static final int OLD_NUMBER = 62;

  static {
    MOBILITY.summary(TYPE);
  }

  @Override
  public Fields fields() {
    return MOBILITY;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(
        DispatchTable.IP_PROTOCOL.key(IpProtocol.MOBILITY_HEADER),
        DispatchTable.IP_PROTOCOL.key(OLD_NUMBER));
  }

  @Override
  public void scan(Scan scan) {
    scan.header(8 + 8 * scan.number(LENGTH));
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed();
    if (dissection.layer().has(CHECKSUM) && message(dissection)) {
      options(dissection);
    }
  }

  /** Whether options follow it. */
  private static boolean message(Dissection dissection) {
    switch ((int) dissection.layer().value(TYPE)) {
      case REFRESH_REQUEST -> dissection.skip(2);
      case HOME_TEST_INIT -> {
        dissection.skip(2);
        dissection.add(HOME_INIT_COOKIE);
      }
      case CARE_OF_TEST_INIT -> {
        dissection.skip(2);
        dissection.add(CARE_OF_INIT_COOKIE);
      }
      case HOME_TEST -> test(dissection, HOME_INDEX, HOME_COOKIE);
      case CARE_OF_TEST -> test(dissection, CARE_OF_INDEX, CARE_OF_COOKIE);
      case UPDATE -> {
        dissection.add(UPDATE_NUMBER);
        dissection.add(UPDATE_FLAGS);
        dissection.add(UPDATE_LIFETIME);
      }
      case ACKNOWLEDGMENT -> {
        dissection.add(ACK_STATUS);
        dissection.add(ACK_FLAGS);
        dissection.add(ACK_NUMBER);
        dissection.add(ACK_LIFETIME);
      }
      case ERROR -> {
        dissection.add(ERROR_STATUS);
        dissection.skip(1);
        dissection.add(ERROR_ADDRESS);
      }
      case HEARTBEAT_MESSAGE -> {
        dissection.skip(1);
        dissection.add(HEARTBEAT);
        dissection.add(HEARTBEAT_NUMBER);
      }
      default -> {
        dissection.addLeft(DATA);
        return false;
      }
    }
    return true;
  }

  private static void test(Dissection dissection, Field index, Field cookie) {
    dissection.add(index);
    dissection.add(cookie);
    dissection.add(TOKEN);
  }

  private static void options(Dissection dissection) {
    while (dissection.left() > 0) {
      int type = (int) dissection.add(OPTION);
      if (type == PAD_1) {
        continue;
      }
      int length = (int) dissection.add(OPTION_LENGTH);
      int before = dissection.enter(length);
      option(dissection, type);
      dissection.leave(before);
    }
  }

  private static void option(Dissection dissection, int type) {
    switch (type) {
      case PAD_N -> dissection.addLeft(PADDING);
      case REFRESH_ADVICE -> dissection.add(REFRESH);
      case ALTERNATE_CARE_OF -> dissection.add(CARE_OF_ADDRESS);
      case NONCE_INDICES -> {
        dissection.add(HOME_NONCE);
        dissection.add(CARE_OF_NONCE);
      }
      case AUTHORIZATION -> dissection.addLeft(AUTHENTICATOR);
      default -> dissection.addLeft(OPTION_DATA);
    }
  }
}
