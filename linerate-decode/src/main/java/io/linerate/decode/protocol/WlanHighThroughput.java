package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.NONE;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Parts;

/** Elements of 802.11n: what a station can do, and how a network uses it. */
final class WlanHighThroughput {
  private static final int SET_BYTES = 16;
  private static final int MASK_BYTES = 10;

  private final Parts capabilities;
  private final Parts aggregation;
  private final Field set;
  private final Field mask;
  private final Parts maskLow;
  private final Parts maskMiddle;
  private final Field maskHigh;
  private final Field highestRate;
  private final Parts transmit;
  private final Parts extended;
  private final Parts beamforming;
  private final Parts antennas;
  private final Field primary;
  private final Parts operation1;
  private final Parts operation2;
  private final Parts operation3;

  WlanHighThroughput(Fields owner) {
    owner.source("IEEE 802.11, clause 9.4.2.55");
    String caps = "wlan.ht.capabilities";
    capabilities =
        owner
            .parts(caps, 16, HEX, "HT capabilities")
            .flag(caps + ".lsig", "L-SIG TXOP protection")
            .flag(caps + ".40mhzintolerant", "Intolerant of 40 MHz")
            .flag(caps + ".psmp", "PSMP")
            .flag(caps + ".dsscck", "DSSS and CCK at 40 MHz")
            .flag(caps + ".amsdu", "Long A-MSDUs")
            .flag(caps + ".delayedblockack", "Delayed block acknowledgments")
            .part(caps + ".rxstbc", 2, HEX, "Receives space-time coding")
            .flag(caps + ".txstbc", "Sends space-time coding")
            .flag(caps + ".short40", "Short guard interval at 40 MHz")
            .flag(caps + ".short20", "Short guard interval at 20 MHz")
            .flag(caps + ".green", "Greenfield")
            .part(caps + ".sm", 2, HEX, "Spatial multiplexing power save")
            .flag(caps + ".width", "40 MHz")
            .flag(caps + ".ldpccoding", "LDPC");
    String ampdu = "wlan.ht.ampduparam";
    aggregation =
        owner
            .parts(ampdu, 8, HEX, "A-MPDU parameters")
            .part(ampdu + ".reserved", 3, HEX, "Reserved")
            .part(ampdu + ".mpdudensity", 3, HEX, "Density")
            .part(ampdu + ".maxlength", 2, HEX, "Most length");
    set = owner.floating("wlan.ht.mcsset", 0, NONE, "Supported MCS");
    String rx = "wlan.ht.mcsset.rxbitmask";
    mask = owner.floating(rx, 0, NONE, "Received MCS");
    maskLow =
        owner
            .parts(32)
            .part(rx + ".24to31", 8, HEX, "MCS 24 to 31")
            .part(rx + ".16to23", 8, HEX, "MCS 16 to 23")
            .part(rx + ".8to15", 8, HEX, "MCS 8 to 15")
            .part(rx + ".0to7", 8, HEX, "MCS 0 to 7");
    maskMiddle =
        owner
            .parts(32)
            .skip(11)
            .part(rx + ".39to52", 14, HEX, "MCS 39 to 52")
            .part(rx + ".33to38", 6, HEX, "MCS 33 to 38")
            .part(rx + ".32", 1, HEX, "MCS 32");
    maskHigh = owner.floating(rx + ".53to76", 32, HEX, "MCS 53 to 76");
    highestRate =
        owner.floating("wlan.ht.mcsset.highestdatarate", 16, HEX, "Highest rate in Mbit/s");
    transmit =
        owner
            .parts(16)
            .skip(11)
            .flag("wlan.ht.mcsset.txunequalmod", "Sends unequal modulation")
            .part("wlan.ht.mcsset.txmaxss", 2, HEX, "Most streams sent")
            .flag("wlan.ht.mcsset.txrxmcsnotequal", "Sends other MCS")
            .flag("wlan.ht.mcsset.txsetdefined", "Sent MCS are told");
    String ext = "wlan.htex.capabilities";
    extended =
        owner
            .parts(ext, 16, HEX, "HT extended capabilities")
            .skip(4)
            .flag(ext + ".rdresponder", "Reverse direction")
            .flag(ext + ".htc", "HT control")
            .part(ext + ".mcs", 2, HEX, "MCS feedback")
            .skip(5)
            .part(ext + ".transtime", 2, HEX, "Transition time")
            .flag(ext + ".pco", "Phased coexistence");
    beamforming = beamforming(owner);
    antennas =
        owner
            .parts("wlan.asel", 8, HEX, "Antenna selection")
            .part("wlan.asel.reserved", 1, HEX, "Reserved")
            .flag("wlan.asel.sppdu", "Sounding")
            .flag("wlan.asel.rx", "Receiver selects")
            .flag("wlan.asel.if", "Antenna indices")
            .flag("wlan.asel.csi", "Channel state")
            .flag("wlan.asel.txif", "Sender selects by antenna indices")
            .flag("wlan.asel.txcsi", "Sender selects by channel state")
            .flag("wlan.asel.capable", "Capable");
    owner.source("IEEE 802.11, clause 9.4.2.56");
    String info = "wlan.ht.info.";
    primary = owner.floating(info + "primarychannel", 8, DECIMAL, "Primary channel");
    operation1 =
        owner
            .parts(info + "delim1", 8, HEX, "HT operation, part 1")
            .part(info + "reserved_b4_b7", 4, HEX, "Reserved")
            .flag(info + "rifs", "Reduced spaces")
            .flag(info + "chanwidth", "Any width")
            .part(info + "secchanoffset", 2, HEX, "Offset of the secondary channel");
    operation2 =
        owner
            .parts(info + "delim2", 16, HEX, "HT operation, part 2")
            .part(info + "reserved_b21_b23", 3, HEX, "Reserved")
            .part(info + "chan_center_freq_seg_2", 8, DECIMAL, "Channel centre")
            .flag(info + "obssnonht", "Stations without HT overlap")
            .part(info + "reserved_b11", 1, HEX, "Reserved")
            .flag(info + "greenfield", "Stations without greenfield")
            .part(info + "ht_protection", 2, HEX, "Protection");
    operation3 =
        owner
            .parts(info + "delim3", 16, HEX, "HT operation, part 3")
            .part(info + "reserved_b36_b39", 4, HEX, "Reserved")
            .flag(info + "pco.phase", "Phase of coexistence")
            .flag(info + "pco.active", "Phased coexistence is active")
            .flag(info + "lsigprotsupport", "L-SIG TXOP protection")
            .flag(info + "secondarybeacon", "Secondary beacon")
            .flag(info + "dualcts", "Dual CTS")
            .flag(info + "dualbeacon", "Dual beacon")
            .part(info + "reserved_b24_b29", 6, HEX, "Reserved");
  }

