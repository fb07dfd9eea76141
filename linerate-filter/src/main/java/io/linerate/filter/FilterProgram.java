package io.linerate.filter;

import io.linerate.core.memory.LinkType;
import io.linerate.core.memory.Packet;
import io.linerate.core.memory.PacketPredicate;
import io.linerate.filter.run.Interpreter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * A filter as a program of classic BPF, which kernels run, too. Here it is run instruction by
 * instruction: for what comes rarely. {@link PacketFilter} is several times faster.
 *
 * @param linkType what its packets begin with
 * @param instructions at least one; jumps lead to others of them, and the last returns
 */
public record FilterProgram(LinkType linkType, List<BpfInstruction> instructions)
    implements PacketPredicate {
  /** Bytes of {@code struct sock_filter}: code u16, jt u8, jf u8, k u32. */
  public static final int INSTRUCTION_BYTES = 8;

  /** The most instructions that Linux takes: BPF_MAXINSNS. */
  public static final int MAX_KERNEL_INSTRUCTIONS = 4_096;

  public FilterProgram {
    instructions = List.copyOf(instructions);
  }

  /** As text, with a line feed behind each line. */
  public String text(BpfFormat format) {
    return ProgramText.of(instructions, format);
  }

  /** An array of {@code struct sock_filter} or {@code struct bpf_insn}, in host byte order. */
  public MemorySegment encode(SegmentAllocator allocator) {
    MemorySegment array =
        allocator.allocate((long) INSTRUCTION_BYTES * instructions.size(), INSTRUCTION_BYTES);
    for (int i = 0; i < instructions.size(); i++) {
      BpfInstruction instruction = instructions.get(i);
      long at = (long) INSTRUCTION_BYTES * i;
      array.set(ValueLayout.JAVA_SHORT, at, (short) instruction.code());
      array.set(ValueLayout.JAVA_BYTE, at + 2, (byte) instruction.whenTrue());
      array.set(ValueLayout.JAVA_BYTE, at + 3, (byte) instruction.whenFalse());
      array.set(ValueLayout.JAVA_INT, at + 4, instruction.k());
    }
    return array;
  }

  @Override
  public boolean accepts(Packet packet) {
    return run(packet) != 0;
  }

  /**
   * What the program returns: bytes to keep of a packet, unsigned, 0 if it rejects it. Loads
   * outside the packet reject it.
   */
  public int run(Packet packet) {
    return Interpreter.run(instructions, packet);
  }
}
