package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Parts;

/** What is said of each of the eight priorities of bridges, in elements of two organisations. */
final class LldpPriorities {
  static final int COUNT = 8;

  private final Parts groupsLow;
  private final Parts groupsHigh;
  private final Field[] percent = new Field[COUNT];
  private final Parts flowControl;

  LldpPriorities(Fields owner) {
    owner.source("IEEE 802.1Q, annex D.2.8");
    groupsLow = groups(owner, 0);
    groupsHigh = groups(owner, COUNT / 2);
    for (int i = 0; i < COUNT; i++) {
      percent[i] =
          owner.floating(
              "lldp.dcbx.feature.pg.per" + i, 8, DECIMAL, "Bandwidth of group " + i + " in %");
    }
    owner.source("IEEE 802.1Q, annex D.2.10");
    flowControl = flags(owner, "lldp.dcbx.feature.pfc.prio", "Flow control of priority ");
  }

  private static Parts groups(Fields owner, int first) {
    Parts parts = owner.parts(16);
    for (int i = first; i < first + COUNT / 2; i++) {
      parts.part("lldp.dcbx.feature.pg.pgid_prio" + i, 4, DECIMAL, "Group of priority " + i);
    }
    return parts;
  }

  /** A bit for each priority; the first is the lowest. */
  static Parts flags(Fields owner, String name, String label) {
    Parts parts = owner.parts(COUNT);
    for (int i = COUNT - 1; i >= 0; i--) {
      parts.flag(name + i, label + i);
    }
    return parts;
  }

  void groups(Dissection dissection) {
    dissection.add(groupsLow);
    dissection.add(groupsHigh);
    for (Field field : percent) {
      dissection.add(field);
    }
  }

  void flowControl(Dissection dissection) {
    dissection.add(flowControl);
  }
}
