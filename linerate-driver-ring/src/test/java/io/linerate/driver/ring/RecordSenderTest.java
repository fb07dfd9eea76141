package io.linerate.driver.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.Handles;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.port.PortAddress;
import io.linerate.core.port.PortRequest;
import io.linerate.core.port.TxQueue;
import io.linerate.core.time.EpochClock;
import io.linerate.driver.pcap.CaptureTap;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.testkit.Frames;
import io.linerate.testkit.PacketMaker;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A queue behind a recording that fails when it has taken some packets. */
final class RecordSenderTest {
  private static final int FRAMES = 100;

  @TempDir private Path directory;
  private final PacketPools pools = new PacketPools();
  private final MbufArray packets = new MbufArray(FRAMES);
  private int taken;

  @Test
  void shouldSayThatTheStackHasEndedWhateverWasTaken() {
    StackOverflowError ended = new StackOverflowError();
    assertThatThrownBy(() -> send(ended)).isSameAs(ended);
    assertThat(taken).isPositive();
    assertNoneMissing();
  }

  @Test
  void shouldReturnWhatWasTakenBeforeAnotherError() {
    assertThat(send(new InternalError())).isEqualTo(taken).isPositive();
    assertNoneMissing();
  }

  /** Sends packets to a queue that takes some, and then throws. */
  private int send(Error error) {
    PacketMaker maker = new PacketMaker("maker", pools, FRAMES);
    Frames.numbered(FRAMES, 64).forEach(frame -> maker.append(packets, frame));
    TxQueue failing =
        (array, from) -> {
          if (taken > 0) {
            throw error;
          }
          taken = array.size() - from;
          pools.free(Handles.address(array.address(), from), taken);
          return taken;
        };
    try (CaptureTap recording =
        new CaptureTap(CaptureWriter.create(directory.resolve("tx.pcap"), 0), failure -> {})) {
      return new RecordSender(failing, recording, request(), 0).send(packets, 0);
    }
  }

  private PortRequest request() {
    return new PortRequest(
        "recorded",
        PortAddress.parse("record:file=tx.pcap,port=ring:wire"),
        1,
        1,
        EngineConfig.DEFAULT,
        pools,
        EpochClock.SYSTEM,
        inner -> {
          throw new IllegalStateException("no inner ports");
        });
  }

  private void assertNoneMissing() {
    pools.free(Handles.address(packets.address(), taken), FRAMES - taken);
    assertThat(pools.close()).isEmpty();
  }
}
