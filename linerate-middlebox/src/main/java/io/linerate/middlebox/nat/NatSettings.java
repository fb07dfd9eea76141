package io.linerate.middlebox.nat;

import io.linerate.track.ConnectionTable;
import io.linerate.track.Phase;
import io.linerate.track.TrackSettings;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.classify.PortRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * How addresses and ports are translated (NAPT44, NAT64).
 *
 * @param outside addresses of IPv4 that hosts inside have outside, 1 to {@value #MOST_ADDRESSES}; a
 *     host has the same one for all that it sends (RFC 4787, REQ-2)
 * @param ports that mappings have outside
 * @param filtering of what comes from outside
 * @param hairpinning whether hosts inside reach each other by their outside addresses
 * @param forwards ports that always lead to hosts inside
 * @param mostPorts that one host inside has at once, of all protocols together (RFC 6888, REQ-4);
 *     each worker gives it an equal part of them
 * @param connections that each worker knows at most
 * @param tracking of connections
 * @param workers which share the ports: each has its own, in blocks of 64
 * @param isLogged whether mappings are noted in the log
 * @param nat64 addresses by which hosts inside that have IPv6 reach those of IPv4 outside, whose
 *     mappings, ports and connections are the same; empty: IPv6 is not translated
 */
public record NatSettings(
    List<String> outside,
    PortRange ports,
    NatFiltering filtering,
    boolean hairpinning,
    List<NatForward> forwards,
    int mostPorts,
    int connections,
    TrackSettings tracking,
    int workers,
    boolean isLogged,
    Optional<Nat64> nat64) {
  /** Outside addresses at most. */
  public static final int MOST_ADDRESSES = 64;

  /** Workers at most. */
  public static final int MOST_WORKERS = 64;

  private static final PortRange USUAL_PORTS = new PortRange(1_024, 65_535);
  private static final int USUAL_CONNECTIONS = 65_536;
  private static final int BLOCK_BITS = 6;

  public NatSettings {
    outside = List.copyOf(outside);
    forwards = List.copyOf(forwards);
  }

  /**
   * One outside address, and what is usual: ports from 1024 on, endpoint-independent filtering,
   * hairpinning, connections of TCP that are seen from the middle on, since others may know them
   * from before.
   */
  public static NatSettings of(String outside) {
    return new NatSettings(
        List.of(outside),
        USUAL_PORTS,
        NatFiltering.ENDPOINT_INDEPENDENT,
        true,
        List.of(),
        USUAL_PORTS.last(),
        USUAL_CONNECTIONS,
        usual(TrackSettings.DEFAULT),
        1,
        false,
        Optional.empty());
  }

  /**
   * How a translator tracks connections: those of TCP that others know from before are picked up,
   * and one that is reset is kept for four minutes (RFC 7857, section 2.2).
   */
  public static TrackSettings usual(TrackSettings settings) {
    return settings.withPicksUp(true).withTimeout(Phase.TCP_CLOSED, Duration.ofMinutes(4));
  }

  public NatSettings withPorts(PortRange other) {
    return new NatSettings(
        outside,
        other,
        filtering,
        hairpinning,
        forwards,
        mostPorts,
        connections,
        tracking,
        workers,
        isLogged,
        nat64);
  }

  public NatSettings withFiltering(NatFiltering other) {
    return new NatSettings(
        outside,
        ports,
        other,
        hairpinning,
        forwards,
        mostPorts,
        connections,
        tracking,
        workers,
        isLogged,
        nat64);
  }

  public NatSettings withForwards(List<NatForward> other) {
    return new NatSettings(
        outside,
        ports,
        filtering,
        hairpinning,
        other,
        mostPorts,
        connections,
        tracking,
        workers,
        isLogged,
        nat64);
  }

  public NatSettings withMostPorts(int other) {
    return new NatSettings(
        outside,
        ports,
        filtering,
        hairpinning,
        forwards,
        other,
        connections,
        tracking,
        workers,
        isLogged,
        nat64);
  }

  public NatSettings withConnections(int other) {
    return new NatSettings(
        outside,
        ports,
        filtering,
        hairpinning,
        forwards,
        mostPorts,
        other,
        tracking,
        workers,
        isLogged,
        nat64);
  }

  public NatSettings withTracking(TrackSettings other) {
    return new NatSettings(
        outside,
        ports,
        filtering,
        hairpinning,
        forwards,
        mostPorts,
        connections,
        other,
        workers,
        isLogged,
        nat64);
  }

  public NatSettings withWorkers(int other) {
    return new NatSettings(
        outside,
        ports,
        filtering,
        hairpinning,
        forwards,
        mostPorts,
        connections,
        tracking,
        other,
        isLogged,
        nat64);
  }

  public NatSettings withNat64(Nat64 other) {
    return new NatSettings(
        outside,
        ports,
        filtering,
        hairpinning,
        forwards,
        mostPorts,
        connections,
        tracking,
        workers,
        isLogged,
        Optional.of(other));
  }

  /** What is wrong with them: sentences. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    if (outside.isEmpty() || outside.size() > MOST_ADDRESSES) {
      problems.add(
          "wrong number of outside addresses: outside=%s; write 1 to %d"
              .formatted(outside, MOST_ADDRESSES));
    }
    Set<Integer> addresses = new HashSet<>();
    for (String text : outside) {
      try {
        if (!Translator.isUnicast(Ipv4Address.parse(text))) {
          problems.add("outside address is no host's: address=" + text + "; write one of your own");
        }
        if (!addresses.add(Ipv4Address.parse(text))) {
          problems.add("outside address stands twice: address=" + text + "; write it once");
        }
      } catch (IllegalArgumentException e) {
        problems.add("outside: " + e.getMessage());
      }
    }
    range(problems, "ports from", ports.first(), 1, 65_535);
    range(problems, "mostPorts", mostPorts, 1, 1 << 24);
    range(
        problems,
        "connections",
        connections,
        ConnectionTable.MIN_CAPACITY,
        ConnectionTable.MAX_CAPACITY);
    range(problems, "workers", workers, 1, MOST_WORKERS);
    if (problems.isEmpty()
        && IntStream.rangeClosed(ports.first(), ports.last()).map(this::ownerOf).distinct().count()
            < workers) {
      problems.add(
          "a worker would have no port: ports=%d-%d, workers=%d; give each a block of %d, or take fewer workers"
              .formatted(ports.first(), ports.last(), workers, 1 << BLOCK_BITS));
    }
    Set<List<Integer>> taken = new HashSet<>();
    for (NatForward forward : forwards) {
      if (!addresses.contains(forward.outside())) {
        problems.add(
            "forward of an address that is not outside: forward=%s; write one of %s"
                .formatted(forward, outside));
      }
      if (addresses.contains(forward.inside()) || !Translator.isUnicast(forward.inside())) {
        problems.add(
            "forward leads to no host inside: forward=%s; write an address that a host has there"
                .formatted(forward));
      }
      if (!taken.add(List.of(forward.protocol(), forward.outside(), forward.outsidePort()))) {
        problems.add("port is forwarded twice: forward=%s; write it once".formatted(forward));
      }
    }
    return problems;
  }

  private static void range(List<String> problems, String name, int value, int min, int max) {
    if (value < min || value > max) {
      problems.add("number out of range: %s=%d; write %d to %d".formatted(name, value, min, max));
    }
  }

  int[] addresses() {
    return outside.stream().mapToInt(Ipv4Address::parse).toArray();
  }

  /**
   * The worker that has a port: inside, and outside unless it is forwarded. So a mapping can keep
   * its port.
   */
  int ownerOf(int port) {
    return (port >>> BLOCK_BITS) % workers;
  }
}
