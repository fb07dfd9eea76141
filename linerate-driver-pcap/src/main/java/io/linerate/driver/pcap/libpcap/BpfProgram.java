package io.linerate.driver.pcap.libpcap;

import io.linerate.core.config.ConfigException;
import io.linerate.core.port.PortException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A filter of classic BPF: {@code struct bpf_program}, a number of instructions and their address.
 *
 * @param program it
 * @param isCompiled whether its instructions are libpcap's memory
 */
record BpfProgram(MemorySegment program, boolean isCompiled) implements AutoCloseable {
  static final BpfProgram REJECT_ALL = returning(0);
  private static final BpfProgram ACCEPT_ALL = returning(LibpcapAddress.MAX_SNAP_LENGTH_BYTES);

  private static final int PROGRAM_BYTES = 16;
  private static final int RET_K = 0x06;

  /** Characters of an expression: more take libpcap minutes, and more stack than there is. */
  private static final int MAX_LENGTH = 8_192;

  private static final long STACK_BYTES = 64L << 20;

  /** One instruction: return so many bytes of each packet. */
  private static BpfProgram returning(int bytes) {
    return of(RET_K | (long) bytes << 32);
  }

  /**
   * Of these instructions.
   *
   * @param instructions each a {@code struct bpf_insn} as a number in host byte order
   */
  static BpfProgram of(long... instructions) {
    // struct bpf_insn: 0 code u16 | 2 jump if true u8 | 3 jump if false u8 | 4 k u32
    MemorySegment program =
        Arena.ofAuto().allocate(PROGRAM_BYTES + Long.BYTES * (long) instructions.length, 8);
    MemorySegment all = program.asSlice(PROGRAM_BYTES);
    all.copyFrom(MemorySegment.ofArray(instructions));
    program.set(ValueLayout.JAVA_INT, 0, instructions.length);
    program.set(ValueLayout.ADDRESS, 8, all);
    return new BpfProgram(program, false);
  }

  /**
   * Compiles an expression of pcap-filter(7); "" takes all packets.
   *
   * @param source what it is for, such as {@code interface=eth0}
   * @throws ConfigException if it is wrong
   */
  static BpfProgram compile(long pcap, String source, String expression) {
    if (expression.isEmpty()) {
      return ACCEPT_ALL;
    }
    if (expression.length() > MAX_LENGTH) {
      throw new ConfigException(
          "filter is too long: length=%d, most=%d, %s; use net with prefixes, or sort packets out in the program"
              .formatted(expression.length(), MAX_LENGTH, source));
    }
    MemorySegment program = Arena.ofAuto().allocate(PROGRAM_BYTES, 8);
    if (compile(pcap, program.address(), expression) < 0) {
      throw new ConfigException(
          "wrong filter: filter=%s, %s, libpcap says=%s; see man pcap-filter"
              .formatted(expression, source, Libpcap.error(pcap)));
    }
    return new BpfProgram(program, true);
  }

  /** On a stack of its own: libpcap's compiler calls itself for each part of an expression. */
  private static int compile(long pcap, long program, String expression) {
    int[] result = {Libpcap.ERROR};
    Thread thread =
        new Thread(
            null,
            () -> result[0] = Libpcap.compile(pcap, program, expression),
            "filter",
            STACK_BYTES);
    thread.start();
    boolean isInterrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        isInterrupted = true; // It takes a moment, and cannot be ended.
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
    return result[0];
  }

  void set(long pcap, String source) {
    if (Libpcap.setFilter(pcap, program.address()) < 0) {
      throw new PortException(
          "filter cannot be set: %s, libpcap says=%s; leave filter= out"
              .formatted(source, Libpcap.error(pcap)));
    }
  }

  @Override
  public void close() {
    if (isCompiled) {
      Libpcap.freeCode(program.address());
    }
  }
}
