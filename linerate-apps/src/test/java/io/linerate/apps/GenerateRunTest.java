package io.linerate.apps;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GenerateRunTest {
  @TempDir Path folder;

  private List<String> frames(Object... options) throws IOException {
    Path out = folder.resolve("frames.pcap");
    List<Object> words = new ArrayList<>(List.of("generate", "--port", "pcap:tx=" + out));
    words.addAll(List.of(options));
    Run run = Run.of(words.toArray());
    assertThat(run.status()).as(run.err()).isZero();
    return PcapFile.records(out).stream()
        .map(record -> record.substring(record.lastIndexOf(' ') + 1))
        .toList();
  }

  @Test
  void shouldSendExactlyThePacketsAskedFor() throws IOException {
    for (int packets : new int[] {1, 31, 32, 33, 1_000}) {
      assertThat(frames("--packets", packets)).hasSize(packets);
    }
  }

  @Test
  void shouldWriteEveryByteOfTheSmallestFrame() throws IOException {
    assertThat(
            frames("--packets", 1, "--payload", "zero", "--src", "10.0.0.1", "--dst", "10.0.0.2"))
        .containsExactly(
            // RFC 2544's ports: 0xC020 to 7. The IPv4 checksum was worked out by hand.
            "020000000002020000000001"
                + "0800"
                + "4500002e00004000401126bd0a0000010a000002"
                + "c0200007001a2b90"
                + "00".repeat(18));
  }

  @Test
  void shouldStepThroughRangesTogether() throws IOException {
    List<String> frames =
        frames("--packets", 5, "--src", "10.0.0.1-10.0.0.3", "--dstport", "80-90,step=4");
    assertThat(frames.stream().map(frame -> frame.substring(52, 60)))
        .containsExactly("0a000001", "0a000002", "0a000003", "0a000001", "0a000002");
    assertThat(frames.stream().map(frame -> frame.substring(72, 76)))
        .containsExactly("0050", "0054", "0058", "0051", "0055");
  }

  @Test
  void shouldMakeTheSamePacketsFromTheSameSeedHoweverManyWorkers() throws IOException {
    Object[] options = {
      "--packets",
      500,
      "--src",
      "10.0.0.0/8,random",
      "--srcport",
      "1-60000,random",
      "--size",
      "64-90,random",
      "--seed",
      7
    };
    List<String> one = frames(options);
    List<Object> three = new ArrayList<>(List.of(options));
    three.addAll(List.of("--set", "workers=3"));
    assertThat(frames(three.toArray())).containsExactlyInAnyOrderElementsOf(one);
    assertThat(one.stream().map(frame -> frame.substring(52, 60)).distinct())
        .hasSizeGreaterThan(490);
    List<Object> other = new ArrayList<>(List.of(options));
    other.set(other.size() - 1, 8);
    assertThat(frames(other.toArray())).doesNotContainAnyElementsOf(one);
  }

  @Test
  void shouldMixSizesSevenFourOne() throws IOException {
    List<Integer> sizes =
        frames("--packets", 1_200, "--size", "imix").stream()
            .map(frame -> frame.length() / 2 + 4)
            .toList();
    assertThat(sizes.stream().filter(it -> it == 64)).hasSize(700);
    assertThat(sizes.stream().filter(it -> it == 594)).hasSize(400);
    assertThat(sizes.stream().filter(it -> it == 1_518)).hasSize(100);
  }

  @Test
  void shouldRepeatTheBytesOfAPayloadFile() throws IOException {
    Path payload = Files.writeString(folder.resolve("payload"), "AB");
    assertThat(frames("--packets", 1, "--payload", payload).getFirst()).endsWith("4142".repeat(9));
  }

  @Test
  void shouldStampPacketsOfEachWorker() throws IOException {
    List<String> frames = frames("--packets", 4, "--sequence", "--set", "workers=2");
    List<String> stamps = frames.stream().map(frame -> frame.substring(84)).toList();
    String noTime = "0".repeat(16);
    assertThat(stamps)
        .containsExactlyInAnyOrder(
            "4c520000000000000000" + noTime,
            "4c520000000000000001" + noTime,
            "4c520001000000000000" + noTime,
            "4c520001000000000001" + noTime);
  }

  @Test
  void shouldReplayACaptureAsItIsAndAsOftenAsAsked() throws IOException {
    List<byte[]> recorded = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      recorded.add(Frame.udp(i, 64 + i));
    }
    Path in = PcapFile.write(folder.resolve("in,1.pcap"), recorded);
    List<String> expected =
        PcapFile.records(in).stream()
            .map(record -> record.substring(record.lastIndexOf(' ') + 1))
            .toList();
    assertThat(frames("--replay", in, "--speed", "max")).isEqualTo(expected);
    assertThat(frames("--replay", in, "--rate", "100kpps")).isEqualTo(expected);
    List<String> twice = new ArrayList<>(expected);
    twice.addAll(expected);
    assertThat(frames("--replay", in, "--speed", "max", "--packets", 200)).isEqualTo(twice);
  }

  @Test
  void shouldReplayAtTheRecordedDistances() throws IOException {
    // A packet each ms, so 150 take 149 ms, and half as long at twice the speed.
    List<byte[]> recorded = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      recorded.add(Frame.udp(i, 64));
    }
    Path in = PcapFile.write(folder.resolve("in.pcap"), recorded);
    Run run = Run.of("generate", "--port", "pcap:tx=/dev/null", "--replay", in, "--json");
    assertThat(run.number("sent")).isEqualTo(150);
    assertThat(run.json().get("durationSeconds").getAsDouble()).isGreaterThanOrEqualTo(0.149);
    Run fast =
        Run.of(
            "generate", "--port", "pcap:tx=/dev/null", "--replay", in, "--speed", "2x", "--json");
    assertThat(fast.json().get("durationSeconds").getAsDouble()).isGreaterThanOrEqualTo(0.0745);
    assertThat(phase(fast).get("askedPps").getAsDouble()).isBetween(1_999.0, 2_001.0);
  }

  private static JsonObject phase(Run run) {
    return run.json().getAsJsonArray("phases").get(0).getAsJsonObject();
  }

  @Test
  void shouldKeepARateToThePacketAndReportIt() {
    Run run =
        Run.of(
            "generate",
            "--port",
            "pcap:tx=/dev/null",
            "--rate",
            "20kpps",
            "--duration",
            "1s",
            "--stats",
            "100ms",
            "--json");
    assertThat(run.status()).as(run.err()).isZero();
    // A machine under load may keep the generator off its CPU for longer than its grace.
    assertThat(run.number("sent")).isBetween(1L, 20_000L);
    assertThat(phase(run).get("askedPps").getAsDouble()).isEqualTo(20_000);
    assertThat(phase(run).keySet()).contains("errorPercent", "latePackets", "worstLateUs");
    assertThat(run.err()).contains(" sent, ").containsPattern(" [0-9.]+ [kM]?pps\n");
  }

  @Test
  void shouldMeasureWhatComesBack() {
    Run run =
        Run.of(
            "generate",
            "--port",
            "ring:x,loopback",
            "--receive",
            "ring:x,loopback",
            "--packets",
            20_000,
            "--rate",
            "100kpps",
            "--json",
            "--set",
            "workers=2");
    assertThat(run.status()).as(run.err()).isZero();
    JsonObject reception = run.json().getAsJsonObject("reception");
    assertThat(reception.get("received").getAsLong()).isEqualTo(20_000);
    assertThat(reception.get("lost").getAsLong()).isZero();
    assertThat(reception.get("reordered").getAsLong()).isZero();
    assertThat(reception.getAsJsonObject("delayUs").keySet())
        .contains("median", "p99", "p99.9", "p99.99", "max");
  }

  @Test
  void shouldCountWhatAFaultyPortLosesAndDuplicates() {
    Run run =
        Run.of(
            "generate",
            "--port",
            "fault:drop=0.1,duplicate=0.2,seed=5,port=ring:x,loopback",
            "--receive",
            "fault:drop=0.1,duplicate=0.2,seed=5,port=ring:x,loopback",
            "--packets",
            10_000,
            "--json");
    assertThat(run.status()).as(run.err()).isZero();
    JsonObject reception = run.json().getAsJsonObject("reception");
    assertThat(reception.get("lost").getAsLong()).isBetween(800L, 3_000L);
    assertThat(reception.get("duplicates").getAsLong()).isBetween(800L, 5_000L);
  }

  @Test
  void shouldFollowAPlan() throws IOException {
    Path plan =
        Files.writeString(
            folder.resolve("plan"),
            """
            # Two streams; one changes its rate.
            stream web protocol=tcp dstport=80 size=100
            stream dns dstport=53
            at 0s    web 1kpps
            at 0s    dns 2kpps
            at 200ms web 4kpps
            at 300ms dns off
            at 400ms end
            """);
    Run run = Run.of("generate", "--port", "pcap:tx=/dev/null", "--plan", plan, "--json");
    assertThat(run.status()).as(run.err()).isZero();
    List<String> phases = new ArrayList<>();
    List<Long> packets = new ArrayList<>();
    run.json()
        .getAsJsonArray("phases")
        .forEach(phase -> {
          JsonObject object = phase.getAsJsonObject();
          phases.add(object.get("stream").getAsString() + " " + object.get("rate").getAsString());
          packets.add(object.get("packets").getAsLong());
        });
    assertThat(phases).containsExactly("web 1kpps", "dns 2kpps", "web 4kpps");
    // Exactly as many as the second numbers say, if the machine lets it.
    assertThat(packets.get(0)).isBetween(0L, 200L);
    assertThat(packets.get(1)).isBetween(0L, 600L);
    assertThat(packets.get(2)).isBetween(0L, 800L);
    assertThat(run.number("sent")).isPositive();
  }

  @Test
  void shouldTakeTheSameKeysFromAFile() throws IOException {
    Path out = folder.resolve("out.pcap");
    Path config =
        Files.writeString(
            folder.resolve("generate.properties"),
            "port=pcap:tx=" + out + "\npackets=7\nprotocol=tcp\nsize=100\nworkers=2\n");
    assertThat(Run.of("generate", "--config", config).status()).isZero();
    assertThat(PcapFile.records(out)).hasSize(7).allMatch(it -> it.contains(" 96 "));
    assertThat(Run.of("generate", "--config", config, "--packets", 3).status()).isZero();
    assertThat(PcapFile.records(out)).hasSize(3);
  }

  @Test
  void shouldNameTheLineOfAFileThatCannotBeRead() throws IOException {
    Path config =
        Files.writeString(folder.resolve("generate.properties"), "packets=7\nsize=\\u00zz\n");
    Run run = Run.of("generate", "--config", config);
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains(config + ":2: bad escape: line=size=").hasLineCount(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "|no port to send to;",
        "--port OUT --rate 0|not a rate: rate=0;",
        "--port OUT --rate 0Mpps|not a rate: rate=0Mpps;",
        "--port OUT --rate fast|not a rate: rate=fast;",
        "--port OUT --size 20|size is under the headers: write at least 64",
        "--port OUT --size 70 --protocol tcp --ip 6|write at least 78",
        "--port OUT --size 9999|wrong value: size=9999;",
        "--port OUT --protocol gre|unknown protocol: protocol=gre;",
        "--port OUT --protocol arp --sequence|wrong value: protocol=arp;",
        "--port OUT --src 10.0.0.300|wrong value: src=10.0.0.300;",
        "--port OUT --src 10.0.0.9-10.0.0.1|wrong value: src=10.0.0.9-10.0.0.1;",
        "--port OUT --src 10.0.0.1 --dst 2001:db8::1|wrong value: src=10.0.0.1;",
        "--port OUT --dstport 70000|wrong value: dstport=70000;",
        "--port OUT --vlan 5000|wrong value: vlan=5000;",
        "--port OUT --payload /nonexistent|wrong value: payload=/nonexistent;",
        "--port OUT --replay /nonexistent|cannot replay: ",
        "--port OUT --replay /etc/hostname|cannot replay: ",
        "--port OUT --replay /etc/hostname --size 64|a replay sends packets as they are",
        "--port OUT --speed 2x|only a replay has one",
        "--port OUT --packets 0|wrong value: packets=0;",
        "--port OUT --duration 0s|duration: not a time: 0s;",
        "--port OUT --plan /nonexistent|no such plan file: file=/nonexistent;",
        "--port OUT --config /nonexistent|no such configuration file: file=/nonexistent;",
        "--port OUT --set nonsense=1|unknown key: nonsense=1;",
        "--port OUT --receive pcap:tx=/dev/null|port does not receive: address=pcap:tx=/dev/null;",
        "--port pcap:rx=../examples/captures/mixed.pcapng|port cannot transmit: address=pcap:rx=",
        "--port OUT --colour|--colour",
      })
  void shouldSayInOneSentenceWhatIsWrongAndSendNothing(String options, String message) {
    Path out = folder.resolve("out.pcap");
    String line = "generate " + (options == null ? "" : options.replace("OUT", "pcap:tx=" + out));
    Run run = Run.of((Object[]) line.strip().split(" ", -1));
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("linerate: ").contains(message).hasLineCount(1);
    if (Files.exists(out)) {
      assertThat(out).satisfies(file -> assertThat(PcapFile.records(file)).isEmpty());
    }
  }
}
