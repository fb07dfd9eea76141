package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Layer;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * A message of HTTP/1. Its body belongs to it, unless nothing says what that is: then it is data
 * that it carries.
 */
public final class HttpProtocol implements Protocol {
  public static final Fields HTTP =
      Fields.of("http", "Hypertext Transfer Protocol", "RFC 9112, section 3");
  public static final Field METHOD = HTTP.floating("http.request.method", 0, TEXT, "Method");
  public static final Field URI = HTTP.floating("http.request.uri", 0, TEXT, "Target");
  public static final Field PATH = HTTP.floating("http.request.uri.path", 0, TEXT, "Path");
  public static final Field QUERY = HTTP.floating("http.request.uri.query", 0, TEXT, "Query");
  public static final Field QUERY_PARAMETER =
      HTTP.floating("http.request.uri.query.parameter", 0, TEXT, "Parameter");
  public static final Field REQUEST_VERSION =
      HTTP.floating("http.request.version", 0, TEXT, "Version");
  public static final Field FULL_URI =
      HTTP.floating("http.request.full_uri", 0, TEXT, "Target with the host");
  public static final Field RESPONSE_VERSION =
      HTTP.source("RFC 9112, section 4").floating("http.response.version", 0, TEXT, "Version");
  public static final Field CODE = HTTP.floating("http.response.code", 16, DECIMAL, "Status");
  public static final Field CODE_NAME =
      HTTP.floating("http.response.code.desc", 0, TEXT, "Status's name");
  public static final Field PHRASE = HTTP.floating("http.response.phrase", 0, TEXT, "Reason");
  public static final Field REQUEST = HTTP.floating("http.request", 1, FLAG, "Request");
  public static final Field RESPONSE = HTTP.floating("http.response", 1, FLAG, "Response");
  public static final Field NOTIFICATION =
      HTTP.floating("http.notification", 1, FLAG, "Notification");
  public static final Field BODY =
      HTTP.source("RFC 9112, section 6").floating("http.file_data", 0, TEXT, "Body");
  public static final Field CHUNK_SIZE =
      HTTP.source("RFC 9112, section 7.1").floating("http.chunk_size", 32, DECIMAL, "Chunk size");
  public static final Field CHUNK_DATA = HTTP.floating("http.chunk_data", 0, BYTES, "Chunk");
  public static final Field CHUNK_END =
      HTTP.floating("http.chunk_boundary", 0, BYTES, "Chunk's end");
  public static final Field TRAILER =
      HTTP.floating("http.chunked_trailer_part", 0, TEXT, "Trailer");

  private static final int[] PORTS = {
    80, 631, 1900, 2710, 2869, 3128, 3132, 3689, 5985, 8080, 8088, 11371
  };

  private static final int RESPONSE_START = ('H' << 24) | ('T' << 16) | ('T' << 8) | 'P';

  /** The methods, of each the first eight letters at most, as numbers. */
  private static final long[] METHODS =
      methods(
          "GET HEAD POST PUT DELETE CONNECT OPTIONS TRACE PATCH PROPFIND PROPPATCH MKCOL COPY MOVE"
              + " LOCK UNLOCK REPORT CHECKOUT CHECKIN UNCHECKOUT MKWORKSPACE UPDATE LABEL MERGE"
              + " BASELINE-CONTROL MKACTIVITY VERSION-CONTROL SEARCH NOTIFY SUBSCRIBE UNSUBSCRIBE"
              + " M-SEARCH POLL BCOPY BMOVE BDELETE BPROPFIND BPROPPATCH RPC_CONNECT RPC_IN_DATA"
              + " RPC_OUT_DATA CCM_POST");

  private static final long HEAD = start("HEAD");
  private static final long CONNECT = start("CONNECT");
  private static final long NOTIFY = start("NOTIFY");
  private static final long SUBSCRIBE = start("SUBSCRIB");
  private static final long UNSUBSCRIBE = start("UNSUBSCR");

  static {
    HttpHeaders.declare();
    HTTP.summary(
        "http.request.method",
        "http.request.uri",
        "http.request.version",
        "host=|http.host",
        "http.response.version",
        "http.response.code",
        "http.response.phrase",
        "type=|http.content_type");
  }

  private static long[] methods(String names) {
    return Arrays.stream(names.split(" ", -1)).mapToLong(HttpProtocol::start).sorted().toArray();
  }

  private static long start(String method) {
    long value = 0;
    for (byte letter : Arrays.copyOf(method.getBytes(StandardCharsets.US_ASCII), Long.BYTES)) {
      value = (value << Byte.SIZE) | letter;
    }
    return value;
  }

  @Override
  public Fields fields() {
    return HTTP;
  }

  @Override
  public List<DispatchKey> keys() {
    return Arrays.stream(PORTS).mapToObj(DispatchTable.TCP_PORT::key).toList();
  }

  private static boolean isMessage(Scan scan) {
    return scan.has(0, Integer.BYTES)
        && (scan.i32(0) == RESPONSE_START || Arrays.binarySearch(METHODS, method(scan)) >= 0);
  }

