package io.linerate.core.config;

import java.util.List;

/** Settings of a program. */
public final class BrushSettings implements SettingsOwner {
  static final String PROGRAM = "paint";
  static final Setting<Integer> BRUSH = Setting.number("brush", 1, 1, 9);

  @Override
  public String program() {
    return PROGRAM;
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(BRUSH);
  }
}
