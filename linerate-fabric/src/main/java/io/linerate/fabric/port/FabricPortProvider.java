package io.linerate.fabric.port;

import io.linerate.core.config.ConfigException;
import io.linerate.core.port.AddressOptions;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortException;
import io.linerate.core.port.PortProvider;
import io.linerate.core.port.PortRequest;
import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.FabricException;
import io.linerate.fabric.channel.ChannelSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code fabric:shm:NAME[,key=value,...]}, {@code fabric:tcp:HOST:PORT[,...]}: frames to and from
 * the port of another process or host that has the same address. One side listens, the other
 * connects; who comes first to an address of this host listens, unless it is said.
 *
 * <pre>
 *   role         listen, connect or auto                                          auto
 *   queues       in each direction, 1 to 64, the same on both sides               1
 *   window       messages that a peer may have under way, 2 to 4096               64
 *   messagesize  bytes of a message at most, 64 to 16777216; both sides' least    65536
 * </pre>
 *
 * <p>A queue takes two addresses: for queue {@code n}, counted from 0, packets to the side that
 * listens go by port {@code PORT + 2n}, the others by the next one; of shm, {@code NAME.2n} and so
 * on.
 */
public final class FabricPortProvider implements PortProvider {
  private static final int MOST_QUEUES = 64;

  /** Which side listens. */
  enum Role {
    AUTO,
    LISTEN,
    CONNECT
  }

  @Override
  public String scheme() {
    return "fabric";
  }

  @Override
  public DriverPort open(PortRequest request) {
    AddressOptions options =
        AddressOptions.named(request.address(), List.of("role", "queues", "window", "messagesize"));
    String name =
        options.name(
            text -> !text.isEmpty(),
            "not an address of a fabric",
            "write fabric:shm:NAME or fabric:tcp:HOST:PORT");
    FabricAddress address = FabricAddress.parse(name);
    if (address.port() == 0) {
      throw new ConfigException(
          "no port that the other side could know: address=%s; write one from 1 to 65535"
              .formatted(address));
    }
    Role role = options.word("role", Role.AUTO);
    int queues = options.number("queues", 1, 1, MOST_QUEUES);
    ChannelSettings settings =
        new ChannelSettings(
            options.number("window", 64, 2, 4096),
            options.number("messagesize", 65_536, 64, 16 << 20),
            1,
            ChannelSettings.DEFAULT.lostAfter(),
            ChannelSettings.DEFAULT.waiting());
    List<FabricLine> lines = new ArrayList<>();
    try {
      boolean isListening = begin(lines, role, address, settings);
      for (int i = 1; i < 2 * queues; i++) {
        FabricAddress next = numbered(address, i);
        lines.add(
            isListening
                ? FabricLine.listening(next, settings)
                : FabricLine.connecting(next, settings));
      }
      List<FabricLine> even = new ArrayList<>();
      List<FabricLine> odd = new ArrayList<>();
      for (int i = 0; i < lines.size(); i++) {
        (i % 2 == 0 ? even : odd).add(lines.get(i));
      }
      return isListening
          ? new FabricPort(request, even, odd)
          : new FabricPort(request, odd, even).awaitLink();
    } catch (FabricException e) {
      lines.forEach(FabricLine::close);
      if (e.isAddressUnknown()) {
        throw new ConfigException(String.valueOf(e.getMessage()));
      }
      throw new PortException(
          "fabric port cannot be opened: port=%s, address=%s, reason=%s"
              .formatted(request.name(), address, e.getMessage()),
          e);
    }
  }

  /** Opens the first line, which decides who listens. */
  private static boolean begin(
      List<FabricLine> lines, Role role, FabricAddress address, ChannelSettings settings) {
    FabricAddress first = numbered(address, 0);
    if (role != Role.CONNECT) {
      try {
        lines.add(FabricLine.listening(first, settings));
        return true;
      } catch (FabricException e) {
        if (role == Role.LISTEN || !e.isAddressUnavailable()) {
          throw e;
        }
      }
    }
    lines.add(FabricLine.connecting(first, settings));
    return false;
  }

  private static FabricAddress numbered(FabricAddress address, int index) {
    if (address.port() < 0) {
      return new FabricAddress(address.provider(), address.host() + "." + index, -1);
    }
    int port = address.port() + index;
    if (port > 65_535) {
      throw new ConfigException(
          "too few ports behind an address: address=%s, port=%d; begin with a lower one"
              .formatted(address, port));
    }
    return new FabricAddress(address.provider(), address.host(), port);
  }
}
