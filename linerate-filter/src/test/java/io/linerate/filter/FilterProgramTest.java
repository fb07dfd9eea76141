package io.linerate.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.memory.LinkType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class FilterProgramTest {
  private static FilterProgram program(String filter) {
    return PacketFilter.compile(filter).program(LinkType.ETHERNET);
  }

  /** As tcpdump 4.99 prints it. */
  @Test
  void shouldPrintProgramsAsTcpdumpDoes() {
    FilterProgram program = program("ip and ip[2:2] - 4 > 3");
    assertThat(program.text(BpfFormat.ASSEMBLY))
        .isEqualTo(
            """
            (000) ldh      [12]
            (001) jeq      #0x800           jt 2	jf 6
            (002) ldh      [16]
            (003) sub      #4
            (004) jgt      #0x3             jt 5	jf 6
            (005) ret      #262144
            (006) ret      #0
            """);
    assertThat(program.text(BpfFormat.C_ARRAY))
        .startsWith("{ 0x28, 0, 0, 0x0000000c },\n{ 0x15, 0, 4, 0x00000800 },\n");
    assertThat(program.text(BpfFormat.DECIMAL)).startsWith("7\n40 0 0 12\n21 0 4 2048\n");
  }

  @Test
  void shouldPrintAllInstructions() {
    assertThat(program("tcp dst port 80").text(BpfFormat.ASSEMBLY))
        .contains("ldxb     4*([14]&0xf)");
    assertThat(program("inbound").text(BpfFormat.ASSEMBLY)).contains("ldh      [type]");
    assertThat(program("ifindex 3").text(BpfFormat.ASSEMBLY)).contains("ld       [ifidx]");
    assertThat(program("len > 5").text(BpfFormat.ASSEMBLY)).contains("ld       #pktlen");
    assertThat(program("ip protochain 6").text(BpfFormat.ASSEMBLY))
        .contains("ja       4\n", "st       M[0]\n", "ldb      [x + 14]\n", "tax      \n");
    assertThat(program("tcp[0:2] = tcp[2:2]").text(BpfFormat.ASSEMBLY)).contains("jeq      x  ");
  }

  @Test
  void shouldKeepWhatItIsTold() {
    FilterOptions options = FilterOptions.defaults().withSnapLengthBytes(96);
    FilterProgram program = PacketFilter.compile("ip", options).program(LinkType.ETHERNET);
    assertThat(program.text(BpfFormat.ASSEMBLY)).contains("ret      #96\n");
    assertThatThrownBy(() -> options.withSnapLengthBytes(0))
        .hasMessageContaining("snapLengthBytes=0");
  }

  @Test
  void shouldEncodeInstructionsForTheKernel() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment array = program("ip").encode(arena);
      assertThat(array.byteSize()).isEqualTo(4 * FilterProgram.INSTRUCTION_BYTES);
      assertThat(array.get(ValueLayout.JAVA_SHORT, 8)).isEqualTo((short) 0x15);
      assertThat(array.get(ValueLayout.JAVA_BYTE, 10)).isEqualTo((byte) 0);
      assertThat(array.get(ValueLayout.JAVA_BYTE, 11)).isEqualTo((byte) 1);
      assertThat(array.get(ValueLayout.JAVA_INT, 12)).isEqualTo(0x800);
    }
  }

  @Test
  void shouldRefuseInstructionsThatDoNotFit() {
    assertThatThrownBy(() -> new BpfInstruction(0x15, 256, 0, 0))
        .hasMessage("instruction does not fit: whenTrue=256, max=255");
  }
}
