package io.linerate.apps.top;

/** What a key of the keyboard means here. */
enum Key {
  QUIT,
  PAUSE,
  HELP,
  BY_NAME,
  BY_RATE,
  BY_DROPS,
  NEXT_ORDER,
  UP,
  DOWN,
  PAGE_UP,
  PAGE_DOWN,
  FIRST,
  LAST,
  NEXT,
  PREVIOUS,
  LEAVE,

  /** Closer: the program that is chosen in the list. */
  OPEN,

  /** Back to the list of programs. */
  LIST,

  /** None that has a meaning. */
  OTHER
}
