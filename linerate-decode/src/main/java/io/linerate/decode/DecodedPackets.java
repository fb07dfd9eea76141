package io.linerate.decode;

import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.RxQueue;
import io.linerate.core.worker.Engine;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * The packets that a port brings, decoded one after the other, for a loop on the calling thread:
 * without workers, and without a graph. What the decoder says of a packet holds until the next.
 *
 * <pre>{@code
 * try (DecodedPackets packets = DecodedPackets.of(Protocols.standard(), "pcap:rx=traffic.pcap")) {
 *   for (Decoder packet : packets) {
 *     count(packet.has(dns));
 *   }
 * }
 * }</pre>
 *
 * <p>A loop ends when the port is exhausted; one over an interface waits for packets, and never
 * ends by itself. There is one loop. One thread's own.
 */
public final class DecodedPackets implements Iterable<Decoder>, AutoCloseable {
  private static final int BURST = 32;

  private final Engine engine = new Engine();
  private final Decoder decoder;
  private final RxQueue queue;
  private final OwnedBurst burst = new OwnedBurst(new MbufArray(BURST));
  private final FreeBuffer freeBuffer;
  private final Cursor cursor = new Cursor();

  /** The next packet of the burst. */
  private int next;

  private DecodedPackets(Protocols protocols, String address) {
    decoder = new Decoder(protocols);
    try {
      DriverPort port = engine.drivers().port(engine.port("decoded", address));
      if (port.rxQueues() == 0) {
        throw new IllegalArgumentException(
            "port does not receive: address=%s; give it a source, such as rx=FILE"
                .formatted(address));
      }
      port.start();
      port.attachThread();
      queue = port.rxQueue(0);
      freeBuffer = new FreeBuffer(engine.drivers().pools(), 1);
    } catch (RuntimeException e) {
      try (engine) {
        throw e;
      }
    }
  }

  /**
   * Opens a port.
   *
   * @param address such as {@code pcap:rx=FILE,linktype=any} or {@code packet:eth1}
   * @throws io.linerate.core.config.ConfigException if there is no such port
   * @throws io.linerate.core.port.PortException if it cannot be opened
   */
  public static DecodedPackets of(Protocols protocols, String address) {
    return new DecodedPackets(protocols, address);
  }

  /** The decoder, for the views of its layers. */
  public Decoder decoder() {
    return decoder;
  }

  @Override
  public Iterator<Decoder> iterator() {
    return cursor;
  }

  private boolean fill() {
    release();
    while (queue.receive(burst.array()) == 0) {
      if (queue.exhausted()) {
        return false;
      }
      Thread.onSpinWait();
    }
    return true;
  }

  private void release() {
    burst.burst().dropAll(DropReason.CONSUMED);
    burst.finish(freeBuffer);
    freeBuffer.flush();
    next = 0;
  }

  @Override
  public void close() {
    release();
    engine.close();
  }

  /** The one loop. */
  private final class Cursor implements Iterator<Decoder> {
    @Override
    public boolean hasNext() {
      return next < burst.size() || fill();
    }

    @Override
    public Decoder next() {
      if (!hasNext()) {
        throw new NoSuchElementException("port brings no more packets");
      }
      int _ = decoder.decode(burst.packet(next++));
      return decoder;
    }
  }
}
