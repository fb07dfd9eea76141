package io.linerate.wire.name;

import io.linerate.core.memory.ByteView;

/**
 * The host that a request of HTTP/1 is for, RFC 9112 section 3.2: in the header field Host, in a
 * target that is a whole URI, or in that of CONNECT.
 *
 * <p>A request is read when its head is there, up to the empty line. Where several places say a
 * host, all have to say the same. Lines that are continued (section 5.2), a CR alone, and what no
 * name of a host has, are malformed: servers read them differently.
 */
public final class HttpHost implements NameReader {
  private static final int MOST_METHOD_BYTES = 64;

  /** Section 2.2: servers pass over empty lines. */
  private static final int MOST_LEADING_BYTES = 16;

  private static final String TOKEN_SIGNS = "!#$%&'*+-.^_`|~";

  private final DomainName name = new DomainName();
  private final DomainName other = new DomainName();
  private int progress;

  // Of the request that is read.
  private ByteView bytes = new PacketBytes();
  private int limit;
  private int targetStart;
  private int targetEnd;
  private boolean isNamed;

  @Override
  public NameSearch read(ByteView newBytes, int from) {
    bytes = newBytes;
    limit = Math.min(newBytes.length(), MOST_BYTES);
    progress = 0;
    isNamed = false;
    int start = 0;
    while (start < limit && isLineEnd(bytes.u8(start))) {
      start++;
    }
    if (start > MOST_LEADING_BYTES) {
      return NameSearch.MALFORMED;
    }
    int method = start;
    while (method < limit && method - start <= MOST_METHOD_BYTES && isToken(bytes.u8(method))) {
      method++;
    }
    if (method == limit && method - start <= MOST_METHOD_BYTES) {
      return NameSearch.NEEDS_MORE;
    }
    if (method == start || method == limit || !isBlank(bytes.u8(method))) {
      return NameSearch.NONE;
    }
    return readLine(start, method, from);
  }

  private static boolean isLineEnd(int value) {
    return value == '\r' || value == '\n';
  }

  private static boolean isBlank(int value) {
    return value == ' ' || value == '\t';
  }

  private static boolean isToken(int value) {
    int letter = value | 0x20;
    return (letter >= 'a' && letter <= 'z')
        || (value >= '0' && value <= '9')
        || TOKEN_SIGNS.indexOf(value) >= 0;
  }

  /**
   * The request line, which shows whether it is HTTP.
   *
   * @param from twice how many bytes have no end of a head, and one more if the line is known
   */
  private NameSearch readLine(int start, int method, int from) {
    int known = from >>> 1;
    boolean isLineKnown = (from & 1) != 0;
    int behind = Math.max(method, known - 3);
    if (!isLineKnown) {
      behind = find('\n', Math.max(method, known));
      if (behind < 0) {
        progress = limit << 1;
        return NameSearch.NEEDS_MORE;
      }
      readWords(method, behind);
      if (!hasVersion(behind)) {
        // HTTP/0.9 has no head: a proxy may answer this line.
        return isWholeUri() ? readTarget(false) : NameSearch.NONE;
      }
    }
    int end = headEnd(behind);
    if (end < 0) {
      progress = limit << 1 | 1;
      return NameSearch.NEEDS_MORE;
    }
    return readHead(start, method, end);
  }

  private void readWords(int method, int lineEnd) {
    targetStart = skipBlanks(method, lineEnd);
    targetEnd = word(targetStart, lineEnd);
  }

  private NameSearch readHead(int start, int method, int end) {
    int lineEnd = find('\n', method);
    readWords(method, lineEnd);
    boolean isConnect = method - start == 7 && is(start, "connect");
    if ((isConnect || isWholeUri()) && readTarget(isConnect) == NameSearch.MALFORMED) {
      return NameSearch.MALFORMED;
    }
    return isLoneCr(start, lineEnd) ? NameSearch.MALFORMED : readFields(lineEnd + 1, end);
  }

  private int find(int value, int from) {
    for (int i = from; i < limit; i++) {
      if (bytes.u8(i) == value) {
        return i;
      }
    }
    return -1;
  }

  private int skipBlanks(int from, int end) {
    int at = from;
    while (at < end && isBlank(bytes.u8(at))) {
      at++;
    }
    return at;
  }

  private int word(int from, int end) {
    int at = from;
    while (at < end && !isBlank(bytes.u8(at)) && !isLineEnd(bytes.u8(at))) {
      at++;
    }
    return at;
  }

  /** Whether the last word of the line is a version of HTTP. */
  private boolean hasVersion(int lineEnd) {
    int end = lineEnd;
    while (end > targetEnd && (isBlank(bytes.u8(end - 1)) || isLineEnd(bytes.u8(end - 1)))) {
      end--;
    }
    int start = end;
    while (start > targetEnd && !isBlank(bytes.u8(start - 1))) {
      start--;
    }
    return start > targetEnd && end - start >= 5 && is(start, "http/");
  }

