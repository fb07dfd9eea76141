package io.linerate.decode;

import java.util.List;

/**
 * A protocol: its fields, where its header ends and what follows, and what is deeper in it. It has
 * no state: all that belongs to a packet is in what its methods are given. No content may make them
 * throw or loop for ever: what they read outside the packet is 0 and marks the layer.
 *
 * <p>Those of other jars are found as services ({@link java.util.ServiceLoader}).
 */
public interface Protocol {
  /** What it declares. */
  Fields fields();

  /** Numbers in other headers that stand for it. */
  default List<DispatchKey> keys() {
    return List.of();
  }

  /**
   * Says where the header ends, and what follows it. It is called for every packet that has such a
   * layer: what is not needed for that belongs to {@link #dissect}. If it says nothing the layer
   * has all bytes, and nothing follows.
   */
  default void scan(Scan scan) {}

  /** Says what all the fields of a layer are, in the order of their bytes. */
  default void dissect(Dissection dissection) {
    dissection.fixed();
  }

  /**
   * Completes a layer that is being made: what was not set of lengths, checksums, and numbers of
   * what follows. What it carries is complete.
   */
  default void complete(LayerBuilder layer) {}

  /**
   * Length of the message that begins a stream of bytes, for protocols over TCP: what is less waits
   * for more.
   *
   * @param scan of the bytes that have come
   * @return bytes; 0 if more must come before it can be told; {@link #UNKNOWN} if messages have no
   *     bounds that can be told, or this is none
   */
  default int messageBytes(Scan scan) {
    return UNKNOWN;
  }

  /** See {@link #messageBytes}. */
  int UNKNOWN = -1;

  /**
   * What a message has to do with those of the other direction, for protocols over TCP whose
   * answers can be read only by who knows what was asked. Questions are answered in their order:
   * {@link Scan#question} says which one a message answers.
   *
   * @param scan of a message that is complete
   * @return 1 to {@link #MOST_QUESTION}: it asks this; {@link #ANSWER}: it answers the oldest
   *     question, and nothing more does; 0: neither
   */
  default int exchange(Scan scan) {
    return 0;
  }

  /** See {@link #exchange}. */
  int ANSWER = -1;

  /** See {@link #exchange}. */
  int MOST_QUESTION = 3;
}
