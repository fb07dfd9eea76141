package io.linerate.stream;

import io.linerate.core.memory.Cursor;
import io.linerate.graph.TokenType;
import java.util.List;
import java.util.stream.Stream;

/** What actors require of tokens that they keep until others have come. */
final class KeptTokens {
  private KeptTokens() {}

  /** Says of which types none can be kept: the same object is at something else by then. */
  static List<String> problems(TokenType... types) {
    return Stream.of(types)
        .filter(type -> Cursor.class.isAssignableFrom(type.carrier()))
        .distinct()
        .map(
            "tokens are kept that are cursors, at something else when the next one comes: type=%s; map what is needed of them before, or keep packets by Wiring.hold (HeldPackets)"
                ::formatted)
        .toList();
  }
}
