package io.linerate.decode;

/** What a field's bits mean, and with it how they are printed. */
public enum Kind {
  /** A number from 0 on, printed in decimal. */
  DECIMAL,
  /** A number from 0 on, printed as 0x and all its digits. */
  HEX,
  /** A number in two's complement, printed in decimal. */
  SIGNED,
  /** One bit or more: set or not, printed as 1 or 0. */
  FLAG,
  /** IEEE 754, of 32 or 64 bits. */
  FLOAT,
  /** 48 bits, printed as six bytes in hexadecimal with colons between. */
  MAC,
  /** 64 bits, as {@link #MAC}. */
  EUI64,
  /** 32 bits, printed as four numbers with dots between. */
  IPV4,
  /** 128 bits, printed as RFC 5952 has it. */
  IPV6,
  /** 128 bits, printed as RFC 9562, section 4 has it. */
  UUID,
  /** Bytes, printed in hexadecimal. */
  BYTES,
  /** Characters of UTF-8; what is none is printed as U+FFFD. */
  TEXT,
  /** An object identifier, of the content bytes of its BER. */
  OID,
  /** A time in ns since the epoch. */
  TIME,
  /** A duration in ns. */
  DURATION,
  /** No value: that there is something. */
  NONE;

  /** Whether a value is a number of 64 bits, not bytes. */
  public boolean isNumber() {
    return switch (this) {
      case IPV6, UUID, BYTES, TEXT, OID, NONE -> false;
      default -> true;
    };
  }
}
