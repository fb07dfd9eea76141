package io.linerate.dashboard.http;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.MalformedJsonException;
import com.sun.net.httpserver.HttpExchange;
import io.linerate.core.config.NumberText;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringReader;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** A request, and its answer. On the thread that serves it. */
public final class Call {
  static final int MAX_BODY_BYTES = 64 * 1024;
  static final String JSON = "application/json";

  private static final int NO_BODY = -1;

  /** From then on an answer that many get is compressed, and not sent to who has it. */
  private static final int LARGE_BYTES = 1_024;

  private static final int NOT_MODIFIED = 304;

  private final HttpExchange exchange;
  private final Map<String, String> variables;
  private final Client client;
  private final Runnable beforeReply;

  /**
   * @param beforeReply what is to be done when the work is done, and before anybody hears of it
   */
  Call(HttpExchange exchange, Map<String, String> variables, Client client, Runnable beforeReply) {
    this.exchange = exchange;
    this.variables = variables;
    this.client = client;
    this.beforeReply = beforeReply;
  }

  /** Whether who asks has shown the token. */
  public boolean isOwner() {
    return client.isOwner();
  }

  /** What stands in the path at {@code {name}} of its route. */
  public String variable(String name) {
    String value = variables.get(name);
    if (value == null) {
      throw new IllegalArgumentException("route has no such variable: name=" + name);
    }
    return value;
  }