  /** The first eight letters of a word at most, as a number. */
  private static long method(Scan scan) {
    long value = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      int letter = scan.has(i, 1) ? scan.u8(i) : 0;
      boolean isEnd = letter <= ' ';
      if (isEnd) {
        return value << (Byte.SIZE * (Long.BYTES - i));
      }
      value = (value << Byte.SIZE) | letter;
    }
    return value;
  }

  @Override
  public void scan(Scan scan) {
    if (!isMessage(scan)) {
      continuation(scan);
      return;
    }
    long layout = HttpLayout.of(scan);
    int headerEnd = HttpLayout.headerEnd(layout);
    int end = HttpLayout.end(layout);
    if (HttpLayout.hasNoType(layout) && end >= scan.length() && end > headerEnd) {
      scan.header(headerEnd);
    } else {
      scan.message(end);
      scan.next(this);
    }
  }

  /** What follows a message in a segment, and is none, may be a part of it. */
  private static void continuation(Scan scan) {
    Layer outer = scan.outer();
    if (outer == null || !(outer.protocol() instanceof HttpProtocol)) {
      scan.refuse();
    } else {
      scan.header(0);
    }
  }

  @Override
  public int messageBytes(Scan scan) {
    if (!isMessage(scan)) {
      return scan.length() < Long.BYTES ? 0 : UNKNOWN;
    }
    long layout = HttpLayout.of(scan);
    if (HttpLayout.isPartial(layout)) {
      return 0;
    }
    int end = HttpLayout.end(layout);
    return end == Integer.MAX_VALUE ? UNKNOWN : end;
  }

  @Override
  public int exchange(Scan scan) {
    if (!isMessage(scan)) {
      return 0;
    }
    if (scan.i32(0) == RESPONSE_START) {
      return HttpLayout.isInterim(scan) ? 0 : ANSWER;
    }
    long method = method(scan);
    return method == HEAD
        ? HttpLayout.HEAD
        : method == CONNECT ? HttpLayout.CONNECT : HttpLayout.OTHER;
  }

  @Override
  public void dissect(Dissection dissection) {
    if (dissection.left() == 0) {
      dissection.payload(BODY);
      return;
    }
    boolean isResponse = dissection.has(4) && (int) dissection.u32(0) == RESPONSE_START;
    long method = isResponse ? 0 : method(dissection);
    boolean isNotification = method == NOTIFY || method == SUBSCRIBE || method == UNSUBSCRIBE;
    int start = dissection.offset();
    if (isResponse) {
      statusLine(dissection);
    } else {
      requestLine(dissection);
    }
    long headers =
        HttpHeaders.dissect(
            dissection,
            isResponse
                ? HttpHeaders.Owner.RESPONSE
                : isNotification ? HttpHeaders.Owner.NOTIFICATION : HttpHeaders.Owner.REQUEST);
    if (!isResponse) {
      HttpHeaders.target(dissection, start);
    }
    dissection.value(isResponse ? RESPONSE : isNotification ? NOTIFICATION : REQUEST, 1, 0, 0);
    body(dissection, headers);
  }

  private static long method(Dissection dissection) {
    long value = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      int letter = dissection.has(i + 1) ? dissection.u8(i) : 0;
      if (letter <= ' ') {
        return value << (Byte.SIZE * (Long.BYTES - i));
      }
      value = (value << Byte.SIZE) | letter;
    }
    return value;
  }

  private static void requestLine(Dissection dissection) {
    int bytes = TextLine.bytes(dissection);
    int end = TextLine.contentBytes(dissection, bytes);
    int methodEnd = TextLine.find(dissection, ' ', 0, end);
    int uri = Math.min(methodEnd + 1, end);
    int uriEnd = TextLine.find(dissection, ' ', uri, end);
    int version = Math.min(uriEnd + 1, end);
    dissection.bytes(METHOD, 0, methodEnd);
    dissection.bytes(URI, uri, uriEnd - uri);
    int query = TextLine.find(dissection, '?', uri, uriEnd);
    if (query < uriEnd) {
      dissection.bytes(PATH, uri, query - uri);
      dissection.bytes(QUERY, query + 1, uriEnd - query - 1);
      TextLine.parts(dissection, QUERY_PARAMETER, '&', query + 1, uriEnd);
    }
    dissection.bytes(REQUEST_VERSION, version, end - version);
    dissection.skip(bytes);
  }

  private static void statusLine(Dissection dissection) {
    int bytes = TextLine.bytes(dissection);
    int end = TextLine.contentBytes(dissection, bytes);
    int versionEnd = TextLine.find(dissection, ' ', 0, end);
    dissection.bytes(RESPONSE_VERSION, 0, versionEnd);
    int at = Math.min(versionEnd + 1, end);
    int codeEnd = TextLine.find(dissection, ' ', at, end);
    long code = codeEnd - at == 3 ? TextLine.number(dissection, at, codeEnd) : -1;
    if (code >= 0) {
      dissection.value(CODE, code, at, 3);
      dissection.text(CODE_NAME, HttpStatus.name(dissection, (int) code), at, 3);
      if (codeEnd + 1 < end) {
        dissection.bytes(PHRASE, codeEnd + 1, end - codeEnd - 1);
      }
    }
    dissection.skip(bytes);
  }

  private static void body(Dissection dissection, long headers) {
    int left = dissection.left();
    Layer inner = dissection.inner();
    if (left == 0) {
      if (inner != null && inner.protocol() instanceof DataProtocol) {
        dissection.payload(BODY);
      }
    } else if (headers == HttpHeaders.CHUNKED) {
      HttpChunks.dissect(dissection);
    } else {
      dissection.add(BODY, left);
    }
  }
}
