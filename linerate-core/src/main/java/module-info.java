/** Packets in native memory, ports, workers, counters. Depends on nothing but the JDK. */
@SuppressWarnings("module") // Those named below are built later.
module io.linerate.core {
  requires java.management;
  requires jdk.jfr;
  requires jdk.management;
  requires static org.jspecify;

  exports io.linerate.core.config;
  exports io.linerate.core.counter;
  exports io.linerate.core.driver;
  exports io.linerate.core.flight to
      io.linerate.apps,
      io.linerate.graph;
  exports io.linerate.core.log;
  exports io.linerate.core.memory;
  exports io.linerate.core.port;
  exports io.linerate.core.statistics;
  exports io.linerate.core.time;
  exports io.linerate.core.worker;

  uses io.linerate.core.config.SettingsOwner;
  uses io.linerate.core.memory.FilterLanguage;
  uses io.linerate.core.port.PortProvider;

  provides io.linerate.core.config.SettingsOwner with
      io.linerate.core.port.FilterSettings,
      io.linerate.core.port.SteeringSettings;
}
