package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;

/** The description of a session: lines of a letter each, and what it stands for. */
public final class SdpProtocol implements Protocol {
  public static final Fields SDP =
      Fields.of("sdp", "Session Description Protocol", "RFC 8866, section 5");
  public static final Field VERSION = text("version", "Version");
  public static final Field OWNER = text("owner", "Origin");
  private static final Field[] OWNER_PARTS = {
    text("owner.username", "User"),
    text("owner.sessionid", "Session"),
    text("owner.version", "Version"),
    text("owner.network_type", "Network type"),
    text("owner.address_type", "Address type"),
    text("owner.address", "Address")
  };
  public static final Field NAME = text("session_name", "Session's name");
  public static final Field INFORMATION = text("session_info", "Information");
  public static final Field URI = text("uri", "URI");
  public static final Field EMAIL = text("email", "Mail address");
  public static final Field PHONE = text("phone", "Phone number");
  public static final Field CONNECTION = text("connection_info", "Connection");
  private static final Field[] CONNECTION_PARTS = {
    text("connection_info.network_type", "Network type"),
    text("connection_info.address_type", "Address type")
  };
  private static final Field ADDRESS = text("connection_info.address", "Address");
  private static final Field ADDRESS_TTL = text("connection_info.ttl", "Time to live");
  private static final Field ADDRESS_COUNT = text("connection_info.num_addr", "Addresses");
  public static final Field BANDWIDTH = text("bandwidth", "Bandwidth");
  private static final Field[] BANDWIDTH_PARTS = {
    text("bandwidth.modifier", "Kind"), text("bandwidth.value", "Value")
  };
  public static final Field TIME = text("time", "Time");
  private static final Field[] TIME_PARTS = {
    text("time.start", "Start"), text("time.stop", "Stop")
  };
  public static final Field REPEAT = text("repeat_time", "Repeat times");
  private static final Field[] REPEAT_PARTS = {
    text("repeat_time.interval", "Interval"),
    text("repeat_time.duration", "Duration"),
    text("repeat_time.offset", "Offset")
  };
  public static final Field ZONE = text("timezone", "Time zone");
  private static final Field[] ZONE_PARTS = {
    text("timezone.time", "Time"), text("timezone.offset", "Offset")
  };
  public static final Field KEY = text("encryption_key", "Key");
  private static final Field[] KEY_PARTS = {
    text("encryption_key.type", "Kind"), text("encryption_key.data", "Data")
  };
  public static final Field SESSION_ATTRIBUTE = text("session_attr", "Session's attribute");
  private static final Field[] SESSION_ATTRIBUTE_PARTS = {
    text("session_attr.field", "Name"), text("session_attr.value", "Value")
  };
  public static final Field MEDIA = text("media", "Media");
  private static final Field MEDIA_TYPE = text("media.media", "Media type");
  private static final Field MEDIA_PORT = SDP.floating("sdp.media.port", 16, DECIMAL, "Port");
  private static final Field MEDIA_PORT_TEXT = text("media.port_string", "Port");
  private static final Field MEDIA_PORTS = text("media.portcount", "Ports");
  private static final Field MEDIA_PROTOCOL = text("media.proto", "Protocol");
  private static final Field MEDIA_FORMAT = text("media.format", "Format");
  public static final Field MEDIA_TITLE = text("media_title", "Media's title");
  public static final Field MEDIA_ATTRIBUTE = text("media_attr", "Media's attribute");
  private static final Field ATTRIBUTE_NAME = text("media_attribute.field", "Name");
  private static final Field ATTRIBUTE_VALUE = text("media_attribute.value", "Value");
  private static final Field MIME_TYPE = text("mime.type", "Encoding");
  private static final Field SAMPLE_RATE = text("sample_rate", "Sample rate");
  private static final Field FORMAT_PARAMETER = text("fmtp.parameter", "Format's parameter");
  public static final Field UNKNOWN = text("unknown", "Unknown line");
  public static final Field INVALID = text("invalid", "Invalid line");

