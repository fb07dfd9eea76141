package io.linerate.driver.linux.packet;

import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortProvider;
import io.linerate.core.port.PortRequest;
import io.linerate.core.port.SteeringSettings;
import io.linerate.driver.linux.ReopeningPort;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * {@code packet:INTERFACE[,queues=N][,fanout=F][,rx=N][,tx=N][,promisc=on|off][,bypass=on|off]
 * [,calls=C][,reopen=on|off]}: an Ethernet interface of the kernel. Needs CAP_NET_RAW.
 *
 * <pre>
 *   queues   receive queues, 1 to 256                                        as many as workers
 *   fanout   which queue a packet comes to: hash of its flow, the same for
 *            both directions and on all ports; lb (one after the other),
 *            cpu, rollover, rnd, qm (the device's own queue), rules (those of
 *            steering; else as hash, by a hash of its own)                    hash; with
 *                                                                            steer: rules
 *   rx       frames of 2 KiB that each receive ring has room for             8192
 *   tx       packets that are sent with one call at most                     256
 *   promisc  whether frames for other MAC addresses are received             as configured
 *   bypass   whether packets pass by the kernel's queueing discipline        off
 *   calls    when packets are handed to the kernel: adaptive, always, full   adaptive
 *   reopen   whether it is opened again when the interface was deleted and
 *            made again                                                      off
 * </pre>
 *
 * The kernel's own stack receives the packets too, and what it sends through the interface is not
 * received. {@code missed} counts packets for which the ring had no room.
 */
public final class PacketPortProvider implements PortProvider {
  /** Queues of closed ports in whose rings packets lay that other ports held. */
  private final List<PacketRxQueue> leftOver = Collections.synchronizedList(new ArrayList<>());

  @Override
  public String scheme() {
    return "packet";
  }

  @Override
  public DriverPort open(PortRequest request) {
    PacketAddress address =
        PacketAddress.parse(
            request.address(), !SteeringSettings.of(request.config(), request.name()).isEmpty());
    return ReopeningPort.open(
        request, address.reopen(), () -> PacketPort.open(request, address, leftOver::add));
  }

  /**
   * All ports are closed, and what they held is free. A ring in which a packet lies that the
   * program itself lost stays mapped: reading it must not kill the virtual machine.
   */
  @Override
  public void close() {
    leftOver.stream().filter(PacketRxQueue::isHome).forEach(queue -> queue.ring().close());
    leftOver.clear();
  }
}
