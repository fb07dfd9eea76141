package io.linerate.core.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class SystemCallsTest {
  private final SystemCalls calls = new SystemCalls();

  @Test
  void shouldReturnTheErrorNumberNegated() {
    assertThat(calls.close(-1)).isEqualTo(-9);
    assertThat(Errno.text(-9)).isEqualTo("Bad file descriptor (errno 9)");
    assertThat(calls.open("/no/such/file", SystemCalls.O_RDWR)).isEqualTo(-Errno.ENOENT);
    assertThat(calls.bpf(-1, 0, 0)).isNegative();
    assertThat(calls.wakeSender(-1)).isEqualTo(-9);
    assertThat(calls.wakeReceiver(-1)).isEqualTo(-9);
    assertThat(calls.sendmmsg(-1, 0, 1, 0)).isEqualTo(-9);
    assertThat(calls.discard(1, 4_096)).isEqualTo(-Errno.EINVAL);
  }

  @Test
  void shouldAnswerForFunctionsThatTheLibraryDoesNotHave() throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(CFunction.STATE);
      long returned =
          (long) CFunction.withErrno("no_such_call").invokeExact(state, 1L, 2L, 3L, 4L, 5L, 6L);
      assertThat(CFunction.result(state, returned)).isEqualTo(-Errno.ENOSYS);
    }
    long plain = (long) CFunction.plain("no_such_call").invokeExact(1L, 2L, 3L, 4L, 5L, 6L);
    assertThat(plain).isEqualTo(-Errno.ENOSYS);
    assertThat(Errno.text(plain)).isEqualTo("Function not implemented (errno 38)");
  }

  @Test
  void shouldMapMemoryAndGiveItBack() {
    int flags = SystemCalls.MAP_PRIVATE | SystemCalls.MAP_ANONYMOUS;
    long address = calls.mmap(8_192, SystemCalls.PROT_READ_WRITE, flags, -1, 0);
    MemorySegment map = at(address, 8_192);

    map.set(ValueLayout.JAVA_INT, 4_096, 0xCAFE);

    assertThat(map.get(ValueLayout.JAVA_INT, 4_096)).isEqualTo(0xCAFE);
    assertThat(calls.discard(address + 4_096, 4_096)).isZero();
    assertThat(map.get(ValueLayout.JAVA_INT, 4_096)).isZero();
    assertThat(calls.munmap(address, 8_192)).isZero();
    assertThat(calls.mmap(0, 0, flags, -1, 0)).isEqualTo(-Errno.EINVAL);
  }

  @SuppressWarnings("restricted")
  private static MemorySegment at(long address, long bytes) {
    return MemorySegment.ofAddress(address).reinterpret(bytes);
  }

  @Test
  void shouldReadAndWriteADevice() {
    int zero = calls.open("/dev/zero", SystemCalls.O_RDWR);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(16, 8).fill((byte) 0xA5);

      assertThat(calls.write(zero, bytes.address(), 16)).isEqualTo(16);
      assertThat(calls.read(zero, bytes.address(), 8)).isEqualTo(8);
      assertThat(bytes.get(ValueLayout.JAVA_LONG, 0)).isZero();
      assertThat(bytes.get(ValueLayout.JAVA_LONG, 8)).isEqualTo(0xA5A5A5A5A5A5A5A5L);
    } finally {
      assertThat(calls.close(zero)).isZero();
    }
  }
}
