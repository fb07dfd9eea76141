package io.linerate.track;

import io.linerate.core.memory.DropReason;
import java.util.Locale;

/** Why a packet is {@link Relation#INVALID}. */
public enum TrackDefect {
  /** Nothing is wrong. */
  NONE,
  /** Its headers are cut off, or contradict its length. */
  MALFORMED,
  /** It is a fragment: whoever tracks puts them together before. */
  FRAGMENT,
  /** TCP: flags that no end sends. */
  BAD_FLAGS,
  /** The checksum of what would change a connection is wrong. */
  BAD_CHECKSUM,
  /** TCP: sequence or acknowledgment number are not where the windows are. */
  OUT_OF_WINDOW,
  /** It is no beginning, and of no connection that is known. */
  NO_CONNECTION;

  @SuppressWarnings("ImmutableEnumChecker") // A reason is a name.
  private final DropReason reason = DropReason.named(name().toLowerCase(Locale.ROOT));

  /** As which packets are dropped for it. */
  public DropReason reason() {
    return reason;
  }
}
