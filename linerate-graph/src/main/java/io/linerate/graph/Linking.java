package io.linerate.graph;

/**
 * Makes a handler that hands tokens on, for what is behind its element then: called between two
 * bursts, when the element is put into the graph and when edges behind it have changed. State that
 * is to outlive that is made before, in the element's method {@code open}.
 *
 * @param <H> what is made
 */
@FunctionalInterface
public interface Linking<H> {
  /** Makes it. */
  H link(Links links);
}
