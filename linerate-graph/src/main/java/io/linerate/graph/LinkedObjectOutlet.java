package io.linerate.graph;

import java.lang.invoke.MethodHandles;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * The {@link ObjectOutlet} of one link: its class is made once for each, see {@link HandlerClass}.
 */
final class LinkedObjectOutlet extends ObjectOutlet<Object> {
  private static final TokenLink.Constant CONSTANT =
      HandlerClass.constant(MethodHandles.lookup(), TokenLink.Constant.class);
  private static final TokenLink LINK = CONSTANT.link();
  private static final int GENERATION = CONSTANT.generation();

  @SuppressWarnings("unchecked") // The types of edges were checked.
  private static final Consumer<Object> TARGET = (Consumer<Object>) CONSTANT.handler();

  LinkedObjectOutlet() {
    super(LINK);
  }

  @Override
  @SuppressWarnings("unchecked")
  public void accept(Object token) {
    Objects.requireNonNull(token, "token");
    if (!LINK.count(GENERATION)) {
      ((Consumer<Object>) LINK.outlet()).accept(token);
      return;
    }
    try {
      TARGET.accept(token);
    } catch (Throwable e) { // Whatever the element does, its worker goes on.
      LINK.failed(e);
    }
  }
}
