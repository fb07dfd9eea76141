package io.linerate.filter.syntax;

import io.linerate.filter.syntax.Condition.Encapsulation;
import io.linerate.filter.syntax.Condition.Header;
import io.linerate.filter.syntax.Condition.Llc;
import io.linerate.filter.syntax.Condition.LlcFormat;
import io.linerate.filter.syntax.Condition.PfField;
import io.linerate.filter.syntax.Condition.PfNumber;
import io.linerate.filter.syntax.Condition.WlanType;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Reads conditions that begin with a keyword, and qualifiers. */
final class Primitives {
  private final Words words;

  Primitives(Words words) {
    this.words = words;
  }

  /** The qualifiers that follow a protocol, or null, if none do. */
  @Nullable Qualifiers qualifiers(Protocol protocol) {
    Direction direction = direction();
    if (direction != Direction.ANY) {
      return new Qualifiers(protocol, direction, addressType());
    }
    IdType type = addressType();
    if (type == IdType.ANY) {
      type = otherType();
    }
    return type == IdType.ANY ? null : new Qualifiers(protocol, direction, type);
  }

  private Direction direction() {
    Direction alone = alone();
    if (alone != Direction.ANY) {
      words.take();
    }
    if (alone != Direction.SRC && alone != Direction.DST) {
      return alone;
    }
    boolean isOr = words.peek().is("or");
    if (!isOr && !words.peek().is("and")) {
      return alone;
    }
    words.take();
    words.require(alone == Direction.SRC ? "dst" : "src");
    return isOr ? Direction.SRC_OR_DST : Direction.SRC_AND_DST;
  }

  private Direction alone() {
    if (!words.is(Token.Kind.KEYWORD)) {
      return Direction.ANY;
    }
    return switch (words.peek().text()) {
      case "src" -> Direction.SRC;
      case "dst" -> Direction.DST;
      case "addr1" -> Direction.ADDR1;
      case "addr2" -> Direction.ADDR2;
      case "addr3" -> Direction.ADDR3;
      case "addr4" -> Direction.ADDR4;
      case "ra" -> Direction.RA;
      case "ta" -> Direction.TA;
      default -> Direction.ANY;
    };
  }

  private IdType addressType() {
    return words.takeIf("host")
        ? IdType.HOST
        : words.takeIf("net")
            ? IdType.NET
            : words.takeIf("port")
                ? IdType.PORT
                : words.takeIf("portrange") ? IdType.PORTRANGE : IdType.ANY;
  }

  private IdType otherType() {
    return words.takeIf("proto")
        ? IdType.PROTO
        : words.takeIf("protochain")
            ? IdType.PROTOCHAIN
            : words.takeIf("gateway") ? IdType.GATEWAY : IdType.ANY;
  }

  /** What may stand behind a protocol or without one; null if it is something else. */
  @Nullable Condition ofAnyProtocol(int column, Protocol protocol) {
    if (words.takeIf("broadcast")) {
      return new Condition.ToMany(column, protocol, true);
    }
    if (words.takeIf("multicast")) {
      return new Condition.ToMany(column, protocol, false);
    }
    if (words.takeIf("type")) {
      return wlanType(column);
    }
    if (words.takeIf("subtype")) {
      int value =
          value(FieldNames::wlanTypeAndSubtype, false, "a subtype of IEEE 802.11 such as beacon");
      return new WlanType(column, value, FieldNames.TYPE_MASK | FieldNames.SUBTYPE_MASK);
    }
    if (words.takeIf("dir")) {
      int value = value(FieldNames::wlanDirection, true, "nods, tods, fromds, dstods or a number");
      return new Condition.WlanDirection(column, value);
    }
    return null;
  }

  private Condition wlanType(int column) {
    int type = value(FieldNames::wlanType, true, "mgt, ctl, data or a number");
    if (!words.takeIf("subtype")) {
      return new WlanType(column, type, FieldNames.TYPE_MASK);
    }
    int subtype =
        value(
            name -> FieldNames.wlanSubtype(type, name), true, "a subtype of that type or a number");
    return new WlanType(column, type | subtype, FieldNames.TYPE_MASK | FieldNames.SUBTYPE_MASK);
  }

  /** What a name stands for. */
  private interface Table {
    @Nullable Integer get(String name);
  }

  private int value(Table names, boolean mayBeNumber, String expected) {
    if (mayBeNumber && words.is(Token.Kind.NUMBER)) {
      return words.take().number();
    }
    Integer value = words.is(Token.Kind.NAME) ? names.get(words.peek().text()) : null;
    if (value == null) {
      throw words.expected(expected);
    }
    words.take();
    return value;
  }

  /** All others; null if no condition begins here. */
  @Nullable Condition other(int column) {
    Token token = words.peek();
    if (token.kind() != Token.Kind.KEYWORD) {
      return null;
    }
    Condition encapsulation = encapsulation(column, token.text());
    if (encapsulation != null) {
      return encapsulation;
    }
    Condition log = log(column, token.text());
    return log == null ? more(column, token.text()) : log;
  }

