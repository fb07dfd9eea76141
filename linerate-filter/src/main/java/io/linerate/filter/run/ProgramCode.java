package io.linerate.filter.run;

import static java.lang.constant.ConstantDescs.CD_int;

import io.linerate.filter.BpfInstruction;
import io.linerate.filter.code.Opcodes;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/** The bytecode of a program, wherever it stands. */
final class ProgramCode {
  private static final ClassDesc INTEGER = desc(Integer.class);
  private static final ClassDesc OPERATION = desc(Operation.class);
  private static final MethodTypeDesc OF_TWO = MethodTypeDesc.of(CD_int, CD_int, CD_int);

  private static final long UNSIGNED = 0xFFFF_FFFFL;

  private final CodeBuilder code;
  private final List<BpfInstruction> instructions;
  private final Access access;
  private final int present;
  private final HostOrder order;
  private final Label[] labels;
  private final Label reject;
  private final boolean isSmallX;

  // Variables.
  private final int a;
  private final int x;
  private final int memory;

  /**
   * @param present bytes that can be read, which the caller has made sure of
   */
  ProgramCode(
      CodeBuilder code,
      List<BpfInstruction> instructions,
      Access access,
      int present,
      HostOrder order) {
    this.code = code;
    this.instructions = instructions;
    this.access = access;
    this.present = present;
    this.order = order;
    a = access.firstVariable();
    x = a + 1;
    memory = a + 2;
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

  void write() {
    code.iconst_0().istore(a).iconst_0().istore(x);
    for (int word = 0; word < Opcodes.MEMORY_WORDS; word++) {
      if (isUsed(word)) {
        code.iconst_0().istore(memory + word);
      }
    }
    for (int i = 0; i < labels.length; i++) {
      code.labelBinding(labels[i]);
      write(i, instructions.get(i));
    }
    code.labelBinding(reject);
    access.end(code, false);
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
      case Opcodes.LD -> load(at, each);
      case Opcodes.LDX -> loadX(each);
      case Opcodes.ST -> code.iload(a).istore(memory + each.k());
      case Opcodes.STX -> code.iload(x).istore(memory + each.k());
      case Opcodes.ALU -> operation(at, each);
      case Opcodes.JMP -> jump(at, each);
      case Opcodes.RET -> access.end(code, each.k() != 0);
      default -> {
        boolean isTxa = (each.code() & 0xF8) == Opcodes.TXA;
        code.iload(isTxa ? x : a).istore(isTxa ? a : x);
      }
    }
  }

  private void load(int at, BpfInstruction each) {
    switch (Opcodes.modeOf(each.code())) {
      case Opcodes.IMM -> code.loadConstant(each.k()).istore(a);
      case Opcodes.LEN -> {
        access.length(code);
        code.istore(a);
      }
      case Opcodes.MEM -> code.iload(memory + each.k()).istore(a);
      case Opcodes.ABS -> {
        if (requireConstant(each)) {
          access.bytes(code);
          code.loadConstant(each.k());
          access.read(code, Opcodes.sizeOf(each.code()), order.leavesHostOrder(at));
          code.istore(a);
        }
      }
      default -> indirect(at, each);
    }
  }

  private void loadX(BpfInstruction each) {
    switch (Opcodes.modeOf(each.code())) {
      case Opcodes.IMM -> code.loadConstant(each.k()).istore(x);
      case Opcodes.LEN -> {
        access.length(code);
        code.istore(x);
      }
      case Opcodes.MEM -> code.iload(memory + each.k()).istore(x);
      default -> {
        if (requireConstant(each)) {
          access.bytes(code);
          code.loadConstant(each.k());
          access.read(code, Opcodes.B, false);
          code.loadConstant(0xF).iand().iconst_2().ishl().istore(x);
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
      access.readable(code);
      code.loadConstant((int) end).if_icmplt(access.outside());
    }
    return true;
  }

  private void indirect(int at, BpfInstruction each) {
    int bytes = Opcodes.bytesOf(each.code());
    if (isSmallX && each.k() >= 0 && each.k() < Short.MAX_VALUE) {
      code.iload(x).loadConstant(each.k() + bytes).iadd();
      access.readable(code);
      code.if_icmpgt(access.outside());
    } else {
      code.iload(x).i2l().loadConstant(UNSIGNED).land();
      code.loadConstant((each.k() & UNSIGNED) + bytes).ladd();
      access.readable(code);
      code.i2l().lcmp().ifgt(access.outside());
    }
    access.bytes(code);
    code.iload(x).loadConstant(each.k()).iadd();
    access.read(code, Opcodes.sizeOf(each.code()), order.leavesHostOrder(at));
    code.istore(a);
  }

  private void second(int at, BpfInstruction each) {
    if (Opcodes.sourceOf(each.code()) == Opcodes.X) {
      code.iload(x);
    } else {
      code.loadConstant(order.constant(at, each));
    }
  }

  private void operation(int at, BpfInstruction each) {
    if (Operation.divides(each.code())) {
      second(at, each);
      code.ifeq(reject);
    }
    code.iload(a);
    int operation = Opcodes.operationOf(each.code());
    if (operation != Opcodes.NEG) {
      second(at, each);
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
    code.istore(a);
  }

  private void jump(int at, BpfInstruction each) {
    int operation = Opcodes.operationOf(each.code());
    if (operation == Opcodes.JA) {
      code.goto_(labels[at + 1 + each.k()]);
      return;
    }
    Label whenTrue = labels[at + 1 + each.whenTrue()];
    Label whenFalse = labels[at + 1 + each.whenFalse()];
    code.iload(a);
    second(at, each);
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
