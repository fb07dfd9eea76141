package io.linerate.apps.decode;

import io.linerate.core.config.ConfigException;
import io.linerate.core.port.Port;
import io.linerate.core.worker.Engine;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where packets come from: a capture file, or a port by its address. */
public record DecodeSource(String text) {
  /** The port's name. */
  public static final String PORT = "source";

  /**
   * @throws ConfigException if nothing is named
   */
  public DecodeSource {
    if (text.isEmpty()) {
      throw new ConfigException(
          "nothing to read from; name a capture file, or a port such as packet:eth1");
    }
  }

  /** Whether it is a file, and no port. */
  public boolean isFile() {
    return Files.exists(Path.of(text)) || !text.matches("[a-z]+:.*");
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
