package io.linerate.bench.duel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What HotSpot's second compiler says of the methods that every burst goes through, in the log of
 * {@code -XX:+LogCompilation}: which calls in them stayed calls.
 */
final class CompilerLog {
  /** Options of a JVM that writes one. */
  static List<String> options(Path file) {
    return List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:+LogCompilation", "-XX:LogFile=" + file);
  }

  /** The path of a graph, and what calls it. */
  private static final Pattern HOT =
      Pattern.compile(
          "io\\.linerate\\.(graph\\.StraightPathOf\\S* handle|core\\.worker\\.QueuePoller poll\\w*) .*");

  private static final Pattern TASK =
      Pattern.compile("<task compile_id='\\d+'.*? method='([^']*)'.*? count='(\\d+)'.*");

  private static final Pattern CLASS = Pattern.compile("<klass id='(\\d+)' name='([^']*)'.*");
  private static final Pattern METHOD =
      Pattern.compile("<method id='(\\d+)' holder='(\\d+)' name='([^']*)'.*");
  private static final Pattern CALL = Pattern.compile("<call method='(\\d+)' count='(-?\\d+)'.*");
  private static final Pattern FAIL = Pattern.compile("<inline_fail reason='([^']*)'.*");

  /** A call that is made for one in so many runs of its method is not hot. */
  private static final int RARE = 4;

  /** Calls that are to stay calls: of native code, and of what is compiled by itself on purpose. */
  private static final Pattern MEANT =
      Pattern.compile("MethodHandle\\.linkToNative|StraightPathOf.*\\.handle");

  private CompilerLog() {}

  /**
   * The hot calls that were not inlined where a method was compiled last, as {@code CALLEE in
   * METHOD: REASON}.
   */
  static List<String> lostCalls(Path file) {
    // HotSpot may write method names that are no UTF-8.
    try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
      Reading reading = new Reading();
      lines.forEach(reading::read);
      return reading.lost.values().stream().flatMap(List::stream).distinct().toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the compiler's log: file=" + file, e);
    }
  }

  private static final class Reading {
    final Map<String, List<String>> lost = new LinkedHashMap<>();
    private final Map<String, String> names = new HashMap<>();
    private List<String> ofTask = new ArrayList<>();
    private String task = "";
    private long taskCount;
    private String callee = "";
    private long callCount;

    void read(String line) {
      if (line.startsWith("<task ")) {
        begin(line);
      } else if (line.startsWith("</task")) {
        task = "";
      } else if (!task.isEmpty()) {
        readTask(line);
      }
    }

    private void begin(String line) {
      Matcher matcher = TASK.matcher(line);
      // Only the first compiler has levels. What is replaced in a running loop has a kind.
      boolean isSecond = !line.contains(" level='") && !line.contains(" compile_kind='");
      task = "";
      if (isSecond && matcher.matches() && HOT.matcher(matcher.group(1)).matches()) {
        String method = matcher.group(1);
        int end = method.indexOf(' ');
        String holder = method.substring(0, end);
        task = simple(holder) + "." + method.substring(end + 1, method.indexOf(' ', end + 1));
        taskCount = Long.parseLong(matcher.group(2));
        ofTask = new ArrayList<>();
        lost.put(task, ofTask);
        names.clear();
      }
    }

    /** Without its package, and a hidden class without its address, which differs each time. */
    private static String simple(String className) {
      return className.substring(className.lastIndexOf('.') + 1).replaceAll("/0x.*", "");
    }

    private void readTask(String line) {
      Matcher matcher = CLASS.matcher(line);
      if (matcher.matches()) {
        names.put(matcher.group(1), simple(matcher.group(2)));
      } else if (matcher.usePattern(METHOD).matches()) {
        names.put(
            matcher.group(1), names.getOrDefault(matcher.group(2), "?") + "." + matcher.group(3));
      } else if (matcher.usePattern(CALL).matches()) {
        callee = names.getOrDefault(matcher.group(1), "?");
        callCount = Long.parseLong(matcher.group(2));
      } else if (matcher.usePattern(FAIL).matches()) {
        if (!MEANT.matcher(callee).matches() && callCount * RARE >= taskCount) {
          ofTask.add(callee + " in " + task + ": " + matcher.group(1));
        }
      }
    }
  }
}
