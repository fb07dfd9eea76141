package io.linerate.core.port;

import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MbufArray;

/** A receive queue of a port: one thread's own. */
public interface RxQueue {
  /** {@link #waitFor}: not now at least; the worker looks every millisecond. */
  int CANNOT_TELL = -1;

  /** {@link #waitFor}: there may be some already. */
  int HAS_PACKETS = -2;

  /** {@link #waitFor}: by calling what ends the sleep. */
  int WAKES = -3;

  /**
   * Appends the packets that are there, at most {@link MbufArray#room()} of them. They belong to
   * the array's owner then.
   *
   * @return their number; 0 means none now, or ever if {@link #exhausted}
   * @throws PortException when the device failed or the file is damaged; packets before that were
   *     returned by earlier calls
   */
  int receive(MbufArray packets);

  /**
   * As {@link #receive(MbufArray)}, after the packets are freed that still lie in the array's free
   * slots, of the burst before: a driver that can do both with one native call overrides this.
   */
  default int receive(MbufArray packets, FreeBuffer spent) {
    spent.storeSpent();
    return receive(packets);
  }

  /** Whether {@link #exchange} transmits these packets by that queue, all of them as they are. */
  default boolean canExchange(TxQueue tx, MbufArray due) {
    return false;
  }

  /**
   * As {@link #receive(MbufArray, FreeBuffer)}, after packets were transmitted, with one native
   * call for both. Only if it {@link #canExchange}.
   *
   * @param due to be transmitted; not changed
   * @return packets received in the lowest 16 bits, and in the next 16 how many of {@code due} the
   *     queue has taken, from the first on; what the other bits are means nothing
   */
  default long exchange(MbufArray packets, FreeBuffer spent, TxQueue tx, MbufArray due) {
    throw new UnsupportedOperationException(
        "receive queue cannot transmit: queue=" + this + "; ask canExchange before");
  }

  /** Whether no packet will ever come again, as at the end of a file. */
  default boolean exhausted() {
    return false;
  }

  /**
   * Told after a call that brought packets, if the engine has a filter: that has ended so many of
   * them before any handler was given them.
   */
  default void filtered(int packets) {}

  /** Whether the program makes its packets itself: the engine's filter is not about such. */
  default boolean makesPackets() {
    return false;
  }

  /** Packets that wait to be received, or -1 when the port does not know. */
  default int waiting() {
    return -1;
  }

  /**
   * Whether it may bring packets that are longer than what a network interface transmits, or stand
   * for several: where no queue does, nobody looks for them.
   */
  default boolean bringsLongPackets() {
    return true;
  }

  /**
   * Whether its packets may stand for several: those of tunnels are cut by the worker, whoever is
   * to send them. See {@link io.linerate.core.driver.Mbuf#innerBytes}.
   */
  default boolean bringsSuperPackets() {
    return bringsLongPackets();
  }

  /**
   * Whether VLAN tags may stand beside its packets: see {@link io.linerate.core.driver.VlanTag}.
   */
  default boolean bringsVlanTags() {
    return false;
  }

  /**
   * Whether its packets lie in a mapped file: reading them may throw a fault of that file, after
   * which nothing of it can be trusted, and the queue is polled no more.
   */
  default boolean isMappedFile() {
    return false;
  }

  /**
   * Whether {@link #waitFor} can tell when packets come, if nothing is in the way: a worker need
   * not look.
   */
  default boolean canWait() {
    return false;
  }

  /**
   * Asked by a worker that is about to sleep, each time: how it learns that packets come.
   *
   * @param wake ends the sleep, for any thread; to be called once at most
   * @return a descriptor that poll(2) finds readable as soon as packets come, or {@link #WAKES},
   *     {@link #HAS_PACKETS} or {@link #CANNOT_TELL}
   */
  default int waitFor(Runnable wake) {
    return CANNOT_TELL;
  }
}
