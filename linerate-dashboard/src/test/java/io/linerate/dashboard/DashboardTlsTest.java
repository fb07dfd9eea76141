package io.linerate.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.config.ConfigException;
import io.linerate.core.worker.Engine;
import io.linerate.dashboard.http.HttpAddress;
import io.linerate.testkit.Soak;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HTTPS with keys that keytool made, asked by curl; and who may read where others can come. */
class DashboardTlsTest {
  private static final String PASSWORD = "of-the-test";
  private static final String[] READINGS = {
    "api/state", "api/live", "api/history", "api/programs", "api/openapi.json", "metrics"
  };

  @TempDir static Path folder;
  private static Path keys;
  private static Path certificate;

  @BeforeAll
  static void makeKeys() throws Exception {
    assumeTrue(run("curl", "--version").status() == 0, "skipped: there is no curl");
    keys = folder.resolve("keys.p12");
    certificate = folder.resolve("certificate.pem");
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    String names = "san=ip:127.0.0.1,dns:localhost";
    run(
        keytool,
        "-genkeypair",
        "-keyalg",
        "EC",
        "-alias",
        "test",
        "-dname",
        "CN=localhost",
        "-ext",
        names,
        "-storetype",
        "PKCS12",
        "-keystore",
        keys.toString(),
        "-storepass",
        PASSWORD);
    run(
        keytool,
        "-exportcert",
        "-rfc",
        "-alias",
        "test",
        "-keystore",
        keys.toString(),
        "-storepass",
        PASSWORD,
        "-file",
        certificate.toString());
    assertThat(certificate).exists();
  }

  private record Result(int status, String out) {}

  private static Result run(String... command) throws Exception {
    Path out = Files.createTempFile(folder, "out", "");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    try {
      assertThat(process.waitFor(180, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Result(process.exitValue(), Files.readString(out));
  }

  /** Status, then what came, as curl has it. */
  private static Result curl(String url, String... options) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of("curl", "--silent", "--show-error", "--max-time", "20", "--write-out"));
    command.addAll(List.of("\n%{http_code}", "--cacert", certificate.toString()));
    command.addAll(Arrays.asList(options));
    command.add(url);
    Result result = run(command.toArray(String[]::new));
    String code = result.out().substring(result.out().lastIndexOf('\n') + 1);
    return new Result(code.matches("[0-9]+") ? Integer.parseInt(code) : -1, result.out());
  }

  private static Dashboard start(String host, boolean isTls, Engine engine) {
    Optional<KeyStoreFile> tls =
        isTls ? Optional.of(new KeyStoreFile(keys, PASSWORD)) : Optional.empty();
    return Dashboard.start(
        new DashboardSettings(new HttpAddress(host, 0), tls, !isTls),
        new WatchedProgram(engine, null));
  }

  private static String url(Dashboard dashboard, String path) {
    URI uri = URI.create(dashboard.url());
    return uri.getScheme() + "://127.0.0.1:" + uri.getPort() + "/" + path;
  }

  private static String bearer(Dashboard dashboard) {
    return "Authorization: Bearer " + dashboard.token().reveal();
  }

  @Test
  void shouldServeOwnMachineByTls() throws Exception {
    try (Engine engine = new Engine();
        Dashboard dashboard = start("127.0.0.1", true, engine)) {
      assertThat(dashboard.url()).startsWith("https://127.0.0.1:");
      Result state = curl(url(dashboard, "api/state"), "--tlsv1.3");
      assertThat(state.status()).isEqualTo(200);
      assertThat(state.out()).contains("\"name\":\"linerate\"");
      assertThat(curl(url(dashboard, "")).out()).contains("<html");
      Result stranger = curl(url(dashboard, "api/state"), "--cacert", "/dev/null");
      assertThat(stranger.status()).as(stranger.out()).isLessThanOrEqualTo(0);
    }
  }

  @Test
  void shouldShowNothingToOthersWithoutTheTokenWhateverTheyRead() throws Exception {
    for (boolean isTls : new boolean[] {true, false}) {
      try (Engine engine = new Engine();
          Dashboard dashboard = start("0.0.0.0", isTls, engine)) {
        for (String path : READINGS) {
          Result locked = curl(url(dashboard, path));
          assertThat(locked.status()).as(path).isEqualTo(401);
          assertThat(locked.out()).as(path).contains("token is missing").doesNotContain("test");
          assertThat(curl(url(dashboard, path), "-H", "Authorization: Bearer x").status())
              .as(path)
              .isEqualTo(403);
        }
        for (String path : List.of("api/state", "api/history", "metrics", "api/openapi.json")) {
          assertThat(curl(url(dashboard, path), "-H", bearer(dashboard)).status())
              .as(path)
              .isEqualTo(200);
        }
        assertThat(curl(url(dashboard, "")).status()).isEqualTo(200); // The page asks for it.
        Result live = curl(url(dashboard, "api/live"), "--max-time", "3", "-H", bearer(dashboard));
        assertThat(live.out()).contains("event: state\ndata: {\"timeMs\":");
      }
    }
  }

  @Test
  @Tag("sampled")
  void shouldSurviveWhatIsNoTls() throws Exception {
    Random random = new Random(Soak.seed(4));
    try (Engine engine = new Engine();
        Dashboard dashboard = start("127.0.0.1", true, engine)) {
      int tries = Soak.times(200, 10_000);
      for (int i = 0; i < tries; i++) {
        byte[] bytes = new byte[1 + random.nextInt(600)];
        random.nextBytes(bytes);
        if (i % 3 == 0) {
          bytes[0] = 22; // The start of a handshake.
        }
        assertThat(raw(dashboard, bytes)).doesNotContain("HTTP/1.1 200");
      }
      String plain = "GET /api/state HTTP/1.1\r\nHost: localhost\r\n\r\n";
      assertThat(raw(dashboard, plain.getBytes(StandardCharsets.US_ASCII)))
          .doesNotContain("HTTP/1.1 200");
      assertThat(curl(url(dashboard, "api/state")).status()).isEqualTo(200);
    }
  }

  private static String raw(Dashboard dashboard, byte[] bytes) throws IOException {
    int port = URI.create(dashboard.url()).getPort();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(bytes);
      socket.shutdownOutput();
      try (InputStream in = socket.getInputStream()) {
        return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
      }
    } catch (SocketException e) {
      return ""; // It was cut off.
    }
  }

  @Test
  void shouldSayWhatIsWrongWithItsKeys() {
    KeyStoreFile wrong = new KeyStoreFile(keys, "wrong");
    assertThatThrownBy(wrong::context)
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("cannot use the key store: file=" + keys)
        .hasMessageContaining("LINERATE_TLS_PASSWORD")
        .hasMessageNotContaining("wrong;");
    assertThat(wrong.toString()).isEqualTo(keys.toString());
  }
}
