package io.linerate.apps.firewall;

import io.linerate.apps.ConnectionSettings;
import io.linerate.core.config.ConfigEntry;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Setting;
import io.linerate.core.config.SettingsOwner;
import io.linerate.middlebox.firewall.RuleBook;
import io.linerate.middlebox.firewall.Tracking;
import io.linerate.middlebox.synproxy.SynService;
import io.linerate.track.OrderedBytes;
import io.linerate.track.TrackSettings;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What can be configured of the firewall, beside the engine. */
public final class FirewallSettings implements SettingsOwner {
  /** The rules file, relative to the current directory. */
  public static final Setting<Optional<Path>> RULES =
      Setting.of(
          "rules",
          Optional.empty(),
          FirewallSettings::path,
          file -> file.map(Path::toString).orElse(""));

  /** Pages of 2 KiB in which each worker keeps the first bytes of connections, to read names. */
  public static final Setting<Integer> NAME_PAGES =
      Setting.number(
          "name_pages", 4_096, OrderedBytes.MIN_PAGES, OrderedBytes.MAX_PAGES, ", of each worker");

  /** Servers whose handshakes are answered for them, by the port that clients come by. */
  public static final Setting<Map<String, List<SynService>>> SYN_PROXY =
      Setting.of(
          "syn_proxy",
          Map.of(),
          FirewallSettings::services,
          some ->
              some.entrySet().stream()
                  .map(one ->
                      one.getKey()
                          + one.getValue().stream()
                              .map(service -> " " + service)
                              .collect(Collectors.joining()))
                  .collect(Collectors.joining("; ")));

  private static Map<String, List<SynService>> services(ConfigEntry entry) {
    Map<String, List<SynService>> services = new TreeMap<>();
    for (String part : entry.value().split(";", -1)) {
      List<String> words = List.of(part.strip().split("\\s+", -1));
      if (part.isBlank()) {
        continue;
      }
      try {
        List<SynService> some = words.stream().skip(1).map(SynService::parse).toList();
        if (some.isEmpty() || services.put(words.getFirst(), some) != null) {
          throw entry.error(
              "no servers, or a port twice (" + part.strip() + ")",
              "PORT SERVERS... is allowed, with ; between ports, such as wan 192.0.2.1:80");
        }
      } catch (IllegalArgumentException e) {
        throw entry.error(
            "not servers (" + part.strip() + ")",
            "PORT ADDRESS[/BITS]:PORT[-PORT]... is allowed, such as wan 192.0.2.1:80 [2001:db8::/64]:443");
      }
    }
    return services;
  }

  private static Optional<Path> path(ConfigEntry entry) {
    try {
      return Optional.of(entry.value()).filter(path -> !path.isEmpty()).map(Path::of);
    } catch (InvalidPathException e) {
      throw entry.error("wrong value", "the path of a rules file is allowed");
    }
  }

  /** Of connections, where rules ask for it. */
  public static Optional<Tracking> tracking(EngineConfig engine, RuleBook book) {
    return book.needs().connections()
        ? Optional.of(
            new Tracking(
                engine.get(ConnectionSettings.CONNECTIONS),
                ConnectionSettings.tracking(engine, TrackSettings.DEFAULT),
                book.needs().names() ? engine.get(NAME_PAGES) : 0))
        : Optional.empty();
  }

  @Override
  public String program() {
    return FirewallCommand.NAME;
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(
        RULES, NAME_PAGES, SYN_PROXY, ConnectionSettings.CONNECTIONS, ConnectionSettings.TIMEOUTS);
  }
}
