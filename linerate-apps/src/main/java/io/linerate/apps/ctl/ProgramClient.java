package io.linerate.apps.ctl;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.linerate.core.config.ConfigException;
import io.linerate.program.run.CommandException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Speaks with the dashboard of a running program. */
final class ProgramClient {
  /** Of an answer: the largest is a capture of a tap. */
  private static final long MOST_BYTES = 256L << 20;

  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  /** HTTP 400: the request is wrong; from there on it is refused for another reason. */
  private static final int WRONG = 400;

  private static final int NOT_FOUND = 404;

  /** How a dashboard begins to say that it has nothing at an address. */
  private static final String NO_ADDRESS = "no such address";

  private final URI uri;
  private final String token;
  private final Optional<Long> pid;
  private final String need;
  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

  /**
   * @param pid number of its process, if it is known
   * @param need what a program lacks that does not know what it is asked
   */
  ProgramClient(String url, String token, Optional<Long> pid, String need) {
    uri = page(url);
    this.token = token;
    this.pid = pid;
    this.need = need;
  }

  /**
   * The address of a program's page, with no more than the page.
   *
   * @throws ConfigException if it is none
   */
  static URI page(String url) {
    try {
      URI uri = new URI(url);
      boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      if (isHttp && uri.getHost() != null) {
        return uri.resolve("/");
      }
    } catch (URISyntaxException e) {
      // Said below.
    }
    throw new ConfigException(
        "not the address of a page: url=%s; write http://HOST:PORT/ or https://HOST:PORT/"
            .formatted(url));
  }

  /**
   * Asks, and returns what is answered.
   *
   * @param body null: none
   * @throws ConfigException if the program says that what is asked is wrong
   * @throws CommandException if it cannot be reached, or cannot do that
   */
  JsonElement ask(String method, String path, @Nullable JsonObject body) {
    byte[] answer = bytes(method, path, body == null ? "" : body.toString());
    try {
      return JsonParser.parseString(new String(answer, StandardCharsets.UTF_8));
    } catch (JsonParseException e) {
      throw isNoAnswer(e);
    }
  }

  /** That what was answered is not what a program of Linerate answers. */
  CommandException isNoAnswer(RuntimeException why) {
    CommandException said =
        new CommandException(
            "program does not answer as it should: url="
                + uri
                + "; see that it is one of Linerate");
    said.initCause(why);
    return said;
  }

  /** The same for an answer that is no JSON. */
  byte[] bytes(String method, String path, String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri.resolve(path))
            .timeout(TIMEOUT)
            .header("Authorization", "Bearer " + token)
            .method(method, BodyPublishers.ofString(body));
    if (!body.isEmpty()) {
      request.header("Content-Type", "application/json");
    }
    try {
      HttpResponse<byte[]> response =
          client.send(
              request.build(), BodyHandlers.limiting(BodyHandlers.ofByteArray(), MOST_BYTES));
      if (response.statusCode() == WRONG) {
        throw new ConfigException(error(response));
      }
      if (response.statusCode() == NOT_FOUND && error(response).startsWith(NO_ADDRESS)) {
        throw new CommandException(
            "program has no %s: url=%s; linerate ctl state shows what it has".formatted(need, uri));
      }
      if (response.statusCode() >= WRONG) {
        throw new CommandException(error(response));
      }
      return response.body();
    } catch (IOException e) {
      throw new CommandException(
          "program cannot be reached: url=%s, reason=%s; %s".formatted(uri, reason(e), remedy(e)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException(
          "interrupted while waiting for the program: url=" + uri + "; ask again");
    }
  }

  /** In words: the client's exceptions have none for what happens most. */
  private static String reason(IOException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnresolvedAddressException) {
        return "no address is known of the host";
      }
    }
    return switch (e) {
      case HttpTimeoutException _ -> "no answer for some seconds";
      case ConnectException _ -> "nobody listens there";
      default -> e.getMessage() == null ? "the connection ended" : e.getMessage();
    };
  }

  private String remedy(IOException e) {
    boolean isUnconnected =
        e instanceof ConnectException || e instanceof HttpConnectTimeoutException;
    return isUnconnected && pid.isPresent() && mayBeElsewhere(pid.get())
        ? "it lives, perhaps in another network namespace: ask by ip netns exec NAME linerate ctl"
        : "see that it runs";
  }

  /** Whether a process lives, and not surely in this network namespace. */
  private static boolean mayBeElsewhere(long pid) {
    return ProcessHandle.of(pid).isPresent()
        && !namespace("self").equals(namespace(String.valueOf(pid)));
  }

  /** Where a process has its network; its own name if nobody may know. */
  private static String namespace(String process) {
    try {
      return Files.readSymbolicLink(Path.of("/proc", process, "ns", "net")).toString();
    } catch (IOException e) {
      return process;
    }
  }

  private static String error(HttpResponse<byte[]> response) {
    try {
      return JsonParser.parseString(new String(response.body(), StandardCharsets.UTF_8))
          .getAsJsonObject()
          .get("error")
          .getAsString();
    } catch (RuntimeException e) {
      return "program refused: status=" + response.statusCode();
    }
  }
}
