package io.linerate.core.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.linerate.core.memory.TestBuffers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FreeBufferTest {
  private final TestBuffers buffers = new TestBuffers(32);

  @AfterEach
  void buffersAreHome() {
    buffers.close();
  }

  private void finish(int packets, FreeBuffer home) {
    assertThat(buffers.pool.allocate(buffers.owned.array(), packets)).isTrue();
    buffers.owned.finish(home);
  }

  @Test
  void shouldStoreUntilThereAreEnough() {
    FreeBuffer home = new FreeBuffer(buffers.pools, 4);
    finish(3, home);
    assertThat(home.size()).isEqualTo(3);
    assertThat(buffers.pool.available()).isEqualTo(29);
    finish(2, home);
    assertThat(home.size()).isEqualTo(1);
    assertThat(buffers.pool.available()).isEqualTo(31);
    home.flush();
    home.flush();
    assertThat(home.size()).isZero();
    assertThat(buffers.pool.available()).isEqualTo(32);
  }

  @Test
  void shouldFreeALargeBurstFromWhereItStands() {
    FreeBuffer home = new FreeBuffer(buffers.pools, 4);
    finish(20, home);
    assertThat(home.size()).isZero();
    assertThat(buffers.pool.available()).isEqualTo(32);
  }

  @Test
  void shouldFreeALargeBurstBehindStoredPackets() {
    FreeBuffer home = new FreeBuffer(buffers.pools, 4);
    finish(1, home);
    finish(20, home);
    home.flush();
    assertThat(buffers.pool.available()).isEqualTo(32);
  }

  @Test
  void shouldRefuseToStoreLessThanOnePacket() {
    assertThatIllegalArgumentException().isThrownBy(() -> new FreeBuffer(buffers.pools, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new FreeBuffer(buffers.pools, -1));
  }
}
