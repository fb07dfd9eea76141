package io.linerate.driver.ring;

import io.linerate.core.port.AddressOptions;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortProvider;
import io.linerate.core.port.PortRequest;
import java.util.function.LongSupplier;

/**
 * {@code
 * fault:[direction=rx|tx|both,][drop=P,][duplicate=P,][reorder=P,[distance=N,]][corrupt=P,][truncate=P,][delay=T,][jitter=T,][hold=N,][refuse=P,][seed=N,]port=ADDRESS}:
 * disturbs what passes the port, each fault with its probability, a number from 0 to 1 and 0 unless
 * given.
 *
 * <ul>
 *   <li>{@code drop}: the packet is lost. A received one is counted as {@code missed}, one to be
 *       transmitted is dropped as {@code tx_fault}.
 *   <li>{@code duplicate}: a copy follows it. One to be transmitted is counted as made.
 *   <li>{@code reorder}: 1 to {@code distance} packets behind it, 3 unless given and 64 at most,
 *       pass it, as far as they come within 10 ms. Packets that are reordered themselves are not
 *       counted. 64 wait so at most; further ones keep their place.
 *   <li>{@code corrupt}: one bit behind the Ethernet header is flipped; of packets without one, any
 *       bit. No checksum is mended: one that was left to who transmits is made before. Packets that
 *       stand for several, which the kernel has not cut yet, are let alone: who cuts them makes
 *       their checksums.
 *   <li>{@code truncate}: it is cut to a random length.
 *   <li>{@code delay} and {@code jitter}: each packet is held for the first time, and a random part
 *       of the second: {@code 20ms}, 10 s at most. They keep their order.
 *   <li>{@code refuse}: a transmit queue does not take the packet, nor the rest of its burst.
 * </ul>
 *
 * <p>Received packets are disturbed, or those of {@code direction}; other faults in the other
 * direction take a fault port before a fault port. Each queue holds {@code hold} packets at most
 * (4,096 unless given, 128 to 32,768), and 64 that wait to be passed; when it is full it receives
 * no more, or takes no more. What is held when the input ends, or the worker that has sent it,
 * leaves; what nobody has received when the port is closed is counted as {@code missed}. The same
 * seed (1 unless given) makes the same faults to the same packets. The statistics {@code
 * fault_drop} and so on count them, {@code fault_tx_drop} and so on those of what is transmitted.
 */
public final class FaultProvider implements PortProvider {
  private final LongSupplier ticker;

  public FaultProvider() {
    this(System::nanoTime);
  }

  /**
   * @param ticker counts ns since anything that is past
   */
  FaultProvider(LongSupplier ticker) {
    this.ticker = ticker;
  }

  @Override
  public String scheme() {
    return "fault";
  }

  @Override
  public DriverPort open(PortRequest request) {
    AddressOptions options = AddressOptions.of(request.address(), FaultPlan.KEYS);
    FaultPlan plan = FaultPlan.of(options);
    return DecoratedPort.open(request, options.port(), inner -> new Fault(plan, request, ticker));
  }
}
