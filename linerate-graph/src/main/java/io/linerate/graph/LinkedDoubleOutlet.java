package io.linerate.graph;

import java.lang.invoke.MethodHandles;
import java.util.function.DoubleConsumer;

/**
 * The {@link DoubleOutlet} of one link: its class is made once for each, see {@link HandlerClass}.
 */
final class LinkedDoubleOutlet extends DoubleOutlet {
  private static final TokenLink.Constant CONSTANT =
      HandlerClass.constant(MethodHandles.lookup(), TokenLink.Constant.class);
  private static final TokenLink LINK = CONSTANT.link();
  private static final int GENERATION = CONSTANT.generation();

  private static final DoubleConsumer TARGET = (DoubleConsumer) CONSTANT.handler();

  LinkedDoubleOutlet() {
    super(LINK);
  }

  @Override
  public void accept(double token) {
    if (!LINK.count(GENERATION)) {
      ((DoubleConsumer) LINK.outlet()).accept(token);
      return;
    }
    try {
      TARGET.accept(token);
    } catch (Throwable e) { // Whatever the element does, its worker goes on.
      LINK.failed(e);
    }
  }
}
