package io.linerate.bench.suite;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What a benchmark gets for one run: the machine, how thorough to be, and where results go.
 *
 * <p>The work that is measured runs on {@link #cpu}, alone there; what feeds it, and the harness
 * itself, on {@link #otherCpu}.
 */
public interface Session {
  /** Whether a figure in seconds is wanted rather than a good one. */
  boolean quick();

  /** How long this benchmark may take, all its cases together: some seconds when {@link #quick}. */
  Duration budget();

  /** What is left of the budget; never negative. */
  Duration left();

  /** Pairs of slices in a case, with each JVM: at least 7, fewer only if the user said so. */
  int pairs();

  /** Fresh JVMs for a case in which what a compiler makes of the program decides. */
  int jvms();

  /** The CPU of the contestants. */
  int cpu();

  /** The CPU of generators and of the harness; the same as {@link #cpu} if there is but one. */
  int otherCpu();

  /**
   * A program of {@code src/main/c}, as the Makefile has built it.
   *
   * @throws SkipException if it was not built, with the reason
   */
  Path twin(String program);

  /** A folder for files of this benchmark, which is deleted after it. */
  Path folder();

  /**
   * The command of a JVM like the one that users get, with this class path.
   *
   * @param mainClass its name
   * @param jvmOptions more options, such as another garbage collector; the last one wins
   */
  List<String> javaCommand(String mainClass, String... jvmOptions);

  /** Prints a line of progress. */
  void say(String line);

  /** Whether the user asked for this case; ask before measuring it. */
  boolean wants(String caseName);

  /** Takes a result, prints it and keeps it for the report. */
  void add(Result result);

  /** Takes a chart for the report. */
  void add(Chart chart);

  /** Takes a sentence for the report, under the table of this benchmark: what follows from it. */
  void conclude(String sentence);

  /** Notes that a case cannot be measured here. */
  void skip(String caseName, String reason);
}
