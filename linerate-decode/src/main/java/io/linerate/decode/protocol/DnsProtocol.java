package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.NONE;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Layer;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.decode.ValueNames;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message of the domain name system, of multicast DNS or of LLMNR. */
public final class DnsProtocol implements Protocol {
  public static final Fields DNS =
      Fields.of("dns", "Domain Name System", "RFC 1035, section 4.1.1");
  public static final Field ID = DNS.field("dns.id", 16, HEX, "Identifier");
  public static final Field FLAGS = DNS.field("dns.flags", 16, HEX, "Flags");
  public static final Field RESPONSE = DNS.part("dns.flags.response", 16, 1, 16, FLAG, "Response");
  public static final Field OPCODE =
      DNS.part(
          "dns.flags.opcode",
          17,
          4,
          16,
          DECIMAL,
          "Operation",
          ValueNames.from0("query", "inverse query", "status", "", "notify", "update", "stateful"));
  public static final Field AUTHORITATIVE = flag("authoritative", "Authoritative answer");
  public static final Field TRUNCATED =
      DNS.part("dns.flags.truncated", 22, 1, 16, FLAG, "Truncated");
  public static final Field RECURSION_DESIRED = flag("recdesired", "Recursion desired");
  public static final Field RECURSION_AVAILABLE = flag("recavail", "Recursion available");
  public static final Field RESERVED = flag("z", "Reserved");
  public static final Field AUTHENTICATED = flag("authenticated", "Authentic data");
  public static final Field CHECKING_DISABLED = flag("checkdisable", "Checking disabled");
  public static final Field RESPONSE_CODE =
      DNS.floating("dns.flags.rcode", 4, DECIMAL, "Response code", DnsTypes.RESPONSE_CODES);
  public static final Field CONFLICT =
      DNS.source("RFC 4795, section 2.1.1").floating("dns.flags.conflict", 1, FLAG, "Conflict");
  public static final Field TENTATIVE = DNS.floating("dns.flags.tentative", 1, FLAG, "Tentative");
  public static final Field QUESTIONS =
      DNS.source("RFC 1035, section 4.1.1").floating("dns.count.queries", 16, DECIMAL, "Questions");
  public static final Field ANSWERS = count("answers", "Answers");
  public static final Field AUTHORITIES = count("auth_rr", "Authority records");
  public static final Field ZONES =
      DNS.source("RFC 2136, section 2.2").floating("dns.count.zones", 16, DECIMAL, "Zones");
  public static final Field PREREQUISITES = count("prerequisites", "Prerequisites");
  public static final Field UPDATES = count("updates", "Updates");
  public static final Field ADDITIONALS =
      DNS.source("RFC 1035, section 4.1.1")
          .at(10)
          .field("dns.count.add_rr", 16, DECIMAL, "Additional records");
  public static final Field QUESTION =
      DNS.source("RFC 1035, section 4.1.2").floating("dns.qry", 0, NONE, "Question");
  public static final Field QUESTION_NAME = DNS.floating("dns.qry.name", 0, TEXT, "Name");
  public static final Field NAME_LENGTH =
      DNS.floating("dns.qry.name.len", 16, DECIMAL, "Length of the name");
  public static final Field LABELS = count("labels", "Labels of the name");
  public static final Field QUESTION_TYPE =
      DNS.floating("dns.qry.type", 16, DECIMAL, "Type", DnsTypes.NAMES);
  public static final Field QUESTION_CLASS =
      DNS.floating("dns.qry.class", 16, HEX, "Class", DnsTypes.CLASSES);
  public static final Field UNICAST =
      DNS.source("RFC 6762, section 5.4").floating("dns.qry.qu", 1, FLAG, "Unicast response");
  public static final Field RECORD =
      DNS.source("RFC 1035, section 4.1.3").floating("dns.resp", 0, NONE, "Record");
  public static final Field RECORD_NAME = DNS.floating("dns.resp.name", 0, TEXT, "Name");
  public static final Field RECORD_TYPE =
      DNS.floating("dns.resp.type", 16, DECIMAL, "Type", DnsTypes.NAMES);
  public static final Field RECORD_CLASS =
      DNS.floating("dns.resp.class", 16, HEX, "Class", DnsTypes.CLASSES);
  public static final Field CACHE_FLUSH =
      DNS.source("RFC 6762, section 10.2").floating("dns.resp.cache_flush", 1, FLAG, "Cache flush");
  public static final Field TTL =
      DNS.source("RFC 1035, section 4.1.3")
          .floating("dns.resp.ttl", 32, DECIMAL, "Time to live in s");
  public static final Field DATA_LENGTH =
      DNS.floating("dns.resp.len", 16, DECIMAL, "Length of the data");
  public static final Field DATA = DNS.floating("dns.data", 0, BYTES, "Data");
  public static final Field EXTRANEOUS =
      DNS.floating("dns.extraneous.data", 0, BYTES, "Behind the last record");
  public static final Field EXTRANEOUS_LENGTH =
      DNS.floating("dns.extraneous.length", 32, DECIMAL, "Bytes behind the last record");

