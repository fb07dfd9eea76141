package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.NONE;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Layer;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import java.util.List;

/** A message of the session initiation protocol; a description of a session follows it. */
public final class SipProtocol implements Protocol {
  public static final Fields SIP =
      Fields.of("sip", "Session Initiation Protocol", "RFC 3261, section 7.1");
  public static final Field REQUEST_LINE =
      SIP.floating("sip.Request-Line", 0, TEXT, "Request line");
  public static final Field METHOD = SIP.floating("sip.Method", 0, TEXT, "Method");
  public static final Field REQUEST_URI = SIP.floating("sip.r-uri", 0, TEXT, "Request's target");
  public static final Field STATUS_LINE =
      SIP.source("RFC 3261, section 7.2").floating("sip.Status-Line", 0, TEXT, "Status line");
  public static final Field STATUS = SIP.floating("sip.Status-Code", 32, DECIMAL, "Status");
  public static final Field HEADERS =
      SIP.source("RFC 3261, section 7.3").floating("sip.msg_hdr", 0, TEXT, "Headers");
  public static final Field BODY =
      SIP.source("RFC 3261, section 7.4").floating("sip.msg_body", 0, NONE, "Body");

  private static final SipUri TARGET = new SipUri("r-uri", "");
  private static final int RESPONSE_START = ('S' << 24) | ('I' << 16) | ('P' << 8) | '/';
  private static final String VERSION = "SIP/2.0";
  private static final String SDP_TYPE = "application/sdp";
  private static final int MOST_LINES = 1_024;
  private static final int MOST_METHOD_BYTES = 20;

  /** Ends of the header and of the message, and whether a description of a session follows. */
  private static final long SDP_FOLLOWS = 1L << 62;

  private static final long PARTIAL = 1L << 63;

  private final Protocol description = new SdpProtocol();

  static {
    SipHeaders.declare();
    SIP.summary(
        "sip.Request-Line",
        "sip.Status-Line",
        "from=|sip.from.addr",
        "to=|sip.to.addr",
        "call=|sip.Call-ID");
  }

