package io.linerate.core.config;

/**
 * A port as configuration names it.
 *
 * @param name unique in its program
 * @param address {@code scheme:rest}
 */
public record NamedAddress(String name, String address) {}
