package io.linerate.dashboard.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.linerate.core.config.ConfigException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Serves the files of the page and a list of routes, on virtual threads. Whatever a client does, it
 * costs a bounded number of them, of connections and of bytes.
 */
public final class WebServer implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(WebServer.class.getName());
  private static final int MAX_CONNECTIONS = 1_024;

  /**
   * A connection on which nothing comes ends after that: between requests, and before the first.
   */
  private static final int MAX_IDLE_S = 5;

  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none';"
          + " form-action 'none'; frame-ancestors 'none'";

  private final HttpServer server;
  private final boolean isTls;
  private final HttpAddress address;
  private final AccessToken token;
  private final Admission admission;
  private final RequestCounts counts;
  private final ClientThreads threads;
  private final List<Route> routes;
  private final AnswerBudget budget;
  private final StaticFiles files = new StaticFiles();
  private final Runnable onChange;
  private final RateLimit logged = new RateLimit(1, System::nanoTime);

  private WebServer(
      HttpServer server,
      HttpAddress address,
      AccessToken token,
      RequestCounts counts,
      List<Route> routes,
      Runnable onChange,
      ServerLimits limits) {
    this.server = server;
    this.counts = counts;
    this.token = token;
    this.routes = List.copyOf(routes);
    this.onChange = onChange;
    isTls = server instanceof HttpsServer;
    this.address = new HttpAddress(address.host(), server.getAddress().getPort());
    admission = new Admission(address, token, isTls, limits);
    threads = new ClientThreads(limits, counts);
    budget = new AnswerBudget(limits.answersBytes());
  }

  /**
   * Listens and answers.
   *
   * @param tls keys of the server; null: no encryption
   * @param onChange is called when a client has changed something, before it is told that it is
   *     done
   * @throws ConfigException if the address cannot be had
   */
  public static WebServer start(
      HttpAddress address,
      @Nullable SSLContext tls,
      AccessToken token,
      RequestCounts counts,
      List<Route> routes,
      Runnable onChange) {
    return start(address, tls, token, counts, routes, onChange, ServerLimits.usual());
  }

  static WebServer start(
      HttpAddress address,
      @Nullable SSLContext tls,
      AccessToken token,
      RequestCounts counts,
      List<Route> routes,
      Runnable onChange,
      ServerLimits limits) {
    limitConnections();
    try {
      HttpServer server = listen(address, tls);
      WebServer web = new WebServer(server, address, token, counts, routes, onChange, limits);
      server.createContext("/", web::handle);
      server.setExecutor(web.threads);
      server.start();
      return web;
    } catch (IOException e) {
      throw new ConfigException(
          "cannot listen: address=%s, reason=%s; use another port, or 0 for any"
              .formatted(address, e.getMessage()));
    }
  }

  private static HttpServer listen(HttpAddress address, @Nullable SSLContext tls)
      throws IOException {
    try {
      return listen(address.resolve(), tls);
    } catch (BindException e) {
      if (!address.isWish()) {
        throw e;
      }
      LOG.log(Level.INFO, "port is taken: address=" + address + "; the page gets another one");
      return listen(new HttpAddress(address.host(), 0).resolve(), tls);
    }
  }

  private static HttpServer listen(InetSocketAddress address, @Nullable SSLContext tls)
      throws IOException {
    if (tls == null) {
      return HttpServer.create(address, MAX_CONNECTIONS);
    }
    HttpsServer https = HttpsServer.create(address, MAX_CONNECTIONS);
    https.setHttpsConfigurator(new HttpsConfigurator(tls));
    return https;
  }

  /** The JDK's server reads its limits once, from properties of the virtual machine. */
  private static void limitConnections() {
    Map.of(
            "jdk.httpserver.maxConnections",
            MAX_CONNECTIONS,
            "sun.net.httpserver.maxReqHeaders",
            64,
            "sun.net.httpserver.maxReqHeaderSize",
            32 * 1024,
            "sun.net.httpserver.idleInterval",
            MAX_IDLE_S,
            "sun.net.httpserver.clockTick",
            1_000)
        .forEach((key, value) -> {
          if (System.getProperty(key) == null) {
            System.setProperty(key, value.toString());
          }
        });
  }

  /** Where it listens: the port is the one that it got. */
  public HttpAddress address() {
    return address;
  }

  /** Its address as a browser wants it. */
  public String url() {
    return (isTls ? "https://" : "http://") + address + "/";
  }

  /** The same with the token, in the part that no browser sends: the page takes it from there. */
  public String urlWithToken() {
    return url() + "#token=" + token.reveal();
  }

  /** Memory of the answers that clients have not read yet. */
  public long heldBytes() {
    return budget.heldBytes();
  }

  /** Cuts off clients that are too slow. Now and then, on a thread that waits for nobody. */
  public void enforceDeadlines() {
    threads.enforceDeadlines();
  }

  private void handle(HttpExchange exchange) {
    Deadline deadline = threads.current();
    deadline.arrived();
    counts.addRequest();
    try {
      addHeaders(exchange.getResponseHeaders());
      answer(exchange, deadline);
    } catch (IOException e) {
      // The client has gone, or was cut off.
    } finally {
      deadline.slice(); // What the client did not send of its request may be waited for.
      exchange.close();
    }
  }

  private void answer(HttpExchange exchange, Deadline deadline) throws IOException {
    try {
      Client client = new Client(deadline, budget, admission.admit(exchange));
      threads.admit(deadline, client.isOwner());
      route(exchange, client);
    } catch (Refusal e) {
      refuse(exchange, deadline, e.status(), String.valueOf(e.getMessage()));
    } catch (ConfigException e) {
      refuse(exchange, deadline, 400, String.valueOf(e.getMessage()));
    } catch (RuntimeException | StackOverflowError e) {
      log(exchange, e);
      refuse(exchange, deadline, 500, "the program could not do that; its log says why");
    } catch (OutOfMemoryError e) {
      log(exchange, e);
      refuse(exchange, deadline, 503, "the program has no memory for that now; ask again");
    }
  }

  private void refuse(HttpExchange exchange, Deadline deadline, int status, String sentence)
      throws IOException {
    counts.addRefused();
    if (exchange.getResponseCode() != -1) {
      return; // The answer is on its way: it ends here.
    }
    exchange.getResponseHeaders().set("Connection", "close");
    new Call(exchange, Map.of(), new Client(deadline, budget, false), WebServer::nothing)
        .json(status, JsonMembers.object(json -> json.name("error").value(sentence)));
  }

  private static void nothing() {}

  private void log(HttpExchange exchange, Throwable failure) {
    if (logged.take()) {
      LOG.log(Level.ERROR, "request failed: method=" + exchange.getRequestMethod(), failure);
    }
  }

  private void route(HttpExchange exchange, Client client) throws IOException {
    String path = exchange.getRequestURI().getRawPath();
    String method =
        exchange.getRequestMethod().equals("HEAD") ? "GET" : exchange.getRequestMethod();
    List<String> others = new ArrayList<>();
    for (Route route : routes) {
      Optional<Map<String, String>> variables = path == null ? Optional.empty() : route.match(path);
      if (variables.isPresent()) {
        if (route.method().equals(method)) {
          admission.admit(exchange, route, client.isOwner());
          if (!route.hasBody()) {
            client.deadline().none(); // The whole request is there.
          }
          Runnable beforeReply = route.isChange() ? onChange : WebServer::nothing;
          route.action().run(new Call(exchange, variables.get(), client, beforeReply));
          return;
        }
        others.add(route.method());
      }
    }
    if (method.equals("GET")
        && path != null
        && files.reply(path, new Call(exchange, Map.of(), client, WebServer::nothing))) {
      return;
    }
    if (!others.isEmpty()) {
      exchange.getResponseHeaders().set("Allow", String.join(", ", others));
      throw new Refusal(405, "not possible here; there is " + String.join(", ", others));
    }
    throw new Refusal(
        404, "no such address: path=" + path + "; /api/openapi.json lists what there is");
  }

  private static void addHeaders(Headers headers) {
    headers.set("Cache-Control", "no-store");
    headers.set("Content-Security-Policy", POLICY);
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("X-Frame-Options", "DENY");
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
