package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.NONE;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Parts;

/** Elements of 802.11ac: what a station can do, and how a network uses it. */
final class WlanVeryHighThroughput {
  private static final int SET_BYTES = 8;
  private static final int OPERATION_BYTES = 3;
  private static final int STREAMS = 8;

  private final Parts capabilities;
  private final Field set;
  private final Parts received;
  private final Parts receivedRate;
  private final Parts sent;
  private final Parts sentRate;
  private final Field operation;
  private final Field width;
  private final Field center0;
  private final Field center1;
  private final Parts basic;

  WlanVeryHighThroughput(Fields owner) {
    owner.source("IEEE 802.11, clause 9.4.2.157");
    String caps = "wlan.vht.capabilities";
    capabilities =
        owner
            .parts(caps, 32, HEX, "VHT capabilities")
            .part(caps + ".ext_nss_bw_support", 2, HEX, "Extended streams")
            .flag(caps + ".txpatconsist", "Consistent pattern, sending")
            .flag(caps + ".rxpatconsist", "Consistent pattern, receiving")
            .part(caps + ".linkadapt", 2, HEX, "Link adaptation")
            .part(caps + ".maxampdu", 3, HEX, "Longest A-MPDU")
            .flag(caps + ".vhthtc", "VHT control")
            .flag(caps + ".vhttxopps", "TXOP power save")
            .flag(caps + ".mubeamformee", "Receives beams for several users")
            .flag(caps + ".mubeamformer", "Sends beams for several users")
            .part(caps + ".soundingdimensions", 3, HEX, "Sounding dimensions")
            .part(caps + ".beamformee_sts_cap", 3, HEX, "Streams of beams received")
            .flag(caps + ".subeamformee", "Receives beams for one user")
            .flag(caps + ".subeamformer", "Sends beams for one user")
            .part(caps + ".rxstbc", 3, HEX, "Receives space-time coding")
            .flag(caps + ".txstbc", "Sends space-time coding")
            .flag(caps + ".short160", "Short guard interval at 160 MHz")
            .flag(caps + ".short80", "Short guard interval at 80 MHz")
            .flag(caps + ".rxldpc", "LDPC")
            .part(caps + ".supportedchanwidthset", 2, HEX, "Channel widths")
            .part(caps + ".maxmpdulength", 2, HEX, "Longest frame");
    String mcs = "wlan.vht.mcsset";
    set = owner.floating(mcs, 0, NONE, "Supported VHT-MCS");
    received = streams(owner, mcs + ".rxmcsmap", "Received VHT-MCS");
    receivedRate =
        owner
            .parts(16)
            .part(mcs + ".max_nsts_total", 3, DECIMAL, "Most streams")
            .part(mcs + ".rxhighestlonggirate", 13, HEX, "Highest rate received in Mbit/s");
    sent = streams(owner, mcs + ".txmcsmap", "Sent VHT-MCS");
    sentRate =
        owner
            .parts(16)
            .part("wlan.vht.ncsset.reserved", 2, HEX, "Reserved")
            .flag("wlan.vht.ncsset.ext_nss_bw_cap", "Extended streams")
            .part(mcs + ".txhighestlonggirate", 13, HEX, "Highest rate sent in Mbit/s");
    owner.source("IEEE 802.11, clause 9.4.2.158");
    operation = owner.floating("wlan.vht.op", 0, NONE, "VHT operation");
    width = owner.floating("wlan.vht.op.channelwidth", 8, DECIMAL, "Channel width");
    center0 = owner.floating("wlan.vht.op.channelcenter0", 8, DECIMAL, "Channel centre 0");
    center1 = owner.floating("wlan.vht.op.channelcenter1", 8, DECIMAL, "Channel centre 1");
    basic = streams(owner, "wlan.vht.op.basicmcsmap", "Basic VHT-MCS");
  }

  private static Parts streams(Fields owner, String name, String label) {
    Parts parts = owner.parts(name, 16, HEX, label);
    for (int i = STREAMS; i > 0; i--) {
      parts.part(name + ".ss" + i, 2, HEX, "MCS of " + i + " streams");
    }
    return parts;
  }

  void capabilities(Dissection dissection) {
    dissection.add(capabilities);
    dissection.open(set, SET_BYTES);
    dissection.add(received);
    dissection.add(receivedRate);
    dissection.add(sent);
    dissection.add(sentRate);
    dissection.close();
  }

  void operation(Dissection dissection) {
    dissection.open(operation, OPERATION_BYTES);
    dissection.add(width);
    dissection.add(center0);
    dissection.add(center1);
    dissection.close();
    dissection.add(basic);
  }
}
