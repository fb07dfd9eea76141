package io.linerate.core.port;

import io.linerate.core.config.ConfigException;
import java.util.List;
import java.util.Set;

/**
 * How a device with receive-side scaling chooses the queue of a packet: the Toeplitz hash of some
 * fields, with a key, gives the place in the indirection table, modulo its size, where the queue
 * stands.
 *
 * @param fields kinds of packets that are spread; what is none of them goes to queue 0
 * @param key in hexadecimal digits, mostly 40 or 52 bytes
 * @param table queues; empty when the device does not show its table
 */
public record RssSettings(Set<HashField> fields, String key, List<Integer> table) {
  /**
   * Two bytes that, repeated, make a key whose hash is the same for both directions of a flow: Woo
   * and Park, "Scalable TCP Session Monitoring with Symmetric Receive-side Scaling" (2012).
   */
  private static final String SYMMETRIC = "6d5a";

  /**
   * @throws ConfigException if the key is not of hexadecimal digits
   */
  public RssSettings {
    fields = Set.copyOf(fields);
    table = List.copyOf(table);
    if (!key.matches("([0-9a-fA-F]{2})*")) {
      throw new ConfigException(
          "not a hash key: key=" + key + "; write its bytes in hexadecimal digits");
    }
  }

  public RssSettings withFields(Set<HashField> fields) {
    return new RssSettings(fields, key, table);
  }

  public RssSettings withKey(String key) {
    return new RssSettings(fields, key, table);
  }

  public RssSettings withTable(List<Integer> table) {
    return new RssSettings(fields, key, table);
  }

  /** With a key of the same length that brings both directions of a flow to the same queue. */
  public RssSettings symmetric() {
    return withKey(SYMMETRIC.repeat(key.length() / SYMMETRIC.length()));
  }

  /** Whether both directions of a flow have the same hash. */
  public boolean isSymmetric() {
    return !key.isEmpty() && key.equalsIgnoreCase(symmetric().key);
  }
}
