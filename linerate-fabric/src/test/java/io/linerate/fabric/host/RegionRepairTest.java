package io.linerate.fabric.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a killed process can have left half done in the memory of an endpoint of shm. */
class RegionRepairTest {
  private static final int BASE = 64;
  private static final int CREDIT = 48;
  private static final int QUEUE = 128;
  private static final int READ = QUEUE + 16;
  private static final int WRITTEN = QUEUE + 24;
  private static final int COMMANDS = QUEUE + 32;
  private static final int POOL = COMMANDS + 1024 * 256;

  private static final int SEND = 0;
  private static final int WRITE = 4;

  @TempDir Path folder;
  private FileChannel file;

  /** As it is when nothing was ever given to it, at some place in a file. */
  @BeforeEach
  void makeRegion() throws IOException {
    file =
        FileChannel.open(
            folder.resolve("region"),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    put(CREDIT, 1024);
    put(64, QUEUE);
    put(80, POOL);
    put(QUEUE, 1024);
    put(QUEUE + 8, 1023);
    put(READ, 0);
    put(WRITTEN, 0);
    put(POOL + 8, 4096);
    putShort(POOL + 26, 0);
    for (int i = 0; i < 1024; i++) {
      putShort(POOL + 28 + 2 * i, i == 1023 ? -1 : i + 1);
    }
  }

  @AfterEach
  void close() throws IOException {
    file.close();
  }

  @Test
  void shouldCountNoMoreCommandsThanThereAreBuffers() throws IOException {
    putShort(POOL + 26, 924); // 100 are left of it.
    put(CREDIT, 101);
    assertThat(repair()).isTrue();
    assertThat(get(CREDIT)).isEqualTo(99);
    put(CREDIT, 500);
    assertThat(repair()).isTrue();
    assertThat(get(CREDIT)).isEqualTo(100);
    putShort(POOL + 26, -1);
    assertThat(repair()).isTrue();
    assertThat(get(CREDIT)).isZero();
  }

  @Test
  void shouldCountNoMoreCommandsThanTheQueueHasRoomFor() throws IOException {
    put(READ, 5000);
    put(WRITTEN, 6020);
    assertThat(repair()).isTrue();
    assertThat(get(CREDIT)).isEqualTo(4);
    assertThat(get(WRITTEN)).isEqualTo(6020);
  }

  @Test
  void shouldTakeBackACommandWithoutItsSecondOne() throws IOException {
    put(READ, 1023); // The next one is at the beginning again.
    command(1023, WRITE);
    command(1025, SEND);
    command(1026, WRITE);
    put(WRITTEN, 1027);
    assertThat(repair()).isTrue();
    assertThat(get(WRITTEN)).isEqualTo(1026);
    put(WRITTEN, 1028);
    assertThat(repair()).isTrue();
    assertThat(get(WRITTEN)).isEqualTo(1028);
  }

  @Test
  void shouldChangeNothingWhereItDoesNotKnowTheForm() throws IOException {
    put(QUEUE, 512);
    assertThat(repair()).isFalse();
    put(QUEUE, 1024);
    put(POOL + 8, 0);
    assertThat(repair()).isFalse();
    put(POOL + 8, 4096);
    putShort(POOL + 28 + 2 * 7, 3); // It goes round.
    assertThat(repair()).isFalse();
    assertThat(get(CREDIT)).isEqualTo(1024);
  }

  private boolean repair() throws IOException {
    return new RegionRepair(file, BASE).repair();
  }

  private void command(long number, int operation) throws IOException {
    put((int) (COMMANDS + number % 1024 * 256) + 16, operation);
  }

  private void put(int at, long value) throws IOException {
    int _ = file.write(buffer().putLong(0, value), BASE + at);
  }

  private void putShort(int at, int value) throws IOException {
    int _ = file.write(buffer().limit(Short.BYTES).putShort(0, (short) value), BASE + at);
  }

  private long get(int at) throws IOException {
    ByteBuffer value = buffer();
    assertThat(file.read(value, BASE + at)).isEqualTo(Long.BYTES);
    return value.getLong(0);
  }

  private static ByteBuffer buffer() {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
  }
}
