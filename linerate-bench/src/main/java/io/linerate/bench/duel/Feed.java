package io.linerate.bench.duel;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Where the packets of a match come from, and where they go. Every contestant has devices of its
 * own, of the same kind.
 *
 * @param title in the names of cases
 * @param in the DPDK device that is received from, {@code @} for the contestant's folder
 * @param out the one that is transmitted to
 * @param fillBytes length of the frame to write into every buffer beforehand; 0: none
 * @param buffers in the pool of a port
 * @param roomBytes for data in each
 * @param generatedBytes length of the frames that dpdk-testpmd sends from another process; 0: none
 */
public record Feed(
    String title,
    String in,
    String out,
    int fillBytes,
    int buffers,
    int roomBytes,
    int generatedBytes) {
  private static final int BUFFERS = 16_384;
  private static final int ROOM_BYTES = 2_048;

  /** With headroom and what the driver knows of it. */
  private static final int BUFFER_BYTES = ROOM_BYTES + 384;

  private static final int LEAST_MEMORY_MIB = 128;

  /** Ethernet header and two VLAN tags, which Linerate adds to its MTU. */
  private static final int HEADER_BYTES = 22;

  /** Segments that testpmd makes long frames of. */
  private static final int SEGMENT_BYTES = 2_000;

  /** Of {@link #sharedMemory}, in the contestant's folder. */
  static final String SOCKET = "memif.sock";

  private static final String MEMIF = memif(SOCKET);

  private static String memif(String socket) {
    return ",id=0,socket=@/" + socket + ",socket-abstract=no,bsize=2048,rsize=10";
  }

  /** Frames from {@code net_null}, which makes them of whatever is in the buffers. */
  public static Feed nothing(int frameBytes) {
    String size = ",size=" + frameBytes;
    boolean isJumbo = frameBytes > ROOM_BYTES;
    return new Feed(
        "net_null " + frameBytes + " B",
        "net_null0" + size,
        "net_null1" + size,
        frameBytes,
        isJumbo ? BUFFERS / 4 : BUFFERS,
        isJumbo ? frameBytes + HEADER_BYTES : ROOM_BYTES,
        0);
  }

  /** Whether packets cost nothing, so that only the program and what its compiler made count. */
  boolean isFree() {
    return fillBytes > 0;
  }

  /** Frames over shared memory from dpdk-testpmd; long ones come in several buffers. */
  public static Feed sharedMemory(int frameBytes) {
    return new Feed(
        "net_memif " + frameBytes + " B",
        "net_memif0,role=server" + MEMIF,
        "net_null1",
        0,
        BUFFERS,
        ROOM_BYTES,
        frameBytes);
  }

  /**
   * Frames over shared memory from another program, and back to it: two devices, whose servers are
   * {@link #relayServers}.
   */
  public static Feed relay() {
    return new Feed(
        "net_memif",
        "net_memif0,role=client" + memif(THERE),
        "net_memif1,role=client" + memif(BACK),
        0,
        BUFFERS,
        ROOM_BYTES,
        0);
  }

  /** What the other program sends to, and what it receives from, in the contestant's folder. */
  public static List<String> relayServers(Path folder) {
    return List.of(
        "net_memif0,role=server" + memif(THERE).replace("@", folder.toString()),
        "net_memif1,role=server" + memif(BACK).replace("@", folder.toString()));
  }

  private static final String THERE = "there.sock";
  private static final String BACK = "back.sock";

  /** The frames of a capture file, up to 8,192, over and over. */
  public static Feed replay(String title, Path file) {
    return replay(title, file, BUFFERS / 2);
  }

  /**
   * The frames of a capture file, over and over. Each stays in a buffer of its own, and is copied
   * into another one whenever it comes.
   */
  public static Feed replay(String title, Path file, int frames) {
    return new Feed(
        title,
        "net_pcap0,rx_pcap=" + file + ",infinite_rx=1",
        "net_null1",
        0,
        frames + BUFFERS / 2,
        ROOM_BYTES,
        0);
  }

  /** The frames of a capture file, once; what is transmitted is in {@link #SINK}. */
  static Feed once(Path file) {
    return new Feed(
        "check",
        "net_pcap0,rx_pcap=" + file,
        "net_pcap1,tx_pcap=@/" + SINK,
        0,
        BUFFERS,
        ROOM_BYTES,
        0);
  }

  /** Where {@link #once} puts what is transmitted. */
  static final String SINK = "sent.pcap";

  String in(Path folder) {
    return in.replace("@", folder.toString());
  }

  String out(Path folder) {
    return out.replace("@", folder.toString());
  }

  /** What the program needs of huge pages, and some more. */
  int memoryMib() {
    return Math.max(LEAST_MEMORY_MIB, (int) (((long) buffers * BUFFER_BYTES) >>> 20) + 48);
  }

  int mtu() {
    return roomBytes > ROOM_BYTES ? roomBytes - HEADER_BYTES : 1_500;
  }

  /** The arguments of dpdk-testpmd that feed a contestant. */
  Optional<List<String>> generator(Path folder, int cpu) {
    if (generatedBytes == 0) {
      return Optional.empty();
    }
    return Optional.of(
        List.of(
            "env",
            "RUNTIME_DIRECTORY=" + folder,
            "dpdk-testpmd",
            "--no-pci",
            "--in-memory",
            "--no-telemetry",
            "--log-level=error",
            "--single-file-segments",
            "--file-prefix=feed" + System.nanoTime(),
            "-m",
            "128",
            "--lcores=0@" + cpu + ",1@" + cpu,
            "--vdev=net_memif0,role=client" + MEMIF.replace("@", folder.toString()),
            "--",
            "--total-num-mbufs=16384",
            "--forward-mode=txonly",
            "--tx-offloads=0x8000",
            "--txpkts=" + segments(),
            "--stats-period=3600"));
  }

  private String segments() {
    StringBuilder lengths = new StringBuilder();
    for (int left = generatedBytes; left > 0; left -= SEGMENT_BYTES) {
      lengths.append(lengths.isEmpty() ? "" : ",").append(Math.min(left, SEGMENT_BYTES));
    }
    return lengths.toString();
  }
}
