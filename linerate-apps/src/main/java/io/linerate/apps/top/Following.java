package io.linerate.apps.top;

import io.linerate.core.counter.ProgramInfo;
import io.linerate.dashboard.state.Moment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A program whose numbers are read again and again: what it did since the reading before, and its
 * rates of the last minute.
 */
final class Following implements Ranked {
  /** More ports than a screen shows; they may come and go under ever new names. */
  private static final int MOST_HISTORIES = 4_096;

  private final ProgramInfo program;
  private final History whole = new History(new RateHistory(), new RateHistory());
  private final Map<String, History> ofPorts = new HashMap<>();
  private Interval interval;
  private List<PortRow> ports;

  /** Rates of the last minute. */
  record History(RateHistory received, RateHistory sent) {}

  Following(ProgramInfo program, Moment first) {
    this.program = program;
    interval = new Interval(first, first);
    ports = PortRow.of(interval);
  }

  /** Takes note of another reading. One of the same numbers says nothing new. */
  void add(Moment moment) {
    if (moment.timeMs() == now().timeMs()) {
      return;
    }
    interval = new Interval(now(), moment);
    ports = PortRow.of(interval);
    note(whole, received(), sent());
    for (PortRow port : ports) {
      if (ofPorts.size() < MOST_HISTORIES || ofPorts.containsKey(port.name())) {
        note(history(port.name()), port.received(), port.sent());
      }
    }
  }

  private void note(History history, Pace received, Pace sent) {
    history.received.add(now().timeMs(), received.perSecond());
    history.sent.add(now().timeMs(), sent.perSecond());
  }

  ProgramInfo program() {
    return program;
  }

  @Override
  public String name() {
    return program.name();
  }

  @Override
  public Pace passed() {
    return received().plus(sent());
  }

  /** What was dropped for a bad reason, and what devices lost, as the page has it. */
  @Override
  public Pace lost() {
    return interval.pace(table -> table.dropped() + table.lost());
  }

  Moment now() {
    return interval.after();
  }

  /** What was done since the reading before. */
  Interval interval() {
    return interval;
  }

  List<PortRow> ports() {
    return ports;
  }

  Pace received() {
    return interval.pace("linerate_received_packets_total");
  }

  Pace sent() {
    return interval.pace("linerate_sent_packets_total");
  }

  History history() {
    return whole;
  }

  History history(String port) {
    return ofPorts.computeIfAbsent(port, _ -> new History(new RateHistory(), new RateHistory()));
  }
}
