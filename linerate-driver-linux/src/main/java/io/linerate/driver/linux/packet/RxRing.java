package io.linerate.driver.linux.packet;

import io.linerate.core.driver.Errno;
import io.linerate.core.driver.NativeMemory;
import io.linerate.core.driver.SystemCalls;
import io.linerate.core.port.PortException;

/**
 * The receive ring of a socket in memory, TPACKET_V3 of linux/if_packet.h: blocks, each full of
 * packets of any length, which the kernel hands over and gets back one by one.
 *
 * <pre>
 *   block:   0 version | 4 offset to private | 8 status | 12 packets | 16 offset of the first packet | 20 …
 *   packet:  0 offset of the next | 4 s | 8 ns | 12 bytes here | 16 bytes on the wire | 20 status
 *            24 offset of the frame u16 | 26 of its payload u16 | 28 hash | 32 VLAN TCI | 36 VLAN TPID u16 | …
 *            frame - 10: struct virtio_net_hdr, see VirtioHeader
 * </pre>
 *
 * Integers are u32 in host byte order where not said otherwise.
 */
record RxRing(SystemCalls calls, long address, int blocks) implements AutoCloseable {
  static final int NEXT_OFFSET = 0;
  static final int SECONDS = 4;
  static final int NANOSECONDS = 8;
  static final int LENGTH_HERE = 12;
  static final int LENGTH_ON_WIRE = 16;
  static final int STATUS = 20;
  static final int FRAME_OFFSET = 24;
  static final int VLAN_TCI = 32;
  static final int VLAN_TPID = 36;

  static final int VLAN_VALID = 1 << 4;
  static final int VLAN_TPID_VALID = 1 << 6;

  /**
   * Room for a frame of 64 KiB, as large as segmentation offload makes them, and for its header.
   */
  static final int BLOCK_BYTES = 128 << 10;

  static final int FRAME_BYTES = 2_048;

  /** Room in front of a frame that a program may grow it into, besides its header. */
  private static final int RESERVE_BYTES = 48;

  /** A block that is not full is handed over after this time: the shortest there is. */
  private static final int RETIRE_MS = 1;

  private static final int MIN_BLOCKS = 4;
  private static final int BLOCK_STATUS = 8;
  private static final int BLOCK_PACKETS = 12;
  private static final int BLOCK_FIRST = 16;
  private static final int OF_KERNEL = 0;
  private static final int OF_USER = 1;

  static int blocks(int frames) {
    return Math.max(MIN_BLOCKS, (int) ((long) frames * FRAME_BYTES / BLOCK_BYTES));
  }

  /** Gives a socket a ring and maps it. */
  static RxRing map(PacketSocket socket, SystemCalls calls, int frames) {
    int blocks = blocks(frames);
    socket.receiveRing(BLOCK_BYTES, blocks, FRAME_BYTES, RETIRE_MS, RESERVE_BYTES);
    long bytes = (long) blocks * BLOCK_BYTES;
    long address =
        calls.mmap(
            bytes, SystemCalls.PROT_READ_WRITE, SystemCalls.MAP_SHARED, socket.descriptor(), 0);
    if (address < 0) {
      throw new PortException(
          "cannot map the receive ring: bytes=%d, mmap=%s; use a smaller one: rx=N"
              .formatted(bytes, Errno.text(address)));
    }
    return new RxRing(calls, address, blocks);
  }

  private long block(int index) {
    return address + (long) index * BLOCK_BYTES;
  }

  /** Whether the kernel has handed a block over. */
  boolean isReady(int index) {
    return (NativeMemory.u32Acquire(block(index) + BLOCK_STATUS) & OF_USER) != 0;
  }

  int packets(int index) {
    return NativeMemory.u32(block(index) + BLOCK_PACKETS);
  }

  long firstPacket(int index) {
    return block(index) + NativeMemory.u32(block(index) + BLOCK_FIRST);
  }

  /** Gives a block back to the kernel, which may write it from now on. */
  void giveBack(int index) {
    NativeMemory.u32Release(block(index) + BLOCK_STATUS, OF_KERNEL);
  }

  /** Unmaps it. No packet that lies in it may be touched afterwards. */
  @Override
  public void close() {
    int _ = calls.munmap(address, (long) blocks * BLOCK_BYTES);
  }
}
