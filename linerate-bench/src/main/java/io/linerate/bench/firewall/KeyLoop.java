package io.linerate.bench.firewall;

import io.linerate.bench.port.OrderTaker;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4Prefix;
import io.linerate.wire.classify.SourceClassifier;
import io.linerate.wire.classify.SourceRule;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A program under measurement: finds the rule of one burst of keys after the other, without
 * packets. Arguments: {@link RuleLines#prefixes how many rules}, a file of keys, keys in a burst.
 */
public final class KeyLoop {
  private final SourceClassifier classifier;
  private final long[] keys;
  private final int burst;
  private final AtomicLong done = new AtomicLong();

  private KeyLoop(SourceClassifier classifier, long[] keys, int burst) {
    this.classifier = classifier;
    this.keys = keys;
    this.burst = burst;
  }

  public static void main(String[] arguments) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(Path.of(arguments[1])));
    long[] keys = new long[bytes.remaining() / Long.BYTES];
    bytes.asLongBuffer().get(keys);
    KeyLoop loop =
        new KeyLoop(
            classifier(RuleLines.prefixes(Integer.parseInt(arguments[0]))),
            keys,
            Integer.parseInt(arguments[2]));
    OrderTaker.serve(loop::run, loop.done, loop::digest);
  }

  static SourceClassifier classifier(List<RuleLines.Prefix> prefixes) {
    List<SourceRule> rules = new ArrayList<>();
    for (RuleLines.Prefix prefix : prefixes) {
      int protocol =
          switch (prefix.protocol()) {
            case " tcp" -> IpProtocol.TCP;
            case " udp" -> IpProtocol.UDP;
            default -> SourceRule.ANY_PROTOCOL;
          };
      rules.add(
          new SourceRule(new Ipv4Prefix(prefix.address(), prefix.bits()), protocol, rules.size()));
    }
    return new SourceClassifier(rules, rules.size());
  }

  private long digest() {
    int[] numbers = new int[burst];
    long[] some = new long[burst];
    long digest = 0;
    for (int start = 0; start < keys.length; start += burst) {
      System.arraycopy(keys, start, some, 0, burst);
      classifier.match(some, burst, numbers);
      for (int number : numbers) {
        digest = digest * 31 + number;
      }
    }
    return digest;
  }

  private void run() {
    int[] numbers = new int[burst];
    long[] some = new long[burst];
    int at = 0;
    for (long count = burst; ; count += burst) {
      System.arraycopy(keys, at, some, 0, burst);
      classifier.match(some, burst, numbers);
      at = (at + burst) & (keys.length - 1);
      done.setRelease(count);
    }
  }
}
