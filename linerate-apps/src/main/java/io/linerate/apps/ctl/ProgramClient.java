package io.linerate.apps.ctl;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.linerate.core.config.ConfigException;
import io.linerate.core.port.PortException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Speaks with the dashboard of a running program. */
final class ProgramClient {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final int REFUSED = 400;

  private final URI uri;
  private final String token;
  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

  ProgramClient(String url, String token) {
    uri = page(url);
    this.token = token;
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
   * @throws ConfigException if the program refuses
   * @throws PortException if it cannot be reached
   */
  JsonElement ask(String method, String path, @Nullable JsonObject body) {
    byte[] answer = bytes(method, path, body == null ? "" : body.toString());
    try {
      return JsonParser.parseString(new String(answer, StandardCharsets.UTF_8));
    } catch (JsonParseException e) {
      throw new PortException("program does not answer as it should: url=" + uri, e);
    }
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
      HttpResponse<byte[]> response = client.send(request.build(), BodyHandlers.ofByteArray());
      if (response.statusCode() >= REFUSED) {
        throw new ConfigException(error(response));
      }
      return response.body();
    } catch (IOException e) {
      throw new PortException(
          "program cannot be reached: url=%s, reason=%s; see that it runs".formatted(uri, e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PortException("interrupted while waiting for the program: url=" + uri, e);
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
