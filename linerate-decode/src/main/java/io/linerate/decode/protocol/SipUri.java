package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import org.jspecify.annotations.Nullable;

/** The fields of an address in a header of SIP; RFC 3261, sections 19.1 and 20.10. */
final class SipUri {
  private static final Fields SIP = SipProtocol.SIP.source("RFC 3261, section 20.10");
  static final Field ANY_DISPLAY = SIP.floating("sip.display.info", 0, TEXT, "Display name");
  static final Field ANY_TAG =
      SIP.source("RFC 3261, section 19.3").floating("sip.tag", 0, TEXT, "Tag");

  private final Field display;
  private final @Nullable Field uri;
  private final Field user;
  private final Field host;
  private final Field port;
  private final Field parameter;
  private final @Nullable Field tag;
  private final @Nullable Field headerParameter;

  /**
   * @param name of the header in the fields' names
   * @param uriName what the address itself is called there; empty if it has no field
   */
  SipUri(String name, String uriName) {
    String prefix = "sip." + name + ".";
    SIP.source("RFC 3261, section 20.10");
    display = SIP.floating(prefix + "display.info", 0, TEXT, "Display name");
    SIP.source("RFC 3261, section 19.1.1");
    uri = uriName.isEmpty() ? null : SIP.floating(prefix + uriName, 0, TEXT, "Address");
    user = SIP.floating(prefix + "user", 0, TEXT, "User");
    host = SIP.floating(prefix + "host", 0, TEXT, "Host");
    port = SIP.floating(prefix + "port", 0, TEXT, "Port");
    parameter = SIP.floating(prefix + "param", 0, TEXT, "Parameter");
    SIP.source("RFC 3261, section 19.3");
    boolean hasTag = name.equals("to") || name.equals("from");
    tag = hasTag ? SIP.floating(prefix + "tag", 0, TEXT, "Tag") : null;
    SIP.source("RFC 3261, section 20.10");
    headerParameter =
        name.equals("contact")
            ? SIP.floating(prefix + "parameter", 0, TEXT, "Contact's parameter")
            : null;
  }

  /** Says what the addresses are that a header holds. */
  void header(Dissection dissection, int from, int end) {
    int at = TextLine.afterSpace(dissection, from, end);
    while (at < end && dissection.u8(at) != '*') {
      at = address(dissection, at, end);
      at = TextLine.afterSpace(dissection, Math.min(at + 1, end), end);
    }
  }

  /** One of them; returns where the comma behind it is, or the end. */
  private int address(Dissection dissection, int from, int end) {
    int nameEnd = dissection.u8(from) == '"' ? afterQuote(dissection, from, end) : from;
    int comma = TextLine.find(dissection, ',', nameEnd, end);
    int bracket = TextLine.find(dissection, '<', nameEnd, comma);
    int uriFrom = from;
    int uriEnd;
    if (bracket < comma) {
      display(dissection, from, nameEnd > from ? nameEnd : bracket);
      uriFrom = bracket + 1;
      uriEnd = TextLine.find(dissection, '>', uriFrom, end);
      comma = TextLine.find(dissection, ',', uriEnd, end);
    } else {
      uriEnd = TextLine.find(dissection, ';', from, comma);
      uriEnd = TextLine.beforeSpace(dissection, uriFrom, uriEnd);
    }
    if (uri != null) {
      uri(dissection, uri, uriFrom, uriEnd);
    }
    parameters(dissection, uriEnd, comma);
    return comma;
  }

  private static int afterQuote(Dissection dissection, int from, int end) {
    int at = from + 1;
    while (at < end && dissection.u8(at) != '"') {
      at += dissection.u8(at) == '\\' ? 2 : 1;
    }
    return Math.min(at + 1, end);
  }

  private void display(Dissection dissection, int from, int end) {
    if (end > from) {
      dissection.bytes(display, from, end - from);
      dissection.bytes(ANY_DISPLAY, from, end - from);
    }
  }

  /** Says what an address is, and its parts if it has the scheme sip or sips. */
  void uri(Dissection dissection, Field whole, int from, int end) {
    dissection.bytes(whole, from, end - from);
    int colon = TextLine.find(dissection, ':', from, end);
    boolean isSip =
        TextBytes.matches(dissection, from, colon - from, "sip")
            || TextBytes.matches(dissection, from, colon - from, "sips");
    if (colon < end && isSip) {
      parts(dissection, colon + 1, end);
    }
  }

  private void parts(Dissection dissection, int from, int end) {
    int at = TextLine.find(dissection, '@', from, end);
    int hostFrom = at < end ? at + 1 : from;
    if (at < end) {
      dissection.bytes(user, from, at - from);
    }
    int mark = TextLine.find(dissection, '?', hostFrom, end);
    int semicolon = TextLine.find(dissection, ';', hostFrom, mark);
    int hostEnd = hostEnd(dissection, hostFrom, semicolon);
    dissection.bytes(host, hostFrom, hostEnd - hostFrom);
    if (hostEnd < semicolon) {
      dissection.bytes(port, hostEnd + 1, semicolon - hostEnd - 1);
    }
    if (semicolon < mark) {
      TextLine.parts(dissection, parameter, ';', semicolon + 1, mark);
    }
  }

  private static int hostEnd(Dissection dissection, int from, int end) {
    boolean isBracketed = from < end && dissection.u8(from) == '[';
    int start = isBracketed ? TextLine.find(dissection, ']', from, end) : from;
    return TextLine.find(dissection, ':', start, end);
  }

  /** Those of the header, behind the address. */
  private void parameters(Dissection dissection, int from, int end) {
    int at = TextLine.find(dissection, ';', from, end);
    while (at < end) {
      int start = TextLine.afterSpace(dissection, at + 1, end);
      int stop = TextLine.find(dissection, ';', start, end);
      if (headerParameter != null) {
        dissection.bytes(headerParameter, start, stop - start);
      }
      if (tag != null && stop - start > 4 && TextBytes.matches(dissection, start, 4, "tag=")) {
        dissection.bytes(tag, start + 4, stop - start - 4);
        dissection.bytes(ANY_TAG, start + 4, stop - start - 4);
      }
      at = stop;
    }
  }
}
