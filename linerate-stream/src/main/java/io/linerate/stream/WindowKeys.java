package io.linerate.stream;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How many keys a window has room for, on each worker. Tokens of further ones are dropped, as
 * {@code too_many_keys}.
 *
 * @param most of all classes together that have no room of their own
 * @param mostOf of keys of a class that has: they take no room of others, and the other way round
 * @param rest the key that windows of time count what is dropped for, so that results say of which
 *     windows it was; none: they do not
 */
public record WindowKeys(int most, Map<Class<?>, Integer> mostOf, Optional<Object> rest) {
  public WindowKeys {
    mostOf = Map.copyOf(mostOf);
  }

  /** So many of all classes together. */
  public static WindowKeys of(int most) {
    return new WindowKeys(most, Map.of(), Optional.empty());
  }

  /** The same with room of its own for a class of keys. */
  public WindowKeys with(Class<?> type, int mostOfIt) {
    Map<Class<?>, Integer> all = new HashMap<>(mostOf);
    all.put(type, mostOfIt);
    return new WindowKeys(most, all, rest);
  }

  /** The same with a key for the rest. */
  public WindowKeys withRest(Object key) {
    return new WindowKeys(most, mostOf, Optional.of(key));
  }

  /** The least of its limits. */
  int least() {
    return mostOf.values().stream().mapToInt(Integer::intValue).reduce(most, Math::min);
  }
}
