package io.linerate.graph;

import java.lang.invoke.MethodHandles;
import java.util.function.LongConsumer;

/**
 * The {@link LongOutlet} of one link: its class is made once for each, see {@link HandlerClass}.
 */
final class LinkedLongOutlet extends LongOutlet {
  private static final TokenLink.Constant CONSTANT =
      HandlerClass.constant(MethodHandles.lookup(), TokenLink.Constant.class);
  private static final TokenLink LINK = CONSTANT.link();
  private static final int GENERATION = CONSTANT.generation();

  private static final LongConsumer TARGET = (LongConsumer) CONSTANT.handler();

  LinkedLongOutlet() {
    super(LINK);
  }

  @Override
  public void accept(long token) {
    if (!LINK.count(GENERATION)) {
      ((LongConsumer) LINK.outlet()).accept(token);
      return;
    }
    try {
      TARGET.accept(token);
    } catch (Throwable e) { // Whatever the element does, its worker goes on.
      LINK.failed(e);
    }
  }
}
