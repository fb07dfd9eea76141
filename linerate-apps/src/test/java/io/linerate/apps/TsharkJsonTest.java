package io.linerate.apps;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The shape of {@code tshark -T json --no-duplicate-keys}. */
class TsharkJsonTest {
  private static final Path CAPTURES =
      Path.of("../linerate-decode/src/test/resources/io/linerate/decode/captures");
  private static final Path MIXED = Path.of("../examples/captures/mixed.pcapng");

  @Test
  void shouldPrintJsonWithEachNameOnceInAnObject() throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(CAPTURES)) {
      files = all.filter(file -> file.toString().endsWith(".pcap")).sorted().toList();
    }
    assertThat(files).isNotEmpty();
    for (Path file : files) {
      read(file);
    }
    read(MIXED);
  }

  private static void read(Path file) throws IOException {
    Run run = Run.of("decode", file, "--tshark-json");
    assertThat(run.status()).as(run.err()).isZero();
    try (JsonReader reader = new JsonReader(new StringReader(run.out()))) {
      reader.setStrictness(Strictness.STRICT);
      value(reader);
      assertThat(reader.peek()).as("%s", file).isEqualTo(JsonToken.END_DOCUMENT);
    }
  }

  private static void value(JsonReader reader) throws IOException {
    switch (reader.peek()) {
      case BEGIN_OBJECT -> object(reader);
      case BEGIN_ARRAY -> {
        reader.beginArray();
        while (reader.hasNext()) {
          value(reader);
        }
        reader.endArray();
      }
      case NULL -> reader.nextNull();
      default -> assertThat(reader.nextString()).isNotNull();
    }
  }

  private static void object(JsonReader reader) throws IOException {
    Set<String> names = new HashSet<>();
    reader.beginObject();
    while (reader.hasNext()) {
      assertThat(names.add(reader.nextName())).as("%s: a name is there again", reader).isTrue();
      value(reader);
    }
    reader.endObject();
  }

  @Test
  void shouldPutWhatRepeatsIntoArrays() {
    JsonObject dns = layers(packets(CAPTURES.resolve("dns-records.pcap")).get(1));
    JsonArray records = dns.getAsJsonObject("dns").getAsJsonArray("dns.resp");
    assertThat(records).hasSize(2);
    assertThat(records.get(1).getAsJsonObject().get("dns.a").getAsString()).isEqualTo("192.0.2.34");
    JsonObject tls = layers(packets(CAPTURES.resolve("tls13.pcap")).get(1));
    assertThat(tls.getAsJsonArray("tls")).hasSize(6);
  }

  private static JsonArray packets(Path file) {
    return JsonParser.parseString(Run.of("decode", file, "--tshark-json").out()).getAsJsonArray();
  }

  private static JsonObject layers(JsonElement packet) {
    return packet.getAsJsonObject().getAsJsonObject("_source").getAsJsonObject("layers");
  }

  /** What tshark says of these layers stands here with the same names at the same places. */
  @Test
  void shouldNestHeadersAsTsharkDoes() throws IOException {
    JsonObject ours = layers(packets(CAPTURES.resolve("dns-records.pcap")).get(0));
    JsonObject theirs = layers(tshark(CAPTURES.resolve("dns-records.pcap")).get(0));
    for (String layer : List.of("eth", "ip", "udp")) {
      for (String tree : List.of("ip.dsfield_tree", "ip.flags_tree", "ip.proto", "udp.length")) {
        JsonElement wanted = theirs.getAsJsonObject(layer).get(tree);
        if (wanted != null) {
          assertThat(ours.getAsJsonObject(layer).get(tree)).as(tree).isEqualTo(wanted);
        }
      }
    }
  }

  private static JsonArray tshark(Path file) throws IOException {
    List<String> command =
        List.of("tshark", "-n", "-r", file.toString(), "-T", "json", "--no-duplicate-keys");
    Process process;
    try {
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    } catch (IOException e) {
      return Assumptions.abort("skipped: needs the program tshark");
    }
    try (var reader = process.inputReader()) {
      return JsonParser.parseReader(reader).getAsJsonArray();
    }
  }
}
