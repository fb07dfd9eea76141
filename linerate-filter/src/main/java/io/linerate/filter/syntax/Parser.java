package io.linerate.filter.syntax;

import io.linerate.filter.FilterException;
import io.linerate.filter.syntax.Condition.Chain;
import io.linerate.filter.syntax.Condition.Comparison;
import io.linerate.filter.syntax.Condition.Link;
import io.linerate.filter.syntax.Condition.Match;
import io.linerate.filter.syntax.Condition.Not;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the syntax of pcap-filter(7), by the grammar of libpcap 1.10: what that accepts is
 * accepted, and means the same.
 *
 * <p>A parenthesis may begin a condition, a list of names, an arithmetic expression or a number;
 * which of them shows only behind it. So all of them are read as a {@link Unit}, which says what it
 * turned out to be.
 */
public final class Parser {
  /** Characters of a filter: more would take minutes. */
  public static final int MAX_LENGTH = 65_536;

  private static final int MAX_DEPTH = 200;
  private static final String PRIMITIVE = "a primitive such as tcp port 80";

  private final Words words;
  private final Numbers numbers;
  private final Primitives primitives;
  private int depth;

  private Parser(String text) {
    words = new Words(text);
    numbers = new Numbers(words, this::enter, this::leave);
    primitives = new Primitives(words);
  }

  /**
   * The condition that a text says; null if it says none, and so is true of all packets.
   *
   * @throws FilterException if it is wrong
   */
  public static @Nullable Condition parse(String text) {
    if (text.length() > MAX_LENGTH) {
      throw new FilterException(
          text,
          MAX_LENGTH + 1,
          "the filter is too long: length=%d, most=%d; use net with prefixes"
              .formatted(text.length(), MAX_LENGTH));
    }
    return new Parser(text).all();
  }

  private @Nullable Condition all() {
    if (words.is(Token.Kind.END)) {
      return null;
    }
    Unit first = unit(Qualifiers.UNKNOWN);
    if (first.kind() != Unit.Kind.TERM) {
      throw wrong(first);
    }
    Condition condition = chain(first);
    if (!words.is(Token.Kind.END)) {
      throw words.expected("and, or, or the end");
    }
    return condition;
  }

  /** What to say of a name or number that is no condition, negated perhaps. */
  private FilterException wrong(Unit bare) {
    Condition condition = bare.condition();
    while (condition instanceof Not not) {
      condition = not.condition();
    }
    return condition instanceof Match match && match.id() instanceof Id.Name name
        ? words.wrong(match.column(), BareName.problem(name.text()))
        : words.wrong(bare.column(), BareName.problem(""));
  }

  /** What follows a condition with {@code and} and {@code or}, and the condition itself. */
  private Condition chain(Unit first) {
    List<Link> rest = new ArrayList<>();
    Qualifiers qualifiers = first.qualifiers();
    while (isJunction()) {
      boolean isAnd = words.take().is("and");
      Unit next = unit(qualifiers);
      rest.add(new Link(isAnd, conditionOf(next)));
      qualifiers = next.qualifiers();
    }
    return rest.isEmpty() ? first.requireCondition() : new Chain(first.requireCondition(), rest);
  }

  private boolean isJunction() {
    return words.peek().is("and") || words.peek().is("or");
  }

  /** A name or number counts as condition with the qualifiers that stand in front of it. */
  private Condition conditionOf(Unit unit) {
    if (unit.kind() == Unit.Kind.NUMBER) {
      return new Match(unit.column(), unit.qualifiers(), new Id.Numeric(unit.number()));
    }
    if (unit.kind() == Unit.Kind.ARITHMETIC) {
      throw words.expected("a comparison such as = 5");
    }
    return unit.requireCondition();
  }

  private Unit unit(Qualifiers inherited) {
    enter();
    Unit unit = operand(inherited);
    if (unit.kind() == Unit.Kind.NUMBER || unit.kind() == Unit.Kind.ARITHMETIC) {
      unit = comparison(unit);
    }
    leave();
    return unit;
  }

  private void enter() {
    if (++depth > MAX_DEPTH) {
      throw words.wrong(words.peek().column(), "too many levels: most=%d".formatted(MAX_DEPTH));
    }
  }

  private void leave() {
    depth--;
  }

  /** Takes what makes more of a number than a number, if something does. */
  private Unit comparison(Unit number) {
    Arithmetic left = numbers.rest(number.toArithmetic());
    Relation relation = numbers.relation();
    if (relation != null) {
      int column = words.take().column();
      Arithmetic right = numbers.expression();
      return Unit.term(new Comparison(column, relation, left, right), Qualifiers.UNKNOWN);
    }
    return left instanceof Arithmetic.Constant
        ? number
        : Unit.arithmetic(left, number.qualifiers());
  }

