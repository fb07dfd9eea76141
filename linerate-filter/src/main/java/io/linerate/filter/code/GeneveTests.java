package io.linerate.filter.code;

import static io.linerate.filter.code.Opcodes.ADD;
import static io.linerate.filter.code.Opcodes.ALU;
import static io.linerate.filter.code.Opcodes.AND;
import static io.linerate.filter.code.Opcodes.B;
import static io.linerate.filter.code.Opcodes.H;
import static io.linerate.filter.code.Opcodes.IMM;
import static io.linerate.filter.code.Opcodes.IND;
import static io.linerate.filter.code.Opcodes.JEQ;
import static io.linerate.filter.code.Opcodes.JMP;
import static io.linerate.filter.code.Opcodes.K;
import static io.linerate.filter.code.Opcodes.LD;
import static io.linerate.filter.code.Opcodes.LDX;
import static io.linerate.filter.code.Opcodes.MEM;
import static io.linerate.filter.code.Opcodes.MISC;
import static io.linerate.filter.code.Opcodes.MUL;
import static io.linerate.filter.code.Opcodes.ST;
import static io.linerate.filter.code.Opcodes.STX;
import static io.linerate.filter.code.Opcodes.TAX;
import static io.linerate.filter.code.Opcodes.TXA;
import static io.linerate.filter.code.Opcodes.W;
import static io.linerate.filter.code.Opcodes.X;

import io.linerate.filter.syntax.Direction;
import java.util.List;
import java.util.OptionalInt;

/**
 * Geneve, RFC 8926: packets in UDP, with an Ethernet header or without. Where they begin is worked
 * out for each packet, and kept in registers.
 */
final class GeneveTests {
  private static final int PORT = 6_081;
  private static final int UDP_BYTES = 8;
  private static final int IPV6_BYTES = 40;

  private final Emitter emitter;
  private final PortTests ports;
  private final LinkLayout layout;

  GeneveTests(Emitter emitter, PortTests ports) {
    this.emitter = emitter;
    this.ports = ports;
    layout = emitter.layout;
  }

  Test of(OptionalInt network) {
    Test ipv4 = overIpv4(network);
    Test either = ipv4.or(overIpv6(network));
    List<Statement> code = offsets();
    code.add(new Statement(LD | IMM, 0));
    Test test = either.and(Test.of(code, JMP | JEQ | K, 0));
    layout.isGeneve = true;
    return test;
  }

  /** Version 0, and the network's identifier. */
  private Test header(boolean isIpv4, OptionalInt network) {
    Base base = isIpv4 ? Base.IPV4_PAYLOAD : Base.IPV6_PAYLOAD;
    Test test = ports.port(isIpv4, PORT, PortTests.UDP, Direction.DST);
    test = test.and(emitter.equal(base, UDP_BYTES, B, 0, 0xC0));
    if (network.isPresent()) {
      int value = emitter.limited("geneve", network.getAsInt(), 0xFF_FFFF);
      test = test.and(emitter.equal(base, UDP_BYTES + 4, W, value << 8, 0xFFFF_FF00));
    }
    return test;
  }

  /** Leaves the length of the IP header in A, and in X: that they are equal always holds. */
  private Test overIpv4(OptionalInt network) {
    Test header = header(true, network);
    List<Statement> code = emitter.loadIpv4HeaderLength();
    code.add(new Statement(MISC | TXA, 0));
    return header.and(Test.of(code, JMP | JEQ | X, 0));
  }

  private Test overIpv6(OptionalInt network) {
    Test header = header(false, network);
    List<Statement> code = emitter.loadVariable(layout.linkPayload);
    code.add(new Statement(LD | IMM, IPV6_BYTES));
    if (layout.linkPayload.isVariable) {
      code.add(new Statement(ALU | ADD | X, 0));
    }
    code.add(new Statement(MISC | TAX, 0));
    return header.and(Test.of(code, JMP | JEQ | X, 0));
  }

  /** From the length in A to where the packet inside has its type, begins, and its payload does. */
  private List<Statement> offsets() {
    List<Statement> code =
        Statement.list(
            new Statement(ALU | ADD | K, layout.linkPayload.constant + layout.network + UDP_BYTES),
            new Statement(MISC | TAX, 0),
            new Statement(ALU | ADD | K, 2));
    layout.linkType.register = emitter.takeRegister();
    layout.linkType.isVariable = true;
    layout.linkType.constant = 0;
    code.add(new Statement(ST, layout.linkType.register));
    // Length of the options, in words, behind a header of 8 bytes.
    code.add(new Statement(LD | IND | B, 0));
    code.add(new Statement(ALU | AND | K, 0x3F));
    code.add(new Statement(ALU | MUL | K, 4));
    code.add(new Statement(ALU | ADD | K, 8));
    code.add(new Statement(ALU | ADD | X, 0));
    layout.enter(Links.ETHERNET, true, 0, emitter.takeRegister());
    code.add(new Statement(ST, layout.linkHeader.register));
    passEthernet(code);
    layout.network = 0;
    return code;
  }

  private void passEthernet(List<Statement> code) {
    emitter.jumpsInBlock();
    code.add(new Statement(LD | IND | H, 2));
    code.add(new Statement(LDX | MEM, layout.linkHeader.register));
    Statement isEthernet = new Statement(JMP | JEQ | K, NetworkTypes.ETHERNET);
    code.add(isEthernet);
    Statement first = new Statement(MISC | TXA, 0);
    isEthernet.whenTrue = first;
    code.add(first);
    code.add(new Statement(ALU | ADD | K, 12));
    code.add(new Statement(ST, layout.linkType.register));
    code.add(new Statement(ALU | ADD | K, 2));
    code.add(new Statement(MISC | TAX, 0));
    layout.enterPayload(emitter.takeRegister());
    Statement last = new Statement(STX, layout.linkPayload.register);
    isEthernet.whenFalse = last;
    code.add(last);
  }
}
