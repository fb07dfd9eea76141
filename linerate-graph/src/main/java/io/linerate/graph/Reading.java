package io.linerate.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What was read by a handler's name.
 *
 * @param name {@code element.handler}
 * @param isSum whether the values of the workers are to be added up
 * @param values one for each worker that has the element
 */
public record Reading(String name, ValueType<?> type, boolean isSum, List<Object> values) {
  public Reading {
    values = List.copyOf(values);
  }

  /** All workers' values added up, of numbers. */
  public long sum() {
    return values.stream().mapToLong(value -> ((Number) value).longValue()).sum();
  }

  /** All workers' values added up, of lists of numbers of one length. */
  public List<Long> sums() {
    List<Long> sums = new ArrayList<>();
    for (Object value : values) {
      int index = 0;
      for (Object number : (List<?>) value) {
        long one = ((Number) number).longValue();
        if (index == sums.size()) {
          sums.add(one);
        } else {
          sums.set(index, sums.get(index) + one);
        }
        index++;
      }
    }
    return sums;
  }

  private static String text(Object value) {
    return value instanceof List<?> list
        ? list.stream().map(Object::toString).collect(Collectors.joining(" "))
        : value.toString();
  }

  /** Each worker's value. */
  public List<String> texts() {
    return values.stream().map(Reading::text).toList();
  }

  /**
   * For people and scripts: the sum, the value that all workers have, or each worker's, with commas
   * between, or below each other if they are lines.
   */
  public String text() {
    if (isSum) {
      return type.equals(ValueType.NUMBERS) ? text(sums()) : String.valueOf(sum());
    }
    List<String> texts = values.stream().distinct().map(Reading::text).toList();
    return texts.stream().anyMatch(text -> text.contains("\n"))
        ? joinedLines(texts)
        : String.join(", ", texts);
  }

  /** Lines of several workers, below each other. */
  private static String joinedLines(List<String> texts) {
    StringBuilder lines = new StringBuilder();
    for (String text : texts) {
      if (!text.isEmpty() && !lines.isEmpty() && lines.charAt(lines.length() - 1) != '\n') {
        lines.append('\n');
      }
      lines.append(text);
    }
    return lines.toString();
  }

  @Override
  public String toString() {
    return text();
  }
}
