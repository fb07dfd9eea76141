package io.linerate.apps.transfer;

import io.linerate.core.driver.NativeMemory;
import io.linerate.graph.Element;
import io.linerate.graph.Round;
import io.linerate.graph.Shape;
import io.linerate.graph.TokenType;
import io.linerate.graph.Wiring;
import io.linerate.stream.Bytes;
import io.linerate.stream.codec.Aead;
import io.linerate.stream.codec.AeadAlgorithm;
import io.linerate.stream.codec.Codec;
import io.linerate.stream.codec.Compression;
import io.linerate.stream.net.Message;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
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
 *             key: of files that are encrypted by themselves
 *             isOnce: whether the program ends when a sender has sent all
 * drops       none
 * reads       malformed: messages that say what cannot be
 * example     g.add("files", new FileReceiver(incoming, Optional.empty(), false))
 * </pre>
 */
record FileReceiver(Incoming incoming, Optional<FileKey> key, boolean isOnce) implements Element {
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
    private static final int MOST_ANSWER_BYTES =
        TransferWire.HAVE_BYTES + TransferWire.MOST_PIPE_EXTENTS / Byte.SIZE;

    /** For the last acknowledgments to leave. */
    private static final long LINGER_NS = 500_000_000;

    private final Incoming incoming;
    private final boolean isOnce;
    private final Wiring wiring;
    private final MemorySegment raw = Arena.ofAuto().allocate(TransferWire.CHUNK_SIZE, Long.BYTES);
    private final ByteBuffer rawBuffer = raw.asByteBuffer();
    private final MemorySegment opened =
        Arena.ofAuto().allocate(TransferWire.CHUNK_SIZE, Long.BYTES);
    private final MemorySegment answer = Arena.ofAuto().allocate(MOST_ANSWER_BYTES, Long.BYTES);
    private final MessageDigest digest = TransferWire.digest();
    private final Optional<FileSeal> seal;
    private final Map<Compression, Codec> codecs = new EnumMap<>(Compression.class);
    private long malformed;
    private long overNs;

    State(FileReceiver receiver, Wiring wiring) {
      incoming = receiver.incoming;
      isOnce = receiver.isOnce;
      seal = receiver.key.map(key -> new FileSeal(key, AeadAlgorithm.AES_256_GCM));
      this.wiring = wiring;
    }

    @Override
    public int run() {
      incoming.relieve(wiring.nowNs());
      if (isOnce && incoming.mayEnd(wiring.nowNs())) {
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
            case TransferWire.BYE -> bye(message, bytes);
            default -> false;
          };
      malformed += isSound ? 0 : 1;
    }

    private boolean open(Message message, Bytes bytes) {
      if (bytes.length() < TransferWire.OPEN_BYTES) {
        return false;
      }
      incoming.begun(bytes.u64(12), host(message.peer()), wiring.nowNs());
      Optional<String> problem = problem(bytes);
      answer(
          message,
          bytes.u64(4),
          problem.isPresent() ? new Incoming.Refused(problem.get()) : open(bytes));
      return problem.isEmpty();
    }

    /** Of an address with a port: a sender has a port for each flow. */
    private static String host(String peer) {
      return peer.substring(0, peer.lastIndexOf(':'));
    }

    /** Why it cannot be; who has sent it hears of it, or would ask for ever. */
    private Optional<String> problem(Bytes bytes) {
      if (bytes.u8(1) != TransferWire.VERSION) {
        return Optional.of("both ends are not of one version");
      }
      int nameBytes = bytes.u16(44);
      long size = bytes.u64(20);
      boolean isSound =
          nameBytes <= TransferWire.PATH_BYTES
              && bytes.length() == TransferWire.OPEN_BYTES + nameBytes
              && bytes.u8(2) <= TransferWire.SECRET
              && size >= TransferWire.UNKNOWN_SIZE
              && size <= TransferWire.MOST_SIZE
              && bytes.i32(40) == TransferWire.extentSize(size);
      if (!isSound) {
        return Optional.of("it is malformed, too large, or its name is too long");
      }
      if (bytes.u8(2) == TransferWire.SECRET && seal.isEmpty()) {
        return Optional.of("it is encrypted, and the receiver has no --file-key");
      }
      return TransferWire.compression(bytes.u8(3))
          .map(Compression::problem)
          .filter(lacking -> !lacking.isEmpty());
    }

