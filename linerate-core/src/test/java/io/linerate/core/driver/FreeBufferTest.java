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

  private void finish(int packets, FreeBuffer freeBuffer) {
    assertThat(buffers.pool.allocate(buffers.owned.array(), packets)).isTrue();
    buffers.owned.finish(freeBuffer);
  }

  @Test
  void shouldStoreUntilThereAreEnough() {
    FreeBuffer freeBuffer = new FreeBuffer(buffers.pools, 4);
    finish(3, freeBuffer);
    assertThat(freeBuffer.size()).isEqualTo(3);
    assertThat(buffers.pool.available()).isEqualTo(29);
    finish(2, freeBuffer);
    assertThat(freeBuffer.size()).isEqualTo(1);
    assertThat(buffers.pool.available()).isEqualTo(31);
    freeBuffer.flush();
    freeBuffer.flush();
    assertThat(freeBuffer.size()).isZero();
    assertThat(buffers.pool.available()).isEqualTo(32);
  }

  @Test
  void shouldFreeALargeBurstFromWhereItStands() {
    FreeBuffer freeBuffer = new FreeBuffer(buffers.pools, 4);
    finish(20, freeBuffer);
    assertThat(freeBuffer.size()).isZero();
    assertThat(buffers.pool.available()).isEqualTo(32);
  }

  @Test
  void shouldFreeALargeBurstBehindStoredPackets() {
    FreeBuffer freeBuffer = new FreeBuffer(buffers.pools, 4);
    finish(1, freeBuffer);
    finish(20, freeBuffer);
    assertThat(freeBuffer.size()).isEqualTo(1);
    assertThat(buffers.pool.available()).isEqualTo(31);
    freeBuffer.flush();
    assertThat(buffers.pool.available()).isEqualTo(32);
  }

  @Test
  void shouldKeepALargeBurstWhereItStandsUntilItsPacketsAreTaken() {
    FreeBuffer freeBuffer = new FreeBuffer(buffers.pools, 4);
    assertThat(buffers.pool.allocate(buffers.owned.array(), 20)).isTrue();
    buffers.owned.finishInPlace(freeBuffer);
    assertThat(buffers.pool.available()).isEqualTo(12);
    assertThat(freeBuffer.spentOrigin()).isSameAs(buffers.pool);
    assertThat(freeBuffer.spent()).isEqualTo(buffers.owned.array().address());
    assertThat(freeBuffer.takeSpent()).isEqualTo(20);
    assertThat(freeBuffer.takeSpent()).isZero();
    buffers.pool.free(freeBuffer.spent(), 20);
    freeBuffer.flush();
    assertThat(buffers.pool.available()).isEqualTo(32);
  }

  @Test
  void shouldStoreWhatNobodyHasTakenBeforeAnotherBurstComes() {
    FreeBuffer freeBuffer = new FreeBuffer(buffers.pools, 4);
    for (int packets : new int[] {20, 3, 12}) {
      freeBuffer.storeSpent(); // As whoever receives into the same array does.
      assertThat(buffers.pool.allocate(buffers.owned.array(), packets)).isTrue();
      buffers.owned.finishInPlace(freeBuffer);
    }
    assertThat(freeBuffer.size()).isEqualTo(3);
    assertThat(buffers.pool.available()).isEqualTo(17);
    freeBuffer.storeSpent();
    assertThat(freeBuffer.size()).isEqualTo(3);
    assertThat(buffers.pool.available()).isEqualTo(29);
    freeBuffer.flush();
    assertThat(buffers.pool.available()).isEqualTo(32);
  }

  @Test
  void shouldRefuseToStoreLessThanOnePacket() {
    assertThatIllegalArgumentException().isThrownBy(() -> new FreeBuffer(buffers.pools, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new FreeBuffer(buffers.pools, -1));
  }
}