  @Override
  public Fields fields() {
    return SIP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.UDP_PORT.key(5060), DispatchTable.TCP_PORT.key(5060));
  }

  private static boolean isMessage(Scan scan) {
    if (!scan.has(0, 8)) {
      return false;
    }
    if (scan.i32(0) == RESPONSE_START) {
      return isDigit(scan.u8(8)) && scan.has(8, 3) && isDigit(scan.u8(9)) && isDigit(scan.u8(10));
    }
    int method = scan.indexOf(' ', 0);
    if (method <= 0 || method > MOST_METHOD_BYTES) {
      return false;
    }
    int end = ScanLines.lineEnd(scan, 0);
    int version = end;
    while (version > 0 && scan.u8(version - 1) <= ' ') {
      version--;
    }
    version -= VERSION.length();
    return version > method && scan.i32(version) == RESPONSE_START;
  }

  private static boolean isDigit(int value) {
    return value >= '0' && value <= '9';
  }

  private static boolean isStream(Scan scan) {
    return scan.outer() != null && scan.outer().is(TcpProtocol.TCP);
  }

  @Override
  public void scan(Scan scan) {
    if (!isMessage(scan)) {
      scan.refuse();
      return;
    }
    boolean isStream = isStream(scan);
    long layout = layout(scan, isStream);
    int end = (int) layout;
    boolean isLast = end >= scan.length();
    if ((layout & SDP_FOLLOWS) != 0 && isLast) {
      scan.header((int) (layout >>> Integer.SIZE) & 0x3FFF_FFFF);
      scan.total(end);
      scan.next(description);
    } else if (isStream) {
      scan.message(end);
      scan.next(this);
    }
  }

  @Override
  public int messageBytes(Scan scan) {
    if (!isMessage(scan)) {
      return scan.indexOf('\n', 0) < 0 && scan.length() < 512 ? 0 : UNKNOWN;
    }
    long layout = layout(scan, true);
    return (layout & PARTIAL) != 0 ? 0 : (int) layout;
  }

  private static long layout(Scan scan, boolean isStream) {
    int at = ScanLines.lineEnd(scan, 0);
    long bodyBytes = -1;
    boolean isSdp = false;
    for (int i = 0; i < MOST_LINES && at < scan.length(); i++) {
      int end = ScanLines.lineEnd(scan, at);
      if (ScanLines.isBlank(scan, at)) {
        long bytes = bodyBytes < 0 ? (isStream ? 0 : scan.length() - end) : bodyBytes;
        long bodyEnd = Math.min(end + bytes, Integer.MAX_VALUE);
        return ((long) end << Integer.SIZE) | bodyEnd | (isSdp && bytes > 0 ? SDP_FOLLOWS : 0);
      }
      if (ScanLines.isNamed(scan, at, "content-length") || ScanLines.isNamed(scan, at, "l")) {
        bodyBytes = ScanLines.number(scan, scan.indexOf(':', at) + 1, end);
      } else if (ScanLines.isNamed(scan, at, "content-type") || ScanLines.isNamed(scan, at, "c")) {
        isSdp = isSdp(scan, scan.indexOf(':', at) + 1);
      }
      at = end;
    }
    return scan.length() | PARTIAL;
  }

  private static boolean isSdp(Scan scan, int from) {
    int at = from;
    while (scan.has(at, 1) && ScanLines.isSpace(scan.u8(at))) {
      at++;
    }
    if (!scan.has(at, SDP_TYPE.length())) {
      return false;
    }
    for (int i = 0; i < SDP_TYPE.length(); i++) {
      if ((scan.u8(at + i) | 0x20) != (SDP_TYPE.charAt(i) | 0x20)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void dissect(Dissection dissection) {
    int bytes = TextLine.bytes(dissection);
    int end = TextLine.contentBytes(dissection, bytes);
    int space = TextLine.find(dissection, ' ', 0, end);
    if (dissection.has(4) && (int) dissection.u32(0) == RESPONSE_START) {
      dissection.bytes(STATUS_LINE, 0, end);
      long code = TextLine.number(dissection, space + 1, Math.min(space + 4, end));
      if (code >= 0) {
        dissection.value(STATUS, code, space + 1, 3);
      }
    } else {
      dissection.bytes(REQUEST_LINE, 0, end);
      dissection.bytes(METHOD, 0, space);
      int uri = Math.min(space + 1, end);
      TARGET.uri(dissection, REQUEST_URI, uri, TextLine.find(dissection, ' ', uri, end));
    }
    dissection.skip(bytes);
    headers(dissection);
    int left = dissection.left();
    if (left > 0) {
      dissection.add(BODY, left);
    } else if (dissection.inner() != null && dissection.inner().protocol() instanceof SdpProtocol) {
      dissection.payload(BODY);
    }
  }

  private static void headers(Dissection dissection) {
    int bytes = 0;
    int line;
    boolean isBlank;
    do {
      int feed = dissection.indexOf('\n', bytes);
      line = (feed < 0 ? dissection.left() : feed + 1) - bytes;
      isBlank = isBlank(dissection, bytes, line);
      bytes += line;
    } while (!isBlank && bytes < dissection.left());
    int blank = isBlank ? line : 0;
    dissection.bytes(HEADERS, 0, bytes);
    int before = dissection.enter(bytes - blank);
    while (dissection.left() > 0) {
      SipHeaders.dissect(dissection);
    }
    dissection.leave(before);
    dissection.skip(blank);
    if (blank == 0 && !isStream(dissection)) {
      boolean _ = dissection.expectsMore();
    }
  }

  private static boolean isBlank(Dissection dissection, int from, int line) {
    return (line == 1 && dissection.u8(from) == '\n')
        || (line == 2 && dissection.u8(from) == '\r' && dissection.u8(from + 1) == '\n');
  }

  private static boolean isStream(Dissection dissection) {
    Layer outer = dissection.outer();
    return outer == null || outer.is(TcpProtocol.TCP) || outer.is(SIP);
  }
}
