package io.linerate.driver.dpdk;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.linerate.core.port.PortException;
import io.linerate.core.port.SteeringRule;
import io.linerate.core.port.SteeringTable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The steering rules of a device, by DPDK's rte_flow. What the device cannot do it says itself, in
 * its driver's words. Until the device is started, rules are noted only: many drivers refuse them
 * before.
 *
 * <p>The first rule decides that a packet matches. A rule that overlaps none before it has priority
 * 0, the highest, which all drivers know; one that overlaps others comes behind them.
 */
final class DpdkFlows {
  /**
   * A rule that the device has.
   *
   * @param flows of DPDK; two if it is about IPv4 and IPv6
   */
  private record Entry(SteeringRule rule, int priority, List<Long> flows) {}

  private final String portName;
  private final int port;
  private final int queues;
  private final List<Entry> entries = new ArrayList<>();
  private boolean isStarted;

  DpdkFlows(String portName, int port, int queues) {
    this.portName = portName;
    this.port = port;
    this.queues = queues;
  }

  List<SteeringRule> rules() {
    return entries.stream().map(Entry::rule).toList();
  }

  void add(SteeringRule rule) {
    SteeringTable.requireRoom(portName, queues, rules(), rule);
    Entry entry = new Entry(rule, priority(rule), new ArrayList<>());
    if (isStarted) {
      create(entry);
    }
    entries.add(entry);
  }

  private int priority(SteeringRule rule) {
    return entries.stream()
        .filter(entry -> entry.rule().overlaps(rule))
        .mapToInt(entry -> entry.priority() + 1)
        .max()
        .orElse(0);
  }

  boolean remove(SteeringRule rule) {
    for (Iterator<Entry> all = entries.iterator(); all.hasNext(); ) {
      Entry entry = all.next();
      if (entry.rule().equals(rule)) {
        destroy(entry);
        all.remove();
        return true;
      }
    }
    return false;
  }

  /** The device has started, and is given the rules. */
  void start() {
    isStarted = true;
    entries.forEach(this::create);
  }

  /** The device is about to stop, and forgets the rules. */
  void stop() {
    isStarted = false;
    for (Entry entry : entries) {
      entry.flows().forEach(flow -> ShimFunction.FLOW_DESTROY.call(port, flow));
      entry.flows().clear();
    }
  }

  private void create(Entry entry) {
    try {
      for (FlowPattern pattern : FlowPattern.of(entry.rule())) {
        entry.flows().add(create(entry, pattern));
      }
    } catch (PortException e) {
      destroy(entry);
      throw e;
    }
  }

  private long create(Entry entry, FlowPattern pattern) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment words = arena.allocate(JAVA_LONG);
      long flow =
          ShimFunction.FLOW_CREATE.callLong(
              port,
              entry.priority(),
              entry.rule().queue(),
              arena
                  .allocate(pattern.bytes().length, 8)
                  .copyFrom(MemorySegment.ofArray(pattern.bytes()))
                  .address(),
              pattern.size(),
              words.address());
      if (flow < 0) {
        throw new PortException(
            "device refuses the steering rule: port=%s, rule=%s, priority=%d, call=rte_flow_create, %s, driver's words=%s; write it otherwise, or leave it out"
                .formatted(
                    portName,
                    entry.rule(),
                    entry.priority(),
                    DpdkLibrary.error((int) flow),
                    DpdkLibrary.textOrNone(words.get(JAVA_LONG, 0))));
      }
      return flow;
    }
  }

  private void destroy(Entry entry) {
    while (!entry.flows().isEmpty()) {
      int result = ShimFunction.FLOW_DESTROY.call(port, entry.flows().getLast());
      if (result < 0) {
        throw new PortException(
            "device keeps the steering rule: port=%s, rule=%s, call=rte_flow_destroy, %s; open the port again"
                .formatted(portName, entry.rule(), DpdkLibrary.error(result)));
      }
      entry.flows().removeLast();
    }
  }
}
