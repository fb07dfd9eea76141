package io.linerate.stream;

import java.util.Iterator;
import java.util.PrimitiveIterator;
import java.util.concurrent.Flow;
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

  /** The numbers of a stream, which is closed when nobody asks for more. */
  public static Supplier<Source<LongConsumer>> longs(Supplier<LongStream> stream) {
    return () -> {
      LongStream opened = stream.get();
      PrimitiveIterator.OfLong all = opened.iterator();
      return new Iterating<>(all, to -> to.accept(all.nextLong()), opened::close);
    };
  }

  /** The numbers of a stream, which is closed when nobody asks for more. */
  public static Supplier<Source<DoubleConsumer>> doubles(Supplier<DoubleStream> stream) {
    return () -> {
      DoubleStream opened = stream.get();
      PrimitiveIterator.OfDouble all = opened.iterator();
      return new Iterating<>(all, to -> to.accept(all.nextDouble()), opened::close);
    };
  }

  /** The objects of a stream, which is closed when nobody asks for more. */
  public static <T> Supplier<Source<Consumer<T>>> objects(Supplier<Stream<T>> stream) {
    return () -> {
      Stream<T> opened = stream.get();
      Iterator<T> all = opened.iterator();
      return new Iterating<>(all, to -> to.accept(all.next()), opened::close);
    };
  }

  private record Iterating<C>(Iterator<?> all, Consumer<C> next, Runnable closing)
      implements Source<C> {
    @Override
    public int poll(C to, int max) {
      int count = 0;
      while (count < max && all.hasNext()) {
        next.accept(to);
        count++;
      }
      return count == 0 ? END : count;
    }

    @Override
    public void close() {
      closing.run();
    }
  }

  /**
   * What a publisher sends, on any thread. The worker subscribes when it first asks, and sleeps
   * while nothing comes. The end of the publisher is the source's, its error fails the program when
   * all that came before has been handed on, and the subscription is cancelled when the source is
   * closed.
   *
   * @param capacity tokens that are asked for and have not been taken by the worker, at most: 1 to
   *     16,777,216
   */
  public static <T> Supplier<Source<Consumer<T>>> publisher(
      Flow.Publisher<? extends T> publisher, int capacity) {
    PublisherSource.requireCapacity(capacity);
    return () -> new PublisherSource<>(publisher, capacity);
  }
}
