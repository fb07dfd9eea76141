package io.linerate.driver.ring;

import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.driver.SpscRing;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortAddress;
import io.linerate.core.port.PortProperties;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;

/**
 * One end of a {@link Wire}. Packets change their owner, never their place: what one end sends the
 * other receives without a copy.
 */
public final class RingPort implements DriverPort {
  private final PortProperties properties;
  private final SpscRing[] rx;
  private final SpscRing[] tx;
  private final PacketPools pools;
  private final BooleanSupplier isAlone;
  private boolean isClosed;

  /**
   * @param isAlone whether there is no other end that could receive what this one sends
   */
  RingPort(
      String name,
      PortAddress address,
      SpscRing[] rx,
      SpscRing[] tx,
      PacketPools pools,
      BooleanSupplier isAlone) {
    properties = new PortProperties(name, address, rx.length, tx.length, -1);
    this.rx = rx;
    this.tx = tx;
    this.pools = pools;
    this.isAlone = isAlone;
  }

  @Override
  public PortProperties properties() {
    return properties;
  }

  @Override
  public RxQueue rxQueue(int index) {
    return new Receiver(rx[index]);
  }

  @Override
  public TxQueue txQueue(int index) {
    return new Sender(tx[index]);
  }

  /**
   * {@inheritDoc}
   *
   * <p>{@code missed} are the packets that were in the rings when the port was closed.
   */
  @Override
  public PortStatistics statistics() {
    return new PortStatistics(
        sum(rx, SpscRing::packetsOut),
        sum(rx, SpscRing::bytesOut),
        sum(tx, SpscRing::packetsIn),
        sum(tx, SpscRing::bytesIn),
        sum(rx, SpscRing::lostPackets),
        0);
  }

  private static long sum(SpscRing[] rings, ToLongFunction<SpscRing> number) {
    return Arrays.stream(rings).mapToLong(number).sum();
  }

  /**
   * Frees what was not received. The other end, if it was opened, receives what is on its way to
   * it, and is exhausted then.
   */
  @Override
  public void close() {
    if (!isClosed) {
      isClosed = true;
      for (SpscRing ring : tx) {
        if (ring.closeProducer() || isAlone.getAsBoolean()) {
          ring.freeAll(pools);
        }
      }
      for (SpscRing ring : rx) {
        ring.freeAll(pools);
        if (ring.closeConsumer()) {
          ring.freeAll(pools); // What came meanwhile.
        }
      }
    }
  }

  private static void requireOpen(boolean isClosed) {
    if (isClosed) {
      throw new IllegalStateException("ring port is closed; open another");
    }
  }

  /** Receives from one ring. */
  private record Receiver(SpscRing ring) implements RxQueue {
    @Override
    public int receive(MbufArray packets) {
      requireOpen(ring.isConsumerClosed());
      return ring.take(packets);
    }

    @Override
    public boolean exhausted() {
      return ring.isExhausted();
    }

    @Override
    public int waiting() {
      return ring.size();
    }

    @Override
    public boolean canWait() {
      return true;
    }

    @Override
    public int waitFor(Runnable wake) {
      return ring.wakeOnPackets(wake) ? WAKES : HAS_PACKETS;
    }
  }

  /** Sends into one ring. */
  private record Sender(SpscRing ring) implements TxQueue {
    @Override
    public int send(MbufArray packets, int from) {
      requireOpen(ring.isProducerClosed());
      return ring.put(packets, from);
    }

    @Override
    public int waiting() {
      return ring.size();
    }
  }
}
