package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.NONE;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Parts;
import io.linerate.decode.ValueNames;

/** Elements of vendors; those of the Wi-Fi Alliance that came before the standard's. */
final class WlanVendor {
  private static final int MICROSOFT = 0x0050F2;
  private static final int WPA = 1;
  private static final int MULTIMEDIA = 2;
  private static final int PARAMETERS = 1;
  private static final int CLASS_BYTES = 4;
  private static final ValueNames CIPHERS =
      ValueNames.from0("None", "WEP-40", "TKIP", "", "CCMP", "WEP-104");

  private final Field organisation;
  private final Field type;
  private final Field allianceType;
  private final Field version;
  private final RsnElement.Suite group;
  private final Field pairwiseCount;
  private final Field pairwiseList;
  private final RsnElement.Suite pairwise;
  private final Field authenticationCount;
  private final Field authenticationList;
  private final RsnElement.Suite authentication;
  private final Field subtype;
  private final Field multimediaVersion;
  private final Parts information;
  private final Field reserved;
  private final Field accessClass;
  private final Parts priorities;
  private final Parts windows;
  private final Field most;
  private final Field least;
  private final Field limit;
  private final Field data;

  WlanVendor(Fields owner) {
    owner.source("IEEE 802.11, clause 9.4.2.25");
    organisation = owner.floating("wlan.tag.oui", 24, DECIMAL, "Organisation");
    type = owner.floating("wlan.tag.vendor.oui.type", 8, DECIMAL, "Type of the organisation");
    owner.source("Wi-Fi Alliance, WPA");
    allianceType =
        owner.floating(
            "wlan.wfa.ie.type",
            8,
            HEX,
            "Type of the Wi-Fi Alliance",
            ValueNames.from0("", "WPA", "WMM", "", "WPS"));
    String wpa = "wlan.wfa.ie.wpa.";
    version = owner.floating(wpa + "version", 16, DECIMAL, "Version of WPA");
    group = new RsnElement.Suite(owner, wpa + "mcs", "Group cipher", CIPHERS);
    pairwiseCount = owner.floating(wpa + "ucs.count", 16, DECIMAL, "Number of ciphers");
    pairwiseList = owner.floating(wpa + "ucs.list", 0, NONE, "Pairwise ciphers");
    pairwise = new RsnElement.Suite(owner, wpa + "ucs", "Pairwise cipher", CIPHERS);
    authenticationCount =
        owner.floating(wpa + "akms.count", 16, DECIMAL, "Number of authentications");
    authenticationList = owner.floating(wpa + "akms.list", 0, NONE, "Authentications");
    authentication =
        new RsnElement.Suite(
            owner,
            wpa + "akms",
            wpa + "type",
            "Authentication",
            ValueNames.from0("None", "802.1X", "PSK"));
    owner.source("Wi-Fi Alliance, WMM");
    String wme = "wlan.wfa.ie.wme.";
    subtype = owner.floating(wme + "subtype", 8, DECIMAL, "Subtype");
    multimediaVersion = owner.floating(wme + "version", 8, DECIMAL, "Version of WMM");
    information =
        owner
            .parts(wme + "qos_info", 8, HEX, "QoS information")
            .flag(wme + "qos_info.ap.u_apsd", "Automatic power save")
            .part(wme + "qos_info.ap.reserved", 3, HEX, "Reserved")
            .part(wme + "qos_info.ap.parameter_set_count", 4, HEX, "Count of parameter sets");
    reserved = owner.floating(wme + "reserved", 8, BYTES, "Reserved");
    accessClass = owner.floating(wme + "acp", 0, NONE, "Access class");
    priorities =
        owner
            .parts(wme + "acp.aci_aifsn", 8, HEX, "Class and spaces")
            .part(wme + "acp.reserved", 1, DECIMAL, "Reserved")
            .part(wme + "acp.aci", 2, DECIMAL, "Class")
            .flag(wme + "acp.acm", "Admission control")
            .part(wme + "acp.aifsn", 4, DECIMAL, "Spaces between frames");
    windows =
        owner
            .parts(wme + "acp.ecw", 8, HEX, "Exponents of windows")
            .part(wme + "acp.ecw.max", 4, DECIMAL, "Exponent of the largest window")
            .part(wme + "acp.ecw.min", 4, DECIMAL, "Exponent of the least window");
    most = owner.floating(wme + "acp.cw.max", 16, DECIMAL, "Largest window");
    least = owner.floating(wme + "acp.cw.min", 16, DECIMAL, "Least window");
    limit = owner.floating(wme + "acp.txop_limit", 16, DECIMAL, "Limit in units of 32 us");
    data = owner.floating("wlan.tag.vendor.data", 0, BYTES, "Data of the vendor");
  }

  void dissect(Dissection dissection) {
    if (dissection.left() < 3) {
      return;
    }
    int number = (dissection.u8(0) << 16) | dissection.u16(1);
    dissection.value(organisation, number, 0, 3);
    dissection.skip(3);
    if (dissection.left() == 0) {
      return;
    }
    int kind = dissection.u8(0);
    dissection.value(type, kind, 0, 1);
    if (number != MICROSOFT) {
      dissection.addLeft(data);
      return;
    }
    dissection.add(allianceType);
    if (kind == WPA) {
      protection(dissection);
    } else if (kind == MULTIMEDIA) {
      multimedia(dissection);
    }
  }

  private void protection(Dissection dissection) {
    dissection.add(version);
    if (dissection.left() > 0) {
      group.dissect(dissection);
    }
    RsnElement.list(dissection, pairwiseCount, pairwiseList, pairwise);
    RsnElement.list(dissection, authenticationCount, authenticationList, authentication);
  }

  private void multimedia(Dissection dissection) {
    int kind = (int) dissection.add(subtype);
    dissection.add(multimediaVersion);
    if (kind > PARAMETERS) {
      return;
    }
    dissection.add(information);
    if (kind == PARAMETERS) {
      dissection.add(reserved);
      while (dissection.left() >= CLASS_BYTES) {
        accessClass(dissection);
      }
    }
  }

  private void accessClass(Dissection dissection) {
    dissection.open(accessClass, CLASS_BYTES);
    dissection.add(priorities);
    int exponents = dissection.u8(0);
    dissection.add(windows);
    dissection.value(most, (1 << (exponents >>> 4)) - 1, -1, 1);
    dissection.value(least, (1 << (exponents & 0xF)) - 1, -1, 1);
    dissection.add(limit);
    dissection.close();
  }
}