  private Unit operand(Qualifiers inherited) {
    Token token = words.peek();
    return switch (token.kind()) {
      case NUMBER -> Unit.number(token.column(), words.take().number(), inherited);
      case NAME, IPV4, IPV6, ETHERNET, ARCNET -> Unit.id(id(inherited), inherited);
      case SYMBOL, KEYWORD -> begun(token, inherited);
      case END -> throw words.expected(PRIMITIVE);
    };
  }

  private Unit begun(Token token, Qualifiers inherited) {
    if (token.is("not")) {
      return negated(inherited);
    }
    if (token.is("(")) {
      return parenthesis(inherited);
    }
    if (token.is("-") || token.is("len")) {
      return Unit.arithmetic(numbers.operand(), inherited);
    }
    Protocol protocol = Keywords.protocol(token.text());
    if (protocol != null) {
      words.take();
      if (words.peek().is("[")) {
        return Unit.arithmetic(numbers.load(token.column(), protocol), inherited);
      }
      return qualified(token.column(), protocol, true);
    }
    return qualified(token.column(), Protocol.ANY, false);
  }

  private Unit negated(Qualifiers inherited) {
    int column = words.take().column();
    Unit unit = unit(inherited);
    Not not = new Not(column, conditionOf(unit));
    return unit.kind() == Unit.Kind.TERM
        ? Unit.term(not, unit.qualifiers())
        : Unit.id(not, unit.qualifiers());
  }

  private Unit parenthesis(Qualifiers inherited) {
    int column = words.take().column();
    Unit first = unit(inherited);
    Unit unit =
        switch (first.kind()) {
          case TERM -> Unit.term(chain(first), inherited);
          case ID -> Unit.idInParentheses(ids(first), inherited);
          case ID_IN_PARENTHESES ->
              throw words.wrong(column, "found=a list in two parentheses; one is enough");
          case NUMBER ->
              isJunction()
                  ? Unit.idInParentheses(ids(first), inherited)
                  : Unit.number(first.column(), first.number(), inherited);
          case ARITHMETIC -> first;
        };
    words.require(")");
    return unit;
  }

  /** Names and numbers with {@code and} and {@code or} between. */
  private Condition ids(Unit first) {
    Condition condition = conditionOf(first);
    List<Link> rest = new ArrayList<>();
    while (isJunction()) {
      boolean isAnd = words.take().is("and");
      Unit next = unit(first.qualifiers());
      rest.add(new Link(isAnd, requireId(next)));
    }
    return rest.isEmpty() ? condition : new Chain(condition, rest);
  }

  private Condition requireId(Unit unit) {
    if (unit.kind() == Unit.Kind.TERM || unit.kind() == Unit.Kind.ARITHMETIC) {
      throw words.wrong(unit.column(), "expected=a name, number or address, as in front of it");
    }
    return conditionOf(unit);
  }

  /** What begins with a protocol, or with a keyword that one could stand in front of. */
  private Unit qualified(int column, Protocol protocol, boolean isNamed) {
    Qualifiers qualifiers = primitives.qualifiers(protocol);
    if (qualifiers != null) {
      return Unit.term(requireId(unit(qualifiers)), qualifiers);
    }
    Condition condition = primitives.ofAnyProtocol(column, protocol);
    if (condition == null) {
      condition = isNamed ? new Condition.OfProtocol(column, protocol) : primitives.other(column);
    }
    if (condition == null) {
      throw words.expected(PRIMITIVE);
    }
    return Unit.term(condition, Qualifiers.UNKNOWN);
  }

  /** A single name or address. */
  private Condition id(Qualifiers qualifiers) {
    Token token = words.take();
    Id id =
        switch (token.kind()) {
          case NAME -> new Id.Name(token.text());
          case IPV4 -> ipv4(token);
          case IPV6 -> ipv6(token);
          case ETHERNET -> new Id.Ethernet(token.text());
          default -> new Id.Arcnet(token.number());
        };
    return new Match(token.column(), qualifiers, id);
  }

  private Id ipv4(Token address) {
    if (words.takeIf("/")) {
      return new Id.Ipv4Prefix(address.text(), words.requireNumber());
    }
    if (words.takeIf("mask")) {
      if (!words.is(Token.Kind.IPV4)) {
        throw words.expected("a mask such as 255.255.0.0");
      }
      return new Id.Ipv4Mask(address.text(), words.take().text());
    }
    return new Id.Ipv4(address.text());
  }

  private Id ipv6(Token address) {
    int bits = 128;
    return new Id.Ipv6(address.text(), words.takeIf("/") ? words.requireNumber() : bits);
  }
}
