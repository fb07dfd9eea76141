package io.linerate.driver.linux.bpf;

import io.linerate.core.driver.SystemCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The commands of bpf(2) that ports need, with the fields of {@code union bpf_attr} that each has
 * in linux/bpf.h. They return what the system call returns: a descriptor, or {@code -errno}.
 */
public final class Bpf {
  public static final int MAP_TYPE_SOCKETS = 17; // BPF_MAP_TYPE_XSKMAP

  /** The program may be given frames of several buffers: BPF_F_XDP_HAS_FRAGS. */
  public static final int PROGRAM_HAS_FRAGS = 1 << 5;

  /** Bytes of the name of a program or map, with the 0 at its end: BPF_OBJ_NAME_LEN. */
  public static final int NAME_BYTES = 16;

  private static final int MAP_CREATE = 0;
  private static final int MAP_UPDATE = 2;
  private static final int MAP_DELETE = 3;
  private static final int PROGRAM_LOAD = 5;
  private static final int PROGRAM_BY_ID = 13;
  private static final int MAP_BY_ID = 14;
  private static final int INFO = 15;
  private static final int LINK_CREATE = 28;
  private static final int LINK_UPDATE = 29;

  private static final int PROGRAM_TYPE_SOCKET_FILTER = 1;
  private static final int PROGRAM_TYPE_XDP = 6;
  private static final int ATTACH_XDP = 37;
  private static final int ATTRIBUTES_BYTES = 128;
  private static final int LOG_BYTES = 1 << 16;
  private static final int INFO_BYTES = 256;
  private static final int MAX_MAPS = 64;

  private final SystemCalls calls;

  /** What the kernel said about the program that it loaded last. */
  private String log = "";

  public Bpf(SystemCalls calls) {
    this.calls = calls;
  }

  public String log() {
    return log;
  }

