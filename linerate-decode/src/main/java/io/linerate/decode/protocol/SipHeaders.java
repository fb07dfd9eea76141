package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The headers of SIP messages; RFC 3261, section 20, and the documents that extend it. */
final class SipHeaders {
  private static final String NAMES =
      "Accept Accept-Contact Accept-Encoding Accept-Language Accept-Resource-Priority Alert-Info"
          + " Allow Allow-Events Answer-Mode Authentication-Info Authorization Call-ID Call-Info"
          + " Contact Content-Disposition Content-Encoding Content-Language Content-Length"
          + " Content-Type CSeq Date Diversion Error-Info Event Expires Feature-Caps Flow-Timer"
          + " From Geolocation Geolocation-Error Geolocation-Routing History-Info Identity"
          + " Info-Package In-Reply-To Join Max-Breadth Max-Forwards MIME-Version Min-Expires"
          + " Min-SE Organization P-Access-Network-Info P-Answer-State P-Asserted-Identity"
          + " P-Asserted-Service P-Associated-URI P-Called-Party-ID P-Charge-Info"
          + " P-Charging-Function-Addresses P-Charging-Vector P-Early-Media P-Media-Authorization"
          + " P-Preferred-Identity P-Preferred-Service P-Profile-Key P-Served-User P-User-Database"
          + " P-Visited-Network-ID Path Permission-Missing Priority Privacy Proxy-Authenticate"
          + " Proxy-Authorization Proxy-Require RAck Reason Record-Route Recv-Info Refer-Sub"
          + " Refer-To Reject-Contact Replaces Reply-To Request-Disposition Require"
          + " Resource-Priority Retry-After Route RSeq Security-Client Security-Server"
          + " Security-Verify Server Service-Route Session-Expires Session-ID Subject"
          + " Subscription-State Supported Target-Dialog Timestamp To Trigger-Consent Unsupported"
          + " User-Agent Via Warning WWW-Authenticate";

  /** The short names; RFC 3261, section 7.3.3, and the documents that define the headers. */
  private static final String SHORT =
      "a Accept-Contact,u Allow-Events,i Call-ID,m Contact,e Content-Encoding,l Content-Length,"
          + "c Content-Type,o Event,f From,y Identity,r Refer-To,j Reject-Contact,"
          + "d Request-Disposition,x Session-Expires,s Subject,k Supported,t To,v Via";

  private static final String NUMBERS =
      " Content-Length Expires Max-Breadth Max-Forwards Retry-After RSeq ";

  private static final String CREDENTIALS =
      " Authentication-Info Authorization Proxy-Authenticate Proxy-Authorization WWW-Authenticate ";

  private static final Fields SIP = SipProtocol.SIP.source("RFC 3261, section 20");
  private static final Field SEQUENCE =
      SIP.source("RFC 3261, section 20.16").floating("sip.CSeq.seq", 32, DECIMAL, "Sequence");
  private static final Field SEQUENCE_METHOD =
      SIP.floating("sip.CSeq.method", 0, TEXT, "Sequence's method");
  private static final Field ANY_CREDENTIALS =
      SIP.source("RFC 3261, section 20.7").floating("sip.auth", 0, TEXT, "Authentication");
  private static final Field SCHEME = SIP.floating("sip.auth.scheme", 0, TEXT, "Scheme");

  private static final TextTable<Header> HEADERS = headers();
  private static final TextTable<Field> CREDENTIAL_PARTS = credentialParts();

  /** What is in a header. */
  private enum Content {
    TEXT,
    NUMBER,
    ADDRESS,
    VIA,
    SEQUENCE,
    CREDENTIALS
  }

  private record Header(Field field, Content content, @Nullable SipUri address) {}

  private SipHeaders() {}

  /** Has the fields declared, with those of the protocol. */
  static void declare() {
    SipVia.declare();
  }

  private static TextTable<Header> headers() {
    Map<String, Header> all = new HashMap<>();
    SIP.source("RFC 3261, section 20");
    for (String name : NAMES.split(" ", -1)) {
      all.put(name.toLowerCase(Locale.ROOT), header(name, name));
    }
    all.put("referred-by", header("Referred-By", "Referred-by"));
    all.put("identity-info", header("Identity-Info", "Identity-info"));
    all.put("sip-etag", header("SIP-ETag", "ETag"));
    all.put("sip-if-match", header("SIP-If-Match", "If_Match"));
    all.put("user-to-user", header("User-to-User", "uui"));
    for (String pair : SHORT.split(",", -1)) {
      Header header = all.get(pair.substring(2).toLowerCase(Locale.ROOT));
      if (header != null) {
        all.put(pair.substring(0, 1), header);
      }
    }
    all.put("b", header("Referred-By", "Referred-by", all.get("referred-by")));
    all.put("n", header("Identity-Info", "Identity-info", all.get("identity-info")));
    return new TextTable<>(all);
  }

  private static Header header(String name, String fieldName, @Nullable Header known) {
    return known == null ? header(name, fieldName) : known;
  }

  private static Header header(String name, String fieldName) {
    Content content = content(name);
    boolean isNumber = content == Content.NUMBER;
    SIP.source("RFC 3261, section 20");
    Field field =
        SIP.floating("sip." + fieldName, isNumber ? 32 : 0, isNumber ? DECIMAL : TEXT, name);
    return new Header(field, content, address(name));
  }

