package io.linerate.stream;

import java.util.function.LongBinaryOperator;
import java.util.function.ToLongFunction;

/** Numbers that are joined two by two, in any order. */
record LongAggregate<T>(ToLongFunction<? super T> number, long none, LongBinaryOperator join)
    implements Aggregate<T, LongValue, Long> {
  @Override
  public LongValue create() {
    return new LongValue(none);
  }

  @Override
  public LongValue add(LongValue known, T token) {
    known.set(join.applyAsLong(known.value(), number.applyAsLong(token)));
    return known;
  }

  @Override
  public LongValue merge(LongValue one, LongValue other) {
    one.set(join.applyAsLong(one.value(), other.value()));
    return one;
  }

  @Override
  public Long result(LongValue known) {
    return known.value();
  }
}
