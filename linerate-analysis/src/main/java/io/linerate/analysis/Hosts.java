package io.linerate.analysis;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Adds flows up by their ends. */
final class Hosts {
  /** Of a host: its flows; packets and bytes that it has sent, and received. */
  private static final class Sum {
    private final HostAddress host;
    private long flows;
    private long packets;
    private long bytes;
    private long packetsBack;
    private long bytesBack;

    Sum(HostAddress host) {
      this.host = host;
    }

    void add(Tally tally, int sent, int newFlows) {
      flows += newFlows;
      packets += tally.packets(sent);
      bytes += tally.bytes(sent);
      packetsBack += tally.packets(1 - sent);
      bytesBack += tally.bytes(1 - sent);
    }

    HostTraffic toTraffic() {
      return new HostTraffic(host, flows, packets, bytes, packetsBack, bytesBack);
    }
  }

  private final Map<HostAddress, Sum> sums = new HashMap<>();

  void add(FlowId flow, Tally tally) {
    HostAddress one = flow.address(0);
    HostAddress other = flow.address(1);
    sums.computeIfAbsent(one, Sum::new).add(tally, 0, 1);
    sums.computeIfAbsent(other, Sum::new).add(tally, 1, other.equals(one) ? 0 : 1);
  }

  List<HostTraffic> byBytes(int most) {
    return largest(most, sum -> sum.bytes + sum.bytesBack);
  }

  List<HostTraffic> byPackets(int most) {
    return largest(most, sum -> sum.packets + sum.packetsBack);
  }

  private List<HostTraffic> largest(int most, ToLongFunction<Sum> size) {
    Comparator<Sum> order =
        Comparator.comparingLong(size).thenComparing(sum -> sum.host, Comparator.reverseOrder());
    Largest<Sum> largest = new Largest<>(most, order);
    sums.values().forEach(largest::add);
    return largest.list().stream().map(Sum::toTraffic).toList();
  }
}
