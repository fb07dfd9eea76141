package io.linerate.core.port;

import io.linerate.core.config.ConfigEntry;
import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Setting;
import io.linerate.core.config.SettingsOwner;
import io.linerate.core.memory.FilterLanguage;
import io.linerate.core.memory.LinkType;
import io.linerate.core.memory.ReceiveFilter;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** {@code filter=EXPRESSION}: which packets handlers are given of all that ports receive. */
public final class FilterSettings implements SettingsOwner {
  private static final Setting<Optional<ReceiveFilter>> FILTER =
      Setting.of(
          "filter",
          Optional.empty(),
          FilterSettings::parse,
          filter -> filter.map(ReceiveFilter::expression).orElse(""));

  @Override
  public String program() {
    return "";
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(FILTER);
  }

  /** The filter of all ports, if there is one. */
  public static Optional<ReceiveFilter> of(EngineConfig config) {
    return config.get(FILTER);
  }

  /**
   * What the kernel is given of the filter, see {@link ReceiveFilter#kernelProgram}; none if there
   * is no filter.
   */
  public static long[] kernelProgram(EngineConfig config) {
    return of(config).map(ReceiveFilter::kernelProgram).orElseGet(() -> new long[0]);
  }

  /**
   * Returns if the filter can accept something of what a port brings.
   *
   * @throws ConfigException if not
   */
  public static void check(EngineConfig config, Port port) {
    Optional<ReceiveFilter> filter = of(config);
    if (filter.isPresent()
        && port.rxQueues() > 0
        && port.linkTypes().stream().noneMatch(filter.get()::judges)) {
      throw new ConfigException(
          "filter is not about what the port brings: filter=%s, port=%s, address=%s, linktype=%s; write a filter for such packets"
              .formatted(
                  filter.get().expression(),
                  port.name(),
                  port.address(),
                  LinkType.text(port.linkTypes())));
    }
  }

  private static Optional<ReceiveFilter> parse(ConfigEntry entry) {
    if (entry.value().isEmpty()) {
      return Optional.empty();
    }
    FilterLanguage language =
        ServiceLoader.load(FilterLanguage.class)
            .findFirst()
            .orElseThrow(() ->
                entry.error(
                    "no language of filters", "add the artefact io.linerate:linerate-filter"));
    try {
      return Optional.of(language.compile(entry.value()));
    } catch (IllegalArgumentException e) { // It repeats the value itself.
      throw new ConfigException((entry.isOverride() ? "" : entry.origin() + ": ") + e.getMessage());
    }
  }
}
