package io.linerate.filter.code;

import static io.linerate.filter.code.Opcodes.ADD;
import static io.linerate.filter.code.Opcodes.ALU;
import static io.linerate.filter.code.Opcodes.B;
import static io.linerate.filter.code.Opcodes.DIV;
import static io.linerate.filter.code.Opcodes.H;
import static io.linerate.filter.code.Opcodes.IMM;
import static io.linerate.filter.code.Opcodes.IND;
import static io.linerate.filter.code.Opcodes.JEQ;
import static io.linerate.filter.code.Opcodes.JGE;
import static io.linerate.filter.code.Opcodes.JGT;
import static io.linerate.filter.code.Opcodes.JMP;
import static io.linerate.filter.code.Opcodes.K;
import static io.linerate.filter.code.Opcodes.LD;
import static io.linerate.filter.code.Opcodes.LDX;
import static io.linerate.filter.code.Opcodes.LEN;
import static io.linerate.filter.code.Opcodes.LSH;
import static io.linerate.filter.code.Opcodes.MEM;
import static io.linerate.filter.code.Opcodes.MISC;
import static io.linerate.filter.code.Opcodes.MOD;
import static io.linerate.filter.code.Opcodes.NEG;
import static io.linerate.filter.code.Opcodes.RSH;
import static io.linerate.filter.code.Opcodes.ST;
import static io.linerate.filter.code.Opcodes.SUB;
import static io.linerate.filter.code.Opcodes.TAX;
import static io.linerate.filter.code.Opcodes.W;
import static io.linerate.filter.code.Opcodes.X;

import io.linerate.filter.syntax.Arithmetic;
import io.linerate.filter.syntax.Arithmetic.Constant;
import io.linerate.filter.syntax.Arithmetic.Length;
import io.linerate.filter.syntax.Arithmetic.Load;
import io.linerate.filter.syntax.Arithmetic.Negation;
import io.linerate.filter.syntax.Arithmetic.Operation;
import io.linerate.filter.syntax.Condition.Comparison;
import io.linerate.filter.syntax.Operator;
import io.linerate.filter.syntax.Protocol;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Arithmetic expressions, and comparisons of them. */
final class NumberCode {
  private static final int MAX_SHIFT = 31;

  private final Emitter emitter;
  private final ProtocolTests protocols;
  private final PortTests ports;
  private final LinkLayout layout;

  NumberCode(Emitter emitter, ProtocolTests protocols, PortTests ports) {
    this.emitter = emitter;
    this.protocols = protocols;
    this.ports = ports;
    layout = emitter.layout;
  }

  Test comparison(Comparison comparison) {
    Value left = of(comparison.left());
    Value right = of(comparison.right());
    emitter.at(comparison.column());
    return switch (comparison.relation()) {
      case GREATER -> compare(JGT, left, right);
      case GREATER_OR_EQUAL -> compare(JGE, left, right);
      case EQUAL -> compare(JEQ, left, right);
      case LESS_OR_EQUAL -> compareNot(JGT, left, right);
      case LESS -> compareNot(JGE, left, right);
      case NOT_EQUAL -> compareNot(JEQ, left, right);
    };
  }

  /** Whether a byte of the link header is 0, or is not. */
  Test linkByte(boolean isZero) {
    Constant zero = new Constant(1, 0);
    Value left = of(new Load(1, Protocol.LINK, zero, 1));
    Value right = of(zero);
    return isZero ? compare(JEQ, left, right) : compareNot(JEQ, left, right);
  }

  private Test compare(int jump, Value left, Value right) {
    return guarded(test(jump, left, right), left, right);
  }

  private Test compareNot(int jump, Value left, Value right) {
    return guarded(test(jump, left, right).not(), left, right);
  }

  private Test test(int jump, Value left, Value right) {
    List<Statement> code = left.code();
    code.addAll(right.code());
    code.add(new Statement(LDX | MEM, right.register()));
    code.add(new Statement(LD | MEM, left.register()));
    emitter.registers.free(left.register());
    emitter.registers.free(right.register());
    if (jump == JEQ) {
      code.add(new Statement(ALU | SUB | X, 0));
      return Test.of(code, JMP | JEQ | K, 0);
    }
    return Test.of(code, JMP | jump | X, 0);
  }

  private static Test guarded(Test test, Value left, Value right) {
    Test guard = both(left.guard(), right.guard());
    return guard == null ? test : guard.and(test);
  }

  private static @Nullable Test both(@Nullable Test first, @Nullable Test second) {
    if (first == null || second == null) {
      return first == null ? second : first;
    }
    return first.and(second);
  }

  private Value of(Arithmetic arithmetic) {
    return switch (arithmetic) {
      case Constant constant -> simple(new Statement(LD | IMM, constant.value()));
      case Length _ -> simple(new Statement(LD | LEN, 0));
      case Negation negation -> negation(of(negation.operand()));
      case Operation operation -> operation(operation);
      case Load load -> load(load);
    };
  }

  private Value simple(Statement statement) {
    int register = emitter.takeRegister();
    return new Value(Statement.list(statement, new Statement(ST, register)), register, null);
  }

  private static Value negation(Value value) {
    value.code().add(new Statement(LD | MEM, value.register()));
    value.code().add(new Statement(ALU | NEG, 0));
    value.code().add(new Statement(ST, value.register()));
    return value;
  }

