package io.linerate.dashboard.control;

import java.util.List;

/** The configuration of a program that can read it again while packets flow. Any thread. */
@FunctionalInterface
public interface ConfigurationControl {
  /**
   * What came of it.
   *
   * @param taken what holds from now on, as {@code key=value}
   * @param restart what is written otherwise than the program was started with, and holds only when
   *     it is started again; {@code key=} for what is not written any more
   */
  record Reloaded(List<String> taken, List<String> restart) {
    public Reloaded {
      taken = List.copyOf(taken);
      restart = List.copyOf(restart);
    }
  }

  /**
   * Reads the configuration again, and takes over what a running program can.
   *
   * @throws io.linerate.core.config.ConfigException if anything is wrong with it: everything stays
   *     as it is
   */
  Reloaded reload();
}
