package io.linerate.filter.code;

import static io.linerate.filter.code.Opcodes.ABS;
import static io.linerate.filter.code.Opcodes.ADD;
import static io.linerate.filter.code.Opcodes.ALU;
import static io.linerate.filter.code.Opcodes.AND;
import static io.linerate.filter.code.Opcodes.B;
import static io.linerate.filter.code.Opcodes.IMM;
import static io.linerate.filter.code.Opcodes.IND;
import static io.linerate.filter.code.Opcodes.JA;
import static io.linerate.filter.code.Opcodes.JEQ;
import static io.linerate.filter.code.Opcodes.JMP;
import static io.linerate.filter.code.Opcodes.JSET;
import static io.linerate.filter.code.Opcodes.K;
import static io.linerate.filter.code.Opcodes.LD;
import static io.linerate.filter.code.Opcodes.LDX;
import static io.linerate.filter.code.Opcodes.LSH;
import static io.linerate.filter.code.Opcodes.MEM;
import static io.linerate.filter.code.Opcodes.MISC;
import static io.linerate.filter.code.Opcodes.ST;
import static io.linerate.filter.code.Opcodes.TAX;
import static io.linerate.filter.code.Opcodes.TXA;
import static io.linerate.filter.code.Opcodes.W;
import static io.linerate.filter.code.Opcodes.X;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What stands in front of a program for links whose headers have no fixed length: it works out
 * where they end, if a test wants to know, and leaves that in scratch memory.
 */
final class VariableHeaders {
  private static final int PRISM_BYTES = 144;
  private static final int AVS_MAGIC = 0x8021_1000;
  private static final int AVS_MAGIC_MASK = 0xFFFF_F000;

  /** Header of a data frame of IEEE 802.11 with three addresses. */
  private static final int DATA_HEADER_BYTES = 24;

  private static final int QOS_BYTES = 2;

  /** Bits of radiotap's first word of presence, in network order: it is little-endian. */
  private static final int RADIOTAP_TSFT = Integer.reverseBytes(1);

  private static final int RADIOTAP_FLAGS = Integer.reverseBytes(1 << 1);
  private static final int RADIOTAP_MORE = Integer.reverseBytes(1 << 31);

  /** Flag of radiotap: the header is padded to a multiple of 4 bytes. */
  private static final int DATA_IS_PADDED = 0x20;

  private final Emitter emitter;
  private final LinkLayout layout;

  VariableHeaders(Emitter emitter) {
    this.emitter = emitter;
    layout = emitter.layout;
  }

  /** Puts it in front of the first block. */
  void insert(Block first) {
    int link = layout.outermostLink;
    if (link == Links.PRISM) {
      emitter.jumpsInBlock(); // Whether there are any or not: as libpcap does.
    }
    int payload = layout.outermostPayloadRegister();
    boolean needsPayload = payload != Registers.NONE;
    if (needsPayload && hasRadioHeader(link) && !needsHeader()) {
      layout.outermostHeaderRegister(emitter.takeRegister());
    }
    List<Statement> code = new ArrayList<>();
    if (needsHeader()) {
      code.addAll(radioHeader(link));
    }
    if (needsPayload && Links.isWireless(link)) {
      // There is always a statement: whoever needs the register has loaded it.
      wirelessHeader(
          code, payload, first.statements.isEmpty() ? null : first.statements.getFirst());
    }
    if (needsPayload && link == Links.PFLOG) {
      code.addAll(LogTests.length());
      store(code, payload);
    }
    first.setInFront(code);
  }

  private static boolean hasRadioHeader(int link) {
    return Links.isWireless(link) && link != Links.IEEE802_11;
  }

  private boolean needsHeader() {
    return layout.outermostHeaderRegister() != Registers.NONE;
  }

  private static void store(List<Statement> code, int register) {
    code.add(new Statement(ST, register));
    code.add(new Statement(MISC | TAX, 0));
  }

  private List<Statement> radioHeader(int link) {
    List<Statement> code = new ArrayList<>();
    switch (link) {
      case Links.PRISM -> prism(code);
      case Links.AVS -> code.add(new Statement(LD | W | ABS, 4));
      case Links.RADIOTAP, Links.PPI -> littleEndianLength(code);
      default -> {
        return code;
      }
    }
    store(code, layout.outermostHeaderRegister());
    return code;
  }

