package io.linerate.graph;

import io.linerate.core.memory.Burst;
import java.util.Set;

/**
 * What passes an edge of a graph: packets, in bursts, or tokens, one by one.
 *
 * <p>Numbers pass as primitives, without an object for each: {@code byte}, {@code short}, {@code
 * int}, {@code char} and {@code boolean} as {@code long}, {@code float} as {@code double}. A token
 * that is an object passes as a reference: whether it may be kept when the handler has returned is
 * said by its class.
 *
 * @param carrier {@code long.class} and {@code double.class} for numbers, the class of objects, or
 *     {@link Burst} for packets
 */
public record TokenType(Class<?> carrier) {
  /** Packets. */
  public static final TokenType PACKETS = new TokenType(Burst.class);

  /** Integers of 64 bits. */
  public static final TokenType LONGS = new TokenType(long.class);

  /** Floating-point numbers of 64 bits. */
  public static final TokenType DOUBLES = new TokenType(double.class);

  private static final Set<Class<?>> NUMBERS = Set.of(long.class, double.class);

  /**
   * Objects of a class.
   *
   * @throws IllegalArgumentException for classes of primitives other than {@code long} and {@code
   *     double}, and for {@code Burst}
   */
  public static TokenType of(Class<?> type) {
    if (type.isPrimitive() && !NUMBERS.contains(type)) {
      throw new IllegalArgumentException(
          "no tokens of this type: type=" + type + "; use long or double");
    }
    if (type.equals(PACKETS.carrier)) {
      throw new IllegalArgumentException(
          "packets are no tokens: type=" + type.getName() + "; use an input of packets");
    }
    return new TokenType(type);
  }

  /** Whether packets pass, in bursts. */
  public boolean isPackets() {
    return equals(PACKETS);
  }

  /** Whether what is of the other type may come where this one is expected. */
  public boolean takes(TokenType other) {
    return (isObjects() && other.isObjects())
        ? carrier.isAssignableFrom(other.carrier)
        : equals(other);
  }

  private boolean isObjects() {
    return !carrier.isPrimitive() && !isPackets();
  }

  /** As people read it: {@code packets}, {@code long}, or the name of the class. */
  @Override
  public String toString() {
    return isPackets() ? "packets" : carrier.getSimpleName();
  }
}
