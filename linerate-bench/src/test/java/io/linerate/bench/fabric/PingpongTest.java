package io.linerate.bench.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.fabric.Fabric;
import io.linerate.fabric.FabricAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** linerate-fabric as the peer of fi_pingpong, the program that libfabric has for this. */
class PingpongTest {
  private static final Path PROGRAM = Path.of("/usr/bin/fi_pingpong");
  private static final int MESSAGES = 30;
  private static final long SOON_S = 10;

  @ParameterizedTest
  @CsvSource({
    "SHM,64",
    "SHM,4097",
    "TCP,64",
    "TCP,65536",
    "TCP_RXM,64",
    "TCP_RXM,65536",
    "UDP_RXD,4096"
  })
  void shouldSendAndReceiveAsClient(Provider provider, int bytes)
      throws IOException, InterruptedException {
    requireProgram();
    int port = Provider.freePort();
    Process server = start(provider, bytes, List.of("-B", String.valueOf(port)));
    FabricAddress own = own(provider);
    try (Socket control = connect(server, port);
        JavaTwin twin = JavaTwin.unmet(own, false)) {
      PingpongPeer peer = new PingpongPeer(twin, false, provider == Provider.SHM, control);
      peer.meet(own);
      peer.run(MESSAGES, bytes);
      twin.linger(() -> !server.isAlive());
    } catch (AssertionError | IOException | RuntimeException e) {
      throw new AssertionError("fi_pingpong said: " + ended(server), e);
    }
    requireGood(server);
  }

  @ParameterizedTest
  @CsvSource({
    "SHM,64",
    "SHM,4097",
    "TCP,64",
    "TCP,65536",
    "TCP_RXM,64",
    "TCP_RXM,65536",
    "UDP_RXD,4096"
  })
  void shouldSendAndReceiveAsServer(Provider provider, int bytes)
      throws IOException, InterruptedException {
    requireProgram();
    FabricAddress own = own(provider);
    try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        JavaTwin twin = JavaTwin.unmet(own, true)) {
      listening.setSoTimeout((int) TimeUnit.SECONDS.toMillis(SOON_S));
      String port = String.valueOf(listening.getLocalPort());
      Process client = start(provider, bytes, List.of("-P", port, "127.0.0.1"));
      try (Socket control = listening.accept()) {
        PingpongPeer peer = new PingpongPeer(twin, true, provider == Provider.SHM, control);
        peer.meet(own);
        peer.run(MESSAGES, bytes);
        twin.linger(() -> !client.isAlive());
      } catch (AssertionError | IOException | RuntimeException e) {
        throw new AssertionError("fi_pingpong said: " + ended(client), e);
      }
      requireGood(client);
    }
  }

  private static void requireProgram() {
    assumeTrue(Files.isExecutable(PROGRAM), "no fi_pingpong; install libfabric-bin");
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
  }

  private static FabricAddress own(Provider provider) {
    String where =
        provider == Provider.SHM
            ? "lr-pp-" + System.nanoTime() % 1_000_000
            : Provider.freeAddress();
    return FabricAddress.parse(provider.title().replace(";ofi_", "+") + ":" + where);
  }

  private static Process start(Provider provider, int bytes, List<String> options)
      throws IOException {
    List<String> words =
        new ArrayList<>(
            List.of(
                PROGRAM.toString(),
                "-c",
                "-p",
                provider.title(),
                "-e",
                provider == Provider.TCP ? "msg" : "rdm",
                "-I",
                String.valueOf(MESSAGES),
                "-S",
                String.valueOf(bytes)));
    words.addAll(options);
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().put("IPATH_NO_BACKTRACE", "1");
    return builder.start();
  }

  /** As soon as it listens. */
  private static Socket connect(Process server, int port) throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SOON_S);
    while (true) {
      Socket socket = new Socket();
      try {
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return socket;
      } catch (IOException e) {
        socket.close();
        if (System.nanoTime() > end || !server.isAlive()) {
          throw e;
        }
        TimeUnit.MILLISECONDS.sleep(10);
      }
    }
  }

  /** What it has said, after its end. */
  private static String ended(Process program) throws IOException, InterruptedException {
    if (!program.waitFor(SOON_S, TimeUnit.SECONDS)) {
      program.destroyForcibly();
      return "nothing, and has not ended within %d s".formatted(SOON_S);
    }
    return new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static void requireGood(Process program) throws IOException, InterruptedException {
    String said = ended(program);
    assertThat(program.exitValue()).as("fi_pingpong: %s", said).isZero();
    assertThat(said).contains("=" + MESSAGES);
  }
}
