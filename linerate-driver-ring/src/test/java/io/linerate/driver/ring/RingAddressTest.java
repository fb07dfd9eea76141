package io.linerate.driver.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import io.linerate.core.port.PortException;
import io.linerate.core.worker.Engine;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses of rings and decorating ports, right and wrong. */
final class RingAddressTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ring: | ring has a bad name",
        "ring:,size=4 | ring has a bad name",
        "ring:a b | ring has a bad name",
        "ring:a,size=1000 | power of two",
        "ring:a,size=0 | size=0",
        "ring:a,size=2097152 | size=2097152",
        "ring:a,size=many | size=many",
        "ring:a,speed=1 | unknown key",
        "ring:a,loopback=off | loopback=off",
        "trace:ring:a | port=ADDRESS",
        "trace:rate=-1,port=ring:a | rate=-1",
        "trace:rate=1,port= | not a port address",
        "trace:port=nothing:a | no driver for the scheme",
        "fault:drop=1.5,port=ring:a | drop=1.5",
        "fault:drop=NaN,port=ring:a | drop=NaN",
        "fault:seed=x,port=ring:a | seed=x",
        "fault:lose=1,port=ring:a | unknown key",
        "fault:reoder=1,port=ring:a | did you mean reorder?",
        "fault:direction=out,port=ring:a | direction=out",
        "fault:distance=2,port=ring:a | reorder=P",
        "fault:reorder=0.1,distance=65,port=ring:a | distance=65",
        "fault:delay=5,port=ring:a | delay=5",
        "fault:delay=11s,port=ring:a | a time up to 10s",
        "fault:jitter=0ms,port=ring:a | jitter=0ms",
        "fault:hold=200,port=ring:a | beside delay, jitter or reorder",
        "fault:delay=5ms,hold=64,port=ring:a | hold=64",
        "fault:drop=1,drop=1,port=ring:a | twice",
        "record:port=ring:a | file=PATH",
        "record:file=x,snaplen=-1,port=ring:a | snaplen=-1"
      })
  void shouldSayWhatIsWrongWithAnAddress(String address, String message) {
    try (Engine engine = new Engine()) {
      assertThatThrownBy(() -> engine.port(address))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining(message);
      assertThat(engine.ports()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"size", "loopback"})
  void shouldTakeRingsThatAreCalledLikeKeys(String name) {
    try (Engine engine = new Engine()) {
      assertThat(engine.port("ring:" + name + ",size=16").txQueues()).isEqualTo(1);
    }
  }

  @Test
  void shouldNameTheRingOfAnUnknownKey() {
    try (Engine engine = new Engine()) {
      assertThatThrownBy(() -> engine.port("ring:a,sizes=16"))
          .isInstanceOf(ConfigException.class)
          .hasMessage(
              "unknown key in an address: key=sizes, address=ring:a,sizes=16; did you mean size? ring: has size, loopback");
    }
  }

  @Test
  void shouldRefuseFileNamesThatThereCannotBe() {
    try (Engine engine = new Engine()) {
      assertThatThrownBy(() -> engine.port("record:file=a\0b,port=ring:a"))
          .isInstanceOf(ConfigException.class)
          .hasMessageContainingAll("file=a\0b", "address=record:file=a\0b,port=ring:a", "Nul");
    }
  }

  @Test
  void shouldGiveWireTwoEndsAndLoopbackOne() {
    try (Engine engine = new Engine()) {
      engine.port("ring:wire,size=16");
      engine.port("ring:wire");
      engine.port("ring:loop,loopback");
      for (String address : new String[] {"ring:wire", "ring:loop", "ring:loop,loopback"}) {
        assertThatThrownBy(() -> engine.port(address))
            .isInstanceOf(ConfigException.class)
            .hasMessageContainingAll("no free end", address);
      }
    }
  }

  @Test
  void shouldWantOneSizeForBothEnds() {
    try (Engine engine = new Engine()) {
      engine.port("ring:wire,size=16");
      assertThatThrownBy(() -> engine.port("ring:wire,size=32"))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("size=16");
    }
  }

  @Test
  void shouldKeepWiresOfEnginesApart() {
    try (Engine one = new Engine();
        Engine other = new Engine()) {
      one.port("ring:wire");
      one.port("ring:wire");
      assertThat(other.port("ring:wire").rxQueues()).isEqualTo(1);
    }
  }

  @Test
  void shouldDecorateDecoratedPorts(@TempDir Path directory) {
    Path file = directory.resolve("with,port=comma.pcapng");
    String escaped = file.toString().replace(",", "\\,");
    try (Engine engine = new Engine()) {
      engine.port(
          "fault:drop=0.5,port=record:file=" + escaped + ",port=trace:port=ring:wire,size=16");
      assertThat(file).exists();
      assertThat(engine.ports().getFirst().statistics().extended())
          .containsKeys("fault_drop", "record_packets");
    }
  }

  @Test
  void shouldCloseTheInnerPortWhenItCannotBeDecorated(@TempDir Path directory) throws Exception {
    Path file = Files.createDirectory(directory.resolve("is-a-directory"));
    try (Engine engine = new Engine()) {
      assertThatThrownBy(() -> engine.port("record:file=" + file + ",port=ring:wire"))
          .isInstanceOf(PortException.class);
      // Its end of the wire was closed: the other is exhausted.
      assertThat(engine.drivers().open("ring:wire").rxQueue(0).exhausted()).isTrue();
    }
  }
}
