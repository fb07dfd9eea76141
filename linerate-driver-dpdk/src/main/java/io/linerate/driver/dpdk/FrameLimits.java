package io.linerate.driver.dpdk;

import io.linerate.core.driver.Handles;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.NativeMemory;
import io.linerate.core.driver.Segmenter;
import io.linerate.core.memory.DropReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a device carries whose driver does not say so: it loses other frames in silence
 * (net_af_packet, network cards), or stops at the first of them for good (net_pcap, net_tap, some
 * network cards). Where each call of the driver is a system call, a look at lengths costs nothing;
 * for a card it is one value for each packet, of the same cache line that the driver reads.
 *
 * @param maxBytes longest frame
 * @param maxTaggedBytes longest frame that begins with a VLAN tag of IEEE 802.1Q
 */
record FrameLimits(int maxBytes, int maxTaggedBytes) {
  private static final int ETHERNET_BYTES = 14;
  private static final int TYPE_OFFSET = 12;
  private static final int TAGGED = 0x8100;
  private static final int TAG_BYTES = 4;

  /** What net_tap adds to its MTU (pmd_tx_burst in rte_eth_tap.c): header, FCS and a tag. */
  private static final int TAP_BYTES = ETHERNET_BYTES + 4 + TAG_BYTES;

  /** Frames of the transmit ring of net_af_packet, and what of each is not the packet's. */
  private static final int RING_FRAME_BYTES = 2_048;

  private static final int RING_HEADER_BYTES = 32;

  /** What of each frame of its receive ring is not the packet's: tpacket_rcv in af_packet.c. */
  private static final int RX_RING_HEADER_BYTES = 66;

  /**
   * The limits of a device that was set up with such an MTU, or null when its driver keeps to its
   * own.
   */
  static @Nullable FrameLimits of(DpdkAddress address, int mtu) {
    if (!address.isVirtual()) {
      return new FrameLimits(mtu + Segmenter.LINK_BYTES, mtu + Segmenter.LINK_BYTES);
    }
    return switch (address.driver()) {
      case "net_tap" -> new FrameLimits(mtu + TAP_BYTES, mtu + TAP_BYTES);
      case "net_af_packet" ->
          ofInterface(address.text("iface")).within(ringFrameBytes(address) - RING_HEADER_BYTES);
      case "net_pcap" -> {
        String name = address.text("iface");
        String sending = name.isEmpty() ? address.text("tx_iface") : name;
        yield sending.isEmpty() ? null : ofInterface(sending);
      }
      default -> null;
    };
  }

  /** Bytes that a frame of the receive ring has room for; 0 where there is no such ring. */
  static int ring(DpdkAddress address) {
    return address.driver().equals("net_af_packet")
        ? ringFrameBytes(address) - RX_RING_HEADER_BYTES
        : 0;
  }

  private static int ringFrameBytes(DpdkAddress address) {
    return address.number("framesz", RING_FRAME_BYTES);
  }

  /** As packet sockets have it: tpacket_snd and packet_snd in net/packet/af_packet.c. */
  private static FrameLimits ofInterface(String name) {
    int maxBytes = mtu(name) + ETHERNET_BYTES;
    return new FrameLimits(maxBytes, maxBytes + TAG_BYTES);
  }

  /** MTU of an interface of the kernel now, or more than any when it cannot be read. */
  private static int mtu(String name) {
    try {
      return Integer.parseInt(Files.readString(Path.of("/sys/class/net", name, "mtu")).strip());
    } catch (IOException | NumberFormatException e) {
      return 0xFFFF;
    }
  }

  /** Limits of a device that takes no packet that does not fit one buffer. */
  static FrameLimits ofOneSegment(@Nullable FrameLimits limits, int roomBytes) {
    return limits == null ? new FrameLimits(roomBytes, roomBytes) : limits.within(roomBytes);
  }

  private FrameLimits within(int most) {
    return new FrameLimits(Math.min(maxBytes, most), Math.min(maxTaggedBytes, most));
  }

  /** Whether the device can send all of the packets. */
  boolean carries(MbufArray packets) {
    return sendable(packets.address(), packets.size()) == packets.size();
  }

  /** How many of the packets, from the first, the device can send. */
  int sendable(long handles, int count) {
    int sendable = 0;
    while (sendable < count && refusal(Handles.get(handles, sendable)) == null) {
      sendable++;
    }
    return sendable;
  }

  /** Why the device cannot send a packet, or null if it can. */
  @Nullable DropReason refusal(long mbuf) {
    int lengthBytes = Mbuf.packetLength(mbuf);
    if (lengthBytes >= ETHERNET_BYTES && (lengthBytes <= maxBytes || TxPreparation.isCut(mbuf))) {
      return null;
    }
    if (lengthBytes < ETHERNET_BYTES) {
      return DropReason.TX_TOO_SHORT;
    }
    return lengthBytes <= maxTaggedBytes && isTagged(mbuf) ? null : DropReason.TX_TOO_LONG;
  }

  private static boolean isTagged(long mbuf) {
    return Mbuf.dataLength(mbuf) >= ETHERNET_BYTES
        && NativeMemory.netU16(Mbuf.dataAddress(mbuf) + TYPE_OFFSET) == TAGGED;
  }
}
