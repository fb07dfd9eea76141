package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.NONE;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;

/** What an access node says of a subscriber's line, in the tag of a vendor (BBF TR-101, 3.9.2). */
final class PppoeAccessLine {
  static final long BROADBAND_FORUM = 3561;

  private static final int CIRCUIT = 1;
  private static final int REMOTE = 2;
  private static final int FIRST_RATE = 0x81;
  private static final int ENCAPSULATION = 0x90;

  private final Field tags;
  private final Field circuit;
  private final Field remote;
  private final Field[] rates;
  private final Field encapsulation;
  private final Field dataLink;
  private final Field first;
  private final Field second;
  private final Field tag;
  private final Field tagLength;
  private final Field tagData;

  PppoeAccessLine(Fields owner) {
    owner.source("BBF TR-101, section 3.9.2");
    tags = owner.floating("pppoed.tags.vendorspecific.tags", 0, NONE, "Tags of the vendor");
    circuit = owner.floating("pppoed.tags.circuit_id", 0, TEXT, "Circuit");
    remote = owner.floating("pppoed.tags.remote_id", 0, TEXT, "Remote");
    rates =
        new Field[] {
          rate(owner, "act_data_rate_up", "Data rate upstream"),
          rate(owner, "act_data_rate_down", "Data rate downstream"),
          rate(owner, "min_data_rate_up", "Least data rate upstream"),
          rate(owner, "min_data_rate_down", "Least data rate downstream"),
          rate(owner, "attainable_data_rate_up", "Attainable data rate upstream"),
          rate(owner, "attainable_data_rate_down", "Attainable data rate downstream"),
          rate(owner, "max_data_rate_up", "Largest data rate upstream"),
          rate(owner, "max_data_rate_down", "Largest data rate downstream"),
          rate(owner, "min_data_rate_up_lp", "Least data rate upstream at low power"),
          rate(owner, "min_data_rate_down_lp", "Least data rate downstream at low power"),
          rate(owner, "max_int_delay_up", "Largest interleaving delay upstream"),
          rate(owner, "act_int_delay_up", "Interleaving delay upstream"),
          rate(owner, "max_int_delay_down", "Largest interleaving delay downstream"),
          rate(owner, "act_int_delay_down", "Interleaving delay downstream"),
        };
    encapsulation =
        owner.floating("pppoed.tags.access_loop_encap", 0, NONE, "Encapsulation on the line");
    dataLink = owner.floating("pppoed.tags.access_loop_encap.data_link", 8, HEX, "Data link");
    first = owner.floating("pppoed.tags.access_loop_encap.encap_1", 8, HEX, "Encapsulation 1");
    second = owner.floating("pppoed.tags.access_loop_encap.encap_2", 8, HEX, "Encapsulation 2");
    tag = owner.floating("pppoed.tags.vendorspecific.tag", 8, HEX, "Tag of the vendor");
    tagLength = owner.floating("pppoed.tag_length_8", 8, DECIMAL, "Length of the vendor's tag");
    tagData = owner.floating("pppoed.tag.unknown_data", 0, BYTES, "Data of the vendor's tag");
  }

  private static Field rate(Fields owner, String name, String label) {
    return owner.floating("pppoed.tags." + name, 32, DECIMAL, label);
  }

  void dissect(Dissection dissection) {
    dissection.open(tags, dissection.left());
    while (dissection.left() >= 2) {
      int type = dissection.u8(0);
      int length = dissection.u8(1);
      dissection.skip(2);
      int before = dissection.enter(length);
      tag(dissection, type, length);
      dissection.leave(before);
    }
    dissection.close();
  }

  private void tag(Dissection dissection, int type, int length) {
    int rate = type - FIRST_RATE;
    if (type == CIRCUIT) {
      dissection.addLeft(circuit);
    } else if (type == REMOTE) {
      dissection.addLeft(remote);
    } else if (rate >= 0 && rate < rates.length) {
      dissection.add(rates[rate]);
    } else if (type == ENCAPSULATION) {
      dissection.open(encapsulation, dissection.left());
      dissection.add(dataLink);
      dissection.add(first);
      dissection.add(second);
      dissection.close();
    } else {
      dissection.value(tag, type, -2, 1);
      dissection.value(tagLength, length, -1, 1);
      dissection.addLeft(tagData);
    }
  }
}
