package io.linerate.graph;

import java.util.Objects;
import java.util.function.DoubleFunction;
import java.util.function.DoublePredicate;
import java.util.function.DoubleToLongFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.function.LongToDoubleFunction;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * What makes one token of each, or none: steps that follow each other are compiled as one method,
 * however many they are. What a function throws costs the token, as does null.
 *
 * <p>A function is called on each worker that has its element: it keeps nothing between two tokens.
 */
public final class TokenStep {
  private final Object function;
  private final Class<?> type;
  private final String method;
  private final Class<?> in;
  private final Class<?> out;

  private TokenStep(Object function, Class<?> type, String method, Class<?> in, Class<?> out) {
    this.function = Objects.requireNonNull(function, "function");
    this.type = type;
    this.method = method;
    this.in = in;
    this.out = out;
  }

  /** Lets those pass that a predicate is true of. */
  public static TokenStep filterLongs(LongPredicate predicate) {
    return new TokenStep(predicate, LongPredicate.class, "test", long.class, boolean.class);
  }

  /** Lets those pass that a predicate is true of. */
  public static TokenStep filterDoubles(DoublePredicate predicate) {
    return new TokenStep(predicate, DoublePredicate.class, "test", double.class, boolean.class);
  }

  /** Lets those pass that a predicate is true of. */
  public static TokenStep filterObjects(Predicate<?> predicate) {
    return new TokenStep(predicate, Predicate.class, "test", Object.class, boolean.class);
  }

  /** Makes a {@code long} of each {@code long}. */
  public static TokenStep longsToLongs(LongUnaryOperator function) {
    return new TokenStep(function, LongUnaryOperator.class, "applyAsLong", long.class, long.class);
  }

  /** Makes a {@code double} of each {@code long}. */
  public static TokenStep longsToDoubles(LongToDoubleFunction function) {
    return new TokenStep(
        function, LongToDoubleFunction.class, "applyAsDouble", long.class, double.class);
  }

  /** Makes an object of each {@code long}. */
  public static TokenStep longsToObjects(LongFunction<?> function) {
    return new TokenStep(function, LongFunction.class, "apply", long.class, Object.class);
  }

  /** Makes a {@code long} of each {@code double}. */
  public static TokenStep doublesToLongs(DoubleToLongFunction function) {
    return new TokenStep(
        function, DoubleToLongFunction.class, "applyAsLong", double.class, long.class);
  }

  /** Makes a {@code double} of each {@code double}. */
  public static TokenStep doublesToDoubles(DoubleUnaryOperator function) {
    return new TokenStep(
        function, DoubleUnaryOperator.class, "applyAsDouble", double.class, double.class);
  }

  /** Makes an object of each {@code double}. */
  public static TokenStep doublesToObjects(DoubleFunction<?> function) {
    return new TokenStep(function, DoubleFunction.class, "apply", double.class, Object.class);
  }

  /** Makes a {@code long} of each object. */
  public static TokenStep objectsToLongs(ToLongFunction<?> function) {
    return new TokenStep(function, ToLongFunction.class, "applyAsLong", Object.class, long.class);
  }

  /** Makes a {@code double} of each object. */
  public static TokenStep objectsToDoubles(ToDoubleFunction<?> function) {
    return new TokenStep(
        function, ToDoubleFunction.class, "applyAsDouble", Object.class, double.class);
  }

  /** Makes an object of each object. */
  public static TokenStep objectsToObjects(Function<?, ?> function) {
    return new TokenStep(function, Function.class, "apply", Object.class, Object.class);
  }

  Object function() {
    return function;
  }

  /** The interface of the function. */
  Class<?> type() {
    return type;
  }

  /** Name of its method. */
  String method() {
    return method;
  }

  /** {@code long}, {@code double} or {@code Object}. */
  Class<?> in() {
    return in;
  }

  /** What the method returns: as {@link #in}, or {@code boolean} of a filter. */
  Class<?> out() {
    return out;
  }

  boolean isFilter() {
    return out == boolean.class;
  }

  /** As {@link #in}, of what leaves. */
  Class<?> passed() {
    return isFilter() ? in : out;
  }

  /** Two are equal that have the same function. */
  @Override
  public boolean equals(Object other) {
    return other instanceof TokenStep step
        && step.type.equals(type)
        && step.function.equals(function);
  }

  @Override
  public int hashCode() {
    return Objects.hash(function, type);
  }

  @Override
  public String toString() {
    return (isFilter() ? "filter of " : passed().getSimpleName() + " of ") + in.getSimpleName();
  }
}
