package io.linerate.stream;

import io.linerate.graph.Round;
import io.linerate.graph.Wiring;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What is kept of each key on one worker, in the order in which they were silent. */
final class KeyedStates<K, S, T> implements Consumer<T>, Round {
  /** Keys that are forgotten in a round at most: packets do not wait longer. */
  private static final int MOST_IN_A_ROUND = 256;

  private static final int NONE = Keys.NONE;

  private final KeyedActor<K, S, T> actor;
  private final Wiring wiring;
  private final SavedStates<K, S> saved;
  private final long timeoutNs;
  private Keys<T> keys;
  private KeyedProcess<K, S, T, Object> process;
  private Object out = new Object();

  // By the number of the key; those that were silent the longest come first.
  private @Nullable Object[] states = new Object[16];
  private long[] lastNs = new long[16];
  private int[] before = new int[16];
  private int[] after = new int[16];
  private int first = NONE;
  private int last = NONE;
  private long timedOut;
  private long displaced;

  KeyedStates(KeyedActor<K, S, T> actor, Wiring wiring, SavedStates<K, S> saved) {
    this.actor = actor;
    this.wiring = wiring;
    this.saved = saved;
    timeoutNs = actor.settings().timeout().toNanos();
    keys = actor.key().keys(actor.settings().mostKeys());
    process = actor.make();
  }

  /** Where tokens go from now on. */
  void link(Object outlet) {
    out = outlet;
  }

  int size() {
    return keys.size();
  }

  long timedOut() {
    return timedOut;
  }

  long displaced() {
    return displaced;
  }

  /** It has thrown: all is forgotten. */
  void restart() {
    forget();
    process = actor.make();
  }

  private void forget() {
    keys = actor.key().keys(actor.settings().mostKeys());
    Arrays.fill(states, null);
    first = NONE;
    last = NONE;
  }

  @Override
  public void accept(T token) {
    int known = keys.size();
    int number = keys.number(token);
    if (number == NONE) {
      acceptOneMore(token);
      return;
    }
    if (keys.size() > known) {
      add(number);
    } else if (isSilent(number)) { // Nobody has looked since.
      timeOut(number);
      accept(token);
      return;
    } else if (number != last) {
      unlink(number);
      append(number);
    }
    lastNs[number] = wiring.nowNs();
    S state = state(number);
    process.process(state, token, out);
    if (process.isOver(state)) {
      remove(number);
    }
  }

  /** There are as many keys as may be. */
  private void acceptOneMore(T token) {
    if (actor.settings().whenTooMany() == KeyedSettings.TooManyKeys.DROP || first == NONE) {
      wiring.dropToken(WindowActor.TOO_MANY_KEYS);
    } else {
      displaced++;
      end(first);
      accept(token);
    }
  }

  @SuppressWarnings("unchecked") // Only such are put in.
  private S state(int number) {
    return (S) Objects.requireNonNull(states[number]);
  }

  @SuppressWarnings("unchecked") // The builder knows the class.
  private K key(int number) {
    return (K) keys.key(number);
  }

  private void add(int number) {
    if (number >= states.length) {
      states = Arrays.copyOf(states, 2 * number);
      lastNs = Arrays.copyOf(lastNs, states.length);
      before = Arrays.copyOf(before, states.length);
      after = Arrays.copyOf(after, states.length);
    }
    append(number);
    try {
      K key = key(number);
      S restored = saved.take(key);
      states[number] = Objects.requireNonNull(restored == null ? process.create(key) : restored);
    } catch (Throwable e) { // As if the key had never come.
      remove(number);
      throw e;
    }
  }

  private void append(int number) {
    before[number] = last;
    after[number] = NONE;
    if (last == NONE) {
      first = number;
    } else {
      after[last] = number;
    }
    last = number;
  }

  private void unlink(int number) {
    if (before[number] == NONE) {
      first = after[number];
    } else {
      after[before[number]] = after[number];
    }
    if (after[number] == NONE) {
      last = before[number];
    } else {
      before[after[number]] = before[number];
    }
  }

  private void remove(int number) {
    unlink(number);
    states[number] = null;
    keys.remove(number);
  }

  /** Forgets keys that were silent for too long. */
  @Override
  public int run() {
    int count = 0;
    while (first != NONE && count < MOST_IN_A_ROUND && isSilent(first)) {
      timeOut(first);
      count++;
    }
    return count;
  }

  private boolean isSilent(int number) {
    return wiring.nowNs() - lastNs[number] >= timeoutNs;
  }

  private void timeOut(int number) {
    timedOut++;
    end(number);
  }

  private void end(int number) {
    K key = key(number);
    S state = state(number);
    remove(number);
    process.timedOut(key, state, out);
  }

  @Override
  public long restNs(Runnable wake) {
    return first == NONE ? Long.MAX_VALUE : Math.max(0, lastNs[first] + timeoutNs - wiring.nowNs());
  }

  /** Says what is kept, to be saved. */
  void save() {
    saved.save(wiring.worker(), kept());
  }

  /** Leaves what is kept to other workers, and to be saved. */
  void leave() {
    Map<K, S> kept = kept();
    forget();
    try {
      saved.leave(wiring.worker(), kept);
    } catch (RuntimeException e) { // Nobody would know, but for the log.
      wiring.stop(e);
    }
  }

  /** Those that were silent the longest come first. */
  private Map<K, S> kept() {
    Map<K, S> kept = new LinkedHashMap<>();
    for (int number = first; number != NONE; number = after[number]) {
      kept.put(key(number), state(number));
    }
    return kept;
  }
}
