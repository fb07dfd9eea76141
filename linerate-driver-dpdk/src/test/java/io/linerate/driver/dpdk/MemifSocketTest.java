package io.linerate.driver.dpdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.port.PortAddress;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemifSocketTest {
  @TempDir private Path directory;

  private MemifSocket socket(String arguments) {
    Path file = directory.resolve("memif");
    return MemifSocket.of(
        DpdkAddress.parse(
            PortAddress.parse(
                "dpdk:net_memif0,socket=" + file + ",socket-abstract=no" + arguments)));
  }

  private ServerSocketChannel listen() throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    return channel.bind(UnixDomainSocketAddress.of(directory.resolve("memif")));
  }

  @Test
  void shouldRemoveWhatAKilledServerLeft() throws IOException {
    listen().close();
    assertThat(directory).isNotEmptyDirectory();
    socket(",role=client").removeLeftover();
    assertThat(directory).isNotEmptyDirectory();
    socket(",role=server").removeLeftover();
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void shouldLeaveTheSocketOfALivingServer() throws IOException {
    try (ServerSocketChannel _ = listen()) {
      socket(",role=server").removeLeftover();
      assertThat(directory).isNotEmptyDirectory();
    }
  }

  @Test
  void shouldLeaveWhatIsNoSocket() throws IOException {
    Files.writeString(directory.resolve("memif"), "mine");
    socket(",role=server").removeLeftover();
    assertThat(directory.resolve("memif")).hasContent("mine");
  }

  @Test
  void shouldKnowTheDriversDefaults() {
    MemifSocket socket =
        MemifSocket.of(DpdkAddress.parse(PortAddress.parse("dpdk:net_memif0,id=0")));
    assertThat(socket).isEqualTo(new MemifSocket("/run/memif.sock", false, false));
  }
}
