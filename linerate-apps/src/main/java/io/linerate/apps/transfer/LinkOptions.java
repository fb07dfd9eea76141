package io.linerate.apps.transfer;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.Configuration;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.PathText;
import io.linerate.core.worker.Engine;
import io.linerate.program.run.Options;
import io.linerate.stream.codec.AeadAlgorithm;
import io.linerate.stream.net.LinkKey;
import io.linerate.stream.net.LinkSettings;
import io.linerate.stream.net.StreamHost;
import io.linerate.wire.IpPrefix;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.MacAddress;
import java.io.IOException;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.ParseResult;

/** The options that both ends of a transfer have: the port, the host on it, the key. */
final class LinkOptions {
  /** The name of the port. */
  static final String PORT = "link";

  /** UDP port of receivers, where nothing else is said: nobody has registered it. */
  static final int UDP_PORT = 4_242;

  /** As a page of help has them. */
  static final String PAGE =
      """
      --via PORT  Port to send and receive by, such as packet:eth0 or xdp:eth0.
      --address ADDRESS/BITS[,...]  Its own, one of IPv4; the interface's if left out.
      --router ADDRESS  Where packets go that leave the link.
      --key FILE  Secret bytes of both ends: what is sent is encrypted, and only taken then.
      """;

  private static final Pattern INTERFACE =
      Pattern.compile("(?:^|=)(?:packet|xdp|libpcap|tap):([^,=]+)");

  private static final int LEAST_WORKERS = 2;
  private static final Duration SILENCE = Duration.ofSeconds(10);

  private final String via;
  private final Configuration configuration;
  private final StreamHost host;
  private final LinkSettings settings;

  LinkOptions(ParseResult options, String program, Duration patience) {
    via = options.matchedOptionValue("--via", "");
    if (via.isEmpty()) {
      throw new ConfigException(
          "no port: --via is missing; write --via packet:eth0, with the interface that leads to the other end");
    }
    configuration = Configuration.of(Options.overrides(options), defaults(program));
    if (!configuration.ports().isEmpty()) {
      throw configuration.error("ports", program + " has no such key", "write --via PORT");
    }
    host = host(options);
    settings = settings(options, patience);
  }

  private static EngineConfig defaults(String program) {
    int workers = Math.min(LEAST_WORKERS, Runtime.getRuntime().availableProcessors());
    return EngineConfig.DEFAULT.withProgramName(program).withWorkers(workers);
  }

  String via() {
    return via;
  }

  Configuration configuration() {
    return configuration;
  }

  StreamHost host() {
    return host;
  }

  LinkSettings settings() {
    return settings;
  }

  private LinkSettings settings(ParseResult options, Duration patience) {
    LinkSettings usual =
        LinkSettings.DEFAULT
            .withMtu(configuration.engine().mtu())
            .withTimes(patience.compareTo(SILENCE) < 0 ? patience : SILENCE, patience);
    String file = options.matchedOptionValue("--key", null);
    if (file == null) {
      return usual;
    }
    return usual.withKey(LinkKey.read(PathText.parse(file)));
  }

  /** The key of files that are encrypted by themselves, if there is one. */
  static Optional<FileKey> fileKey(ParseResult options) {
    return Optional.ofNullable(options.<String>matchedOptionValue("--file-key", null))
        .map(file -> FileKey.read(PathText.parse(file)));
  }

  /** The algorithm that an option names. */
  static AeadAlgorithm algorithm(String label) {
    return Arrays.stream(AeadAlgorithm.values())
        .filter(one -> one.label().equals(label))
        .findFirst()
        .orElseThrow(() ->
            new ConfigException(
                "no such cipher: --cipher %s; write %s"
                    .formatted(
                        label,
                        Arrays.stream(AeadAlgorithm.values())
                            .map(AeadAlgorithm::label)
                            .collect(Collectors.joining(" or ")))));
  }

