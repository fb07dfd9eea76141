package io.linerate.driver.pcap.libpcap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.port.PortException;
import io.linerate.core.worker.Engine;
import io.linerate.testkit.VethPair;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a program is told that may not open an interface, and what it needs to be let. */
class LibpcapPermissionTest {
  private static final String NEAR = "lce" + ProcessHandle.current().pid();
  private static final String FAR = "lcf" + ProcessHandle.current().pid();

  private VethPair veth;

  /** Opens the port of its argument and says what comes of it. */
  static final class Opener {
    private Opener() {}

    public static void main(String[] words) {
      try (Engine engine = new Engine()) {
        engine.port(words[0]);
        System.out.println("opened");
      } catch (PortException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  @BeforeEach
  void makeVeth() {
    LibpcapLab.assumeLibpcap();
    assumeTrue(Files.exists(Path.of("/usr/bin/setpriv")), "skipped: needs setpriv of util-linux");
    veth = VethPair.make(NEAR, FAR);
  }

  @AfterEach
  void removeVeth() {
    if (veth != null) {
      veth.close();
    }
  }

  private static String saidWith(String capabilities) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("setpriv", "--inh-caps=-all", "--bounding-set=-all" + capabilities));
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(Opener.class.getName(), "libpcap:" + NEAR));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said.lines().toList().getLast();
  }

  @Test
  void shouldNameTheCapabilityThatIsMissing() throws Exception {
    assertThat(saidWith(""))
        .startsWith("no permission to use the interface: interface=" + NEAR)
        .contains("missing capability=CAP_NET_RAW, libpcap says=", "; run as root, or: ");
  }

  @Test
  void shouldOpenWithTheCapabilityThatItNames() throws Exception {
    assertThat(saidWith(",+net_raw")).isEqualTo("opened");
  }
}
