package io.linerate.apps.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.driver.NativeMemory;
import io.linerate.stream.codec.Aead;
import io.linerate.stream.codec.AeadAlgorithm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FileSealTest {
  private static final int AT = FileSeal.HEADER_BYTES + FileSeal.FRONT_BYTES;
  private static final byte[] PLAIN = "what is secret".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] FILE = new byte[TransferWire.DIGEST_BYTES];

  private final MemorySegment message = Arena.ofAuto().allocate(1_024);
  private final MemorySegment opened = Arena.ofAuto().allocate(1_024);

  private static FileKey key(int first) {
    byte[] secret = new byte[32];
    secret[0] = (byte) first;
    return new FileKey(secret);
  }

  private int seal(FileSeal seal) {
    message.fill((byte) 0);
    message.set(NativeMemory.NET_U64, 8, 0x1234);
    MemorySegment.copy(PLAIN, 0, message, ValueLayout.JAVA_BYTE, AT, PLAIN.length);
    return seal.seal(message, FILE, PLAIN.length);
  }

  @ParameterizedTest
  @EnumSource
  void shouldOpenWhatTheSameKeyHasSealed(AeadAlgorithm algorithm) {
    try (FileSeal sender = new FileSeal(key(1), algorithm);
        FileSeal receiver = new FileSeal(key(1), AeadAlgorithm.AES_256_GCM)) {
      for (int i = 0; i < 3; i++) {
        int bytes = seal(sender);
        assertThat(bytes).isEqualTo(AT + PLAIN.length + Aead.TAG_BYTES);
        assertThat(receiver.open(message, 0, bytes, FILE, opened)).isEqualTo(PLAIN.length);
        assertThat(opened.asSlice(0, PLAIN.length).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(PLAIN);
      }
    }
  }

  @Test
  void shouldOpenNothingThatIsNotAsItWasSealed() {
    byte[] otherFile = FILE.clone();
    otherFile[0] = 1;
    try (FileSeal sender = new FileSeal(key(1), AeadAlgorithm.AES_256_GCM);
        FileSeal receiver = new FileSeal(key(1), AeadAlgorithm.AES_256_GCM);
        FileSeal stranger = new FileSeal(key(2), AeadAlgorithm.AES_256_GCM)) {
      int bytes = seal(sender);
      assertThat(stranger.open(message, 0, bytes, FILE, opened)).isEqualTo(Aead.FAILED);
      assertThat(receiver.open(message, 0, bytes, otherFile, opened)).isEqualTo(Aead.FAILED);
      for (int length = 0; length < bytes; length++) {
        assertThat(receiver.open(message, 0, length, FILE, opened)).isEqualTo(Aead.FAILED);
      }
      for (int at = 0; at < bytes; at++) {
        byte before = message.get(ValueLayout.JAVA_BYTE, at);
        message.set(ValueLayout.JAVA_BYTE, at, (byte) (before ^ 0x40));
        assertThat(receiver.open(message, 0, bytes, FILE, opened)).as("at=%d", at).isNegative();
        message.set(ValueLayout.JAVA_BYTE, at, before);
      }
      assertThat(receiver.open(message, 0, bytes, FILE, opened)).isEqualTo(PLAIN.length);
    }
  }

  @Test
  void shouldNeverSealTwiceWithTheSameKeyAndNonce() {
    Set<String> used = new HashSet<>();
    for (int i = 0; i < 10; i++) {
      try (FileSeal sender = new FileSeal(key(1), AeadAlgorithm.AES_256_GCM)) {
        for (int k = 0; k < 10; k++) {
          int bytes = seal(sender);
          String front =
              HexFormat.of()
                  .formatHex(
                      message
                          .asSlice(FileSeal.HEADER_BYTES, FileSeal.FRONT_BYTES)
                          .toArray(ValueLayout.JAVA_BYTE));
          assertThat(used.add(front)).isTrue();
          assertThat(
                  new String(
                      message.asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE),
                      StandardCharsets.ISO_8859_1))
              .doesNotContain("secret");
        }
      }
    }
  }
}
