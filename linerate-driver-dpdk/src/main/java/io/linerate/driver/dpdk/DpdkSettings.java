package io.linerate.driver.dpdk;

import io.linerate.core.config.Setting;
import io.linerate.core.config.SettingsOwner;
import java.util.List;

/** What can be configured of DPDK's environment (EAL), beside the engine's {@code memory}. */
public final class DpdkSettings implements SettingsOwner {
  /** What may be the name of a directory, without leading to another one. */
  static final String DIRECTORY_NAME = "(?!\\.{1,2}$)[A-Za-z0-9._-]{0,64}";

  /**
   * Sets this process apart from other DPDK programs of the machine (EAL {@code --file-prefix}); ""
   * for one of its own.
   */
  static final Setting<String> PROGRAM_ID =
      Setting.text("programid", "", DIRECTORY_NAME, "at most 64 letters, digits, '.', '_' and '-'");

  /** Further arguments of the EAL, as {@link EalOptions} takes them. */
  static final Setting<List<String>> EAL =
      Setting.of("eal", List.of(), EalOptions::parse, options -> String.join(" ", options));

  /**
   * Whether {@code dpdk-pdump} and {@code dpdk-proc-info} may look into this process: its memory is
   * in files then, which they map, and its threads have no caches of buffers.
   */
  static final Setting<Boolean> PDUMP = Setting.truth("pdump", false);

  /** Memory channels of the machine (EAL {@code -n}); 0: let DPDK find out. */
  static final Setting<Integer> MEMORY_CHANNELS = Setting.number("memorychannels", 0, 0, 32);

  /** Devices that DPDK must not use (EAL {@code --block}), by their PCI addresses. */
  static final Setting<List<String>> BLOCK =
      Setting.list(
              "block",
              "([0-9a-fA-F]{4}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7]",
              "PCI addresses, such as 0000:03:00.0, separated by commas")
          .orCalled("blacklist");

  @Override
  public String program() {
    return "";
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(PROGRAM_ID, EAL, PDUMP, MEMORY_CHANNELS, BLOCK);
  }
}
