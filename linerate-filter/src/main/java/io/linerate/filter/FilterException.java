package io.linerate.filter;

/** A filter is wrong. The message says where, and what is expected there. */
public final class FilterException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Characters of a filter that a message repeats. */
  private static final int MAX_QUOTED = 200;

  private final String expression;
  private final int column;
  private final boolean isOfLinkType;

  /**
   * @param expression the filter's text
   * @param column where it is wrong, counted from 1
   * @param problem what is wrong there, and what to do
   */
  public FilterException(String expression, int column, String problem) {
    this(expression, column, problem, false);
  }

  /**
   * @param isOfLinkType see {@link #isOfLinkType()}
   */
  public FilterException(String expression, int column, String problem, boolean isOfLinkType) {
    super("wrong filter: filter=%s, at=%d, %s".formatted(quoted(expression), column, problem));
    this.expression = expression;
    this.column = column;
    this.isOfLinkType = isOfLinkType;
  }

  /** The filter's text. */
  public String expression() {
    return expression;
  }

  /** Where it is wrong: a character of {@link #expression}, counted from 1. */
  public int column() {
    return column;
  }

  /** Whether the filter is right, but not for packets that begin with the link type asked for. */
  public boolean isOfLinkType() {
    return isOfLinkType;
  }

  /** Two lines for terminals: the part of the filter that is wrong, and a caret below it. */
  public String excerpt() {
    int from = Math.max(0, column - 61);
    int to = Math.min(expression.length(), from + 76);
    String line = expression.substring(Math.min(from, to), to).replaceAll("\\s", " ");
    return line + "\n" + " ".repeat(column - 1 - from) + "^";
  }

  private static String quoted(String expression) {
    return expression.length() <= MAX_QUOTED
        ? expression
        : expression.substring(0, MAX_QUOTED) + "...";
  }
}
