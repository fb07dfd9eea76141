package io.linerate.driver.linux.packet;

import io.linerate.core.config.EnumText;

/** Which queue of a port a packet comes to: PACKET_FANOUT of packet(7). */
enum Fanout {
  /** By the hash of its flow, the same in both directions. */
  HASH(0),
  /** One after the other. */
  LB(1),
  /** By the CPU on which it arrived. */
  CPU(2),
  /** The first one, until that is full. */
  ROLLOVER(3),
  /** Any. */
  RND(4),
  /** By the receive queue of the device. */
  QM(5),
  /** By rules that can be changed, and else by a hash of its flow: PACKET_FANOUT_EBPF. */
  RULES(7);

  /** Queues of a group at most. */
  static final int MAX_QUEUES = 256;

  /** Its number in linux/if_packet.h. */
  final int type;

  Fanout(int type) {
    this.type = type;
  }

  /** The word in addresses. */
  String key() {
    return EnumText.of(this);
  }
}
