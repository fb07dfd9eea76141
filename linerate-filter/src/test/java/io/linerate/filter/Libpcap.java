package io.linerate.filter;

import io.linerate.core.driver.CFunction;
import io.linerate.core.driver.NativeMemory;
import io.linerate.core.memory.LinkType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;

/** libpcap's compiler of filters, and its interpreter: what ours are compared with. */
final class Libpcap {
  private static final Optional<SymbolLookup> LIBRARY = load();

  private static final MethodHandle OPEN_DEAD = function("pcap_open_dead");
  private static final MethodHandle CLOSE = function("pcap_close");
  private static final MethodHandle COMPILE = function("pcap_compile");
  private static final MethodHandle FREECODE = function("pcap_freecode");
  private static final MethodHandle OFFLINE_FILTER = function("pcap_offline_filter");
  private static final MethodHandle GETERR = function("pcap_geterr");

  private static final int NETMASK_UNKNOWN = 0xFFFF_FFFF;

  /** {@code struct pcap_pkthdr}: time, bytes captured, bytes of the packet. */
  private static final int PACKET_HEADER_BYTES = 24;

  private static final int MAX_FRAME_BYTES = 65_536;

  private Libpcap() {}

  @SuppressWarnings("restricted")
  private static Optional<SymbolLookup> load() {
    for (String name : List.of("libpcap.so.0.8", "libpcap.so.1", "libpcap.so")) {
      try {
        return Optional.of(SymbolLookup.libraryLookup(name, Arena.global()));
      } catch (IllegalArgumentException e) {
        // The next.
      }
    }
    return Optional.empty();
  }

  private static MethodHandle function(String name) {
    return LIBRARY
        .flatMap(library -> CFunction.find(library, name))
        .orElseGet(() -> CFunction.throwing(new IllegalStateException("libpcap is missing")));
  }

  static boolean isThere() {
    return LIBRARY.isPresent();
  }

  /** The number DLT_ of Linux. */
  private static int datalink(LinkType type) {
    return switch (type.number()) {
      case 100 -> 11;
      case 101 -> 12;
      case 102 -> 15;
      case 103 -> 16;
      case 106 -> 19;
      default -> type.number();
    };
  }

  /**
   * A program, or why there is none.
   *
   * @param program address of {@code struct bpf_program}; 0 if there is none
   * @param error why there is none
   */
  record Compiled(long program, String error) implements AutoCloseable {
    boolean isValid() {
      return program != 0;
    }

    int instructions() {
      return NativeMemory.u32(program);
    }

    /** As {@code tcpdump -ddd} prints it. */
    String decimal() {
      StringBuilder text = new StringBuilder().append(instructions()).append('\n');
      for (int i = 0; i < instructions(); i++) {
        long at = NativeMemory.u64(program + 8) + 8L * i;
        text.append(NativeMemory.u16(at)).append(' ').append(NativeMemory.u8(at + 2)).append(' ');
        text.append(NativeMemory.u8(at + 3)).append(' ');
        text.append(Integer.toUnsignedString(NativeMemory.u32(at + 4))).append('\n');
      }
      return text.toString();
    }

    @Override
    public void close() {
      if (program != 0) {
        CFunction.call(FREECODE, program);
      }
    }
  }

  /** Compiles for a link type. */
  static Compiled compile(Arena arena, String expression, LinkType type, boolean optimises) {
    return compile(arena, expression, type, optimises, NETMASK_UNKNOWN);
  }

  static Compiled compile(
      Arena arena, String expression, LinkType type, boolean optimises, int netmask) {
    long pcap = CFunction.call(OPEN_DEAD, datalink(type), 262_144);
    try {
      long program = arena.allocate(16, 8).address();
      long text = arena.allocateFrom(expression).address();
      int result = (int) CFunction.call(COMPILE, pcap, program, text, optimises ? 1 : 0, netmask);
      return result < 0
          ? new Compiled(0, NativeMemory.ALL.getString(CFunction.call(GETERR, pcap)))
          : new Compiled(program, "");
    } finally {
      CFunction.call(CLOSE, pcap);
    }
  }

  /** Instructions of ours as a program of libpcap's. */
  static Compiled encoded(Arena arena, FilterProgram program) {
    MemorySegment header = arena.allocate(16, 8);
    header.set(ValueLayout.JAVA_INT, 0, program.instructions().size());
    header.set(ValueLayout.ADDRESS, 8, program.encode(arena));
    return new Compiled(header.address(), "");
  }

  /** Runs programs over frames. */
  static final class Machine {
    private final MemorySegment header;
    private final MemorySegment frame;

    Machine(Arena arena) {
      header = arena.allocate(PACKET_HEADER_BYTES, 8);
      frame = arena.allocate(MAX_FRAME_BYTES);
    }

    /** The frame of the calls that follow. */
    void frame(byte[] bytes) {
      MemorySegment.copy(bytes, 0, frame, ValueLayout.JAVA_BYTE, 0, bytes.length);
      header.set(ValueLayout.JAVA_INT, 16, bytes.length);
      header.set(ValueLayout.JAVA_INT, 20, bytes.length);
    }

    boolean accepts(Compiled program) {
      return (int)
              CFunction.call(OFFLINE_FILTER, program.program, header.address(), frame.address())
          != 0;
    }
  }
}
