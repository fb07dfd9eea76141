package io.linerate.stream.net;

/** Why a session is closed. */
enum CloseReason {
  /** The program ends, and what it has sent has come. */
  DONE(0, "it has sent all"),

  /** Something came that a sound peer does not send. */
  PROTOCOL(1, "it was sent what cannot be"),

  /** The program ends. */
  STOPPED(2, "its program has ended"),

  /** What was sent cannot be used. */
  APPLICATION(3, "it cannot use what was sent"),

  /** Of a later version. */
  OTHER(255, "another reason");

  private final int code;
  private final String text;

  CloseReason(int code, String text) {
    this.code = code;
    this.text = text;
  }

  int code() {
    return code;
  }

  /** What the peer says. */
  String text() {
    return text;
  }

  static CloseReason of(int code) {
    for (CloseReason reason : values()) {
      if (reason.code == code) {
        return reason;
      }
    }
    return OTHER;
  }
}
