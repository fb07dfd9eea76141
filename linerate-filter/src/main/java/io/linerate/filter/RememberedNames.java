package io.linerate.filter;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/** Asks for each name once: a filter means the same hosts for all link types. */
final class RememberedNames implements FilterNames {
  private final FilterNames names;
  private final Map<String, List<byte[]>> hosts = new ConcurrentHashMap<>();

  RememberedNames(FilterNames names) {
    this.names = names;
  }

  @Override
  public List<byte[]> host(String name) {
    return hosts.computeIfAbsent(name, names::host);
  }

  @Override
  public Optional<Service> service(String name) {
    return names.service(name);
  }

  @Override
  public OptionalInt protocol(String name) {
    return names.protocol(name);
  }

  @Override
  public OptionalInt network(String name) {
    return names.network(name);
  }

  @Override
  public Optional<byte[]> ethernet(String name) {
    return names.ethernet(name);
  }
}