  private static Parts beamforming(Fields owner) {
    String name = "wlan.txbf";
    return owner
        .parts(name, 32, HEX, "Transmit beamforming")
        .part(name + ".reserved", 3, HEX, "Reserved")
        .part(name + ".channelest", 2, HEX, "Channel estimation")
        .part(name + ".csi.maxrows", 2, HEX, "Most rows of channel state")
        .part(name + ".fm.compressed.maxant", 2, HEX, "Antennas, compressed")
        .part(name + ".fm.uncompressed.maxant", 2, HEX, "Antennas, not compressed")
        .part(name + ".csinumant", 2, HEX, "Antennas of channel state")
        .part(name + ".mingroup", 2, HEX, "Least grouping")
        .part(name + ".fm.compressed.bf", 2, HEX, "Compressed feedback")
        .part(name + ".fm.uncompressed.rbf", 2, HEX, "Not compressed feedback")
        .part(name + ".rcsi", 2, HEX, "Channel state feedback")
        .flag(name + ".fm.compressed.tbf", "Compressed steering")
        .flag(name + ".fm.uncompressed.tbf", "Not compressed steering")
        .flag(name + ".csi", "Steering by channel state")
        .part(name + ".calibration", 2, HEX, "Calibration")
        .flag(name + ".impltxbf", "Implicit")
        .flag(name + ".txndp", "Sends null data packets")
        .flag(name + ".rxndp", "Receives null data packets")
        .flag(name + ".txss", "Sends staggered sounding")
        .flag(name + ".rxss", "Receives staggered sounding")
        .flag(name + ".txbf", "Receives");
  }

  void capabilities(Dissection dissection) {
    dissection.add(capabilities);
    dissection.add(aggregation);
    set(dissection);
    dissection.add(extended);
    dissection.add(beamforming);
    dissection.add(antennas);
  }

  private void set(Dissection dissection) {
    if (!dissection.has(SET_BYTES)) {
      dissection.skip(SET_BYTES);
      return;
    }
    dissection.open(set, SET_BYTES);
    dissection.open(mask, MASK_BYTES);
    dissection.add(maskLow);
    long middle = Integer.toUnsignedLong(Integer.reverseBytes((int) dissection.u32(0)));
    dissection.values(maskMiddle, middle, 0);
    long high = Integer.toUnsignedLong(Integer.reverseBytes((int) dissection.u32(2)));
    dissection.value(maskHigh, (high >>> 5) & 0xFF_FFFF, 2, 4);
    dissection.skip(6);
    dissection.close();
    int rate = (dissection.u8(1) << 8) | dissection.u8(0);
    dissection.value(highestRate, rate & 0x3FF, 0, 2);
    dissection.skip(2);
    int flags = (dissection.u8(1) << 8) | dissection.u8(0);
    dissection.values(transmit, flags, 0);
    dissection.skip(4);
    dissection.close();
  }

  void operation(Dissection dissection) {
    dissection.add(primary);
    dissection.add(operation1);
    dissection.add(operation2);
    dissection.add(operation3);
    set(dissection);
  }
}
