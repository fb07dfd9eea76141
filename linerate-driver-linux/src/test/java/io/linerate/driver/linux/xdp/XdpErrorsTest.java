package io.linerate.driver.linux.xdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.SystemCalls;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortException;
import io.linerate.core.worker.Engine;
import io.linerate.driver.linux.NetInterface;
import io.linerate.driver.linux.bpf.Bpf;
import io.linerate.testkit.VethPair;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One clear sentence for each thing that can be wrong, and nothing left behind. */
class XdpErrorsTest {
  private static void assertRefused(EngineConfig config, String address, String message) {
    try (Engine engine = new Engine(config)) {
      assertThatThrownBy(() -> engine.port(address))
          .isInstanceOf(PortException.class)
          .hasMessageContaining(message);
    }
  }

  private static void assertRefused(String address, String message) {
    assertRefused(EngineConfig.DEFAULT, address, message);
  }

  @Test
  void shouldNameTheInterfacesThereAre() {
    assertRefused("xdp:nosuch0", "no such interface: interface=nosuch0; ");
  }

  @Test
  void shouldSayThatTheInterfaceIsDown() {
    try (VethPair veth = Lab.veth("d")) {
      String near = Lab.name("da");
      veth.run("link", "set", near, "down");
      assertRefused(
          "xdp:" + near,
          "interface is down: interface=%s; run: sudo ip link set dev %s up".formatted(near, near));
    }
  }

  @Test
  void shouldSayHowManyQueuesThereAre() {
    try (VethPair _ = Lab.veth("n", "numrxqueues", "1", "numtxqueues", "1")) {
      assertRefused(
          "xdp:" + Lab.name("na") + ",queues=0-1", "queue=1, queues=1, possible=1; use queues=0-0");
    }
  }

  @Test
  void shouldSayThatVethHasNoZeroCopy() {
    try (VethPair _ = Lab.veth("z")) {
      String near = "xdp:" + Lab.name("za");
      assertRefused(near + ",zerocopy=on", "no zero-copy: ");
      assertRefused(near + ",zerocopy=on,mode=generic", "zero-copy needs native XDP: ");
    }
  }

  @Test
  void shouldSayHowManyBuffersTheRingsNeed() {
    try (VethPair _ = Lab.veth("b", "numrxqueues", "4", "numtxqueues", "4");
        Engine engine = new Engine(EngineConfig.DEFAULT.withDescriptors(256).withBuffers(64))) {
      engine.port("xdp:" + Lab.name("ba") + ",queues=0");
      assertThatThrownBy(() -> engine.port("xdp:" + Lab.name("bb")))
          .isInstanceOf(PortException.class)
          .hasMessageContaining("too few packet buffers for the rings of all xdp: ports: ")
          .hasMessageContaining("set buffers=3840");
    }
  }

  @Test
  void shouldNameTheProgramThatIsThere() {
    try (VethPair _ = Lab.veth("t");
        Engine first = new Engine()) {
      String address = "xdp:" + Lab.name("ta");
      first.port(address);
      assertRefused(
          address,
          "interface has another XDP program: interface=%s, program=linerate_xdp, id="
              .formatted(Lab.name("ta")));
      assertRefused(address, "processes=[" + ProcessHandle.current().pid() + "]");
    }
  }

  @Test
  void shouldReplaceAProgramWhoseProcessIsGone() {
    try (VethPair veth = Lab.veth("s")) {
      NetInterface near = NetInterface.read(Lab.name("sa"));
      attachWithoutLink(near);
      List<AttachedProgram> programs = AttachedProgram.of(near);
      assertThat(programs).hasSize(1);
      assertThat(programs.getFirst().name()).isEqualTo("stale");
      assertThat(programs.getFirst().mode()).isEqualTo(XdpMode.NATIVE);
      assertThat(programs.getFirst().isStale()).isTrue();

      try (Engine engine = new Engine()) {
        engine.port("xdp:" + near.name());
        assertThat(AttachedProgram.of(near))
            .extracting(AttachedProgram::name)
            .containsExactly("linerate_xdp");
      }
      assertThat(AttachedProgram.of(near)).isEmpty();
      assertThat(veth).isNotNull();
    }
  }

  /** As a program does that attaches through netlink, and is killed. */
  private static void attachWithoutLink(NetInterface networkInterface) {
    SystemCalls calls = new SystemCalls();
    Bpf bpf = new Bpf(calls);
    int map = bpf.createMap(Bpf.MAP_TYPE_SOCKETS, 1, "stale_map");
    int program = bpf.load(RedirectProgram.code(TrafficFilter.ALL, null, map), 0, "stale");
    assertThat(program).as(bpf.log()).isPositive();
    int result = new LinkMessages(calls).attach(networkInterface.index(), XdpMode.NATIVE, program);
    assertThat(calls.close(program)).isZero();
    assertThat(calls.close(map)).isZero();
    assertThat(result).isZero();
  }

  @Test
  void shouldSayThatTheInterfaceIsGone() {
    try (VethPair veth = Lab.veth("g");
        Engine engine = new Engine()) {
      DriverPort near = engine.drivers().open("xdp:" + Lab.name("ga"));
      near.start();
      veth.run("link", "del", near.address().rest());
      OwnedBurst burst = new OwnedBurst(new MbufArray(32));
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 10_000; i++) {
                  near.rxQueue(0).receive(burst.array());
                  burst.finish(new FreeBuffer(engine.drivers().pools(), 1));
                }
              })
          .isInstanceOf(PortException.class)
          .hasMessageContaining("interface is gone: port=port0, queue=0");
    }
  }

  @Test
  void shouldRefuseWhatIsNoEthernet() {
    Lab.requireXdp();
    String name = Lab.name("x");
    SystemCalls calls = new SystemCalls();
    int tun = Tun.open(calls, name);
    assumeTrue(tun >= 0, "skipped: needs /dev/net/tun");
    try {
      assertRefused("xdp:" + name, "not an Ethernet interface: interface=" + name);
    } finally {
      assertThat(calls.close(tun)).isZero();
    }
  }
}
