package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.IPV6;
import static io.linerate.decode.protocol.TcpProtocol.TCP;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Parts;
import io.linerate.decode.ValueNames;

/** The option of Multipath TCP: a subtype in its first four bits says what else is in it. */
final class MultipathTcp {
  private static final int CAPABLE = 0;
  private static final int JOIN = 1;
  private static final int SEQUENCE_SIGNAL = 2;
  private static final int ADD_ADDRESS = 3;
  private static final int REMOVE_ADDRESS = 4;
  private static final int PRIORITY = 5;
  private static final int FAIL = 6;
  private static final int FAST_CLOSE = 7;
  private static final int RESET = 8;

  private static final int ACK_PRESENT = 0x01;
  private static final int ACK_IS_LONG = 0x02;
  private static final int NUMBER_PRESENT = 0x04;
  private static final int NUMBER_IS_LONG = 0x08;
  private static final int OLD_VERSION_6 = 6;
  private static final int OLD_VERSION_4 = 4;
  private static final int PORT_BYTES = 2;
  private static final int CODE_BYTES = 8;
  private static final int IPV6_BYTES = 16;

  /** Bytes of a join behind its first two, by which segment of the handshake it is in. */
  private static final int SYN_BYTES = 10;

  private static final int SYN_ACK_BYTES = 14;

  private static final ValueNames NAMES =
      ValueNames.from0(
          "Multipath capable",
          "Join connection",
          "Data sequence signal",
          "Add address",
          "Remove address",
          "Change priority",
          "Fallback",
          "Fast close",
          "Reset subflow");

  // The first byte has the subtype and, by subtype, more: so it is said first, and read again.
  private static final Field SUBTYPE =
      TCP.source("RFC 8684, section 3")
          .floating("tcp.options.mptcp.subtype", 4, DECIMAL, "Multipath subtype", NAMES);
  private static final Parts VERSION =
      TCP.source("RFC 8684, section 3.1")
          .parts(8)
          .skip(4)
          .part("tcp.options.mptcp.version", 4, DECIMAL, "Multipath version");
  private static final Field FLAGS =
      TCP.floating("tcp.options.mptcp.flags", 8, HEX, "Multipath flags");
  private static final Parts CAPABLE_FLAGS =
      TCP.parts(8)
          .flag("tcp.options.mptcp.checksumreq.flags", "Checksum required")
          .flag("tcp.options.mptcp.extensibility.flag", "Extensibility")
          .flag("tcp.options.mptcp.nomoresubflows.flag", "No more subflows")
          .skip(4)
          .flag("tcp.options.mptcp.sha256.flag", "HMAC-SHA256");
  private static final Field SENDER_KEY =
      TCP.floating("tcp.options.mptcp.sendkey", 64, DECIMAL, "Sender's key");
  private static final Field RECEIVER_KEY =
      TCP.floating("tcp.options.mptcp.recvkey", 64, DECIMAL, "Receiver's key");
  private static final Parts BACKUP =
      TCP.source("RFC 8684, section 3.2")
          .parts(8)
          .skip(7)
          .flag("tcp.options.mptcp.backup.flag", "Backup");
  private static final Field ADDRESS_ID =
      TCP.floating("tcp.options.mptcp.addrid", 8, DECIMAL, "Address identifier");
  private static final Field TOKEN =
      TCP.floating("tcp.options.mptcp.recvtok", 32, DECIMAL, "Receiver's token");
  private static final Field RANDOM =
      TCP.floating("tcp.options.mptcp.sendrand", 32, DECIMAL, "Sender's random number");
  private static final Field SHORT_CODE =
      TCP.floating("tcp.options.mptcp.sendtrunchmac", 64, DECIMAL, "Sender's truncated HMAC");
  private static final Field CODE =
      TCP.floating("tcp.options.mptcp.sendhmac", 0, BYTES, "Sender's HMAC");
  private static final Parts RESERVED =
      TCP.parts(16).skip(4).part("tcp.options.mptcp.reserved", 12, HEX, "Multipath reserved");
  private static final Parts SIGNAL_FLAGS =
      TCP.source("RFC 8684, section 3.3")
          .parts(8)
          .skip(3)
          .flag("tcp.options.mptcp.datafin.flag", "Last data")
          .flag("tcp.options.mptcp.dseqn8.flag", "Data sequence number has 8 bytes")
          .flag("tcp.options.mptcp.dseqnpresent.flag", "Data sequence number present")
          .flag("tcp.options.mptcp.dataack8.flag", "Data acknowledgment has 8 bytes")
          .flag("tcp.options.mptcp.dataackpresent.flag", "Data acknowledgment present");
  private static final Field DATA_ACK =
      TCP.floating("tcp.options.mptcp.rawdataack", 64, DECIMAL, "Data acknowledgment");
  private static final Field DATA_NUMBER =
      TCP.floating("tcp.options.mptcp.rawdataseqno", 64, DECIMAL, "Data sequence number");
  private static final Field SUBFLOW_NUMBER =
      TCP.floating("tcp.options.mptcp.subflowseqno", 32, DECIMAL, "Subflow sequence number");
  private static final Field DATA_LENGTH =
      TCP.floating("tcp.options.mptcp.datalvllen", 16, DECIMAL, "Data length");
  private static final Field CHECKSUM =
      TCP.floating("tcp.options.mptcp.checksum", 16, HEX, "Multipath checksum");
  private static final Parts ADDRESS_VERSION =
      TCP.source("RFC 6824, section 3.4.1")
          .parts(8)
          .skip(4)
          .part("tcp.options.mptcp.ipver", 4, DECIMAL, "IP version");
  private static final Parts ECHO =
      TCP.source("RFC 8684, section 3.4.1")
          .parts(8)
          .skip(7)
          .flag("tcp.options.mptcp.echo", "Echo of an address");
  private static final Field ADDRESS_4 =
      TCP.floating("tcp.options.mptcp.ipv4", 32, IPV4, "Advertised IPv4 address");
  private static final Field ADDRESS_6 =
      TCP.floating("tcp.options.mptcp.ipv6", 128, IPV6, "Advertised IPv6 address");
  private static final Field PORT =
      TCP.floating("tcp.options.mptcp.port", 16, DECIMAL, "Advertised port");
  private static final Field ADDRESS_CODE =
      TCP.floating("tcp.options.mptcp.addaddrtrunchmac", 64, DECIMAL, "Truncated HMAC");
  private static final Parts RESET_FLAGS =
      TCP.source("RFC 8684, section 3.6")
          .parts(8)
          .skip(4)
          .flag("tcp.options.mptcp.flag_U.flag", "Flag U")
          .flag("tcp.options.mptcp.flag_V.flag", "Flag V")
          .flag("tcp.options.mptcp.flag_W.flag", "Flag W")
          .flag("tcp.options.mptcp.flag_T.flag", "Transient");
  private static final Field REASON =
      TCP.floating("tcp.options.mptcp.rst_reason", 8, HEX, "Reason of the reset");

