package io.linerate.apps.doctor;

import java.util.Locale;

/**
 * One thing that the doctor looked at.
 *
 * @param value as it is
 * @param remedy a command or a sentence that mends it; "" when there is nothing to mend
 */
record Finding(Status status, String name, String value, String remedy) {
  /** How it is. */
  enum Status {
    OK,
    /** Not there; what does not need it works. */
    MISSING,
    /** There, and not as it must be: the doctor fails. */
    WRONG;

    String key() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static Finding ok(String name, String value) {
    return new Finding(Status.OK, name, value, "");
  }

  static Finding missing(String name, String value, String remedy) {
    return new Finding(Status.MISSING, name, value, remedy);
  }

  static Finding wrong(String name, String value, String remedy) {
    return new Finding(Status.WRONG, name, value, remedy);
  }

  /** Well if {@code good}, otherwise missing. */
  static Finding optional(boolean good, String name, String value, String remedy) {
    return good ? ok(name, value) : missing(name, value, remedy);
  }
}
