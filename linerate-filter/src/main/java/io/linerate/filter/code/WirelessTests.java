package io.linerate.filter.code;

import static io.linerate.filter.code.Opcodes.B;

import io.linerate.filter.syntax.Direction;
import java.util.function.IntFunction;

/**
 * Addresses of IEEE 802.11. Which of the four is that of the receiver or the sender depends on the
 * type of the frame, and on the bits To DS and From DS: clauses 9.2.4.1 and 9.3.
 */
final class WirelessTests {
  private static final int ADDRESS_1 = 4;
  private static final int ADDRESS_2 = 10;
  private static final int ADDRESS_3 = 16;
  private static final int ADDRESS_4 = 24;

  private static final int TO_DS = 0x01;
  private static final int FROM_DS = 0x02;

  /** Bits of the type: clear in management and control frames; set in control frames. */
  private static final int DATA = 0x08;

  private static final int CONTROL = 0x04;

  private static final int TYPE_MASK = 0x0C;
  private static final int SUBTYPE_MASK = 0xF0;
  private static final int CTS = 0xC0;
  private static final int ACK = 0xD0;

  private final Emitter emitter;

  WirelessTests(Emitter emitter) {
    this.emitter = emitter;
  }

  Test address(byte[] address, Direction direction) {
    return switch (direction) {
      case SRC -> source(address);
      case DST -> destination(at -> at(at, address));
      case SRC_AND_DST -> {
        Test source = source(address);
        yield source.and(destination(at -> at(at, address)));
      }
      case ANY, SRC_OR_DST -> {
        Test source = source(address);
        yield source.or(destination(at -> at(at, address)));
      }
      case ADDR1 -> at(ADDRESS_1, address);
      case ADDR2 -> {
        Test has = hasAddress2();
        yield has.and(at(ADDRESS_2, address));
      }
      case ADDR3 -> {
        Test has = isControl().not();
        yield has.and(at(ADDRESS_3, address));
      }
      case ADDR4 -> {
        int both = TO_DS | FROM_DS;
        Test has = emitter.equal(Base.LINK_HEADER, 1, B, both, both);
        yield has.and(at(ADDRESS_4, address));
      }
      case RA -> {
        Test has = type(DATA);
        yield has.and(at(ADDRESS_1, address));
      }
      case TA -> {
        Test has = hasAddress2();
        has = type(DATA).and(has);
        yield has.and(at(ADDRESS_2, address));
      }
    };
  }

  /** Receivers of several: the lowest bit of the first byte of the destination. */
  Test multicast() {
    return destination(at -> emitter.anyBit(Base.LINK_HEADER, at, B, 1));
  }

  private Test at(int offset, byte[] address) {
    return emitter.bytes(Base.LINK_HEADER, offset, address);
  }

  private Test type(int bit) {
    return emitter.anyBit(Base.LINK_HEADER, 0, B, bit);
  }

  private Test flag(int bit) {
    return emitter.anyBit(Base.LINK_HEADER, 1, B, bit);
  }

  private Test source(byte[] address) {
    Test relayed = flag(TO_DS).and(at(ADDRESS_4, address));
    Test delivered = flag(TO_DS).not().and(at(ADDRESS_3, address));
    Test fromDs = flag(FROM_DS).and(delivered.or(relayed));
    Test notFromDs = flag(FROM_DS).not().and(at(ADDRESS_2, address));
    return ofDataOrManagement(notFromDs.or(fromDs), at -> at(at, address), ADDRESS_2);
  }

  private Test destination(IntFunction<Test> test) {
    Test toDs = flag(TO_DS).and(test.apply(ADDRESS_3));
    Test notToDs = flag(TO_DS).not().and(test.apply(ADDRESS_1));
    return ofDataOrManagement(notToDs.or(toDs), test, ADDRESS_1);
  }

  /** Control frames have no such address, and management frames have it in one place. */
  private Test ofDataOrManagement(Test data, IntFunction<Test> test, int ofManagement) {
    Test isData = type(DATA).and(data);
    Test isManagement = type(DATA).not().and(test.apply(ofManagement));
    return type(CONTROL).not().and(isManagement.or(isData));
  }

  private Test isControl() {
    return emitter.equal(Base.LINK_HEADER, 0, B, CONTROL, TYPE_MASK);
  }

  private Test isNotSubtype(int subtype) {
    return emitter.equal(Base.LINK_HEADER, 0, B, subtype, SUBTYPE_MASK).not();
  }

  /** All but CTS and ACK have one. */
  private Test hasAddress2() {
    Test isOther = isControl().not();
    return isOther.or(isNotSubtype(CTS).and(isNotSubtype(ACK)));
  }
}
