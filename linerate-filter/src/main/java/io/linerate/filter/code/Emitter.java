package io.linerate.filter.code;

import static io.linerate.filter.code.Opcodes.ABS;
import static io.linerate.filter.code.Opcodes.ADD;
import static io.linerate.filter.code.Opcodes.ALU;
import static io.linerate.filter.code.Opcodes.AND;
import static io.linerate.filter.code.Opcodes.B;
import static io.linerate.filter.code.Opcodes.H;
import static io.linerate.filter.code.Opcodes.IMM;
import static io.linerate.filter.code.Opcodes.IND;
import static io.linerate.filter.code.Opcodes.JEQ;
import static io.linerate.filter.code.Opcodes.JGE;
import static io.linerate.filter.code.Opcodes.JGT;
import static io.linerate.filter.code.Opcodes.JMP;
import static io.linerate.filter.code.Opcodes.JSET;
import static io.linerate.filter.code.Opcodes.K;
import static io.linerate.filter.code.Opcodes.LD;
import static io.linerate.filter.code.Opcodes.LDX;
import static io.linerate.filter.code.Opcodes.LSH;
import static io.linerate.filter.code.Opcodes.MEM;
import static io.linerate.filter.code.Opcodes.MISC;
import static io.linerate.filter.code.Opcodes.MSH;
import static io.linerate.filter.code.Opcodes.TAX;
import static io.linerate.filter.code.Opcodes.W;
import static io.linerate.filter.code.Opcodes.X;

import io.linerate.core.memory.LinkType;
import io.linerate.filter.FilterException;
import java.util.ArrayList;
import java.util.List;

/** Makes loads and comparisons, which all tests are made of, for one link type. */
final class Emitter {
  private static final int ALL_BITS = 0xFFFF_FFFF;

  final LinkLayout layout;
  final Registers registers = new Registers();
  private final String expression;
  private final LinkType type;

  /** Of what is compiled now, for messages. */
  private int column = 1;

  private boolean hasJumpsInBlocks;

  Emitter(String expression, LinkType type) {
    this.expression = expression;
    this.type = type;
    layout = new LinkLayout(type.number());
  }

  void at(int newColumn) {
    column = newColumn;
  }

  FilterException wrong(String problem) {
    return new FilterException(expression, column, problem);
  }

  /** What this link type has not. */
  FilterException unsupported(String what) {
    String problem = "linktype=%s, %s".formatted(LinkType.of(layout.link).name(), what);
    return new FilterException(expression, column, problem, true);
  }

  LinkType type() {
    return type;
  }

  /** Says that there are jumps inside blocks: the optimiser does not know them. */
  void jumpsInBlock() {
    hasJumpsInBlocks = true;
  }

  boolean hasJumpsInBlocks() {
    return hasJumpsInBlocks;
  }

  /** A number that a field has room for. */
  int limited(String word, int value, int max) {
    if (Integer.compareUnsigned(value, max) > 0) {
      throw wrong("%s=%s, most=%d".formatted(word, Integer.toUnsignedString(value), max));
    }
    return value;
  }

  int takeRegister() {
    int register = registers.take();
    if (register == Registers.NONE) {
      throw wrong("the filter needs more registers than there are: most=" + Opcodes.MEMORY_WORDS);
    }
    return register;
  }

  // Loads.

  List<Statement> load(Base base, int offset, int size) {
    return switch (base) {
      case PACKET -> Statement.list(new Statement(LD | ABS | size, offset));
      case LINK_HEADER -> behind(layout.linkHeader, offset, size);
      case PREVIOUS_LINK_HEADER -> behind(layout.previousLinkHeader, offset, size);
      case LINK_TYPE -> behind(layout.linkType, offset, size);
      case LINK_PAYLOAD -> behind(layout.linkPayload, offset, size);
      case PREVIOUS_MPLS_HEADER -> behind(layout.linkPayload, layout.network - 4 + offset, size);
      case NETWORK -> behind(layout.linkPayload, layout.network + offset, size);
      case NETWORK_WITHOUT_SNAP ->
          behind(layout.linkPayload, layout.networkWithoutSnap + offset, size);
      case IPV4_PAYLOAD -> {
        List<Statement> code = loadIpv4HeaderLength();
        code.add(
            new Statement(LD | IND | size, layout.linkPayload.constant + layout.network + offset));
        yield code;
      }
      case IPV6_PAYLOAD -> behind(layout.linkPayload, layout.network + 40 + offset, size);
    };
  }

