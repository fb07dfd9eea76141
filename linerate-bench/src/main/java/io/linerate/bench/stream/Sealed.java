package io.linerate.bench.stream;

import static io.linerate.core.driver.NativeMemory.ALL;

import io.linerate.core.driver.RangeOperation;
import io.linerate.core.memory.Packet;
import io.linerate.graph.Element;
import io.linerate.graph.Wiring;
import io.linerate.stream.codec.Aead;
import io.linerate.stream.codec.AeadAlgorithm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Encrypts what is behind the headers of each packet, whose last bytes have room for the tag: where
 * it lies, or in a copy, which is written back, as "A high-level programming framework …", listing
 * 1, has it.
 */
record Sealed(boolean isCopied) implements Element {
  private static final int HEADER_BYTES = 42;

  @Override
  public void open(Wiring wiring) {
    Work work = new Work(AeadAlgorithm.AES_256_GCM.open(new byte[Aead.KEY_BYTES]));
    wiring.each("in", isCopied ? work::sealCopy : work::sealInPlace, wiring.output("out"));
    wiring.onClose(work.aead);
  }

  /** On one worker. */
  private static final class Work implements RangeOperation {
    private final Aead aead;
    private final MemorySegment copy = Arena.ofAuto().allocate(1 << 16, Long.BYTES);
    private long number;

    Work(Aead aead) {
      this.aead = aead;
    }

    void sealInPlace(Packet packet) {
      int _ = packet.apply(HEADER_BYTES, packet.length() - HEADER_BYTES, this);
    }

    @Override
    public int apply(long address, int bytes) {
      return seal(ALL, address, bytes);
    }

    void sealCopy(Packet packet) {
      int bytes = packet.length() - HEADER_BYTES;
      packet.get(HEADER_BYTES, copy, 0, bytes);
      int _ = seal(copy, 0, bytes);
      packet.set(HEADER_BYTES, copy, 0, bytes);
    }

    private int seal(MemorySegment memory, long at, int bytes) {
      return aead.seal(
          0, number++, MemorySegment.NULL, 0, 0, memory, at, bytes - Aead.TAG_BYTES, memory, at);
    }
  }
}
