package io.linerate.filter.code;

import static io.linerate.filter.code.Opcodes.ALU;
import static io.linerate.filter.code.Opcodes.B;
import static io.linerate.filter.code.Opcodes.H;
import static io.linerate.filter.code.Opcodes.JEQ;
import static io.linerate.filter.code.Opcodes.JGE;
import static io.linerate.filter.code.Opcodes.JGT;
import static io.linerate.filter.code.Opcodes.JMP;
import static io.linerate.filter.code.Opcodes.K;
import static io.linerate.filter.code.Opcodes.LD;
import static io.linerate.filter.code.Opcodes.LEN;
import static io.linerate.filter.code.Opcodes.OR;
import static io.linerate.filter.code.Opcodes.W;

import io.linerate.filter.FilterOptions;
import io.linerate.filter.syntax.Condition;
import io.linerate.filter.syntax.Condition.Bound;
import io.linerate.filter.syntax.Condition.ByteTest;
import io.linerate.filter.syntax.Condition.Chain;
import io.linerate.filter.syntax.Condition.Comparison;
import io.linerate.filter.syntax.Condition.Encapsulation;
import io.linerate.filter.syntax.Condition.Field;
import io.linerate.filter.syntax.Condition.InterfaceIndex;
import io.linerate.filter.syntax.Condition.LengthLimit;
import io.linerate.filter.syntax.Condition.Link;
import io.linerate.filter.syntax.Condition.Llc;
import io.linerate.filter.syntax.Condition.Match;
import io.linerate.filter.syntax.Condition.Not;
import io.linerate.filter.syntax.Condition.OfProtocol;
import io.linerate.filter.syntax.Condition.PfName;
import io.linerate.filter.syntax.Condition.PfNumber;
import io.linerate.filter.syntax.Condition.ToMany;
import io.linerate.filter.syntax.Condition.WlanDirection;
import io.linerate.filter.syntax.Condition.WlanType;
import io.linerate.filter.syntax.Condition.Word;
import java.util.List;

/**
 * Makes blocks of a syntax tree. It goes through it in the order of the text: what {@code vlan} and
 * its like move, they move for all that follows.
 */
final class Generator {
  private static final int WLAN_DIRECTION_BITS = 0x03;
  private static final int COOKED_OUTGOING = 4;
  private static final int PPPD_OUTGOING = 1;

  private final Emitter emitter;
  private final FilterOptions options;
  private final LinkLayout layout;
  private final LinkTests links;
  private final AddressTests addresses;
  private final ProtocolTests protocols;
  private final IdTests ids;
  private final NumberCode numbers;
  private final EncapsulationTests encapsulations;
  private final LogTests logs;
  private final AtmTests atm;
  private final MtpTests mtp;

  Generator(Emitter emitter, FilterOptions options) {
    this.emitter = emitter;
    this.options = options;
    layout = emitter.layout;
    links = new LinkTests(emitter);
    addresses = new AddressTests(emitter, links);
    protocols = new ProtocolTests(emitter, links);
    PortTests ports = new PortTests(emitter, links);
    ids = new IdTests(emitter, options.names(), links, addresses, ports, protocols);
    numbers = new NumberCode(emitter, protocols, ports);
    encapsulations = new EncapsulationTests(emitter, links, ports);
    logs = new LogTests(emitter);
    atm = new AtmTests(emitter);
    mtp = new MtpTests(emitter);
  }

  /** The first block of a program. */
  Block program(Condition condition) {
    Test test = of(condition);
    new VariableHeaders(emitter).insert(test.head());
    if (layout.link == Links.PPI) {
      // Of all that PPI may carry, IEEE 802.11 is looked into.
      Test isWireless = emitter.equal(Base.PACKET, 4, W, Integer.reverseBytes(Links.IEEE802_11));
      test = isWireless.and(test);
    }
    test.end(Block.returning(options.snapLengthBytes()), Block.returning(0));
    return test.head();
  }

  private Test of(Condition condition) {
    emitter.at(condition.column());
    return switch (condition) {
      case Chain chain -> chain(chain);
      case Not not -> of(not.condition()).not();
      case Match match -> ids.of(match);
      case OfProtocol protocol -> protocols.of(protocol.protocol());
      case Comparison comparison -> numbers.comparison(comparison);
      case ToMany toMany ->
          toMany.isBroadcast()
              ? addresses.broadcast(toMany.protocol(), options.netmask())
              : addresses.multicast(toMany.protocol());
      case LengthLimit limit -> length(limit);
      case ByteTest test -> linkByte(test);
      case Bound bound -> bound(bound.isOutbound());
      case InterfaceIndex index -> interfaceIndex(index.index());
      case Encapsulation encapsulation -> encapsulations.of(encapsulation);
      case PfName name -> logs.name(name);
      case PfNumber number -> logs.number(number);
      case WlanType type -> wireless(0, type.value(), type.mask());
      case WlanDirection direction -> wireless(1, direction.value(), WLAN_DIRECTION_BITS);
      case Llc llc -> llc(llc);
      case Word word -> word(word.word());
      case Field field -> field(field);
    };
  }

  private Test chain(Chain chain) {
    Test all = of(chain.first());
    for (Link link : chain.rest()) {
      Test next = of(link.condition());
      all = link.isAnd() ? all.and(next) : all.or(next);
    }
    return all;
  }

  private Test length(LengthLimit limit) {
    List<Statement> code = Statement.list(new Statement(LD | LEN, 0));
    return limit.isLess()
        ? Test.of(code, JMP | JGT | K, limit.lengthBytes()).not()
        : Test.of(code, JMP | JGE | K, limit.lengthBytes());
  }

