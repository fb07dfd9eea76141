package io.linerate.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.filter.FilterNames.Service;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemNamesTest {
  @TempDir Path folder;

  private SystemNames names;

  @BeforeEach
  void write() throws IOException {
    Files.writeString(
        folder.resolve("services"),
        "# ports\nhttp 80/tcp www # web\ndomain 53/tcp\ndomain 53/udp\ntftp\t69/udp\nodd\nbad 99999999/tcp\n");
    Files.writeString(folder.resolve("protocols"), "tcp 6 TCP\nudp\t17 UDP\n");
    Files.writeString(
        folder.resolve("networks"), "home 10.1\nlink 169.254.0.0 ll\nbad 1.2.3.999\n");
    Files.writeString(folder.resolve("ethers"), "2:0:0:0:0:fe gate\nxx gate2\n");
    names = new SystemNames(folder);
  }

  @Test
  void shouldKnowWhatTheFilesSay() {
    assertThat(names.service("http")).contains(new Service(80, true, false));
    assertThat(names.service("www")).contains(new Service(80, true, false));
    assertThat(names.service("domain")).contains(new Service(53, true, true));
    assertThat(names.service("tftp")).contains(new Service(69, false, true));
    assertThat(names.service("8080")).contains(new Service(8_080, true, true));
    assertThat(names.protocol("TCP")).hasValue(6);
    assertThat(names.network("home")).hasValue(0x0A01);
    assertThat(names.network("ll")).hasValue(0xA9FE_0000);
    assertThat(names.ethernet("gate"))
        .hasValueSatisfying(address -> assertThat(address).containsExactly(2, 0, 0, 0, 0, 0xFE));
    assertThat(names.host("127.0.0.1")).singleElement().isEqualTo(new byte[] {127, 0, 0, 1});
  }

  @Test
  void shouldKnowNothingOfOthers() throws IOException {
    for (String name : new String[] {"odd", "bad", "nothing", "web", "70000", ""}) {
      assertThat(names.service(name)).as(name).isEmpty();
      assertThat(names.protocol(name)).as(name).isEmpty();
      assertThat(names.network(name)).as(name).isEmpty();
      assertThat(names.ethernet(name)).as(name).isEmpty();
    }
    Files.delete(folder.resolve("services"));
    assertThat(names.service("http")).isEmpty();
  }
}
