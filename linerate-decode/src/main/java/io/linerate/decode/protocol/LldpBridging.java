package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Parts;
import io.linerate.decode.ValueNames;

/** What IEEE 802.1 adds to LLDP: virtual LANs, aggregation, and data centre bridging. */
final class LldpBridging {
  private final LldpPriorities priorities;
  private final Field subtype;
  private final Field portVlan;
  private final Parts protocolVlanFlags;
  private final Field protocolVlan;
  private final Field vlan;
  private final Field vlanNameLength;
  private final Field vlanName;
  private final Field protocolLength;
  private final Field protocol;
  private final Field usageDigest;
  private final Field managementVlan;
  private final Parts aggregation;
  private final Field aggregated;
  private final Parts congestion;
  private final Parts ready;
  private final Parts selection;
  private final Field reserved;
  private final Field[] algorithms = new Field[LldpPriorities.COUNT];
  private final Parts flowControl;
  private final Field applicationReserved;
  private final Parts application;
  private final Field applicationProtocol;
  private final Field rest;

  LldpBridging(Fields owner, LldpPriorities priorities) {
    this.priorities = priorities;
    owner.source("IEEE 802.1Q, annex D.2");
    subtype =
        owner.floating(
            "lldp.ieee.802_1.subtype",
            8,
            HEX,
            "Subtype",
            ValueNames.from0(
                "",
                "Port VLAN",
                "Port and protocol VLAN",
                "VLAN name",
                "Protocol identity",
                "VID usage digest",
                "Management VID",
                "Link aggregation",
                "Congestion notification",
                "ETS configuration",
                "ETS recommendation",
                "Priority flow control",
                "Application priority"));
    portVlan = owner.floating("lldp.ieee.802_1.port_vlan.id", 16, DECIMAL, "VLAN of the port");
    String flags = "lldp.ieee.802_1.port_and_vlan_id_flag";
    protocolVlanFlags =
        owner
            .parts(flags, 8, HEX, "Flags")
            .skip(5)
            .flag(flags + ".enabled", "Enabled")
            .flag(flags + ".supported", "Supported")
            .skip(1);
    protocolVlan =
        owner.floating("lldp.ieee.802_1.port_proto_vlan.id", 16, DECIMAL, "VLAN of the protocol");
    vlan = owner.floating("lldp.ieee.802_1.vlan.id", 16, DECIMAL, "VLAN");
    vlanNameLength =
        owner.floating("lldp.ieee.802_1.vlan.name_len", 8, DECIMAL, "Length of the name");
    vlanName = owner.floating("lldp.ieee.802_1.vlan.name", 0, TEXT, "Name of the VLAN");
    protocolLength =
        owner.floating("lldp.ieee.802_1.proto.id_length", 8, DECIMAL, "Length of the protocol");
    protocol = owner.floating("lldp.ieee.802_1.proto.id", 0, BYTES, "Protocol");
    usageDigest = owner.floating("lldp.ieee.802_1.usage_digest", 32, HEX, "Digest of the VLANs");
    managementVlan =
        owner.floating("lldp.ieee.802_1.management_vid", 16, DECIMAL, "VLAN of the management");
    aggregation = aggregation(owner, "lldp.ieee.802_1.aggregation_status");
    aggregated =
        owner.floating("lldp.ieee.802_1.aggregated_port_id", 32, DECIMAL, "Aggregated port");
    congestion =
        LldpPriorities.flags(
            owner, "lldp.ieee.802_1qau.cnpv.prio", "Congestion notification of priority ");
    ready =
        LldpPriorities.flags(owner, "lldp.ieee.802_1qau.ready.prio", "Ready for it of priority ");
    selection =
        owner
            .parts(8)
            .flag("lldp.dcbx.ieee.willing", "Willing")
            .flag("lldp.dcbx.ieee.ets.cbs", "Credit-based shaper")
            .skip(3)
            .part("lldp.dcbx.ieee.ets.maxtcs", 3, DECIMAL, "Most traffic classes");
    reserved = owner.floating("lldp.dcbx.feature.pg.reserved", 8, HEX, "Reserved");
    for (int i = 0; i < algorithms.length; i++) {
      algorithms[i] =
          owner.floating("lldp.dcbx.ieee.ets.tsa" + i, 8, DECIMAL, "Algorithm of class " + i);
    }
    flowControl =
        owner
            .parts(8)
            .part("lldp.dcbx.ieee.willing", 1, FLAG, "Willing")
            .flag("lldp.dcbx.ieee.pfc.mbc", "MACsec bypass")
            .skip(2)
            .part("lldp.dcbx.ieee.pfc.numtcs", 4, DECIMAL, "Classes with flow control");
    applicationReserved = owner.floating("lldp.dcbx.ieee.app.reserved", 8, HEX, "Reserved");
    application =
        owner
            .parts(8)
            .part("lldp.dcbx.ieee.app.prio", 3, DECIMAL, "Priority of the application")
            .skip(2)
            .part("lldp.dcbx.iee.app.sf", 3, DECIMAL, "Kind of the protocol");
    applicationProtocol =
        owner.floating("lldp.dcbx.feature.app.proto", 16, HEX, "Protocol of the application");
    rest = owner.floating("lldp.subtype.content_remaining", 0, BYTES, "Content");
  }

  private static Parts aggregation(Fields owner, String name) {
    return owner
        .parts(name, 8, HEX, "Aggregation")
        .skip(4)
        .part(name + ".porttype", 2, DECIMAL, "Kind of the port")
        .flag(name + ".enabled", "Aggregated")
        .flag(name + ".cap", "Can be aggregated");
  }

  void dissect(Dissection dissection) {
    switch ((int) dissection.add(subtype)) {
      case 1 -> dissection.add(portVlan);
      case 2 -> {
        dissection.add(protocolVlanFlags);
        dissection.add(protocolVlan);
      }
      case 3 -> {
        dissection.add(vlan);
        text(dissection, vlanNameLength, vlanName);
      }
      case 4 -> text(dissection, protocolLength, protocol);
      case 5 -> dissection.add(usageDigest);
      case 6 -> dissection.add(managementVlan);
      case 7 -> {
        dissection.add(aggregation);
        dissection.add(aggregated);
      }
      case 8 -> {
        dissection.add(congestion);
        dissection.add(ready);
      }
      case 9 -> {
        dissection.add(selection);
        classes(dissection);
      }
      case 10 -> {
        reserved(dissection);
        classes(dissection);
      }
      case 11 -> {
        dissection.add(flowControl);
        priorities.flowControl(dissection);
      }
      case 12 -> applications(dissection);
      default -> dissection.skip(dissection.left());
    }
    dissection.addLeft(rest);
  }

  private static void text(Dissection dissection, Field length, Field text) {
    int bytes = (int) dissection.add(length);
    if (bytes > 0) {
      dissection.add(text, bytes);
    }
  }

  /** Its lowest bit is none of it. */
  private void reserved(Dissection dissection) {
    if (dissection.left() > 0) {
      dissection.value(reserved, dissection.u8(0) >>> 1, 0, 1);
    }
    dissection.skip(1);
  }

  private void classes(Dissection dissection) {
    priorities.groups(dissection);
    for (Field algorithm : algorithms) {
      dissection.add(algorithm);
    }
  }

  private void applications(Dissection dissection) {
    dissection.add(applicationReserved);
    while (dissection.left() > 0) {
      dissection.add(application);
      dissection.add(applicationProtocol);
    }
  }
}
