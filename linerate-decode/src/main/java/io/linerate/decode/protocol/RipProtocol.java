package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.ValueNames;
import java.util.List;

/** RIP, versions 1 and 2. */
public final class RipProtocol implements Protocol {
  public static final Fields RIP =
      Fields.of("rip", "Routing Information Protocol", "RFC 2453, section 4");
  public static final Field COMMAND =
      RIP.field(
          "rip.command",
          8,
          DECIMAL,
          "Command",
          ValueNames.from0("Reserved", "Request", "Response", "Trace on", "Trace off"));
  public static final Field VERSION = RIP.field("rip.version", 8, DECIMAL, "Version");

  private static final Field FAMILY =
      RIP.source("RFC 2453, section 4").floating("rip.family", 16, DECIMAL, "Address family");
  private static final Field TAG = RIP.floating("rip.route_tag", 16, DECIMAL, "Route tag");
  private static final Field ADDRESS = RIP.floating("rip.ip", 32, IPV4, "Address");
  private static final Field MASK = RIP.floating("rip.netmask", 32, IPV4, "Network mask");
  private static final Field NEXT_HOP = RIP.floating("rip.next_hop", 32, IPV4, "Next hop");
  private static final Field METRIC = RIP.floating("rip.metric", 32, DECIMAL, "Metric");
  private static final Field AUTHENTICATION =
      RIP.source("RFC 2453, section 4.1").floating("rip.auth.type", 16, DECIMAL, "Authentication");
  private static final Field PASSWORD = RIP.floating("rip.auth.passwd", 128, TEXT, "Password");
  private static final Field DIGEST_OFFSET =
      RIP.source("RFC 4822, section 2").floating("rip.digest_offset", 16, DECIMAL, "Digest offset");
  private static final Field KEY = RIP.floating("rip.key_id", 8, DECIMAL, "Key");
  private static final Field DIGEST_LENGTH =
      RIP.floating("rip.auth_data_len", 8, DECIMAL, "Digest length");
  private static final Field NUMBER = RIP.floating("rip.seq_num", 32, DECIMAL, "Sequence number");
  private static final Field DIGEST = RIP.floating("rip.authentication_data", 0, BYTES, "Digest");
  private static final Field DATA = RIP.floating("rip.entry", 0, BYTES, "Entry");

  private static final int PORT = 520;
  private static final int VERSION_2 = 2;
  private static final int ENTRY_BYTES = 20;
  private static final int UNSPECIFIED_FAMILY = 0;
  private static final int IP_FAMILY = 2;
  private static final int AUTHENTICATION_FAMILY = 0xFFFF;
  private static final int SIMPLE = 2;
  private static final int DIGESTED = 3;
  private static final int TRAILER = 1;

  static {
    RIP.summary(VERSION, COMMAND);
  }

  @Override
  public Fields fields() {
    return RIP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.UDP_PORT.key(PORT));
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed();
    if (!dissection.layer().has(VERSION)) {
      return;
    }
    boolean isV2 = dissection.layer().value(VERSION) == VERSION_2;
    dissection.skip(2);
    boolean wantsTrailer = isAuthentication(dissection, DIGESTED);
    while (dissection.left() > 0) {
      wantsTrailer &= !isAuthentication(dissection, TRAILER);
      int before = dissection.enter(Math.min(ENTRY_BYTES, dissection.left()));
      entry(dissection, isV2);
      dissection.leave(before);
    }
    if (wantsTrailer) {
      boolean _ = dissection.expectsMore();
    }
  }

  private static boolean isAuthentication(Dissection dissection, int type) {
    return dissection.has(4)
        && dissection.u16(0) == AUTHENTICATION_FAMILY
        && dissection.u16(2) == type;
  }

  private static void entry(Dissection dissection, boolean isV2) {
    switch (dissection.u16(0)) {
      case UNSPECIFIED_FAMILY -> route(dissection, isV2, false);
      case IP_FAMILY -> route(dissection, isV2, true);
      case AUTHENTICATION_FAMILY -> {
        dissection.skip(2);
        authentication(dissection);
      }
      default -> dissection.addLeft(DATA);
    }
  }

  private static void route(Dissection dissection, boolean isV2, boolean hasAddress) {
    dissection.add(FAMILY);
    if (isV2) {
      dissection.add(TAG);
    } else {
      dissection.skip(2);
    }
    if (hasAddress) {
      dissection.add(ADDRESS);
    } else {
      dissection.skip(4);
    }
    if (isV2) {
      dissection.add(MASK);
      dissection.add(NEXT_HOP);
    } else {
      dissection.skip(8);
    }
    dissection.add(METRIC);
  }

  private static void authentication(Dissection dissection) {
    int type = dissection.u16(0);
    if (type == TRAILER) {
      dissection.skip(2);
      dissection.addLeft(DIGEST);
      return;
    }
    dissection.add(AUTHENTICATION);
    switch (type) {
      case SIMPLE -> dissection.add(PASSWORD);
      case DIGESTED -> {
        dissection.add(DIGEST_OFFSET);
        dissection.add(KEY);
        dissection.add(DIGEST_LENGTH);
        dissection.add(NUMBER);
      }
      default -> dissection.addLeft(DATA);
    }
  }
}
