package io.linerate.driver.pcap;

import io.linerate.core.driver.MappedFileFault;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.ReceiveFilter;

/** Asks a filter about packets that are about to be dropped. For one thread. */
final class DropTest {
  private final ReceiveFilter filter;

  /** Of one packet at a time, which stays whose it is. */
  private final OwnedBurst burst = new OwnedBurst(new MbufArray(1));

  DropTest(ReceiveFilter filter) {
    this.filter = filter;
  }

  /** Whether a packet is wanted; not if the file that it lies in has become shorter. */
  boolean accepts(long mbuf) {
    burst.owner().bind(); // Made on another thread.
    burst.array().append(mbuf);
    try {
      boolean isWanted = filter.accepts(burst.packet(0));
      MappedFileFault.settle(mbuf);
      return isWanted;
    } catch (InternalError e) {
      return false;
    } finally {
      burst.clear();
    }
  }
}
