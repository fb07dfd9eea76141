package io.linerate.apps.top;

/** What can be put in an {@link Order}. */
interface Ranked {
  String name();

  /** Packets that pass it, both ways. */
  Pace passed();

  /** Packets that it drops or loses. */
  Pace lost();
}