  /** Some drivers say Prism, and bring an AVS header, which says its length. */
  private static void prism(List<Statement> code) {
    code.add(new Statement(LD | W | ABS, 0));
    code.add(new Statement(ALU | AND | K, AVS_MAGIC_MASK));
    Statement isAvs = new Statement(JMP | JEQ | K, AVS_MAGIC);
    code.add(isAvs);
    Statement avs = new Statement(LD | W | ABS, 4);
    isAvs.whenTrue = avs;
    code.add(avs);
    code.add(new Statement(JMP | JA, 1));
    Statement prism = new Statement(LD | IMM, PRISM_BYTES);
    isAvs.whenFalse = prism;
    code.add(prism);
  }

  private static void littleEndianLength(List<Statement> code) {
    code.add(new Statement(LD | B | ABS, 3));
    code.add(new Statement(ALU | LSH | K, 8));
    code.add(new Statement(MISC | TAX, 0));
    code.add(new Statement(LD | B | ABS, 2));
    code.add(new Statement(ALU | Opcodes.OR | X, 0));
  }

  /**
   * Adds the length of the header of IEEE 802.11, clause 9.3.2: two bytes more with QoS.
   *
   * @param next what follows
   */
  private void wirelessHeader(List<Statement> code, int register, @Nullable Statement next) {
    emitter.jumpsInBlock();
    if (code.isEmpty()) {
      code.add(new Statement(LDX | IMM, layout.outermostConstant));
    }
    code.add(new Statement(MISC | TXA, 0));
    code.add(new Statement(ALU | ADD | K, DATA_HEADER_BYTES));
    code.add(new Statement(ST, register));
    code.add(new Statement(LD | IND | B, 0));
    Statement isNoManagement = bit(code, 0x08);
    Statement isControl = bit(code, 0x04);
    Statement hasQos = bit(code, 0x80);
    isNoManagement.whenTrue = isControl;
    isNoManagement.whenFalse = next;
    isControl.whenTrue = next;
    isControl.whenFalse = hasQos;
    Statement longer = new Statement(LD | MEM, register);
    hasQos.whenTrue = longer;
    code.add(longer);
    code.add(new Statement(ALU | ADD | K, QOS_BYTES));
    code.add(new Statement(ST, register));
    hasQos.whenFalse =
        layout.outermostLink == Links.RADIOTAP ? padding(code, register, next) : next;
  }

  private static Statement bit(List<Statement> code, int bits) {
    Statement test = new Statement(JMP | JSET | K, bits);
    code.add(test);
    return test;
  }

  /** Rounds the length up, if radiotap says so. */
  private static Statement padding(List<Statement> code, int register, @Nullable Statement next) {
    Statement presence = new Statement(LD | ABS | W, 4);
    code.add(presence);
    Statement hasFlags = bit(code, RADIOTAP_FLAGS);
    Statement hasMore = bit(code, RADIOTAP_MORE);
    Statement hasTime = bit(code, RADIOTAP_TSFT);
    Statement behindTime = new Statement(LD | ABS | B, 16);
    code.add(behindTime);
    Statement isPadded = bit(code, DATA_IS_PADDED);
    Statement withoutTime = new Statement(LD | ABS | B, 8);
    code.add(withoutTime);
    Statement isPaddedToo = bit(code, DATA_IS_PADDED);
    Statement round = new Statement(LD | MEM, register);
    code.add(round);
    code.add(new Statement(ALU | ADD | K, 3));
    code.add(new Statement(ALU | AND | K, ~3));
    code.add(new Statement(ST, register));
    hasFlags.whenFalse = next;
    hasFlags.whenTrue = hasMore;
    hasMore.whenTrue = next;
    hasMore.whenFalse = hasTime;
    hasTime.whenTrue = behindTime;
    hasTime.whenFalse = withoutTime;
    for (Statement each : new Statement[] {isPadded, isPaddedToo}) {
      each.whenTrue = round;
      each.whenFalse = next;
    }
    return presence;
  }
}
