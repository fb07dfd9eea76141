package io.linerate.bench;

import java.util.List;

/**
 * A benchmark whose question is answered for good. Its code is no longer built: {@code
 * linerate-bench/archive} has the answer, and runs it from the project's history.
 *
 * @param name the word on the command line
 * @param summary what it measures, in half a line
 */
record Archived(String name, String summary) {
  static final String COMMAND = "linerate-bench/archive/run";

  /** The script has the same names. */
  static final List<Archived> ALL =
      List.of(
          new Archived("access", "a native struct read, changed and written back by Java"),
          new Archived("language", "packets of five random numbers: C, Java, and half and half"),
          new Archived("crossing", "the way from Java to native code and back: JNI, FFM"),
          new Archived(
              "calls", "system calls for each packet, and what they cost in rate and waiting"));

  /** What to say to somebody who wants to run it. */
  String refusal() {
    return "benchmark is archived: name=" + name + "; run " + COMMAND + " " + name;
  }
}
