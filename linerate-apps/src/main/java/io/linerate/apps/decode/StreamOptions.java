package io.linerate.apps.decode;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EnumText;
import io.linerate.decode.reassembly.OverlapPolicy;

/** Options about streams that several commands have. */
final class StreamOptions {
  private StreamOptions() {}

  /**
   * @throws ConfigException if there is no such policy
   */
  static OverlapPolicy policy(String text) {
    return EnumText.read(text, OverlapPolicy.class)
        .orElseThrow(() ->
            new ConfigException(
                "wrong value: --policy %s; it can be %s"
                    .formatted(text, EnumText.all(OverlapPolicy.class))));
  }
}
