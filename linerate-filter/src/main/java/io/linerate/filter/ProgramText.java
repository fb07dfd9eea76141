package io.linerate.filter;

import io.linerate.filter.code.Opcodes;
import java.util.List;

/** Programs as text, as tcpdump prints them. */
final class ProgramText {
  private static final List<String> OPERATIONS =
      List.of("add", "sub", "mul", "div", "or", "and", "lsh", "rsh", "neg", "mod", "xor");
  private static final List<String> JUMPS = List.of("ja", "jeq", "jgt", "jge", "jset");

  /** What Linux knows besides the bytes, 4 apart: SKF_AD_ of linux/filter.h. */
  private static final List<String> ANCILLARY =
      List.of(
          "proto",
          "type",
          "ifidx",
          "nla",
          "nlan",
          "mark",
          "queue",
          "hatype",
          "rxhash",
          "cpu",
          "xor_x",
          "vlan_tci",
          "vlanp",
          "poff",
          "random",
          "vlan_tpid");

  private ProgramText() {}

  static String of(List<BpfInstruction> instructions, BpfFormat format) {
    StringBuilder text = new StringBuilder();
    if (format == BpfFormat.DECIMAL) {
      text.append(instructions.size()).append('\n');
    }
    for (int i = 0; i < instructions.size(); i++) {
      BpfInstruction each = instructions.get(i);
      text.append(
          switch (format) {
            case ASSEMBLY -> assembly(i, each);
            case C_ARRAY ->
                "{ 0x%x, %d, %d, 0x%08x },"
                    .formatted(each.code(), each.whenTrue(), each.whenFalse(), each.k());
            case DECIMAL ->
                "%d %d %d %s"
                    .formatted(
                        each.code(),
                        each.whenTrue(),
                        each.whenFalse(),
                        Integer.toUnsignedString(each.k()));
          });
      text.append('\n');
    }
    return text.toString();
  }

  private static String assembly(int at, BpfInstruction i) {
    boolean isConditional =
        Opcodes.classOf(i.code()) == Opcodes.JMP && Opcodes.operationOf(i.code()) != Opcodes.JA;
    String start = "(%03d) %-8s ".formatted(at, name(i));
    String operand = operand(at, i);
    return isConditional
        ? "%s%-16s jt %d\tjf %d"
            .formatted(start, operand, at + 1 + i.whenTrue(), at + 1 + i.whenFalse())
        : start + operand;
  }

  private static String name(BpfInstruction i) {
    int code = i.code();
    return switch (Opcodes.classOf(code)) {
      case Opcodes.LD -> "ld" + suffix(code);
      case Opcodes.LDX -> "ldx" + suffix(code);
      case Opcodes.ST -> "st";
      case Opcodes.STX -> "stx";
      case Opcodes.ALU -> OPERATIONS.get(Opcodes.operationOf(code) >> 4);
      case Opcodes.JMP -> JUMPS.get(Opcodes.operationOf(code) >> 4);
      case Opcodes.RET -> "ret";
      default -> (code & 0xF8) == Opcodes.TXA ? "txa" : "tax";
    };
  }

  private static String suffix(int code) {
    return switch (Opcodes.sizeOf(code)) {
      case Opcodes.H -> "h";
      case Opcodes.B -> "b";
      default -> "";
    };
  }

  private static String operand(int at, BpfInstruction i) {
    int code = i.code();
    return switch (Opcodes.classOf(code)) {
      case Opcodes.LD, Opcodes.LDX -> loaded(code, i.k());
      case Opcodes.ST, Opcodes.STX -> "M[%d]".formatted(i.k());
      case Opcodes.RET -> "#%d".formatted(i.k());
      case Opcodes.JMP ->
          Opcodes.operationOf(code) == Opcodes.JA
              ? Integer.toString(at + 1 + i.k())
              : second(code, "#0x%x".formatted(i.k()));
      case Opcodes.ALU -> second(code, constant(code, i.k()));
      default -> "";
    };
  }

  private static String second(int code, String constant) {
    return Opcodes.sourceOf(code) == Opcodes.X ? "x" : constant;
  }

  private static String constant(int code, int k) {
    return switch (Opcodes.operationOf(code)) {
      case Opcodes.AND, Opcodes.OR, Opcodes.XOR -> "#0x%x".formatted(k);
      case Opcodes.NEG -> "";
      default -> "#%d".formatted(k);
    };
  }

  private static String loaded(int code, int k) {
    return switch (Opcodes.modeOf(code)) {
      case Opcodes.IMM -> "#0x%x".formatted(k);
      case Opcodes.ABS -> "[%s]".formatted(place(k));
      case Opcodes.IND -> "[x + %d]".formatted(k);
      case Opcodes.MEM -> "M[%d]".formatted(k);
      case Opcodes.LEN -> "#pktlen";
      default -> "4*([%d]&0xf)".formatted(k);
    };
  }

  private static String place(int k) {
    int ancillary = k - Opcodes.ANCILLARY;
    boolean isNamed = ancillary >= 0 && ancillary < 4 * ANCILLARY.size() && ancillary % 4 == 0;
    return k < 0 && isNamed ? ANCILLARY.get(ancillary / 4) : Integer.toString(k);
  }
}
