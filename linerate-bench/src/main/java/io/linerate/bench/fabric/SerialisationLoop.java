package io.linerate.bench.fabric;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A program under measurement: makes bytes of an object and an object of the bytes by one variant,
 * again and again. Arguments: variant, objects at a time.
 */
public final class SerialisationLoop {
  private static final int OBJECTS = 1_024;

  private final Order[] orders = new Order[OBJECTS];

  /** Of what has been read, so that it has to be. */
  private final AtomicLong seen = new AtomicLong();

  private final Variant variant;
  private final int times;

  /** An object there and back: what came of it, which the next call may overwrite. */
  @FunctionalInterface
  private interface Variant {
    Order copy(Order order);
  }

  private SerialisationLoop(Variant variant, int times) {
    this.variant = variant;
    this.times = times;
    for (int i = 0; i < OBJECTS; i++) {
      orders[i] = new Order();
      orders[i].fill(i);
    }
  }

  public static void main(String[] arguments) {
    SerialisationLoop loop =
        new SerialisationLoop(variant(arguments[0]), Integer.parseInt(arguments[1]));
    new StoppableLoop(loop::round, loop.times).serve(loop::digest);
  }

  private void round() {
    long sum = 0;
    for (int i = 0; i < times; i++) {
      Order copy = variant.copy(orders[i & (OBJECTS - 1)]);
      sum += copy.number + copy.quantities[Order.LEVELS - 1];
    }
    seen.setRelease(sum);
  }

  /** Of all objects as they came back. */
  private long digest() {
    long digest = 0;
    for (Order order : orders) {
      digest = digest * 31 + variant.copy(order).digest();
    }
    return digest;
  }

  private static Variant variant(String name) {
    Order to = new Order();
    MemorySegment memory = Arena.global().allocate(OrderLayout.BYTES);
    return switch (name) {
      case "java.io" -> SerialisationLoop::throughStreams;
      case "heap-buffer" -> throughBuffer(ByteBuffer.allocate((int) OrderLayout.BYTES), to);
      case "direct-buffer" -> throughBuffer(ByteBuffer.allocateDirect((int) OrderLayout.BYTES), to);
      case "segment" ->
          order -> {
            OrderLayout.write(order, memory);
            OrderLayout.read(memory, to);
            return to;
          };
      case "segment-arrays" ->
          order -> {
            OrderLayout.writeWhole(order, memory);
            OrderLayout.readWhole(memory, to);
            return to;
          };
      default -> throw new IllegalArgumentException("no such variant: variant=" + name);
    };
  }

  private static Order throughStreams(Order order) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
        out.writeObject(order);
      }
      try (ObjectInputStream in =
          new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
        return (Order) in.readObject();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("object cannot be copied", e);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("class is lost: class=Order", e);
    }
  }

  private static Variant throughBuffer(ByteBuffer buffer, Order to) {
    buffer.order(ByteOrder.nativeOrder());
    return order -> {
      write(order, buffer.clear());
      read(buffer.flip(), to);
      return to;
    };
  }

  private static void write(Order from, ByteBuffer to) {
    to.putLong(from.number).put((byte) (from.isUrgent ? 1 : 0)).putInt(from.code);
    to.putInt(from.priority);
    for (double price : from.prices) {
      to.putDouble(price);
    }
    for (long quantity : from.quantities) {
      to.putLong(quantity);
    }
  }

  private static void read(ByteBuffer from, Order to) {
    to.number = from.getLong();
    to.isUrgent = from.get() != 0;
    to.code = from.getInt();
    to.priority = from.getInt();
    for (int i = 0; i < Order.LEVELS; i++) {
      to.prices[i] = from.getDouble();
    }
    for (int i = 0; i < Order.LEVELS; i++) {
      to.quantities[i] = from.getLong();
    }
  }
}
