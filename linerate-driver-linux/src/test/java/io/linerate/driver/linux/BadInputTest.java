package io.linerate.driver.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.worker.Engine;
import io.linerate.testkit.VethPair;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What people are told who may not do what they want, or whose kernel cannot: one sentence, with
 * what to do. Programs with fewer rights than this one open the ports; kernels that lack something
 * are played by a filter of system calls.
 */
class BadInputTest {
  private static final String NEAR = "lba" + ProcessHandle.current().pid();
  private static final String FAR = "lbb" + ProcessHandle.current().pid();
  private static final int NOBODY = 65_534;
  private static final int MAP_CREATE = 0;
  private static final int LINK_CREATE = 28;
  private static final int EINVAL = 22;
  private static final int ENOSYS = 38;
  private static final int EAFNOSUPPORT = 97;

  private VethPair veth;

  @BeforeEach
  void makeVeth() {
    veth = VethPair.make(NEAR, FAR);
  }

  @AfterEach
  void removeVeth() {
    if (veth != null) {
      veth.close();
    }
  }

  /** What a program is told that has only these capabilities. */
  private static String saidWith(String capabilities, String address) {
    return lastLine(PortOpener.run(setpriv(capabilities), address));
  }

  private static List<String> setpriv(String capabilities) {
    assumeTrue(runs("setpriv", "--version"), "skipped: needs setpriv of util-linux");
    return List.of("setpriv", "--inh-caps=-all", "--bounding-set=-all" + capabilities);
  }

  private static String saidWithout(int call, int index, int argument, int error, String address) {
    assumeTrue(SystemCallFilter.isPossible(), "skipped: knows system calls of x86-64 only");
    return lastLine(
        PortOpener.run(List.of(), address, "" + call, "" + index, "" + argument, "" + error));
  }

  private static String lastLine(String said) {
    return said.lines().toList().getLast();
  }

  private static boolean runs(String... command) {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          packet ; ''                               ; CAP_NET_RAW
          xdp    ; ''                               ; CAP_NET_RAW,CAP_NET_ADMIN,CAP_BPF
          xdp    ; ,+net_raw                        ; CAP_NET_ADMIN,CAP_BPF
          xdp    ; ,+net_raw,+net_admin             ; CAP_BPF
          xdp    ; ,+net_raw,+bpf                   ; CAP_NET_ADMIN
          tap    ; ,+net_raw,+bpf                   ; CAP_NET_ADMIN
          """)
  void shouldNameTheCapabilityThatIsMissing(String scheme, String capabilities, String missing) {
    String name = scheme.equals("tap") ? "lbt" + ProcessHandle.current().pid() : NEAR;
    assertThat(saidWith(capabilities, scheme + ":" + name))
        .contains("interface=" + name, "=" + missing, "run as root, or")
        .contains("; ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          packet ; ,+net_raw
          xdp    ; ,+net_raw,+net_admin,+bpf,+ipc_lock
          """)
  void shouldOpenWithTheCapabilitiesThatItNames(String scheme, String capabilities) {
    assertThat(saidWith(capabilities, scheme + ":" + NEAR)).isEqualTo("opened");
  }

  @ParameterizedTest
  @CsvSource({"packet", "xdp"})
  void shouldTellAnOrdinaryUser(String scheme) throws Exception {
    Path classes =
        Path.of(Engine.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<String> starter = new ArrayList<>(setpriv(""));
    starter.addAll(List.of("--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"));
    List<String> probe = new ArrayList<>(starter);
    probe.addAll(List.of("test", "-r", classes.toString()));
    assumeTrue(runs(probe.toArray(String[]::new)), "skipped: other users cannot read " + classes);
    assertThat(lastLine(PortOpener.run(starter, scheme + ":" + NEAR)))
        .startsWith("no permission to use ")
        .contains("CAP_NET_RAW", "; run as root, or");
  }

  /** Memory of AF_XDP counts as locked memory of the user, unlike maps since Linux 5.11. */
  @Test
  void shouldSayThatSoMuchMemoryCannotBeLocked() {
    assumeTrue(runs("prlimit", "--version"), "skipped: needs prlimit of util-linux");
    List<String> starter = new ArrayList<>(List.of("prlimit", "--memlock=65536:65536"));
    starter.addAll(setpriv(",+net_raw,+net_admin,+bpf"));
    assertThat(lastLine(PortOpener.run(starter, "xdp:" + NEAR)))
        .startsWith("packet memory of ")
        .contains("MiB cannot be registered: interface=" + NEAR)
        .endsWith(
            "; raise the limit of locked memory (ulimit -l), give CAP_IPC_LOCK, or set fewer buffers");
  }

  @Test
  void shouldSayThatTheKernelHasNoXdp() {
    String address = "xdp:" + NEAR;
    String instead = ", or packet:" + NEAR;
    assertThat(saidWithout(SystemCallFilter.BPF, 0, MAP_CREATE, EINVAL, address))
        .startsWith("cannot make a map of sockets: interface=" + NEAR)
        .endsWith("; use a kernel with CONFIG_XDP_SOCKETS" + instead);
    assertThat(saidWithout(SystemCallFilter.BPF, 0, MAP_CREATE, ENOSYS, address))
        .endsWith("; use a kernel with CONFIG_BPF_SYSCALL" + instead);
    assertThat(saidWithout(SystemCallFilter.BPF, 0, LINK_CREATE, EINVAL, address))
        .startsWith("program cannot be attached in mode generic: interface=" + NEAR)
        .endsWith("; use Linux 5.9 or newer" + instead);
    assertThat(saidWithout(SystemCallFilter.SOCKET, 0, 44, EAFNOSUPPORT, address))
        .startsWith("cannot make an AF_XDP socket: interface=" + NEAR)
        .endsWith("; use a kernel with CONFIG_XDP_SOCKETS" + instead);
  }

  @Test
  void shouldSayThatTheKernelHasNoPacketSockets() {
    assertThat(saidWithout(SystemCallFilter.SOCKET, 0, 17, EAFNOSUPPORT, "packet:" + NEAR))
        .startsWith("cannot use the interface: interface=" + NEAR)
        .endsWith("; use a kernel with CONFIG_PACKET");
  }

  /** Kernels before 6.6 do not bind a socket for frames of several buffers. */
  @Test
  void shouldSayThatTheMtuIsLargerThanAFrame() {
    int addressBytes = 16;
    assertThat(saidWithout(SystemCallFilter.BIND, 2, addressBytes, EINVAL, "xdp:" + NEAR))
        .startsWith(
            "MTU is larger than a frame of this kernel's AF_XDP: interface=%s, mtu=9000, most="
                .formatted(NEAR))
        .endsWith(
            "; run: sudo ip link set dev %s mtu 1500, or use Linux 6.6 or newer".formatted(NEAR));
  }

  @ParameterizedTest
  @CsvSource({"packet", "tap"})
  void shouldSayHowManyQueuesThereMayBe(String scheme) {
    assertThat(lastLine(PortOpener.run(List.of(), scheme + ":" + NEAR + ",queues=257")))
        .startsWith("wrong value in an address: queues=257")
        .endsWith("; write 1 to 256");
  }
}
