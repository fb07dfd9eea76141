package io.linerate.core.port;

/**
 * What a port has for as long as it lives. The getters of {@link Port} say what each is.
 *
 * @param socket CPU socket (NUMA node) of the device, or -1 if it has none
 */
public record PortProperties(
    String name, PortAddress address, int rxQueues, int txQueues, int socket) {
  /** Of a port of no CPU socket, as it was asked for. */
  public PortProperties(PortRequest request, int rxQueues, int txQueues) {
    this(request.name(), request.address(), rxQueues, txQueues, -1);
  }

  /** Of a port that a program makes itself: its address is its name. */
  public PortProperties(String name, int rxQueues, int txQueues) {
    this(name, new PortAddress(name, ""), rxQueues, txQueues, -1);
  }

  /** The same under another name. */
  public PortProperties named(String otherName, PortAddress otherAddress) {
    return new PortProperties(otherName, otherAddress, rxQueues, txQueues, socket);
  }

  public PortProperties withRxQueues(int count) {
    return new PortProperties(name, address, count, txQueues, socket);
  }
}
