package io.linerate.core.memory;

import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Why a packet ended without being sent. Two of the same name are equal; an application best makes
 * each of its reasons once, in a {@code static final} field, since to find one by its name takes
 * longer.
 */
public final class DropReason {
  /**
   * Names of those that are good ends, and no loss: their packets were needed no longer. First:
   * reasons ask.
   */
  private static final Set<String> GOOD_ENDS =
      Set.of("consumed", "joined", "copied", "reported", "filtered");

  /** What is counted of any further reason, once a program has {@link DropCounts#MAX_REASONS}. */
  public static final DropReason OTHER = named("other");

  /** The handler neither sent nor dropped it. */
  public static final DropReason FORGOTTEN = named("forgotten");

  /** The handler threw while it worked on it. */
  public static final DropReason HANDLER_ERROR = named("handler_error");

  /** The transmit queue stayed full for as long as the output may retry. */
  public static final DropReason TX_FULL = named("tx_full");

  /** The kernel or the device refused it: for none of the reasons that follow, or it is dead. */
  public static final DropReason TX_ERROR = named("tx_error");

  /** It is longer than the interface may transmit, or in more pieces. */
  public static final DropReason TX_TOO_LONG = named("tx_too_long");

  /** It is shorter than a frame of the interface can be. */
  public static final DropReason TX_TOO_SHORT = named("tx_too_short");

  /** The interface is down. */
  public static final DropReason TX_LINK_DOWN = named("tx_link_down");

  /** It begins with another header than what the port transmits: see {@link LinkType}. */
  public static final DropReason TX_LINK_TYPE = named("tx_link_type");

  /** No buffer was free to copy it into. */
  public static final DropReason NO_BUFFER = named("no_buffer");

  /**
   * The program has seen it and needs it no longer: the good end of a packet that was to be
   * received only.
   */
  public static final DropReason CONSUMED = named("consumed");

  /** The engine's {@link ReceiveFilter} did not accept it: no handler was given it. */
  public static final DropReason FILTERED = named("filtered");

  /** Its headers contradict its length or each other. */
  public static final DropReason MALFORMED = named("malformed");

  private final String name;
  private final boolean isGoodEnd;

  private DropReason(String name) {
    this.name = name;
    isGoodEnd = isGoodEnd(name);
  }

  /**
   * A reason of the application's own.
   *
   * @param name lower case letters, digits and underscores, at most 64: it becomes a key of the
   *     JSON summary
   * @throws IllegalArgumentException for any other name
   */
  public static DropReason named(String name) {
    if (!Pattern.matches("[a-z][a-z0-9_]{0,63}", name)) {
      throw new IllegalArgumentException(
          "drop reason has a bad name: name="
              + name
              + "; use lower case letters, digits and underscores");
    }
    return new DropReason(name);
  }

  public String name() {
    return name;
  }

  /** Whether its packets are no loss: they were needed no longer. */
  public boolean isGoodEnd() {
    return isGoodEnd;
  }

  /** What packets of the reason of this name were, in a word for people: ended, or dropped. */
  public static String end(String name) {
    return isGoodEnd(name) ? "ended" : "dropped";
  }

  /** As {@link #isGoodEnd()}, of the reason of this name. */
  public static boolean isGoodEnd(String name) {
    return GOOD_ENDS.contains(name);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DropReason reason && reason.name.equals(name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name;
  }
}
