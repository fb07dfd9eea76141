package io.linerate.wire.classify;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * Rows of numbers, all as long, each made of another by changing some of its columns. Rows are cut
 * into blocks of {@value #BLOCK}; equal blocks are one, and equal rows.
 */
final class BlockRows {
  /** How far a column is shifted to the right for its block in the row. */
  static final int BLOCK_BITS = 5;

  /** Columns in a block. */
  static final int BLOCK = 1 << BLOCK_BITS;

  private final Distinct blocks = new Distinct();
  private final Distinct rows = new Distinct();

  /** Makes row 0, which has one number in all columns. */
  BlockRows(int columns, int number) {
    int[] block = new int[BLOCK];
    Arrays.fill(block, number);
    int[] row = new int[(columns + BLOCK - 1) >> BLOCK_BITS];
    Arrays.fill(row, blocks.number(block));
    rows.number(row);
  }

  /** Arrays that differ, numbered as they come. */
  private static final class Distinct {
    final List<int[]> arrays = new ArrayList<>();
    private final Map<IntBuffer, Integer> numbers = new HashMap<>();

    int number(int[] array) {
      Integer known = numbers.putIfAbsent(IntBuffer.wrap(array), arrays.size());
      if (known != null) {
        return known;
      }
      arrays.add(array);
      return arrays.size() - 1;
    }

    /** How many ints all have together. */
    long ints() {
      return (long) arrays.size() * arrays.getFirst().length;
    }
  }

  /** The number of the row that differs from another in some columns. */
  int changed(int row, BitSet columns, IntUnaryOperator change) {
    Draft draft = new Draft(row);
    draft.change(columns, change);
    return draft.number();
  }

  /** A row that is made of another in several steps, of which only the last is kept. */
  final class Draft {
    private final int[] own;

    /** Blocks that have changed, by their place. */
    private final int[][] changed;

    Draft(int row) {
      own = rows.arrays.get(row).clone();
      changed = new int[own.length][];
    }

    void change(BitSet columns, IntUnaryOperator change) {
      for (int column = columns.nextSetBit(0);
          column >= 0;
          column = columns.nextSetBit(column + 1)) {
        int place = column >>> BLOCK_BITS;
        if (changed[place] == null) {
          changed[place] = blocks.arrays.get(own[place]).clone();
        }
        int at = column & BLOCK - 1;
        changed[place][at] = change.applyAsInt(changed[place][at]);
      }
    }

    /** The number of the row as it is now. */
    int number() {
      for (int place = 0; place < own.length; place++) {
        if (changed[place] != null) {
          own[place] = blocks.number(changed[place]);
        }
      }
      return rows.number(own);
    }
  }

  /** How many ints {@link #write} takes. */
  long ints() {
    return blocks.ints() + rows.ints();
  }

  /**
   * Writes all blocks, and behind them for all rows where their blocks begin.
   *
   * @param numbers what to write for each number
   * @return for each row where it begins
   */
  int[] write(IntBuffer target, IntUnaryOperator numbers) {
    int first = target.position();
    blocks.arrays.forEach(block -> target.put(Arrays.stream(block).map(numbers).toArray()));
    int[] places = new int[rows.arrays.size()];
    for (int i = 0; i < places.length; i++) {
      places[i] = target.position();
      int[] row = rows.arrays.get(i);
      target.put(Arrays.stream(row).map(block -> first + block * BLOCK).toArray());
    }
    return places;
  }
}
