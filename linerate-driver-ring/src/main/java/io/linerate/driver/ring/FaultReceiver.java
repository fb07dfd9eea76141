package io.linerate.driver.ring;

import static io.linerate.core.port.QueueCounts.BYTES;
import static io.linerate.core.port.QueueCounts.PACKETS;

import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.RxQueueDecorator;
import org.jspecify.annotations.Nullable;

/** Disturbs what a receive queue brings, and hands it on when its time has come. */
final class FaultReceiver implements RxQueueDecorator {
  private final RxQueue inner;
  private final FaultMaker maker;

  /** Why nothing more comes, once all that came before has been handed on. */
  private @Nullable Throwable failure;

  FaultReceiver(RxQueue inner, FaultMaker maker) {
    this.inner = inner;
    this.maker = maker;
  }

  @Override
  public RxQueue inner() {
    return inner;
  }

  FaultMaker maker() {
    return maker;
  }

  @Override
  public int receive(MbufArray packets) {
    long nowNs = maker.nowNs();
    if (failure == null && maker.hasRoom()) {
      refill(nowNs);
    }
    if (failure != null && maker.line.isEmpty()) {
      throw thrown(failure);
    }
    int start = packets.size();
    maker.line.release(packets, nowNs, bringsNoMore());
    int count = packets.size() - start;
    for (int i = start; i < packets.size(); i++) {
      maker.counts.add(BYTES, Mbuf.packetLength(packets.handle(i)));
    }
    maker.counts.add(PACKETS, count);
    maker.publish();
    return count;
  }

  /** Receives once only: were all packets dropped, a second time might never end. */
  private void refill(long nowNs) {
    try {
      int count = inner.receive(maker.array());
      if (count > 0 && maker.disturb(nowNs, false) < count) {
        failure = maker.failure();
      }
    } catch (RuntimeException | Error e) {
      failure = e;
    }
  }

  /** What to throw again. */
  static RuntimeException thrown(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return (RuntimeException) failure;
  }

  private boolean bringsNoMore() {
    return failure != null || inner.exhausted();
  }

  @Override
  public boolean exhausted() {
    return failure == null && maker.line.isEmpty() && inner.exhausted();
  }

  @Override
  public int waiting() {
    int waiting = inner.waiting();
    return waiting < 0 ? waiting : waiting + maker.line.size();
  }

  /** The worker has to look itself at what is held. */
  @Override
  public int waitFor(Runnable wake) {
    return maker.line.isEmpty() ? inner.waitFor(wake) : CANNOT_TELL;
  }

  void close() {
    maker.close();
  }
}
