package io.linerate.core.config;

import java.util.List;

/** Settings of something that core knows nothing about. */
public final class PaintSettings implements SettingsOwner {
  static final Setting<String> COLOUR =
      Setting.of("colour", "red", PaintSettings::colour, colour -> colour).orCalled("tint");

  private static String colour(ConfigEntry entry) {
    if (!List.of("red", "blue").contains(entry.value())) {
      throw entry.error("no such colour", "red or blue is allowed");
    }
    return entry.value();
  }

  @Override
  public String program() {
    return "";
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(COLOUR);
  }
}
