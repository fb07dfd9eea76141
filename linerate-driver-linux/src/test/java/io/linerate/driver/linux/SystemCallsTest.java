package io.linerate.driver.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

class SystemCallsTest {
  private final SystemCalls calls = new SystemCalls();

  @Test
  void shouldReturnTheErrorNumberNegated() {
    assertThat(calls.close(-1)).isEqualTo(-9);
    assertThat(calls.error(-9)).isEqualTo("Bad file descriptor (errno 9)");
    assertThat(calls.open("/no/such/file", SystemCalls.O_RDWR)).isEqualTo(-SystemCalls.ENOENT);
    assertThat(calls.bpf(-1, 0, 0)).isNegative();
  }

  @Test
  void shouldMapMemoryAndGiveItBack() {
    int flags = SystemCalls.MAP_PRIVATE | SystemCalls.MAP_ANONYMOUS;
    long address = calls.mmap(8_192, SystemCalls.PROT_READ_WRITE, flags, -1, 0);

    SharedMemory.u32Release(address + 4_096, 0xCAFE);

    assertThat(SharedMemory.u32Acquire(address + 4_096)).isEqualTo(0xCAFE);
    assertThat(calls.munmap(address, 8_192)).isZero();
    assertThat(calls.mmap(0, 0, flags, -1, 0)).isEqualTo(-SystemCalls.EINVAL);
  }

  @Test
  void shouldReadAndWriteADevice() {
    int zero = calls.open("/dev/zero", SystemCalls.O_RDWR);
    try (Arena arena = Arena.ofConfined()) {
      long bytes = arena.allocate(16, 8).fill((byte) 0xA5).address();

      assertThat(calls.write(zero, bytes, 16)).isEqualTo(16);
      assertThat(calls.read(zero, bytes, 8)).isEqualTo(8);
      assertThat(SharedMemory.u64(bytes)).isZero();
      assertThat(SharedMemory.u64(bytes + 8)).isEqualTo(0xA5A5A5A5A5A5A5A5L);
    } finally {
      assertThat(calls.close(zero)).isZero();
    }
  }
}
