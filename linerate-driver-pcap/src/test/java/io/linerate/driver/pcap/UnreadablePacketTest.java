package io.linerate.driver.pcap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.driver.Handles;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.TxQueue;
import io.linerate.testkit.Frames;
import io.linerate.testkit.PacketMaker;
import io.linerate.testkit.VanishedPackets;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A packet that is to be written lies in a file that has become shorter. */
class UnreadablePacketTest {
  @TempDir Path directory;

  @Test
  void shouldWriteAndCountWhatCameBeforeIt() throws IOException {
    Path file = directory.resolve("out.pcap");
    try (VanishedPackets vanished = new VanishedPackets();
        PortHarness harness = new PortHarness()) {
      DriverPort port = harness.open("pcap:tx=" + file);
      PacketMaker maker = new PacketMaker("maker", harness.pools, 3);
      MbufArray packets = new MbufArray(4);
      Frames.numbered(3, 64).forEach(frame -> assertThat(maker.append(packets, frame)).isTrue());
      vanished.append(harness.pools, packets, 1);
      TxQueue queue = port.txQueue(0);
      assertThat(queue.send(packets, 0)).isEqualTo(3);
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> queue.send(packets, 3)).isInstanceOf(InternalError.class);
      }
      harness.pools.free(Handles.address(packets.address(), 3), 1);
      assertThat(queue.undecided()).isEqualTo(3);
      queue.decide();
      assertThat(queue.undecided()).isZero();
      assertThat(port.statistics().txPackets()).isEqualTo(3);
    }
    try (PortHarness harness = new PortHarness()) {
      assertThat(harness.receiveAll(harness.reading(file))).hasSize(3);
    }
  }
}
