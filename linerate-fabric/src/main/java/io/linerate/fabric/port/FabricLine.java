package io.linerate.fabric.port;

import io.linerate.core.port.PortException;
import io.linerate.fabric.CompletionQueue;
import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.FabricException;
import io.linerate.fabric.channel.Channel;
import io.linerate.fabric.channel.ChannelHost;
import io.linerate.fabric.channel.ChannelSettings;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The channel of a queue, which packets pass in one direction: made, kept, and made again when the
 * peer has gone. Threads use it in turn, between {@link #enter} and {@link #leave}: a worker for a
 * burst, and the port's own thread while no worker polls it.
 */
final class FabricLine {
  private static final long RETRY_NS = 200_000_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final FabricAddress address;
  private final ChannelHost host;
  private final boolean isListening;
  private @Nullable Channel channel;
  private long retryAtNs = System.nanoTime();
  private long polledNs;
  private boolean isClosed;
  private volatile boolean isUp;

  private FabricLine(FabricAddress address, ChannelHost host, boolean isListening) {
    this.address = address;
    this.host = host;
    this.isListening = isListening;
    host.domain().release();
  }

  /** Waits until no other thread uses it. */
  void enter() {
    lock.lock();
    host.domain().take();
  }

  /** As {@link #enter}, unless another thread uses it: false. */
  boolean tryEnter() {
    boolean isFree = lock.tryLock();
    if (isFree) {
      host.domain().take();
    }
    return isFree;
  }

  void leave() {
    host.domain().release();
    lock.unlock();
  }

  FabricAddress address() {
    return address;
  }

  /** Waits for a peer at an address. */
  static FabricLine listening(FabricAddress address, ChannelSettings settings) {
    ChannelHost host = ChannelHost.open(address, settings);
    try {
      return new FabricLine(address, host.listen(), true);
    } catch (FabricException e) {
      host.close();
      throw e;
    }
  }

  /** Looks for a peer at an address, until it is there. */
  static FabricLine connecting(FabricAddress address, ChannelSettings settings) {
    return new FabricLine(address, ChannelHost.openTo(address, settings), false);
  }

  boolean isUp() {
    return isUp;
  }

  /** The channel, polled, if it is open or has something left; null otherwise. */
  @Nullable Channel poll() {
    if (isClosed) {
      throw new IllegalStateException("port is closed: address=" + address + "; open another");
    }
    polledNs = System.nanoTime();
    try {
      host.poll();
      Channel there = channel;
      if (there == null) {
        there = begin();
      }
      boolean isOpen = there != null && there.state() == Channel.State.OPEN;
      if (isUp != isOpen) {
        isUp = isOpen;
      }
      return there;
    } catch (FabricException e) {
      isUp = false;
      throw new PortException("fabric port failed: address=" + address + ", " + e.getMessage(), e);
    }
  }

  boolean canSleep() {
    return !isClosed && host.canSleep();
  }

  /** See {@link CompletionQueue#descriptorToSleepOn}. */
  int descriptorToSleepOn() {
    return isClosed ? CompletionQueue.NO_DESCRIPTOR : host.descriptorToSleepOn();
  }

  private @Nullable Channel begin() {
    if (isListening) {
      channel = host.accept().orElse(null);
    } else if (polledNs - retryAtNs >= 0) {
      channel = host.connect(address);
    }
    return channel;
  }

  /** The peer has gone, and nothing of its channel is needed any more. */
  void drop() {
    Channel there = channel;
    if (there != null) {
      channel = null;
      there.close();
      retryAtNs = System.nanoTime() + RETRY_NS;
    }
  }

  /** Whether no worker has polled it for a while. */
  boolean isLeft(long nowNs, long afterNs) {
    return nowNs - polledNs > afterNs;
  }

  boolean isClosed() {
    return isClosed;
  }

  void close() {
    enter();
    try {
      if (!isClosed) {
        isClosed = true;
        isUp = false;
        host.close();
      }
    } finally {
      leave();
    }
  }
}
