package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Layer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The headers of HTTP messages; RFC 9110. */
final class HttpHeaders {
  /** What the headers tell of the body that it is in chunks. */
  static final long CHUNKED = -2;

  /** Which kind of message they are of. */
  enum Owner {
    REQUEST,
    RESPONSE,
    NOTIFICATION
  }

  private static final Fields HTTP = HttpProtocol.HTTP.source("RFC 9110, section 5");
  private static final Field REQUEST_LINE =
      HTTP.floating("http.request.line", 0, TEXT, "Header of the request");
  private static final Field RESPONSE_LINE =
      HTTP.floating("http.response.line", 0, TEXT, "Header of the response");
  private static final Field UNKNOWN =
      HTTP.floating("http.unknown_header", 0, TEXT, "Unknown header");
  private static final Field COOKIE =
      HTTP.source("RFC 6265, section 4.2").floating("http.cookie", 0, TEXT, "Cookie");
  private static final Field COOKIE_PAIR =
      HTTP.floating("http.cookie_pair", 0, TEXT, "Pair of the cookie");
  private static final Field HOST =
      HTTP.source("RFC 9110, section 7.2").floating("http.host", 0, TEXT, "Host");
  private static final Field LENGTH =
      HTTP.source("RFC 9110, section 8.6")
          .floating("http.content_length_header", 0, TEXT, "Content length");
  private static final Field LENGTH_NUMBER =
      HTTP.floating("http.content_length", 64, DECIMAL, "Content length");
  private static final Field ENCODING =
      HTTP.source("RFC 9112, section 6.1")
          .floating("http.transfer_encoding", 0, TEXT, "Transfer encoding");
  private static final Field AUTHORIZATION =
      HTTP.source("RFC 9110, section 11.6.2")
          .floating("http.authorization", 0, TEXT, "Authorization");
  private static final Field PROXY_AUTHORIZATION =
      HTTP.source("RFC 9110, section 11.7.2")
          .floating("http.proxy_authorization", 0, TEXT, "Proxy authorization");
  private static final Field CREDENTIALS =
      HTTP.source("RFC 7617, section 2").floating("http.authbasic", 0, TEXT, "Credentials");

  private static final TextTable<Field> FIELDS = table();

  private static final String HTTP_SCHEME = "http://";
  private static final String BASIC = "Basic ";

  private HttpHeaders() {}

  /** Has the fields declared, with those of the protocol. */
  static void declare() {}

  private static TextTable<Field> table() {
    Map<String, Field> all = new HashMap<>();
    all.put("cookie", COOKIE);
    all.put("host", HOST);
    all.put("content-length", LENGTH);
    all.put("transfer-encoding", ENCODING);
    all.put("authorization", AUTHORIZATION);
    all.put("proxy-authorization", PROXY_AUTHORIZATION);
    put(all, "RFC 9110, section 11.7.1", "proxy-authenticate", "Proxy authentication");
    put(all, "RFC 9110, section 11.6.1", "www-authenticate", "Authentication");
    put(all, "RFC 9110, section 8.3", "content-type", "Content type");
    put(all, "RFC 9110, section 8.4", "content-encoding", "Content encoding");
    put(all, "RFC 9110, section 7.8", "upgrade", "Upgrade");
    put(all, "RFC 9110, section 10.1.5", "user-agent", "User agent");
    put(all, "RFC 9110, section 7.6.1", "connection", "Connection");
    put(all, "RFC 9110, section 12.5.1", "accept", "Accepted types");
    put(all, "RFC 9110, section 10.1.3", "referer", "Referrer");
    put(all, "RFC 9110, section 12.5.4", "accept-language", "Accepted languages");
    put(all, "RFC 9110, section 12.5.3", "accept-encoding", "Accepted encodings");
    put(all, "RFC 9110, section 6.6.1", "date", "Date");
    put(all, "RFC 9111, section 5.2", "cache-control", "Cache control");
    put(all, "RFC 9110, section 10.2.4", "server", "Server");
    put(all, "RFC 9110, section 10.2.2", "location", "Location");
    put(all, "RFC 9110, section 8.8.2", "last-modified", "Last modified");
    put(all, "RFC 6265, section 4.1", "set-cookie", "Cookie to set");
    put(all, "RFC 6455, section 11.3.3", "sec-websocket-accept", "WebSocket accept");
    put(all, "RFC 6455, section 11.3.2", "sec-websocket-extensions", "WebSocket extensions");
    put(all, "RFC 6455, section 11.3.1", "sec-websocket-key", "WebSocket key");
    put(all, "RFC 6455, section 11.3.4", "sec-websocket-protocol", "WebSocket protocol");
    put(all, "RFC 6455, section 11.3.5", "sec-websocket-version", "WebSocket version");
    put(all, "no document", "x-forwarded-for", "Forwarded for");
    put(all, "RFC 7540, section 3.2.1", "http2-settings", "HTTP/2 settings");
    return new TextTable<>(all);
  }

  private static void put(Map<String, Field> all, String section, String name, String label) {
    String fieldName = "http." + name.replace('-', '_');
    all.put(name, HTTP.source(section).floating(fieldName, 0, TEXT, label));
  }

