package io.linerate.filter.syntax;

import java.util.List;
import java.util.OptionalInt;

/** What holds of a packet or does not. */
public sealed interface Condition {
  /** Where it stands in the text, counted from 1. */
  int column();

  /**
   * Conditions with {@code and} and {@code or} between them, which are of equal rank and taken from
   * left to right.
   *
   * @param first the first
   * @param rest the others
   */
  record Chain(Condition first, List<Link> rest) implements Condition {
    public Chain {
      rest = List.copyOf(rest);
    }

    @Override
    public int column() {
      return first.column();
    }
  }

  /**
   * A further condition of a chain.
   *
   * @param isAnd whether {@code and} stands in front of it
   * @param condition it
   */
  record Link(boolean isAnd, Condition condition) {}

  /**
   * {@code not}.
   *
   * @param column where it stands
   * @param condition what does not hold
   */
  record Not(int column, Condition condition) implements Condition {}

  /**
   * Qualifiers and a name or number, such as {@code tcp dst port 80}.
   *
   * @param column where the name or number stands
   * @param qualifiers what it is
   * @param id it
   */
  record Match(int column, Qualifiers qualifiers, Id id) implements Condition {}

  /**
   * A protocol alone, such as {@code tcp}.
   *
   * @param column where it stands
   * @param protocol it
   */
  record OfProtocol(int column, Protocol protocol) implements Condition {}

  /**
   * A comparison, such as {@code ip[0] & 0xf != 5}.
   *
   * @param column where it stands
   * @param relation how it compares
   * @param left the first number
   * @param right the second
   */
  record Comparison(int column, Relation relation, Arithmetic left, Arithmetic right)
      implements Condition {}

  /**
   * {@code broadcast} or {@code multicast}.
   *
   * @param column where it stands
   * @param protocol of whose addresses
   * @param isBroadcast which of both
   */
  record ToMany(int column, Protocol protocol, boolean isBroadcast) implements Condition {}

  /**
   * {@code less} or {@code greater}, which mean at most and at least.
   *
   * @param column where it stands
   * @param isLess which of both
   * @param lengthBytes bytes of a packet, unsigned
   */
  record LengthLimit(int column, boolean isLess, int lengthBytes) implements Condition {}

  /**
   * {@code byte}, which only old texts have.
   *
   * @param column where it stands
   * @param offset bytes from the begin of the link header
   * @param operator one of {@code & | < > =}
   * @param value its operand
   */
  record ByteTest(int column, int offset, char operator, int value) implements Condition {}

  /**
   * {@code inbound} or {@code outbound}.
   *
   * @param column where it stands
   * @param isOutbound which of both
   */
  record Bound(int column, boolean isOutbound) implements Condition {}

  /**
   * {@code ifindex}.
   *
   * @param column where it stands
   * @param index number of an interface
   */
  record InterfaceIndex(int column, int index) implements Condition {}

  /**
   * What lies in a further header, and moves all that follows behind it.
   *
   * @param column where it stands
   * @param header which header
   * @param number identifier, label, session or network in it, if one is named
   */
  record Encapsulation(int column, Header header, OptionalInt number) implements Condition {}

  /** A header that others lie in. */
  enum Header {
    VLAN,
    MPLS,
    PPPOE_DISCOVERY,
    PPPOE_SESSION,
    GENEVE
  }

  /**
   * A field of the log of OpenBSD's packet filter that is a name.
   *
   * @param column where it stands
   * @param isRuleset whether it is {@code ruleset}; else {@code ifname}
   * @param name its value
   */
  record PfName(int column, boolean isRuleset, String name) implements Condition {}

  /**
   * A field of the log of OpenBSD's packet filter that is a number.
   *
   * @param column where it stands
   * @param field which
   * @param value its value
   */
  record PfNumber(int column, PfField field, int value) implements Condition {}

  /** Fields of the log that are numbers. */
  enum PfField {
    RULE,
    SUBRULE,
    REASON,
    ACTION
  }

  /**
   * Type and subtype of IEEE 802.11.
   *
   * @param column where it stands
   * @param value what its bits are
   * @param mask which bits
   */
  record WlanType(int column, int value, int mask) implements Condition {}

  /**
   * To DS and From DS of IEEE 802.11.
   *
   * @param column where it stands
   * @param value both bits
   */
  record WlanDirection(int column, int value) implements Condition {}

  /**
   * Frames of IEEE 802.2.
   *
   * @param column where it stands
   * @param format which
   * @param subtype of supervisory or unnumbered frames
   */
  record Llc(int column, LlcFormat format, int subtype) implements Condition {}

  /** Formats of frames of IEEE 802.2. */
  enum LlcFormat {
    ANY,
    INFORMATION,
    SUPERVISORY,
    UNNUMBERED,
    SUPERVISORY_SUBTYPE,
    UNNUMBERED_SUBTYPE
  }

  /**
   * A keyword of ATM or MTP2 that stands alone.
   *
   * @param column where it stands
   * @param word it
   */
  record Word(int column, String word) implements Condition {}

  /**
   * A field of ATM or MTP3 that has one of several values.
   *
   * @param column where it stands
   * @param field its keyword
   * @param relation how it is compared, with one value if not for equality
   * @param values with what
   */
  record Field(int column, String field, Relation relation, List<Integer> values)
      implements Condition {
    public Field {
      values = List.copyOf(values);
    }
  }
}