  /** Whether these bytes are there, in either case. */
  private boolean is(int at, String lowerCase) {
    if (at + lowerCase.length() > limit) {
      return false;
    }
    for (int i = 0; i < lowerCase.length(); i++) {
      int value = bytes.u8(at + i);
      if ((value >= 'A' && value <= 'Z' ? value | 0x20 : value) != lowerCase.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private boolean isWholeUri() {
    return is(targetStart, "http://") || is(targetStart, "https://");
  }

  /** The empty line: behind a line's end that is there. */
  private int headEnd(int from) {
    for (int i = from; i < limit - 1; i++) {
      if (bytes.u8(i) == '\n') {
        int next = bytes.u8(i + 1);
        if (next == '\n' || (next == '\r' && i + 2 < limit && bytes.u8(i + 2) == '\n')) {
          return i + 1;
        }
      }
    }
    return -1;
  }

  /** The host in the target; without a scheme before it, if it is only that. */
  private NameSearch readTarget(boolean isHostOnly) {
    int from = targetStart;
    if (!isHostOnly) {
      from += is(targetStart, "https") ? "https://".length() : "http://".length();
    }
    int to = from;
    int user = from;
    while (to < targetEnd && "/?#\\".indexOf(bytes.u8(to)) < 0) {
      if (bytes.u8(to++) == '@') {
        user = to;
      }
    }
    return readHost(user, to);
  }

  /** Takes a host, which may have a port behind it; all have to be the same. */
  private NameSearch readHost(int from, int to) {
    if (from == to) {
      return NameSearch.NONE;
    }
    other.clear();
    int end = to;
    int start = from;
    if (bytes.u8(from) == '[') {
      end = Math.max(from, lastOf(']', from, to));
      start = from + 1;
      if (end == from) {
        return NameSearch.MALFORMED;
      }
    } else {
      int port = lastOf(':', from, to);
      end = port < 0 ? to : port;
    }
    if (!isPort(end, to)) {
      return NameSearch.MALFORMED;
    }
    for (int i = start; i < end; i++) {
      boolean isColonOfName = bytes.u8(i) == ':' && start == from;
      if (isColonOfName || !other.add(bytes.u8(i))) {
        return NameSearch.MALFORMED;
      }
    }
    if (!other.finish() || (isNamed && !other.isSame(name))) {
      return NameSearch.MALFORMED;
    }
    name.copy(other);
    isNamed = true;
    return NameSearch.FOUND;
  }

  /** Whether behind a host, or the bracket that ends it, stands nothing or a port. */
  private boolean isPort(int from, int to) {
    int at = from < to && bytes.u8(from) == ']' ? from + 1 : from;
    if (at < to && bytes.u8(at) != ':') {
      return false;
    }
    for (int i = at + 1; i < to; i++) {
      if (bytes.u8(i) < '0' || bytes.u8(i) > '9') {
        return false;
      }
    }
    return true;
  }

  private int lastOf(int value, int from, int to) {
    int at = to - 1;
    while (at >= from && bytes.u8(at) != value) {
      at--;
    }
    return at < from ? -1 : at;
  }

  private NameSearch readFields(int start, int end) {
    int line = start;
    while (line < end) {
      int next = find('\n', line) + 1;
      if (isBlank(bytes.u8(line)) || isLoneCr(line, next - 1)) {
        return NameSearch.MALFORMED;
      }
      if (is(line, "host") && readField(line + 4, next - 1) == NameSearch.MALFORMED) {
        return NameSearch.MALFORMED;
      }
      line = next;
    }
    return isNamed ? NameSearch.FOUND : NameSearch.NONE;
  }

  /** Whether a CR stands elsewhere than before the line's end, or a NUL anywhere. */
  private boolean isLoneCr(int from, int lineEnd) {
    for (int i = from; i < lineEnd; i++) {
      int value = bytes.u8(i);
      if (value == 0 || (value == '\r' && i + 1 < lineEnd)) {
        return true;
      }
    }
    return false;
  }

  /** Behind the name of the field. */
  private NameSearch readField(int from, int lineEnd) {
    int colon = skipBlanks(from, lineEnd);
    if (colon == lineEnd || bytes.u8(colon) != ':') {
      return NameSearch.NONE;
    }
    int start = skipBlanks(colon + 1, lineEnd);
    int end = lineEnd;
    while (end > start && (isBlank(bytes.u8(end - 1)) || isLineEnd(bytes.u8(end - 1)))) {
      end--;
    }
    return readHost(start, end);
  }

  @Override
  public int progress() {
    return progress;
  }

  @Override
  public DomainName name() {
    return name;
  }
}