  /**
   * Says what the headers are, from the cursor to the line that ends them.
   *
   * @return {@link #CHUNKED} if the body is in chunks
   */
  static long dissect(Dissection dissection, Owner owner) {
    long body = 0;
    boolean isOpen = true;
    while (isOpen && dissection.left() > 0) {
      int bytes = TextLine.bytes(dissection);
      int end = TextLine.contentBytes(dissection, bytes);
      if (end > 0) {
        Field field = header(dissection, owner, bytes, end);
        body = ENCODING.equals(field) && isChunked(dissection, end) ? CHUNKED : body;
      }
      dissection.skip(bytes);
      isOpen = end > 0;
    }
    Layer outer = dissection.outer();
    if (isOpen && outer != null && outer.is(SsdpProtocol.SSDP)) {
      boolean _ = dissection.expectsMore(); // An empty line: no other datagram has it.
    }
    return body;
  }

  private static boolean isChunked(Dissection dissection, int end) {
    int colon = TextLine.find(dissection, ':', 0, end);
    int from = TextLine.afterSpace(dissection, colon + 1, end);
    return end - from >= 7 && (dissection.u8(from) | 0x20) == 'c';
  }

  private static @Nullable Field header(Dissection dissection, Owner owner, int bytes, int end) {
    int colon = TextLine.find(dissection, ':', 0, end);
    Field field = FIELDS.find(dissection, 0, TextLine.beforeSpace(dissection, 0, colon));
    if (field != null) {
      int from = TextLine.afterSpace(dissection, Math.min(colon + 1, end), end);
      value(dissection, field, from, TextLine.beforeSpace(dissection, from, end));
    }
    switch (owner) {
      case REQUEST -> dissection.bytes(REQUEST_LINE, 0, bytes);
      case RESPONSE -> dissection.bytes(RESPONSE_LINE, 0, bytes);
      case NOTIFICATION -> {
        if (field == null) {
          dissection.bytes(UNKNOWN, 0, bytes);
        }
      }
    }
    return field;
  }

  private static void value(Dissection dissection, Field field, int from, int end) {
    dissection.bytes(field, from, end - from);
    if (field.equals(COOKIE)) {
      TextLine.parts(dissection, COOKIE_PAIR, ';', from, end);
    } else if (field.equals(LENGTH)) {
      long number = TextLine.number(dissection, from, end);
      if (number >= 0) {
        dissection.value(LENGTH_NUMBER, number, from, end - from);
      }
    } else if (field.equals(AUTHORIZATION) || field.equals(PROXY_AUTHORIZATION)) {
      credentials(dissection, from, end);
    }
  }

  private static void credentials(Dissection dissection, int from, int end) {
    int start = from + BASIC.length();
    if (start <= end && TextBytes.matches(dissection, from, BASIC.length(), BASIC)) {
      StringBuilder text = dissection.text();
      if (TextBytes.base64(dissection, start, end, text)) {
        dissection.text(CREDENTIALS, text, start, end - start);
      }
    }
  }

  /**
   * Says what the target of a request is with its host; the cursor is behind the headers, and
   * stays.
   *
   * @param start offset of the line of the request
   */
  static void target(Dissection dissection, int start) {
    int back = dissection.offset();
    StringBuilder text = dissection.text();
    dissection.offset(start);
    int bytes = TextLine.bytes(dissection);
    int end = TextLine.contentBytes(dissection, bytes);
    int uri = Math.min(TextLine.find(dissection, ' ', 0, end) + 1, end);
    int uriEnd = TextLine.find(dissection, ' ', uri, end);
    TextBytes.addEscaped(text, dissection, uri, uriEnd - uri);
    dissection.skip(bytes);
    boolean hasHost = host(dissection, back, text);
    dissection.offset(back);
    if (hasHost) {
      dissection.text(HttpProtocol.FULL_URI, text, 0, 0);
    }
  }

  /**
   * Puts scheme and host before a target; that of the method CONNECT, or with a scheme, has them.
   */
  private static boolean host(Dissection dissection, int end, StringBuilder text) {
    while (dissection.offset() < end) {
      int bytes = TextLine.bytes(dissection);
      int content = TextLine.contentBytes(dissection, bytes);
      int colon = TextLine.find(dissection, ':', 0, content);
      if (HOST.equals(FIELDS.find(dissection, 0, colon)) && colon < content) {
        boolean isPath = text.isEmpty() || text.charAt(0) == '/' || text.charAt(0) == '*';
        if (isPath) {
          int from = TextLine.afterSpace(dissection, colon + 1, content);
          int before = text.length();
          text.append(HTTP_SCHEME);
          TextBytes.addEscaped(text, dissection, from, content - from);
          rotate(text, before);
        }
        return true;
      }
      dissection.skip(bytes);
    }
    return false;
  }

  /** Moves what comes first in a text behind the rest. */
  private static void rotate(StringBuilder text, int count) {
    for (int i = 0; i < count; i++) {
      text.append(text.charAt(i));
    }
    text.delete(0, count);
  }
}
