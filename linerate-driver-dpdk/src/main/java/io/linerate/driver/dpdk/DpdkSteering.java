package io.linerate.driver.dpdk;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.linerate.core.config.ConfigException;
import io.linerate.core.driver.Errno;
import io.linerate.core.port.FlowSteering;
import io.linerate.core.port.HashField;
import io.linerate.core.port.PortException;
import io.linerate.core.port.RssSettings;
import io.linerate.core.port.SteeringRule;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/** Receive-side scaling of a DPDK device, and its flow rules. */
final class DpdkSteering implements FlowSteering {

  /** What a device has whose driver does not say: 40 bytes, as the first that had RSS. */
  private static final int USUAL_KEY_BYTES = 40;

  private final String portName;
  private final int port;
  private final int queues;
  private final int tableSize;
  private final int keyBytes;
  private final long possibleTypes;
  private final DpdkFlows flows;
  private boolean isClosed;

  DpdkSteering(String portName, DpdkDevice device, int queues) {
    this.portName = portName;
    port = device.port();
    this.queues = queues;
    DeviceInfo info = device.info();
    tableSize = info.tableSize();
    keyBytes = info.keyBytes() == 0 ? USUAL_KEY_BYTES : info.keyBytes();
    possibleTypes = info.rssTypes();
    flows = new DpdkFlows(portName, port, queues);
  }

  /** The device has started. */
  synchronized void start() {
    flows.start();
  }

  @Override
  public synchronized List<SteeringRule> rules() {
    return flows.rules();
  }

  @Override
  public synchronized void add(SteeringRule rule) {
    requireOpen();
    flows.add(rule);
  }

  @Override
  public synchronized boolean remove(SteeringRule rule) {
    requireOpen();
    return flows.remove(rule);
  }

  /** Whether the device hashes anything and there is more than one queue. */
  boolean isPossible() {
    return queues > 1 && !possibleFields().isEmpty();
  }

  @Override
  public Set<HashField> possibleFields() {
    return fields(possibleTypes);
  }

  private static Set<HashField> fields(long types) {
    Set<HashField> fields = EnumSet.noneOf(HashField.class);
    for (HashField field : HashField.values()) {
      if ((types & types(field)) != 0) {
        fields.add(field);
      }
    }
    return fields;
  }

  /** The bits that DPDK has for it. The numbers are those of {@code lr_rss_types}. */
  private static long types(HashField field) {
    return ShimFunction.RSS_TYPES.callLong(
        switch (field) {
          case IPV4 -> 0;
          case IPV4_TCP -> 1;
          case IPV4_UDP -> 2;
          case IPV6 -> 3;
          case IPV6_TCP -> 4;
          case IPV6_UDP -> 5;
        });
  }

  @Override
  public synchronized RssSettings settings() {
    requireOpen();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment key = arena.allocate(keyBytes, 8);
      MemorySegment types = arena.allocate(JAVA_LONG);
      check(
          "rte_eth_dev_rss_hash_conf_get",
          ShimFunction.RSS_HASH_GET.call(port, key.address(), keyBytes, types.address()));
      return new RssSettings(
          fields(types.get(JAVA_LONG, 0)),
          HexFormat.of().formatHex(key.toArray(JAVA_BYTE)),
          table(arena));
    }
  }

  private List<Integer> table(Arena arena) {
    if (tableSize == 0) {
      return List.of();
    }
    MemorySegment table = arena.allocate(JAVA_INT, tableSize);
    int result = ShimFunction.RSS_TABLE.call(port, table.address(), tableSize, 0);
    if (result == -Errno.EOPNOTSUPP) {
      return List.of();
    }
    check("rte_eth_dev_rss_reta_query", result);
    return Arrays.stream(table.toArray(JAVA_INT)).boxed().toList();
  }

  @Override
  public synchronized void settings(RssSettings wanted) {
    requireOpen();
    require(wanted);
    try (Arena arena = Arena.ofConfined()) {
      byte[] bytes = HexFormat.of().parseHex(wanted.key());
      MemorySegment key = arena.allocateFrom(JAVA_BYTE, bytes);
      long types = 0;
      for (HashField field : wanted.fields()) {
        types |= types(field) & possibleTypes;
      }
      check(
          "rte_eth_dev_rss_hash_update",
          ShimFunction.RSS_HASH_SET.call(port, key.address(), bytes.length, types));
      if (!wanted.table().isEmpty()) {
        int[] queuesOfTable = wanted.table().stream().mapToInt(Integer::intValue).toArray();
        MemorySegment table = arena.allocateFrom(JAVA_INT, queuesOfTable);
        check(
            "rte_eth_dev_rss_reta_update",
            ShimFunction.RSS_TABLE.call(port, table.address(), queuesOfTable.length, 1));
      }
    }
  }

  private void require(RssSettings wanted) {
    if (!possibleFields().containsAll(wanted.fields())) {
      throw wrong("fields=" + wanted.fields(), "it can hash " + possibleFields());
    }
    if (wanted.key().length() != 2 * keyBytes) {
      throw wrong("key bytes=" + wanted.key().length() / 2, "it has a key of " + keyBytes);
    }
    if (!wanted.table().isEmpty() && wanted.table().size() != tableSize) {
      throw wrong("table size=" + wanted.table().size(), "its table has " + tableSize + " places");
    }
    for (int queue : wanted.table()) {
      if (queue < 0 || queue >= queues) {
        throw wrong("queue in the table=" + queue, "it has queues 0 to " + (queues - 1));
      }
    }
  }

  private ConfigException wrong(String what, String remedy) {
    return new ConfigException(
        "device cannot spread packets so: port=%s, %s; %s".formatted(portName, what, remedy));
  }

  private void check(String call, int result) {
    if (result < 0) {
      throw new PortException(
          "device does not let its spreading be read or set: call=%s, port=%s, %s"
              .formatted(call, portName, DpdkLibrary.error(result)));
    }
  }

  private void requireOpen() {
    if (isClosed) {
      throw new IllegalStateException("port is closed: port=" + portName + "; open another");
    }
  }

  /** The device is about to stop. */
  synchronized void close() {
    isClosed = true;
    flows.stop();
  }
}
