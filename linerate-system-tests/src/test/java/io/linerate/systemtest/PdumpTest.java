package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code dpdk-pdump}, a process of DPDK's own, copies packets of a running program to a file. */
class PdumpTest {
  private static final String PROGRAM = "pdump" + ProcessHandle.current().pid();
  private static final int HUGE_PAGES = 128;
  private static final int ATTEMPTS = 10;

  @TempDir Path folder;
  private Path mount;

  @BeforeEach
  void mountHugePages() throws Exception {
    Lab.requireRoot();
    Lab.requireDpdk();
    Lab.requirePrograms("dpdk-pdump", "mount", "tcpdump");
    Lab.requireHugePages(HUGE_PAGES);
    mount = Files.createDirectory(folder.resolve("huge"));
    Command.run("mount", "-t", "hugetlbfs", "none", mount.toString());
  }

  @AfterEach
  void unmountHugePages() {
    if (mount != null) {
      Command.status("umount", mount.toString());
    }
  }

  @Test
  void shouldShowPacketsOfARunningProgram() throws Exception {
    Path file = folder.resolve("seen.pcap");
    try (Command capture = Command.start(Command.linerate(captureWords()))) {
      capture.awaitError(text -> text.contains("received"));
      showPackets(file);
      capture.terminate();
      assertThat(capture.awaitExit()).as(capture.errors()).isZero();
      assertThat(new Summary(capture.output()).isConserved()).as(capture.output()).isTrue();
    }
    assertThat(Command.run("tcpdump", "-c", "1", "-e", "-n", "-r", file.toString()))
        .contains("00:00:00:00:00:00 > 00:00:00:00:00:00");
    assertThat(mount).as("huge pages are given back").isEmptyDirectory();
    assertThat(Path.of("/var/run/dpdk", PROGRAM)).doesNotExist();
  }

  /**
   * A second process wants the memory at the addresses of the first, where its own libraries may
   * lie by chance: then it is started again.
   */
  private static void showPackets(Path file) throws Exception {
    for (int attempt = 1; ; attempt++) {
      try (Command pdump = Command.start(pdumpWords(file))) {
        if (awaitBytes(file, pdump)) {
          pdump.terminate();
          int _ = pdump.awaitExit();
          return;
        }
        boolean isByChance = pdump.errors().contains("Cannot reserve");
        assertThat(isByChance && attempt < ATTEMPTS).as(pdump.errors()).isTrue();
      }
    }
  }

  private String[] captureWords() {
    return new String[] {
      "capture",
      "--port",
      "dpdk:net_null0",
      "--stats",
      "200ms",
      "--json",
      "--duration",
      "1h",
      "--set",
      "pdump=true",
      "--set",
      "programid=" + PROGRAM,
      "--set",
      "memory=96",
      "--set",
      "eal=--huge-dir=" + mount
    };
  }

  private static List<String> pdumpWords(Path file) {
    return List.of(
        "dpdk-pdump",
        "--file-prefix",
        PROGRAM,
        "--no-pci",
        "--",
        "--pdump",
        "port=0,queue=*,rx-dev=" + file);
  }

  /** Returns false if the process has ended before. */
  private static boolean awaitBytes(Path file, Command pdump) throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
    while (!Files.exists(file) || Files.size(file) < 1_000) {
      assertThat(System.nanoTime()).as("nothing comes: " + pdump.errors()).isLessThan(end);
      if (!pdump.isAlive()) {
        return false;
      }
      Command.pause(20);
    }
    return true;
  }
}
