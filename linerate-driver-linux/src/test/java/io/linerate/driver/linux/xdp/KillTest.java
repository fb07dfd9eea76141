package io.linerate.driver.linux.xdp;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.SystemCalls;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.port.DriverPort;
import io.linerate.core.worker.Engine;
import io.linerate.driver.linux.NetInterface;
import io.linerate.driver.linux.bpf.Bpf;
import io.linerate.testkit.Frames;
import io.linerate.testkit.PacketMaker;
import io.linerate.testkit.Soak;
import io.linerate.testkit.VethPair;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A process that is killed in full flow leaves nothing on its interfaces. */
class KillTest {
  private static final int KILLS = Soak.times(5, 100);

  private static final long TIMEOUT_NS = 120_000_000_000L;
  private static final int PROGRAM_NEXT_ID = 11;
  private static final int MAP_NEXT_ID = 12;

  @Test
  @Tag("sampled")
  void shouldLeaveNothingBehindWhenItIsKilled() throws Exception {
    try (VethPair _ = Lab.veth("k")) {
      NetInterface near = NetInterface.read(Lab.name("ka"));
      NetInterface far = NetInterface.read(Lab.name("kb"));
      Set<Integer> programs = ids(PROGRAM_NEXT_ID);
      Set<Integer> maps = ids(MAP_NEXT_ID);
      int sockets = sockets();
      for (int i = 0; i < KILLS; i++) {
        killInFullFlow(near.name(), far.name());
        assertThat(AttachedProgram.of(near)).as("programs after kill %d", i).isEmpty();
        assertThat(AttachedProgram.of(far)).as("programs after kill %d", i).isEmpty();
      }
      assertThatEventuallyGone(programs, maps, sockets);
      assertWorks(near.name(), far.name());
    }
  }

  private static void killInFullFlow(String near, String far) throws Exception {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                KillTest.class.getName(),
                "xdp:" + near,
                "xdp:" + far)
            .redirectErrorStream(true)
            .start();
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      assertThat(output.readLine()).isEqualTo("flowing");
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  /** The program that is killed: sends to itself, over the cable, without end. */
  public static void main(String[] addresses) {
    try (Engine engine = new Engine()) {
      DriverPort near = engine.drivers().open(addresses[0]);
      DriverPort far = engine.drivers().open(addresses[1]);
      near.start();
      far.start();
      PacketMaker maker = new PacketMaker("maker", engine.drivers().pools(), 1_024);
      OwnedBurst burst = new OwnedBurst(new MbufArray(32));
      FreeBuffer freeBuffer = new FreeBuffer(engine.drivers().pools(), 1);
      List<byte[]> frames = Frames.numbered(32, 64);
      boolean isFlowing = false;
      while (true) {
        frames.forEach(frame -> maker.append(burst.array(), frame));
        int taken = near.txQueue(0).send(burst.array(), 0);
        for (int i = 0; i < taken; i++) {
          burst.owner().take(burst.packet(i));
        }
        burst.finish(freeBuffer);
        far.rxQueue(0).receive(burst.array());
        burst.finish(freeBuffer);
        if (!isFlowing && far.statistics().rxPackets() > 1_000) {
          isFlowing = true;
          System.out.println("flowing");
        }
      }
    }
  }

  /** The kernel frees on threads of its own, soon. */
  private static void assertThatEventuallyGone(
      Set<Integer> programs, Set<Integer> maps, int sockets) throws Exception {
    long start = System.nanoTime();
    while (System.nanoTime() - start < TIMEOUT_NS
        && (sockets() > sockets
            || added(PROGRAM_NEXT_ID, programs).stream().anyMatch(KillTest::isOurs)
            || added(MAP_NEXT_ID, maps).stream().anyMatch(KillTest::isOfSockets))) {
      Thread.sleep(20);
    }
    assertThat(sockets()).as("AF_XDP sockets").isLessThanOrEqualTo(sockets);
    assertThat(added(PROGRAM_NEXT_ID, programs)).as("programs").noneMatch(KillTest::isOurs);
    assertThat(added(MAP_NEXT_ID, maps)).as("maps").noneMatch(KillTest::isOfSockets);
  }

  private static Set<Integer> added(int command, Set<Integer> before) {
    Set<Integer> ids = ids(command);
    ids.removeAll(before);
    return ids;
  }

  private static boolean isOurs(int program) {
    SystemCalls calls = new SystemCalls();
    Bpf bpf = new Bpf(calls);
    int descriptor = bpf.programById(program);
    boolean isOurs = descriptor >= 0 && bpf.programInfo(descriptor).name().equals("linerate_xdp");
    int _ = descriptor < 0 ? 0 : calls.close(descriptor);
    return isOurs;
  }

  private static boolean isOfSockets(int map) {
    SystemCalls calls = new SystemCalls();
    Bpf bpf = new Bpf(calls);
    int descriptor = bpf.mapById(map);
    boolean isOfSockets = descriptor >= 0 && bpf.mapType(descriptor) == Bpf.MAP_TYPE_SOCKETS;
    int _ = descriptor < 0 ? 0 : calls.close(descriptor);
    return isOfSockets;
  }

  /** All ids there are: BPF_PROG_GET_NEXT_ID and BPF_MAP_GET_NEXT_ID, from 0 on. */
  private static Set<Integer> ids(int command) {
    Set<Integer> ids = new TreeSet<>();
    SystemCalls calls = new SystemCalls();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = arena.allocate(128, 8);
      while (calls.bpf(command, attributes.address(), 128) >= 0) {
        int id = attributes.get(ValueLayout.JAVA_INT, 4);
        ids.add(id);
        attributes.set(ValueLayout.JAVA_INT, 0, id);
      }
    }
    return ids;
  }

  /** AF_XDP sockets of this network namespace: third column of proc(5)'s protocols. */
  private static int sockets() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/net/protocols")).stream()
        .filter(line -> line.startsWith("XDP "))
        .mapToInt(line -> Integer.parseInt(line.trim().split("\\s+", -1)[2]))
        .sum();
  }

  private static void assertWorks(String near, String far) {
    try (Engine engine = new Engine()) {
      DriverPort in = engine.drivers().open("xdp:" + near);
      DriverPort out = engine.drivers().open("xdp:" + far);
      in.start();
      out.start();
      PacketMaker maker = new PacketMaker("maker", engine.drivers().pools(), 64);
      OwnedBurst burst = new OwnedBurst(new MbufArray(32));
      byte[] frame = Frames.numbered(1, 64).getFirst();
      assertThat(maker.append(burst.array(), frame)).isTrue();
      assertThat(out.txQueue(0).send(burst.array(), 0)).isEqualTo(1);
      out.txQueue(0).flush();
      burst.clear();
      long start = System.nanoTime();
      while (in.rxQueue(0).receive(burst.array()) == 0 && System.nanoTime() - start < TIMEOUT_NS) {
        Thread.onSpinWait();
      }
      assertThat(burst.packet(0).toBytes()).isEqualTo(frame);
      burst.finish(new FreeBuffer(engine.drivers().pools(), 1));
    }
  }
}
