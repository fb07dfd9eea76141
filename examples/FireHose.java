import io.linerate.core.memory.*;
import io.linerate.program.*;
import io.linerate.stream.*;

/** A line of a packet: a key, 0 or 1, and whether the key is biased in truth. */
record Datum(long key, boolean isOne, boolean isBiased) {
  static Datum of(String line) {
    String[] words = line.split(",");
    return new Datum(Long.parseUnsignedLong(words[0]), words[1].equals("1"), words[2].equals("1"));
  }
}

/** How often a key has come, and how often with 1. */
class Seen {
  int times, ones;
}

/** Judges a key when it has come 24 times: it is biased if at most four times with 1. */
class Judge implements KeyedProcess<Long, Seen, Datum, Consumer<String>> {
  public Seen create(Long key) {
    return new Seen();
  }

  public void process(Seen seen, Datum datum, Consumer<String> out) {
    seen.ones += datum.isOne() ? 1 : 0;
    if (++seen.times == 24 && (seen.ones <= 4 || datum.isBiased())) {
      String what =
          seen.ones > 4 ? "false negative" : datum.isBiased() ? "true anomaly" : "false positive";
      out.accept(what + " = " + Long.toUnsignedString(datum.key()));
    }
  }
}

void main(String[] arguments) {
  Program.named("firehose")
      .describedAs("Finds keys whose values are biased, in streams of the FireHose benchmark.")
      .ports("in")
      .example("packet:eth1")
      .main(arguments, this::wire);
}

String udpPayload(Packet packet) {
  return new String(packet.toBytes(), 42, packet.length() - 42, StandardCharsets.US_ASCII);
}

void wire(Setup setup) {
  var keys = KeyedSettings.<Long, Seen>timingOutAfter(Duration.ofHours(1)).withMostKeys(262_144);
  setup.graph(
      Streams.graph(s ->
          s.packets("in", "in")
              .map("text", String.class, this::udpPayload)
              .flatMap(
                  "datums",
                  Datum.class,
                  () -> (text, out) -> text.lines().skip(1).map(Datum::of).forEach(out))
              .on("all", 0, 65_536)
              .keyBy(Datum::key)
              .process("judge", String.class, keys.forgettingOldest(), Judge::new)
              .sink("print", IO::println)));
}
