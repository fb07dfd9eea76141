package io.linerate.stream;

import io.linerate.graph.TokenType;
import java.util.Arrays;
import java.util.List;

/** Tokens that become one. */
sealed interface Batch {
  /** Tokens that it has. */
  int size();

  /** Makes one token of them; it has none then. */
  Object take();

  static Batch of(TokenType type, int most) {
    if (type.equals(TokenType.LONGS)) {
      return new OfLongs(most);
    }
    return type.equals(TokenType.DOUBLES) ? new OfDoubles(most) : new OfObjects(most);
  }

  /** An array of numbers. */
  final class OfLongs implements Batch {
    private final long[] tokens;
    private int size;

    OfLongs(int most) {
      tokens = new long[most];
    }

    void add(long token) {
      tokens[size++] = token;
    }

    @Override
    public int size() {
      return size;
    }

    @Override
    public Object take() {
      long[] taken = Arrays.copyOf(tokens, size);
      size = 0;
      return taken;
    }
  }

  /** An array of numbers. */
  final class OfDoubles implements Batch {
    private final double[] tokens;
    private int size;

    OfDoubles(int most) {
      tokens = new double[most];
    }

    void add(double token) {
      tokens[size++] = token;
    }

    @Override
    public int size() {
      return size;
    }

    @Override
    public Object take() {
      double[] taken = Arrays.copyOf(tokens, size);
      size = 0;
      return taken;
    }
  }

  /** A list of objects. */
  final class OfObjects implements Batch {
    private final Object[] tokens;
    private int size;

    OfObjects(int most) {
      tokens = new Object[most];
    }

    void add(Object token) {
      tokens[size++] = token;
    }

    @Override
    public int size() {
      return size;
    }

    @Override
    public Object take() {
      Object taken = List.of(Arrays.copyOf(tokens, size));
      Arrays.fill(tokens, 0, size, null);
      size = 0;
      return taken;
    }
  }
}
