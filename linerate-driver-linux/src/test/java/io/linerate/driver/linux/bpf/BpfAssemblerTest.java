package io.linerate.driver.linux.bpf;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BpfAssemblerTest {
  private final BpfAssembler to = new BpfAssembler();

  @Test
  void shouldEncodeInstructionsAsTheKernelReadsThem() {
    to.move(6, 1);
    to.loadU32(2, 6, 16);
    to.loadMap(1, 7);
    to.moveConstant(3, 2);
    to.call(51);
    to.exit();

    // Opcode, registers, offset and immediate of linux/bpf.h, least significant first.
    assertThat(to.code())
        .containsExactly(
            0x0000_0000_0000_16BFL,
            0x0000_0000_0010_6261L,
            0x0000_0007_0000_1118L,
            0,
            0x0000_0002_0000_03B7L,
            0x0000_0033_0000_0085L,
            0x0000_0000_0000_0095L);
  }

  @Test
  void shouldCountJumpsFromTheInstructionAfterThem() {
    BpfAssembler.Label end = new BpfAssembler.Label();
    BpfAssembler.Label start = new BpfAssembler.Label();
    to.place(start);
    to.jumpIfEqual(4, -1, end);
    to.jump(start);
    to.place(end);
    to.exit();

    assertThat(to.code())
        .containsExactly(0xFFFF_FFFF_0001_0415L, 0x0000_0000_FFFE_0005L, 0x0000_0000_0000_0095L);
  }
}
