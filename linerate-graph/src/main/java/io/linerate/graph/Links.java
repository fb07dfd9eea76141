package io.linerate.graph;

/** The outputs of tokens of an element, as they are connected: see {@link Linking}. */
public final class Links {
  private final RunningElement element;

  Links(RunningElement element) {
    this.element = element;
  }

  /** An output of tokens that are {@code long}. */
  public LongOutlet longs(String output) {
    return (LongOutlet) outlet(output, TokenType.LONGS);
  }

  /** An output of tokens that are {@code double}. */
  public DoubleOutlet doubles(String output) {
    return (DoubleOutlet) outlet(output, TokenType.DOUBLES);
  }

  /** An output of tokens that are objects of a class. */
  @SuppressWarnings("unchecked") // What comes behind takes what the output was declared to give.
  public <T> ObjectOutlet<T> objects(String output, Class<T> type) {
    return (ObjectOutlet<T>) outlet(output, TokenType.of(type));
  }

  private TokenOutlet outlet(String output, TokenType type) {
    TokenLink link = element.tokens.link(output);
    if (link == null || !link.type().equals(type)) {
      throw new IllegalArgumentException(
          "element has no such output: element=%s, class=%s, port=%s, type=%s; declare it in its shape"
              .formatted(
                  element.name(), element.placed().element().getClass().getName(), output, type));
    }
    return link.outlet();
  }
}
