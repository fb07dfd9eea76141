package io.linerate.graph.element;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Wiring;
import io.linerate.wire.EtherType;
import io.linerate.wire.Ethernet;
import io.linerate.wire.HeaderDefect;
import io.linerate.wire.Vlan;
import java.util.List;

/**
 * Puts a VLAN tag into each frame, in front of those that it has: IEEE 802.1Q, clause 9.
 *
 * <p>The tag goes into the room before the frame. Where a driver leaves none the frame is copied
 * into a new buffer, and the old one dropped as {@code copied}.
 *
 * <pre>
 * inputs      in
 * outputs     out
 * parameters  vid: VLAN identifier, 0 to 4094
 *             pcp: priority, 0 to 7; VlanPush(vid) has 0
 *             etherType: what announces the tag: 0x8100, 0x88a8 or 0x9100; VlanPush(vid) has 0x8100
 * drops       truncated_ethernet: no whole Ethernet header
 *             copied: its copy went on; no_buffer: there was none for it
 * example     g.add("tag", new VlanPush(100))
 * </pre>
 */
public record VlanPush(int vid, int pcp, int etherType) implements Element {
  /** The packet went on as a copy. */
  public static final DropReason COPIED = DropReason.named("copied");

  /** 4095 is reserved: IEEE 802.1Q, clause 9.6. */
  private static final int MAX_VID = 4_094;

  private static final int ADDRESSES_BYTES = Ethernet.HEADER_BYTES - 2;

  public VlanPush(int vid) {
    this(vid, 0, EtherType.VLAN);
  }

  @Override
  public List<String> problems() {
    return Parameters.check()
        .range("vid", vid, 0, MAX_VID)
        .range("pcp", pcp, 0, 7)
        .require(
            EtherType.isVlan(etherType),
            "no ether type of VLAN tags: etherType=0x%04x; write 0x8100, 0x88a8 or 0x9100"
                .formatted(etherType))
        .problems();
  }

  @Override
  public void open(Wiring wiring) {
    wiring.input("in", new Pusher(etherType << 16 | pcp << 13 | vid, wiring.output("out")));
  }

  /** On one worker. */
  private record Pusher(int tag, Outlet out) implements BurstHandler {
    @Override
    public void onBurst(Burst burst) {
      boolean isRoomy = true;
      for (Packet packet : burst) {
        if (packet.length() < Ethernet.HEADER_BYTES) {
          packet.drop(DefectReasons.of(HeaderDefect.TRUNCATED_ETHERNET));
        } else {
          isRoomy &= packet.headroomBytes() >= Vlan.HEADER_BYTES;
        }
      }
      if (isRoomy) {
        for (Packet packet : burst) {
          tag(packet);
        }
        out.push(burst);
      } else {
        oneByOne(burst);
      }
    }

    /** So that copies keep their place among the others. */
    private void oneByOne(Burst burst) {
      for (Packet packet : burst) {
        if (packet.headroomBytes() >= Vlan.HEADER_BYTES) {
          tag(packet);
          out.send(packet);
        } else {
          copy(packet);
        }
      }
    }

    private void tag(Packet packet) {
      long addresses = packet.u64(0);
      int rest = packet.i32(Long.BYTES);
      packet.growHead(Vlan.HEADER_BYTES);
      packet.u64(0, addresses);
      packet.i32(Long.BYTES, rest);
      packet.i32(ADDRESSES_BYTES, tag);
    }

    private void copy(Packet packet) {
      int length = packet.length();
      Packet wider = out.create(length + Vlan.HEADER_BYTES);
      if (wider == null) {
        packet.drop(DropReason.NO_BUFFER);
        return;
      }
      wider.set(0, packet, 0, ADDRESSES_BYTES);
      wider.i32(ADDRESSES_BYTES, tag);
      int tagged = ADDRESSES_BYTES + Vlan.HEADER_BYTES;
      wider.set(tagged, packet, ADDRESSES_BYTES, length - ADDRESSES_BYTES);
      packet.drop(COPIED);
    }
  }
}
