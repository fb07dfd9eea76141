package io.linerate.apps.transfer;

import io.linerate.graph.Element;
import io.linerate.graph.Round;
import io.linerate.graph.Shape;
import io.linerate.graph.TokenType;
import io.linerate.graph.Wiring;
import io.linerate.stream.Bytes;
import io.linerate.stream.codec.Codec;
import io.linerate.stream.codec.Compression;
import io.linerate.stream.net.Message;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * Puts files that come as messages into a directory, and answers: docs/transfer.md.
 *
 * <pre>
 * inputs      messages: Message
 * outputs     none
 * parameters  incoming: all files, of all workers
 *             isOnce: whether the program ends when a sender has sent all
 * drops       none
 * reads       malformed: messages that say what cannot be
 * example     g.add("files", new FileReceiver(incoming, false))
 * </pre>
 */
record FileReceiver(Incoming incoming, boolean isOnce) implements Element {
  @Override
  public Shape shape() {
    return Shape.NONE.tokenInput("messages", TokenType.of(Message.class));
  }

  @Override
  public void open(Wiring wiring) {
    State state = new State(this, wiring);
    wiring.objects("messages", Message.class, state::take);
    wiring.count("malformed", () -> state.malformed);
    wiring.onRound(state);
    wiring.onClose(state);
  }

  /** On one worker. */
  private static final class State implements Round, AutoCloseable {
    private static final int MOST_EXTENT_SIZE = 1 << 30;

    /** For the last acknowledgments to leave. */
    private static final long LINGER_NS = 500_000_000;

    private final Incoming incoming;
    private final boolean isOnce;
    private final Wiring wiring;
    private final MemorySegment raw = Arena.ofAuto().allocate(TransferWire.CHUNK_SIZE, Long.BYTES);
    private final ByteBuffer rawBuffer = raw.asByteBuffer();
    private final MemorySegment answer = Arena.ofAuto().allocate(1 << 14, Long.BYTES);
    private final Map<Compression, Codec> codecs = new EnumMap<>(Compression.class);
    private long malformed;
    private long overNs;

    State(FileReceiver receiver, Wiring wiring) {
      incoming = receiver.incoming;
      isOnce = receiver.isOnce;
      this.wiring = wiring;
    }

    @Override
    public int run() {
      if (isOnce && incoming.isOver()) {
        if (overNs == 0) {
          overNs = wiring.nowNs() | 1;
        } else if (wiring.nowNs() - overNs >= LINGER_NS) {
          wiring.stop();
        }
      }
      return 0;
    }

    void take(Message message) {
      Bytes bytes = message.bytes();
      boolean isSound =
          switch (bytes.length() == 0 ? 0 : bytes.u8(0)) {
            case TransferWire.OPEN -> open(message, bytes);
            case TransferWire.CHUNK -> chunk(message, bytes);
            case TransferWire.EXTENT -> extent(message, bytes);
            case TransferWire.SIZE -> size(message, bytes);
            case TransferWire.BYE -> bye(message);
            default -> false;
          };
      malformed += isSound ? 0 : 1;
    }

    private boolean open(Message message, Bytes bytes) {
      if (bytes.length() < TransferWire.OPEN_BYTES || bytes.u8(1) != TransferWire.VERSION) {
        return false;
      }
      int nameBytes = bytes.u16(44);
      int extentSize = bytes.i32(40);
      long size = bytes.u64(20);
      boolean isSound =
          nameBytes <= TransferWire.PATH_BYTES
              && bytes.length() == TransferWire.OPEN_BYTES + nameBytes
              && size >= TransferWire.UNKNOWN_SIZE
              && extentSize <= MOST_EXTENT_SIZE
              && extentSize == TransferWire.extentSize(size);
      if (!isSound) {
        return false;
      }
      byte[] name = new byte[nameBytes];
      bytes.get(TransferWire.OPEN_BYTES, name, 0, nameBytes);
      FileFacts facts =
          new FileFacts(
              new String(name, StandardCharsets.UTF_8),
              size,
              bytes.u64(28),
              bytes.i32(36) & 0_777,
              extentSize);
      boolean isDirectory = bytes.u8(2) == TransferWire.DIRECTORY;
      String lacking = TransferWire.compression(bytes.u8(3)).map(Compression::problem).orElse("");
      answer(
          message,
          bytes.u64(4),
          lacking.isEmpty()
              ? incoming.open(facts, bytes.u64(12), isDirectory, wiring.nowNs())
              : new Incoming.Refused(lacking));
      return true;
    }

    private void answer(Message message, long number, Incoming.Answer what) {
      begin(TransferWire.HAVE);
      answer.set(TransferWire.U64, 4, number);
      byte[] more;
      switch (what) {
        case Incoming.Wanted wanted -> {
          answer.set(TransferWire.U8, 1, (byte) TransferWire.WANTED);
          answer.set(TransferWire.U64, 12, wanted.file().handle);
          more = wanted.file().extents().toByteArray();
        }
        case Incoming.There _ -> {
          answer.set(TransferWire.U8, 1, (byte) TransferWire.THERE);
          more = new byte[0];
        }
        case Incoming.Refused refused -> {
          answer.set(TransferWire.U8, 1, (byte) TransferWire.REFUSED);
          more = text(refused.why());
        }
      }
      MemorySegment.copy(more, 0, answer, TransferWire.U8, TransferWire.HAVE_BYTES, more.length);
      send(message, TransferWire.HAVE_BYTES + more.length);
      if (what instanceof Incoming.Wanted wanted) {
        finish(message, wanted.file());
      }
    }

