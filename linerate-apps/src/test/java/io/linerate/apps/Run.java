package io.linerate.apps;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.linerate.program.run.Console;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * A run of the command in this process.
 *
 * @param status exit status
 */
record Run(int status, String out, String err) {
  static Run of(Object... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Console console =
        new Console(
            "linerate",
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    String[] texts = new String[arguments.length];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = arguments[i].toString();
    }
    int status = new Main(console).run(texts);
    return new Run(
        status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  JsonObject json() {
    return JsonParser.parseString(out).getAsJsonObject();
  }

  /** A member of {@code dropped}; 0 when it is not there. */
  long dropped(String reason) {
    JsonObject dropped = json().getAsJsonObject("dropped");
    return dropped.has(reason) ? dropped.get(reason).getAsLong() : 0;
  }

  long number(String member) {
    return json().get(member).getAsLong();
  }
}
