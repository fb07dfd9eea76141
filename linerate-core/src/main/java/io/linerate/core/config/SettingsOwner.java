package io.linerate.core.config;

import java.util.List;

/**
 * A driver or an application that has settings of its own, which the engine knows nothing about.
 * Found with {@link java.util.ServiceLoader}. Whose settings they are reads them with {@link
 * EngineConfig#get}.
 */
public interface SettingsOwner {
  List<Setting<?>> settings();
}
