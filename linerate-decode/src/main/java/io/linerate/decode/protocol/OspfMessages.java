package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.protocol.OspfProtocol.OSPF;
import static io.linerate.decode.protocol.OspfProtocol.RESERVED;
import static io.linerate.decode.protocol.OspfProtocol.VERSION_2;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Parts;

/** The messages of OSPF. */
final class OspfMessages {
  private static final int HELLO = 1;
  private static final int DESCRIPTION = 2;
  private static final int REQUEST = 3;
  private static final int UPDATE = 4;
  static final int ACKNOWLEDGMENT = 5;

  private static final Parts OPTIONS_2 =
      OSPF.source("RFC 5250, appendix A.1")
          .parts("ospf.v2.options", 8, HEX, "Options")
          .flag("ospf.v2.options.dn", "Down")
          .flag("ospf.v2.options.o", "Opaque link states")
          .flag("ospf.v2.options.dc", "Demand circuits")
          .flag("ospf.v2.options.l", "Link-local signalling")
          .skip(1)
          .flag("ospf.v2.options.mc", "Multicast")
          .flag("ospf.v2.options.e", "External routing")
          .flag("ospf.v2.options.mt", "Multi-topology");
  private static final Parts OPTION_N = OSPF.parts(8).skip(4).flag("ospf.v2.options.n", "NSSA");
  private static final Parts OPTION_P =
      OSPF.parts(8).skip(4).flag("ospf.v2.options.p", "Propagate");
  static final Parts OPTIONS_3 =
      OSPF.source("RFC 5340, appendix A.2")
          .parts("ospf.v3.options", 24, HEX, "Options")
          .skip(13)
          .flag("ospf.v3.options.at", "Authentication trailer")
          .flag("ospf.v3.options.l", "Link-local signalling")
          .flag("ospf.v3.options.af", "Address families")
          .skip(2)
          .flag("ospf.v3.options.dc", "Demand circuits")
          .flag("ospf.v3.options.r", "Router")
          .flag("ospf.v3.options.n", "NSSA")
          .flag("ospf.v3.options.mc", "Multicast")
          .flag("ospf.v3.options.e", "External routing")
          .flag("ospf.v3.options.v6", "IPv6");
  private static final Field MASK =
      OSPF.source("RFC 2328, appendix A.3.2")
          .floating("ospf.hello.network_mask", 32, IPV4, "Network mask");
  private static final Field INTERFACE =
      OSPF.floating("ospf.hello.interface_id", 32, DECIMAL, "Interface");
  private static final Field HELLO_INTERVAL =
      OSPF.floating("ospf.hello.hello_interval", 32, DECIMAL, "Hello interval in seconds");
  private static final Field PRIORITY =
      OSPF.floating("ospf.hello.router_priority", 8, DECIMAL, "Router priority");
  private static final Field DEAD_INTERVAL =
      OSPF.floating("ospf.hello.router_dead_interval", 32, DECIMAL, "Dead interval in seconds");
  private static final Field DESIGNATED =
      OSPF.floating("ospf.hello.designated_router", 32, IPV4, "Designated router");
  private static final Field BACKUP =
      OSPF.floating("ospf.hello.backup_designated_router", 32, IPV4, "Backup designated router");
  private static final Field NEIGHBOR =
      OSPF.floating("ospf.hello.active_neighbor", 32, IPV4, "Neighbor");
  private static final Field MTU =
      OSPF.source("RFC 2328, appendix A.3.3")
          .floating("ospf.db.interface_mtu", 16, DECIMAL, "Interface MTU");
  private static final Parts DESCRIPTION_FLAGS =
      OSPF.parts("ospf.dbd", 8, HEX, "Description flags")
          .skip(4)
          .flag("ospf.dbd.r", "Out-of-band resynchronization")
          .flag("ospf.dbd.i", "Init")
          .flag("ospf.dbd.m", "More")
          .flag("ospf.dbd.ms", "Master");
  private static final Field SEQUENCE =
      OSPF.floating("ospf.db.dd_sequence", 32, DECIMAL, "Description sequence number");
  private static final Field COUNT =
      OSPF.source("RFC 2328, appendix A.3.5")
          .floating("ospf.ls.number_of_lsas", 32, DECIMAL, "Link states");

