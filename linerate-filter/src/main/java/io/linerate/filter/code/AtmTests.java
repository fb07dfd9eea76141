package io.linerate.filter.code;

import static io.linerate.filter.code.Opcodes.B;
import static io.linerate.filter.code.Opcodes.H;
import static io.linerate.filter.code.Opcodes.JEQ;

import org.jspecify.annotations.Nullable;

/**
 * Packets behind SunATM's header.
 *
 * <pre>
 *  0        1        2                 4
 * +--------+--------+-----------------+---------
 * | kind   | VPI    | VCI             | payload
 * +--------+--------+-----------------+---------
 * </pre>
 */
final class AtmTests {
  static final int PROTOCOL = 0;
  static final int PROTOCOL_MASK = 0x0F;
  static final int PAYLOAD = 4;

  /** LAN emulation. */
  static final int LANE = 1;

  /** IEEE 802.2. */
  static final int LLC = 2;

  /** First bytes of control frames of LAN emulation. */
  static final int LANE_CONTROL = 0xFF00;

  private static final int VPI = 1;
  private static final int VCI = 2;

  /** Type of a message of Q.2931, behind protocol, length and reference of the call. */
  private static final int MESSAGE_TYPE = PAYLOAD + 5;

  private static final int CALL_PROCEEDING = 0x02;
  private static final int SETUP = 0x05;
  private static final int CONNECT = 0x07;
  private static final int CONNECT_ACKNOWLEDGE = 0x0F;
  private static final int RELEASE = 0x4D;
  private static final int RELEASE_COMPLETE = 0x5A;

  private final Emitter emitter;
  private final LinkLayout layout;

  AtmTests(Emitter emitter) {
    this.emitter = emitter;
    layout = emitter.layout;
  }

  /** The test of a keyword, or null if it is another. */
  @Nullable Test word(String word) {
    return switch (word) {
      case "lane" -> lane(word);
      case "metac" -> circuit(word, 1);
      case "bcc" -> circuit(word, 2);
      case "oamf4sc" -> circuit(word, 3);
      case "oamf4ec" -> circuit(word, 4);
      case "sc" -> circuit(word, 5);
      case "ilmic" -> circuit(word, 16);
      case "oam", "oamf4" -> {
        require(word);
        Test either = field(VCI, H, JEQ, 3).or(field(VCI, H, JEQ, 4));
        yield field(VPI, B, JEQ, 0).and(either);
      }
      case "connectmsg" ->
          messages(
              word,
              5,
              SETUP,
              CALL_PROCEEDING,
              CONNECT,
              CONNECT_ACKNOWLEDGE,
              RELEASE,
              RELEASE_COMPLETE);
      case "metaconnect" ->
          messages(word, 1, SETUP, CALL_PROCEEDING, CONNECT, RELEASE, RELEASE_COMPLETE);
      default -> null;
    };
  }

  /** A value of {@code vpi} or {@code vci}. */
  Test field(String word, int jump, int value) {
    require(word);
    return word.equals("vpi") ? field(VPI, B, jump, value) : field(VCI, H, jump, value);
  }

  /** Packets behind IEEE 802.2, as all are meant to be if {@code lane} is not named. */
  Test llc() {
    Test llc = emitter.equal(Base.LINK_HEADER, PROTOCOL, B, LLC, PROTOCOL_MASK);
    layout.link = layout.previousLink;
    return llc;
  }

  private void require(String word) {
    if (!layout.isAtm) {
      throw emitter.unsupported("found=%s; it is for SUNATM".formatted(word));
    }
  }

  private Test field(int offset, int size, int jump, int value) {
    return emitter.compare(Base.LINK_HEADER, offset, size, 0xFFFF_FFFF, jump, value);
  }

  private Test circuit(String word, int vci) {
    require(word);
    return field(VPI, B, JEQ, 0).and(field(VCI, H, JEQ, vci));
  }

  private Test lane(String word) {
    require(word);
    Test lane = emitter.equal(Base.LINK_HEADER, PROTOCOL, B, LANE, PROTOCOL_MASK);
    layout.enter(Links.ETHERNET, false, PAYLOAD + 2, Registers.NONE);
    layout.linkType.constant = layout.linkHeader.constant + 12;
    layout.linkPayload.constant = layout.linkHeader.constant + 14;
    layout.network = 0;
    layout.networkWithoutSnap = 3;
    return lane;
  }

  private Test messages(String word, int vci, int... types) {
    require(word);
    Test any = field(MESSAGE_TYPE, B, JEQ, types[0]).or(field(MESSAGE_TYPE, B, JEQ, types[1]));
    for (int i = 2; i < types.length; i++) {
      any = field(MESSAGE_TYPE, B, JEQ, types[i]).or(any);
    }
    return circuit(word, vci).and(any);
  }
}
