package io.linerate.bench.port;

import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.InternetSum;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPool;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.wire.EtherType;
import io.linerate.wire.IpProtocol;

/** Writes a frame into every buffer of a pool: the same as the C twins do, see twin.c. */
final class FrameFiller {
  private static final int BATCH = 512;
  private static final int IP = 14;
  private static final int UDP = 34;

  private final PacketPool pool;
  private final PacketPools pools;
  private final int frameBytes;

  FrameFiller(PacketPool pool, PacketPools pools, int frameBytes) {
    this.pool = pool;
    this.pools = pools;
    this.frameBytes = frameBytes;
  }

  void fill() {
    FreeBuffer freeBuffer = new FreeBuffer(pools, BATCH);
    OwnedBurst all = new OwnedBurst(new MbufArray(Math.min(pool.capacity(), 0xFFFF)));
    while (all.room() > 0 && pool.allocate(all.array(), 1)) {
      write(all.packet(all.size() - 1), all.size() - 1);
    }
    all.dropAll(DropReason.CONSUMED);
    all.finish(freeBuffer);
    freeBuffer.flush();
  }

  /** An Ethernet frame with IPv4 and UDP, from 10.0.0.0/16. */
  private void write(Packet packet, int index) {
    packet.growTail(frameBytes);
    packet.set(0, new byte[frameBytes], 0, frameBytes);
    packet.u16(12, EtherType.IPV4);
    packet.u8(IP, 0x45);
    packet.u16(IP + 2, frameBytes - IP);
    packet.u8(IP + 8, 64);
    packet.u8(IP + 9, IpProtocol.UDP);
    packet.i32(IP + 12, 0x0A000000 + (index & 0xFFFF));
    packet.i32(IP + 16, 0x0A010001);
    packet.u16(UDP + 4, frameBytes - UDP);
    packet.u16(IP + 10, ~InternetSum.fold(packet.sum16(IP, 20)) & 0xFFFF);
  }
}
