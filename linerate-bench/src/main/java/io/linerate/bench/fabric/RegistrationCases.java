package io.linerate.bench.fabric;

import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Session;
import io.linerate.fabric.Fabric;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;

/**
 * Memory of a program made ready for a message: registered and released again, found registered, or
 * copied into memory that is.
 */
final class RegistrationCases {
  private static final List<Integer> SIZES = List.of(1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18);
  private static final String REGISTERED = "registered";
  private static final String COPIED = "copied";

  private RegistrationCases() {}

  /** None where libfabric is missing, with the reason. */
  static List<LoopCase> all(Session session) {
    if (!Fabric.problem().isEmpty()) {
      session.skip(Part.REGISTRATION.title(), Fabric.problem());
      return List.of();
    }
    List<LoopCase> cases = new ArrayList<>();
    for (Provider provider : List.of(Provider.SHM, Provider.TCP)) {
      SIZES.forEach(bytes -> cases.add(of(provider, bytes)));
    }
    return cases;
  }

  private static LoopCase of(Provider provider, int bytes) {
    SequencedMap<String, List<String>> variants = new LinkedHashMap<>();
    variants.put(REGISTERED, variant(provider, REGISTERED, bytes));
    variants.put(COPIED, variant(provider, "native", bytes));
    variants.put(COPIED + " from the heap", variant(provider, "heap", bytes));
    variants.put("cached", variant(provider, "cached", bytes));
    return new LoopCase(title(provider, bytes), variants, List.of(), List.of());
  }

  private static String title(Provider provider, int bytes) {
    return "%s %s %,d B".formatted(Part.REGISTRATION.title(), provider.title(), bytes);
  }

  private static List<String> variant(Provider provider, String variant, int bytes) {
    String address =
        provider == Provider.SHM
            ? "shm:" + FabricTwin.SHM_PREFIX + "registration"
            : "tcp:127.0.0.1:1";
    return List.of(RegistrationLoop.class.getName(), variant, address, String.valueOf(bytes));
  }

  /** From which size on registering costs less than a copy. */
  static void conclude(Session session, List<Result> results) {
    for (Provider provider : List.of(Provider.SHM, Provider.TCP)) {
      for (int bytes : SIZES) {
        boolean isCheaper =
            results.stream()
                .filter(one -> one.caseName().equals(title(provider, bytes)))
                .anyMatch(one -> median(one, REGISTERED) < median(one, COPIED));
        if (isCheaper) {
          session.conclude(
              "%s: memory that is used once costs less to register than to copy from %,d B on; what is cached does at any size."
                  .formatted(provider.title(), bytes));
          break;
        }
      }
    }
  }

  private static double median(Result result, String variant) {
    return Objects.requireNonNull(result.contestants().get(variant)).median();
  }
}