  private OspfMessages() {}

  /** Declares the fields: OSPF's are complete only then. */
  static void declare() {
    OspfLinkStates.declare();
    OspfV3LinkStates.declare();
    OspfSignalling.declare();
  }

  /** A message; answers its options, or 0 if it has none. */
  static int dissect(Dissection dissection, int version, int type) {
    boolean isV2 = version == VERSION_2;
    switch (type) {
      case HELLO -> {
        return isV2 ? hello2(dissection) : hello3(dissection);
      }
      case DESCRIPTION -> {
        return isV2 ? description2(dissection) : description3(dissection);
      }
      case REQUEST -> {
        while (dissection.left() > 0) {
          if (isV2) {
            OspfLinkStates.request(dissection);
          } else {
            OspfV3LinkStates.request(dissection);
          }
        }
      }
      case UPDATE -> {
        long count = dissection.add(COUNT);
        linkStates(dissection, isV2, count);
      }
      case ACKNOWLEDGMENT -> headers(dissection, isV2);
      default -> {}
    }
    return 0;
  }

  /**
   * The options of version 2.
   *
   * @param isNssa whether they are of a link state of an NSSA: RFC 3101, appendix D
   */
  static int options2(Dissection dissection, boolean isNssa) {
    int options = (int) dissection.add(OPTIONS_2);
    dissection.values(isNssa ? OPTION_P : OPTION_N, options, -1);
    return options;
  }

  private static void linkStates(Dissection dissection, boolean isV2, long count) {
    for (long i = 0; i < count && dissection.expectsMore(); i++) {
      linkState(dissection, isV2, true);
    }
  }

  private static void headers(Dissection dissection, boolean isV2) {
    while (dissection.left() > 0) {
      linkState(dissection, isV2, false);
    }
  }

  private static void linkState(Dissection dissection, boolean isV2, boolean hasContent) {
    if (isV2) {
      OspfLinkStates.dissect(dissection, hasContent);
    } else {
      OspfV3LinkStates.dissect(dissection, hasContent);
    }
  }

  private static int hello2(Dissection dissection) {
    dissection.add(MASK);
    dissection.add(HELLO_INTERVAL, 2);
    int options = options2(dissection, false);
    dissection.add(PRIORITY);
    dissection.add(DEAD_INTERVAL);
    neighbors(dissection);
    return options;
  }

  private static int hello3(Dissection dissection) {
    dissection.add(INTERFACE);
    dissection.add(PRIORITY);
    int options = (int) dissection.add(OPTIONS_3);
    dissection.add(HELLO_INTERVAL, 2);
    dissection.add(DEAD_INTERVAL, 2);
    neighbors(dissection);
    return options;
  }

  private static void neighbors(Dissection dissection) {
    dissection.add(DESIGNATED);
    dissection.add(BACKUP);
    while (dissection.left() > 0) {
      dissection.add(NEIGHBOR);
    }
  }

  private static int description2(Dissection dissection) {
    dissection.add(MTU);
    int options = options2(dissection, false);
    dissection.add(DESCRIPTION_FLAGS);
    dissection.add(SEQUENCE);
    headers(dissection, true);
    return options;
  }

  private static int description3(Dissection dissection) {
    dissection.add(RESERVED, 1);
    int options = (int) dissection.add(OPTIONS_3);
    dissection.add(MTU);
    dissection.add(RESERVED, 1);
    dissection.add(DESCRIPTION_FLAGS);
    dissection.add(SEQUENCE);
    headers(dissection, false);
    return options;
  }
}
