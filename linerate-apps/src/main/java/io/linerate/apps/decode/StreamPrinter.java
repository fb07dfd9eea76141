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
    void open(TcpStream stream, String ends, OpenLine line, TextBuffer out) {
      remark(stream, ends, line, out);
    }

    @Override
    void bytes(
        TcpStream stream,
        Direction direction,
        SlidingWindowBuffer window,
        OpenLine line,
        TextBuffer out) {
      line.add(stream.number(), direction, window, out);
    }

    @Override
    void remark(TcpStream stream, String remark, OpenLine line, TextBuffer out) {
      line.end(out);
      out.decimal(stream.number()).add(" [").add(remark).add("]\n");
    }
  },
  /** Sixteen bytes in a line. */
  HEX {
    @Override
    void open(TcpStream stream, String ends, OpenLine line, TextBuffer out) {
      ASCII.open(stream, ends, line, out);
    }

    @Override
    void bytes(
        TcpStream stream,
        Direction direction,
        SlidingWindowBuffer window,
        OpenLine line,
        TextBuffer out) {
      for (int at = 0; at < window.length(); at += HexLines.BYTES) {
        out.decimal(stream.number()).add(direction == Direction.TO_SERVER ? " > " : " < ");
        HexLines.add(out.hex(window.start() + at, 8).add(' '), window, at);
        out.add('\n');
      }
    }

    @Override
    void remark(TcpStream stream, String remark, OpenLine line, TextBuffer out) {
      ASCII.remark(stream, remark, line, out);
    }
  },
  /** The bytes. */
  RAW {
    @Override
    void open(TcpStream stream, String ends, OpenLine line, TextBuffer out) {}

    @Override
    void bytes(
        TcpStream stream,
        Direction direction,
        SlidingWindowBuffer window,
        OpenLine line,
        TextBuffer out) {
      for (int i = 0; i < window.length(); i++) {
        out.addByte(window.u8(i));
      }
    }

    @Override
    void remark(TcpStream stream, String remark, OpenLine line, TextBuffer out) {}
  },
  /** An object a line. */
  JSON {
    @Override
    void open(TcpStream stream, String ends, OpenLine line, TextBuffer out) {
      begin(stream, out).add("\"open\":\"").add(ends).add("\"}\n");
    }

    @Override
    void bytes(
        TcpStream stream,
        Direction direction,
        SlidingWindowBuffer window,
        OpenLine line,
        TextBuffer out) {
      begin(stream, out).add("\"to\":\"");
      out.add(direction == Direction.TO_SERVER ? "server" : "client");
      out.add("\",\"position\":").decimal(window.start()).add(",\"bytes\":\"");
      for (int i = 0; i < window.length(); i++) {
        out.hex(window.u8(i), 2);
      }
      out.add("\"}\n");
    }

    @Override
    void remark(TcpStream stream, String remark, OpenLine line, TextBuffer out) {
      begin(stream, out).add("\"remark\":\"").add(remark).add("\"}\n");
    }

    private static TextBuffer begin(TcpStream stream, TextBuffer out) {
      return out.add("{\"stream\":").decimal(stream.number()).add(',');
    }
  };

  /**
   * A stream begins.
   *
   * @param line that was printed last, of all streams that are printed
   */
  abstract void open(TcpStream stream, String ends, OpenLine line, TextBuffer out);

  /** Bytes of a stream. */
  abstract void bytes(
      TcpStream stream,
      Direction direction,
      SlidingWindowBuffer window,
      OpenLine line,
      TextBuffer out);

  /** Something else about it. */
  abstract void remark(TcpStream stream, String remark, OpenLine line, TextBuffer out);
}
