package io.linerate.core.config;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Constants of an enum as people write them: in lower case with dashes. */
public final class EnumText {
  private EnumText() {}

  public static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The constant that a text is; empty if it is none. */
  public static <E extends Enum<E>> Optional<E> read(String text, Class<E> type) {
    return Stream.of(type.getEnumConstants()).filter(one -> of(one).equals(text)).findFirst();
  }

  /** All constants, with commas between. */
  public static <E extends Enum<E>> String all(Class<E> type) {
    return Stream.of(type.getEnumConstants()).map(EnumText::of).collect(Collectors.joining(", "));
  }
}
