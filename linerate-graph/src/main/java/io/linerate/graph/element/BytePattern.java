package io.linerate.graph.element;

import io.linerate.core.config.ConfigException;
import io.linerate.core.memory.Packet;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Bytes that a packet is to have at some offsets: see {@link Classifier}. */
final class BytePattern {
  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]*");
  private static final Pattern CLAUSE =
      Pattern.compile("(!?)([0-9]{1,5})/((?:[0-9a-fA-F]{2})+)(?:%((?:[0-9a-fA-F]{2})+))?");
  private static final Pattern SPACE = Pattern.compile("\\s+");
  private static final int BITS = 8;

  /** Each compares up to eight bytes. */
  private final Clause[] clauses;

  private BytePattern(List<Clause> clauses) {
    this.clauses = clauses.toArray(new Clause[0]);
  }

  /** What is wrong with the text of a pattern. */
  static List<String> problems(String text) {
    try {
      parse(text);
      return List.of();
    } catch (ConfigException e) {
      return List.of(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Reads {@code NAME CLAUSE...}.
   *
   * @throws ConfigException if it is none
   */
  static BytePattern parse(String text) {
    List<String> words = SPACE.splitAsStream(text.strip()).toList();
    if (words.size() < 2 || !NAME.matcher(words.getFirst()).matches()) {
      throw wrong("not a pattern", text);
    }
    List<Clause> clauses = new ArrayList<>();
    for (String word : words.subList(1, words.size())) {
      if (!word.equals("-")) {
        clauses.add(clause(word, text));
      }
    }
    return new BytePattern(clauses);
  }

  private static Clause clause(String word, String text) {
    Matcher matcher = CLAUSE.matcher(word);
    if (!matcher.matches()) {
      throw wrong("not a clause (" + word + ")", text);
    }
    String value = matcher.group(3);
    String mask = matcher.group(4) == null ? "ff".repeat(value.length() / 2) : matcher.group(4);
    if (mask.length() != value.length()) {
      throw wrong("mask is not as long as its value (" + word + ")", text);
    }
    if (value.length() > 2 * Long.BYTES) {
      throw wrong("more than 8 bytes (" + word + ")", text);
    }
    long bits = Long.parseUnsignedLong(mask, 16);
    return new Clause(
        !matcher.group(1).isEmpty(),
        Integer.parseInt(matcher.group(2)),
        value.length() / 2,
        bits,
        Long.parseUnsignedLong(value, 16) & bits);
  }

  private static ConfigException wrong(String what, String text) {
    return new ConfigException(
        what + ": pattern=" + text + "; write NAME OFFSET/HEX..., such as arp 12/0806");
  }

  boolean matches(Packet packet) {
    for (Clause clause : clauses) {
      if (!clause.matches(packet)) {
        return false;
      }
    }
    return true;
  }

  /** The bytes from an offset, under a mask. */
  private record Clause(boolean isNegated, int offset, int lengthBytes, long mask, long value) {
    boolean matches(Packet packet) {
      if (packet.length() - offset < lengthBytes) {
        return isNegated;
      }
      return ((read(packet) & mask) == value) != isNegated;
    }

    private long read(Packet packet) {
      return switch (lengthBytes) {
        case 1 -> packet.u8(offset);
        case 2 -> packet.u16(offset);
        case 4 -> packet.u32(offset);
        case 8 -> packet.u64(offset);
        default -> bytes(packet);
      };
    }

    private long bytes(Packet packet) {
      long bytes = 0;
      for (int i = 0; i < lengthBytes; i++) {
        bytes = bytes << BITS | packet.u8(offset + i);
      }
      return bytes;
    }
  }
}
