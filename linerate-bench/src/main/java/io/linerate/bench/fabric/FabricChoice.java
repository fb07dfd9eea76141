package io.linerate.bench.fabric;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Which parts, providers and sizes somebody asked for.
 *
 * @param parts by title; all if there are none
 * @param providers as addresses have them, or by libfabric's name; all if there are none
 * @param sizes in bytes; powers of four from 4 B to 1 MiB if there are none
 */
public record FabricChoice(List<String> parts, List<String> providers, List<Integer> sizes) {
  /** Everything. */
  public static final FabricChoice ALL = new FabricChoice(List.of(), List.of(), List.of());

  private static final int MAX_BYTES = 1 << 24;

  public FabricChoice {
    parts = List.copyOf(parts);
    providers = List.copyOf(providers);
    sizes = List.copyOf(sizes);
  }

  /** What is wrong with it, as a sentence; empty if nothing is. */
  public String mistake() {
    for (String part : parts) {
      if (Part.of(part).isEmpty()) {
        return "no such part: part=" + part + "; known are " + known(Part.values());
      }
    }
    for (String provider : providers) {
      if (Provider.of(provider).isEmpty()) {
        return "no such provider: provider=" + provider + "; known are " + known(Provider.values());
      }
    }
    return sizes.stream()
        .filter(size -> size < 1 || size > MAX_BYTES)
        .findFirst()
        .map(size -> "no such size: size=" + size + "; give 1 to " + MAX_BYTES)
        .orElse("");
  }

  private static String known(Part[] all) {
    return Arrays.stream(all).map(Part::title).collect(Collectors.joining(", "));
  }

  private static String known(Provider[] all) {
    return Arrays.stream(all).map(Provider::linerateName).collect(Collectors.joining(", "));
  }

  boolean wants(Part part) {
    return parts.isEmpty() || parts.contains(part.title());
  }

  boolean wants(Provider provider) {
    return providers.isEmpty()
        || providers.contains(provider.title())
        || providers.contains(provider.linerateName());
  }
}
