package io.linerate.decode.protocol;

import io.linerate.decode.Dissection;
import java.util.HashMap;
import java.util.Map;

/** Names of the status codes of HTTP. */
final class HttpStatus {
  private static final String[] ALL = {
    "100 Continue",
    "101 Switching Protocols",
    "102 Processing",
    "103 Early Hints",
    "199 Informational - Others",
    "200 OK",
    "201 Created",
    "202 Accepted",
    "203 Non-authoritative Information",
    "204 No Content",
    "205 Reset Content",
    "206 Partial Content",
    "207 Multi-Status",
    "208 Already Reported",
    "226 IM Used",
    "299 Success - Others",
    "300 Multiple Choices",
    "301 Moved Permanently",
    "302 Found",
    "303 See Other",
    "304 Not Modified",
    "305 Use Proxy",
    "307 Temporary Redirect",
    "308 Permanent Redirect",
    "399 Redirection - Others",
    "400 Bad Request",
    "401 Unauthorized",
    "402 Payment Required",
    "403 Forbidden",
    "404 Not Found",
    "405 Method Not Allowed",
    "406 Not Acceptable",
    "407 Proxy Authentication Required",
    "408 Request Time-out",
    "409 Conflict",
    "410 Gone",
    "411 Length Required",
    "412 Precondition Failed",
    "413 Request Entity Too Large",
    "414 Request-URI Too Long",
    "415 Unsupported Media Type",
    "416 Requested Range Not Satisfiable",
    "417 Expectation Failed",
    "418 I'm a teapot",
    "421 Misdirected Request",
    "422 Unprocessable Entity",
    "423 Locked",
    "424 Failed Dependency",
    "425 Too Early",
    "426 Upgrade Required",
    "428 Precondition Required",
    "429 Too Many Requests",
    "431 Request Header Fields Too Large",
    "451 Unavailable For Legal Reasons",
    "499 Client Error - Others",
    "500 Internal Server Error",
    "501 Not Implemented",
    "502 Bad Gateway",
    "503 Service Unavailable",
    "504 Gateway Time-out",
    "505 HTTP Version not supported",
    "506 Variant Also Negotiates",
    "507 Insufficient Storage",
    "508 Loop Detected",
    "510 Not Extended",
    "511 Network Authentication Required",
    "599 Server Error - Others",
  };

  private static final NumberedTable<String> TABLE = table();

  private HttpStatus() {}

  private static NumberedTable<String> table() {
    Map<Integer, String> names = new HashMap<>();
    for (String line : ALL) {
      names.put(Integer.parseInt(line, 0, 3, 10), line.substring(4));
    }
    return new NumberedTable<>(names);
  }

  /** What a code is called. */
  static CharSequence name(Dissection dissection, int code) {
    String name = TABLE.find(code);
    return name != null ? name : dissection.text().append("Unknown (").append(code).append(')');
  }
}
