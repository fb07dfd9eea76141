package io.linerate.dashboard.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a request is let in.
 *
 * <ul>
 *   <li>More requests than the machine should spend time on are turned away; those of others never
 *       take the place of the token's owner.
 *   <li>The name by which the server was reached is an address or one of its own names: a foreign
 *       page cannot pretend to be of the same origin by letting its name point here (DNS
 *       rebinding).
 *   <li>A request that a page of another origin made is refused.
 *   <li>A change needs the token, which no browser adds by itself, and JSON, which a form of a
 *       foreign page cannot send.
 * </ul>
 */
final class Admission {
  private static final long CHANGES_PER_S = 200;
  private static final String BEARER = "Bearer ";

  /** An address, not a name; whether it is a good one does not matter here. */
  private static final Pattern LITERAL =
      Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}|\\[[0-9a-f:.]+]");

  private final Set<String> names = new HashSet<>();
  private final AccessToken token;
  private final String scheme;
  private final RequestLimits requests;
  private final RateLimit changes = new RateLimit(CHANGES_PER_S, System::nanoTime);

  Admission(HttpAddress address, AccessToken token, boolean isTls, ServerLimits limits) {
    this.token = token;
    requests = new RequestLimits(limits.othersPerS(), System::nanoTime);
    scheme = isTls ? "https" : "http";
    names.add("localhost");
    names.add(address.host().toLowerCase(Locale.ROOT));
    try {
      names.add(InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT));
    } catch (UnknownHostException e) {
      // Then it has no name that anybody could use.
    }
  }

  /**
   * What holds for every request.
   *
   * @return whether it shows the token
   */
  boolean admit(HttpExchange exchange) {
    String host = single(exchange.getRequestHeaders(), "Host");
    if (host == null || !isOwn(host)) {
      throw new Refusal(
          421, "not a name of this server; use its address or the name that it was given");
    }
    String origin = single(exchange.getRequestHeaders(), "Origin");
    if (origin != null && !origin.equalsIgnoreCase(scheme + "://" + host)) {
      throw new Refusal(403, "request of a page of another origin; use the page of this server");
    }
    String site = single(exchange.getRequestHeaders(), "Sec-Fetch-Site");
    if (("cross-site".equals(site) || "same-site".equals(site)) && !isLink(exchange)) {
      throw new Refusal(403, "request of a page of another site; use the page of this server");
    }
    // Last: what is refused by its headers takes nothing from those who may ask.
    boolean isOwner = isOwner(exchange);
    if (isOwner
        ? !requests.letOwner()
        : !requests.letOther(exchange.getRemoteAddress().getAddress())) {
      throw new Refusal(429, "too many requests; ask less often");
    }
    return isOwner;
  }

  private boolean isOwner(HttpExchange exchange) {
    String authorization = single(exchange.getRequestHeaders(), "Authorization");
    return authorization != null
        && authorization.startsWith(BEARER)
        && token.matches(authorization.substring(BEARER.length()).strip());
  }

  /** Whether it could be a link to the page, which any page may have. */
  private static boolean isLink(HttpExchange exchange) {
    String path = exchange.getRequestURI().getPath();
    return exchange.getRequestMethod().equals("GET")
        && !path.startsWith("/api/")
        && !path.equals("/metrics");
  }

  /** What holds for a route as well. */
  void admit(HttpExchange exchange, Route route, boolean isOwner) {
    if (route.access() == Route.Access.TOKEN && !isOwner) {
      throw tokenRefusal(exchange);
    }
    if (!route.isChange()) {
      return;
    }
    if (!changes.take()) {
      throw new Refusal(429, "too many changes; ask less often");
    }
    requireJson(exchange, route);
  }

  private static Refusal tokenRefusal(HttpExchange exchange) {
    String authorization = single(exchange.getRequestHeaders(), "Authorization");
    if (authorization == null || !authorization.startsWith(BEARER)) {
      exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
      return new Refusal(401, "token is missing; send Authorization: Bearer TOKEN");
    }
    return new Refusal(403, "wrong token; use the one that the program showed when it started");
  }

  private static void requireJson(HttpExchange exchange, Route route) {
    Headers headers = exchange.getRequestHeaders();
    String length = single(headers, "Content-Length");
    boolean hasBody =
        headers.containsKey("Transfer-Encoding") || !"0".equals(length == null ? "0" : length);
    if (length != null && isLong(length)) {
      throw new Refusal(413, "request is too long: most=" + Call.MAX_BODY_BYTES + " bytes");
    }
    if (!hasBody && route.method().equals("DELETE")) {
      return;
    }
    String type = single(headers, "Content-Type");
    String essence = type == null ? "" : type.split(";", 2)[0].strip();
    if (!essence.equalsIgnoreCase(Call.JSON)) {
      throw new Refusal(415, "not JSON: send Content-Type: " + Call.JSON);
    }
  }

  private static boolean isLong(String length) {
    return length.length() > 9 || Long.parseLong(length) > Call.MAX_BODY_BYTES;
  }

  private boolean isOwn(String host) {
    try {
      String name = new URI("//" + host).parseServerAuthority().getHost();
      if (name == null) {
        return false;
      }
      String lower = name.toLowerCase(Locale.ROOT);
      return names.contains(lower) || LITERAL.matcher(lower).matches();
    } catch (URISyntaxException e) {
      return false;
    }
  }

  /** The value of a header; null without it. */
  private static @Nullable String single(Headers headers, String name) {
    List<String> values = headers.get(name);
    if (values == null || values.isEmpty()) {
      return null;
    }
    if (values.size() > 1) {
      throw new Refusal(400, "header stands twice: name=" + name);
    }
    return values.getFirst();
  }
}
