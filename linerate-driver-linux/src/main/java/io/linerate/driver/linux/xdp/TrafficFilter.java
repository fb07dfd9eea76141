package io.linerate.driver.linux.xdp;

import io.linerate.core.config.ConfigException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Which traffic a port takes from the kernel.
 *
 * @param terms any of them makes a frame match; none: all frames do
 * @param isInverted whether the frames that match stay with the kernel, and all others are taken
 */
record TrafficFilter(List<Term> terms, boolean isInverted) {
  static final TrafficFilter ALL = new TrafficFilter(List.of(), false);

  /** What a term is about. */
  enum Subject {
    ARP(false, 0),
    ICMP(false, 0),
    /** The port may be the source or the destination. */
    TCP(true, 0xFFFF),
    UDP(true, 0xFFFF),
    VLAN(true, 0xFFE);

    private final boolean isNumbered;
    private final int max;

    Subject(boolean isNumbered, int max) {
      this.isNumbered = isNumbered;
      this.max = max;
    }
  }

  /**
   * @param number of a port or VLAN; -1: any
   */
  record Term(Subject subject, int number) {}

  private static final Pattern TERM = Pattern.compile("(arp|icmp|tcp|udp|vlan)(?:/([0-9]{1,5}))?");

  /**
   * Reads terms, such as {@code udp/53+vlan/7}; "": all traffic.
   *
   * @throws ConfigException if a term is wrong
   */
  static TrafficFilter of(String text, boolean isInverted) {
    return text.isEmpty()
        ? ALL
        : new TrafficFilter(
            Stream.of(text.split("\\+", -1)).map(TrafficFilter::term).toList(), isInverted);
  }

  private static Term term(String text) {
    Matcher matcher = TERM.matcher(text);
    if (matcher.matches()) {
      Subject subject = Subject.valueOf(matcher.group(1).toUpperCase(Locale.ROOT));
      int number = matcher.group(2) == null ? -1 : Integer.parseInt(matcher.group(2));
      if (number <= subject.max && (subject.isNumbered || number < 0)) {
        return new Term(subject, number);
      }
    }
    throw new ConfigException(
        "bad traffic filter: term=%s; write arp, icmp, tcp, tcp/PORT, udp, udp/PORT, vlan or vlan/ID, several joined by +"
            .formatted(text));
  }

  boolean isAll() {
    return terms.isEmpty();
  }

  /** The terms of a subject. */
  List<Term> about(Subject subject) {
    return terms.stream().filter(term -> term.subject() == subject).toList();
  }
}
