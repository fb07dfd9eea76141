package io.linerate.filter.code;

import static io.linerate.filter.code.Opcodes.ABS;
import static io.linerate.filter.code.Opcodes.ADD;
import static io.linerate.filter.code.Opcodes.ALU;
import static io.linerate.filter.code.Opcodes.B;
import static io.linerate.filter.code.Opcodes.IMM;
import static io.linerate.filter.code.Opcodes.IND;
import static io.linerate.filter.code.Opcodes.JA;
import static io.linerate.filter.code.Opcodes.JEQ;
import static io.linerate.filter.code.Opcodes.JMP;
import static io.linerate.filter.code.Opcodes.K;
import static io.linerate.filter.code.Opcodes.LD;
import static io.linerate.filter.code.Opcodes.LDX;
import static io.linerate.filter.code.Opcodes.MEM;
import static io.linerate.filter.code.Opcodes.MISC;
import static io.linerate.filter.code.Opcodes.MSH;
import static io.linerate.filter.code.Opcodes.MUL;
import static io.linerate.filter.code.Opcodes.ST;
import static io.linerate.filter.code.Opcodes.TAX;
import static io.linerate.filter.code.Opcodes.X;

import io.linerate.filter.syntax.Protocol;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code protochain}: follows the chain of headers, which a loop does. In A is the protocol of the
 * next header, in X where it begins, counted from the IP header.
 */
final class ProtocolChain {
  private static final int HOP_BY_HOP = 0;
  private static final int ROUTING = 43;
  private static final int FRAGMENT = 44;
  private static final int AUTHENTICATION = 51;
  private static final int NO_NEXT = 59;
  private static final int DESTINATION_OPTIONS = 60;
  private static final int IPV6_HEADER_BYTES = 40;

  private final Emitter emitter;
  private final LinkTests links;
  private final List<Statement> code = new ArrayList<>();

  private ProtocolChain(Emitter emitter, LinkTests links) {
    this.emitter = emitter;
    this.links = links;
  }

  static Test of(Emitter emitter, LinkTests links, int number, Protocol protocol) {
    int register = emitter.takeRegister();
    return switch (protocol) {
      case ANY -> {
        Test ipv4 = of(emitter, links, number, Protocol.IP);
        yield ipv4.or(of(emitter, links, number, Protocol.IP6));
      }
      case IP, IP6 -> {
        Test test =
            new ProtocolChain(emitter, links).make(number, protocol == Protocol.IP6, register);
        emitter.registers.free(register);
        yield test;
      }
      default -> throw emitter.wrong("expected=ip protochain, ip6 protochain or protochain");
    };
  }

  private Test make(int number, boolean isIpv6, int register) {
    if (emitter.layout.linkPayload.isVariable) {
      throw emitter.unsupported("found=protochain; its headers have no fixed length");
    }
    emitter.jumpsInBlock();
    int ip = emitter.layout.linkPayload.constant + emitter.layout.network;
    Test isIp = links.of(isIpv6 ? NetworkTypes.IPV6 : NetworkTypes.IPV4);
    add(LD | ABS | B, ip + (isIpv6 ? 6 : 9));
    if (isIpv6) {
      add(LDX | IMM, IPV6_HEADER_BYTES);
    } else {
      add(LDX | MSH | B, ip);
    }
    int again = code.size();
    Statement isFound = add(JMP | JEQ | K, number);
    Statement isLast = add(JMP | JEQ | K, NO_NEXT);
    isFound.whenFalse = isLast;
    Statement isAuthentication = isIpv6 ? ipv6Options(ip, register, again, isLast) : pass(isLast);
    isAuthentication.whenTrue = authentication(ip, register);
    back(again);
    Statement end = add(ALU | ADD | K, 0);
    isFound.whenTrue = end;
    isLast.whenTrue = end;
    isAuthentication.whenFalse = end;
    return isIp.and(Test.of(code, JMP | JEQ | K, number));
  }

  private Statement add(int operation, int k) {
    Statement statement = new Statement(operation, k);
    code.add(statement);
    return statement;
  }

  private void back(int to) {
    add(JMP | JA, to - code.size() - 1);
  }

  private Statement pass(Statement isLast) {
    isLast.whenFalse = add(ALU | ADD | K, 0);
    return add(JMP | JEQ | K, AUTHENTICATION);
  }

  /** A = P[X]; X += (P[X + 1] + 1) * 8: RFC 8200, section 4. */
  private Statement ipv6Options(int ip, int register, int again, Statement isLast) {
    List<Statement> tests = new ArrayList<>();
    Statement before = isLast;
    for (int option : new int[] {HOP_BY_HOP, DESTINATION_OPTIONS, ROUTING, FRAGMENT}) {
      Statement test = add(JMP | JEQ | K, option);
      before.whenFalse = test;
      tests.add(test);
      before = test;
    }
    Statement advance = add(LD | IND | B, ip);
    add(ST, register);
    add(LD | IND | B, ip + 1);
    add(ALU | ADD | K, 1);
    add(ALU | MUL | K, 8);
    add(ALU | ADD | X, 0);
    add(MISC | TAX, 0);
    add(LD | MEM, register);
    back(again);
    for (Statement test : tests) {
      test.whenTrue = advance;
    }
    Statement isAuthentication = add(JMP | JEQ | K, AUTHENTICATION);
    before.whenFalse = isAuthentication;
    return isAuthentication;
  }

  /**
   * A = P[X]; X += (P[X + 1] + 2) * 4: RFC 4302, section 2.2. libpcap adds no X here, and may go
   * round for ever.
   */
  private Statement authentication(int ip, int register) {
    Statement first = add(LD | IND | B, ip);
    add(ST, register);
    add(LD | IND | B, ip + 1);
    add(ALU | ADD | K, 2);
    add(ALU | MUL | K, 4);
    add(ALU | ADD | X, 0);
    add(MISC | TAX, 0);
    add(LD | MEM, register);
    return first;
  }
}
