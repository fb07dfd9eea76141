package io.linerate.filter;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The names that the system knows: services(5), protocols(5), networks(5), ethers(5), which are
 * read anew for each name, and hosts of its resolver.
 *
 * @param folder where the files are
 */
record SystemNames(Path folder) implements FilterNames {
  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final Pattern PORT = Pattern.compile("([0-9]{1,5})/(tcp|udp)");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,5}");
  private static final Pattern ETHERNET = Pattern.compile("[0-9A-Fa-f]{1,2}(:[0-9A-Fa-f]{1,2}){5}");
  private static final int MAX_PORT = 65_535;

  @Override
  public List<byte[]> host(String name) {
    try {
      return Stream.of(InetAddress.getAllByName(name)).map(InetAddress::getAddress).toList();
    } catch (UnknownHostException e) {
      return List.of();
    }
  }

  @Override
  public Optional<Service> service(String name) {
    if (NUMBER.matcher(name).matches()) {
      int port = Integer.parseInt(name);
      return port <= MAX_PORT ? Optional.of(new Service(port, true, true)) : Optional.empty();
    }
    int tcp = port(name, "tcp");
    int udp = port(name, "udp");
    if (tcp < 0 && udp < 0) {
      return Optional.empty();
    }
    return Optional.of(
        tcp < 0 ? new Service(udp, false, true) : new Service(tcp, true, udp == tcp));
  }

  private int port(String name, String protocol) {
    for (String[] words : lines("services")) {
      Matcher port = PORT.matcher(words.length < 2 ? "" : words[1]);
      if (port.matches() && port.group(2).equals(protocol) && isNamed(words, name)) {
        return Integer.parseInt(port.group(1));
      }
    }
    return -1;
  }

  @Override
  public OptionalInt protocol(String name) {
    for (String[] words : lines("protocols")) {
      if (words.length >= 2 && NUMBER.matcher(words[1]).matches() && isNamed(words, name)) {
        return OptionalInt.of(Integer.parseInt(words[1]));
      }
    }
    return OptionalInt.empty();
  }

  @Override
  public OptionalInt network(String name) {
    for (String[] words : lines("networks")) {
      if (words.length >= 2 && isNamed(words, name)) {
        return networkNumber(words[1]);
      }
    }
    return OptionalInt.empty();
  }

  /** As inet_network(3) reads it: {@code 127.1} is 0x7F01. */
  private static OptionalInt networkNumber(String text) {
    int number = 0;
    List<String> parts = Arrays.asList(text.split("\\.", -1));
    for (String part : parts) {
      if (!NUMBER.matcher(part).matches() || Integer.parseInt(part) > 0xFF || parts.size() > 4) {
        return OptionalInt.empty();
      }
      number = (number << 8) | Integer.parseInt(part);
    }
    return OptionalInt.of(number);
  }

  @Override
  public Optional<byte[]> ethernet(String name) {
    for (String[] words : lines("ethers")) {
      if (words.length >= 2 && words[1].equals(name) && ETHERNET.matcher(words[0]).matches()) {
        return Optional.of(bytes(words[0]));
      }
    }
    return Optional.empty();
  }

  private static byte[] bytes(String text) {
    String[] parts = text.split(":", -1);
    byte[] bytes = new byte[parts.length];
    for (int i = 0; i < parts.length; i++) {
      bytes[i] = (byte) Integer.parseInt(parts[i], 16);
    }
    return bytes;
  }

  /** Whether a line is of that name: its first word, or an alias, from the third word on. */
  private static boolean isNamed(String[] words, String name) {
    return words[0].equals(name) || Arrays.asList(words).subList(2, words.length).contains(name);
  }

  /** Words of all lines that have some. A file that cannot be read has none. */
  private List<String[]> lines(String file) {
    try (Stream<String> lines = Files.lines(folder.resolve(file), StandardCharsets.ISO_8859_1)) {
      return lines
          .map(line -> line.replaceFirst("#.*", "").strip())
          .filter(line -> !line.isEmpty())
          .map(line -> BLANKS.split(line, -1))
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }
}
