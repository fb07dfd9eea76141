package io.linerate.filter;

import io.linerate.filter.syntax.Arithmetic;
import io.linerate.filter.syntax.Condition;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Programs for the sockets of Linux, which decide before user space does: they may pass more, and
 * never refuse what user space would accept.
 *
 * <p>The kernel has taken the outermost VLAN tag off a frame: frames that had one pass. It also
 * knows packets as offloads have left them, with other lengths and with checksums that somebody
 * else completes: there are none of filters with {@code len}, {@code less} or {@code greater}, nor
 * of those that read checksums.
 */
final class KernelProgram {
  private static final long[] NONE = {};

  /** Room for what a driver puts in front. */
  private static final int MAX_INSTRUCTIONS = FilterProgram.MAX_KERNEL_INSTRUCTIONS - 16;

  // Of linux/filter.h and linux/bpf_common.h.
  private static final int LD_B_ABS = 0x30;
  private static final int JEQ_K = 0x15;
  private static final int JA = 0x05;
  private static final int RET_K = 0x06;
  private static final int SKF_AD_OFF = -0x1000;
  private static final int SKF_AD_VLAN_TAG_PRESENT = SKF_AD_OFF + 48;
  private static final int LD_ABS_MASK = 0xE7; // All but the size.
  private static final int LD_ABS = 0x20;

  private static final int ONE_IF_SO = 1 << 16;
  private static final int ETHERNET_BYTES = 14;
  private static final int IPV4_BYTES = 20;
  private static final int IPV6_BYTES = 40;

  private KernelProgram() {}

  /** Instructions as {@code ReceiveFilter.kernelProgram} has them. */
  static long[] of(@Nullable Condition condition, FilterProgram program) {
    List<BpfInstruction> own = program.instructions();
    if (condition == null
        || !isSame(condition)
        || own.size() > MAX_INSTRUCTIONS
        || asksKernel(program)
        || own.stream().anyMatch(it -> it.code() == JA && it.k() < 0)) {
      return NONE;
    }
    return LongStream.concat(
            LongStream.of(
                number(LD_B_ABS, SKF_AD_VLAN_TAG_PRESENT),
                number(JEQ_K, 0) | ONE_IF_SO,
                number(RET_K, -1)),
            own.stream().mapToLong(KernelProgram::number))
        .toArray();
  }

  /** Whether a program loads what only the kernel knows, and packets do not say. */
  static boolean asksKernel(FilterProgram program) {
    return program.instructions().stream()
        .anyMatch(it ->
            (it.code() & LD_ABS_MASK) == LD_ABS
                && Integer.compareUnsigned(it.k(), SKF_AD_OFF) >= 0);
  }

  private static long number(BpfInstruction it) {
    return number(it.code(), it.k()) | (long) it.whenTrue() << 16 | (long) it.whenFalse() << 24;
  }

  private static long number(int code, int k) {
    return code | (long) k << 32;
  }

  /** Whether the kernel and user space see the same of what a condition is about. */
  private static boolean isSame(Condition condition) {
    return switch (condition) {
      case Condition.Chain(Condition first, List<Condition.Link> rest) ->
          isSame(first) && rest.stream().allMatch(link -> isSame(link.condition()));
      case Condition.Not(_, Condition other) -> isSame(other);
      case Condition.Comparison(_, _, Arithmetic left, Arithmetic right) ->
          isSame(left) && isSame(right);
      case Condition.ByteTest(_, int offset, _, _) -> offset >= 0 && offset < ETHERNET_BYTES;
      case Condition.LengthLimit _ -> false;
      default -> true;
    };
  }

  private static boolean isSame(Arithmetic number) {
    return switch (number) {
      case Arithmetic.Constant _ -> true;
      case Arithmetic.Length _ -> false;
      case Arithmetic.Negation(_, Arithmetic operand) -> isSame(operand);
      case Arithmetic.Operation(_, _, Arithmetic left, Arithmetic right) ->
          isSame(left) && isSame(right);
      case Arithmetic.Load(_, var protocol, Arithmetic index, int bytes) ->
          index instanceof Arithmetic.Constant(_, int at)
              && at >= 0
              && switch (protocol) {
                case LINK -> at <= ETHERNET_BYTES - bytes;
                case IP -> at <= IPV4_BYTES - bytes;
                case IP6 -> at <= IPV6_BYTES - bytes;
                case TCP -> isBeside(at, bytes, 16);
                case UDP -> isBeside(at, bytes, 6);
                case ICMP, ICMP6, IGMP -> isBeside(at, bytes, 2);
                case ARP, RARP -> true;
                default -> false;
              };
    };
  }

  /** Whether bytes do not touch the checksum. */
  private static boolean isBeside(int at, int bytes, int checksum) {
    return at <= checksum - bytes || at >= checksum + 2;
  }
}
