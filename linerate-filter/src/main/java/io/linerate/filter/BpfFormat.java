package io.linerate.filter;

/** How a program is written as text: tcpdump's options of the same meaning. */
public enum BpfFormat {
  /** For people: {@code tcpdump -d}. */
  ASSEMBLY,
  /** An array of C: {@code tcpdump -dd}. */
  C_ARRAY,
  /** Decimal numbers, their count first: {@code tcpdump -ddd}. */
  DECIMAL
}
