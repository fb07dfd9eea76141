package io.linerate.fabric.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The form of an endpoint's memory as libfabric 1.17 makes it for shm. A peer follows whatever
 * lengths and offsets are in it, so what would lead it out of the file is found out before.
 *
 * <pre>
 *    0 +----------+-----------------------+
 *      | version  | ...                   |
 *    4 +----------+-----------------------+
 *      | process, written last            |   4 bytes
 *   40 +----------------------------------+
 *      | bytes in all                     |   8 bytes
 *   64 +----------------------------------+
 *      | where commands are               |   size, mask, read, written: 8 bytes each; 256 bytes each
 *   72 | where answers are                |   the same; 16 bytes each
 *   80 | where the pool of buffers is     |   offset, bytes of each, count: 8 bytes each; 4; 2 for each
 *   88 | where that of long messages is   |   the same
 *   96 | where peers are                  |   256 of 272 bytes: name 256, its number there 8, 4, asked 4
 *  104 | where the name is                |   256 bytes
 *  112 | where the name of its socket is  |
 *  120 +----------------------------------+
 * </pre>
 */
final class RegionForm {
  static final int VERSION = 4;
  static final int PROCESS = 4;
  private static final int TOTAL = 40;
  private static final int PARTS = 64;
  private static final int BYTES = 120;

  private static final int COMMANDS = 0;
  private static final int ANSWERS = 1;
  private static final int BUFFERS = 2;
  private static final int LONG_BUFFERS = 3;
  private static final int PEERS = 4;
  private static final int NAME = 5;
  private static final int COUNT = 7;

  private static final int QUEUE_HEAD = 32;
  private static final int COMMAND_BYTES = 256;
  private static final int ANSWER_BYTES = 16;
  private static final int POOL_HEAD = 28;
  private static final int PEER_COUNT = 256;
  private static final int PEER_BYTES = 272;
  private static final int PEER_NUMBER = 256;
  private static final int PEER_ASKED = 268;
  private static final int ALL_PEERS_BYTES = PEER_COUNT * PEER_BYTES;
  private static final int NAME_BYTES = 256;
  private static final long MOST = 1L << 24;

  private final FileChannel file;
  private final long[] parts = new long[COUNT + 1];

  private RegionForm(FileChannel file) {
    this.file = file;
  }

  /** Its process; 0 while it is not made yet. */
  static int process(FileChannel file) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
    return file.read(head, PROCESS) < Integer.BYTES ? 0 : head.getInt(0);
  }

  /** Whether a file is as it must be. */
  static boolean isSound(FileChannel file) throws IOException {
    return new RegionForm(file).isSound();
  }

  /** Whether a peer whose process is alive was asked for a link and has not answered. */
  static boolean isAwaited(FileChannel file) throws IOException {
    RegionForm form = new RegionForm(file);
    return form.isSound() && form.isAwaited();
  }

  private boolean isAwaited() throws IOException {
    ByteBuffer peers = read(parts[PEERS], ALL_PEERS_BYTES);
    for (int at = 0; peers != null && at < ALL_PEERS_BYTES; at += PEER_BYTES) {
      boolean isAsked = peers.getInt(at + PEER_ASKED) != 0;
      if (isAsked && peers.getLong(at + PEER_NUMBER) < 0) {
        PeerProcess process = SharedName.processOf(peerName(peers, at));
        if (process == null || process.isAlive()) {
          return true;
        }
      }
    }
    return false;
  }

  private static String peerName(ByteBuffer peers, int at) {
    byte[] text = new byte[PEER_NUMBER];
    peers.get(at, text);
    String name = new String(text, StandardCharsets.UTF_8);
    int end = name.indexOf(0);
    return (end < 0 ? name : name.substring(0, end)).replaceFirst("^fi_shm://", "");
  }

  private boolean isSound() throws IOException {
    ByteBuffer head = read(0, BYTES);
    if (head == null || head.get(0) != VERSION || head.getLong(TOTAL) != file.size()) {
      return false;
    }
    for (int i = 0; i < COUNT; i++) {
      parts[i] = head.getLong(PARTS + i * Long.BYTES);
    }
    parts[COUNT] = file.size();
    for (int i = 0; i < COUNT; i++) {
      if (parts[i] < BYTES || parts[i] % Long.BYTES != 0 || parts[i] > parts[i + 1]) {
        return false;
      }
    }
    return isQueue(COMMANDS, COMMAND_BYTES)
        && isQueue(ANSWERS, ANSWER_BYTES)
        && isPool(BUFFERS)
        && isPool(LONG_BUFFERS)
        && room(PEERS) >= ALL_PEERS_BYTES
        && room(NAME) >= NAME_BYTES;
  }

  private boolean isQueue(int part, int entryBytes) throws IOException {
    ByteBuffer queue = room(part) < QUEUE_HEAD ? null : read(parts[part], QUEUE_HEAD);
    if (queue == null) {
      return false;
    }
    long size = queue.getLong(0);
    return size > 0
        && size <= MOST
        && Long.bitCount(size) == 1
        && queue.getLong(Long.BYTES) == size - 1
        && QUEUE_HEAD + size * entryBytes <= room(part);
  }

  private boolean isPool(int part) throws IOException {
    ByteBuffer pool = room(part) < POOL_HEAD ? null : read(parts[part], POOL_HEAD);
    if (pool == null) {
      return false;
    }
    long first = pool.getLong(0);
    long bytes = pool.getLong(Long.BYTES);
    long count = pool.getLong(2 * Long.BYTES);
    return count > 0
        && count <= Short.MAX_VALUE
        && bytes > 0
        && bytes <= MOST
        && first >= POOL_HEAD + Short.BYTES * count
        && first <= MOST
        && first + bytes * count <= room(part)
        && isList(parts[part], (int) count);
  }

  /** Whether each buffer that is free leads to another one, or to none. */
  private boolean isList(long pool, int count) throws IOException {
    int heads = Short.BYTES * (count + 1);
    ByteBuffer list = read(pool + POOL_HEAD - Short.BYTES, heads);
    for (int at = 0; list != null && at < heads; at += Short.BYTES) {
      if (list.getShort(at) >= count) {
        return false;
      }
    }
    return list != null;
  }

  private long room(int part) {
    return parts[part + 1] - parts[part];
  }

  private @Nullable ByteBuffer read(long at, int bytes) throws IOException {
    ByteBuffer read = ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
    return file.read(read, at) < bytes ? null : read;
  }
}
