package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import java.util.HashMap;
import java.util.Map;

/** The header of SIP that says where a message was; RFC 3261, section 20.42. */
final class SipVia {
  private static final Fields SIP = SipProtocol.SIP.source("RFC 3261, section 20.42");
  private static final Field TRANSPORT = SIP.floating("sip.Via.transport", 0, TEXT, "Transport");
  private static final Field ADDRESS = SIP.floating("sip.Via.sent-by.address", 0, TEXT, "Sent by");
  private static final Field PORT = SIP.floating("sip.Via.sent-by.port", 16, DECIMAL, "Port");
  private static final TextTable<Field> PARAMETERS = parameters();

  private SipVia() {}

  private static TextTable<Field> parameters() {
    Map<String, Field> all = new HashMap<>();
    for (String name : new String[] {"branch", "maddr", "received", "ttl", "rport", "comp"}) {
      all.put(name, SIP.floating("sip.Via." + name, 0, TEXT, name));
    }
    return new TextTable<>(all);
  }

  /** Has the fields declared, with those of the protocol. */
  static void declare() {}

  /** Says what the places are that a header holds. */
  static void header(Dissection dissection, int from, int end) {
    int at = from;
    while (at < end) {
      int comma = TextLine.find(dissection, ',', at, end);
      place(dissection, TextLine.afterSpace(dissection, at, comma), comma);
      at = comma + 1;
    }
  }

  private static void place(Dissection dissection, int from, int end) {
    int slash = TextLine.find(dissection, '/', from, end);
    int transport = TextLine.find(dissection, '/', Math.min(slash + 1, end), end) + 1;
    if (transport >= end) {
      return;
    }
    int space = TextLine.find(dissection, ' ', transport, end);
    dissection.bytes(TRANSPORT, transport, space - transport);
    int address = TextLine.afterSpace(dissection, space, end);
    int semicolon = TextLine.find(dissection, ';', address, end);
    sentBy(dissection, address, TextLine.beforeSpace(dissection, address, semicolon));
    for (int at = semicolon; at < end; ) {
      int start = TextLine.afterSpace(dissection, at + 1, end);
      at = TextLine.find(dissection, ';', start, end);
      parameter(dissection, start, TextLine.beforeSpace(dissection, start, at));
    }
  }

  private static void sentBy(Dissection dissection, int from, int end) {
    boolean isBracketed = from < end && dissection.u8(from) == '[';
    int start = isBracketed ? from + 1 : from;
    int stop = TextLine.find(dissection, isBracketed ? ']' : ':', start, end);
    dissection.bytes(ADDRESS, start, stop - start);
    int colon = TextLine.find(dissection, ':', stop, end);
    long port = colon < end ? TextLine.number(dissection, colon + 1, end) : -1;
    if (port >= 0 && port <= 0xFFFF) {
      dissection.value(PORT, port, colon + 1, end - colon - 1);
    }
  }

  /** One without a value has its name for it. */
  private static void parameter(Dissection dissection, int from, int end) {
    int equals = TextLine.find(dissection, '=', from, end);
    Field field = PARAMETERS.find(dissection, from, equals - from);
    if (field != null) {
      int start = equals < end ? equals + 1 : from;
      dissection.bytes(field, start, end - start);
    }
  }
}
