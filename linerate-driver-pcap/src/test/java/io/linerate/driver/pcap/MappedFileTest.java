package io.linerate.driver.pcap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappedFileTest {
  private static final int BYTES = 4 << 20;
  private static final int CHANGED_AT = 3 << 20;

  @TempDir Path directory;

  @Test
  void shouldKnowWhereItWasChanged() throws IOException {
    Path path = Files.write(directory.resolve("file"), new byte[BYTES]);
    try (MappedFile file = MappedFile.open(path)) {
      MemorySegment bytes = file.bytes();
      for (int at = 0; at < BYTES; at += 512) {
        assertThat(bytes.get(ValueLayout.JAVA_BYTE, at)).isZero();
      }
      assumeFalse(file.mayBeChanged(0, BYTES), "the kernel does not say: Linux 6.7 does");
      bytes.set(ValueLayout.JAVA_BYTE, CHANGED_AT, (byte) 1);
      assertThat(file.mayBeChanged(0, BYTES)).isTrue();
      assertThat(file.mayBeChanged(0, CHANGED_AT)).isFalse();
      file.discardChanges(0, BYTES);
      assertThat(file.mayBeChanged(0, BYTES)).isFalse();
      assertThat(bytes.get(ValueLayout.JAVA_BYTE, CHANGED_AT)).isZero();
    }
  }
}
