package io.linerate.filter.code;

import static io.linerate.filter.code.Opcodes.ADD;
import static io.linerate.filter.code.Opcodes.ALU;
import static io.linerate.filter.code.Opcodes.AND;
import static io.linerate.filter.code.Opcodes.B;
import static io.linerate.filter.code.Opcodes.K;
import static io.linerate.filter.code.Opcodes.W;

import io.linerate.filter.syntax.Condition.PfName;
import io.linerate.filter.syntax.Condition.PfNumber;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The header of OpenBSD's log of its packet filter, net/if_pflog.h. */
final class LogTests {
  private static final int ACTION = 2;
  private static final int REASON = 3;
  private static final int INTERFACE = 4;
  private static final int RULESET = 20;
  private static final int NAME_BYTES = 16;
  private static final int RULE = 36;
  private static final int SUBRULE = 40;
  private static final int DIRECTION = 60;

  private final Emitter emitter;

  LogTests(Emitter emitter) {
    this.emitter = emitter;
  }

  Test name(PfName name) {
    require(name.isRuleset() ? "ruleset" : "ifname");
    byte[] bytes = name.name().getBytes(StandardCharsets.UTF_8);
    if (bytes.length >= NAME_BYTES) {
      throw emitter.wrong("name=%s, most=%d bytes".formatted(name.name(), NAME_BYTES - 1));
    }
    return emitter.bytes(Base.LINK_HEADER, name.isRuleset() ? RULESET : INTERFACE, bytes);
  }

  Test number(PfNumber number) {
    return switch (number.field()) {
      case RULE -> field("rulenum", RULE, W, number.value());
      case SUBRULE -> field("subrulenum", SUBRULE, W, number.value());
      case REASON -> field("reason", REASON, B, number.value());
      case ACTION -> field("action", ACTION, B, number.value());
    };
  }

  Test direction(boolean isOutbound) {
    return emitter.equal(Base.LINK_HEADER, DIRECTION, B, isOutbound ? 2 : 1);
  }

  private Test field(String word, int offset, int size, int value) {
    require(word);
    return emitter.equal(Base.LINK_HEADER, offset, size, value);
  }

  private void require(String word) {
    if (emitter.layout.link != Links.PFLOG) {
      throw emitter.unsupported("found=%s; it is for PFLOG".formatted(word));
    }
  }

  /** Loads where the header ends: its first byte is its length, which padding follows. */
  static List<Statement> length() {
    return Statement.list(
        new Statement(Opcodes.LD | Opcodes.ABS | B, 0),
        new Statement(ALU | ADD | K, 3),
        new Statement(ALU | AND | K, ~3));
  }
}
