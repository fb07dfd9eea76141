package io.linerate.wire;

/** How a fragment stands to those of its packet that came before. */
public enum FragmentFit {
  /** Its bytes have not come yet. */
  NEW,

  /** It is one of those, once more. */
  REPETITION,

  /** It overlaps another, is behind the last, or is another last one. */
  CONTRADICTION,

  /** Its bytes have not come yet, and there is no room for a further one. */
  NO_ROOM
}
