package io.linerate.bench.fabric;

import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Session;
import io.linerate.bench.suite.SkipException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/** The tables of Javia on crossing between Java and C (1999), with what Java has for it today. */
final class CrossingCases {
  private static final String PLAIN = "plain";
  private static final String CRITICAL = "critical";
  private static final String COPIED = "copied";
  private static final String PINNED = "pinned";
  private static final String SEGMENT = "segment";
  private static final String ARRAY = "heap array";
  private static final String MARMOT = "Marmot";
  private static final String JNI = "JNI, JDK 1.2";

  private final String library;
  private final List<LoopCase> cases = new ArrayList<>();

  private CrossingCases(String library) {
    this.library = library;
  }

  /** None where the library is missing, with the reason. */
  static List<LoopCase> all(Session session) {
    try {
      CrossingCases all = new CrossingCases(session.twin("crossing.so").toString());
      all.downcalls();
      all.insideOneCall();
      all.arrays();
      return all.cases;
    } catch (SkipException e) {
      session.skip(Part.CROSSING.title(), e.reason());
      return List.of();
    }
  }

  private List<String> variant(String name, int bytes) {
    return List.of(CrossingLoop.class.getName(), library, name, String.valueOf(bytes));
  }

  private static List<Result.Theirs> theirs(String table, double marmotNs, double jniNs) {
    String source = "Javia, table " + table + ", 450 MHz";
    return List.of(
        new Result.Theirs(source, MARMOT, marmotNs), new Result.Theirs(source, JNI, jniNs));
  }

  private void add(
      String title,
      int bytes,
      List<Result.Theirs> theirs,
      SequencedMap<String, String> variants,
      boolean areAlike) {
    SequencedMap<String, List<String>> programs = new LinkedHashMap<>();
    variants.forEach((name, variant) -> programs.put(name, variant(variant, bytes)));
    List<String> alike = areAlike ? List.copyOf(programs.sequencedKeySet()) : List.of();
    cases.add(new LoopCase(Part.CROSSING.title() + " " + title, programs, alike, theirs));
  }

  private static SequencedMap<String, String> variants(String... namesAndVariants) {
    SequencedMap<String, String> variants = new LinkedHashMap<>();
    for (int i = 0; i < namesAndVariants.length; i += 2) {
      variants.put(namesAndVariants[i], namesAndVariants[i + 1]);
    }
    return variants;
  }

  private void downcall(String title, String variant, List<Result.Theirs> theirs) {
    add(
        "downcall, " + title,
        1,
        theirs,
        variants(PLAIN, variant, CRITICAL, variant + "-critical"),
        true);
  }

  private void downcalls() {
    downcall("nothing", "none", theirs("2.2", 250, 118));
    downcall("one int", "one", theirs("2.2", 252, 126));
    downcall("two ints", "two", theirs("2.2", 254, 407));
    downcall("an address as long", "long", List.of());
    downcall("a segment", SEGMENT, theirs("2.2", 256, 132));
  }

  /** A thousand times within a call: per time. */
  private void insideOneCall() {
    add("upcall, one int", 1, theirs("2.3", 280, 2_667), variants(PLAIN, "call"), false);
    add(
        "C reads an int",
        1,
        theirs("2.4", 12, 1_215),
        variants(SEGMENT, "read", ARRAY, "read-heap"),
        true);
    add(
        "C writes an int",
        1,
        theirs("2.4", 18, 1_272),
        variants(SEGMENT, "write", ARRAY, "write-heap"),
        true);
  }

  private void arrays() {
    add(
        "C looks at an array of 1,000 B",
        1_000,
        theirs("2.5", 0, 619),
        variants(PINNED, "look-pinned", COPIED, "look-copied"),
        true);
    array(10, theirs("2.5", 3_649, 3_883));
    array(100, theirs("2.5", 4_068, 4_072));
    array(1_000, theirs("2.5", 5_742, 5_858));
  }

  private void array(int bytes, List<Result.Theirs> theirs) {
    add(
        "C takes an array of %,d B".formatted(bytes),
        bytes,
        theirs,
        variants(
            PINNED,
            "take-pinned",
            COPIED,
            "take-copied",
            COPIED + " " + CRITICAL,
            "take-copied-critical"),
        true);
  }
}