  private List<Statement> behind(Offset base, int offset, int size) {
    List<Statement> code = loadVariable(base);
    int mode = base.isVariable ? IND : ABS;
    code.add(new Statement(LD | mode | size, base.constant + offset));
    return code;
  }

  /** Loads the variable part of an offset into X; nothing, if it has none. */
  List<Statement> loadVariable(Offset offset) {
    if (!offset.isVariable) {
      return new ArrayList<>();
    }
    if (offset.register == Registers.NONE) {
      offset.register = takeRegister(); // What fills it is put in front of all, in the end.
    }
    return Statement.list(new Statement(LDX | MEM, offset.register));
  }

  /**
   * Loads the length of the IPv4 header into X, together with the variable part of where the link's
   * payload begins.
   */
  List<Statement> loadIpv4HeaderLength() {
    int at = layout.linkPayload.constant + layout.network;
    List<Statement> code = loadVariable(layout.linkPayload);
    if (!layout.linkPayload.isVariable) {
      code.add(new Statement(LDX | MSH | B, at));
      return code;
    }
    code.add(new Statement(LD | IND | B, at));
    code.add(new Statement(ALU | AND | K, 0xF));
    code.add(new Statement(ALU | LSH | K, 2));
    code.add(new Statement(ALU | ADD | X, 0));
    code.add(new Statement(MISC | TAX, 0));
    return code;
  }

  // Comparisons.

  Test equal(Base base, int offset, int size, int value) {
    return compare(base, offset, size, ALL_BITS, JEQ, value);
  }

  Test equal(Base base, int offset, int size, int value, int mask) {
    return compare(base, offset, size, mask, JEQ, value);
  }

  Test greater(Base base, int offset, int size, int value) {
    return compare(base, offset, size, ALL_BITS, JGT, value);
  }

  Test atLeast(Base base, int offset, int size, int value) {
    return compare(base, offset, size, ALL_BITS, JGE, value);
  }

  /** Whether one of the bits is set. */
  Test anyBit(Base base, int offset, int size, int bits) {
    return Test.of(load(base, offset, size), JMP | JSET | K, bits);
  }

  Test compare(Base base, int offset, int size, int mask, int jump, int value) {
    List<Statement> code = load(base, offset, size);
    if (mask != ALL_BITS) {
      code.add(new Statement(ALU | AND | K, mask));
    }
    return Test.of(code, JMP | jump | K, value);
  }

  /** Whether bytes are these, the last ones first: they differ more often. */
  Test bytes(Base base, int offset, byte[] value) {
    int left = value.length;
    int count = part(left);
    left -= count;
    Test all = equal(base, offset + left, size(count), number(value, left, count));
    while (left > 0) {
      count = part(left);
      left -= count;
      all = all.and(equal(base, offset + left, size(count), number(value, left, count)));
    }
    return all;
  }

  /** Bytes that are compared at once, of so many. */
  private static int part(int count) {
    return count >= 4 ? 4 : Math.max(1, count & 2);
  }

  private static int size(int count) {
    return switch (count) {
      case 4 -> W;
      case 2 -> H;
      default -> B;
    };
  }

  static int number(byte[] bytes, int from, int count) {
    int number = 0;
    for (int i = from; i < from + count; i++) {
      number = (number << 8) | (bytes[i] & 0xFF);
    }
    return number;
  }

  /** Holds always, or never. */
  Test constant(boolean holds) {
    return Test.of(Statement.list(new Statement(LD | IMM, holds ? 0 : 1)), JMP | JEQ | K, 0);
  }
}
