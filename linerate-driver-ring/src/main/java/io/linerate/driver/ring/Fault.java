package io.linerate.driver.ring;

import io.linerate.core.port.PortRequest;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.port.QueueCounts;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Disturbs what passes, and counts what it did. */
final class Fault implements Decoration {
  private final FaultPlan plan;
  private final PortRequest request;
  private final List<FaultReceiver> receivers = new ArrayList<>();
  private final List<FaultSender> senders = new ArrayList<>();

  Fault(FaultPlan plan, PortRequest request) {
    this.plan = plan;
    this.request = request;
  }

  @Override
  public RxQueue receiving(RxQueue inner, int queue) {
    String poolName = request.name() + "-duplicates-" + queue;
    FaultReceiver receiver =
        new FaultReceiver(inner, plan, queue, request.pools(), request.clock(), poolName);
    receivers.add(receiver);
    return receiver;
  }

  @Override
  public TxQueue sending(TxQueue inner, int queue) {
    FaultSender sender = new FaultSender(inner, plan, queue);
    senders.add(sender);
    return sender;
  }

  @Override
  public PortStatistics statistics(PortStatistics inner) {
    long[] sums =
        QueueCounts.sum(FaultReceiver.COUNTERS, receivers.stream().map(queue -> queue.counts));
    Map<String, Long> extended = new LinkedHashMap<>(inner.extended());
    extended.put("fault_drop", sums[FaultReceiver.DROPPED]);
    extended.put("fault_duplicate", sums[FaultReceiver.DUPLICATED]);
    extended.put("fault_corrupt", sums[FaultReceiver.CORRUPTED]);
    extended.put("fault_truncate", sums[FaultReceiver.TRUNCATED]);
    extended.put("fault_no_buffer", sums[FaultReceiver.NOT_DUPLICATED]);
    extended.put("fault_refuse", QueueCounts.sum(1, senders.stream().map(FaultSender::counts))[0]);
    return new PortStatistics(
        sums[QueueCounts.PACKETS],
        sums[QueueCounts.BYTES],
        inner.txPackets(),
        inner.txBytes(),
        inner.missed() + sums[FaultReceiver.DROPPED],
        inner.noBuffers(),
        inner.errors(),
        extended);
  }

  @Override
  public void close() {
    receivers.forEach(FaultReceiver::close);
  }
}
