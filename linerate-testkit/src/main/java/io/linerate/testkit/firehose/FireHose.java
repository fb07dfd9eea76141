package io.linerate.testkit.firehose;

import java.nio.charset.StandardCharsets;

/**
 * A stream of the FireHose benchmark, as its generators make it with their defaults: each datum is
 * that of the reference, so that published answers hold.
 */
public final class FireHose {
  private static final int KEY_SEED = 678_912_345;
  private static final int VALUE_SEED = 98_765;
  private static final int MASK = 12_345;

  /** Makes datums. */
  sealed interface Generator permits PowerLaw, ActiveKeys, TwoLevels {
    Datum next();
  }

  private final Generator generator;
  private final int perPacket;
  private long packets;

  private FireHose(Generator generator, int perPacket) {
    this.generator = generator;
    this.perPacket = perPacket;
  }

  /** The first: biased values of 100,000 keys that are chosen by a power law. */
  public static FireHose powerLaw() {
    return new FireHose(new PowerLaw(KEY_SEED, VALUE_SEED, MASK), 50);
  }

  /** The second: biased values of keys without end, of which 131,072 are active. */
  public static FireHose activeSet() {
    return new FireHose(new ActiveKeys(KEY_SEED, VALUE_SEED, MASK), 50);
  }

  /** The third: each five datums of such a key are the key and the value of another. */
  public static FireHose twoLevel() {
    return new FireHose(new TwoLevels(KEY_SEED), 40);
  }

  /** Datums in a packet. */
  public int perPacket() {
    return perPacket;
  }

  /** The next datum. */
  public Datum next() {
    return generator.next();
  }

  /** The next packet: what stands in a datagram. */
  public byte[] nextPacket() {
    StringBuilder text = new StringBuilder("packet ").append(packets++).append('\n');
    for (int i = 0; i < perPacket; i++) {
      Datum datum = next();
      text.append(generator instanceof TwoLevels ? datum.lineOfTwoLevels() : datum.line());
    }
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }
}
