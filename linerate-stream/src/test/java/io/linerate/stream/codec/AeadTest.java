package io.linerate.stream.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.testkit.AllocationMeter;
import io.linerate.testkit.Soak;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class AeadTest {
  private static final byte UNTOUCHED = (byte) 0xA5;
  private static final MemorySegment NO_AAD = MemorySegment.NULL;

  private final Arena arena = Arena.ofConfined();
  private final Random random = new Random(Soak.seed(8439));

  static Stream<Arguments> all() {
    return Stream.of(AeadAlgorithm.values())
        .flatMap(it -> Stream.of(AeadLibrary.values()).map(library -> Arguments.of(it, library)));
  }

  @AfterEach
  void free() {
    arena.close();
  }

  /** RFC 8439, 2.8.2. */
  @ParameterizedTest
  @EnumSource
  void shouldSealAsTheRfcOfChaChaSays(AeadLibrary library) {
    assertVector(
        AeadAlgorithm.CHACHA20_POLY1305,
        library,
        "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
        "070000004041424344454647",
        "50515253c0c1c2c3c4c5c6c7",
        HexFormat.of()
            .formatHex(
                ("Ladies and Gentlemen of the class of '99: If I could offer you only one tip for"
                        + " the future, sunscreen would be it.")
                    .getBytes(StandardCharsets.US_ASCII)),
        "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6"
            + "3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36"
            + "92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc"
            + "3ff4def08e4b7a9de576d26586cec64b6116"
            + "1ae10b594f09e26a7e902ecbd0600691");
  }

  /** "The Galois/Counter Mode of Operation (GCM)", McGrew and Viega, appendix B, cases 13 to 16. */
  @ParameterizedTest
  @EnumSource
  void shouldSealAsTheSpecificationOfGcmSays(AeadLibrary library) {
    AeadAlgorithm gcm = AeadAlgorithm.AES_256_GCM;
    String zeroes = "00".repeat(32);
    String key = "feffe9928665731c6d6a8f9467308308".repeat(2);
    String plain =
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
            + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39";
    String sealed =
        "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
            + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662";

    assertVector(gcm, library, zeroes, "00".repeat(12), "", "", "530f8afbc74536b9a963b4f1c4cb738b");
    assertVector(
        gcm,
        library,
        zeroes,
        "00".repeat(12),
        "",
        "00".repeat(16),
        "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919");
    assertVector(
        gcm,
        library,
        key,
        "cafebabefacedbaddecaf888",
        "",
        plain + "1aafd255",
        sealed + "898015ad" + "b094dac5d93471bdec1a502270e3cc6c");
    assertVector(
        gcm,
        library,
        key,
        "cafebabefacedbaddecaf888",
        "feedfacedeadbeeffeedfacedeadbeefabaddad2",
        plain,
        sealed + "76fc6ece0f4e1768cddf8853bb2d551b");
  }

  @ParameterizedTest
  @EnumSource
  @Tag("sampled")
  void shouldSealAndOpenAsTheOtherLibraryDoes(AeadAlgorithm algorithm) {
    byte[] key = randomBytes(Aead.KEY_BYTES);
    try (Aead ours = open(algorithm, AeadLibrary.OPENSSL, key);
        Aead judge = open(algorithm, AeadLibrary.JDK, key)) {
      int times = Soak.times(3000, 300_000);
      for (int i = 0; i < times; i++) {
        byte[] aad = randomBytes(i == 0 ? 0 : random.nextInt(40));
        byte[] plain = randomBytes(i < 3 ? 0 : random.nextInt(i % 50 == 0 ? 70_000 : 2000));
        assertSame(ours, judge, aad, plain);
      }
    }
  }

  private void assertSame(Aead ours, Aead judge, byte[] aad, byte[] message) {
    int bytes = message.length;
    int high = random.nextInt();
    long low = random.nextLong();
    try (Arena own = Arena.ofConfined()) {
      MemorySegment with = own.allocateFrom(ValueLayout.JAVA_BYTE, aad);
      MemorySegment plain = own.allocateFrom(ValueLayout.JAVA_BYTE, message);
      MemorySegment sealed = own.allocate(bytes + Aead.TAG_BYTES);
      MemorySegment expected = own.allocate(bytes + Aead.TAG_BYTES);
      MemorySegment back = own.allocate(bytes + 1);

      assertThat(ours.seal(high, low, with, plain, sealed)).isEqualTo(bytes + Aead.TAG_BYTES);
      judge.seal(high, low, with, plain, expected);
      assertThat(sealed.mismatch(expected)).isEqualTo(-1);
      assertThat(ours.open(high, low, with, expected, back)).isEqualTo(bytes);
      assertThat(back.asSlice(0, bytes).mismatch(plain)).isEqualTo(-1);
      assertThat(judge.open(high, low, with, sealed, back)).isEqualTo(bytes);
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void shouldNotOpenWhatWasChangedAndLeaveZeroes(AeadAlgorithm algorithm, AeadLibrary library) {
    try (Aead aead = open(algorithm, library, randomBytes(Aead.KEY_BYTES))) {
      MemorySegment plain = segment(randomBytes(40));
      MemorySegment aad = segment(randomBytes(5));
      MemorySegment sealed = arena.allocate(56);
      aead.seal(1, 2, aad, plain, sealed);
      MemorySegment back = arena.allocate(50);
      for (MemorySegment changed : new MemorySegment[] {sealed, aad}) {
        for (int bit = 0; bit < Byte.SIZE * changed.byteSize(); bit++) {
          flip(changed, bit);
          back.fill(UNTOUCHED);

          assertThat(aead.open(1, 2, aad, sealed, back)).isEqualTo(Aead.FAILED);
          assertThat(back.asSlice(0, 40).toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
          assertThat(back.asSlice(40).toArray(ValueLayout.JAVA_BYTE)).containsOnly(UNTOUCHED);
          flip(changed, bit);
        }
      }

      assertThat(aead.open(1, 3, aad, sealed, back)).isEqualTo(Aead.FAILED);
      assertThat(aead.open(0, 2, aad, sealed, back)).isEqualTo(Aead.FAILED);
      assertThat(aead.open(1, 2, NO_AAD, sealed, back)).isEqualTo(Aead.FAILED);
      for (int bytes = 0; bytes < 56; bytes++) {
        assertThat(aead.open(1, 2, aad, sealed.asSlice(0, bytes), back)).isEqualTo(Aead.FAILED);
      }
      assertThat(aead.open(1, 2, aad, sealed, back)).isEqualTo(40);
      assertThat(back.asSlice(0, 40).mismatch(plain)).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void shouldSealAndOpenInPlaceBehindAHeader(AeadAlgorithm algorithm, AeadLibrary library) {
    byte[] key = randomBytes(Aead.KEY_BYTES);
    try (Aead aead = open(algorithm, library, key)) {
      MemorySegment message = segment(randomBytes(1500)).asSlice(0, 1500);
      byte[] before = message.toArray(ValueLayout.JAVA_BYTE);
      MemorySegment elsewhere = arena.allocate(1400 + Aead.TAG_BYTES);
      aead.seal(7, 8, message, 0, 20, message, 20, 1400, elsewhere, 0);

      try (Aead again = open(algorithm, library, key)) {
        assertThat(again.seal(7, 8, message, 0, 20, message, 20, 1400, message, 20))
            .isEqualTo(1416);
      }
      assertThat(message.asSlice(20, 1416).mismatch(elsewhere)).isEqualTo(-1);
      assertThat(aead.open(7, 8, message, 0, 20, message, 20, 1416, message, 20)).isEqualTo(1400);

      byte[] after = message.toArray(ValueLayout.JAVA_BYTE);
      for (int i = 0; i < 1500; i++) {
        if (i < 1420 || i >= 1436) {
          assertThat(after[i]).isEqualTo(before[i]);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldMakeNoObjectsByOpenSsl(AeadAlgorithm algorithm) {
    try (Aead aead = open(algorithm, AeadLibrary.OPENSSL, randomBytes(Aead.KEY_BYTES))) {
      MemorySegment message = segment(randomBytes(3000));
      AllocationMeter meter = new AllocationMeter(2000);
      int failed = 0;
      for (int i = 0; !meter.isDone(); i++) {
        int at = 20 + i % 100;
        aead.seal(1, i, message, at - 20, 20, message, at, 1400, message, at);
        failed +=
            aead.open(2, i, message, at - 20, 20, message, at, 1416, message, 1540) < 0 ? 1 : 0;
        failed += aead.open(1, i, message, at - 20, 20, message, at, 1416, message, at) < 0 ? 1 : 0;
        meter.add(1);
        if (failed != i + 1) {
          throw new AssertionError("failed=%d, messages=%d".formatted(failed, i + 1));
        }
      }
      meter.assertQuiet();
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void shouldRefuseRangesThatNativeCodeMustNotTouch(AeadAlgorithm algorithm, AeadLibrary library) {
    Aead aead = open(algorithm, library, new byte[Aead.KEY_BYTES]);
    MemorySegment message = arena.allocate(100);
    MemorySegment other = arena.allocate(115);

    assertThatThrownBy(() -> aead.seal(0, 0, NO_AAD, message, other))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> aead.seal(0, 0, message, 90, 11, message, 0, 10, other, 0))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> aead.open(0, 0, NO_AAD, message, other.asSlice(0, 83)))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> aead.open(0, 0, NO_AAD, message, other.asReadOnly()))
        .hasMessageStartingWith("cannot be written: segment=");
    assertThatThrownBy(() -> aead.seal(0, 0, NO_AAD, MemorySegment.ofArray(new byte[10]), other))
        .hasMessageStartingWith("not in native memory: segment=");
    assertThatThrownBy(() -> aead.seal(0, 0, NO_AAD, 0, 0, message, 0, 50, message, 1))
        .hasMessageStartingWith("ranges overlap: source=");
    assertThatThrownBy(() -> aead.open(0, 0, NO_AAD, 0, 0, message, 1, 50, message, 0))
        .hasMessageStartingWith("ranges overlap: source=");

    Arena shared = Arena.ofShared();
    MemorySegment freed = shared.allocate(84);
    shared.close();
    assertThatThrownBy(() -> aead.seal(0, 0, NO_AAD, freed, other)).hasMessage("Already closed");
    assertThatThrownBy(() -> aead.open(0, 0, NO_AAD, message, freed)).hasMessage("Already closed");
    assertThatThrownBy(() -> aead.open(0, 0, freed, message, other)).hasMessage("Already closed");

    aead.close();
    aead.close();
    assertThatThrownBy(() -> aead.seal(0, 0, NO_AAD, message.asSlice(0, 9), other))
        .hasMessage("used after it was closed; open another");
    assertThatThrownBy(() -> aead.open(0, 0, NO_AAD, message, other))
        .hasMessage("used after it was closed; open another");
  }

  @Test
  void shouldRefuseKeysOfAnotherLength() {
    assertThatThrownBy(() -> AeadAlgorithm.AES_256_GCM.open(new byte[16]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("wrong length of a key: algorithm=aes-256-gcm, bytes=16; give 32");
  }

  @ParameterizedTest
  @EnumSource
  void shouldLeaveTheKeyToTheCaller(AeadAlgorithm algorithm) {
    byte[] key = randomBytes(Aead.KEY_BYTES);
    byte[] copy = key.clone();
    try (Aead aead = algorithm.open(key)) {
      assertThat(key).isEqualTo(copy);
      MemorySegment plain = segment(randomBytes(9));
      MemorySegment first = arena.allocate(25);
      aead.seal(0, 1, NO_AAD, plain, first);
      key[0]++; // Wiped, say.
      MemorySegment back = arena.allocate(9);

      assertThat(aead.open(0, 1, NO_AAD, first, back)).isEqualTo(9);
    }
  }

  private void assertVector(
      AeadAlgorithm algorithm,
      AeadLibrary library,
      String key,
      String nonce,
      String aad,
      String plain,
      String sealed) {
    ByteBuffer parts = ByteBuffer.wrap(HexFormat.of().parseHex(nonce));
    int high = parts.getInt(0);
    long low = parts.getLong(4);
    MemorySegment with = hex(aad);
    MemorySegment expected = hex(sealed);
    MemorySegment written = arena.allocate(expected.byteSize());
    MemorySegment back = arena.allocate(Math.max(1, plain.length() / 2));
    try (Aead aead = open(algorithm, library, HexFormat.of().parseHex(key))) {
      assertThat(aead.seal(high, low, with, hex(plain), written)).isEqualTo(sealed.length() / 2);
      assertThat(written.mismatch(expected)).isEqualTo(-1);
      assertThat(aead.open(high, low, with, written, back)).isEqualTo(plain.length() / 2);
      assertThat(back.asSlice(0, plain.length() / 2).mismatch(hex(plain))).isEqualTo(-1);
    }
  }

  private static Aead open(AeadAlgorithm algorithm, AeadLibrary library, byte[] key) {
    assumeTrue(library.isAvailable(), library::problem);
    return algorithm.open(key, library);
  }

  private static void flip(MemorySegment segment, int bit) {
    byte old = segment.get(ValueLayout.JAVA_BYTE, bit / 8);
    segment.set(ValueLayout.JAVA_BYTE, bit / 8, (byte) (old ^ (1 << bit % 8)));
  }

  private MemorySegment hex(String text) {
    return segment(HexFormat.of().parseHex(text));
  }

  private MemorySegment segment(byte[] content) {
    return arena.allocateFrom(ValueLayout.JAVA_BYTE, content);
  }

  private byte[] randomBytes(int bytes) {
    byte[] made = new byte[bytes];
    random.nextBytes(made);
    return made;
  }
}
