package io.linerate.systemtest;

import java.util.List;

/**
 * An emulated network card of a {@link VirtualMachine}.
 *
 * @param id its name in QEMU's monitor
 * @param device QEMU's name of its model, and properties
 * @param slot its place on the PCI bus, 4 to 30
 * @param backend where its cable leads, as QEMU's {@code -netdev} has it, without an id
 */
record NetworkCard(String id, String device, int slot, String backend) {
  /** A cable that joins the cards of this number. */
  static String hub(int number) {
    return "hubport,hubid=" + number;
  }

  /** Its address in the machine. */
  String address() {
    return "0000:00:%02x.0".formatted(slot);
  }

  /** Its port in the machine. */
  String port() {
    return "dpdk:" + address();
  }

  /** QEMU's options for it. */
  List<String> options() {
    String type = backend.replaceFirst("^([^,]*)", "$1,id=n-" + id);
    return List.of(
        "-netdev",
        type,
        "-device",
        "%s,id=%s,netdev=n-%s,addr=0x%02x,mac=02:00:00:00:00:%02x"
            .formatted(device, id, id, slot, slot));
  }
}
