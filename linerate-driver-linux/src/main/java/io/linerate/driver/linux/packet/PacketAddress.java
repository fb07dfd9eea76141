package io.linerate.driver.linux.packet;

import io.linerate.core.port.AddressOptions;
import io.linerate.core.port.PortAddress;
import io.linerate.driver.linux.CallPolicy;
import io.linerate.driver.linux.NetInterface;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an address of this driver asks for.
 *
 * @param queues receive queues; 0: as many as the program wants
 * @param rxFrames frames of 2 KiB that a receive ring has room for
 * @param txSlots packets that are sent with one call at most
 * @param promiscuous as the engine's configuration says when null
 * @param bypass whether packets pass the kernel's queueing discipline by
 * @param reopen whether it is opened again when its interface has gone and come back
 */
record PacketAddress(
    String interfaceName,
    int queues,
    Fanout fanout,
    int rxFrames,
    int txSlots,
    @Nullable Boolean promiscuous,
    boolean bypass,
    CallPolicy calls,
    boolean reopen) {
  static final int DEFAULT_RX_FRAMES = 8_192;
  static final int DEFAULT_TX_SLOTS = 256;

  private static final List<String> KEYS =
      List.of("queues", "fanout", "rx", "tx", "promisc", "bypass", "calls", "reopen");

  /**
   * @param hasRules whether the port is to have steering rules from the beginning
   */
  static PacketAddress parse(PortAddress address, boolean hasRules) {
    AddressOptions options = AddressOptions.named(address, KEYS);
    return new PacketAddress(
        NetInterface.nameIn(options),
        options.number("queues", 0, 1, Fanout.MAX_QUEUES),
        options.word("fanout", hasRules ? Fanout.RULES : Fanout.HASH),
        options.number("rx", DEFAULT_RX_FRAMES, 256, 1 << 20),
        options.number("tx", DEFAULT_TX_SLOTS, 1, 1_024),
        options.has("promisc") ? options.isOn("promisc", false) : null,
        options.isOn("bypass", false),
        options.word("calls", CallPolicy.ADAPTIVE),
        options.isOn("reopen", false));
  }
}
