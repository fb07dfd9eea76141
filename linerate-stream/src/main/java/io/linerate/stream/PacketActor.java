package io.linerate.stream;

import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.graph.DoubleOutlet;
import io.linerate.graph.Element;
import io.linerate.graph.LongOutlet;
import io.linerate.graph.ObjectOutlet;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.TokenType;
import io.linerate.graph.Wiring;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * Makes a token of each packet, which goes on: where nobody wants it, it is consumed.
 *
 * @param function makes, on each worker, a {@link ToLongFunction}, {@link ToDoubleFunction} or
 *     {@link Function} of packets; where the last returns null there is no token
 */
record PacketActor(TokenType out, Supplier<?> function, Supervision supervision)
    implements Element {
  static final String PACKETS = "packets";

  @Override
  public Shape shape() {
    return Shape.NONE.input("in").optionalOutput(PACKETS).tokenOutput("out", out).anyLink();
  }

  @Override
  @SuppressWarnings("unchecked") // The builder knows what it makes.
  public void open(Wiring wiring) {
    Outlet packets = wiring.output(PACKETS, DropReason.CONSUMED);
    Object made = function.get();
    if (out.equals(TokenType.LONGS)) {
      ToLongFunction<Packet> toLong = (ToLongFunction<Packet>) made;
      wiring.linkEach(
          "in",
          links -> {
            LongOutlet tokens = links.longs("out");
            return packet -> tokens.accept(toLong.applyAsLong(packet));
          },
          packets);
    } else if (out.equals(TokenType.DOUBLES)) {
      ToDoubleFunction<Packet> toDouble = (ToDoubleFunction<Packet>) made;
      wiring.linkEach(
          "in",
          links -> {
            DoubleOutlet tokens = links.doubles("out");
            return packet -> tokens.accept(toDouble.applyAsDouble(packet));
          },
          packets);
    } else {
      objects((Class<Object>) out.carrier(), (Function<Packet, Object>) made, wiring, packets);
    }
    Supervisor.watch(wiring, supervision);
  }

  private static <T> void objects(
      Class<T> type, Function<Packet, T> function, Wiring wiring, Outlet packets) {
    wiring.linkEach(
        "in",
        links -> {
          ObjectOutlet<T> tokens = links.objects("out", type);
          return packet -> {
            T token = function.apply(packet);
            if (token != null) {
              tokens.accept(token);
            }
          };
        },
        packets);
  }
}
