package io.linerate.core.counter;

/** How a number changes while its program runs. */
public enum SampleKind {
  /** It only grows; readers take differences. */
  COUNTER,

  /** How things stand now. */
  GAUGE,

  /** Always 1: the labels say something about the program. */
  INFO
}
