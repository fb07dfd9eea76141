package io.linerate.filter.run;

import io.linerate.core.memory.Packet;
import io.linerate.filter.BpfInstruction;
import io.linerate.filter.code.Opcodes;
import java.util.List;

/** Runs programs instruction by instruction. They are as this module makes them. */
public final class Interpreter {
  private static final long UNSIGNED = 0xFFFF_FFFFL;
  private static final int[] NO_MEMORY = {};

  private Interpreter() {}

  /** What a program returns for a packet; 0, if it loads what is outside. */
  public static int run(List<BpfInstruction> program, Packet packet) {
    int length = packet.length();
    int[] memory = NO_MEMORY;
    int a = 0;
    int x = 0;
    for (int pc = 0; ; pc++) {
      BpfInstruction i = program.get(pc);
      int code = i.code();
      switch (Opcodes.classOf(code)) {
        case Opcodes.LD -> {
          int mode = Opcodes.modeOf(code);
          if (mode == Opcodes.ABS || mode == Opcodes.IND) {
            long at = (i.k() & UNSIGNED) + (mode == Opcodes.IND ? x & UNSIGNED : 0);
            if (at + Opcodes.bytesOf(code) > length) {
              return 0;
            }
            a = load(packet, (int) at, code);
          } else {
            a = mode == Opcodes.LEN ? length : mode == Opcodes.MEM ? word(memory, i.k()) : i.k();
          }
        }
        case Opcodes.LDX -> {
          int mode = Opcodes.modeOf(code);
          if (mode == Opcodes.MSH) {
            if ((i.k() & UNSIGNED) >= length) {
              return 0;
            }
            x = (packet.u8(i.k()) & 0xF) << 2;
          } else {
            x = mode == Opcodes.LEN ? length : mode == Opcodes.MEM ? word(memory, i.k()) : i.k();
          }
        }
        case Opcodes.ST, Opcodes.STX -> {
          if (memory.length == 0) {
            memory = new int[Opcodes.MEMORY_WORDS];
          }
          memory[i.k()] = Opcodes.classOf(code) == Opcodes.ST ? a : x;
        }
        case Opcodes.ALU -> {
          int operand = Opcodes.sourceOf(code) == Opcodes.X ? x : i.k();
          if (operand == 0 && Operation.divides(code)) {
            return 0;
          }
          a = Operation.of(code, a, operand);
        }
        case Opcodes.JMP -> {
          if (Opcodes.operationOf(code) == Opcodes.JA) {
            pc += i.k();
          } else {
            int operand = Opcodes.sourceOf(code) == Opcodes.X ? x : i.k();
            pc += holds(code, a, operand) ? i.whenTrue() : i.whenFalse();
          }
        }
        case Opcodes.RET -> {
          return i.k();
        }
        default -> {
          if ((code & 0xF8) == Opcodes.TXA) {
            a = x;
          } else {
            x = a;
          }
        }
      }
    }
  }

  /** Words that nobody has written are 0. */
  private static int word(int[] memory, int index) {
    return memory.length == 0 ? 0 : memory[index];
  }

  private static int load(Packet packet, int at, int code) {
    return switch (Opcodes.sizeOf(code)) {
      case Opcodes.W -> packet.i32(at);
      case Opcodes.H -> packet.u16(at);
      default -> packet.u8(at);
    };
  }

  private static boolean holds(int code, int a, int operand) {
    return switch (Opcodes.operationOf(code)) {
      case Opcodes.JEQ -> a == operand;
      case Opcodes.JGT -> Integer.compareUnsigned(a, operand) > 0;
      case Opcodes.JGE -> Integer.compareUnsigned(a, operand) >= 0;
      default -> (a & operand) != 0;
    };
  }
}
