package io.linerate.graph;

/**
 * What there is to read or write of an element.
 *
 * @param name unique in its element
 * @param type of its values
 */
public record HandlerInfo(String name, ValueType<?> type, boolean isReadable, boolean isWritable) {}
