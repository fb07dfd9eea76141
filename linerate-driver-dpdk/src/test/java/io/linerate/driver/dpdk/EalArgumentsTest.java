package io.linerate.driver.dpdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  private static List<String> values(String... settings) {
    EngineConfig config = EngineConfig.DEFAULT;
    for (int i = 0; i < settings.length; i += 2) {
      config = config.with(settings[i], settings[i + 1]);
    }
    return EalArguments.of(config, 0, 128, true).values();
  }

  @Test
  void shouldPassOptionsOn() {
    assertThat(values("eal", "--iova-mode=va --vfio-vf-token 0-0 --single-file-segments"))
        .contains("--in-memory", "--no-telemetry")
        .endsWith("--iova-mode=va", "--vfio-vf-token", "0-0", "--single-file-segments");
    assertThat(values("eal", "--telemetry"))
        .doesNotContain("--no-telemetry")
        .endsWith("--telemetry");
  }

  @Test
  void shouldKeepMemoryInFilesWhereOthersNeedThem() {
    assertThat(values("eal", "--huge-dir /mnt/huge")).doesNotContain("--in-memory");
    assertThat(values("pdump", "true")).doesNotContain("--in-memory");
    assertThat(values("eal", "--no-huge")).containsOnlyOnce("--no-huge").contains("--no-shconf");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--lcores=0-3 | use workers= and cpus=",
        "-m 512 | use memory=",
        "--in-memory | so it is unless",
        "--vdev net_null0 | dpdk:DEVICE",
        "--iova-moed=va | did you mean --iova-mode?",
        "va | write eal=--NAME",
        "--proc-type=secondary | no secondary process of another program",
        "--proc-type auto | no secondary process of another program",
        "--file-prefix=../x | not the name of a program",
        "--file-prefix=.. | not the name of a program",
        "--file-prefix= | not the name of a program"
      })
  void shouldSayWhichOptionsItDoesNotPassOn(String eal, String remedy) {
    assertThatThrownBy(() -> EngineConfig.DEFAULT.with("eal", eal))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("eal=" + eal)
        .hasMessageContaining(remedy);
  }

  @Test
  void shouldLetOneProgramOnlyHaveAName() {
    try (ProgramName _ = ProgramName.take("test-of-names")) {
      assertThatThrownBy(() -> ProgramName.take("test-of-names"))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining(
              "another program has this programid: programid=test-of-names; end it");
    }
    ProgramName.take("test-of-names").close();
  }

  @Test
  void shouldRefuseAProgramIdThatIsNoFileName() {
    assertThatThrownBy(() -> EngineConfig.DEFAULT.with("programid", "../x"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("programid=../x");
  }

  @Test
  void shouldFindWhereHugePagesAreFiles() throws Exception {
    Path list = directory.resolve("mounts");
    Files.writeString(
        list,
        """
        proc /proc proc rw 0 0
        none /mnt/huge\\040pages hugetlbfs rw,pagesize=2M 0 0
        hugetlbfs /tmp tmpfs rw 0 0
        """);
    assertThat(EalFiles.mounts(list)).containsExactly(Path.of("/mnt/huge pages"));
    assertThat(EalFiles.mounts(directory.resolve("absent"))).isEmpty();
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
