package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.NONE;
import static io.linerate.decode.Kind.SIGNED;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Kind;
import io.linerate.decode.Parts;
import io.linerate.decode.ValueNames;
import java.util.Map;

/** Elements of frames of management: an identifier, a length, and content. */
final class WlanElements {
  private static final int HEADER_BYTES = 2;

  private final Field tag;
  private final Field number;
  private final Field length;
  private final Field ssid;
  private final Field rates;
  private final Field extendedRates;
  private final Field channel;
  private final Field countdown;
  private final Field period;
  private final Parts bitmapControl;
  private final Field bitmap;
  private final Field country;
  private final Field environment;
  private final Field range;
  private final Field rangeFirst;
  private final Field rangeCount;
  private final Field rangePower;
  private final Field stations;
  private final Field utilization;
  private final Field admission;
  private final Field challenge;
  private final Field powerConstraint;
  private final Field leastPower;
  private final Field mostPower;
  private final Field transmitPower;
  private final Field linkMargin;
  private final Field channels;
  private final Field channelsFirst;
  private final Field channelsCount;
  private final Field switchMode;
  private final Field switchChannel;
  private final Field switchCount;
  private final Field quietCount;
  private final Field quietPeriod;
  private final Field quietDuration;
  private final Field quietOffset;
  private final Parts protection;
  private final Field mobilityDomain;
  private final Parts mobility;
  private final Field extension;
  private final RsnElement rsn;
  private final WlanHighThroughput highThroughput;
  private final WlanVeryHighThroughput veryHighThroughput;
  private final WlanCapabilities capabilities;
  private final WlanVendor vendor;
  private final Field content;

  WlanElements(Fields owner) {
    tag = owner.floating("wlan.tag", 0, NONE, "Element");
    number =
        owner.floating(
            "wlan.tag.number",
            8,
            DECIMAL,
            "Identifier of the element",
            ValueNames.of(
                Map.of(
                    0, "SSID",
                    1, "Supported rates",
                    3, "DSSS parameters",
                    5, "Traffic indication map",
                    7, "Country",
                    45, "HT capabilities",
                    48, "RSN",
                    61, "HT operation",
                    191, "VHT capabilities",
                    221, "Vendor specific")));
    length = owner.floating("wlan.tag.length", 8, DECIMAL, "Length of the element");
    ssid = owner.source("IEEE 802.11, clause 9.4.2.2").floating("wlan.ssid", 0, BYTES, "SSID");
    owner.summary(ssid);
    owner.source("IEEE 802.11, clause 9.4.2.3");
    rates = number(owner, "wlan.supported_rates", HEX, "Rate in units of 500 kbit/s");
    extendedRates =
        number(owner, "wlan.extended_supported_rates", HEX, "Rate in units of 500 kbit/s");
    owner.source("IEEE 802.11, clause 9.4.2.4");
    channel = number(owner, "wlan.ds.current_channel", DECIMAL, "Channel");
    owner.source("IEEE 802.11, clause 9.4.2.5");
    countdown = number(owner, "wlan.tim.dtim_count", DECIMAL, "Beacons up to the next DTIM");
    period = number(owner, "wlan.tim.dtim_period", DECIMAL, "Beacons from DTIM to DTIM");
    bitmapControl =
        owner
            .parts("wlan.tim.bmapctl", 8, HEX, "Control of the bitmap")
            .part("wlan.tim.bmapctl.offset", 7, HEX, "Offset of the bitmap")
            .flag("wlan.tim.bmapctl.multicast", "Multicast");
    bitmap = owner.floating("wlan.tim.partial_virtual_bitmap", 0, BYTES, "Partial bitmap");
    owner.source("IEEE 802.11, clause 9.4.2.8");
    country = owner.floating("wlan.country_info.code", 16, TEXT, "Country");
    environment = number(owner, "wlan.country_info.environment", DECIMAL, "Environment");
    range = owner.floating("wlan.country_info.fnm", 0, NONE, "Channels");
    rangeFirst = number(owner, "wlan.country_info.fnm.fcn", DECIMAL, "First channel");
    rangeCount = number(owner, "wlan.country_info.fnm.nc", DECIMAL, "Number of channels");
    rangePower = number(owner, "wlan.country_info.fnm.mtpl", SIGNED, "Most power in dBm");
    owner.source("IEEE 802.11, clause 9.4.2.27");
    stations = owner.floating("wlan.qbss.scount", 16, DECIMAL, "Stations");
    utilization = number(owner, "wlan.qbss.cu", DECIMAL, "Channel utilization");
    admission = owner.floating("wlan.qbss.adc", 16, DECIMAL, "Admission capacity");
    owner.source("IEEE 802.11, clause 9.4.2");
    challenge = owner.floating("wlan.tag.challenge_text", 0, BYTES, "Challenge");
    powerConstraint = number(owner, "wlan.powercon.local", DECIMAL, "Power constraint in dB");
    leastPower = number(owner, "wlan.powercap.min", SIGNED, "Least power in dBm");
    mostPower = number(owner, "wlan.powercap.max", SIGNED, "Most power in dBm");
    transmitPower = number(owner, "wlan.tcprep.trsmt_pow", SIGNED, "Transmit power in dBm");
    linkMargin = number(owner, "wlan.tcprep.link_mrg", SIGNED, "Link margin in dB");
    channels = owner.floating("wlan.supchan", 0, NONE, "Supported channels");
    channelsFirst = number(owner, "wlan.supchan.first", DECIMAL, "First channel");
    channelsCount = number(owner, "wlan.supchan.range", DECIMAL, "Number of channels");
    switchMode = number(owner, "wlan.csa.channel_switch_mode", DECIMAL, "Mode of the switch");
    switchChannel = number(owner, "wlan.csa.new_channel_number", DECIMAL, "New channel");
    switchCount =
        number(owner, "wlan.csa.channel_switch.count", DECIMAL, "Beacons up to the switch");
    quietCount = number(owner, "wlan.quiet.count", DECIMAL, "Beacons up to the quiet interval");
    quietPeriod = number(owner, "wlan.quiet.period", DECIMAL, "Beacons between quiet intervals");
    quietDuration = owner.floating("wlan.quiet.duration", 16, DECIMAL, "Quiet for 1024 us each");
    quietOffset = owner.floating("wlan.quiet.offset", 16, DECIMAL, "Quiet after 1024 us each");
    protection =
        owner
            .parts("wlan.erp_info", 8, HEX, "ERP")
            .part("wlan.erp_info.reserved", 5, HEX, "Reserved")
            .flag("wlan.erp_info.barker_preamble_mode", "Long preambles")
            .flag("wlan.erp_info.use_protection", "Use protection")
            .flag("wlan.erp_info.erp_present", "Stations without ERP");
    mobilityDomain = owner.floating("wlan.mobility_domain.mdid", 16, HEX, "Mobility domain");
    mobility =
        owner
            .parts("wlan.mobility_domain.ft_capab", 8, HEX, "Fast transition")
            .part("wlan.mobility_domain.ft_capab.reserved", 6, HEX, "Reserved")
            .part("wlan.mobility_domain.ft_capab.resource_req", 1, HEX, "Resource requests")
            .part("wlan.mobility_domain.ft_capab.ft_over_ds", 1, HEX, "Over the distribution");
    extension = number(owner, "wlan.ext_tag.number", DECIMAL, "Extension of the identifier");
    rsn = new RsnElement(owner);
    highThroughput = new WlanHighThroughput(owner);
    veryHighThroughput = new WlanVeryHighThroughput(owner);
    capabilities = new WlanCapabilities(owner);
    vendor = new WlanVendor(owner);
    content =
        owner
            .source("IEEE 802.11, clause 9.4.2")
            .floating("wlan.tag.content", 0, BYTES, "Content of the element");
  }

