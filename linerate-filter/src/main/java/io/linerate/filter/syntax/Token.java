package io.linerate.filter.syntax;

/**
 * A word of a filter.
 *
 * @param kind what it is
 * @param text keywords and symbols in the form that the parser knows, others as they stand
 * @param column where it stands, counted from 1
 * @param number value of a number
 */
record Token(Kind kind, String text, int column, int number) {
  /** What a word is. */
  enum Kind {
    KEYWORD,
    SYMBOL,
    NUMBER,
    NAME,
    IPV4,
    IPV6,
    ETHERNET,
    ARCNET,
    END
  }

  boolean is(String keywordOrSymbol) {
    return (kind == Kind.KEYWORD || kind == Kind.SYMBOL) && text.equals(keywordOrSymbol);
  }

  /** For messages. */
  String found() {
    return kind == Kind.END ? "the end" : text;
  }
}
