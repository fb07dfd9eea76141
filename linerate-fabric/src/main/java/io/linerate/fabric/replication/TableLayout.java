package io.linerate.fabric.replication;

import io.linerate.fabric.FabricException;
import io.linerate.fabric.RegionArena;
import io.linerate.fabric.host.Range;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What tables that are copied look like: both sides have to agree. Each record has two slots, which
 * are written in turn, so that one is whole whenever the other was torn by an end. A slot, in the
 * byte order of the host:
 *
 * <pre>
 *   byte
 *    0  8  version: 0 if it was never written; the slot of the higher one counts
 *    8  8  check of version and words
 *   16     the words of the record
 * </pre>
 *
 * @param program whose tables they are, with all that has to be the same: 1 to 256 characters
 * @param tables such as one of each worker: 1 to 64
 * @param records of a table: 1 to 2^26
 * @param recordWords words of 64 bits of a record: 1 to 512
 */
public record TableLayout(String program, int tables, int records, int recordWords) {
  /** The longest program. */
  static final int PROGRAM_CHARS = 256;

  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG;
  private static final int VERSION = 0;
  private static final int CHECK = 8;
  private static final int WORDS = 16;
  private static final long FACTOR = 0x9E37_79B9_7F4A_7C15L; // 2^64 / golden ratio: Knuth 3, 6.4.

  public TableLayout {
    Range.require("tables", tables, 1, 64);
    Range.require("records", records, 1, 1 << 26);
    Range.require("recordWords", recordWords, 1, 512);
    Range.require("programCharacters", program.length(), 1, PROGRAM_CHARS);
  }

  int slotBytes() {
    return WORDS + recordWords * Long.BYTES;
  }

  int recordBytes() {
    return 2 * slotBytes();
  }

  long tableBytes() {
    return (long) records * recordBytes();
  }

  /** Memory that all tables take. */
  public long bytes() {
    return tables * tableBytes();
  }

  /**
   * Memory for all tables.
   *
   * @throws FabricException if there is not as much
   */
  MemorySegment allocate(RegionArena arena) {
    try {
      return arena.allocate(bytes(), Long.SIZE);
    } catch (OutOfMemoryError e) {
      throw new FabricException(
          "no memory for copies of tables: bytes=%d, tables=%d, records=%d; take fewer of them, or give the host more"
              .formatted(bytes(), tables, records));
    }
  }

  long recordOffset(int table, int record) {
    return table * tableBytes() + (long) record * recordBytes();
  }

  /**
   * Writes a record into the slot whose turn it is.
   *
   * @return where the slot is
   */
  long write(MemorySegment memory, int table, int record, long[] words) {
    long first = recordOffset(table, record);
    long version =
        1 + Math.max(memory.get(WORD, first), memory.get(WORD, first + slotBytes() + VERSION));
    long slot = first + (version & 1) * slotBytes();
    memory.set(WORD, slot + VERSION, version);
    long check = version;
    for (int i = 0; i < recordWords; i++) {
      long word = words[i];
      memory.set(WORD, slot + WORDS + (long) i * Long.BYTES, word);
      check = next(check, word);
    }
    memory.set(WORD, slot + CHECK, check);
    return slot;
  }

  private static long next(long check, long word) {
    return Long.rotateLeft((check ^ word) * FACTOR, 29);
  }

  /** Reads the newest whole slot of a record; false if there is none. */
  boolean read(MemorySegment memory, int table, int record, long[] words) {
    long first = recordOffset(table, record);
    long second = first + slotBytes();
    boolean isFirstNewer = memory.get(WORD, first) > memory.get(WORD, second);
    return readSlot(memory, isFirstNewer ? first : second, words)
        || readSlot(memory, isFirstNewer ? second : first, words);
  }

  private boolean readSlot(MemorySegment memory, long slot, long[] words) {
    long version = memory.get(WORD, slot + VERSION);
    if (version == 0) {
      return false;
    }
    long check = version;
    for (int i = 0; i < recordWords; i++) {
      words[i] = memory.get(WORD, slot + WORDS + (long) i * Long.BYTES);
      check = next(check, words[i]);
    }
    return check == memory.get(WORD, slot + CHECK);
  }
}
