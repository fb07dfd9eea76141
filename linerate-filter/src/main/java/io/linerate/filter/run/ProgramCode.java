package io.linerate.filter.run;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;

import io.linerate.core.memory.Packet;
import io.linerate.filter.BpfInstruction;
import io.linerate.filter.code.Opcodes;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/** The bytecode of a program: a static method with a packet and its length as arguments. */
final class ProgramCode {
  static final String LONG = "ofLong";
  static final String SHORTER = "ofShorter";

  private static final ClassDesc PACKET = desc(Packet.class);
  private static final ClassDesc INTEGER = desc(Integer.class);
  private static final ClassDesc OPERATION = desc(Operation.class);
  private static final MethodTypeDesc OF_PACKET = MethodTypeDesc.of(CD_int, CD_int);
  private static final MethodTypeDesc OF_TWO = MethodTypeDesc.of(CD_int, CD_int, CD_int);
  private static final MethodTypeDesc PROGRAM = MethodTypeDesc.of(CD_boolean, PACKET, CD_int);

  private static final long UNSIGNED = 0xFFFF_FFFFL;

  // Variables.
  private static final int PACKET_VARIABLE = 0;
  private static final int LENGTH = 1;
  private static final int A = 2;
  private static final int X = 3;
  private static final int MEMORY = 4;

  private final CodeBuilder code;
  private final List<BpfInstruction> instructions;
  private final int present;
  private final Label[] labels;
  private final Label reject;
  private final boolean isSmallX;

  /**
   * @param present bytes that the packet has, which the caller has made sure of
   */
  ProgramCode(CodeBuilder code, List<BpfInstruction> instructions, int present) {
    this.code = code;
    this.instructions = instructions;
    this.present = present;
    labels = new Label[instructions.size()];
    for (int i = 0; i < labels.length; i++) {
      labels[i] = code.newLabel();
    }
    reject = code.newLabel();
    isSmallX = instructions.stream().allMatch(ProgramCode::leavesXSmall);
  }

  private static ClassDesc desc(Class<?> type) {
    return type.describeConstable().orElseThrow();
  }

  /** Where a load ends that is at a constant place; {@link Long#MAX_VALUE} of others. */
  static long constantEnd(BpfInstruction each) {
    boolean isLoad =
        Opcodes.classOf(each.code()) == Opcodes.LD && Opcodes.modeOf(each.code()) == Opcodes.ABS;
    boolean isHeaderLength =
        Opcodes.classOf(each.code()) == Opcodes.LDX && Opcodes.modeOf(each.code()) == Opcodes.MSH;
    return isLoad || isHeaderLength
        ? (each.k() & UNSIGNED) + Opcodes.bytesOf(each.code())
        : Long.MAX_VALUE;
  }

  /** Whether X is the length of an IPv4 header wherever it is set: most programs set it so only. */
  private static boolean leavesXSmall(BpfInstruction each) {
    return switch (Opcodes.classOf(each.code())) {
      case Opcodes.LDX -> Opcodes.modeOf(each.code()) == Opcodes.MSH;
      case Opcodes.MISC -> (each.code() & 0xF8) == Opcodes.TXA;
      default -> true;
    };
  }

  static void writeChoice(CodeBuilder code, ClassDesc own, int required) {
    int length = 2;
    Label shorter = code.newLabel();
    code.aload(1).invokevirtual(PACKET, "length", MethodTypeDesc.of(CD_int)).istore(length);
    code.iload(length).loadConstant(required).if_icmplt(shorter);
    code.aload(1).iload(length).invokestatic(own, LONG, PROGRAM).ireturn();
    code.labelBinding(shorter);
    code.aload(1).iload(length).invokestatic(own, SHORTER, PROGRAM).ireturn();
  }

  void write() {
    code.iconst_0().istore(A).iconst_0().istore(X);
    for (int word = 0; word < Opcodes.MEMORY_WORDS; word++) {
      if (isUsed(word)) {
        code.iconst_0().istore(MEMORY + word);
      }
    }
    for (int i = 0; i < labels.length; i++) {
      code.labelBinding(labels[i]);
      write(i, instructions.get(i));
    }
    code.labelBinding(reject).iconst_0().ireturn();
  }

  private boolean isUsed(int word) {
    return instructions.stream()
        .anyMatch(each ->
            each.k() == word
                && switch (Opcodes.classOf(each.code())) {
                  case Opcodes.LD, Opcodes.LDX -> Opcodes.modeOf(each.code()) == Opcodes.MEM;
                  case Opcodes.ST, Opcodes.STX -> true;
                  default -> false;
                });
  }

  private void write(int at, BpfInstruction each) {
    switch (Opcodes.classOf(each.code())) {
      case Opcodes.LD -> load(each);
      case Opcodes.LDX -> loadX(each);
      case Opcodes.ST -> code.iload(A).istore(MEMORY + each.k());
      case Opcodes.STX -> code.iload(X).istore(MEMORY + each.k());
      case Opcodes.ALU -> operation(each);
      case Opcodes.JMP -> jump(at, each);
      case Opcodes.RET -> code.loadConstant(each.k() == 0 ? 0 : 1).ireturn();
      default -> {
        boolean isTxa = (each.code() & 0xF8) == Opcodes.TXA;
        code.iload(isTxa ? X : A).istore(isTxa ? A : X);
      }
    }
  }

