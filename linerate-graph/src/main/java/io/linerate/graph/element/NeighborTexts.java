package io.linerate.graph.element;

import io.linerate.core.config.ConfigException;
import io.linerate.graph.ValueType;
import io.linerate.graph.Wiring;
import io.linerate.wire.Ipv6Address;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.function.IntFunction;

/** What people read and write of the neighbors. */
final class NeighborTexts {
  private final Neighbors neighbors;
  private final NeighborTable table;
  private final UnresolvedNeighbors unresolved;
  private final NeighborProtocol protocol;

  NeighborTexts(Neighbors neighbors, NeighborProtocol protocol) {
    this.neighbors = neighbors;
    table = neighbors.known();
    unresolved = neighbors.unresolved();
    this.protocol = protocol;
  }

  void register(Wiring wiring) {
    wiring.read("table", ValueType.TEXT, this::lines);
    wiring.write("add", ValueType.TEXT, this::add);
    wiring.write("clear", ValueType.TEXT, this::clear);
  }

  private String lines() {
    StringJoiner lines = new StringJoiner("\n");
    add(lines, table, neighbors::state);
    add(lines, unresolved.table(), at -> "unresolved held=" + unresolved.size(at));
    return lines.toString();
  }

  private void add(StringJoiner lines, NeighborTable entries, IntFunction<String> state) {
    for (int slot = 0; slot < entries.slots(); slot++) {
      int at = entries.entry(slot);
      if (at != NeighborTable.NONE) {
        lines.add(protocol.format(entries.high(at), entries.low(at)) + " " + state.apply(at));
      }
    }
  }

  private void add(String text) {
    String[] words = text.split(" +", -1);
    if (words.length != 2) {
      throw new ConfigException(
          "not a neighbor: value=" + text + "; write its IP and its MAC address");
    }
    Ipv6Address address = parse(words[0], protocol::parse);
    long mac = parse(words[1], NeighborProtocol::parseMac);
    if (!neighbors.keep(address.high(), address.low(), mac)) {
      throw new ConfigException(
          "no room for a neighbor: value="
              + text
              + ", slots="
              + table.slots()
              + "; give the element more of them");
    }
  }

  private void clear(String text) {
    if (text.equals("all")) {
      for (int slot = 0; slot < table.slots(); slot++) {
        neighbors.forget(table.entry(slot));
      }
      return;
    }
    Ipv6Address address = parse(text, protocol::parse);
    neighbors.forget(table.find(address.high(), address.low()));
  }

  private static <T> T parse(String text, Function<String, T> parser) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(String.valueOf(e.getMessage()));
    }
  }
}
