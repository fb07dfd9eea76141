package io.linerate.fabric.replication;

import io.linerate.fabric.FabricException;
import io.linerate.fabric.host.Range;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * What tables that are copied look like: both sides have to agree. Each record has two slots, which
 * are written in turn. A slot is sent only as it was whole, after what was sent before, so that one
 * is whole whenever the other was torn by an end. A slot, in the byte order of the host:
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

  /** Which of the settings of two sides are not the same, with the values of both. */
  String differences(String own, TableLayout other, String others) {
    Object[][] all = {
      {"program", program, other.program},
      {"tables", tables, other.tables},
      {"records", records, other.records},
      {"recordWords", recordWords, other.recordWords}
    };
    return Arrays.stream(all)
        .filter(each -> !each[1].equals(each[2]))
        .map(each -> "%s of %s=%s, of %s=%s".formatted(each[0], own, each[1], others, each[2]))
        .collect(Collectors.joining(", "));
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
  MemorySegment allocate(Arena arena) {
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

  /**
   * Copies slots as long as they are whole: their thread may be writing them.
   *
   * @param from where the first is
   * @param most how many
   * @return how many were copied, up to the first that was being written
   */
  int copyWhole(MemorySegment memory, long from, int most, MemorySegment to, long at) {
    for (int i = 0; i < most; i++) {
      long slot = at + (long) i * slotBytes();
      MemorySegment.copy(memory, from + (long) i * slotBytes(), to, slot, slotBytes());
      if (check(to, slot) != to.get(WORD, slot + CHECK)) {
        return i;
      }
    }
    return most;
  }

  /** What the check of a slot is to be; 0 of one that was never written. */
  private long check(MemorySegment memory, long slot) {
    long check = memory.get(WORD, slot + VERSION);
    for (int i = 0; i < recordWords; i++) {
      check = next(check, memory.get(WORD, slot + WORDS + (long) i * Long.BYTES));
    }
    return check;
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
    if (memory.get(WORD, slot + VERSION) == 0
        || check(memory, slot) != memory.get(WORD, slot + CHECK)) {
      return false;
    }
    MemorySegment.copy(memory, WORD, slot + WORDS, words, 0, recordWords);
    return true;
  }
}