  private StreamHost host(ParseResult options) {
    Optional<NetworkInterface> device = device();
    String mac = device.flatMap(LinkOptions::mac).orElseGet(this::ownMac);
    String written = options.matchedOptionValue("--address", "");
    List<String> addresses = written.isEmpty() ? List.of() : List.of(written.split("[,\\s]+", -1));
    List<String> routers =
        Optional.ofNullable(options.<String>matchedOptionValue("--router", null)).stream().toList();
    routers.forEach(one -> requireAddress("--router", one));
    addresses.forEach(one -> requireAddress("--address", one));
    if (!addresses.isEmpty()) {
      return new StreamHost(PORT, mac, addresses, routers);
    }
    List<String> ofKernel = device.map(LinkOptions::addresses).orElse(List.of());
    if (ofKernel.isEmpty()) {
      requirePort();
      throw new ConfigException(
          "port has no address: --via %s; write --address with one that nobody else has there, such as 192.0.2.1/24"
              .formatted(via));
    }
    return new StreamHost(
        PORT,
        mac,
        ofKernel,
        routers.isEmpty() ? device.flatMap(LinkOptions::router).stream().toList() : routers);
  }

  /** What is wrong with the port comes first: its scheme, its interface. */
  private void requirePort() {
    try (Engine engine = new Engine(configuration.engine())) {
      engine.port(PORT, via);
    }
  }

  private static void requireAddress(String option, String text) {
    try {
      IpPrefix prefix = IpPrefix.parse(text);
      if (option.equals("--router") || (text.indexOf('/') > 0 && prefix.bits() > 0)) {
        return;
      }
    } catch (IllegalArgumentException e) {
      // Said below.
    }
    throw new ConfigException(
        "wrong address: %s %s; write one such as %s"
            .formatted(option, text, option.equals("--router") ? "192.0.2.254" : "192.0.2.1/24"));
  }

  /** The interface that the port is on; none: it is something else. */
  private Optional<NetworkInterface> device() {
    Matcher matcher = INTERFACE.matcher(via);
    if (!matcher.find()) {
      return Optional.empty();
    }
    try {
      return Optional.ofNullable(NetworkInterface.getByName(matcher.group(1)));
    } catch (SocketException e) {
      return Optional.empty(); // Opening the port says what is wrong.
    }
  }

  private static Optional<String> mac(NetworkInterface device) {
    try {
      byte[] bytes = device.getHardwareAddress();
      if (bytes == null) {
        return Optional.empty();
      }
      long mac = 0;
      for (byte one : bytes) {
        mac = mac << Byte.SIZE | Byte.toUnsignedLong(one);
      }
      return Optional.of(MacAddress.format(mac));
    } catch (SocketException e) {
      return Optional.empty();
    }
  }

  /** One that nobody else gives out (IEEE 802, section 8.4.4), the same each time. */
  private String ownMac() {
    long hash =
        (configuration.engine().programName() + "/" + via).hashCode() * 0x9E37_79B9_7F4A_7C15L;
    return MacAddress.format(((hash >>> 16) & ~0x0300_0000_0000L) | 0x0200_0000_0000L);
  }

  /** One of IPv4, and those of IPv6. */
  private static List<String> addresses(NetworkInterface device) {
    List<String> addresses = new ArrayList<>();
    boolean hasIpv4 = false;
    for (InterfaceAddress one : device.getInterfaceAddresses()) {
      String text = one.getAddress().getHostAddress().replaceFirst("%.*", "");
      boolean isIpv4 = text.indexOf(':') < 0;
      if (!isIpv4 || !hasIpv4) {
        addresses.add(text + "/" + one.getNetworkPrefixLength());
      }
      hasIpv4 |= isIpv4;
    }
    return addresses;
  }

  /** The kernel's default router of IPv4 on an interface: /proc/net/route, in host byte order. */
  private static Optional<String> router(NetworkInterface device) {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/net/route"))) {
        String[] words = line.strip().split("\\s+", -1);
        if (words.length > 2
            && words[0].equals(device.getName())
            && words[1].equals("00000000")
            && !words[2].equals("00000000")) {
          int address = Integer.reverseBytes(Integer.parseUnsignedInt(words[2], 16));
          return Optional.of(Ipv4Address.format(address));
        }
      }
    } catch (IOException | NumberFormatException e) {
      // Then there is none.
    }
    return Optional.empty();
  }
}
