package io.linerate.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What send and receive say of what cannot be. */
class TransferRunTest {
  private static final String WIRE = "--to 10.0.0.2 --via ring:nobody --address 10.0.0.1/24 ";

  @TempDir Path folder;

  private Run send(String options) throws IOException {
    Path file = folder.resolve("file");
    Files.writeString(file, "text");
    List<Object> words = new ArrayList<>(List.of("send", file));
    words.addAll(List.of(options.strip().split(" ", -1)));
    return Run.of(words.toArray());
  }

  @Test
  void shouldSayInOneSentenceThatNobodyAnswers() throws IOException {
    Run run = send(WIRE + "--timeout 1s --flows 2 --set workers=2");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err().lines())
        .filteredOn(line -> !line.contains("Ctrl-C ends it"))
        .satisfiesExactlyInAnyOrder(
            line ->
                assertThat(line)
                    .startsWith(
                        "linerate: peer is lost: peer=10.0.0.2:4242, why=it has not answered"),
            line -> assertThat(line).startsWith("linerate: not all was sent: files=1, left=1;"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--to 192.0.2.9 --via ring:w --address 10.0.0.1/24 | no route to the peer: peer=192.0.2.9:4242, addresses=10.0.0.1/24",
        "--to 10.0.0.1 --via ring:w --address 10.0.0.1/24 | peer is this host itself: peer=10.0.0.1:4242",
        "--to 10.0.0.2 --via nope:x | no driver for the scheme: scheme=nope",
        "--to 10.0.0.2 --via ring:w | port has no address: --via ring:w; write --address",
        "--to 10.0.0.2 --via ring:w --address 10.0.0.1/24 --rate fast | wrong rate: --rate fast; write bits each second, such as 500Mbps, or max",
        "--to 10.0.0.2 --via ring:w --address 10.0.0.1/24 --rate 1Mpps | wrong rate: --rate 1Mpps; write bits each second, such as 500Mbps, or max",
      })
  void shouldRefuseWhatCannotBe(String options, String message) throws IOException {
    Run run = send(options);
    assertThat(run.err()).startsWith("linerate: " + message).hasLineCount(1);
    assertThat(run.status()).isEqualTo(2);
  }

  @Test
  void shouldNameTheInterfacesThereAre() throws IOException {
    Run run = send("--to 10.0.0.2 --via packet:nope");
    assertThat(run.err()).startsWith("linerate: no such interface: interface=nope; ");
    assertThat(run.status()).isEqualTo(1);
  }

  @Test
  void shouldSayThatAFileIsNoDirectory() throws IOException {
    Path file = Files.writeString(folder.resolve("afile"), "text");
    assertThat(receive(file)).startsWith("linerate: not a directory: --into " + file);
    assertThat(receive(file.resolve("below")))
        .startsWith("linerate: directory cannot be made: --into " + file + "/below, why=Not a dir");
  }

  private static String receive(Path into) {
    Run run = Run.of("receive", "--into", into, "--via", "ring:w", "--address", "10.0.0.1/24");
    assertThat(run.err()).hasLineCount(1).doesNotContain("Exception");
    assertThat(run.status()).isEqualTo(2);
    return run.err();
  }
}
