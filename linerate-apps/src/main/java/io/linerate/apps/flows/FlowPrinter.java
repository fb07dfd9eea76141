package io.linerate.apps.flows;

import io.linerate.program.run.Console;
import io.linerate.track.flow.FlowRecord;
import io.linerate.track.flow.FlowSink;
import java.nio.charset.StandardCharsets;

/** Prints flows as they end. */
final class FlowPrinter implements FlowSink {
  /** What is printed goes out in pieces of so many characters. */
  private static final int PIECE = 1 << 16;

  private final FlowForm form;
  private final Console console;
  private final Runnable onNoReader;
  private final StringBuilder text = new StringBuilder();

  /**
   * @param onNoReader nobody reads what is printed any more
   */
  FlowPrinter(FlowForm form, Console console, Runnable onNoReader) {
    this.form = form;
    this.console = console;
    this.onNoReader = onNoReader;
  }

  @Override
  public void onFlow(FlowRecord flow) {
    form.append(flow, text);
    if (text.length() >= PIECE) {
      flush();
    }
  }

  @Override
  public void flush() {
    if (text.isEmpty()) {
      return;
    }
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    text.setLength(0);
    if (!console.write(out -> out.write(bytes), true)) {
      onNoReader.run();
    }
  }

  @Override
  public void close() {
    flush();
  }
}
