package io.linerate.filter.syntax;

import io.linerate.filter.FilterException;

/** The words of a filter, one after the other, and what to say if the next is another. */
final class Words {
  private final Lexer lexer;
  private Token next;

  Words(String text) {
    lexer = new Lexer(text);
    next = lexer.next();
  }

  Token peek() {
    return next;
  }

  Token take() {
    Token taken = next;
    next = lexer.next();
    return taken;
  }

  /** Takes the next word if it is this one. */
  boolean takeIf(String keywordOrSymbol) {
    boolean is = next.is(keywordOrSymbol);
    if (is) {
      take();
    }
    return is;
  }

  void require(String keywordOrSymbol) {
    if (!takeIf(keywordOrSymbol)) {
      throw expected(keywordOrSymbol);
    }
  }

  boolean is(Token.Kind kind) {
    return next.kind() == kind;
  }

  int requireNumber() {
    if (!is(Token.Kind.NUMBER)) {
      throw expected("a number");
    }
    return take().number();
  }

  String requireName(String what) {
    if (!is(Token.Kind.NAME)) {
      throw expected(what);
    }
    return take().text();
  }

  FilterException expected(String what) {
    return wrong(next.column(), "found=%s, expected=%s".formatted(next.found(), what));
  }

  FilterException wrong(int column, String problem) {
    return lexer.wrong(column, problem);
  }
}
