package io.linerate.graph;

/**
 * An input or output of an element.
 *
 * @param name unique among the inputs, or outputs, of its element
 * @param isOptional whether it may be left unconnected
 */
public record ElementPort(String name, boolean isOptional) {}
