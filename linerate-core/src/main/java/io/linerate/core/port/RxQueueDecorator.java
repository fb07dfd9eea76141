package io.linerate.core.port;

/** A receive queue that stands before another and is that queue, but for what it overrides. */
public interface RxQueueDecorator extends RxQueue {
  /** The queue that it stands before. */
  RxQueue inner();

  @Override
  default boolean exhausted() {
    return inner().exhausted();
  }

  @Override
  default void filtered(int packets) {
    inner().filtered(packets);
  }

  @Override
  default boolean makesPackets() {
    return inner().makesPackets();
  }

  @Override
  default int waiting() {
    return inner().waiting();
  }

  @Override
  default boolean bringsLongPackets() {
    return inner().bringsLongPackets();
  }

  @Override
  default boolean bringsSuperPackets() {
    return inner().bringsSuperPackets();
  }

  @Override
  default boolean bringsVlanTags() {
    return inner().bringsVlanTags();
  }

  @Override
  default boolean isMappedFile() {
    return inner().isMappedFile();
  }

  @Override
  default boolean canWait() {
    return inner().canWait();
  }

  @Override
  default int waitFor(Runnable wake) {
    return inner().waitFor(wake);
  }
}
