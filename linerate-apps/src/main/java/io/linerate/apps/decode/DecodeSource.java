package io.linerate.apps.decode;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.Configuration;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.PathText;
import io.linerate.core.port.Port;
import io.linerate.core.port.PortException;
import io.linerate.core.worker.Engine;
import io.linerate.driver.linux.NetInterface;
import io.linerate.program.run.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import picocli.CommandLine.ParseResult;

/**
 * Where packets come from: a capture file, standard input or another pipe, or a port by its
 * address. What is the name of a file that is there is that file, whatever characters it has.
 */
public record DecodeSource(String text) {
  /** The port's name. */
  public static final String PORT = "source";

  private static final String STANDARD_INPUT = "-";

  private static final Pattern ADDRESS = Pattern.compile("[a-z][a-z0-9-]*:.*", Pattern.DOTALL);

  /** Of a file, whose packets lie in it: so many may wait to be put together. */
  private static final int FILE_BUFFERS = 262_144;

  /**
   * @throws ConfigException if nothing is named, or no file can have the name
   */
  public DecodeSource {
    if (text.isEmpty()) {
      throw new ConfigException(
          "nothing to read from; name a capture file, - for standard input, or a port such as packet:eth1");
    }
    Path _ = PathText.parse(text);
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

  /** Whether it is a file that packets lie in, and no pipe or port. */
  public boolean isFile() {
    return !isPipe() && !isAddress();
  }

  /** Whether packets come with the times at which they were recorded, perhaps long ago. */
  public boolean isRecorded() {
    return isFile() || isPipe() || text.startsWith("pcap:") || text.startsWith("libpcap:file=");
  }

  private boolean isPipe() {
    return Files.exists(path()) && !Files.isRegularFile(path()) && !Files.isDirectory(path());
  }

  private boolean isAddress() {
    return !Files.exists(path()) && ADDRESS.matcher(text).matches();
  }

  private Path path() {
    return Path.of(text.equals(STANDARD_INPUT) ? "/dev/stdin" : text);
  }

  /**
   * Returns if a file that is to be written is not the one that is read.
   *
   * @throws ConfigException if it is, under whatever name
   */
  public void requireOther(Path written) {
    Path read =
        isAddress() ? Path.of(text.replaceFirst("^pcap:(?:.*,)?rx=([^,]*).*", "$1")) : path();
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
    requireNoInterface();
    Port port = engine.port(PORT, address());
    if (port.rxQueues() == 0) {
      throw new ConfigException(
          "port does not receive: address=%s; name a capture file, or give it a source, such as rx=FILE"
              .formatted(text));
    }
    return port;
  }

  private String address() {
    if (isAddress()) {
      return text;
    }
    return isPipe()
        ? "libpcap:file=" + escaped(text)
        : "pcap:rx=" + escaped(path().toString()) + ",linktype=any";
  }

  /** As a value of an address, in which these characters mean something. */
  private static String escaped(String path) {
    return path.replace("\\", "\\\\").replace(",", "\\,");
  }

  private void requireNoInterface() {
    if (!Files.exists(path()) && NetInterface.names().contains(text)) {
      throw new PortException(
          "capture file does not exist: file=%s; of the interface of that name write an address, such as packet:%s"
              .formatted(text, text));
    }
  }
}
