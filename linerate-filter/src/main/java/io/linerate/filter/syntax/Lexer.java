package io.linerate.filter.syntax;

import io.linerate.filter.FilterException;
import org.jspecify.annotations.Nullable;

/**
 * Takes a filter apart into words. The longest word that could begin at a place is taken, and if
 * there are several, the first of: keyword, address of ARCnet, Ethernet address, number, IPv4
 * address, IPv6 address, constant, name.
 */
final class Lexer {
  private static final String SYMBOLS = "+-*/%:[]!<>()&|^=";

  private final String text;
  private int at;

  Lexer(String text) {
    this.text = text;
  }

  /** The next word; at the end {@link Token.Kind#END}, as often as one asks. */
  Token next() {
    while (at < text.length() && " \r\n\t".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    int from = at;
    if (from == text.length()) {
      return new Token(Token.Kind.END, "", from + 1, 0);
    }
    Token symbol = symbol(from);
    if (symbol != null) {
      return symbol;
    }
    char first = text.charAt(from);
    if (first == '\\') {
      return escaped(from);
    }
    if (first == '$') {
      return arcnet(from);
    }
    return word(from);
  }

  FilterException wrong(int column, String problem) {
    return new FilterException(text, column, problem);
  }

  private @Nullable Token symbol(int from) {
    for (String two : new String[] {">=", "<=", "!=", "==", "<<", ">>", "&&", "||"}) {
      if (text.startsWith(two, from)) {
        String form =
            switch (two) {
              case "==" -> "=";
              case "&&" -> "and";
              case "||" -> "or";
              default -> two;
            };
        return take(Token.Kind.SYMBOL, form, from + 2);
      }
    }
    char one = text.charAt(from);
    if (SYMBOLS.indexOf(one) < 0 || AddressText.endOfIpv6(text, from) > from) {
      return null;
    }
    return take(Token.Kind.SYMBOL, one == '!' ? "not" : String.valueOf(one), from + 1);
  }

  private Token escaped(int from) {
    int end = from + 1;
    while (end < text.length() && " !()\n\t".indexOf(text.charAt(end)) < 0) {
      end++;
    }
    if (end == from + 1) {
      throw wrong(end, "expected=a name behind the backslash");
    }
    return take(Token.Kind.NAME, text.substring(from + 1, end), end);
  }

  private Token arcnet(int from) {
    int end = from + 1;
    while (end < text.length() && end < from + 3 && AddressText.isHexadecimal(text.charAt(end))) {
      end++;
    }
    if (end == from + 1) {
      throw wrong(from + 1, "found=$; expected=an address of ARCnet such as $1f");
    }
    String digits = text.substring(from + 1, end);
    at = end;
    return new Token(Token.Kind.ARCNET, "$" + digits, from + 1, Integer.parseInt(digits, 16));
  }

  private Token word(int from) {
    int name = endOfName(from);
    int ethernet = AddressText.endOfEthernet(text, from);
    int number = AddressText.endOfNumber(text, from);
    int ipv4 = AddressText.endOfIpv4(text, from);
    int ipv6 = AddressText.endOfIpv6(text, from);
    int broken = AddressText.endOfBrokenEthernet(text, from);
    int longest =
        Math.max(
            Math.max(Math.max(name, ethernet), Math.max(number, ipv4)), Math.max(ipv6, broken));
    if (longest == from) {
      throw wrong(from + 1, "found=%s; no word begins so".formatted(printable(text.charAt(from))));
    }
    String word = text.substring(from, longest);
    String keyword = name == longest ? Keywords.form(word) : null;
    if (keyword != null) {
      return take(Token.Kind.KEYWORD, keyword, longest);
    }
    if (ethernet == longest) {
      return take(Token.Kind.ETHERNET, word, longest);
    }
    if (number == longest) {
      at = longest;
      return new Token(Token.Kind.NUMBER, word, from + 1, value(word, from + 1));
    }
    if (ipv4 == longest) {
      return take(Token.Kind.IPV4, word, longest);
    }
    if (ipv6 == longest) {
      if (!Ipv6Text.isAddress(word)) {
        throw wrong(from + 1, "found=%s; expected=an IPv6 address".formatted(word));
      }
      return take(Token.Kind.IPV6, word, longest);
    }
    if (broken == longest) {
      throw wrong(from + 1, "found=%s; an Ethernet address has six parts".formatted(word));
    }
    Integer constant = Keywords.number(word);
    if (constant != null) {
      at = longest;
      return new Token(Token.Kind.NUMBER, word, from + 1, constant);
    }
    return take(Token.Kind.NAME, word, longest);
  }

  private static String printable(char c) {
    return c > ' ' && c < 0x7F ? String.valueOf(c) : "U+%04X".formatted((int) c);
  }

  /** Letters and digits, with hyphens, underlines and dots between; it may end with a dot. */
  private int endOfName(int from) {
    if (!isAlphanumeric(text.charAt(from))) {
      return from;
    }
    int end = from + 1;
    for (int i = from + 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isAlphanumeric(c) || c == '.') {
        end = i + 1;
      } else if (c != '-' && c != '_') {
        break;
      }
    }
    return end;
  }

  private static boolean isAlphanumeric(char c) {
    return AddressText.isDigit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
  }

  /** As C writes numbers: hexadecimal with 0x, octal with 0, else decimal. */
  private int value(String word, int column) {
    int radix = 10;
    String digits = word;
    if (word.length() > 1 && word.charAt(0) == '0') {
      boolean isHexadecimal = (word.charAt(1) | 0x20) == 'x';
      radix = isHexadecimal ? 16 : 8;
      digits = word.substring(isHexadecimal ? 2 : 1);
    }
    try {
      return Integer.parseUnsignedInt(digits, radix);
    } catch (NumberFormatException e) {
      throw wrong(
          column, "found=%s; expected=a number of 32 bits, octal if 0 is in front".formatted(word));
    }
  }

  private Token take(Token.Kind kind, String form, int end) {
    int column = at + 1;
    at = end;
    return new Token(kind, form, column, 0);
  }
}