  private MultipathTcp() {}

  static void declare() {}

  static void dissect(Dissection dissection) {
    if (dissection.left() == 0) {
      dissection.malformed();
      return;
    }
    int subtype = dissection.u8(0) >>> 4;
    dissection.value(SUBTYPE, subtype, 0, 1);
    switch (subtype) {
      case CAPABLE -> capable(dissection);
      case JOIN -> join(dissection);
      case SEQUENCE_SIGNAL -> sequenceSignal(dissection);
      case ADD_ADDRESS -> addAddress(dissection);
      case REMOVE_ADDRESS -> {
        dissection.skip(1);
        while (dissection.left() > 0) {
          dissection.add(ADDRESS_ID);
        }
      }
      case PRIORITY -> {
        flags(dissection, BACKUP);
        if (dissection.left() > 0) {
          dissection.add(ADDRESS_ID);
        }
      }
      case FAIL -> {
        dissection.add(RESERVED);
        dissection.add(DATA_NUMBER);
      }
      case FAST_CLOSE -> {
        dissection.add(RESERVED);
        dissection.add(RECEIVER_KEY);
      }
      case RESET -> {
        flags(dissection, RESET_FLAGS);
        dissection.add(REASON);
      }
      default -> {}
    }
  }

  private static void flags(Dissection dissection, Parts parts) {
    dissection.value(FLAGS, dissection.u8(0), 0, 1);
    dissection.add(parts);
  }

  private static void capable(Dissection dissection) {
    dissection.add(VERSION);
    flags(dissection, CAPABLE_FLAGS);
    if (dissection.left() > 0) {
      dissection.add(SENDER_KEY);
    }
    if (dissection.left() > 0) {
      dissection.add(RECEIVER_KEY);
    }
    if (dissection.left() > 0) {
      dissection.add(DATA_LENGTH);
    }
    if (dissection.left() > 0) {
      dissection.add(CHECKSUM);
    }
  }

  private static void join(Dissection dissection) {
    int left = dissection.left();
    if (left != SYN_BYTES && left != SYN_ACK_BYTES) {
      dissection.add(RESERVED);
      dissection.addLeft(CODE);
      return;
    }
    flags(dissection, BACKUP);
    dissection.add(ADDRESS_ID);
    dissection.add(left == SYN_BYTES ? TOKEN : SHORT_CODE);
    dissection.add(RANDOM);
  }

  private static void sequenceSignal(Dissection dissection) {
    dissection.skip(1);
    int flags = dissection.u8(0);
    flags(dissection, SIGNAL_FLAGS);
    if ((flags & ACK_PRESENT) != 0) {
      dissection.add(DATA_ACK, (flags & ACK_IS_LONG) != 0 ? 8 : 4);
    }
    if ((flags & NUMBER_PRESENT) != 0) {
      dissection.add(DATA_NUMBER, (flags & NUMBER_IS_LONG) != 0 ? 8 : 4);
      dissection.add(SUBFLOW_NUMBER);
      dissection.add(DATA_LENGTH);
      if (dissection.left() > 0) {
        dissection.add(CHECKSUM);
      }
    }
  }

  private static void addAddress(Dissection dissection) {
    int version = dissection.u8(0) & 0xF;
    boolean isOld = version == OLD_VERSION_4 || version == OLD_VERSION_6;
    dissection.add(isOld ? ADDRESS_VERSION : ECHO);
    dissection.add(ADDRESS_ID);
    dissection.add(dissection.left() >= IPV6_BYTES ? ADDRESS_6 : ADDRESS_4);
    int left = dissection.left();
    if (left == PORT_BYTES || left == PORT_BYTES + CODE_BYTES) {
      dissection.add(PORT);
    }
    if (dissection.left() > 0) {
      dissection.add(ADDRESS_CODE);
    }
  }
}
