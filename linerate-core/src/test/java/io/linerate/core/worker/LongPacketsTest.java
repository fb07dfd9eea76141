package io.linerate.core.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.Handles;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.driver.SegmentCopy;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;
import io.linerate.core.statistics.RunSummary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** TCP packets that are longer than a queue transmits, among others. */
class LongPacketsTest {
  private static final int PACKETS = 300;
  private static final int LONG_BYTES = 54 + 3_000;
  private static final int SHORT_BYTES = 60;

  /** Every other packet is a long one, of three parts at an MTU of 1,500. */
  private static final class Source implements RxQueue {
    private final BufferPool pool;
    private int made;

    Source(PacketPools pools) {
      pool = pools.create("source", 1_024, 0, 4_000);
    }

    @Override
    public int receive(MbufArray packets) {
      int count = Math.min(packets.room(), PACKETS - made);
      if (count == 0 || !pool.allocate(packets, count)) {
        return 0;
      }
      for (int i = packets.size() - count; i < packets.size(); i++) {
        fill(packets.handle(i), made++ % 2 == 0 ? LONG_BYTES : SHORT_BYTES);
      }
      return count;
    }

    private static void fill(long mbuf, int bytes) {
      byte[] frame =
          Arrays.copyOf(
              HexFormat.of()
                  .parseHex(
                      "020000000002020000000001"
                          + "0800"
                          + "45000be000000000400600000a0000010a000002"
                          + "04d20050000000000000000050100100"
                          + "00000000"),
              bytes);
      Mbuf.dataLength(mbuf, bytes);
      Mbuf.packetLength(mbuf, bytes);
      SegmentCopy.write(mbuf, 0, frame, 0, bytes);
    }

    @Override
    public boolean exhausted() {
      return made == PACKETS;
    }
  }

  /** The sink takes all in the end, however slow the machine is. */
  private static final EngineConfig PATIENT = EngineConfig.DEFAULT.withTxRetryUs(1_000_000);

  /** Takes a few at a time, and notes their lengths. */
  private static final class Sink implements TxQueue {
    private final PacketPools pools;
    private final int mtuBytes;
    final List<Integer> lengths = new ArrayList<>();

    Sink(PacketPools pools, int mtuBytes) {
      this.pools = pools;
      this.mtuBytes = mtuBytes;
    }

    @Override
    public int mtuBytes() {
      return mtuBytes;
    }

    @Override
    public int send(MbufArray packets, int from) {
      int count = Math.min(7, packets.size() - from);
      for (int i = 0; i < count; i++) {
        lengths.add(Mbuf.packetLength(packets.handle(from + i)));
      }
      pools.free(Handles.address(packets.address(), from), count);
      return count;
    }
  }

  private static RunSummary run(Engine engine, Sink sink) {
    Output output = engine.worker().output(ScriptedPort.sending(sink));
    engine
        .worker()
        .input(ScriptedPort.receiving(new Source(engine.drivers().pools())), output::sendAll);
    return engine.run();
  }

  @Test
  void shouldCutWhatIsTooLongForTheQueueInTheOrderOfAll() {
    try (Engine engine = new Engine(PATIENT)) {
      Sink sink = new Sink(engine.drivers().pools(), 1_500);
      RunSummary summary = run(engine, sink);

      List<Integer> expected = new ArrayList<>();
      for (int i = 0; i < PACKETS / 2; i++) {
        expected.addAll(List.of(1_514, 1_514, 54 + 80, SHORT_BYTES));
      }
      assertThat(sink.lengths).isEqualTo(expected);
      assertThat(summary.packets().sent()).isEqualTo(2L * PACKETS);
      assertThat(summary.packets().made()).isEqualTo(PACKETS);
      assertThat(summary.packets().isConserved()).as("%s", summary.packets()).isTrue();
    }
  }

  @Test
  void shouldLeaveThemAsTheyAreWhereTheQueueTakesThem() {
    try (Engine engine = new Engine(PATIENT)) {
      Sink sink = new Sink(engine.drivers().pools(), Integer.MAX_VALUE);
      RunSummary summary = run(engine, sink);

      assertThat(sink.lengths).hasSize(PACKETS).contains(LONG_BYTES);
      assertThat(summary.packets().made()).isZero();
    }
  }
}
