package io.linerate.graph.element;

import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.wire.HeaderScanner;
import org.jspecify.annotations.Nullable;

/** Packets that can be given the addresses of a link: of one version of IP, untagged and sound. */
final class LinkPackets {
  private LinkPackets() {}

  /**
   * Scans a packet.
   *
   * @param etherType of the version of IP
   * @return what is wrong with it, {@code whenOther} if it is of another ether type; or null
   */
  static @Nullable DropReason defect(
      Packet packet, HeaderScanner scanner, int etherType, DropReason whenOther) {
    boolean isSound = scanner.scan(packet);
    if (scanner.etherType() != etherType) {
      return whenOther;
    }
    if (scanner.vlanTags() > 0) {
      return ArpQuerier.TAGGED;
    }
    return isSound ? null : DefectReasons.of(scanner);
  }
}
