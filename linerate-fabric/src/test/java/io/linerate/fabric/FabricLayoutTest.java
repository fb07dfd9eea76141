package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FabricLayoutTest {
  private static final int VERSION_1_17 = 1 << 16 | 17;

  @Test
  void shouldTakeTheLibraryItWasBuiltWithAndNewerOnes() {
    FabricLayout layout = FabricLayout.expected(1, 17);
    assertThat(layout.problem(VERSION_1_17)).isEmpty();
    assertThat(layout.problem(VERSION_1_17 + 3)).isEmpty();
  }

  @Test
  void shouldRefuseAnOlderLibraryAndAnotherMajorVersion() {
    FabricLayout layout = FabricLayout.expected(1, 17);
    assertThat(layout.problem(VERSION_1_17 - 1)).contains("built=1.17, found=1.16");
    assertThat(layout.problem(2 << 16)).contains("built=1.17, found=2.0");
  }

  @Test
  void shouldRefuseEachOtherOffset() {
    for (int i = 2; i < FabricLayout.COUNT; i++) {
      assertThat(FabricLayout.expected(1, 17).with(i, 9999).problem(VERSION_1_17))
          .contains("value=" + i + ", compiled=9999", "build again");
    }
  }

  @Test
  void shouldRefuseAShimOfAnotherLinerate() {
    assertThat(new FabricLayout(1, 17).problem(VERSION_1_17)).contains("values=2", "build again");
  }
}
