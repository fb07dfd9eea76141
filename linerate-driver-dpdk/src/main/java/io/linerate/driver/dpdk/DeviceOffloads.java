package io.linerate.driver.dpdk;

import io.linerate.core.config.ConfigException;
import io.linerate.driver.dpdk.OffloadRequest.Choice;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Which offloads a device has, and which of them are on: docs/offloads.md says what {@code auto}
 * is, docs/decisions/0036 why.
 *
 * @param isOneSegment whether packets of several segments are not to be given to it
 */
record DeviceOffloads(DeviceInfo info, Set<Offload> on, boolean isOneSegment) {
  /**
   * Decides for a device.
   *
   * @param needsScatter whether frames are longer than a buffer otherwise
   * @throws ConfigException if one is on that the device has not, or two exclude each other
   */
  static DeviceOffloads of(
      DeviceInfo info, DpdkAddress address, boolean isVirtio, boolean needsScatter) {
    OffloadRequest request = address.offloads();
    Set<Offload> on = EnumSet.noneOf(Offload.class);
    DeviceOffloads device =
        new DeviceOffloads(info, on, request.of(Offload.MULTI_SEGMENT) == Choice.OFF);
    // A device that computes in this very thread, as net_tap does, saves nothing.
    boolean isReal = !address.driver().equals("net_tap");
    boolean hasFastFree = request.of(Offload.FAST_FREE) == Choice.ON;
    device.decide(Offload.RX_CHECKSUM, address, !address.isVirtual() && !isVirtio);
    device.decide(Offload.VLAN_STRIP, address, false);
    device.decide(Offload.SCATTER, address, needsScatter);
    device.decide(Offload.MULTI_SEGMENT, address, !hasFastFree);
    device.decide(Offload.TX_CHECKSUM, address, isReal);
    device.decide(Offload.TSO, address, isReal && on.contains(Offload.MULTI_SEGMENT));
    device.decide(Offload.VLAN_INSERT, address, on.contains(Offload.VLAN_STRIP));
    device.decide(Offload.FAST_FREE, address, false);
    device.requirePlainBuffers(address);
    return device;
  }

  private void decide(Offload offload, DpdkAddress address, boolean isAutomatic) {
    Choice choice = address.offloads().of(offload);
    boolean can = can(offload);
    if (choice == Choice.ON && !can) {
      throw new ConfigException(
          "device cannot do what the address asks for: %s=on, device=%s, rxOffloads=%s, txOffloads=%s; leave it out, or write %s=auto"
              .formatted(
                  offload.key(),
                  address.device(),
                  OffloadNames.of(info.rxOffloads(), false),
                  OffloadNames.of(info.txOffloads(), true),
                  offload.key()));
    }
    if (can && (choice == Choice.ON || (choice == Choice.AUTO && isAutomatic))) {
      on.add(offload);
    }
  }

  /** RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE of rte_ethdev.h. */
  private void requirePlainBuffers(DpdkAddress address) {
    if (has(Offload.FAST_FREE) && has(Offload.MULTI_SEGMENT)) {
      throw new ConfigException(
          "fast-free is for packets of one segment: fast-free=on, multi-segment=on, device=%s; leave one out"
              .formatted(address.device()));
    }
    if (has(Offload.TSO) && !has(Offload.MULTI_SEGMENT)) {
      throw new ConfigException(
          "what is to be cut is in several segments: tso=on, multi-segment=off, device=%s; leave one out"
              .formatted(address.device()));
    }
  }

  boolean can(Offload offload) {
    return offload.bits(info) != 0;
  }

  boolean has(Offload offload) {
    return on.contains(offload);
  }

  /** Whether the device makes the checksum of an IPv4 header that it changes. */
  boolean makesIpChecksums() {
    return (txBits() & OffloadNames.bit("IPV4_CKSUM", true)) != 0;
  }

  long rxBits() {
    return bits(false);
  }

  long txBits() {
    long bits = bits(true);
    boolean mayChange = has(Offload.TX_CHECKSUM) || has(Offload.TSO);
    return mayChange ? bits | (info.txOffloads() & OffloadNames.bit("IPV4_CKSUM", true)) : bits;
  }

  private long bits(boolean isTx) {
    return on.stream()
        .filter(offload -> offload.isTx() == isTx)
        .mapToLong(offload -> offload.bits(info))
        .reduce(0, (a, b) -> a | b);
  }

  /** Of those that the device has, 1 where it is on, by names such as {@code is_tso}. */
  Map<String, Long> flags() {
    Map<String, Long> flags = new LinkedHashMap<>();
    for (Offload offload : Offload.values()) {
      if (can(offload)) {
        flags.put("is_" + offload.key().replace('-', '_'), has(offload) ? 1L : 0L);
      }
    }
    return flags;
  }
}