  private void load(BpfInstruction each) {
    switch (Opcodes.modeOf(each.code())) {
      case Opcodes.IMM -> code.loadConstant(each.k()).istore(A);
      case Opcodes.LEN -> code.iload(LENGTH).istore(A);
      case Opcodes.MEM -> code.iload(MEMORY + each.k()).istore(A);
      case Opcodes.ABS -> {
        if (requireConstant(each)) {
          code.aload(PACKET_VARIABLE).loadConstant(each.k());
          read(each.code());
          code.istore(A);
        }
      }
      default -> indirect(each);
    }
  }

  private void loadX(BpfInstruction each) {
    switch (Opcodes.modeOf(each.code())) {
      case Opcodes.IMM -> code.loadConstant(each.k()).istore(X);
      case Opcodes.LEN -> code.iload(LENGTH).istore(X);
      case Opcodes.MEM -> code.iload(MEMORY + each.k()).istore(X);
      default -> {
        if (requireConstant(each)) {
          code.aload(PACKET_VARIABLE).loadConstant(each.k());
          read(each.code());
          code.loadConstant(0xF).iand().iconst_2().ishl().istore(X);
        }
      }
    }
  }

  /** Rejects the packet, if it ends before a constant place; false if every packet does. */
  private boolean requireConstant(BpfInstruction each) {
    long end = constantEnd(each);
    if (end > Integer.MAX_VALUE) {
      code.goto_(reject);
      return false;
    }
    if (end > present) {
      code.iload(LENGTH).loadConstant((int) end).if_icmplt(reject);
    }
    return true;
  }

  private void indirect(BpfInstruction each) {
    int bytes = Opcodes.bytesOf(each.code());
    if (isSmallX && each.k() >= 0 && each.k() < Short.MAX_VALUE) {
      code.iload(X).loadConstant(each.k() + bytes).iadd().iload(LENGTH).if_icmpgt(reject);
    } else {
      code.iload(X).i2l().loadConstant(UNSIGNED).land();
      code.loadConstant((each.k() & UNSIGNED) + bytes).ladd();
      code.iload(LENGTH).i2l().lcmp().ifgt(reject);
    }
    code.aload(PACKET_VARIABLE).iload(X).loadConstant(each.k()).iadd();
    read(each.code());
    code.istore(A);
  }

  /** Of packet and place, which are on the stack. */
  private void read(int opcode) {
    String name =
        switch (Opcodes.sizeOf(opcode)) {
          case Opcodes.W -> "i32";
          case Opcodes.H -> "u16";
          default -> "u8";
        };
    code.invokevirtual(PACKET, name, OF_PACKET);
  }

  private void second(BpfInstruction each) {
    if (Opcodes.sourceOf(each.code()) == Opcodes.X) {
      code.iload(X);
    } else {
      code.loadConstant(each.k());
    }
  }

  private void operation(BpfInstruction each) {
    if (Operation.divides(each.code())) {
      second(each);
      code.ifeq(reject);
    }
    code.iload(A);
    int operation = Opcodes.operationOf(each.code());
    if (operation != Opcodes.NEG) {
      second(each);
    }
    switch (operation) {
      case Opcodes.ADD -> code.iadd();
      case Opcodes.SUB -> code.isub();
      case Opcodes.MUL -> code.imul();
      case Opcodes.DIV -> code.invokestatic(INTEGER, "divideUnsigned", OF_TWO);
      case Opcodes.MOD -> code.invokestatic(INTEGER, "remainderUnsigned", OF_TWO);
      case Opcodes.AND -> code.iand();
      case Opcodes.OR -> code.ior();
      case Opcodes.XOR -> code.ixor();
      case Opcodes.LSH -> code.invokestatic(OPERATION, "shiftLeft", OF_TWO);
      case Opcodes.RSH -> code.invokestatic(OPERATION, "shiftRight", OF_TWO);
      default -> code.ineg();
    }
    code.istore(A);
  }

  private void jump(int at, BpfInstruction each) {
    int operation = Opcodes.operationOf(each.code());
    if (operation == Opcodes.JA) {
      code.goto_(labels[at + 1 + each.k()]);
      return;
    }
    Label whenTrue = labels[at + 1 + each.whenTrue()];
    Label whenFalse = labels[at + 1 + each.whenFalse()];
    code.iload(A);
    second(each);
    if (each.whenTrue() == 0) {
      leaveIfNot(operation, whenFalse);
    } else {
      leaveIf(operation, whenTrue);
      if (each.whenFalse() != 0) {
        code.goto_(whenFalse);
      }
    }
  }

  private void leaveIf(int operation, Label label) {
    switch (operation) {
      case Opcodes.JEQ -> code.if_icmpeq(label);
      case Opcodes.JGT -> compareUnsigned().ifgt(label);
      case Opcodes.JGE -> compareUnsigned().ifge(label);
      default -> code.iand().ifne(label);
    }
  }

  private void leaveIfNot(int operation, Label label) {
    switch (operation) {
      case Opcodes.JEQ -> code.if_icmpne(label);
      case Opcodes.JGT -> compareUnsigned().ifle(label);
      case Opcodes.JGE -> compareUnsigned().iflt(label);
      default -> code.iand().ifeq(label);
    }
  }

  private CodeBuilder compareUnsigned() {
    return code.invokestatic(INTEGER, "compareUnsigned", OF_TWO);
  }
}
