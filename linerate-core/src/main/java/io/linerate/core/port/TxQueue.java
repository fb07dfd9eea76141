package io.linerate.core.port;

import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.DropCounts;
import org.jspecify.annotations.Nullable;

/**
 * A transmit queue of a port: one thread's own.
 *
 * <p>A packet that is offered has one of three fates. It is not taken, and stays the caller's. It
 * is taken, and leaves. It is taken and refused: the kernel or the device will never send it, so
 * the queue frees it and counts it in {@link #refused}, at once or before it stops to be {@link
 * #undecided}. So {@code taken + made - refused - undecided} packets have been sent, for every
 * driver.
 */
public interface TxQueue {
  /**
   * Offers the packets in slots {@code [from, packets.size())}.
   *
   * @return how many were taken, {@code n}: {@code [from, from + n)} belong to the port from now
   *     on, the rest is still the caller's, who tries again or drops it. The slots are left as they
   *     are.
   * @throws PortException when the device is dead; nothing was taken then, as after whatever else
   *     is thrown: a queue that fails midway returns what it has taken, and throws when it is
   *     called again. A {@link StackOverflowError} alone says nothing about what was taken: nobody
   *     may end the packets afterwards
   */
  int send(MbufArray packets, int from);

  /**
   * The longest IP packet that leaves, in bytes: the worker cuts longer TCP packets, and those that
   * stand for several, before it offers them, unless the queue {@link #finishes} them. Asked when
   * the worker begins.
   *
   * @return {@link Integer#MAX_VALUE} if the queue takes them as they are: it is a file, or who
   *     transmits cuts them
   */
  default int mtuBytes() {
    return Integer.MAX_VALUE;
  }

  /**
   * Whether the queue itself, or the device behind it, finishes a packet that is offered as it is:
   * cuts one that is too long or stands for several, makes a checksum that was left, inserts a VLAN
   * tag that stands beside it. Asked of each such packet just before it is offered, perhaps again;
   * the queue may write beside the packet's bytes, and into its checksums, what the device needs.
   */
  default boolean finishes(long mbuf) {
    return mtuBytes() == Integer.MAX_VALUE && Mbuf.vlanTag(mbuf) < 0 && Mbuf.innerBytes(mbuf) == 0;
  }

  /**
   * Whether it makes TCP and UDP checksums that were left to it at no cost for the program: in a
   * device, or where the kernel does. Asked when the engine starts.
   */
  default boolean finishesChecksums() {
    return false;
  }

  /**
   * Whether it cuts UDP datagrams that were put into one packet ({@link
   * io.linerate.core.memory.Packet#leaveCutting}) at no cost for the program, and makes their
   * checksums: in a device, or where the kernel does. Asked when the engine starts.
   */
  default boolean cutsDatagrams() {
    return false;
  }

  /**
   * Packets that were taken but can never be sent, by reason: {@link
   * io.linerate.core.memory.DropReason#TX_TOO_LONG} and others that begin with {@code tx_}. Null
   * when the queue refuses none. Written by the queue's own thread.
   */
  default @Nullable DropCounts refused() {
    return null;
  }

  /** Packets taken that may still be refused: such as those of a call that has not been made. */
  default int undecided() {
    return 0;
  }

  /**
   * Decides what is {@link #undecided}, now: the worker that sent it ends, and counts for the last
   * time. Another may use the queue later.
   */
  default void decide() {}

  /** Passes on what the port has buffered, such as bytes for a file. */
  default void flush() {}

  /**
   * Packets that the queue has made itself since it was opened, such as repeats of others: each is
   * as one that it has taken, and has the same fates. Written by the queue's own thread.
   */
  default long made() {
    return 0;
  }

  /**
   * Packets taken that have not left yet, so that others sent by another queue of the port might
   * pass them; 0 when the port does not know. They leave in the order in which they were taken.
   */
  default int waiting() {
    return 0;
  }
}
