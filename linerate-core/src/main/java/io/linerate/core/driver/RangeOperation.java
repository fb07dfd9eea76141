package io.linerate.core.driver;

/**
 * Work of native code on a range of memory. For drivers and libraries only: whoever implements it
 * answers for what is done at the address, and keeps it no longer than the call.
 */
@FunctionalInterface
public interface RangeOperation {
  /**
   * Works on the range.
   *
   * @return anything
   */
  int apply(long address, int bytes);
}
