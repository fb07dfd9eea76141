package io.linerate.systemtest;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The numbers of a JSON summary that the tests look at. */
record Summary(String json) {
  long received() {
    return number("received");
  }

  long sent() {
    return number("sent");
  }

  long inFlight() {
    return number("inFlight");
  }

  Map<String, Long> dropped() {
    return members("dropped");
  }

  /** The members of the first object of that name; none if there is none. */
  Map<String, Long> members(String name) {
    Matcher object = Pattern.compile("\"" + name + "\"\\s*:\\s*\\{([^}]*)}").matcher(json);
    Map<String, Long> numbers = new LinkedHashMap<>();
    if (object.find()) {
      Matcher entry = Pattern.compile("\"([\\w-]+)\"\\s*:\\s*(\\d+)").matcher(object.group(1));
      while (entry.find()) {
        numbers.put(entry.group(1), Long.parseLong(entry.group(2)));
      }
    }
    return numbers;
  }

  long droppedTotal() {
    return dropped().values().stream().mapToLong(Long::longValue).sum();
  }

  /** The conservation law. */
  boolean isConserved() {
    return received() + number("made") + number("takenOver")
        == sent() + droppedTotal() + number("handedOver") + inFlight();
  }

  /** All numbers of that name. */
  List<Long> numbers(String name) {
    return Pattern.compile("\"" + name + "\"\\s*:\\s*(\\d+)")
        .matcher(json)
        .results()
        .map(match -> Long.parseLong(match.group(1)))
        .toList();
  }

  /** The first number of that name. */
  long number(String name) {
    Matcher matcher = Pattern.compile("\"" + name + "\"\\s*:\\s*(\\d+)").matcher(json);
    if (!matcher.find()) {
      throw new AssertionError("no number in the summary: name=" + name + ", json=" + json);
    }
    return Long.parseLong(matcher.group(1));
  }
}
