package io.linerate.stream.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.config.ConfigException;
import io.linerate.testkit.AllocationMeter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CodecTest {
  private static final byte UNTOUCHED = (byte) 0xA5;

  private final Arena arena = Arena.ofConfined();

  @AfterEach
  void free() {
    arena.close();
  }

  @ParameterizedTest
  @EnumSource
  void shouldReturnWhatWasCompressedOfAnyLength(Compression compression) {
    try (Codec codec = open(compression)) {
      for (int bytes : new int[] {0, 1, 3, 64, 512, 513, 1400, 8900, 65_536, 1 << 20}) {
        for (Content content : Content.values()) {
          MemorySegment plain = content.make(arena, bytes, bytes);
          MemorySegment packed = packed(codec, plain);
          MemorySegment back = arena.allocate(bytes + 1L);

          assertThat(codec.decompress(packed, back)).isEqualTo(bytes);
          assertThat(back.asSlice(0, bytes).mismatch(plain)).isEqualTo(-1);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldMakeTextShorterAtEachLevel(Compression compression) {
    assumeAvailable(compression);
    MemorySegment plain = Content.TEXT.make(arena, 8900, 1);
    for (int level : new int[] {compression.leastLevel(), 1, compression.mostLevel()}) {
      try (Codec codec = compression.open(level)) {
        MemorySegment packed = packed(codec, plain);
        MemorySegment back = arena.allocate(8900);

        // Levels below 0 leave out as much of the search as they say.
        assertThat(packed.byteSize()).isLessThan(level < 0 ? 8950 : 8000);
        assertThat(codec.decompress(packed, back)).isEqualTo(8900);
        assertThat(back.mismatch(plain)).isEqualTo(-1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldFailWhereTheRoomIsTooSmallAndWriteNothingBehindIt(Compression compression) {
    try (Codec codec = open(compression)) {
      MemorySegment plain = Content.TEXT.make(arena, 700, 2);
      MemorySegment packed = packed(codec, plain);
      MemorySegment target = arena.allocate(2000);
      for (int room = 0; room < packed.byteSize(); room++) {
        target.fill(UNTOUCHED);

        assertThat(codec.compress(plain, 0, 700, target, 100, room)).isEqualTo(Codec.FAILED);
        assertUntouchedOutside(target, 100, room);
      }
      for (int room = 0; room < 700; room++) {
        target.fill(UNTOUCHED);

        int result = codec.decompress(packed, 0, (int) packed.byteSize(), target, 100, room);

        assertThat(result).isEqualTo(Codec.FAILED);
        assertUntouchedOutside(target, 100, room);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldWorkOnRangesWithinSegments(Compression compression) {
    try (Codec codec = open(compression)) {
      MemorySegment plain = Content.TEXT.make(arena, 3000, 3);
      MemorySegment packed = arena.allocate(3000).fill(UNTOUCHED);
      MemorySegment back = arena.allocate(3000).fill(UNTOUCHED);

      int packedBytes = codec.compress(plain, 1001, 999, packed, 77, 999);
      int bytes = codec.decompress(packed, 77, packedBytes, back, 333, 999);

      assertThat(bytes).isEqualTo(999);
      assertThat(back.asSlice(333, 999).mismatch(plain.asSlice(1001, 999))).isEqualTo(-1);
      assertUntouchedOutside(packed, 77, 999);
      assertUntouchedOutside(back, 333, 999);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldTakeNothingButOneWholeRange(Compression compression) {
    try (Codec codec = open(compression)) {
      MemorySegment packed = packed(codec, Content.TEXT.make(arena, 300, 4));
      MemorySegment back = arena.allocate(1000);
      for (long bytes = 0; bytes < packed.byteSize(); bytes++) {
        int result = codec.decompress(packed.asSlice(0, bytes), back);

        // A block of LZ4 that is cut between two sequences is a block of its own.
        assertThat(result).isLessThan(300);
        assertThat(compression == Compression.LZ4 || result == Codec.FAILED).isTrue();
      }
      MemorySegment twice = arena.allocate(2 * packed.byteSize());
      twice.copyFrom(packed).asSlice(packed.byteSize()).copyFrom(packed);

      assertThat(compression == Compression.LZ4 || codec.decompress(twice, back) == Codec.FAILED)
          .isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({
    // RFC 8878: magic number, single segment of 5 bytes, one raw block, the last one.
    "ZSTD, 28b52ffd 20 05 290000 68656c6c6f",
    // lz4_Block_format.md: five literals.
    "LZ4, 50 68656c6c6f",
    // RFC 1951, 3.2.4: a stored block, the last one.
    "DEFLATE, 01 0500 faff 68656c6c6f"
  })
  void shouldReadWhatTheSpecificationsSay(Compression compression, String hex) {
    try (Codec codec = open(compression)) {
      MemorySegment source = bytes(HexFormat.of().parseHex(hex.replace(" ", "")));
      MemorySegment back = arena.allocate(5);

      assertThat(codec.decompress(source, back)).isEqualTo(5);
      assertThat(back.toArray(ValueLayout.JAVA_BYTE))
          .isEqualTo("hello".getBytes(StandardCharsets.US_ASCII));
    }
  }

  @Test
  void shouldRefuseFramesOfZstdThatAreNoneOfItsFormat() {
    try (Codec codec = open(Compression.ZSTD)) {
      MemorySegment back = arena.allocate(100);
      // A skippable frame, and the first bytes of formats 0.4 to 0.7.
      for (String hex : new String[] {"502a4d18 00000000", "24b52ffd", "25b52ffd", "27b52ffd"}) {
        MemorySegment source = arena.allocate(40);
        source.copyFrom(bytes(HexFormat.of().parseHex(hex.replace(" ", ""))));

        assertThat(codec.decompress(source, back)).isEqualTo(Codec.FAILED);
        assertThat(codec.decompress(source.asSlice(0, 8), back)).isEqualTo(Codec.FAILED);
      }
    }
  }

  @Test
  void shouldDeflateWhereTheRoomIsJustEnough() {
    assumeTrue(Zlib.LIBRARY.problem().isEmpty(), Zlib.LIBRARY.problem());
    try (Codec system = new ZlibCodec(6);
        Codec jdk = new DeflateCodec(6)) {
      for (Codec codec : new Codec[] {system, jdk}) {
        for (int bytes : new int[] {0, 1, 700, 1400, 65_536}) {
          MemorySegment plain = Content.TEXT.make(arena, bytes, bytes);
          int enough = (int) packed(codec, plain).byteSize();
          MemorySegment target = arena.allocate(enough);
          assertThat(codec.compress(plain, 0, bytes, target, 0, enough)).isEqualTo(enough);
          assertThat(codec.compress(plain, 0, bytes, target, 0, enough - 1))
              .isEqualTo(Codec.FAILED);
          MemorySegment back = arena.allocate(bytes + 1L);
          assertThat(codec.compress(plain, 0, bytes, target, 0, enough)).isEqualTo(enough);
          assertThat(codec.decompress(target, back)).isEqualTo(bytes);
        }
      }
    }
  }

  @Test
  void shouldReadWhatTheOtherZlibHasMade() {
    assumeTrue(Zlib.LIBRARY.problem().isEmpty(), Zlib.LIBRARY.problem());
    Random random = new Random(7);
    try (Codec system = new ZlibCodec(6);
        Codec jdk = new DeflateCodec(6)) {
      for (int bytes : new int[] {0, 1, 64, 1400, 65_536}) {
        for (Content content : Content.values()) {
          MemorySegment plain = content.make(arena, bytes, bytes);
          MemorySegment packed = packed(system, plain);
          MemorySegment back = arena.allocate(bytes + 1L);
          assertThat(jdk.decompress(packed, back)).isEqualTo(bytes);
          assertThat(system.decompress(packed(jdk, plain), back)).isEqualTo(bytes);
          assertThat(back.asSlice(0, bytes).mismatch(plain)).isEqualTo(-1);
          for (int i = 0; i < 200; i++) {
            long at = random.nextLong(packed.byteSize());
            packed.set(ValueLayout.JAVA_BYTE, at, (byte) random.nextInt());
            assertThat(system.decompress(packed, back)).isEqualTo(jdk.decompress(packed, back));
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldMakeNoObjects(Compression compression) {
    assumeTrue(compression != Compression.DEFLATE || Zlib.LIBRARY.problem().isEmpty(), "the JDK's");
    try (Codec codec = open(compression)) {
      MemorySegment plain = Content.TEXT.make(arena, 20_000, 5);
      MemorySegment packed = arena.allocate(20_000);
      MemorySegment back = arena.allocate(20_000);
      AllocationMeter meter = new AllocationMeter(2000);
      for (int i = 0; !meter.isDone(); i++) {
        int bytes = i % 8 == 0 ? 8900 : 300;
        int packedBytes = codec.compress(plain, i % 1000, bytes, packed, i % 100, 10_000);
        assertSame(codec.decompress(packed, i % 100, packedBytes, back, 0, bytes), bytes);
        assertSame(codec.decompress(packed, i % 100 + 1, packedBytes - 1, back, 0, 3), -1);
        meter.add(1);
      }
      meter.assertQuiet();
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldRefuseRangesThatNativeCodeMustNotTouch(Compression compression) {
    try (Codec codec = open(compression)) {
      MemorySegment one = arena.allocate(100);
      MemorySegment other = arena.allocate(100);

      assertThatThrownBy(() -> codec.compress(one, 0, 101, other, 0, 100))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> codec.compress(one, 0, 100, other, 1, 100))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> codec.decompress(one, -1, 100, other, 0, 100))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> codec.decompress(one, 0, -1, other, 0, 100))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> codec.compress(MemorySegment.ofArray(new byte[9]), other))
          .hasMessageStartingWith("not in native memory: segment=");
      assertThatThrownBy(() -> codec.decompress(one, other.asReadOnly()))
          .hasMessageStartingWith("cannot be written: segment=");
      assertThatThrownBy(() -> codec.compress(one, 0, 50, one, 49, 50))
          .hasMessageStartingWith("ranges overlap: source=");
      assertThatThrownBy(() -> codec.decompress(one, 49, 50, one, 0, 50))
          .hasMessageStartingWith("ranges overlap: source=");
      assertThatThrownBy(() -> codec.maxCompressedBytes(Codec.MAX_BYTES + 1))
          .hasMessageStartingWith("cannot be compressed at once: bytes=1073741825, most=");
      assertThat(codec.maxCompressedBytes(Codec.MAX_BYTES)).isGreaterThan(Codec.MAX_BYTES);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldNotTouchSegmentsThatAreFreedOrOfAnotherThread(Compression compression)
      throws Exception {
    try (Codec codec = open(compression)) {
      MemorySegment live = Arena.ofAuto().allocate(100);
      Arena shared = Arena.ofShared();
      MemorySegment freed = shared.allocate(100);
      MemorySegment packed = packed(codec, live); // Before another one may have that address.
      shared.close();

      assertThatThrownBy(() -> codec.compress(freed, live)).hasMessage("Already closed");
      assertThatThrownBy(() -> codec.compress(live, freed)).hasMessage("Already closed");
      assertThatThrownBy(() -> codec.decompress(freed, live)).hasMessage("Already closed");
      assertThatThrownBy(() -> codec.decompress(packed, freed)).hasMessage("Already closed");
    }
    Codec elsewhere = open(compression);
    MemorySegment own = arena.allocate(100);
    assertThat(thrownElsewhere(() -> elsewhere.compress(own, Arena.ofAuto().allocate(200))))
        .isInstanceOf(WrongThreadException.class);
    elsewhere.close();
  }

  @ParameterizedTest
  @EnumSource
  void shouldBeOneThreadsOwnUntilItIsClosed(Compression compression) throws Exception {
    Codec codec = open(compression);
    MemorySegment source = Arena.ofAuto().allocate(10);
    MemorySegment target = Arena.ofAuto().allocate(100);
    codec.compress(source, target);

    assertThat(thrownElsewhere(() -> codec.compress(source, target)))
        .hasMessageStartingWith("one thread's own is used by another: owner=");
    assertThat(thrownElsewhere(codec::close))
        .hasMessageStartingWith("one thread's own is used by another: owner=");

    codec.close();
    codec.close();
    assertThatThrownBy(() -> codec.compress(source, target))
        .hasMessage("used after it was closed; open another");
    assertThatThrownBy(() -> codec.decompress(source, target))
        .hasMessage("used after it was closed; open another");
  }

  @ParameterizedTest
  @EnumSource
  void shouldBeClosedByOthersWhenItsThreadHasEnded(Compression compression) throws Exception {
    Codec codec = open(compression);
    MemorySegment source = Arena.ofAuto().allocate(10);
    MemorySegment target = Arena.ofAuto().allocate(100);

    assertThat(thrownElsewhere(() -> codec.compress(source, target))).isNull();
    codec.close();

    assertThatThrownBy(() -> codec.compress(source, target))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldRefuseLevelsThatAreNone() {
    assertThatThrownBy(() -> Compression.DEFLATE.open(10))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "no such level of compression: compression=deflate, level=10; choose one from 1 to 9");
  }

  private static Throwable thrownElsewhere(Runnable work) throws InterruptedException {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread thread =
        Thread.ofPlatform()
            .start(() -> {
              try {
                work.run();
              } catch (RuntimeException e) {
                thrown.set(e);
              }
            });
    thread.join();
    return thrown.get();
  }

  /** Without an object. */
  private static void assertSame(int actual, int expected) {
    if (actual != expected) {
      throw new AssertionError("actual=%d, expected=%d".formatted(actual, expected));
    }
  }

  private static Codec open(Compression compression) {
    assumeAvailable(compression);
    return compression.open();
  }

  private static void assumeAvailable(Compression compression) {
    assumeTrue(compression.isAvailable(), compression::problem);
  }

  private MemorySegment packed(Codec codec, MemorySegment plain) {
    MemorySegment room = arena.allocate(codec.maxCompressedBytes((int) plain.byteSize()));
    int bytes = codec.compress(plain, room);
    assertThat(bytes).isPositive();
    return room.asSlice(0, bytes);
  }

  private MemorySegment bytes(byte[] content) {
    return arena.allocateFrom(ValueLayout.JAVA_BYTE, content);
  }

  private static void assertUntouchedOutside(MemorySegment segment, int at, int bytes) {
    for (long i = 0; i < segment.byteSize(); i++) {
      if ((i < at || i >= at + bytes) && segment.get(ValueLayout.JAVA_BYTE, i) != UNTOUCHED) {
        throw new AssertionError(
            "written outside: at=%d, from=%d, room=%d".formatted(i, at, bytes));
      }
    }
  }

  /** What is compressed. */
  enum Content {
    ZEROES,
    TEXT,
    RANDOM;

    private static final String[] WORDS = {
      "packet", " ", "of ", "the ", "queue", ", ", "burst", "worker ", "element", "\n", "17", "in "
    };

    MemorySegment make(Arena arena, int bytes, long seed) {
      MemorySegment made = arena.allocate(Math.max(1, bytes)).asSlice(0, bytes);
      Random random = new Random(seed);
      byte[] content = new byte[bytes];
      switch (this) {
        case ZEROES -> {}
        case RANDOM -> random.nextBytes(content);
        case TEXT -> {
          StringBuilder text = new StringBuilder();
          while (text.length() < bytes) {
            text.append(WORDS[random.nextInt(WORDS.length)]);
          }
          content = text.substring(0, bytes).getBytes(StandardCharsets.US_ASCII);
        }
      }
      MemorySegment.copy(content, 0, made, ValueLayout.JAVA_BYTE, 0, bytes);
      return made;
    }
  }
}
