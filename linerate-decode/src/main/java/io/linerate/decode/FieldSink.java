package io.linerate.decode;

import io.linerate.core.memory.ByteView;
import org.jspecify.annotations.Nullable;

/**
 * Is told what the fields of a packet's layers are, one after the other. What it is given holds
 * until it returns. What it has no method for it does not care for.
 */
public interface FieldSink {
  /** Whether the fields of a layer are wanted: if not it is not dissected. */
  default boolean wants(Layer layer) {
    return true;
  }

  /** Whether a field is wanted: asked only for those that cost more than to read them. */
  default boolean wants(Layer layer, Field field) {
    return true;
  }

  /**
   * Which columns of a table of fields it wants, so that others need not be read.
   *
   * @return null: it wants all fields
   */
  default @Nullable FieldSelection selection() {
    return null;
  }

  /** A layer begins. */
  default void begin(Layer layer) {}

  /** It ends. What is wrong with it, {@link Layer#mark} says. */
  default void end(Layer layer) {}

  /** What follows belongs to a part of the layer, whose own field this is, until {@link #close}. */
  default void open(Layer layer, Field part, int offset, int bytes) {}

  /** The part that was opened last ends. */
  default void close(Layer layer) {}

  /**
   * A field whose kind is a number.
   *
   * @param offset of its first byte in the layer's bytes
   * @param bytes of it; 0 if it is in none, but computed
   */
  default void number(Layer layer, Field field, long value, int offset, int bytes) {}

  /** A field whose kind is none, of bytes of {@code source}. */
  default void bytes(Layer layer, Field field, ByteView source, int offset, int bytes) {}

  /** A field whose value is a text that is not there as it is. */
  default void text(Layer layer, Field field, CharSequence value, int offset, int bytes) {}
}
