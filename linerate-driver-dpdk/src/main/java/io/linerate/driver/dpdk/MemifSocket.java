package io.linerate.driver.dpdk;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The UNIX socket at which the two ends of a net_memif link meet: a file, or a name without one
 * (rte_eth_memif.c and memif_socket.c).
 *
 * @param name of the socket
 * @param isFile whether it is a file's
 * @param isServer whether this end listens there
 */
record MemifSocket(String name, boolean isFile, boolean isServer) {
  private static final String DEFAULT = "/run/memif.sock";

  /** What an address says of it; whose driver is net_memif. */
  static MemifSocket of(DpdkAddress address) {
    String name = address.text("socket");
    return new MemifSocket(
        name.isEmpty() ? DEFAULT : name,
        address.text("socket-abstract").equals("no"),
        address.text("role").equals("server"));
  }

  /**
   * Removes the file that a server has left which was killed: DPDK cannot listen there. One at
   * which somebody listens stays, and whatever is no socket.
   */
  void removeLeftover() {
    Path file = Path.of(name);
    if (isFile && isServer && isSocket(file) && !isListening(file)) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        // DPDK says that it cannot listen there.
      }
    }
  }

  /** Whether a server listens there. */
  boolean isServed() {
    Path file = Path.of(name);
    return isFile ? isSocket(file) && isListening(file) : isListed();
  }

  /**
   * Whether the kernel lists a socket of this name that listens: flags with SO_ACCEPTCON, and the
   * zero bytes of an abstract name as @ (unix_seq_show of net/unix/af_unix.c). Yes, if it cannot be
   * read.
   */
  private boolean isListed() {
    Pattern listening =
        Pattern.compile("\\S+ \\S+ \\S+ 00010000 .* @" + Pattern.quote(name) + "@*");
    try (Stream<String> lines = Files.lines(Path.of("/proc/net/unix"), ISO_8859_1)) {
      return lines.anyMatch(line -> listening.matcher(line).matches());
    } catch (IOException | UncheckedIOException e) {
      return true;
    }
  }

  private static boolean isSocket(Path file) {
    try {
      int mode = (int) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS);
      return (mode & 0xF000) == 0xC000; // S_IFSOCK
    } catch (IOException e) {
      return false;
    }
  }

  /** Looks by a socket of another type, so that no server takes it for a client. */
  private static boolean isListening(Path file) {
    try (SocketChannel _ = SocketChannel.open(UnixDomainSocketAddress.of(file))) {
      return true;
    } catch (ConnectException e) {
      return false; // Refused.
    } catch (IOException e) {
      return true; // Of another type.
    }
  }
}
