package io.linerate.core.measure;

import io.linerate.core.counter.CounterBlock;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.statistics.PacketLedger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a worker has done with packets, published now and then for other threads to read. */
final class WorkerCounters {
  private static final int RECEIVED = 0;
  private static final int SENT = 1;
  private static final int IN_FLIGHT = 2;
  private static final int MADE = 3;
  private static final int TAKEN_OVER = 4;
  private static final int HANDED_OVER = 5;
  private static final int DROPS = 6;

  private final CounterBlock block = new CounterBlock(DROPS + DropCounts.MAX_REASONS);
  private volatile List<DropReason> reasons = List.of();

  void publish(long received, long sent, long inFlight, PacketLedger ledger, DropCounts drops) {
    int size = drops.size();
    if (size != reasons.size()) {
      reasons = drops.reasons();
    }
    block.begin();
    block.set(RECEIVED, received);
    block.set(SENT, sent);
    block.set(IN_FLIGHT, inFlight + ledger.held());
    block.set(MADE, ledger.made());
    block.set(TAKEN_OVER, ledger.takenOver());
    block.set(HANDED_OVER, ledger.handedOver());
    for (int i = 0; i < size; i++) {
      block.set(DROPS + i, drops.count(i));
    }
    block.publish();
  }

  PacketCounts read() {
    long[] values = block.read();
    List<DropReason> names = reasons;
    Map<String, Long> dropped = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      dropped.merge(names.get(i).name(), values[DROPS + i], Long::sum);
    }
    return new PacketCounts(
        values[RECEIVED],
        values[MADE],
        values[TAKEN_OVER],
        values[SENT],
        dropped,
        values[HANDED_OVER],
        values[IN_FLIGHT]);
  }
}