    private static byte[] text(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return bytes.length <= 200 ? bytes : Arrays.copyOf(bytes, 200);
    }

    private void begin(int kind) {
      answer.asSlice(0, TransferWire.HAVE_BYTES).fill((byte) 0);
      answer.set(TransferWire.U8, 0, (byte) kind);
    }

    /** What finds no room is asked for again. */
    private void send(Message message, int bytes) {
      boolean _ = message.answer(answer, 0, bytes);
    }

    private Optional<ReceivedFile> file(Message message, long handle) {
      Optional<ReceivedFile> file = incoming.find(handle);
      if (file.isEmpty()) {
        begin(TransferWire.UNKNOWN);
        answer.set(TransferWire.U64, 8, handle);
        send(message, TransferWire.FATE_BYTES);
      } else {
        file.get().use(wiring.nowNs());
      }
      return file;
    }

    private boolean chunk(Message message, Bytes bytes) {
      if (bytes.length() <= TransferWire.CHUNK_BYTES) {
        return false;
      }
      int rawBytes = bytes.i32(4);
      int packed = bytes.length() - TransferWire.CHUNK_BYTES;
      if (rawBytes <= 0 || rawBytes > TransferWire.CHUNK_SIZE || !unpack(bytes, packed, rawBytes)) {
        return false;
      }
      Optional<ReceivedFile> file = file(message, bytes.u64(8));
      if (file.isEmpty()) {
        return true;
      }
      rawBuffer.clear().limit(rawBytes);
      try {
        incoming.count(rawBytes);
        return file.get().write(bytes.u64(16), rawBuffer);
      } catch (IOException e) {
        failed(message, file.get(), e);
        return true;
      }
    }

    private boolean unpack(Bytes bytes, int packed, int rawBytes) {
      Optional<Compression> compression = TransferWire.compression(bytes.u8(1));
      if (compression.isEmpty()) {
        if (packed != rawBytes || bytes.u8(1) != 0) {
          return false;
        }
        bytes.get(TransferWire.CHUNK_BYTES, raw, 0, rawBytes);
        return true;
      }
      if (!compression.get().isAvailable()) {
        return false;
      }
      return codecs
              .computeIfAbsent(compression.get(), Compression::open)
              .decompress(
                  bytes.segment(),
                  bytes.offset() + TransferWire.CHUNK_BYTES,
                  packed,
                  raw,
                  0,
                  rawBytes)
          == rawBytes;
    }

    private void failed(Message message, ReceivedFile file, IOException e) {
      fate(message, file, false, incoming.fail(file, e));
    }

    private void fate(Message message, ReceivedFile file, boolean isGood, String why) {
      begin(TransferWire.FILE_FATE);
      answer.set(TransferWire.U8, 1, (byte) (isGood ? 1 : 0));
      answer.set(TransferWire.U64, 8, file.handle);
      byte[] text = text(why);
      MemorySegment.copy(text, 0, answer, TransferWire.U8, TransferWire.FATE_BYTES, text.length);
      send(message, TransferWire.FATE_BYTES + text.length);
    }

    private boolean extent(Message message, Bytes bytes) {
      if (bytes.length() != TransferWire.EXTENT_BYTES) {
        return false;
      }
      Optional<ReceivedFile> file = file(message, bytes.u64(8));
      if (file.isEmpty()) {
        return true;
      }
      byte[] digest = new byte[TransferWire.DIGEST_BYTES];
      bytes.get(16, digest, 0, digest.length);
      try {
        boolean isGood = file.get().complete(bytes.i32(4), digest);
        begin(TransferWire.EXTENT_FATE);
        answer.set(TransferWire.U8, 1, (byte) (isGood ? 1 : 0));
        answer.set(TransferWire.U32, 4, bytes.i32(4));
        answer.set(TransferWire.U64, 8, bytes.u64(8));
        send(message, TransferWire.FATE_BYTES);
      } catch (IOException e) {
        failed(message, file.get(), e);
        return true;
      }
      finish(message, file.get());
      return true;
    }

    private boolean size(Message message, Bytes bytes) {
      if (bytes.length() != TransferWire.SIZE_BYTES || bytes.u64(16) < 0) {
        return false;
      }
      file(message, bytes.u64(8))
          .ifPresent(file -> {
            file.size(bytes.u64(16));
            finish(message, file);
          });
      return true;
    }

    private void finish(Message message, ReceivedFile file) {
      try {
        if (incoming.finish(file)) {
          fate(message, file, true, "");
        }
      } catch (IOException e) {
        failed(message, file, e);
      }
    }

    private boolean bye(Message message) {
      begin(TransferWire.FAREWELL);
      send(message, TransferWire.FATE_BYTES);
      incoming.over();
      return true;
    }

    @Override
    public void close() {
      codecs.values().forEach(Codec::close);
    }
  }
}
