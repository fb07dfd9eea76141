package io.linerate.core.config;

import java.util.List;

/**
 * A driver or a program that has settings of its own, which the engine knows nothing about. Found
 * with {@link java.util.ServiceLoader}. Whose settings they are reads them with {@link
 * EngineConfig#get}.
 */
public interface SettingsOwner {
  /**
   * The program whose settings these are, by the name that it begins with; all others refuse them.
   * "": of every program, as those of drivers.
   */
  String program();

  /** A setting may be one of several programs. */
  List<Setting<?>> settings();
}
