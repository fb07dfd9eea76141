package io.linerate.apps.decode;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.Configuration;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.port.Port;
import io.linerate.core.worker.Engine;
import io.linerate.program.run.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.ParseResult;

/** Where packets come from: a capture file, or a port by its address. */
public record DecodeSource(String text) {
  /** The port's name. */
  public static final String PORT = "source";

  /** Of a file, whose packets lie in it: so many may wait to be put together. */
  private static final int FILE_BUFFERS = 262_144;

  /**
   * @throws ConfigException if nothing is named
   */
  public DecodeSource {
    if (text.isEmpty()) {
      throw new ConfigException(
          "nothing to read from; name a capture file, or a port such as packet:eth1");
    }
  }

  /**
   * The configuration of a program that reads from it on one worker.
   *
   * @throws ConfigException if it has what such a program cannot have
   */
  Configuration configuration(ParseResult options, String program) {
    EngineConfig defaults = EngineConfig.DEFAULT.withProgramName(program);
    Configuration configuration =
        Configuration.of(
            Options.overrides(options), isFile() ? defaults.withBuffers(FILE_BUFFERS) : defaults);
    if (!configuration.ports().isEmpty()) {
      throw configuration.error("ports", program + " has no such key", "name the source itself");
    }
    if (configuration.engine().mostWorkers() > 1) {
      throw configuration.error(
          "workers", program + " keeps packets in their order, on one worker", "leave it out");
    }
    return configuration;
  }

  /** Whether it is a file, and no port. */
  public boolean isFile() {
    return Files.exists(Path.of(text)) || !text.matches("[a-z]+:.*");
  }

  /**
   * Returns if a file that is to be written is not the one that is read.
   *
   * @throws ConfigException if it is, under whatever name
   */
  public void requireOther(Path written) {
    Path read = Path.of(isFile() ? text : text.replaceFirst("^pcap:(?:.*,)?rx=([^,]*).*", "$1"));
    try {
      if (Files.exists(read) && Files.exists(written) && Files.isSameFile(read, written)) {
        throw new ConfigException(
            "file would be written over while it is read: source=%s, parquet=%s; name another"
                .formatted(text, written));
      }
    } catch (IOException e) {
      throw new ConfigException(
          "file cannot be looked at: file=%s, error=%s; name another".formatted(written, e));
    }
  }

  /**
   * Opens it as a port.
   *
   * @throws ConfigException if it cannot be read from
   */
  public Port open(Engine engine) {
    Port port = engine.port(PORT, isFile() ? "pcap:rx=" + text + ",linktype=any" : text);
    if (port.rxQueues() == 0) {
      throw new ConfigException(
          "port does not receive: address=%s; name a capture file, or give it a source, such as rx=FILE"
              .formatted(text));
    }
    return port;
  }
}
