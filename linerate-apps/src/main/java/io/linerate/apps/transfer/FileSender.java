package io.linerate.apps.transfer;

import io.linerate.core.driver.NativeMemory;
import io.linerate.graph.Element;
import io.linerate.graph.Links;
import io.linerate.graph.ObjectOutlet;
import io.linerate.graph.Round;
import io.linerate.graph.Shape;
import io.linerate.graph.TokenType;
import io.linerate.graph.Wiring;
import io.linerate.stream.Bytes;
import io.linerate.stream.codec.AeadAlgorithm;
import io.linerate.stream.codec.Codec;
import io.linerate.stream.codec.Compression;
import io.linerate.stream.net.Message;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads files, compresses them, and sends them as messages: docs/transfer.md.
 *
 * <pre>
 * inputs      answers: Message
 * outputs     messages: Bytes
 * parameters  plan: what is sent, of all workers
 *             key: of files that are encrypted by themselves; algorithm: which encrypts them
 * drops       none
 * example     g.add("files", new FileSender(plan, Optional.empty(), AeadAlgorithm.AES_256_GCM))
 * </pre>
 */
record FileSender(SendPlan plan, Optional<FileKey> key, AeadAlgorithm algorithm)
    implements Element {
  @Override
  public Shape shape() {
    return Shape.NONE
        .tokenInput("answers", TokenType.of(Message.class))
        .tokenOutput("messages", TokenType.of(Bytes.class));
  }

  @Override
  public void open(Wiring wiring) {
    State state = new State(this, wiring);
    wiring.objects("answers", Message.class, state::answered);
    wiring.linkRound((Links links) -> {
      state.out = links.objects("messages", Bytes.class);
      return state;
    });
    wiring.onClose(state);
  }

  /** On one worker. */
  private static final class State implements Round, AutoCloseable {
    private static final int STEPS = 16;
    private static final long FAREWELL_NS = 2_000_000_000L;

    private final SendPlan plan;
    private final Optional<FileSeal> seal;
    private final Wiring wiring;
    private final MemorySegment raw = Arena.ofAuto().allocate(TransferWire.CHUNK_SIZE, Long.BYTES);
    private final ByteBuffer rawBuffer = raw.asByteBuffer();
    private final MemorySegment message =
        Arena.ofAuto()
            .allocate(
                TransferWire.CHUNK_BYTES
                    + FileSeal.MORE_BYTES
                    + Math.max(TransferWire.CHUNK_SIZE, TransferWire.PATH_BYTES + 64),
                Long.BYTES);
    private final Bytes token = new Bytes();
    private final MessageDigest chunkDigest = TransferWire.digest();

    /** Of the checksums of an extent's chunks. */
    private final MessageDigest extentDigest = TransferWire.digest();

    private final Map<Packer, Codec> codecs = new HashMap<>();
    private @Nullable ObjectOutlet<Bytes> out;
    private SendPlan.@Nullable Sending current;
    private long offset;
    private long extentEnd;
    private long byeNs;

    /** What compresses. */
    private record Packer(Compression compression, int level) {}

    State(FileSender sender, Wiring wiring) {
      plan = sender.plan;
      seal = sender.key.map(key -> new FileSeal(key, sender.algorithm));
      this.wiring = wiring;
    }

    @Override
    public int run() {
      int steps = 0;
      while (steps < STEPS && !wiring.isHeldBack() && step()) {
        steps++;
      }
      if (plan.isOver()) {
        sayGoodbye();
      }
      return steps;
    }

    private boolean step() {
      SendPlan.Sending sending = current;
      if (sending != null) {
        sendChunk(sending);
        return true;
      }
      SendPlan.Work work = plan.next(wiring.nowNs());
      switch (work) {
        case null -> {
          return false;
        }
        case SendPlan.Opening opening -> sendOpen(opening.file());
        case SendPlan.Ending ending -> sendSize(ending);
        case SendPlan.Sending next -> {
          current = next;
          offset = (long) next.extent() * next.file().extentSize;
          extentEnd = offset + next.bytes();
          extentDigest.reset();
        }
      }
      return true;
    }

    private void sayGoodbye() {
      if (byeNs == 0 && plan.takeBye()) {
        byeNs = wiring.nowNs() | 1;
        begin(TransferWire.BYE);
        message.set(NativeMemory.NET_U64, 4, plan.transfer);
        send(TransferWire.BYE_BYTES);
      } else if (byeNs != 0 && wiring.nowNs() - byeNs >= FAREWELL_NS) {
        wiring.stop();
      }
    }

    private void begin(int kind) {
      message.asSlice(0, TransferWire.EXTENT_BYTES).fill((byte) 0);
      message.set(NativeMemory.U8, 0, (byte) kind);
    }

    private void send(int bytes) {
      token.wrap(message, 0, bytes);
      ObjectOutlet<Bytes> to = out;
      if (to != null) {
        to.accept(token);
      }
      token.end();
    }

    private void sendOpen(SentFile file) {
      byte[] name = file.name.getBytes(StandardCharsets.UTF_8);
      begin(TransferWire.OPEN);
      message.set(NativeMemory.U8, 1, (byte) TransferWire.VERSION);
      message.set(
          NativeMemory.U8,
          2,
          (byte)
              (file.isDirectory
                  ? TransferWire.DIRECTORY
                  : file.facts.isSecret() ? TransferWire.SECRET : TransferWire.FILE));
      message.set(NativeMemory.U8, 3, (byte) TransferWire.code(file.treatment.compression()));
      message.set(NativeMemory.NET_U64, 4, file.number);
      message.set(NativeMemory.NET_U64, 12, plan.transfer);
      message.set(NativeMemory.NET_U64, 20, file.facts.size());
      message.set(NativeMemory.NET_U64, 28, file.modifiedNs);
      message.set(NativeMemory.NET_U32, 36, file.mode);
      message.set(NativeMemory.NET_U32, 40, file.extentSize);
      message.set(NativeMemory.NET_U16, 44, (char) name.length);
      MemorySegment.copy(name, 0, message, NativeMemory.U8, TransferWire.OPEN_BYTES, name.length);
      send(TransferWire.OPEN_BYTES + name.length);
    }

    private void sendSize(SendPlan.Ending ending) {
      begin(TransferWire.SIZE);
      message.set(NativeMemory.NET_U64, 8, ending.handle());
      message.set(NativeMemory.NET_U64, 16, ending.size());
      sendPayload(ending.file(), 0);
    }

    private void sendChunk(SendPlan.Sending sending) {
      if (!plan.isCurrent(sending)) {
        leave(sending);
        return;
      }
      int wanted = (int) Math.min(TransferWire.CHUNK_SIZE, extentEnd - offset);
      rawBuffer.clear().limit(wanted);
      String problem = problem(sending.file(), sending.content(), wanted);
      if (!problem.isEmpty()) {
        if (plan.isCurrent(sending)) { // The receiver may have it meanwhile: then it is let go of.
          plan.fail(sending.file(), problem);
        }
        leave(sending);
        return;
      }
      rawBuffer.flip();
      chunkDigest.update(rawBuffer);
      extentDigest.update(chunkDigest.digest());
      sendBytes(sending, wanted);
      plan.sentPart(sending, wanted);
      offset += wanted;
      if (offset == extentEnd) {
        sendExtent(sending);
        leave(sending);
      }
    }

    private void leave(SendPlan.Sending sending) {
      current = null;
      plan.sent(sending, wiring.nowNs());
    }

    /** Reads; says what is wrong, if anything is. */
    private String problem(SentFile file, Content content, int wanted) {
      try {
        return content.read(offset, rawBuffer) == wanted
            ? ""
            : "file has become shorter while it was sent: file=%s, bytes=%d; send it again"
                .formatted(file.path, file.size);
      } catch (IOException e) {
        return "cannot be read: file=%s, error=%s".formatted(file.path, e);
      }
    }

    private void sendBytes(SendPlan.Sending sending, int bytes) {
      SentFile file = sending.file();
      int at = payloadAt(file);
      begin(TransferWire.CHUNK);
      int packed = Codec.FAILED;
      if (file.treatment.compression().isPresent()) {
        Compression compression = file.treatment.compression().get();
        packed =
            codecs
                .computeIfAbsent(
                    new Packer(compression, file.treatment.level()),
                    one -> one.compression.open(one.level))
                .compress(raw, 0, bytes, message, at, bytes - 1);
        if (packed != Codec.FAILED) {
          message.set(NativeMemory.U8, 1, (byte) TransferWire.code(Optional.of(compression)));
        }
      }
      if (packed == Codec.FAILED) {
        MemorySegment.copy(raw, 0, message, at, bytes);
        packed = bytes;
      }
      message.set(NativeMemory.NET_U32, 4, bytes);
      message.set(NativeMemory.NET_U64, 8, sending.handle());
      message.set(NativeMemory.NET_U64, 16, offset);
      sendPayload(file, packed);
    }

    private void sendExtent(SendPlan.Sending sending) {
      SentFile file = sending.file();
      begin(TransferWire.EXTENT);
      message.set(NativeMemory.NET_U32, 4, sending.extent());
      message.set(NativeMemory.NET_U64, 8, sending.handle());
      message.set(NativeMemory.NET_U32, 16, sending.bytes());
      MemorySegment.copy(
          extentDigest.digest(),
          0,
          message,
          NativeMemory.U8,
          payloadAt(file),
          TransferWire.DIGEST_BYTES);
      sendPayload(file, TransferWire.DIGEST_BYTES);
    }

    private static int payloadAt(SentFile file) {
      return FileSeal.HEADER_BYTES + (file.facts.isSecret() ? FileSeal.FRONT_BYTES : 0);
    }

    private void sendPayload(SentFile file, int bytes) {
      if (file.facts.isSecret()) {
        send(seal.orElseThrow().seal(message, file.secretBound(), bytes));
      } else {
        send(FileSeal.HEADER_BYTES + bytes);
      }
    }

    /** What the receiver says, which may be anything. */
    void answered(Message answer) {
      Bytes bytes = answer.bytes();
      if (bytes.length() < TransferWire.FATE_BYTES && !isFarewell(bytes)) {
        return;
      }
      long nowNs = wiring.nowNs();
      plan.heard(nowNs);
      switch (bytes.u8(0)) {
        case TransferWire.HAVE -> have(bytes, nowNs);
        case TransferWire.EXTENT_FATE ->
            plan.extent(bytes.u64(8), bytes.i32(4), bytes.u8(1) == 1, nowNs);
        case TransferWire.FILE_FATE ->
            plan.file(bytes.u64(8), bytes.u8(1) == 1, text(bytes, TransferWire.FATE_BYTES));
        case TransferWire.UNKNOWN -> plan.unknown(bytes.u64(8));
        case TransferWire.FAREWELL -> wiring.stop();
        default -> {} // Of a later version.
      }
    }

    private static boolean isFarewell(Bytes bytes) {
      return bytes.length() > 0 && bytes.u8(0) == TransferWire.FAREWELL;
    }

    private void have(Bytes bytes, long nowNs) {
      if (bytes.length() < TransferWire.HAVE_BYTES) {
        return;
      }
      long number = bytes.u64(4);
      switch (bytes.u8(1)) {
        case TransferWire.WANTED -> {
          byte[] bits = new byte[bytes.length() - TransferWire.HAVE_BYTES];
          bytes.get(TransferWire.HAVE_BYTES, bits, 0, bits.length);
          plan.wanted(number, bytes.u64(12), BitSet.valueOf(bits), nowNs);
          plan.find(number).ifPresent(plan::giveExtents);
        }
        case TransferWire.THERE -> plan.there(number);
        case TransferWire.BUSY -> plan.busy(number, text(bytes, TransferWire.HAVE_BYTES), nowNs);
        default -> plan.refused(number, text(bytes, TransferWire.HAVE_BYTES));
      }
    }

    private static String text(Bytes bytes, int at) {
      byte[] text = new byte[Math.max(0, bytes.length() - at)];
      bytes.get(bytes.length() - text.length, text, 0, text.length);
      return new String(text, StandardCharsets.UTF_8);
    }

    @Override
    public boolean isActive() {
      return !plan.isOver();
    }

    @Override
    public void close() {
      codecs.values().forEach(Codec::close);
      seal.ifPresent(FileSeal::close);
    }
  }
}
