package io.linerate.apps.decode;

import io.linerate.core.memory.SlidingWindowBuffer;
import io.linerate.decode.reassembly.Direction;
import io.linerate.decode.text.HexLines;
import io.linerate.decode.text.TextBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The line of text that was printed last, as long as its end was not: what its stream says next in
 * the same direction continues it, whatever segments that comes in.
 */
final class OpenLine {
  private long stream;

  /** Null: no line is open. */
  private @Nullable Direction direction;

  /** A carriage return that was not printed: a line feed may follow, and then it is none. */
  private boolean hasReturn;

  /** Prints bytes: what can be printed, and dots for all else. */
  void add(long newStream, Direction newDirection, SlidingWindowBuffer window, TextBuffer out) {
    if (stream != newStream || direction != newDirection) {
      end(out);
    }
    for (int i = 0; i < window.length(); i++) {
      if (direction == null) {
        begin(newStream, newDirection, out);
      }
      int value = window.u8(i);
      if (value == '\n') {
        hasReturn = false;
        end(out);
      } else {
        add(value, out);
      }
    }
  }

  private void begin(long newStream, Direction newDirection, TextBuffer out) {
    stream = newStream;
    direction = newDirection;
    out.decimal(newStream).add(newDirection == Direction.TO_SERVER ? " > " : " < ");
  }

  private void add(int value, TextBuffer out) {
    if (hasReturn) {
      out.add('.');
    }
    hasReturn = value == '\r';
    if (!hasReturn) {
      out.add(HexLines.isPrintable(value) || value == '\t' ? (char) value : '.');
    }
  }

  /** Something else is printed next. */
  void end(TextBuffer out) {
    if (direction != null) {
      out.add(hasReturn ? ".\n" : "\n");
      direction = null;
      hasReturn = false;
    }
  }
}
