package io.linerate.fabric.heap;

import io.linerate.fabric.Destination;
import io.linerate.fabric.FabricDomain;
import io.linerate.fabric.FabricException;
import io.linerate.fabric.MemoryRegion;
import io.linerate.fabric.Operand;
import io.linerate.fabric.OperandOptions;
import io.linerate.fabric.OperandPool;
import io.linerate.fabric.RegionArena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Arrays that are copied into registered buffers of its own, and out of such: Javia's <i>copy</i>;
 * with {@link #receive(ArrayType)} its <i>copy+alloc</i>.
 */
public final class CopiedMessages implements HeapMessages {
  private final Destination to;
  private final HeapOptions options;
  private final PostedBuffers posted;
  private final OperandPool operands;
  private final RegionArena arena;

  /** For what is copied by the provider at once, so that one is enough. */
  private final MemoryRegion injected;

  private final int injectBytes;

  public CopiedMessages(Destination to, HeapOptions options) {
    this.to = to;
    this.options = options;
    FabricDomain domain = to.endpoint().domain();
    injectBytes = (int) Math.min(options.bytes(), domain.provider().injectBytes());
    posted = new PostedBuffers(to.endpoint(), options);
    operands =
        new OperandPool(domain, OperandOptions.DEFAULT.bounce(options.buffers(), options.bytes()));
    arena = domain.arena();
    injected = domain.register(arena.allocate(Math.max(1, injectBytes), Long.BYTES));
  }

  @Override
  public long limit() {
    return options.bytes();
  }

  @Override
  public long receiveLimit() {
    return options.bytes();
  }

  @Override
  public boolean send(MemorySegment array) {
    long bytes = array.byteSize();
    if (array.isNative() || bytes > options.bytes()) {
      throw new FabricException(
          "an array cannot be sent: length=%d, limit=%d, heap=%s; send it in parts, or native memory by a descriptor"
              .formatted(bytes, limit(), !array.isNative()));
    }
    if (bytes <= injectBytes) {
      MemorySegment.copy(array, 0, injected.segment(), 0, bytes);
      return to.inject(injected, 0, bytes);
    }
    Operand operand = operands.outgoing(array);
    if (operand == null) {
      return false;
    }
    if (to.send(operand.closeWhenComplete().descriptor())) {
      return true;
    }
    operand.close();
    return false;
  }

  @Override
  public long receive(MemorySegment array) {
    return posted.receive(array);
  }

  @Override
  public <A> @Nullable A receive(ArrayType<A> type) {
    return posted.receive(type);
  }

  @Override
  public long next() {
    return posted.next();
  }

  @Override
  public void close() {
    posted.close();
    operands.close();
    arena.close();
  }
}