  private static Field text(String name, String label) {
    return SDP.floating("sdp." + name, 0, TEXT, label);
  }

  @Override
  public Fields fields() {
    return SDP;
  }

  @Override
  public void dissect(Dissection dissection) {
    boolean isMedia = false;
    while (dissection.left() > 0) {
      int bytes = TextLine.bytes(dissection);
      int end = TextLine.contentBytes(dissection, bytes);
      boolean isLine = end >= 2 && dissection.u8(1) == '=';
      if (isLine) {
        isMedia = isMedia || dissection.u8(0) == 'm';
        line(dissection, end, isMedia);
      } else if (end > 0) {
        dissection.bytes(INVALID, 0, end);
        dissection.malformed();
      }
      dissection.skip(bytes);
    }
  }

  private static void line(Dissection dissection, int end, boolean isMedia) {
    switch (dissection.u8(0)) {
      case 'v' -> whole(dissection, VERSION, end);
      case 'o' -> parts(dissection, OWNER, OWNER_PARTS, ' ', end);
      case 's' -> whole(dissection, NAME, end);
      case 'i' -> whole(dissection, isMedia ? MEDIA_TITLE : INFORMATION, end);
      case 'u' -> whole(dissection, URI, end);
      case 'e' -> whole(dissection, EMAIL, end);
      case 'p' -> whole(dissection, PHONE, end);
      case 'c' -> connection(dissection, end);
      case 'b' -> parts(dissection, BANDWIDTH, BANDWIDTH_PARTS, ':', end);
      case 't' -> parts(dissection, TIME, TIME_PARTS, ' ', end);
      case 'r' -> repeated(dissection, REPEAT, REPEAT_PARTS, 2, end);
      case 'z' -> repeated(dissection, ZONE, ZONE_PARTS, 0, end);
      case 'k' -> parts(dissection, KEY, KEY_PARTS, ':', end);
      case 'a' -> attribute(dissection, end, isMedia);
      case 'm' -> media(dissection, end);
      default -> whole(dissection, UNKNOWN, end);
    }
  }

  private static void whole(Dissection dissection, Field field, int end) {
    dissection.bytes(field, 2, end - 2);
  }

  /** The parts between a letter each time it is there; the last has all that is left. */
  private static void parts(
      Dissection dissection, Field whole, Field[] fields, int separator, int end) {
    whole(dissection, whole, end);
    int at = 2;
    for (int i = 0; i < fields.length && at < end; i++) {
      int stop = i == fields.length - 1 ? end : TextLine.find(dissection, separator, at, end);
      dissection.bytes(fields[i], at, stop - at);
      at = stop + 1;
    }
  }

  /** Parts between spaces, of which those from a place on are repeated. */
  private static void repeated(
      Dissection dissection, Field whole, Field[] fields, int again, int end) {
    whole(dissection, whole, end);
    int at = 2;
    for (int i = 0; at < end; i = i + 1 == fields.length ? again : i + 1) {
      int stop = TextLine.find(dissection, ' ', at, end);
      dissection.bytes(fields[i], at, stop - at);
      at = stop + 1;
    }
  }

  private static void connection(Dissection dissection, int end) {
    whole(dissection, CONNECTION, end);
    int at = 2;
    for (Field field : CONNECTION_PARTS) {
      int stop = TextLine.find(dissection, ' ', at, end);
      dissection.bytes(field, at, stop - at);
      at = Math.min(stop + 1, end);
    }
    int ttl = TextLine.find(dissection, '/', at, end);
    dissection.bytes(ADDRESS, at, ttl - at);
    if (ttl < end) {
      int count = TextLine.find(dissection, '/', ttl + 1, end);
      dissection.bytes(ADDRESS_TTL, ttl + 1, count - ttl - 1);
      if (count < end) {
        dissection.bytes(ADDRESS_COUNT, count + 1, end - count - 1);
      }
    }
  }

