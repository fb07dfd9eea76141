package io.linerate.apps.top;

import static io.linerate.dashboard.state.SampleTable.label;

import java.util.List;
import java.util.Map;

/**
 * A port in the list.
 *
 * @param isDown whether its link is
 */
record PortRow(
    String name,
    String address,
    boolean isDown,
    Pace received,
    Pace receivedBytes,
    Pace sent,
    Pace sentBytes,
    Pace missed,
    Pace errors)
    implements Ranked {

  /** All ports of a program, in their order. */
  static List<PortRow> of(Interval interval) {
    Map<String, Pace> received = paces(interval, "received_packets");
    Map<String, Pace> receivedBytes = paces(interval, "received_bytes");
    Map<String, Pace> sent = paces(interval, "sent_packets");
    Map<String, Pace> sentBytes = paces(interval, "sent_bytes");
    Map<String, Pace> missed = paces(interval, "missed_packets");
    Map<String, Pace> errors = paces(interval, "error_packets");
    return interval.after().table().all("linerate_port_info").stream()
        .map(info -> {
          String name = label(info, "port");
          return new PortRow(
              name,
              label(info, "address"),
              interval.after().table().all("linerate_port_link_up", "port", name).stream()
                  .anyMatch(link -> link.value() == 0),
              received.getOrDefault(name, Pace.NONE),
              receivedBytes.getOrDefault(name, Pace.NONE),
              sent.getOrDefault(name, Pace.NONE),
              sentBytes.getOrDefault(name, Pace.NONE),
              missed.getOrDefault(name, Pace.NONE),
              errors.getOrDefault(name, Pace.NONE));
        })
        .toList();
  }

  private static Map<String, Pace> paces(Interval interval, String what) {
    return interval.paces("linerate_port_" + what + "_total", "port");
  }

  /** Its name, and whether its link is down. */
  String title() {
    return name + (isDown ? " down" : "");
  }

  @Override
  public Pace passed() {
    return received.plus(sent);
  }

  /** Packets that its device lost. */
  @Override
  public Pace lost() {
    return missed.plus(errors);
  }
}
