package io.linerate.driver.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;
import io.linerate.core.worker.Engine;
import io.linerate.testkit.PacketMaker;
import io.linerate.testkit.Soak;
import io.linerate.testkit.VethPair;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ports with {@code reopen=on}, whose interface is deleted and made again under them. */
class ReopeningPortTest {
  private static final String NEAR = "lrn" + ProcessHandle.current().pid();
  private static final String FAR = "lrf" + ProcessHandle.current().pid();
  private static final long TIMEOUT_NS = 60_000_000_000L;

  private final OwnedBurst sending = new OwnedBurst(new MbufArray(32));
  private final OwnedBurst received = new OwnedBurst(new MbufArray(32));
  private VethPair veth;
  private Engine engine;
  private PacketMaker maker;

  @BeforeEach
  void makeInterfaces() {
    veth = VethPair.make(NEAR, FAR);
    engine = new Engine(EngineConfig.DEFAULT.withDescriptors(256).withBuffers(4_096));
    maker = new PacketMaker("maker", engine.drivers().pools(), 1_024);
  }

  @AfterEach
  void removeInterfaces() {
    try {
      engine.close(); // Throws if a buffer is missing.
    } finally {
      veth.close();
    }
  }

  private DriverPort open(String name, String address) {
    DriverPort port = engine.drivers().open(name, address + ",reopen=on");
    port.start();
    return port;
  }

  private static void await(BooleanSupplier done) {
    long start = System.nanoTime();
    while (!done.getAsBoolean()) {
      assertThat(System.nanoTime() - start).as("ns waited").isLessThan(TIMEOUT_NS);
      Thread.onSpinWait();
    }
  }

  /** Offers a frame; returns whether it was taken. */
  private boolean send(TxQueue queue) {
    await(() -> {
      queue.flush();
      return maker.append(sending.array(), new byte[64]);
    });
    boolean isTaken = queue.send(sending.array(), 0) == 1;
    if (!isTaken) {
      sending.finish(new FreeBuffer(engine.drivers().pools(), 1));
    }
    queue.flush();
    sending.clear();
    return isTaken;
  }

  private int receive(RxQueue queue) {
    int count = queue.receive(received.array());
    received.finish(new FreeBuffer(engine.drivers().pools(), 1));
    return count;
  }

  @ParameterizedTest
  @ValueSource(strings = {"packet:", "xdp:"})
  @Tag("sampled")
  void shouldGoOnWheneverItsInterfaceIsMadeAgain(String scheme) {
    DriverPort near = open("near", scheme + NEAR);
    DriverPort far = open("far", scheme + FAR);
    TxQueue tx = far.txQueue(0);
    RxQueue rx = near.rxQueue(0);
    int times = Soak.times(10, 100);
    long taken = 0;
    for (int time = 0; time <= times; time++) {
      AtomicInteger offered = new AtomicInteger();
      await(() -> {
        offered.addAndGet(send(tx) ? 1 : 0);
        return receive(rx) > 0;
      });
      taken += offered.get();
      assertThat(near.isLinkUp()).isTrue();
      if (time < times) {
        veth.close();
        await(() -> !near.isLinkUp() && !far.isLinkUp());
        assertThat(send(tx)).as("taken and refused").isTrue();
        taken++;
        receive(rx); // Perhaps what came before.
        veth = VethPair.make(NEAR, FAR);
        await(() -> {
          receive(rx);
          return near.isLinkUp() && far.isLinkUp();
        });
      }
    }
    assertThat(near.statistics().extended()).containsEntry("reopened", (long) times);
    assertThat(far.statistics().extended()).containsEntry("reopened", (long) times);
    tx.decide();
    assertThat(tx.undecided()).isZero();
    assertThat(tx.refused()).isNotNull();
    assertThat(tx.refused().total()).isGreaterThanOrEqualTo(times);
    assertThat(far.statistics().txPackets() + tx.refused().total()).isEqualTo(taken);
    assertThat(engine.drivers().pools().own()).as("pools are used again").hasSizeLessThan(8);
  }
}