  private static void media(Dissection dissection, int end) {
    whole(dissection, MEDIA, end);
    int typeEnd = TextLine.find(dissection, ' ', 2, end);
    dissection.bytes(MEDIA_TYPE, 2, typeEnd - 2);
    int port = Math.min(typeEnd + 1, end);
    int portEnd = TextLine.find(dissection, ' ', port, end);
    int slash = TextLine.find(dissection, '/', port, portEnd);
    long number = TextLine.number(dissection, port, slash);
    if (number >= 0 && number <= 0xFFFF) {
      dissection.bytes(MEDIA_PORT_TEXT, port, slash - port);
      dissection.value(MEDIA_PORT, number, port, slash - port);
    }
    if (slash < portEnd) {
      dissection.bytes(MEDIA_PORTS, slash + 1, portEnd - slash - 1);
    }
    int protocol = Math.min(portEnd + 1, end);
    int protocolEnd = TextLine.find(dissection, ' ', protocol, end);
    dissection.bytes(MEDIA_PROTOCOL, protocol, protocolEnd - protocol);
    boolean isRtp =
        protocolEnd - protocol > 4 && TextBytes.matches(dissection, protocol, 4, "RTP/");
    formats(dissection, protocolEnd, end, isRtp);
  }

  /** Those of RTP are numbers, and told by what these are called. */
  private static void formats(Dissection dissection, int from, int end, boolean isRtp) {
    int at = from + 1;
    while (at < end) {
      int stop = TextLine.find(dissection, ' ', at, end);
      long number = isRtp ? TextLine.number(dissection, at, stop) : -1;
      if (number >= 0 && number < RtpPayloads.COUNT) {
        dissection.text(MEDIA_FORMAT, RtpPayloads.name(dissection, (int) number), at, stop - at);
      } else {
        dissection.bytes(MEDIA_FORMAT, at, stop - at);
      }
      at = stop + 1;
    }
  }

  private static void attribute(Dissection dissection, int end, boolean isMedia) {
    if (!isMedia) {
      whole(dissection, SESSION_ATTRIBUTE, end);
      int colon = TextLine.find(dissection, ':', 2, end);
      if (colon < end) {
        dissection.bytes(SESSION_ATTRIBUTE_PARTS[0], 2, colon - 2);
        dissection.bytes(SESSION_ATTRIBUTE_PARTS[1], colon + 1, end - colon - 1);
      }
      return;
    }
    whole(dissection, MEDIA_ATTRIBUTE, end);
    int colon = TextLine.find(dissection, ':', 2, end);
    if (colon == end) {
      return;
    }
    dissection.bytes(ATTRIBUTE_NAME, 2, colon - 2);
    if (TextBytes.matches(dissection, 2, colon - 2, "rtpmap")) {
      encoding(dissection, colon + 1, end);
    } else if (TextBytes.matches(dissection, 2, colon - 2, "fmtp")) {
      int space = TextLine.find(dissection, ' ', colon + 1, end);
      dissection.bytes(MEDIA_FORMAT, colon + 1, space - colon - 1);
      TextLine.parts(dissection, FORMAT_PARAMETER, ';', space + 1, end);
    } else {
      dissection.bytes(ATTRIBUTE_VALUE, colon + 1, end - colon - 1);
    }
  }

  private static void encoding(Dissection dissection, int from, int end) {
    int space = TextLine.find(dissection, ' ', from, end);
    dissection.bytes(MEDIA_FORMAT, from, space - from);
    int type = Math.min(space + 1, end);
    int slash = TextLine.find(dissection, '/', type, end);
    dissection.bytes(MIME_TYPE, type, slash - type);
    if (slash < end) {
      int rate = slash + 1;
      dissection.bytes(SAMPLE_RATE, rate, TextLine.find(dissection, '/', rate, end) - rate);
    }
  }
}