  /** A map from u32 to u32. */
  public int createMap(int type, int entries, String name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = attributes(arena);
      attributes.set(ValueLayout.JAVA_INT, 0, type);
      attributes.set(ValueLayout.JAVA_INT, 4, Integer.BYTES);
      attributes.set(ValueLayout.JAVA_INT, 8, Integer.BYTES);
      attributes.set(ValueLayout.JAVA_INT, 12, entries);
      name(attributes, 28, name);
      return call(MAP_CREATE, attributes);
    }
  }

  public int update(int map, int key, int value) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = attributes(arena);
      attributes.set(ValueLayout.JAVA_INT, 0, map);
      attributes.set(ValueLayout.JAVA_LONG, 8, u32(arena, key));
      attributes.set(ValueLayout.JAVA_LONG, 16, u32(arena, value));
      return call(MAP_UPDATE, attributes);
    }
  }

  public int delete(int map, int key) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = attributes(arena);
      attributes.set(ValueLayout.JAVA_INT, 0, map);
      attributes.set(ValueLayout.JAVA_LONG, 8, u32(arena, key));
      return call(MAP_DELETE, attributes);
    }
  }

  /** Loads an XDP program. When the kernel refuses it, {@link #log} says why. */
  public int load(long[] code, int flags, String name) {
    return loadOrSayWhyNot(PROGRAM_TYPE_XDP, ATTACH_XDP, code, flags, name);
  }

  /** As {@link #load}, of a program for sockets of packet(7). */
  public int loadSocketFilter(long[] code, String name) {
    return loadOrSayWhyNot(PROGRAM_TYPE_SOCKET_FILTER, 0, code, 0, name);
  }

  /** The log has every step that the kernel looks at: it is made for what is refused. */
  private int loadOrSayWhyNot(int type, int attachType, long[] code, int flags, String name) {
    int result = load(type, attachType, code, flags, name, 0);
    if (result < 0) {
      int again = load(type, attachType, code, flags, name, 1);
      return again >= 0 ? again : result;
    }
    return result;
  }

  private int load(int type, int attachType, long[] code, int flags, String name, int logLevel) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = attributes(arena);
      MemorySegment text = arena.allocate(LOG_BYTES);
      attributes.set(ValueLayout.JAVA_INT, 0, type);
      attributes.set(ValueLayout.JAVA_INT, 4, code.length);
      attributes.set(
          ValueLayout.JAVA_LONG, 8, arena.allocateFrom(ValueLayout.JAVA_LONG, code).address());
      attributes.set(ValueLayout.JAVA_LONG, 16, arena.allocateFrom("Apache-2.0").address());
      attributes.set(ValueLayout.JAVA_INT, 24, logLevel);
      attributes.set(ValueLayout.JAVA_INT, 28, LOG_BYTES * logLevel);
      attributes.set(ValueLayout.JAVA_LONG, 32, text.address() * logLevel);
      attributes.set(ValueLayout.JAVA_INT, 44, flags);
      name(attributes, 48, name);
      attributes.set(ValueLayout.JAVA_INT, 68, attachType);
      int result = call(PROGRAM_LOAD, attributes);
      log = text.getString(0).strip();
      return result;
    }
  }

  /** Attaches a program to an interface for as long as the descriptor returned is open. */
  public int link(int program, int interfaceIndex, int flags) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = attributes(arena);
      attributes.set(ValueLayout.JAVA_INT, 0, program);
      attributes.set(ValueLayout.JAVA_INT, 4, interfaceIndex);
      attributes.set(ValueLayout.JAVA_INT, 8, ATTACH_XDP);
      attributes.set(ValueLayout.JAVA_INT, 12, flags);
      return call(LINK_CREATE, attributes);
    }
  }

  /**
   * Puts a program in the place of that of a link: each packet is given to the one or the other.
   */
  public int updateLink(int link, int program) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = attributes(arena);
      attributes.set(ValueLayout.JAVA_INT, 0, link);
      attributes.set(ValueLayout.JAVA_INT, 4, program);
      return call(LINK_UPDATE, attributes);
    }
  }

  public int programById(int id) {
    return byId(PROGRAM_BY_ID, id);
  }

  public int mapById(int id) {
    return byId(MAP_BY_ID, id);
  }

  private int byId(int command, int id) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = attributes(arena);
      attributes.set(ValueLayout.JAVA_INT, 0, id);
      return call(command, attributes);
    }
  }

  /**
   * A loaded program.
   *
   * @param maps ids of those that it uses
   */
  public record ProgramInfo(int id, String name, List<Integer> maps) {}

  /** What the kernel says of a program: {@code struct bpf_prog_info}. */
  public ProgramInfo programInfo(int descriptor) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment info = arena.allocate(INFO_BYTES, 8);
      MemorySegment maps = arena.allocate(4L * MAX_MAPS, 8);
      info.set(ValueLayout.JAVA_INT, 52, MAX_MAPS);
      info.set(ValueLayout.JAVA_LONG, 56, maps.address());
      if (info(descriptor, info) < 0) {
        return new ProgramInfo(0, "", List.of());
      }
      int count = Math.min(MAX_MAPS, info.get(ValueLayout.JAVA_INT, 52));
      return new ProgramInfo(
          info.get(ValueLayout.JAVA_INT, 4),
          info.getString(64),
          IntStream.of(maps.toArray(ValueLayout.JAVA_INT)).limit(count).boxed().toList());
    }
  }

  /** The type of a map, {@code struct bpf_map_info}, or -1. */
  public int mapType(int descriptor) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment info = arena.allocate(INFO_BYTES, 8);
      return info(descriptor, info) < 0 ? -1 : info.get(ValueLayout.JAVA_INT, 0);
    }
  }

  private int info(int descriptor, MemorySegment info) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = attributes(arena);
      attributes.set(ValueLayout.JAVA_INT, 0, descriptor);
      attributes.set(ValueLayout.JAVA_INT, 4, INFO_BYTES);
      attributes.set(ValueLayout.JAVA_LONG, 8, info.address());
      return call(INFO, attributes);
    }
  }

  private int call(int command, MemorySegment attributes) {
    return calls.bpf(command, attributes.address(), ATTRIBUTES_BYTES);
  }

  /** Fields that a kernel does not know must be 0, and are. */
  private static MemorySegment attributes(Arena arena) {
    return arena.allocate(ATTRIBUTES_BYTES, 8);
  }

  private static long u32(Arena arena, int value) {
    return arena.allocateFrom(ValueLayout.JAVA_INT, value).address();
  }

  private static void name(MemorySegment attributes, int offset, String name) {
    byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
    int length = Math.min(bytes.length, NAME_BYTES - 1);
    MemorySegment.copy(bytes, 0, attributes, ValueLayout.JAVA_BYTE, offset, length);
  }
}