  private static Content content(String name) {
    if (NUMBERS.contains(" " + name + " ")) {
      return Content.NUMBER;
    }
    if (CREDENTIALS.contains(" " + name + " ")) {
      return Content.CREDENTIALS;
    }
    return switch (name) {
      case "Via" -> Content.VIA;
      case "CSeq" -> Content.SEQUENCE;
      default -> isAddress(name) ? Content.ADDRESS : Content.TEXT;
    };
  }

  private static boolean isAddress(String name) {
    return switch (name) {
      case "To",
          "From",
          "Contact",
          "Route",
          "Record-Route",
          "Service-Route",
          "Path",
          "P-Asserted-Identity",
          "P-Preferred-Identity" ->
          true;
      default -> false;
    };
  }

  private static @Nullable SipUri address(String name) {
    if (!isAddress(name)) {
      return null;
    }
    return switch (name) {
      case "To" -> new SipUri("to", "addr");
      case "From" -> new SipUri("from", "addr");
      case "Contact" -> new SipUri("contact", "uri");
      case "P-Asserted-Identity" -> new SipUri("pai", "addr");
      case "P-Preferred-Identity" -> new SipUri("ppi", "addr");
      default -> new SipUri(name, "uri");
    };
  }

  private static TextTable<Field> credentialParts() {
    Map<String, Field> all = new HashMap<>();
    SIP.source("RFC 3261, section 20.7");
    String names =
        "nc username realm nonce algorithm opaque qop cnonce uri domain stale auts rspauth"
            + " nextnonce ik ck";
    for (String name : names.split(" ", -1)) {
      all.put(name, SIP.floating("sip.auth." + name, 0, TEXT, name));
    }
    all.put("response", SIP.floating("sip.auth.digest.response", 0, TEXT, "response"));
    return new TextTable<>(all);
  }

  /** Says what the header is that the cursor is at, which moves behind it. */
  static void dissect(Dissection dissection) {
    int bytes = TextLine.bytes(dissection);
    while (dissection.has(bytes + 1) && isFolded(dissection.u8(bytes))) {
      int feed = dissection.indexOf('\n', bytes);
      bytes = feed < 0 ? dissection.left() : feed + 1;
    }
    int end = TextLine.contentBytes(dissection, bytes);
    int colon = TextLine.find(dissection, ':', 0, end);
    Header header = HEADERS.find(dissection, 0, TextLine.beforeSpace(dissection, 0, colon));
    if (colon == end && end > 0) {
      dissection.malformed();
    } else if (header != null) {
      int from = TextLine.afterSpace(dissection, colon + 1, end);
      value(dissection, header, from, end, bytes);
    }
    dissection.skip(bytes);
  }

  private static boolean isFolded(int first) {
    return first == ' ' || first == '\t';
  }

  private static void value(Dissection dissection, Header header, int from, int end, int bytes) {
    if (header.content() == Content.NUMBER) {
      long number = TextLine.number(dissection, from, TextLine.beforeSpace(dissection, from, end));
      if (number >= 0) {
        dissection.value(header.field(), number & 0xFFFF_FFFFL, from, end - from);
      } else {
        dissection.malformed();
      }
      return;
    }
    dissection.bytes(header.field(), from, end - from);
    switch (header.content()) {
      case VIA -> SipVia.header(dissection, from, end);
      case SEQUENCE -> sequence(dissection, from, end);
      case CREDENTIALS -> {
        dissection.bytes(ANY_CREDENTIALS, 0, bytes);
        credentials(dissection, from, end);
      }
      case ADDRESS -> {
        SipUri address = header.address();
        if (address != null) {
          address.header(dissection, from, end);
        }
      }
      default -> {}
    }
  }

  private static void sequence(Dissection dissection, int from, int end) {
    int space = TextLine.find(dissection, ' ', from, end);
    long number = TextLine.number(dissection, from, space);
    if (number < 0 || space == end) {
      return;
    }
    dissection.value(SEQUENCE, number & 0xFFFF_FFFFL, from, space - from);
    int method = TextLine.afterSpace(dissection, space, end);
    dissection.bytes(SEQUENCE_METHOD, method, end - method);
  }

  private static void credentials(Dissection dissection, int from, int end) {
    int at = TextLine.find(dissection, ' ', from, end);
    dissection.bytes(SCHEME, from, at - from);
    while (at < end) {
      int start = TextLine.afterSpace(dissection, at, end);
      int equals = TextLine.find(dissection, '=', start, end);
      int value = Math.min(equals + 1, end);
      boolean isQuoted = value < end && dissection.u8(value) == '"';
      int quote = isQuoted ? TextLine.find(dissection, '"', value + 1, end) : value;
      int comma = TextLine.find(dissection, ',', quote, end);
      int stop = isQuoted ? Math.min(quote + 1, end) : comma;
      Field field = CREDENTIAL_PARTS.find(dissection, start, equals - start);
      if (field != null) {
        dissection.bytes(field, value, stop - value);
      }
      at = Math.min(comma + 1, end);
    }
  }
}
