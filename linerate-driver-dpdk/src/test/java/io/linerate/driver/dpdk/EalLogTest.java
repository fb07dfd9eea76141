package io.linerate.driver.dpdk;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.log.LogEntry;
import io.linerate.core.log.LogPrinter;
import io.linerate.core.log.ProgramLog;
import io.linerate.core.port.PortException;
import io.linerate.core.worker.Engine;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What DPDK says is in the program's log, and what it says last reaches the terminal. */
class EalLogTest {
  private static final int RTE_LOG_WARNING = 5;
  private static final int RTE_LOGTYPE_USER1 = 24;

  @TempDir Path folder;

  @BeforeAll
  static void requireDpdk() {
    assumeTrue(DpdkLibrary.problem().isEmpty(), DpdkLibrary::problem);
  }

  private static List<LogEntry> fromDpdk() {
    return ProgramLog.current().orElseThrow().entries().stream()
        .filter(entry -> entry.logger().equals("dpdk"))
        .toList();
  }

  /** Logs by {@code rte_log(level, type, "%s", text)}, which the shim's DPDK brings. */
  @SuppressWarnings("restricted")
  private static void log(int level, String text) throws Throwable {
    MethodHandle rteLog =
        Linker.nativeLinker()
            .downcallHandle(
                SymbolLookup.loaderLookup().find("rte_log").orElseThrow(),
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS),
                Linker.Option.firstVariadicArg(3));
    try (Arena arena = Arena.ofConfined()) {
      int _ =
          (int)
              rteLog.invokeExact(
                  level, RTE_LOGTYPE_USER1, arena.allocateFrom("%s"), arena.allocateFrom(text));
    }
  }

  @Test
  void shouldBringWhatDpdkLogsIntoTheProgramsLog() throws Throwable {
    try (Engine engine = new Engine()) {
      assertThatThrownBy(() -> engine.port("dpdk:net_null0,nonsense=1"))
          .isInstanceOf(PortException.class);
      assertThat(fromDpdk()) // There already: the sentence that follows refers to it.
          .anySatisfy(entry -> {
            assertThat(entry.level()).isEqualTo(Level.ERROR);
            assertThat(entry.text()).startsWith("EAL: ").doesNotContain("\n");
          });

      EalLog another = EalLog.open();
      log(RTE_LOG_WARNING, "half a ");
      log(RTE_LOG_WARNING, "line\nand a whole one\n");
      another.settle();
      assertThat(fromDpdk())
          .extracting(entry -> entry.level() + " " + entry.text())
          .endsWith("WARNING half a line", "WARNING and a whole one");
    }
  }

  @Test
  void shouldGoOnWhenALoggerThrows() throws Throwable {
    ProgramLog programLog = ProgramLog.current().orElseThrow();
    try (EalLog log = EalLog.open()) {
      programLog.printer((entry, thrown) -> {
        throw new AssertionError("a printer that fails: " + entry.text());
      });
      log(RTE_LOG_WARNING, "one\n");
      log(RTE_LOG_WARNING, "another\n");
      log.settle();
      assertThat(fromDpdk()).extracting(LogEntry::text).endsWith("one", "another");
    } finally {
      programLog.printer(LogPrinter.STANDARD_ERROR);
    }
  }

  @Test
  void shouldTranslateLevels() {
    assertThat(IntStream.rangeClosed(1, 8).mapToObj(EalLog::level))
        .containsExactly(
            Level.ERROR,
            Level.ERROR,
            Level.ERROR,
            Level.ERROR,
            Level.WARNING,
            Level.INFO,
            Level.INFO,
            Level.DEBUG);
  }

  @Test
  void shouldWaitForNobodyAndReachTheTerminalBeforeAnAbort() throws Exception {
    Path err = folder.resolve("err");
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:-CreateCoredumpOnCrash",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                Aborting.class.getName())
            .directory(folder.toFile())
            .redirectOutput(folder.resolve("out").toFile())
            .redirectError(err.toFile())
            .start();
    try {
      assertThat(child.waitFor(180, TimeUnit.SECONDS)).isTrue();
    } finally {
      child.destroyForcibly();
    }
    assertThat(child.exitValue()).isNotZero();
    assertThat(Files.readString(err))
        .contains("flood 1999", "PANIC in a test():", "nothing left to do: 7");
  }

  /** A program in which DPDK gives up. */
  static final class Aborting {
    @SuppressWarnings("restricted")
    public static void main(String[] arguments) throws Throwable {
      try (Engine engine = new Engine(EngineConfig.DEFAULT)) {
        engine.port("dpdk:net_null0");
        // Nobody reads here: what finds no room goes to standard error.
        ShimFunction.LOG_OPEN.call(Arena.global().allocate(JAVA_INT, 2).address());
        for (int i = 0; i < 2_000; i++) {
          log(RTE_LOG_WARNING, "flood " + i + "\n");
        }
        MethodHandle panic =
            Linker.nativeLinker()
                .downcallHandle(
                    SymbolLookup.loaderLookup().find("__rte_panic").orElseThrow(),
                    FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, JAVA_INT),
                    Linker.Option.firstVariadicArg(2));
        MemorySegment name = Arena.global().allocateFrom("a test");
        MemorySegment format = Arena.global().allocateFrom("nothing left to do: %d\n");
        panic.invokeExact(name, format, 7);
      }
    }
  }
}