  private Test linkByte(ByteTest test) {
    int offset = test.offset();
    int value = test.value();
    return switch (test.operator()) {
      case '=' -> emitter.equal(Base.LINK_HEADER, offset, B, value);
      case '<' -> emitter.atLeast(Base.LINK_HEADER, offset, B, value).not();
      case '>' -> emitter.greater(Base.LINK_HEADER, offset, B, value);
      // libpcap loads nothing here, and so tests what happens to be in A. It is done as meant.
      case '&' -> emitter.anyBit(Base.LINK_HEADER, offset, B, value);
      default -> {
        List<Statement> code = emitter.load(Base.LINK_HEADER, offset, B);
        code.add(new Statement(ALU | OR | K, value));
        yield Test.of(code, JMP | JEQ | K, 0).not();
      }
    };
  }

  private Test bound(boolean isOutbound) {
    int link = layout.link;
    if (Links.isJuniper(link)) {
      return emitter.equal(Base.LINK_HEADER, 3, B, isOutbound ? 0 : 1, 1);
    }
    return switch (link) {
      case Links.SLIP -> numbers.linkByte(!isOutbound);
      case Links.IPNET -> emitter.equal(Base.LINK_HEADER, 2, H, isOutbound ? 1 : 2);
      case Links.LINUX_SLL ->
          negated(emitter.equal(Base.LINK_HEADER, 0, H, COOKED_OUTGOING), !isOutbound);
      case Links.LINUX_SLL2 ->
          negated(emitter.equal(Base.LINK_HEADER, 10, B, COOKED_OUTGOING), !isOutbound);
      case Links.PFLOG -> logs.direction(isOutbound);
      case Links.PPP_PPPD -> emitter.equal(Base.LINK_HEADER, 0, B, isOutbound ? PPPD_OUTGOING : 0);
      default -> negated(ancillary(Opcodes.ANCILLARY_PACKET_TYPE, H, COOKED_OUTGOING), !isOutbound);
    };
  }

  private static Test negated(Test test, boolean isNegated) {
    return isNegated ? test.not() : test;
  }

  /** What Linux knows besides the packet's bytes: elsewhere the load fails. */
  private Test ancillary(int offset, int size, int value) {
    return emitter.equal(Base.LINK_HEADER, Opcodes.ANCILLARY + offset, size, value);
  }

  private Test interfaceIndex(int index) {
    return layout.link == Links.LINUX_SLL2
        ? emitter.equal(Base.LINK_HEADER, 4, W, index)
        : ancillary(Opcodes.ANCILLARY_INTERFACE, W, index);
  }

  private Test wireless(int offset, int value, int mask) {
    if (!Links.isWirelessWithoutPpi(layout.link)) {
      throw emitter.unsupported("found=type, subtype or dir; they are for IEEE 802.11");
    }
    return emitter.equal(Base.LINK_HEADER, offset, B, value, mask);
  }

  /** IEEE 802.2, clause 5.3. */
  private Test llc(Llc llc) {
    Test isLlc = llc();
    int control = 2;
    return switch (llc.format()) {
      case ANY -> isLlc;
      case INFORMATION -> isLlc.and(emitter.anyBit(Base.LINK_PAYLOAD, control, B, 1).not());
      case SUPERVISORY -> isLlc.and(emitter.equal(Base.LINK_PAYLOAD, control, B, 1, 3));
      case UNNUMBERED -> isLlc.and(emitter.equal(Base.LINK_PAYLOAD, control, B, 3, 3));
      case SUPERVISORY_SUBTYPE ->
          isLlc.and(emitter.equal(Base.LINK_PAYLOAD, control, B, llc.subtype(), 0x0F));
      case UNNUMBERED_SUBTYPE ->
          isLlc.and(emitter.equal(Base.LINK_PAYLOAD, control, B, llc.subtype(), 0xEF));
    };
  }

  private Test llc() {
    if (Links.isWireless(layout.link)) {
      return links.wirelessData();
    }
    return switch (layout.link) {
      case Links.ETHERNET -> {
        Test hasLength = new SnapTests(emitter).hasLength();
        yield hasLength.and(emitter.equal(Base.LINK_PAYLOAD, 0, H, 0xFFFF).not());
      }
      case Links.SUNATM -> atm.llc();
      case Links.IEEE802_5, Links.FDDI, Links.ATM_RFC1483 -> emitter.constant(true);
      default -> throw emitter.unsupported("found=llc; its packets have no header of IEEE 802.2");
    };
  }

  private Test word(String word) {
    Test test = atm.word(word);
    if (test == null) {
      test = mtp.word(word);
    }
    if (test == null) {
      throw new AssertionError(word);
    }
    return test;
  }

  private Test field(Field field) {
    int jump =
        switch (field.relation()) {
          case GREATER, LESS_OR_EQUAL -> JGT;
          case GREATER_OR_EQUAL, LESS -> JGE;
          case EQUAL, NOT_EQUAL -> JEQ;
        };
    Test any = null;
    for (int value : field.values()) {
      Test one = field(field, jump, value);
      any = any == null ? one : any.or(one);
    }
    if (any == null) {
      throw new AssertionError(field);
    }
    return any;
  }

  private Test field(Field field, int jump, int value) {
    String word = field.field();
    Test test =
        word.equals("vpi") || word.equals("vci")
            ? atm.field(word, jump, value)
            : mtp.field(word, jump, value);
    return switch (field.relation()) {
      case LESS, LESS_OR_EQUAL, NOT_EQUAL -> test.not(); // libpcap takes != for = here.
      case GREATER, GREATER_OR_EQUAL, EQUAL -> test;
    };
  }
}