  private static final int UPDATE = 5;
  private static final int STATEFUL = 6;
  private static final int CLASS_MASK = 0x7FFF;

  /** Which protocol's message it is: they read some bits otherwise. */
  private enum Variant {
    UNICAST,
    MULTICAST,
    LINK_LOCAL
  }

  static {
    DnsRecords.declare();
    DNS.summary(
        "dns.flags.opcode",
        "response|dns.flags.response",
        "dns.flags.rcode",
        "dns.qry.type",
        "dns.qry.name",
        "answers=|dns.count.answers",
        "cname=|dns.cname",
        "a=|dns.a",
        "aaaa=|dns.aaaa");
  }

  private static Field flag(String name, String label) {
    return DNS.floating("dns.flags." + name, 1, FLAG, label);
  }

  private static Field count(String name, String label) {
    return DNS.floating("dns.count." + name, 16, DECIMAL, label);
  }

  @Override
  public Fields fields() {
    return DNS;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.UDP_PORT.key(53));
  }

  @Override
  public void scan(Scan scan) {
    Layer outer = scan.outer();
    if (outer != null && outer.protocol() instanceof DnsTcpProtocol stream) {
      scan.message((int) outer.value(DnsTcpProtocol.LENGTH));
      scan.next(stream);
    }
  }

  @Override
  public void dissect(Dissection dissection) {
    Variant variant = variant(dissection.outer());
    dissection.fixed(ID);
    dissection.fixed(FLAGS);
    if (dissection.offset() < 4) {
      return;
    }
    dissection.fixed(RESPONSE);
    dissection.fixed(OPCODE);
    int flags = flags(dissection, variant);
    int opcode = (flags >>> 11) & 0xF;
    boolean isUpdate = opcode == UPDATE;
    long questions = dissection.add(isUpdate ? ZONES : QUESTIONS);
    long records = dissection.add(isUpdate ? PREREQUISITES : ANSWERS);
    records += dissection.add(isUpdate ? UPDATES : AUTHORITIES);
    records += dissection.add(ADDITIONALS);
    if (opcode == STATEFUL && questions + records == 0) {
      DnsStatefulOperations.dissect(dissection);
      return;
    }
    for (; questions > 0 && dissection.left() > 0; questions--) {
      question(dissection, variant);
    }
    for (; records > 0 && dissection.left() > 0; records--) {
      record(dissection, variant);
    }
    end(dissection, questions + records);
  }

  private static Variant variant(@Nullable Layer outer) {
    if (outer == null) {
      return Variant.UNICAST;
    }
    return outer.protocol() instanceof MdnsProtocol
        ? Variant.MULTICAST
        : outer.protocol() instanceof LlmnrProtocol ? Variant.LINK_LOCAL : Variant.UNICAST;
  }

  /** Those that the kind of message has; the cursor is behind them, and stays. */
  private static int flags(Dissection dissection, Variant variant) {
    int flags = (int) dissection.layer().value(FLAGS);
    boolean isResponse = (flags & 0x8000) != 0;
    if (variant == Variant.LINK_LOCAL) {
      flag(dissection, CONFLICT, flags, 10);
      dissection.fixed(TRUNCATED);
      flag(dissection, TENTATIVE, flags, 8);
    } else {
      if (isResponse) {
        flag(dissection, AUTHORITATIVE, flags, 10);
      }
      dissection.fixed(TRUNCATED);
      flag(dissection, RECURSION_DESIRED, flags, 8);
      if (isResponse) {
        flag(dissection, RECURSION_AVAILABLE, flags, 7);
      }
      flag(dissection, RESERVED, flags, 6);
      if (isResponse || (flags & 0x20) != 0) {
        flag(dissection, AUTHENTICATED, flags, 5);
      }
      flag(dissection, CHECKING_DISABLED, flags, 4);
    }
    if (isResponse) {
      dissection.value(RESPONSE_CODE, flags & 0xF, -2, 2);
    }
    return flags;
  }

  private static void flag(Dissection dissection, Field field, int flags, int bit) {
    dissection.value(field, (flags >>> bit) & 1, -2, 2);
  }

  private static void question(Dissection dissection, Variant variant) {
    StringBuilder text = dissection.text();
    long read = DnsName.read(dissection, text);
    int bytes = (int) (read >>> Integer.SIZE);
    if (bytes == 0 || !dissection.has(bytes)) {
      DnsName.missing(dissection);
      return;
    }
    dissection.open(QUESTION, bytes + 4);
    dissection.text(QUESTION_NAME, text, 0, bytes);
    dissection.value(NAME_LENGTH, read & 0xFFFF_FFFFL, 0, bytes);
    dissection.value(LABELS, labels(text), 0, bytes);
    dissection.skip(bytes);
    dissection.add(QUESTION_TYPE);
    rclass(dissection, variant, QUESTION_CLASS, UNICAST);
    dissection.close();
  }

  private static int labels(StringBuilder name) {
    int count = 1;
    for (int i = 0; i < name.length(); i++) {
      count += name.charAt(i) == '.' ? 1 : 0;
    }
    return count;
  }

  private static void rclass(Dissection dissection, Variant variant, Field field, Field upperBit) {
    if (variant == Variant.MULTICAST && dissection.has(2)) {
      int value = dissection.u16(0);
      dissection.value(field, value & CLASS_MASK, 0, 2);
      dissection.value(upperBit, value >>> 15, 0, 2);
      dissection.skip(2);
    } else {
      dissection.add(field);
    }
  }

  private static void record(Dissection dissection, Variant variant) {
    int bytes = DnsName.bytes(dissection);
    int type = bytes == 0 ? 0 : dissection.u16(bytes);
    int dataBytes = bytes == 0 ? 0 : dissection.u16(bytes + 8);
    // A record is not looked at before all of what is in front of its data is there.
    if (bytes == 0 || dissection.left() == 0) {
      DnsName.missing(dissection);
      return;
    }
    dissection.open(RECORD, bytes + 10 + dataBytes);
    DnsRecords.owner(dissection, type);
    dissection.add(RECORD_TYPE);
    if (type == DnsRecords.OPT) {
      DnsOptions.header(dissection);
    } else {
      rclass(dissection, variant, RECORD_CLASS, CACHE_FLUSH);
      dissection.add(TTL);
    }
    dissection.add(DATA_LENGTH);
    int before = dissection.enter(dataBytes);
    DnsRecords.data(dissection, type);
    dissection.leave(before);
    dissection.close();
  }

  private static void end(Dissection dissection, long missing) {
    if (missing > 0) {
      DnsName.missing(dissection);
    } else if (dissection.left() > 0) {
      int left = dissection.left();
      dissection.add(EXTRANEOUS, left);
      dissection.value(EXTRANEOUS_LENGTH, left, -left, left);
    }
  }
}
