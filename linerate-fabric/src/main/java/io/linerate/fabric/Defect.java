package io.linerate.fabric;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Capabilities that providers of libfabric 1.17 have, and that memory is not safe with. */
enum Defect {
  /** It does not notice a message that is longer than what is left of the memory. */
  SHM_WRITES_BEYOND_MEMORY(
      "shm",
      List.of(Capability.MULTI_RECEIVE),
      "a message that is too long is written beyond its memory",
      "post memory for each message"),

  /**
   * Messages of more than 16 KiB are fetched from their sender when memory is posted for them, by a
   * connection that may have ended meanwhile. With these, it does not look whether it has.
   */
  RXM_USES_ENDED_CONNECTIONS(
      "+rxm",
      List.of(Capability.SOURCE, Capability.DIRECTED_RECEIVE),
      "a message whose sender has gone is fetched by a connection that has ended",
      "put into the message, its tag or its immediate data who sends it");

  private final String provider;

  @SuppressWarnings("ImmutableEnumChecker") // List.of cannot be changed.
  private final List<Capability> capabilities;

  private final String cause;
  private final String remedy;

  Defect(String provider, List<Capability> capabilities, String cause, String remedy) {
    this.provider = provider;
    this.capabilities = capabilities;
    this.cause = cause;
    this.remedy = remedy;
  }

  /** What is left of what a provider has. */
  static Set<Capability> without(String provider, Set<Capability> has) {
    Set<Capability> left = EnumSet.noneOf(Capability.class);
    left.addAll(has);
    for (Defect defect : values()) {
      if (provider.endsWith(defect.provider)) {
        left.removeAll(defect.capabilities);
      }
    }
    return left;
  }

  /**
   * @throws FabricException if something is asked for that the provider does not do safely
   */
  static void requireNone(FabricAddress address, Set<Capability> wanted) {
    for (Defect defect : values()) {
      for (Capability capability : defect.capabilities) {
        if (address.provider().endsWith(defect.provider) && wanted.contains(capability)) {
          throw new FabricException(
              "the provider is not safe with that: address=%s, capability=%s, cause=%s; %s"
                  .formatted(address, capability, defect.cause, defect.remedy));
        }
      }
    }
  }
}
