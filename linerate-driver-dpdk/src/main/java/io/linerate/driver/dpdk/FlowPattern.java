package io.linerate.driver.dpdk;

import io.linerate.core.port.AddressPrefix;
import io.linerate.core.port.SteeringRule;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rule as DPDK's rte_flow has it: headers from the outermost to the innermost, and which of their
 * bits count. The items of DPDK begin with the headers as they are in packets (rte_flow.h).
 *
 * <pre>
 *   0      1             8            72          136
 *  +------+-------------+------------+-----------+
 *  | kind | says anything | header    | bits      |     each item, as lr_flow_create reads it
 *  +------+-------------+------------+-----------+
 * </pre>
 */
final class FlowPattern {
  static final int ITEM_BYTES = 136;
  private static final int HEADER = 8;
  private static final int BITS = 72;

  // The order is that of lr_flow_create.
  private static final int ETHERNET = 0;
  private static final int VLAN = 1;
  private static final int IPV4 = 2;
  private static final int IPV6 = 3;
  private static final int TCP = 4;
  private static final int UDP = 5;
  private static final int SCTP = 6;

  private final List<ByteBuffer> items = new ArrayList<>();

  private FlowPattern(SteeringRule rule, int etherType) {
    link(rule, etherType);
    if (etherType == SteeringRule.IPV4) {
      ip(IPV4, rule, 9, 12, 16);
    } else if (etherType == SteeringRule.IPV6) {
      ip(IPV6, rule, 6, 8, 24);
    }
  }

  /** Those of a rule: two if it is about IPv4 and IPv6. */
  static List<FlowPattern> of(SteeringRule rule) {
    int etherType = rule.impliedEtherType();
    if (etherType == SteeringRule.ANY && rule.isAboutIp()) {
      return List.of(
          new FlowPattern(rule, SteeringRule.IPV4), new FlowPattern(rule, SteeringRule.IPV6));
    }
    return List.of(new FlowPattern(rule, etherType));
  }

  private void link(SteeringRule rule, int etherType) {
    boolean isIp = etherType == SteeringRule.IPV4 || etherType == SteeringRule.IPV6;
    int type = isIp ? SteeringRule.ANY : etherType;
    boolean hasTag = rule.vlan() != SteeringRule.ANY;
    u16(add(ETHERNET), 12, hasTag ? SteeringRule.ANY : type, 0xFFFF);
    if (hasTag) {
      ByteBuffer tag = add(VLAN);
      u16(tag, 0, rule.vlan(), 0x0FFF);
      u16(tag, 2, type, 0xFFFF);
    }
  }

  private void ip(int kind, SteeringRule rule, int protocolAt, int sourceAt, int destinationAt) {
    ByteBuffer header = add(kind);
    prefix(header, sourceAt, rule.source());
    prefix(header, destinationAt, rule.destination());
    switch (rule.protocol()) {
      case SteeringRule.TCP -> ports(TCP, rule);
      case SteeringRule.UDP -> ports(UDP, rule);
      case SteeringRule.SCTP -> ports(SCTP, rule);
      case SteeringRule.ANY -> {}
      default -> put(header, protocolAt, new byte[] {(byte) rule.protocol()}, new byte[] {-1});
    }
  }

  private void ports(int kind, SteeringRule rule) {
    ByteBuffer header = add(kind);
    u16(header, 0, rule.sourcePort(), 0xFFFF);
    u16(header, 2, rule.destinationPort(), 0xFFFF);
  }

  private ByteBuffer add(int kind) {
    ByteBuffer item = ByteBuffer.allocate(ITEM_BYTES).put(0, (byte) kind);
    items.add(item);
    return item;
  }

  private static void prefix(ByteBuffer item, int at, @Nullable AddressPrefix prefix) {
    if (prefix != null) {
      put(item, at, prefix.address(), prefix.mask());
    }
  }

  private static void u16(ByteBuffer item, int at, int value, int bits) {
    if (value != SteeringRule.ANY) {
      put(item, at, u16(value), u16(bits));
    }
  }

  private static byte[] u16(int value) {
    return ByteBuffer.allocate(Short.BYTES).putShort((short) value).array();
  }

  private static void put(ByteBuffer item, int at, byte[] value, byte[] bits) {
    item.put(1, (byte) 1).put(HEADER + at, value).put(BITS + at, bits);
  }

  /** How many items there are. */
  int size() {
    return items.size();
  }

  /** All items, one behind the other. */
  byte[] bytes() {
    ByteBuffer all = ByteBuffer.allocate(ITEM_BYTES * items.size());
    items.forEach(item -> all.put(item.duplicate()));
    return all.array();
  }
}