  private static Field number(Fields owner, String name, Kind kind, String label) {
    return owner.floating(name, 8, kind, label);
  }

  void dissect(Dissection dissection) {
    while (dissection.left() > 0) {
      int bytes = dissection.u8(1);
      dissection.open(tag, HEADER_BYTES + bytes);
      int identifier = (int) dissection.add(number);
      dissection.add(length);
      int before = dissection.enter(bytes);
      element(dissection, identifier);
      dissection.addLeft(content);
      dissection.leave(before);
      dissection.close();
    }
  }

  private void element(Dissection dissection, int identifier) {
    switch (identifier) {
      case 0 -> dissection.add(ssid, dissection.left());
      case 1 -> all(dissection, rates);
      case 3 -> dissection.add(channel);
      case 5 -> trafficMap(dissection);
      case 7 -> country(dissection);
      case 11 -> {
        dissection.add(stations);
        dissection.add(utilization);
        dissection.add(admission);
      }
      case 16 -> dissection.addLeft(challenge);
      case 45 -> highThroughput.capabilities(dissection);
      case 48 -> rsn.dissect(dissection);
      case 50 -> all(dissection, extendedRates);
      case 61 -> highThroughput.operation(dissection);
      case 70 -> capabilities.measurement(dissection);
      case 127 -> capabilities.extended(dissection);
      case 191 -> veryHighThroughput.capabilities(dissection);
      case 192 -> veryHighThroughput.operation(dissection);
      case 221 -> vendor.dissect(dissection);
      case 255 -> dissection.add(extension);
      default -> management(dissection, identifier);
    }
  }

  /** Of spectrum, power and mobility. */
  private void management(Dissection dissection, int identifier) {
    switch (identifier) {
      case 32 -> dissection.add(powerConstraint);
      case 33 -> {
        dissection.add(leastPower);
        dissection.add(mostPower);
      }
      case 35 -> {
        dissection.add(transmitPower);
        dissection.add(linkMargin);
      }
      case 36 -> {
        while (dissection.left() >= 2) {
          dissection.open(channels, 2);
          dissection.add(channelsFirst);
          dissection.add(channelsCount);
          dissection.close();
        }
      }
      case 37 -> {
        dissection.add(switchMode);
        dissection.add(switchChannel);
        dissection.add(switchCount);
      }
      case 40 -> {
        dissection.add(quietCount);
        dissection.add(quietPeriod);
        dissection.add(quietDuration);
        dissection.add(quietOffset);
      }
      case 42, 47 -> dissection.add(protection);
      case 54 -> {
        dissection.add(mobilityDomain);
        dissection.add(mobility);
      }
      default -> {}
    }
  }

  private static void all(Dissection dissection, Field field) {
    while (dissection.left() > 0) {
      dissection.add(field);
    }
  }

  private void trafficMap(Dissection dissection) {
    dissection.add(countdown);
    dissection.add(period);
    dissection.add(bitmapControl);
    dissection.addLeft(bitmap);
  }

  private void country(Dissection dissection) {
    dissection.add(country);
    dissection.add(environment);
    while (dissection.left() >= 3) {
      dissection.open(range, 3);
      dissection.add(rangeFirst);
      dissection.add(rangeCount);
      dissection.add(rangePower);
      dissection.close();
    }
  }
}
