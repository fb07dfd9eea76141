package io.linerate.apps.decode;

import io.linerate.core.memory.SlidingWindowBuffer;
import io.linerate.decode.reassembly.Direction;
import io.linerate.decode.reassembly.TcpStream;
import io.linerate.decode.text.HexLines;
import io.linerate.decode.text.TextBuffer;

/** How pieces of streams are printed. */
enum StreamPrinter {
  /** What can be printed, line by line, and dots for all else. */
  ASCII {
    @Override
    void open(TcpStream stream, String ends, TextBuffer out) {
      heading(stream, ends, out);
    }

    @Override
    void bytes(TcpStream stream, Direction direction, SlidingWindowBuffer window, TextBuffer out) {
      boolean isStart = true;
      for (int i = 0; i < window.length(); i++) {
        if (isStart) {
          out.decimal(stream.number()).add(direction == Direction.TO_SERVER ? " > " : " < ");
        }
        int value = window.u8(i);
        isStart = value == '\n';
        if (isStart) {
          out.add('\n');
        } else if (value != '\r' || i + 1 == window.length() || window.u8(i + 1) != '\n') {
          out.add(isPrintable(value) ? (char) value : '.');
        }
      }
      out.add(isStart ? "" : "\n");
    }

    @Override
    void remark(TcpStream stream, String remark, TextBuffer out) {
      out.decimal(stream.number()).add(" [").add(remark).add("]\n");
    }
  },
  /** Sixteen bytes in a line. */
  HEX {
    @Override
    void open(TcpStream stream, String ends, TextBuffer out) {
      heading(stream, ends, out);
    }

    @Override
    void bytes(TcpStream stream, Direction direction, SlidingWindowBuffer window, TextBuffer out) {
      for (int at = 0; at < window.length(); at += HexLines.BYTES) {
        out.decimal(stream.number()).add(direction == Direction.TO_SERVER ? " > " : " < ");
        HexLines.add(out.hex(window.start() + at, 8).add(' '), window, at);
        out.add('\n');
      }
    }

    @Override
    void remark(TcpStream stream, String remark, TextBuffer out) {
      ASCII.remark(stream, remark, out);
    }
  },
  /** The bytes. */
  RAW {
    @Override
    void open(TcpStream stream, String ends, TextBuffer out) {}

    @Override
    void bytes(TcpStream stream, Direction direction, SlidingWindowBuffer window, TextBuffer out) {
      for (int i = 0; i < window.length(); i++) {
        out.addByte(window.u8(i));
      }
    }

    @Override
    void remark(TcpStream stream, String remark, TextBuffer out) {}
  },
  /** An object a line. */
  JSON {
    @Override
    void open(TcpStream stream, String ends, TextBuffer out) {
      begin(stream, out).add("\"open\":\"").add(ends).add("\"}\n");
    }

    @Override
    void bytes(TcpStream stream, Direction direction, SlidingWindowBuffer window, TextBuffer out) {
      begin(stream, out).add("\"to\":\"");
      out.add(direction == Direction.TO_SERVER ? "server" : "client");
      out.add("\",\"position\":").decimal(window.start()).add(",\"bytes\":\"");
      for (int i = 0; i < window.length(); i++) {
        out.hex(window.u8(i), 2);
      }
      out.add("\"}\n");
    }

    @Override
    void remark(TcpStream stream, String remark, TextBuffer out) {
      begin(stream, out).add("\"remark\":\"").add(remark).add("\"}\n");
    }

    private static TextBuffer begin(TcpStream stream, TextBuffer out) {
      return out.add("{\"stream\":").decimal(stream.number()).add(',');
    }
  };

  /** A stream begins. */
  abstract void open(TcpStream stream, String ends, TextBuffer out);

  /** Bytes of a stream. */
  abstract void bytes(
      TcpStream stream, Direction direction, SlidingWindowBuffer window, TextBuffer out);

  /** Something else about it. */
  abstract void remark(TcpStream stream, String remark, TextBuffer out);

  private static void heading(TcpStream stream, String ends, TextBuffer out) {
    out.decimal(stream.number()).add(" [").add(ends).add("]\n");
  }

  private static boolean isPrintable(int value) {
    return HexLines.isPrintable(value) || value == '\t';
  }
}
