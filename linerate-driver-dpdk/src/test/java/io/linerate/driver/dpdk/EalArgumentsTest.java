package io.linerate.driver.dpdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EalArgumentsTest {
  @TempDir private Path directory;

  @Test
  void shouldNameOneLcoreTheMemoryAndAPrefixOfItsOwn() {
    EalArguments arguments = EalArguments.of(EngineConfig.DEFAULT, 3, 128, true);
    assertThat(arguments.hugepages()).isTrue();
    assertThat(arguments.values())
        .contains("--lcores=0@3", "--in-memory", "--no-telemetry")
        .contains("--file-prefix=linerate-" + ProcessHandle.current().pid())
        .containsSequence("-m", "128")
        .doesNotContain("--no-huge", "--no-pci", "-n");
  }

  @Test
  void shouldTakePrefixAndChannelsFromTheConfiguration() {
    EngineConfig config =
        EngineConfig.DEFAULT.with("programid", "fw-1").with("memorychannels", "4");
    assertThat(EalArguments.of(config, 0, 128, true).values())
        .contains("--file-prefix=fw-1")
        .containsSequence("-n", "4");
  }

  @Test
  void shouldDoWithoutHugepagesWhenThereAreTooFew() {
    EalArguments arguments = EalArguments.of(EngineConfig.DEFAULT, 0, 127, true);
    assertThat(arguments.hugepages()).isFalse();
    assertThat(arguments.values()).contains("--no-huge").containsSequence("-m", "256");
  }

  @Test
  void shouldOpenNoPciDeviceByItself() {
    assertThat(EalArguments.of(EngineConfig.DEFAULT, 0, 128, true).values()).contains("-a");
    assertThat(EalArguments.of(EngineConfig.DEFAULT, 0, 128, false).values())
        .contains("--no-pci")
        .doesNotContain("-a");
  }

  @Test
  void shouldRefuseAProgramIdThatIsNoFileName() {
    assertThatThrownBy(() -> EngineConfig.DEFAULT.with("programid", "../x"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("programid=../x");
  }

  @Test
  void shouldAddUpFreeHugepagesOfAllSizes() throws Exception {
    Files.createDirectories(directory.resolve("hugepages-2048kB"));
    Files.createDirectories(directory.resolve("hugepages-1048576kB"));
    Files.writeString(directory.resolve("hugepages-2048kB/free_hugepages"), "10\n");
    Files.writeString(directory.resolve("hugepages-1048576kB/free_hugepages"), "1\n");
    assertThat(Hugepages.freeMiB(directory)).isEqualTo(20 + 1_024);
    assertThat(Hugepages.freeMiB(directory.resolve("absent"))).isZero();
  }
}
