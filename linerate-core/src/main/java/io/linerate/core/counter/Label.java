package io.linerate.core.counter;

/**
 * Tells a sample from others of the same name.
 *
 * @param name lower case letters, digits and underscores
 * @param value any text
 */
public record Label(String name, String value) {}
