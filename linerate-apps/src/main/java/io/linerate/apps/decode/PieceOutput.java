package io.linerate.apps.decode;

import io.linerate.core.memory.HeldPackets;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.decode.text.TextBuffer;
import io.linerate.program.run.Console;
import java.util.Locale;

/**
 * A long result, which goes out in pieces: large ones of a file, and of a port whenever something
 * has come. It ends the engine when nobody reads it any more.
 */
final class PieceOutput {
  private static final int PIECE_BYTES = 1 << 16;

  private final Console console;
  private final boolean isFile;
  private final TextBuffer text = new TextBuffer();

  PieceOutput(Console console, DecodeSource source) {
    this.console = console;
    isFile = source.isFile();
  }

  /** Where the next text goes. */
  TextBuffer text() {
    return text;
  }

  /** Writes if there is much. */
  void added(Engine engine) {
    if (text.length() >= PIECE_BYTES) {
      write(engine, false);
    }
  }

  /** Writes what a port has brought: nothing more may come for long. */
  void shown(Engine engine) {
    if (!isFile && text.length() > 0) {
      write(engine, true);
    }
  }

  private void write(Engine engine, boolean isFlushed) {
    if (!console.write(text::writeTo, isFlushed)) {
      engine.stop();
    }
    text.clear();
  }

  /** Writes the rest, says what a port has brought, and warns of what was not put together. */
  void finish(RunSummary summary) {
    boolean _ = console.write(text::writeTo, true);
    text.clear();
    if (!isFile) {
      long received = summary.packets().received();
      console.say(
          String.format(
              Locale.ROOT,
              "%,d %s received, %,d missed by the port",
              received,
              received == 1 ? "packet" : "packets",
              summary.ports().stream().mapToLong(port -> port.statistics().missed()).sum()));
    }
    long missed = summary.packets().dropped().getOrDefault(HeldPackets.FULL.name(), 0L);
    if (missed > 0) {
      console.warn(
          "there was no room for parts of messages, which are not whole: packets=%d; give it more with --set buffers=N"
              .formatted(missed));
    }
  }
}
