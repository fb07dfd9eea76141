package io.linerate.filter;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Knows no name. */
enum NoNames implements FilterNames {
  INSTANCE;

  @Override
  public List<byte[]> host(String name) {
    return List.of();
  }

  @Override
  public Optional<Service> service(String name) {
    return Optional.empty();
  }

  @Override
  public OptionalInt protocol(String name) {
    return OptionalInt.empty();
  }

  @Override
  public OptionalInt network(String name) {
    return OptionalInt.empty();
  }

  @Override
  public Optional<byte[]> ethernet(String name) {
    return Optional.empty();
  }
}