  private Value operation(Operation operation) {
    Value left = of(operation.left());
    Value right = of(operation.right());
    emitter.at(operation.column());
    int code = code(operation.operator());
    requirePossible(code, right.code().getFirst());
    List<Statement> all = left.code();
    all.addAll(right.code());
    all.add(new Statement(LDX | MEM, right.register()));
    all.add(new Statement(LD | MEM, left.register()));
    all.add(new Statement(ALU | X | code, 0));
    emitter.registers.free(left.register());
    emitter.registers.free(right.register());
    int register = emitter.takeRegister();
    all.add(new Statement(ST, register));
    // The guard of the second operand is not asked, as libpcap does not: what it loads is there, or
    // the packet is rejected.
    return new Value(all, register, left.guard());
  }

  /** As libpcap looks: at the first constant of the second operand. */
  private void requirePossible(int code, Statement first) {
    if (first.code != (LD | IMM)) {
      return;
    }
    if (first.k == 0 && (code == DIV || code == MOD)) {
      throw emitter.wrong("found=0 as second operand; expected=a number to divide by");
    }
    if ((code == LSH || code == RSH) && Integer.compareUnsigned(first.k, MAX_SHIFT) > 0) {
      throw emitter.wrong(
          "found=a shift by %s, most=%d".formatted(Integer.toUnsignedString(first.k), MAX_SHIFT));
    }
  }

  private static int code(Operator operator) {
    return switch (operator) {
      case ADD -> ADD;
      case SUBTRACT -> SUB;
      case MULTIPLY -> Opcodes.MUL;
      case DIVIDE -> DIV;
      case MODULO -> MOD;
      case AND -> Opcodes.AND;
      case OR -> Opcodes.OR;
      case XOR -> Opcodes.XOR;
      case SHIFT_LEFT -> LSH;
      case SHIFT_RIGHT -> RSH;
    };
  }

  private Value load(Load load) {
    Value index = of(load.index());
    emitter.at(load.column());
    int register = emitter.takeRegister();
    emitter.registers.free(index.register());
    int size =
        switch (load.sizeBytes()) {
          case 1 -> B;
          case 2 -> H;
          case 4 -> W;
          default ->
              throw emitter.wrong(
                  "size=%s, expected=1, 2 or 4"
                      .formatted(Integer.toUnsignedString(load.sizeBytes())));
        };
    Test guard = load(load.protocol(), index, size);
    index.code().add(new Statement(ST, register));
    return new Value(index.code(), register, guard);
  }

  /** Loads into A, and returns what has to hold before. */
  private @Nullable Test load(Protocol protocol, Value index, int size) {
    return switch (protocol) {
      case RADIO -> radio(index, size);
      case LINK -> {
        behind(layout.linkHeader, index, size, layout.linkHeader.constant);
        yield index.guard();
      }
      case IP, ARP, RARP, ATALK, DECNET, SCA, LAT, MOPRC, MOPDL, IP6 -> {
        behind(layout.linkPayload, index, size, layout.linkPayload.constant + layout.network);
        yield both(index.guard(), protocols.of(protocol));
      }
      case SCTP, TCP, UDP, ICMP, IGMP, IGRP, PIM, VRRP, CARP -> {
        transport(index, size);
        Test isFirst = protocols.of(protocol).and(ports.firstFragment());
        Test all = index.guard() == null ? isFirst : index.guard().and(isFirst);
        yield protocols.of(Protocol.IP).and(all);
      }
      case ICMP6 -> {
        Test isIp = protocols.of(Protocol.IP6);
        Test all = index.guard() == null ? isIp : index.guard().and(isIp);
        all = all.and(emitter.equal(Base.NETWORK, 6, B, 58));
        int at = layout.linkPayload.constant + layout.network + 40;
        behind(layout.linkPayload, index, size, at);
        yield all;
      }
      default ->
          throw emitter.wrong(
              "found=%s[; bytes are read of ip, ip6, tcp, udp, ether and others"
                  .formatted(protocol.word()));
    };
  }

  private @Nullable Test radio(Value index, int size) {
    int link = layout.link;
    if (link != Links.AVS && link != Links.RADIOTAP && link != Links.PRISM) {
      throw emitter.unsupported("found=radio[; its packets have no radio header");
    }
    index.code().add(new Statement(LDX | MEM, index.register()));
    index.code().add(new Statement(LD | IND | size, 0));
    return index.guard();
  }

  private void behind(Offset base, Value index, int size, int constant) {
    List<Statement> code = index.code();
    if (base.isVariable) {
      code.addAll(emitter.loadVariable(base));
      addIndexToX(index);
    } else {
      code.add(new Statement(LDX | MEM, index.register()));
    }
    code.add(new Statement(LD | IND | size, constant));
  }

  private void transport(Value index, int size) {
    index.code().addAll(emitter.loadIpv4HeaderLength());
    addIndexToX(index);
    int constant = layout.linkPayload.constant + layout.network;
    index.code().add(new Statement(LD | IND | size, constant));
  }

  private static void addIndexToX(Value index) {
    index.code().add(new Statement(LD | MEM, index.register()));
    index.code().add(new Statement(ALU | ADD | X, 0));
    index.code().add(new Statement(MISC | TAX, 0));
  }
}
