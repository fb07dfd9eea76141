package io.linerate.apps.doctor;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One thing that the doctor looked at.
 *
 * @param value as it is
 * @param remedy a command or a sentence that mends it; "" when there is nothing to mend
 * @param fix what the doctor itself can do about it
 */
record Finding(Status status, String name, String value, String remedy, Optional<Fix> fix) {
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
    return new Finding(Status.OK, name, value, "", Optional.empty());
  }

  static Finding missing(String name, String value, String remedy) {
    return new Finding(Status.MISSING, name, value, remedy, Optional.empty());
  }

  static Finding wrong(String name, String value, String remedy) {
    return new Finding(Status.WRONG, name, value, remedy, Optional.empty());
  }

  /** Well if {@code good}, otherwise missing. */
  static Finding optional(boolean good, String name, String value, String remedy) {
    return good ? ok(name, value) : missing(name, value, remedy);
  }

  /**
   * The same with a command that mends it, unless all is well.
   *
   * @param undo how it is taken back; "" if there is no need to
   */
  Finding fixedBy(String undo, String... command) {
    return status == Status.OK
        ? this
        : new Finding(status, name, value, remedy, Optional.of(new Fix(List.of(command), undo)));
  }
}
