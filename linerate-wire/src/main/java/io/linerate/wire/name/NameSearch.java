package io.linerate.wire.name;

/** What a {@link NameReader} has found. */
public enum NameSearch {
  /** There is a name. */
  FOUND,
  /** So far it is what is looked for, and more has to come. */
  NEEDS_MORE,
  /** There is no name, or these are bytes of another protocol. */
  NONE,
  /** It is what is looked for, and broken, or says two things: programs may read it differently. */
  MALFORMED
}
