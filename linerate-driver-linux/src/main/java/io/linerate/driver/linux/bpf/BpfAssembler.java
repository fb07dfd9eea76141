package io.linerate.driver.linux.bpf;

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
public final class BpfAssembler {
  /** A place that jumps go to, forward or back. */
  public static final class Label {
    private int position = -1;
    private final List<Integer> jumps = new ArrayList<>();
  }

  private static final int LOAD_U8 = 0x71;
  private static final int LOAD_U16 = 0x69;
  private static final int LOAD_U32 = 0x61;
  private static final int LOAD_U64_CONSTANT = 0x18;
  private static final int PSEUDO_MAP_DESCRIPTOR = 1;
  private static final int STORE_U32 = 0x63;
  private static final int MOVE = 0xBF;
  private static final int MOVE_CONSTANT = 0xB7;
  private static final int ADD = 0x0F;
  private static final int ADD_CONSTANT = 0x07;
  private static final int AND_CONSTANT = 0x57;
  private static final int AND_CONSTANT32 = 0x54;
  private static final int XOR32 = 0xAC;
  private static final int ADD32 = 0x0C;
  private static final int MULTIPLY_CONSTANT = 0x27;
  private static final int MULTIPLY_CONSTANT32 = 0x24;
  private static final int SHIFT_LEFT_CONSTANT = 0x67;
  private static final int SHIFT_RIGHT_CONSTANT = 0x77;
  private static final int TO_BIG_ENDIAN = 0xDC;
  private static final int JUMP = 0x05;
  private static final int JUMP_EQUAL = 0x15;
  private static final int JUMP_NOT_EQUAL = 0x55;
  private static final int JUMP_EQUAL32 = 0x16;
  private static final int JUMP_NOT_EQUAL32 = 0x56;
  private static final int JUMP_BELOW = 0xA5;
  private static final int JUMP_ANY_BIT = 0x45;
  private static final int JUMP_ABOVE_REGISTER = 0x2D;
  private static final int CALL = 0x85;
  private static final int EXIT = 0x95;

  private long[] code = new long[64];
  private int size;

  /** A number as it reads when its two bytes in network order are loaded in host order. */
  public static int network16(int value) {
    return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
        ? Short.toUnsignedInt(Short.reverseBytes((short) value))
        : value;
  }

  public void loadU8(int target, int address, int offset) {
    emit(LOAD_U8, target, address, offset, 0);
  }

  public void loadU16(int target, int address, int offset) {
    emit(LOAD_U16, target, address, offset, 0);
  }

  public void loadU32(int target, int address, int offset) {
    emit(LOAD_U32, target, address, offset, 0);
  }

  public void storeU32(int address, int offset, int source) {
    emit(STORE_U32, address, source, offset, 0);
  }

  /** Loads the address of a map, which the kernel puts in the place of its descriptor. */
  public void loadMap(int target, int mapDescriptor) {
    emit(LOAD_U64_CONSTANT, target, PSEUDO_MAP_DESCRIPTOR, 0, mapDescriptor);
    emit(0, 0, 0, 0, 0); // The upper half of the constant.
  }

  public void move(int target, int source) {
    emit(MOVE, target, source, 0, 0);
  }

  public void moveConstant(int target, int value) {
    emit(MOVE_CONSTANT, target, 0, 0, value);
  }

  public void add(int target, int source) {
    emit(ADD, target, source, 0, 0);
  }

  public void addConstant(int target, int value) {
    emit(ADD_CONSTANT, target, 0, 0, value);
  }

  public void andConstant(int target, int value) {
    emit(AND_CONSTANT, target, 0, 0, value);
  }

  /** Of the lower 32 bits; the upper are 0 then, as after all that ends in 32. */
  public void andConstant32(int target, int value) {
    emit(AND_CONSTANT32, target, 0, 0, value);
  }

  public void xor32(int target, int source) {
    emit(XOR32, target, source, 0, 0);
  }

  public void add32(int target, int source) {
    emit(ADD32, target, source, 0, 0);
  }

  public void multiplyConstant(int target, int value) {
    emit(MULTIPLY_CONSTANT, target, 0, 0, value);
  }

  public void multiplyConstant32(int target, int value) {
    emit(MULTIPLY_CONSTANT32, target, 0, 0, value);
  }

  /** Unsigned. */
  public void shiftRight(int target, int bits) {
    emit(SHIFT_RIGHT_CONSTANT, target, 0, 0, bits);
  }

  /** Makes a number of 16 bits what {@link #network16} makes of it. */
  public void toNetwork16(int target) {
    emit(TO_BIG_ENDIAN, target, 0, 0, 16);
  }

  public void shiftLeft(int target, int bits) {
    emit(SHIFT_LEFT_CONSTANT, target, 0, 0, bits);
  }

  public void jump(Label label) {
    emitJump(JUMP, 0, 0, 0, label);
  }

  public void jumpIfEqual(int register, int value, Label label) {
    emitJump(JUMP_EQUAL, register, 0, value, label);
  }

  public void jumpIfNotEqual(int register, int value, Label label) {
    emitJump(JUMP_NOT_EQUAL, register, 0, value, label);
  }

  /** Of the lower 32 bits: {@code value} is not extended to 64. */
  public void jumpIfEqual32(int register, int value, Label label) {
    emitJump(JUMP_EQUAL32, register, 0, value, label);
  }

  public void jumpIfNotEqual32(int register, int value, Label label) {
    emitJump(JUMP_NOT_EQUAL32, register, 0, value, label);
  }

  /** Unsigned. */
  public void jumpIfBelow(int register, int value, Label label) {
    emitJump(JUMP_BELOW, register, 0, value, label);
  }

  public void jumpIfAnyBit(int register, int bits, Label label) {
    emitJump(JUMP_ANY_BIT, register, 0, bits, label);
  }

  /** Unsigned, {@code register > other}. */
  public void jumpIfAbove(int register, int other, Label label) {
    emitJump(JUMP_ABOVE_REGISTER, register, other, 0, label);
  }

  public void call(int function) {
    emit(CALL, 0, 0, 0, function);
  }

  public void exit() {
    emit(EXIT, 0, 0, 0, 0);
  }

  /** Here is where jumps to the label go. */
  public void place(Label label) {
    label.position = size;
    for (int jump : label.jumps) {
      code[jump] |= offset(label.position - jump - 1);
    }
  }

  /** The program. */
  public long[] code() {
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
