package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Parts;
import io.linerate.decode.ValueNames;

/** What IEEE 802.3 adds to LLDP: negotiation, power, aggregation, frame sizes. */
final class LldpEthernet {
  private static final String PREFIX = "lldp.ieee.802_3.";

  private final Field subtype;
  private final Parts negotiation;
  private final Parts advertised;
  private final Field mau;
  private final Parts power;
  private final Field pair;
  private final Field powerClass;
  private final Parts powerType;
  private final Field requested;
  private final Field allocated;
  private final Parts aggregation;
  private final Field aggregated;
  private final Field frameSize;
  private final Field[] wakeTimes;
  private final Parts preemption;
  private final Field rest;

  LldpEthernet(Fields owner) {
    owner.source("IEEE 802.3, clause 79.3");
    subtype =
        owner.floating(
            PREFIX + "subtype",
            8,
            HEX,
            "Subtype",
            ValueNames.from0(
                "",
                "MAC and PHY",
                "Power via MDI",
                "Link aggregation",
                "Maximum frame size",
                "Energy-efficient Ethernet",
                "",
                "Additional capabilities"));
    String status = PREFIX + "mac_phy_auto_neg_status";
    negotiation =
        owner
            .parts(status, 8, HEX, "Auto-negotiation")
            .skip(6)
            .flag(status + ".enabled", "Enabled")
            .flag(status + ".supported", "Supported");
    advertised = advertised(owner);
    mau = owner.floating(PREFIX + "pmd_mau_type", 16, HEX, "Operational MAU type");
    String support = PREFIX + "mdi_power_support";
    power =
        owner
            .parts(support, 8, HEX, "Power support")
            .skip(4)
            .flag(support + ".pse_pairs", "Pairs can be controlled")
            .flag(support + ".enabled", "Enabled")
            .flag(support + ".supported", "Supported")
            .flag(support + ".port_class", "Source of power");
    pair = owner.floating(PREFIX + "mdi_pse_pair", 8, DECIMAL, "Power pair");
    powerClass = owner.floating(PREFIX + "mdi_power_class", 8, DECIMAL, "Power class");
    powerType =
        owner
            .parts(8)
            .part(PREFIX + "mdi_power_type", 2, DECIMAL, "Power type")
            .part(PREFIX + "mdi_power_source", 2, DECIMAL, "Power source")
            .part(PREFIX + "mdi_power_priority", 4, DECIMAL, "Power priority");
    requested = owner.floating(PREFIX + "mdi_pde_requested", 16, DECIMAL, "Requested in 0.1 W");
    allocated = owner.floating(PREFIX + "mdi_pse_allocated", 16, DECIMAL, "Allocated in 0.1 W");
    String aggregate = PREFIX + "aggregation_status";
    aggregation =
        owner
            .parts(aggregate, 8, HEX, "Aggregation")
            .skip(6)
            .flag(aggregate + ".enabled", "Aggregated")
            .flag(aggregate + ".cap", "Can be aggregated");
    aggregated = owner.floating(PREFIX + "aggregated_port_id", 32, DECIMAL, "Aggregated port");
    frameSize = owner.floating(PREFIX + "max_frame_size", 16, DECIMAL, "Maximum frame size");
    wakeTimes =
        new Field[] {
          wakeTime(owner, "transmit"),
          wakeTime(owner, "receive"),
          wakeTime(owner, "fallback_receive"),
          wakeTime(owner, "echo_transmit"),
          wakeTime(owner, "echo_receive"),
        };
    String additional = "lldp.ieee.802_3br.aec.";
    preemption =
        owner
            .parts("lldp.ieee.802_3br.eac", 16, HEX, "Additional capabilities")
            .part(additional + "reserved", 11, HEX, "Reserved")
            .part(additional + "addfragsize", 2, DECIMAL, "Additional fragment size")
            .flag(additional + "active", "Preemption active")
            .flag(additional + "enable", "Preemption enabled")
            .flag(additional + "support", "Preemption supported");
    rest = owner.floating("lldp.ieee.802_3.content", 0, BYTES, "Content");
  }

  private static Field wakeTime(Fields owner, String name) {
    return owner.floating(PREFIX + "eee." + name, 16, DECIMAL, name.replace('_', ' ') + " in us");
  }

  /** The bits of ifMauAutoNegCapAdvertisedBits of RFC 4836. */
  private static Parts advertised(Fields owner) {
    String name = PREFIX + "pmd_auto_neg_advertised_caps";
    Parts parts = owner.parts(name, 16, HEX, "Advertised");
    for (String bit :
        new String[] {
          "other", "10base_t", "10base_tfd", "100base_t4", "100base_tx", "100base_txfd",
          "100base_t2", "100base_t2fd", "fdx_pause", "fdx_apause", "fdx_spause", "fdx_bpause",
          "1000base_x", "1000base_xfd", "1000base_t", "1000base_tfd"
        }) {
      parts.flag(name + "." + bit, bit.replace('_', '-'));
    }
    return parts;
  }

  void dissect(Dissection dissection) {
    switch ((int) dissection.add(subtype)) {
      case 1 -> {
        dissection.add(negotiation);
        dissection.add(advertised);
        dissection.add(mau);
      }
      case 2 -> power(dissection);
      case 3 -> {
        dissection.add(aggregation);
        dissection.add(aggregated);
      }
      case 4 -> dissection.add(frameSize);
      case 5 -> {
        for (Field wakeTime : wakeTimes) {
          dissection.add(wakeTime);
        }
      }
      case 7 -> dissection.add(preemption);
      default -> dissection.addLeft(rest);
    }
    dissection.addLeft(rest);
  }

  private void power(Dissection dissection) {
    dissection.add(power);
    dissection.add(pair);
    dissection.add(powerClass);
    if (dissection.left() > 0) {
      dissection.add(powerType);
      dissection.add(requested);
      dissection.add(allocated);
    }
  }
}
