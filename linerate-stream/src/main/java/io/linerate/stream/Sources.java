package io.linerate.stream;

import java.util.Iterator;
import java.util.PrimitiveIterator;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Sources of what a program has already. */
public final class Sources {
  private Sources() {}

  /** Numbers from {@code first} on, without {@code end}. */
  public static Supplier<Source<LongConsumer>> range(long first, long end) {
    return () -> new Range(first, end);
  }

  private static final class Range implements Source<LongConsumer> {
    private final long end;
    private long next;

    Range(long first, long end) {
      next = first;
      this.end = end;
    }

    @Override
    public int poll(LongConsumer to, int max) {
      long from = next;
      if (from >= end) {
        return END;
      }
      long until = end - from > max ? from + max : end;
      next = until;
      for (long token = from; token < until; token++) {
        to.accept(token);
      }
      return (int) (until - from);
    }
  }

  /** The numbers of a stream, which is closed when they are used up. */
  public static Supplier<Source<LongConsumer>> longs(Supplier<LongStream> stream) {
    return () -> {
      LongStream opened = stream.get();
      PrimitiveIterator.OfLong all = opened.iterator();
      return iterating(all, to -> to.accept(all.nextLong()), opened::close);
    };
  }

  /** The numbers of a stream, which is closed when they are used up. */
  public static Supplier<Source<DoubleConsumer>> doubles(Supplier<DoubleStream> stream) {
    return () -> {
      DoubleStream opened = stream.get();
      PrimitiveIterator.OfDouble all = opened.iterator();
      return iterating(all, to -> to.accept(all.nextDouble()), opened::close);
    };
  }

  /** The objects of a stream, which is closed when they are used up. */
  public static <T> Supplier<Source<Consumer<T>>> objects(Supplier<Stream<T>> stream) {
    return () -> {
      Stream<T> opened = stream.get();
      Iterator<T> all = opened.iterator();
      return iterating(all, to -> to.accept(all.next()), opened::close);
    };
  }

  private static <C> Source<C> iterating(Iterator<?> all, Consumer<C> next, Runnable close) {
    return (to, max) -> {
      int count = 0;
      while (count < max && all.hasNext()) {
        next.accept(to);
        count++;
      }
      if (count == 0) {
        close.run();
        return Source.END;
      }
      return count;
    };
  }
}
