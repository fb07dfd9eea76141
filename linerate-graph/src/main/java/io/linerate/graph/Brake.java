package io.linerate.graph;

/** Something that may have too much to do: what is before it waits. */
@FunctionalInterface
interface Brake {
  /** Whether what is before it is to wait. For the worker's thread. */
  boolean holdsBack();
}
