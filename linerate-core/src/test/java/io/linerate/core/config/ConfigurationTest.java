package io.linerate.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigurationTest {
  @TempDir Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("test.properties"), text);
  }

  private Configuration read(String text, String... overrides) throws IOException {
    return Configuration.read(file(text), List.of(overrides), EngineConfig.DEFAULT);
  }

  @Test
  void shouldSayWhatAnotherConfigurationChanges() throws IOException {
    Configuration before = read("colour=red\nworkers=2\nrxburst=64\nmtu=1500\n", "mtu=9000");
    Configuration next = read("tint=blue\nworkers=2\nduration=1s\nmtu=2000\n", "mtu=9000");
    assertThat(before.changes(next)).containsExactly("rxburst=", "duration=1s", "colour=blue");
    assertThat(before.changes(before)).isEmpty();
  }

  @Test
  void shouldReadEveryKey() throws IOException {
    Configuration configuration =
        read(
            """
            programname = wall
            cpus=0,2-3
            workers=3
            rxburst=64
            txburst=16
            freeburst=8
            drainus=50
            txretryus=7
            idle=busy-spin
            memory=256
            buffers=4096
            descriptors=512
            mtu=9000
            promiscuous=false
            counters=false
            slowburstus=2000
            queues=6
            queuechoice=flow
            balance=true
            maxworkers=4
            ports=in=pcap:rx=a,loop=2; out = pcap:tx=b ;
            colour=blue
            duration=500ms
            """);
    assertThat(configuration.engine())
        .isEqualTo(
            EngineConfig.DEFAULT
                .withProgramName("wall")
                .withCpus(List.of(0, 2, 3))
                .withWorkers(3)
                .withRxBurst(64)
                .withTxBurst(16)
                .withFreeBurst(8)
                .withDrainUs(50)
                .withTxRetryUs(7)
                .withIdle(Idle.BUSY_SPIN)
                .withMemoryMiB(256)
                .withBuffers(4_096)
                .withDescriptors(512)
                .withMtu(9_000)
                .withPromiscuous(false)
                .withCounters(false)
                .withSlowBurstUs(2_000)
                .withQueues(6)
                .withQueueOrder(QueueOrder.FLOW)
                .withBalanced(true)
                .withMaxWorkers(4)
                .with("colour", "blue")
                .with("ports", "in=pcap:rx=a,loop=2; out = pcap:tx=b")
                .with("duration", "500ms"));
    assertThat(configuration.ports())
        .containsExactly(
            new NamedAddress("in", "pcap:rx=a,loop=2"), new NamedAddress("out", "pcap:tx=b"));
    assertThat(configuration.engine().get(PaintSettings.COLOUR)).isEqualTo("blue");
    assertThat(configuration.duration()).contains(Duration.ofMillis(500));
  }

  @Test
  void shouldReadEscapesAndContinuationLinesAsPropertiesDo() throws IOException {
    Configuration configuration =
        read("! note\n\n  rxb\\u0075rst : 6\\\n    4\nprogramname=a\\tb\n# rxburst=1\\\nmtu 100\n");
    assertThat(configuration.engine().rxBurst()).isEqualTo(64);
    assertThat(configuration.engine().programName()).isEqualTo("a\tb");
    assertThat(configuration.engine().mtu()).isEqualTo(100);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rxburst=0|value is out of range: rxburst=0; write 1 to 4096",
        "rxburst=99999999999|value is out of range: rxburst=99999999999; write 1 to 4096",
        "txburst=4097|value is out of range: txburst=4097; write 1 to 4096",
        "freeburst=many|not a whole number: freeburst=many; write 1 to 4096",
        "freeburst=|not a whole number: freeburst=; write 1 to 4096",
        "drainus=-1|value is out of range: drainus=-1; write 0 to 1000000, in µs",
        "memory=1.5|not a whole number: memory=1.5; write 16 to 1048576, in MiB",
        "idle=nap|no such idle strategy: idle=nap; use one of busy-spin, yield, backoff, sleep, interrupt",
        "promiscuous=yes|wrong value: promiscuous=yes; write true or false",
        "cpus=3-1|wrong value: cpus=3-1; write 0 to 1023 and ranges, such as 0,2-3",
        "cpus=1024|wrong value: cpus=1024; write 0 to 1023 and ranges, such as 0,2-3",
        "colour=green|no such colour: colour=green; red or blue is allowed",
        "tint=green|no such colour: tint=green; red or blue is allowed",
        "duration=10|not a time: duration=10; write a time, such as 500ms, 10s or 2m",
        "duration=0s|not a time: duration=0s; write a time, such as 500ms, 10s or 2m",
        "rxbrust=3|unknown key: rxbrust=3; did you mean rxburst?",
        "ports=in=eth0|not a port address (eth0): ports=in=eth0; write NAME=SCHEME:REST, such as"
            + " in=pcap:rx=FILE, with semicolons between ports",
        "ports=a=ring:x;a=ring:y|port name stands twice: ports=a=ring:x;a=ring:y; give each port a"
            + " name of its own",
      })
  void shouldNameFileLineKeyValueAndWhatIsAllowed(String line, String message) throws IOException {
    Path file = file("# a comment\n" + line + "\n");
    assertThatThrownBy(() -> Configuration.read(file, List.of(), EngineConfig.DEFAULT))
        .isInstanceOf(ConfigException.class)
        .hasMessage(file + ":2: " + message);
    assertThatThrownBy(() -> Configuration.of(List.of(line), EngineConfig.DEFAULT))
        .isInstanceOf(ConfigException.class)
        .hasMessage("--set: " + message);
  }

  @Test
  void shouldListTheKeysWhenNoneIsNear() {
    assertThatThrownBy(() -> Configuration.of(List.of("nonsense=1"), EngineConfig.DEFAULT))
        .hasMessageStartingWith("--set: unknown key: nonsense=1; there are programname, ")
        .hasMessageContaining("rxburst")
        .hasMessageContaining("colour");
  }

  @Test
  void shouldListTheKeysOnce() throws IOException {
    assertThatThrownBy(() -> read("nonsense=1\nrxbrust=3\ngibberish=2\n", "drop=10.0.0.1"))
        .message()
        .satisfies(said ->
            assertThat(said.lines())
                .hasSize(4)
                .satisfiesExactly(
                    line -> assertThat(line).contains("; there are programname, "),
                    line -> assertThat(line).endsWith("; did you mean rxburst?"),
                    line -> assertThat(line).endsWith("gibberish=2; use one of those above"),
                    line -> assertThat(line).endsWith("drop=10.0.0.1; use one of those above")));
  }

  @Test
  void shouldRefuseSettingsOfOtherPrograms() throws IOException {
    Path file = file("brush=3\n");
    EngineConfig paint = EngineConfig.DEFAULT.withProgramName(BrushSettings.PROGRAM);
    Configuration read = Configuration.read(file, List.of("programname=mine"), paint);
    assertThat(read.engine().get(BrushSettings.BRUSH)).isEqualTo(3);
    EngineConfig route = EngineConfig.DEFAULT.withProgramName("route");
    assertThatThrownBy(() -> Configuration.read(file, List.of(), route))
        .isInstanceOf(ConfigException.class)
        .hasMessage(file + ":1: not a setting of route: brush=3; paint has it");
    assertThatThrownBy(() -> Configuration.of(List.of("nonsense=1"), route))
        .message()
        .doesNotContain("brush");
  }

  @Test
  void shouldSayAllThatIsWrongAtOnce() throws IOException {
    Path file = file("rxburst=0\n\ntxburst=x\nrxburst=3\nfoo\\u00zz=1\n");
    assertThatThrownBy(() -> Configuration.read(file, List.of("nonsense"), EngineConfig.DEFAULT))
        .message()
        .isEqualTo(
            file
                + ":5: bad escape: line=foo\\u00zz=1; \\uXXXX has four digits\n"
                + file
                + ":4: key stands twice: rxburst=3; keep this or the one of "
                + file
                + ":1\n--set: not a setting: nonsense; write --set KEY=VALUE\n"
                + file
                + ":1: value is out of range: rxburst=0; write 1 to 4096\n"
                + file
                + ":3: not a whole number: txburst=x; write 1 to 4096");
  }

  @Test
  void shouldLetTheLastOverrideCount() throws IOException {
    Configuration configuration = read("rxburst=0\n", "rxburst=8", "rxburst=16");
    assertThat(configuration.engine().rxBurst()).isEqualTo(16);
  }

  @Test
  void shouldWantACpuForEachWorker() throws IOException {
    Path file = file("cpus=0\nworkers=2\n");
    assertThatThrownBy(() -> Configuration.read(file, List.of(), EngineConfig.DEFAULT))
        .hasMessageStartingWith(file + ":1: fewer CPUs than workers: cpus=[0], workers=2");
  }

  @Test
  void shouldSayThatThereIsNoSuchFile() {
    Path file = folder.resolve("none.properties");
    assertThatThrownBy(() -> Configuration.read(file, List.of(), EngineConfig.DEFAULT))
        .isInstanceOf(ConfigException.class)
        .hasMessage("no such configuration file: file=" + file + "; check the path");
  }

  @Test
  void shouldNotTakeTheSameSettingByTwoNames() throws IOException {
    Path file = file("colour=red\ntint=blue\n");
    assertThatThrownBy(() -> Configuration.read(file, List.of(), EngineConfig.DEFAULT))
        .hasMessage(
            file + ":2: key stands twice: tint=blue; keep this or the one of " + file + ":1");
  }
}
