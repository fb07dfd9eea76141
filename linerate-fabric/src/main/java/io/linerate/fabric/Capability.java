package io.linerate.fabric;

import java.util.EnumSet;
import java.util.Set;

/** What an endpoint can do: bits of fi_getinfo(3). */
public enum Capability {
  /** Messages into the buffers that the peer has posted, in their order. */
  MESSAGES("messages", 1L << 1),
  /** Remote memory is written and read. */
  REMOTE_MEMORY("remote-memory", 1L << 2),
  /** Messages with a tag, which finds the buffer that was posted for it. */
  TAGGED("tagged", 1L << 3),
  /** Remote memory is changed by one operation that no other one divides. */
  ATOMICS("atomics", 1L << 4),
  /** A buffer takes several messages. */
  MULTI_RECEIVE("multi-receive", FabricFlags.FI_MULTI_RECV),
  /** A completion tells which peer has sent the message. */
  SOURCE("source", FabricFlags.FI_SOURCE),
  /** A receive can be for messages of one peer only. */
  DIRECTED_RECEIVE("directed-receive", 1L << 59),
  /** An operation can wait for those before it ({@link Descriptor#fence}). */
  FENCE("fence", FabricFlags.FI_FENCE);

  private final String text;
  private final long bit;

  Capability(String text, long bit) {
    this.text = text;
    this.bit = bit;
  }

  long bit() {
    return bit;
  }

  static long bits(Set<Capability> capabilities) {
    long bits = 0;
    for (Capability capability : capabilities) {
      bits |= capability.bit;
    }
    return bits;
  }

  static Set<Capability> of(long bits) {
    Set<Capability> capabilities = EnumSet.noneOf(Capability.class);
    for (Capability capability : values()) {
      if ((bits & capability.bit) != 0) {
        capabilities.add(capability);
      }
    }
    return capabilities;
  }

  /** As messages and tables have it. */
  @Override
  public String toString() {
    return text;
  }
}
