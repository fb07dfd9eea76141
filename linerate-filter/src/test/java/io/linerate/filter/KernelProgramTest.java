package io.linerate.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.LinkType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KernelProgramTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "tcp port 80",
        "vlan 5 and ip",
        "not host 10.0.0.1",
        "tcp[tcpflags] & (tcp-syn|tcp-fin) != 0",
        "ip[2:2] > 576",
        "icmp[icmptype] = icmp-echo",
        "ether[0] & 1 = 1"
      })
  void shouldLetTheKernelDecideWhatItSeesAsWeDo(String expression) {
    PacketFilter filter = PacketFilter.compile(expression);
    assertThat(filter.kernelProgram())
        .hasSize(3 + filter.program(LinkType.ETHERNET).instructions().size())
        .startsWith(0xFFFF_F030_0000_0030L, 0x1_0015L, 0xFFFF_FFFF_0000_0006L);
  }

  /** Lengths and checksums are not yet what user space sees; a loop it refuses. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "len > 100",
        "less 60",
        "tcp and not greater 1000",
        "tcp[16:2] = 0",
        "udp[6] = 1",
        "ip[36:2] = 0",
        "tcp[tcp[12] >> 2] = 0x47",
        "ether[50] = 1",
        "ip protochain 6",
        "inbound",
        "inbound or tcp",
        "type mgt"
      })
  void shouldDecideTheRestInUserSpace(String expression) {
    assertThat(PacketFilter.compile(expression).kernelProgram()).isEmpty();
  }
}
