package io.linerate.fabric;

import java.util.ArrayList;
import java.util.List;

/**
 * What fi_getinfo(3) has answered: the infos of providers that fit, best first.
 *
 * @param result 0, or the negated error
 * @param first the first {@code struct fi_info}, or 0 where there is none
 */
record InfoList(int result, long first) implements AutoCloseable {
  /** The providers, in their order. */
  List<ProviderInfo> providers() {
    List<ProviderInfo> providers = new ArrayList<>();
    for (long info = first; info != 0; info = FabricFunction.NEXT.callLong(info)) {
      providers.add(ProviderInfo.of(info));
    }
    return providers;
  }

  @Override
  public void close() {
    if (first != 0) {
      FabricFunction.FREE_INFO.call(first);
    }
  }
}