    private Incoming.Answer open(Bytes bytes) {
      byte[] name = new byte[bytes.u16(44)];
      bytes.get(TransferWire.OPEN_BYTES, name, 0, name.length);
      boolean isDirectory = bytes.u8(2) == TransferWire.DIRECTORY;
      int mode = bytes.i32(36) & 0_777;
      FileFacts facts =
          new FileFacts(
              new String(name, StandardCharsets.UTF_8),
              bytes.u64(20),
              bytes.u64(28),
              isDirectory ? mode | 0_300 : mode,
              bytes.i32(40),
              bytes.u8(2) == TransferWire.SECRET);
      return incoming.open(facts, bytes.u64(12), isDirectory, wiring.nowNs());
    }

    private void answer(Message message, long number, Incoming.Answer what) {
      begin(TransferWire.HAVE);
      answer.set(NativeMemory.NET_U64, 4, number);
      byte[] more;
      switch (what) {
        case Incoming.Wanted wanted -> {
          answer.set(NativeMemory.U8, 1, (byte) TransferWire.WANTED);
          answer.set(NativeMemory.NET_U64, 12, wanted.file().handle);
          more = wanted.file().extents().toByteArray();
        }
        case Incoming.There _ -> {
          answer.set(NativeMemory.U8, 1, (byte) TransferWire.THERE);
          more = new byte[0];
        }
        case Incoming.Refused refused -> {
          answer.set(NativeMemory.U8, 1, (byte) TransferWire.REFUSED);
          more = text(refused.why());
        }
        case Incoming.Busy busy -> {
          answer.set(NativeMemory.U8, 1, (byte) TransferWire.BUSY);
          more = text(busy.why());
        }
      }
      MemorySegment.copy(more, 0, answer, NativeMemory.U8, TransferWire.HAVE_BYTES, more.length);
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
      answer.set(NativeMemory.U8, 0, (byte) kind);
    }

    /** What finds no room is asked for again. */
    private void send(Message message, int bytes) {
      boolean _ = message.answer(answer, 0, bytes);
    }

