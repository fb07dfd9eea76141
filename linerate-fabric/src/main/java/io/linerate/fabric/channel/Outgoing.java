package io.linerate.fabric.channel;

import io.linerate.fabric.Descriptor;
import io.linerate.fabric.FabricException;
import io.linerate.fabric.MemoryRegion;
import java.lang.foreign.MemorySegment;

/**
 * Memory for a message that is to be sent: {@link Channel#claim} gives it, {@link #send} ends it.
 */
public final class Outgoing {
  private final Channel channel;
  private final Descriptor descriptor;
  private final MemoryRegion region;
  private final long offset;
  private final MemorySegment message;
  private final MemorySegment payload;
  private boolean isClaimed;

  Outgoing(
      Channel channel, Descriptor descriptor, MemoryRegion region, long offset, long slotBytes) {
    this.channel = channel;
    this.descriptor = descriptor;
    this.region = region;
    this.offset = offset;
    message = region.segment().asSlice(offset, slotBytes);
    payload = message.asSlice(MessageHeader.BYTES);
  }

  /** Where the message is to be written: at most {@link Channel#messageBytes}. */
  public MemorySegment memory() {
    requireClaimed();
    return payload;
  }

  /**
   * Sends the first bytes of the memory.
   *
   * @param length 0 to {@link Channel#messageBytes}
   */
  public void send(int length) {
    requireClaimed();
    if (length < 0 || length > channel.messageBytes()) {
      throw new FabricException(
          "a message is too long: length=%d, limit=%d; send it in parts"
              .formatted(length, channel.messageBytes()));
    }
    channel.send(this, length);
    isClaimed = false;
  }

  /** Sends nothing: the memory can be claimed again. */
  public void cancel() {
    requireClaimed();
    isClaimed = false;
    channel.giveBack(this);
  }

  private void requireClaimed() {
    channel.check();
    if (!isClaimed) {
      throw new FabricException(
          "a message was sent: claim memory for the next one from its channel");
    }
  }

  void claim() {
    isClaimed = true;
  }

  /** Names what is to be sent. */
  Descriptor prepare(int length) {
    return descriptor.on(region, offset, (long) MessageHeader.BYTES + length);
  }

  Descriptor descriptor() {
    return descriptor;
  }

  /** With its header. */
  MemorySegment whole() {
    return message;
  }
}