  /** A part of the address after the question mark. */
  public Optional<String> query(String name) {
    String query = exchange.getRequestURI().getRawQuery();
    if (query == null) {
      return Optional.empty();
    }
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0 && pair.substring(0, equals).equals(name)) {
        return Optional.of(decode(pair.substring(equals + 1)));
      }
    }
    return Optional.empty();
  }

  static String decode(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new Refusal(400, "bad percent sign in the address; write %25 for one");
    }
  }

  /**
   * The number that a part of the address after the question mark gives.
   *
   * @param missing the answer without it
   */
  public long number(String name, long min, long max, long missing) {
    return query(name).map(text -> number(name, text, min, max)).orElse(missing);
  }

  /** The number that a text is. */
  public static long number(String name, String text, long min, long max) {
    return NumberText.read(text, min, max)
        .orElseThrow(() ->
            new Refusal(
                400, "wrong value: %s=%s; %d to %d is allowed".formatted(name, text, min, max)));
  }

  /** A part of the address after the question mark that must be there. */
  public String required(String name) {
    return query(name).orElseThrow(() -> new Refusal(400, "parameter is missing: name=" + name));
  }

  /** The number that it gives. */
  public long requiredNumber(String name, long min, long max) {
    return number(name, required(name), min, max);
  }

  /**
   * The members of the object that the request carries.
   *
   * @param known names that may be there
   * @throws Refusal if it is too long, no JSON object, or has others
   */
  public Members members(String... known) throws IOException {
    return new Members(body(), known);
  }

  /**
   * What the request carries.
   *
   * @throws Refusal if it is too long or no JSON object
   */
  private JsonObject body() throws IOException {
    byte[] bytes;
    try (InputStream in = exchange.getRequestBody()) {
      bytes = in.readNBytes(MAX_BODY_BYTES + 1);
    }
    client.deadline().none();
    if (bytes.length > MAX_BODY_BYTES) {
      throw new Refusal(413, "request is too long: most=" + MAX_BODY_BYTES + " bytes");
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      JsonReader reader = new JsonReader(new StringReader(text));
      reader.setStrictness(Strictness.STRICT);
      JsonElement element = JsonParser.parseReader(reader);
      if (element.isJsonObject() && reader.peek() == JsonToken.END_DOCUMENT) {
        return element.getAsJsonObject();
      }
    } catch (JsonParseException | MalformedJsonException | CharacterCodingException e) {
      // Said below: what the parser says shows its insides.
    }
    throw new Refusal(400, "request is no JSON object; send one, such as {}");
  }

  /** Answers with a JSON value. */
  public void json(JsonMembers members) throws IOException {
    json(200, client.budget().make(members::toBytes, client.isOwner()));
  }

  /** Answers with a JSON object of these members. */
  public void object(JsonMembers members) throws IOException {
    json(200, client.budget().make(() -> JsonMembers.object(members), client.isOwner()));
  }

  /** Answers with JSON that others are answered with as well. */
  public void json(SharedAnswer answer) throws IOException {
    json(answer.get());
  }

  /** The same with their bytes. */
  public void json(Body body) throws IOException {
    reply(200, JSON, body);
  }

  /** Answers with JSON that was written before. */
  public void json(int status, byte[] json) throws IOException {
    reply(status, JSON, json);
  }

  /** Answers that it is done: there is nothing more to say. */
  public void done() throws IOException {
    json(200, "{}".getBytes(StandardCharsets.UTF_8));
  }

  /** Adds a header to the answer. */
  public void header(String name, String value) {
    exchange.getResponseHeaders().set(name, value);
  }

  /** Answers with these bytes. */
  public void reply(int status, String contentType, byte[] body) throws IOException {
    send(status, contentType, new Body(body));
  }

  /**
   * Answers with bytes that others may be sent as well.
   *
   * @throws Refusal if too much waits to be read already
   */
  public void reply(int status, String contentType, Body body) throws IOException {
    if (status != 200 || body.length() < LARGE_BYTES) {
      send(status, contentType, body);
      return;
    }
    header("ETag", body.tag());
    header("Vary", "Accept-Encoding");
    if (asked("If-None-Match").contains(body.tag())) {
      exchange.sendResponseHeaders(NOT_MODIFIED, NO_BODY);
    } else if (AcceptedEncoding.hasGzip(asked("Accept-Encoding"))) {
      replyCompressed(status, contentType, body);
    } else {
      send(status, contentType, body);
    }
  }

  /** Both are in memory until it is read. */
  private void replyCompressed(int status, String contentType, Body body) throws IOException {
    hold(body);
    try {
      Body compressed =
          body.isCompressed()
              ? body.compressed()
              : client.budget().make(body::compressed, client.isOwner());
      header("Content-Encoding", "gzip");
      send(status, contentType, compressed);
    } finally {
      client.budget().release(body);
    }
  }

  private void hold(Body body) {
    if (!client.budget().hold(body, client.isOwner())) {
      throw new Refusal(503, "too much waits to be read; ask again, and read faster");
    }
  }

  /** A header of the request; "" without it. */
  private String asked(String header) {
    String value = exchange.getRequestHeaders().getFirst(header);
    return value == null ? "" : value;
  }

  private void send(int status, String contentType, Body body) throws IOException {
    beforeReply.run();
    hold(body);
    try {
      begin(status, contentType, body.length());
      if (!isHead() && body.length() > 0) {
        try (OutputStream out = exchange.getResponseBody()) {
          client.send(out, body.bytes, body.length());
        }
      }
    } finally {
      client.budget().release(body);
    }
  }

  /**
   * Answers with what a file holds. It is never in memory as a whole.
   *
   * @param lengthBytes how much of it is sent
   */
  public void copy(String contentType, InputStream in, long lengthBytes) throws IOException {
    beforeReply.run();
    begin(200, contentType, lengthBytes);
    if (isHead() || lengthBytes == 0) {
      return;
    }
    byte[] slice = new byte[Client.SLICE_BYTES];
    try (OutputStream out = exchange.getResponseBody()) {
      long left = lengthBytes;
      while (left > 0) {
        int read = in.read(slice, 0, (int) Math.min(slice.length, left));
        if (read < 0) {
          throw new IOException("file is shorter than it was: missingBytes=" + left);
        }
        client.send(out, slice, read);
        left -= read;
      }
    }
  }

  private boolean isHead() {
    return exchange.getRequestMethod().equals("HEAD");
  }

  private void begin(int status, String contentType, long lengthBytes) throws IOException {
    client.deadline().slice();
    header("Content-Type", contentType);
    boolean isEmpty = isHead() || lengthBytes == 0;
    exchange.sendResponseHeaders(status, isEmpty ? NO_BODY : lengthBytes);
  }

  /** Answers with what is written to the stream, of any length. */
  OutputStream stream(String contentType) throws IOException {
    client.deadline().slice();
    header("Content-Type", contentType);
    exchange.sendResponseHeaders(200, 0);
    return exchange.getResponseBody();
  }

  Client client() {
    return client;
  }
}