    private Optional<ReceivedFile> file(Message message, long handle) {
      Optional<ReceivedFile> file = incoming.find(handle);
      if (file.isEmpty()) {
        begin(TransferWire.UNKNOWN);
        answer.set(NativeMemory.NET_U64, 8, handle);
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
      Optional<ReceivedFile> found = file(message, bytes.u64(8));
      if (found.isEmpty()) {
        return true;
      }
      ReceivedFile file = found.get();
      int rawBytes = bytes.i32(4);
      int packed = plain(message, bytes, file);
      if (packed <= 0 || rawBytes <= 0 || rawBytes > TransferWire.CHUNK_SIZE) {
        return false;
      }
      if (!unpack(bytes, file, packed, rawBytes)) {
        return false;
      }
      rawBuffer.clear().limit(rawBytes);
      digest.update(rawBuffer);
      rawBuffer.rewind();
      try {
        incoming.count(rawBytes);
        long offset = bytes.u64(16);
        int extent = (int) (offset / file.facts.extentSize());
        return tell(message, file, extent, file.write(offset, rawBuffer, digest.digest()));
      } catch (ClosedChannelException e) {
        return true; // Another sender has taken it over.
      } catch (IOException e) {
        failed(message, file, e);
        return true;
      }
    }

    /**
     * What is behind the header, decrypted if the file is secret: it is in {@code opened} then.
     *
     * @return how many bytes; negative: it is not sound
     */
    private int plain(Message message, Bytes bytes, ReceivedFile file) {
      boolean isSealed = bytes.u8(2) != 0;
      if (isSealed != file.facts.isSecret()) {
        return -1;
      }
      if (!isSealed) {
        return bytes.length() - FileSeal.HEADER_BYTES;
      }
      int count =
          seal.map(by ->
                  by.open(
                      bytes.segment(), bytes.offset(), bytes.length(), file.secretBound(), opened))
              .orElse(Aead.FAILED);
      if (count < 0) {
        failed(message, file, new IOException("not authentic: both ends need the same --file-key"));
      }
      return count;
    }

    private boolean unpack(Bytes bytes, ReceivedFile file, int packed, int rawBytes) {
      MemorySegment from = file.facts.isSecret() ? opened : bytes.segment();
      long at = file.facts.isSecret() ? 0 : bytes.offset() + TransferWire.CHUNK_BYTES;
      Optional<Compression> compression = TransferWire.compression(bytes.u8(1));
      if (compression.isEmpty()) {
        if (packed != rawBytes || bytes.u8(1) != 0) {
          return false;
        }
        MemorySegment.copy(from, at, raw, 0, rawBytes);
        return true;
      }
      return compression.get().isAvailable()
          && codecs
                  .computeIfAbsent(compression.get(), Compression::open)
                  .decompress(from, at, packed, raw, 0, rawBytes)
              == rawBytes;
    }

    /** Answers what has become of an extent, and of the file by it. */
    private boolean tell(Message message, ReceivedFile file, int extent, ReceivedFile.Fate fate) {
      if (fate == ReceivedFile.Fate.RIGHT || fate == ReceivedFile.Fate.WRONG) {
        begin(TransferWire.EXTENT_FATE);
        answer.set(NativeMemory.U8, 1, (byte) (fate == ReceivedFile.Fate.RIGHT ? 1 : 0));
        answer.set(NativeMemory.NET_U32, 4, extent);
        answer.set(NativeMemory.NET_U64, 8, file.handle);
        send(message, TransferWire.FATE_BYTES);
        finish(message, file);
      }
      return fate != ReceivedFile.Fate.UNSOUND;
    }

    private void failed(Message message, ReceivedFile file, IOException e) {
      incoming.fail(file, e).ifPresent(why -> fate(message, file, false, why));
    }

    private void fate(Message message, ReceivedFile file, boolean isGood, String why) {
      begin(TransferWire.FILE_FATE);
      answer.set(NativeMemory.U8, 1, (byte) (isGood ? 1 : 0));
      answer.set(NativeMemory.NET_U64, 8, file.handle);
      byte[] text = text(why);
      MemorySegment.copy(text, 0, answer, NativeMemory.U8, TransferWire.FATE_BYTES, text.length);
      send(message, TransferWire.FATE_BYTES + text.length);
    }

    private boolean extent(Message message, Bytes bytes) {
      if (bytes.length() <= TransferWire.EXTENT_BYTES) {
        return false;
      }
      Optional<ReceivedFile> found = file(message, bytes.u64(8));
      if (found.isEmpty()) {
        return true;
      }
      ReceivedFile file = found.get();
      if (plain(message, bytes, file) != TransferWire.DIGEST_BYTES) {
        return false;
      }
      byte[] said = new byte[TransferWire.DIGEST_BYTES];
      if (file.facts.isSecret()) {
        MemorySegment.copy(opened, NativeMemory.U8, 0, said, 0, said.length);
      } else {
        bytes.get(TransferWire.EXTENT_BYTES, said, 0, said.length);
      }
      try {
        int extent = bytes.i32(4);
        return tell(message, file, extent, file.complete(extent, bytes.i32(16), said));
      } catch (IOException e) {
        failed(message, file, e);
        return true;
      }
    }

    private boolean size(Message message, Bytes bytes) {
      if (bytes.length() < TransferWire.SIZE_BYTES) {
        return false;
      }
      long size = bytes.u64(16);
      if (size < 0 || size > (long) TransferWire.MOST_PIPE_EXTENTS * TransferWire.EXTENT_SIZE) {
        return false;
      }
      Optional<ReceivedFile> found = file(message, bytes.u64(8));
      if (found.isPresent()) {
        ReceivedFile file = found.get();
        if (plain(message, bytes, file) != 0) {
          return false;
        }
        file.size(size);
        finish(message, file);
      }
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

    private boolean bye(Message message, Bytes bytes) {
      if (bytes.length() != TransferWire.BYE_BYTES) {
        return false;
      }
      begin(TransferWire.FAREWELL);
      send(message, TransferWire.FATE_BYTES);
      incoming.over(bytes.u64(4), wiring.nowNs());
      return true;
    }

    @Override
    public void close() {
      codecs.values().forEach(Codec::close);
      seal.ifPresent(FileSeal::close);
    }
  }
}
