package io.linerate.apps.top;

import io.linerate.program.run.CommandException;
import java.io.IOError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jline.keymap.BindingReader;
import org.jline.keymap.KeyMap;
import org.jline.terminal.Attributes;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.AttributedString;
import org.jline.utils.Display;
import org.jline.utils.InfoCmp.Capability;
import org.jline.utils.NonBlockingReader;
import org.jline.utils.ShutdownHooks;
import org.jspecify.annotations.Nullable;

/**
 * The terminal, drawn on as a whole, which gives single keys. Closing gives it back as it was, and
 * nothing else does: whoever has it open sees to it that a signal leads there.
 */
final class Screen implements AutoCloseable {
  private static final Size USUAL = Size.of(80, 24);

  private final Terminal terminal;
  private final Attributes before;
  private final Display display;
  private final BindingReader keys;
  private final KeyMap<Key> meanings;
  private Size size = Size.of(0, 0);
  private boolean isClosed;

  private Screen(Terminal terminal) {
    this.terminal = terminal;
    before = terminal.enterRawMode();
    // Ctrl-C is a key like others, so that the terminal is given back in one way only.
    Attributes raw = new Attributes(terminal.getAttributes());
    raw.setLocalFlag(Attributes.LocalFlag.ISIG, false);
    terminal.setAttributes(raw);
    terminal.puts(Capability.enter_ca_mode);
    terminal.puts(Capability.keypad_xmit);
    terminal.puts(Capability.cursor_invisible);
    display = new Display(terminal, true);
    keys = new BindingReader(terminal.reader());
    meanings = KeyBindings.of(terminal);
  }

  /**
   * Takes the terminal of this process.
   *
   * @throws CommandException if there is none, or one that cannot be drawn on
   */
  static Screen open() {
    // The library's own hook would close the terminal while it is drawn on.
    System.setProperty(ShutdownHooks.PROP_DISABLE_SHUTDOWN_HOOK, "true");
    Terminal terminal;
    try {
      terminal =
          TerminalBuilder.builder()
              .system(true)
              .systemOutput(TerminalBuilder.SystemOutput.SysOut)
              .dumb(false)
              .nativeSignals(false)
              .build();
    } catch (IOException | IllegalStateException e) {
      throw new CommandException(
          "no terminal to draw on: standard input or output is none; use linerate stats --interval"
              + " 1s");
    }
    if (terminal.getType().startsWith(Terminal.TYPE_DUMB)) {
      close(terminal);
      throw new CommandException(
          "terminal cannot be drawn on: TERM=%s; set TERM, or use linerate stats --interval 1s"
              .formatted(terminal.getType()));
    }
    return new Screen(terminal);
  }

  /** What bars are drawn with here. */
  Glyphs glyphs() {
    return StandardCharsets.UTF_8.equals(terminal.outputEncoding()) ? Glyphs.UNICODE : Glyphs.ASCII;
  }

  /** Columns and rows, as they are now. */
  Size size() {
    Size now = terminal.getSize();
    return now.getColumns() <= 0 || now.getRows() <= 0 ? USUAL : now;
  }

  /** Whether it has another size than when it was drawn on. */
  boolean isResized() {
    return !size().equals(size);
  }

  /** Shows these lines, of which there are as many as rows at most. */
  void draw(List<AttributedString> lines, Size on) {
    if (!on.equals(size)) {
      size = Size.of(on);
      display.resize(size);
      display.clear();
    }
    display.update(lines, 0);
    terminal.flush();
  }

  /**
   * The next key.
   *
   * @return null if there is none for so long
   */
  @Nullable Key key(long timeoutMs) {
    try {
      return switch (keys.peekCharacter(timeoutMs)) {
        case NonBlockingReader.READ_EXPIRED -> null;
        case NonBlockingReader.EOF -> Key.QUIT;
        default -> {
          Key key = keys.readBinding(meanings);
          yield key == null ? Key.QUIT : key;
        }
      };
    } catch (IOError e) {
      return Key.QUIT; // The terminal has gone.
    }
  }

  @Override
  public void close() {
    leave();
  }

  /** Gives the terminal back. */
  void leave() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    display.clear();
    terminal.puts(Capability.cursor_visible);
    terminal.puts(Capability.keypad_local);
    terminal.puts(Capability.exit_ca_mode);
    terminal.flush();
    terminal.setAttributes(before);
    close(terminal);
  }

  private static void close(Terminal terminal) {
    try {
      terminal.close();
    } catch (IOException e) {
      // It has gone, then.
    }
  }
}
