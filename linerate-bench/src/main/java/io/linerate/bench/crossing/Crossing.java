package io.linerate.bench.crossing;

import io.linerate.bench.suite.Result;
import java.util.List;

/**
 * A row of the report.
 *
 * @param method beginning of the benchmark methods' names
 * @param bytes the array's, or "" without one
 * @param title in the report
 * @param theirs what Javia's table says, in ns: JNI of JDK 1.2 (static methods), and Marmot's own
 *     native interface; empty where they do not say
 */
record Crossing(String method, String bytes, String title, List<Double> theirs) {
  static final List<Crossing> ALL =
      List.of(
          new Crossing("empty", "", "call: nothing", 118, 250),
          new Crossing("one", "", "call: one int", 126, 252),
          new Crossing("two", "", "call: two ints", 407, 254),
          new Crossing("three", "", "call: three ints", 443, 258),
          new Crossing("reference", "", "call: an object or a segment", 132, 256),
          new Crossing("callNone", "", "call back: nothing", 2_577, 272),
          new Crossing("callOne", "", "call back: one int", 2_667, 280),
          new Crossing("callTwo", "", "call back: two ints", 2_477, 274),
          new Crossing("read", "", "field read by native code", 1_215, 12),
          new Crossing("write", "", "field written by native code", 1_272, 18),
          new Crossing("copyOut", "10", "copy out, 10 B", 3_883, 3_649),
          new Crossing("copyOut", "100", "copy out, 100 B", 4_072, 4_068),
          new Crossing("copyOut", "1000", "copy out, 1,000 B", 5_858, 5_742),
          new Crossing("copyIn", "10", "copy in, 10 B"),
          new Crossing("copyIn", "100", "copy in, 100 B"),
          new Crossing("copyIn", "1000", "copy in, 1,000 B"),
          new Crossing("pin", "", "pin an array of 1,000 B", 619, 0));

  Crossing(String method, String bytes, String title) {
    this(method, bytes, title, List.of());
  }

  private Crossing(String method, String bytes, String title, double jni, double marmot) {
    this(method, bytes, title, List.of(jni, marmot));
  }

  /** The table of the row. */
  private String source() {
    String table =
        switch (method) {
          case "callNone", "callOne", "callTwo" -> "2.3";
          case "read", "write" -> "2.4";
          case "copyOut", "copyIn", "pin" -> "2.5";
          default -> "2.2";
        };
    return "Javia, table " + table + ", 450 MHz Pentium II";
  }

  void addTheirs(Result.Builder result) {
    if (!theirs.isEmpty()) {
      result.theirs(source(), "JNI, JDK 1.2", theirs.get(0));
      result.theirs(source(), "Marmot", theirs.get(1));
    }
  }
}
