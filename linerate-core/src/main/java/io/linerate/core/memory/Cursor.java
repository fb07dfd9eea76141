package io.linerate.core.memory;

/**
 * What is given again and again, at something else each time: it is read while it is handled, and
 * not kept. Whoever needs something of it later copies that.
 */
public interface Cursor {}
