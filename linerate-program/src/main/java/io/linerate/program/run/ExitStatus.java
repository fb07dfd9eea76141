package io.linerate.program.run;

import java.util.LinkedHashMap;
import java.util.Map;

/** How a process ends: the same for all commands and programs. */
public final class ExitStatus {
  public static final int DONE = 0;

  /** It began, and a port, a worker, a handler or the output failed. */
  public static final int FAILED = 1;

  /** What was asked for is wrong: options, arguments, configuration. */
  public static final int WRONG_USAGE = 2;

  private ExitStatus() {}

  /** What each of them means, for help. */
  static Map<String, String> meanings() {
    Map<String, String> meanings = new LinkedHashMap<>();
    meanings.put(String.valueOf(DONE), "done");
    meanings.put(String.valueOf(FAILED), "failed");
    meanings.put(String.valueOf(WRONG_USAGE), "wrong options or configuration");
    return meanings;
  }
}
