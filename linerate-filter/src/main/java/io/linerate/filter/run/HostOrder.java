package io.linerate.filter.run;

import io.linerate.filter.BpfInstruction;
import io.linerate.filter.code.Opcodes;
import java.util.BitSet;
import java.util.List;

/**
 * Which instructions may work on numbers in the order of the host, because they and all that work
 * on the same numbers only compare them, or single bits of them, with constants: the constants are
 * turned round when the program is compiled, and not the numbers for each packet.
 */
final class HostOrder {
  private static final HostOrder NOWHERE = new HostOrder(List.of());

  private final List<BpfInstruction> instructions;

  /**
   * A number that is loaded or made at an instruction is one with all others that the same
   * instructions work on: the instruction's parent, up to one that is its own.
   */
  private final int[] parents;

  /**
   * Of a number that stands for all that are one with it: whether some need the network's order.
   */
  private final BitSet isKept;

  /** Bytes of the numbers, 0 if nobody has loaded them. */
  private final int[] bytes;

  /** Of an instruction: one of the numbers that it works on, -1 if on none. */
  private final int[] inputs;

  private HostOrder(List<BpfInstruction> instructions) {
    this.instructions = instructions;
    parents = new int[instructions.size()];
    bytes = new int[parents.length];
    inputs = new int[parents.length];
    isKept = new BitSet(parents.length);
    for (int i = 0; i < parents.length; i++) {
      parents[i] = i;
      inputs[i] = -1;
    }
  }

  static HostOrder of(List<BpfInstruction> instructions) {
    if (ProgramClass.hasLoops(instructions)) {
      return NOWHERE;
    }
    HostOrder order = new HostOrder(instructions);
    order.find();
    return order;
  }

  /** Nobody works in the order of the host. */
  static HostOrder nowhere() {
    return NOWHERE;
  }

  /** Whether a load is to leave its number in the order of the host. */
  boolean leavesHostOrder(int at) {
    return at < parents.length && isTurned(at);
  }

  /** The constant of an instruction, in the order of what it works on. */
  int constant(int at, BpfInstruction each) {
    if (at >= parents.length || inputs[at] < 0 || !isTurned(inputs[at])) {
      return each.k();
    }
    int reversed = Integer.reverseBytes(each.k());
    return bytes[root(inputs[at])] == Integer.BYTES ? reversed : reversed >>> 16;
  }

  private boolean isTurned(int number) {
    int root = root(number);
    return bytes[root] > 1 && !isKept.get(root);
  }

  /** In their order, which jumps do not turn back: all ways to an instruction are known there. */
  private void find() {
    BitSet[] reaching = new BitSet[parents.length];
    for (int i = 0; i < parents.length; i++) {
      reaching[i] = new BitSet();
    }
    for (int i = 0; i < parents.length; i++) {
      BpfInstruction each = instructions.get(i);
      if (uses(each)) {
        use(i, reaching[i]);
      }
      boolean isNew = makes(each);
      if (isNew) {
        make(i, each);
      }
      BitSet after = isNew ? single(i) : reaching[i];
      if (Opcodes.classOf(each.code()) != Opcodes.JMP) {
        pass(after, reaching, i + 1);
      } else if (Opcodes.operationOf(each.code()) == Opcodes.JA) {
        pass(after, reaching, i + 1 + each.k());
      } else {
        pass(after, reaching, i + 1 + each.whenTrue());
        pass(after, reaching, i + 1 + each.whenFalse());
      }
    }
  }

  private static BitSet single(int number) {
    BitSet only = new BitSet();
    only.set(number);
    return only;
  }

  private static void pass(BitSet numbers, BitSet[] reaching, int target) {
    if (target < reaching.length) {
      reaching[target].or(numbers);
    }
  }

  /** Whether it works on the accumulator. */
  private static boolean uses(BpfInstruction each) {
    return switch (Opcodes.classOf(each.code())) {
      case Opcodes.ST, Opcodes.ALU -> true;
      case Opcodes.JMP -> Opcodes.operationOf(each.code()) != Opcodes.JA;
      case Opcodes.MISC -> !isTxa(each);
      default -> false;
    };
  }

  private static boolean isTxa(BpfInstruction each) {
    return (each.code() & 0xF8) == Opcodes.TXA;
  }

  /** Whether it sets the accumulator. */
  private static boolean makes(BpfInstruction each) {
    return switch (Opcodes.classOf(each.code())) {
      case Opcodes.LD, Opcodes.ALU -> true;
      case Opcodes.MISC -> isTxa(each);
      default -> false;
    };
  }

  private void use(int at, BitSet numbers) {
    int first = numbers.nextSetBit(0);
    if (first < 0) { // Nothing was loaded: it is 0 in any order.
      return;
    }
    inputs[at] = first;
    numbers.stream().forEach(number -> join(first, number));
    BpfInstruction each = instructions.get(at);
    if (!isOfBits(each)) {
      isKept.set(root(first));
    } else {
      requireFits(first, each.k());
    }
  }

  /** Whether the order of bytes does not matter, if the constant has the same. */
  private static boolean isOfBits(BpfInstruction each) {
    if (Opcodes.sourceOf(each.code()) == Opcodes.X) {
      return false;
    }
    int operation = Opcodes.operationOf(each.code());
    return switch (Opcodes.classOf(each.code())) {
      case Opcodes.JMP -> operation == Opcodes.JEQ || operation == Opcodes.JSET;
      case Opcodes.ALU ->
          operation == Opcodes.AND || operation == Opcodes.OR || operation == Opcodes.XOR;
      default -> false;
    };
  }

  private void requireFits(int number, int constant) {
    if (bytes[root(number)] < Integer.BYTES && constant >>> 16 != 0) {
      isKept.set(root(number));
    }
  }

  private void make(int at, BpfInstruction each) {
    int mode = Opcodes.modeOf(each.code());
    boolean isLoad = Opcodes.classOf(each.code()) == Opcodes.LD;
    if (isLoad && (mode == Opcodes.ABS || mode == Opcodes.IND)) {
      bytes[at] = Opcodes.bytesOf(each.code());
    } else if (isOfBits(each) && inputs[at] >= 0) {
      join(inputs[at], at);
    } else {
      isKept.set(at);
    }
  }

  private int root(int number) {
    int root = number;
    while (parents[root] != root) {
      root = parents[root];
    }
    return root;
  }

  private void join(int one, int other) {
    int into = root(one);
    int from = root(other);
    if (into == from) {
      return;
    }
    parents[from] = into;
    boolean isOneSize = bytes[into] == bytes[from] || bytes[from] == 0 || bytes[into] == 0;
    if (!isOneSize || isKept.get(from)) {
      isKept.set(into);
    }
    bytes[into] = Math.max(bytes[into], bytes[from]);
  }
}
