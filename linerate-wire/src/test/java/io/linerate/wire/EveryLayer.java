package io.linerate.wire;

import io.linerate.core.memory.Packet;

/** Scans a packet and reads all views, the flow key and the checksums where the scanner points. */
final class EveryLayer {
  private final HeaderScanner scanner = new HeaderScanner();
  private final EveryView views = new EveryView();
  private final FlowKey key = new FlowKey(42);
  private long digest;

  long digest(Packet packet) {
    digest = scanner.scan(packet) ? 1 : 2;
    add(scanner.defect().name().hashCode());
    add(scanner.etherType());
    add(scanner.vlanTags());
    add(scanner.l3Offset());
    add(scanner.ipVersion());
    add(scanner.ipProtocol());
    add(scanner.ipEnd());
    add(scanner.l4Offset());
    add(scanner.l4Bytes());
    add(scanner.fragmentOffset());
    add(scanner.isFragment() ? 1 : 0);
    add(scanner.isFirstFragment() ? 1 : 0);
    add(scanner.isLaterFragment() ? 1 : 0);
    add(scanner.l4Fits() ? 1 : 0);
    add(views.ofThoseThatFit(packet, 0));
    add(views.ofThoseThatFit(packet, Ethernet.HEADER_BYTES));
    add(views.ofThoseThatFit(packet, scanner.l3Offset()));
    add(views.ofThoseThatFit(packet, scanner.l4Offset()));
    add(key.read(packet, scanner) ? 1 : 0);
    add(key.hash());
    add(key.symmetricHash());
    if (scanner.l4Fits()) {
      add(InternetChecksum.verify(packet, scanner) ? 1 : 0);
    }
    return digest;
  }

  private void add(long value) {
    digest = 31 * digest + value;
  }
}
