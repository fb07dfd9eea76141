package io.linerate.stream;

import io.linerate.graph.Element;
import io.linerate.graph.Shape;
import io.linerate.graph.TokenType;
import io.linerate.graph.Wiring;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * The end of tokens.
 *
 * @param consumer makes what takes them, on each worker
 */
record SinkActor(TokenType in, Supplier<?> consumer, Supervision supervision) implements Element {
  @Override
  public Shape shape() {
    return Shape.NONE.tokenInput("in", in);
  }

  @Override
  @SuppressWarnings("unchecked") // The builder knows what it makes.
  public void open(Wiring wiring) {
    Object made = consumer.get();
    if (in.equals(TokenType.LONGS)) {
      wiring.longs("in", (LongConsumer) made);
    } else if (in.equals(TokenType.DOUBLES)) {
      wiring.doubles("in", (DoubleConsumer) made);
    } else {
      wiring.objects("in", in.carrier(), (Consumer<Object>) made);
    }
    if (made instanceof AutoCloseable closeable) {
      wiring.onClose(closeable);
    }
    Supervisor.watch(wiring, supervision);
  }
}
