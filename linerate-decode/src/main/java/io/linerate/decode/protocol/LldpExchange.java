package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Parts;

/** Capabilities of data centre bridging as they were exchanged before IEEE 802.1Qaz: DCBX 1.01. */
final class LldpExchange {
  private static final String PREFIX = "lldp.dcbx.";
  private static final int LENGTH_MASK = 0x1FF;

  private final LldpPriorities priorities;
  private final Field subtype;
  private final Parts header;
  private final Field version;
  private final Field maxVersion;
  private final Field sequence;
  private final Field acknowledgment;
  private final Parts flags;
  private final Field featureSubtype;
  private final Field groupClasses;
  private final Field flowClasses;
  private final Field protocol;
  private final Field organisation;
  private final Field selector;
  private final Field priority;
  private final Field rest;

  LldpExchange(Fields owner, LldpPriorities priorities) {
    this.priorities = priorities;
    owner.source("DCBX Base Protocol Specification, version 1.01");
    subtype = owner.floating(PREFIX + "proto", 8, HEX, "Protocol of the exchange");
    header =
        owner
            .parts(16)
            .part(PREFIX + "type", 7, DECIMAL, "Type of the feature")
            .part(PREFIX + "len", 9, DECIMAL, "Length of the feature");
    version = owner.floating(PREFIX + "version", 8, HEX, "Version");
    maxVersion = owner.floating(PREFIX + "max_version", 8, HEX, "Highest version");
    sequence = owner.floating(PREFIX + "control.seq", 32, DECIMAL, "Sequence number");
    acknowledgment = owner.floating(PREFIX + "control.ack", 32, DECIMAL, "Acknowledgment");
    flags =
        owner
            .parts(8)
            .flag(PREFIX + "feature.enabled", "Enabled")
            .flag(PREFIX + "feature.willing", "Willing")
            .flag(PREFIX + "feature.error", "Error")
            .skip(5);
    featureSubtype = owner.floating(PREFIX + "feature.subtype", 8, HEX, "Subtype of the feature");
    groupClasses = owner.floating(PREFIX + "feature.pg.numtcs", 8, HEX, "Traffic classes");
    flowClasses = owner.floating(PREFIX + "feature.pfc.numtcs", 8, HEX, "Traffic classes");
    protocol = owner.floating(PREFIX + "feature.app.proto", 16, HEX, "Protocol");
    organisation = owner.floating(PREFIX + "feature.app.oui", 24, HEX, "Organisation");
    selector = owner.floating(PREFIX + "feature.app.sf", 24, DECIMAL, "Kind of the protocol");
    priority = owner.floating(PREFIX + "feature.app.prio", 8, DECIMAL, "Priority");
    rest = owner.floating(PREFIX + "content", 0, BYTES, "Content");
  }

  void dissect(Dissection dissection) {
    dissection.add(subtype);
    while (dissection.left() >= 2) {
      int number = (int) dissection.add(header);
      int before = dissection.enter(number & LENGTH_MASK);
      dissection.add(version);
      dissection.add(maxVersion);
      feature(dissection, number >>> 9);
      dissection.leave(before);
    }
  }

  private void feature(Dissection dissection, int type) {
    if (type == 1) {
      dissection.add(sequence);
      dissection.add(acknowledgment);
      return;
    }
    dissection.add(flags);
    dissection.add(featureSubtype);
    switch (type) {
      case 2 -> {
        priorities.groups(dissection);
        dissection.add(groupClasses);
      }
      case 3 -> {
        priorities.flowControl(dissection);
        dissection.add(flowClasses);
      }
      case 4 -> {
        while (dissection.left() >= 6) {
          application(dissection);
        }
      }
      default -> dissection.addLeft(rest);
    }
  }

  private void application(Dissection dissection) {
    dissection.add(protocol);
    int number = (dissection.u8(0) << 16) | dissection.u16(1);
    dissection.value(organisation, number & ~0x3_0000, 0, 3);
    dissection.value(selector, (number >>> 16) & 3, 0, 3);
    int bits = dissection.u8(3);
    dissection.value(priority, Integer.numberOfTrailingZeros(bits | 0x100), 3, 1);
    dissection.skip(4);
  }
}
