package io.linerate.fabric.channel;

import io.linerate.fabric.Descriptor;
import io.linerate.fabric.FabricException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * A message that has come, in the memory where it came. It is the receiver's until it is {@link
 * #release}d; the sender may then send another.
 */
public final class Incoming {
  private final ReceiveMemory memory;
  private final Descriptor descriptor;
  private final MemorySegment message;
  private final MemorySegment payload;
  private int length;
  private @Nullable Channel channel;

  Incoming(ReceiveMemory memory, Descriptor descriptor, MemorySegment message) {
    this.memory = memory;
    this.descriptor = descriptor;
    this.message = message;
    payload = message.asSlice(MessageHeader.BYTES);
  }

  /** Where the message is: its first {@link #length} bytes. */
  public MemorySegment memory() {
    Channel _ = requireHeld();
    return payload;
  }

  /** Bytes of the message. */
  public int length() {
    memory.check();
    return length;
  }

  /** Gives the memory back. */
  public void release() {
    Channel owner = requireHeld();
    channel = null;
    owner.freed();
    memory.post(this);
  }

  private Channel requireHeld() {
    memory.check();
    Channel owner = channel;
    if (owner == null) {
      throw new FabricException(
          "a message was released: length=%d; copy what is needed later".formatted(length));
    }
    return owner;
  }

  void arrived(Channel at, int bytes) {
    channel = at;
    length = bytes;
  }

  /** A copy of what came behind the header. */
  byte[] payload() {
    return message
        .asSlice(MessageHeader.BYTES, descriptor.length() - MessageHeader.BYTES)
        .toArray(ValueLayout.JAVA_BYTE);
  }

  Descriptor descriptor() {
    return descriptor;
  }

  /** With its header. */
  MemorySegment whole() {
    return message;
  }
}