  private @Nullable Condition encapsulation(int column, String word) {
    Header header =
        switch (word) {
          case "vlan" -> Header.VLAN;
          case "mpls" -> Header.MPLS;
          case "pppoed" -> Header.PPPOE_DISCOVERY;
          case "pppoes" -> Header.PPPOE_SESSION;
          case "geneve" -> Header.GENEVE;
          default -> null;
        };
    if (header == null) {
      return null;
    }
    words.take();
    boolean hasNumber =
        header != Header.PPPOE_DISCOVERY && (words.is(Token.Kind.NUMBER) || words.peek().is("("));
    return new Encapsulation(
        column, header, hasNumber ? OptionalInt.of(numberInParentheses()) : OptionalInt.empty());
  }

  private int numberInParentheses() {
    int parentheses = 0;
    while (words.takeIf("(")) {
      parentheses++;
    }
    int number = words.requireNumber();
    for (; parentheses > 0; parentheses--) {
      words.require(")");
    }
    return number;
  }

  private @Nullable Condition log(int column, String word) {
    return switch (word) {
      case "ifname", "rset" -> {
        words.take();
        String name = words.requireName("a name");
        yield new Condition.PfName(column, word.equals("rset"), name);
      }
      case "rnr" -> {
        words.take();
        yield new PfNumber(column, PfField.RULE, words.requireNumber());
      }
      case "srnr" -> {
        words.take();
        yield new PfNumber(column, PfField.SUBRULE, words.requireNumber());
      }
      case "reason" -> {
        words.take();
        int reason = value(FieldNames::reason, true, "a reason such as match, or a number");
        yield new PfNumber(column, PfField.REASON, reason);
      }
      case "action" -> {
        words.take();
        int action = value(FieldNames::action, false, "an action such as pass or block");
        yield new PfNumber(column, PfField.ACTION, action);
      }
      default -> null;
    };
  }

  private @Nullable Condition more(int column, String word) {
    return switch (word) {
      case "less", "greater" -> {
        words.take();
        yield new Condition.LengthLimit(column, word.equals("less"), words.requireNumber());
      }
      case "byte" -> {
        words.take();
        yield byteTest(column);
      }
      case "inbound", "outbound" -> {
        words.take();
        yield new Condition.Bound(column, word.equals("outbound"));
      }
      case "ifindex" -> {
        words.take();
        yield new Condition.InterfaceIndex(column, words.requireNumber());
      }
      case "llc" -> {
        words.take();
        yield llc(column);
      }
      case "vpi", "vci", "sio", "opc", "dpc", "sls", "hsio", "hopc", "hdpc", "hsls" -> {
        words.take();
        yield field(column, word);
      }
      case "lane",
          "metac",
          "bcc",
          "oam",
          "oamf4",
          "oamf4ec",
          "oamf4sc",
          "sc",
          "ilmic",
          "connectmsg",
          "metaconnect",
          "fisu",
          "lssu",
          "msu",
          "hfisu",
          "hlssu",
          "hmsu" -> {
        words.take();
        yield new Condition.Word(column, word);
      }
      default -> null;
    };
  }

  private Condition byteTest(int column) {
    int offset = words.requireNumber();
    String operator = words.peek().text();
    if (!words.is(Token.Kind.SYMBOL) || operator.length() != 1 || !"&|<>=".contains(operator)) {
      throw words.expected("one of & | < > =");
    }
    words.take();
    return new Condition.ByteTest(column, offset, operator.charAt(0), words.requireNumber());
  }

  private Condition llc(int column) {
    if (words.takeIf("rnr")) { // A keyword of OpenBSD's log, too.
      return new Llc(column, LlcFormat.SUPERVISORY_SUBTYPE, 5);
    }
    if (!words.is(Token.Kind.NAME)) {
      return new Llc(column, LlcFormat.ANY, 0);
    }
    String name = words.peek().text();
    Llc llc =
        name.equalsIgnoreCase("i")
            ? new Llc(column, LlcFormat.INFORMATION, 0)
            : name.equalsIgnoreCase("s")
                ? new Llc(column, LlcFormat.SUPERVISORY, 0)
                : name.equalsIgnoreCase("u")
                    ? new Llc(column, LlcFormat.UNNUMBERED, 0)
                    : llcCommand(column, name);
    words.take();
    return llc;
  }

  private Llc llcCommand(int column, String name) {
    Integer supervisory = FieldNames.supervisory(name);
    if (supervisory != null) {
      return new Llc(column, LlcFormat.SUPERVISORY_SUBTYPE, supervisory);
    }
    Integer unnumbered = FieldNames.unnumbered(name);
    if (unnumbered == null) {
      throw words.expected("i, s, u, or a command of IEEE 802.2 such as ui");
    }
    return new Llc(column, LlcFormat.UNNUMBERED_SUBTYPE, unnumbered);
  }

  /** A value, a relation and a value, or several values. */
  private Condition field(int column, String word) {
    Relation relation = words.is(Token.Kind.SYMBOL) ? Relation.of(words.peek().text()) : null;
    if (relation != null) {
      words.take();
      return new Condition.Field(column, word, relation, List.of(words.requireNumber()));
    }
    if (!words.takeIf("(")) {
      return new Condition.Field(column, word, Relation.EQUAL, List.of(words.requireNumber()));
    }
    List<Integer> values = new ArrayList<>();
    do {
      values.add(words.requireNumber());
    } while (words.takeIf("or"));
    words.require(")");
    return new Condition.Field(column, word, Relation.EQUAL, values);
  }
}
