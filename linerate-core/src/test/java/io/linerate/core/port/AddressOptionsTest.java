package io.linerate.core.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AddressOptionsTest {
  private static final String KEYS = "n,p,q,on,word,path,flag";

  private enum Word {
    BUSYSPIN,
    SLOW
  }

  private static AddressOptions options(String address, String... keys) {
    return AddressOptions.of(PortAddress.parse(address), List.of(keys));
  }

  private static AddressOptions named(String address, String... keys) {
    return AddressOptions.named(PortAddress.parse(address), List.of(keys));
  }

  private static void assertRefused(ThrowingCallable reading, String message) {
    assertThatThrownBy(reading).isInstanceOf(ConfigException.class).hasMessage(message);
  }

  @Test
  void shouldSplitAtCommasAndTheFirstEqualsSign() {
    AddressOptions options = options("pcap:rx=a=b.pcap,loop,,tx=,", "rx", "tx", "loop", "pace");
    assertThat(options.text("rx")).isEqualTo("a=b.pcap");
    assertThat(options.has("loop")).isTrue();
    assertThat(options.text("loop")).isEmpty();
    assertThat(options.has("tx")).isTrue();
    assertThat(options.has("pace")).isFalse();
    assertThat(options.text("pace")).isEmpty();
  }

  @Test
  void shouldTakeWhatFollowsBackslashAsItIs() {
    assertThat(options("pcap:rx=a\\,b\\\\c\\", "rx").text("rx")).isEqualTo("a,b\\c\\");
  }

  @Test
  void shouldHaveNoOptionsWhenThereIsNothing() {
    assertThat(options("x:", "rx").has("rx")).isFalse();
    assertThat(options("x:", "rx").has("")).isFalse();
  }

  @Test
  void shouldNameUnknownKeysAndTheKnownOnes() {
    assertRefused(
        () -> options("pcap:rx=a,speed=1", "rx", "tx"),
        "unknown key in an address: key=speed, address=pcap:rx=a,speed=1; pcap: has rx, tx");
    assertRefused(
        () -> named("xdp:eth0,queue=1", "queues", "mode"),
        "unknown key in an address: key=queue, address=xdp:eth0,queue=1; did you mean queues? xdp: has queues, mode");
  }

  @Test
  void shouldRefuseKeyThatStandsTwice() {
    assertRefused(
        () -> options("pcap:rx=a,rx=b", "rx"),
        "key stands twice in an address: key=rx, address=pcap:rx=a,rx=b; leave one out");
  }

  @ParameterizedTest
  @ValueSource(strings = {"rx", "eth0", "a\\,b", "a.b-c"})
  void shouldReadTheNameInFront(String written) {
    String name = written.replace("\\", "");
    for (String rest : List.of(written, written + ",rx=1")) {
      AddressOptions options = named("packet:" + rest, "rx");
      assertThat(options.name(name::equals, "no name", "write one")).isEqualTo(name);
      assertThat(options.has("rx")).isEqualTo(rest.endsWith("=1"));
    }
  }

  @Test
  void shouldSayWhatIsNoName() {
    assertRefused(
        () ->
            named("tap:,queues=1", "queues").name(name -> !name.isEmpty(), "no name", "write one"),
        "no name: name=, address=tap:,queues=1; write one");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "trace:port=ring:a,size=16|ring:a,size=16|0",
        "trace:rate=5,port=pcap:rx=a\\,b|pcap:rx=a\\,b|5",
        "trace:rate=5,port=trace:rate=7,port=ring:a|trace:rate=7,port=ring:a|5"
      })
  void shouldTakeTheInnerAddressAsItStands(String address, String inner, int rate) {
    AddressOptions options = options(address, "rate", AddressOptions.PORT);
    assertThat(options.port()).isEqualTo(PortAddress.parse(inner));
    assertThat(options.number("rate", 0, 0, 9)).isEqualTo(rate);
  }

  @Test
  void shouldWantAnInnerAddress() {
    assertRefused(
        () -> options("trace:ring:a", "rate", AddressOptions.PORT),
        "no port behind the decoration: address=trace:ring:a; write trace:[KEY=VALUE,...,]port=ADDRESS, with port= at the end");
    assertThatThrownBy(() -> options("record:file=a\\,port=ring:a", "file", AddressOptions.PORT))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("no port behind the decoration");
  }

  @Test
  void shouldReadPartsOnly() {
    PortAddress address = PortAddress.parse("dpdk:net_null0,size=64,rss=on");
    assertThat(
            AddressOptions.ofParts(address, List.of("rss=on"), List.of("rss")).isOn("rss", false))
        .isTrue();
    assertThatThrownBy(() -> AddressOptions.ofParts(address, List.of("rss"), List.of("x")))
        .hasMessageContaining("address=dpdk:net_null0,size=64,rss=on");
  }

  @Test
  void shouldReadEachTypeOfValue() {
    AddressOptions options =
        options("x:n=-3,p=0.25,q=2-4,on=on,word=busyspin,path=a/b,flag", KEYS.split(","));
    assertThat(options.number("n", 1, -3, 3)).isEqualTo(-3);
    assertThat(options.probability("p")).isEqualTo(0.25);
    assertThat(options.range("q")).containsExactly(2, 3, 4);
    assertThat(options.isOn("on", false)).isTrue();
    assertThat(options.word("word", Word.SLOW)).isEqualTo(Word.BUSYSPIN);
    assertThat(options.path("path")).isEqualTo(Path.of("a/b"));
    assertThat(options.flag("flag")).isTrue();
    assertThat(options.value("n", "", text -> text + "!")).isEqualTo("-3!");
  }

  @Test
  void shouldHaveADefaultOfEachType() {
    AddressOptions options = options("x:", KEYS.split(","));
    assertThat(options.number("n", 1, 2, 3)).isEqualTo(1);
    assertThat(options.probability("p")).isZero();
    assertThat(options.range("q")).isEmpty();
    assertThat(options.isOn("on", true)).isTrue();
    assertThat(options.word("word", Word.SLOW)).isEqualTo(Word.SLOW);
    assertThat(options.path("path")).isNull();
    assertThat(options.flag("flag")).isFalse();
    assertThat(options.value("n", "none", text -> text + "!")).isEqualTo("none");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "n=4|; write 1 to 3",
        "n=0|; write 1 to 3",
        "n=99999999999999999999|; write 1 to 3",
        "n=x|; write 1 to 3",
        "n|; write 1 to 3",
        "p=NaN|; write a probability from 0 to 1",
        "p=1.5|; write a probability from 0 to 1",
        "q=3-1|; write all, one number or a range such as 0-3",
        "q=1-|; write all, one number or a range such as 0-3",
        "on=yes|; write one of on, off",
        "word=BUSYSPIN|; write one of busyspin, slow",
        "path=|: not the path of a file: path=; write one",
        "flag=off|; write flag without a value"
      })
  void shouldNameKeyValueAddressAndWhatIsAllowed(String option, String allowed) {
    AddressOptions options = options("x:" + option, KEYS.split(","));
    String pair = option.contains("=") ? option : option + "=";
    assertRefused(
        () -> {
          int _ = options.number("n", 1, 1, 3);
          double _ = options.probability("p");
          List<Integer> _ = options.range("q");
          boolean _ = options.isOn("on", true);
          Word _ = options.word("word", Word.SLOW);
          Path _ = options.path("path");
          boolean _ = options.flag("flag");
        },
        "wrong value in an address: %s, address=x:%s%s".formatted(pair, option, allowed));
  }

  @Test
  void shouldRefuseWhatNoFileCanBeCalled() {
    assertRefused(
        () -> options("x:path=a\0b", "path").path("path"),
        "wrong value in an address: path=a\0b, address=x:path=a\0b: not the path of a file: path=a\0b, reason=Nul character not allowed; write another, or set a UTF-8 locale");
  }
}
