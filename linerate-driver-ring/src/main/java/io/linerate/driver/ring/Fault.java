package io.linerate.driver.ring;

import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.port.PortRequest;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.port.QueueCounts;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/** Disturbs what passes, and counts what it did. */
final class Fault implements Decoration {
  private static final DropReason RX_FAULT = DropReason.named("fault");
  private static final DropReason TX_FAULT = DropReason.named("tx_fault");

  /** So far apart that no two queues have the same faults. */
  private static final long TX_SEEDS = 1L << 32;

  private final FaultPlan plan;
  private final PortRequest request;
  private final LongSupplier ticker;
  private final List<FaultReceiver> receivers = new ArrayList<>();
  private final List<FaultSender> senders = new ArrayList<>();
  private final List<RefusingSender> refusing = new ArrayList<>();

  /**
   * @param ticker counts ns since anything that is past
   */
  Fault(FaultPlan plan, PortRequest request, LongSupplier ticker) {
    this.plan = plan;
    this.request = request;
    this.ticker = ticker;
  }

  @Override
  public RxQueue receiving(RxQueue inner, int queue) {
    if (!plan.direction().receives()) {
      return inner;
    }
    String poolName = request.name() + "-duplicates-" + queue;
    FaultMaker maker = maker(plan.seed() + queue, poolName, RX_FAULT, new DropCounts());
    FaultReceiver receiver = new FaultReceiver(inner, maker);
    receivers.add(receiver);
    return receiver;
  }

  @Override
  public TxQueue sending(TxQueue inner, int queue) {
    TxQueue disturbed =
        plan.direction().transmits() && plan.disturbs() ? disturbing(inner, queue) : inner;
    if (plan.refuse() == 0) {
      return disturbed;
    }
    RefusingSender sender = new RefusingSender(disturbed, plan, queue);
    refusing.add(sender);
    return sender;
  }

  private FaultSender disturbing(TxQueue inner, int queue) {
    String poolName = request.name() + "-tx-duplicates-" + queue;
    DropCounts refused = new DropCounts();
    FaultMaker maker = maker(plan.seed() + TX_SEEDS + queue, poolName, TX_FAULT, refused);
    FaultSender sender =
        new FaultSender(inner, maker, request.pools(), plan.corrupt() > 0, refused);
    senders.add(sender);
    return sender;
  }

  private FaultMaker maker(long seed, String poolName, DropReason reason, DropCounts drops) {
    return new FaultMaker(
        plan, new SplittableRandom(seed), ticker, request, poolName, reason, drops);
  }

  @Override
  public PortStatistics statistics(PortStatistics inner) {
    long[] rx =
        QueueCounts.sum(FaultMaker.COUNTERS, receivers.stream().map(queue -> queue.maker().counts));
    long[] tx =
        QueueCounts.sum(FaultMaker.COUNTERS, senders.stream().map(queue -> queue.maker().counts));
    // Those of a fault port behind this one are among them already.
    Map<String, Long> extended = new LinkedHashMap<>(inner.extended());
    if (plan.direction().receives()) {
      add(extended, "fault_", rx);
    }
    if (plan.direction().transmits()) {
      add(extended, "fault_tx_", tx);
    }
    long refusals = QueueCounts.sum(1, refusing.stream().map(RefusingSender::counts))[0];
    extended.merge("fault_refuse", refusals, Long::sum);
    boolean counts = plan.direction().receives();
    return new PortStatistics(
        counts ? rx[QueueCounts.PACKETS] : inner.rxPackets(),
        counts ? rx[QueueCounts.BYTES] : inner.rxBytes(),
        inner.txPackets(),
        inner.txBytes(),
        inner.missed() + rx[FaultMaker.DROPPED] + rx[FaultMaker.LEFT],
        inner.noBuffers(),
        inner.errors(),
        extended);
  }

  private static void add(Map<String, Long> extended, String prefix, long[] counts) {
    extended.merge(prefix + "drop", counts[FaultMaker.DROPPED], Long::sum);
    extended.merge(prefix + "duplicate", counts[FaultMaker.DUPLICATED], Long::sum);
    extended.merge(prefix + "no_buffer", counts[FaultMaker.NOT_DUPLICATED], Long::sum);
    extended.merge(prefix + "reorder", counts[FaultMaker.REORDERED], Long::sum);
    extended.merge(prefix + "corrupt", counts[FaultMaker.CORRUPTED], Long::sum);
    extended.merge(prefix + "truncate", counts[FaultMaker.TRUNCATED], Long::sum);
    extended.merge(prefix + "delay", counts[FaultMaker.DELAYED], Long::sum);
    extended.merge(prefix + "left", counts[FaultMaker.LEFT], Long::sum);
  }

  @Override
  public void close() {
    receivers.forEach(FaultReceiver::close);
    senders.forEach(FaultSender::close);
  }
}
