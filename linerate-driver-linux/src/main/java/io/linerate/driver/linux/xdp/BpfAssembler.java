package io.linerate.driver.linux.xdp;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes programs for the kernel's BPF machine, as linux/bpf.h encodes them: 8 bytes each.
 *
 * <pre>
 *   0        1         2        4               8
 *  +--------+----+----+--------+---------------+
 *  | opcode |src |dst | offset | immediate     |    in host byte order, dst in the low bits
 *  +--------+----+----+--------+---------------+
 * </pre>
 */
final class BpfAssembler {
  /** A place that jumps go to, forward or back. */
  static final class Label {
    private int position = -1;
    private final List<Integer> jumps = new ArrayList<>();
  }

  private static final int LOAD_U8 = 0x71;
  private static final int LOAD_U16 = 0x69;
  private static final int LOAD_U32 = 0x61;
  private static final int LOAD_U64_CONSTANT = 0x18;
  private static final int PSEUDO_MAP_DESCRIPTOR = 1;
  private static final int MOVE = 0xBF;
  private static final int MOVE_CONSTANT = 0xB7;
  private static final int ADD = 0x0F;
  private static final int ADD_CONSTANT = 0x07;
  private static final int AND_CONSTANT = 0x57;
  private static final int SHIFT_LEFT_CONSTANT = 0x67;
  private static final int JUMP = 0x05;
  private static final int JUMP_EQUAL = 0x15;
  private static final int JUMP_NOT_EQUAL = 0x55;
  private static final int JUMP_BELOW = 0xA5;
  private static final int JUMP_ANY_BIT = 0x45;
  private static final int JUMP_ABOVE_REGISTER = 0x2D;
  private static final int CALL = 0x85;
  private static final int EXIT = 0x95;

  private long[] code = new long[64];
  private int size;

  /** A number as it reads when its two bytes in network order are loaded in host order. */
  static int network16(int value) {
    return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
        ? Short.toUnsignedInt(Short.reverseBytes((short) value))
        : value;
  }

  void loadU8(int target, int address, int offset) {
    emit(LOAD_U8, target, address, offset, 0);
  }

  void loadU16(int target, int address, int offset) {
    emit(LOAD_U16, target, address, offset, 0);
  }

  void loadU32(int target, int address, int offset) {
    emit(LOAD_U32, target, address, offset, 0);
  }

  /** Loads the address of a map, which the kernel puts in the place of its descriptor. */
  void loadMap(int target, int mapDescriptor) {
    emit(LOAD_U64_CONSTANT, target, PSEUDO_MAP_DESCRIPTOR, 0, mapDescriptor);
    emit(0, 0, 0, 0, 0); // The upper half of the constant.
  }

  void move(int target, int source) {
    emit(MOVE, target, source, 0, 0);
  }

  void moveConstant(int target, int value) {
    emit(MOVE_CONSTANT, target, 0, 0, value);
  }

  void add(int target, int source) {
    emit(ADD, target, source, 0, 0);
  }

  void addConstant(int target, int value) {
    emit(ADD_CONSTANT, target, 0, 0, value);
  }

  void andConstant(int target, int value) {
    emit(AND_CONSTANT, target, 0, 0, value);
  }

  void shiftLeft(int target, int bits) {
    emit(SHIFT_LEFT_CONSTANT, target, 0, 0, bits);
  }

  void jump(Label label) {
    emitJump(JUMP, 0, 0, 0, label);
  }

  void jumpIfEqual(int register, int value, Label label) {
    emitJump(JUMP_EQUAL, register, 0, value, label);
  }

  void jumpIfNotEqual(int register, int value, Label label) {
    emitJump(JUMP_NOT_EQUAL, register, 0, value, label);
  }

  /** Unsigned. */
  void jumpIfBelow(int register, int value, Label label) {
    emitJump(JUMP_BELOW, register, 0, value, label);
  }

  void jumpIfAnyBit(int register, int bits, Label label) {
    emitJump(JUMP_ANY_BIT, register, 0, bits, label);
  }

  /** Unsigned, {@code register > other}. */
  void jumpIfAbove(int register, int other, Label label) {
    emitJump(JUMP_ABOVE_REGISTER, register, other, 0, label);
  }

  void call(int function) {
    emit(CALL, 0, 0, 0, function);
  }

  void exit() {
    emit(EXIT, 0, 0, 0, 0);
  }

  /** Here is where jumps to the label go. */
  void place(Label label) {
    label.position = size;
    for (int jump : label.jumps) {
      code[jump] |= offset(label.position - jump - 1);
    }
  }

  /** The program. */
  long[] code() {
    return Arrays.copyOf(code, size);
  }

  private void emitJump(int opcode, int target, int source, int value, Label label) {
    int offset = label.position < 0 ? 0 : label.position - size - 1;
    if (label.position < 0) {
      label.jumps.add(size);
    }
    emit(opcode, target, source, offset, value);
  }

  private void emit(int opcode, int target, int source, int offset, int value) {
    if (size == code.length) {
      code = Arrays.copyOf(code, 2 * size);
    }
    code[size++] = opcode | target << 8 | source << 12 | offset(offset) | (long) value << 32;
  }

  private static long offset(int instructions) {
    return (instructions & 0xFFFFL) << 16;
  }
}
