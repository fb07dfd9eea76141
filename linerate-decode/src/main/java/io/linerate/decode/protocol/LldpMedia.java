package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Kind;
import io.linerate.decode.Parts;
import io.linerate.decode.ValueNames;

/** What media endpoints, such as telephones, add to LLDP: LLDP-MED. */
final class LldpMedia {
  private static final String PREFIX = "lldp.media.";
  private static final int COORDINATE_BYTES = 5;
  private static final long COORDINATE_MASK = 0x3_FFFF_FFFFL;

  private final Fields owner;
  private final Field subtype;
  private final Parts capabilities;
  private final Field deviceClass;
  private final Field application;
  private final Parts policy;
  private final Field format;
  private final Field latitudeResolution;
  private final Field latitude;
  private final Field longitudeResolution;
  private final Field longitude;
  private final Field altitudeType;
  private final Field altitudeResolution;
  private final Field altitude;
  private final Field datum;
  private final Field civicLength;
  private final Field civicWhat;
  private final Field country;
  private final Field civicType;
  private final Field civicValue;
  private final Field emergency;
  private final Parts power;
  private final Field powerValue;

  /** Of the inventory, from subtype 5 on. */
  private final Field[] inventory;

  private final Field rest;

  LldpMedia(Fields owner) {
    this.owner = owner.source("ANSI/TIA-1057, section 10");
    subtype =
        field(
            "subtype",
            8,
            HEX,
            "Subtype",
            ValueNames.from0(
                "",
                "Capabilities",
                "Network policy",
                "Location",
                "Extended power",
                "Hardware revision",
                "Firmware revision",
                "Software revision",
                "Serial number",
                "Manufacturer",
                "Model",
                "Asset"));
    String caps = PREFIX + "subtype.caps";
    capabilities =
        owner
            .parts(caps, 16, HEX, "Capabilities")
            .skip(10)
            .flag(caps + ".inventory", "Inventory")
            .flag(caps + ".mid_pd", "Extended power, device")
            .flag(caps + ".mdi_pse", "Extended power, source")
            .flag(caps + ".location_id", "Location")
            .flag(caps + ".network_policy", "Network policy")
            .flag(caps + ".llpd", "LLDP-MED capabilities");
    deviceClass = field("subtype.class", 8, DECIMAL, "Class of the device");
    application =
        field(
            "app_type",
            8,
            DECIMAL,
            "Application",
            ValueNames.from0("", "Voice", "Voice signaling", "Guest voice"));
    policy =
        owner
            .parts(24)
            .flag(PREFIX + "policy_flag", "Policy unknown")
            .flag(PREFIX + "tag_flag", "Tagged")
            .skip(1)
            .part(PREFIX + "vlan_id", 12, DECIMAL, "VLAN")
            .part(PREFIX + "l2_prio", 3, DECIMAL, "Priority")
            .part(PREFIX + "dscp", 6, DECIMAL, "DSCP");
    format =
        field(
            "loc.data_format",
            8,
            DECIMAL,
            "Location format",
            ValueNames.from0("", "Coordinates", "Civic address", "Emergency number"));
    latitudeResolution = field("loc.lat_resolution", 8, DECIMAL, "Resolution of the latitude");
    latitude = field("loc.latitude", 40, DECIMAL, "Latitude in units of 2^-25 degrees");
    longitudeResolution = field("loc.long_resolution", 8, DECIMAL, "Resolution of the longitude");
    longitude = field("loc.longitude", 40, DECIMAL, "Longitude in units of 2^-25 degrees");
    altitudeType = field("loc.alt_type", 8, DECIMAL, "Type of the altitude");
    altitudeResolution = field("loc.alt_resolution", 16, DECIMAL, "Resolution of the altitude");
    altitude = field("loc.altitude", 32, DECIMAL, "Altitude in units of 2^-8");
    datum = field("loc.datum", 8, DECIMAL, "Datum");
    civicLength = field("civic.length", 8, DECIMAL, "Length of the civic address");
    civicWhat = field("civic.what", 8, DECIMAL, "Whose address");
    country = field("civic.country", 16, TEXT, "Country");
    civicType = field("civic.type", 8, DECIMAL, "Type of the part of the address");
    civicValue = field("civic.value", 0, TEXT, "Part of the address");
    emergency = field("ecs", 0, TEXT, "Emergency number");
    power =
        owner
            .parts(8)
            .part(PREFIX + "power.type", 2, DECIMAL, "Power type")
            .part(PREFIX + "power.source", 2, DECIMAL, "Power source")
            .part(PREFIX + "power.prio", 4, DECIMAL, "Power priority");
    powerValue = field("power.value", 16, DECIMAL, "Power in 0.1 W");
    inventory =
        new Field[] {
          field("hardware", 0, TEXT, "Hardware revision"),
          field("firmware", 0, TEXT, "Firmware revision"),
          field("software", 0, TEXT, "Software revision"),
          field("sn", 0, TEXT, "Serial number"),
          field("manufacturer", 0, TEXT, "Manufacturer"),
          field("model", 0, TEXT, "Model"),
          field("asset", 0, TEXT, "Asset"),
        };
    rest = field("content", 0, BYTES, "Content");
  }

  private Field field(String name, int bits, Kind kind, String label) {
    return owner.floating(PREFIX + name, bits, kind, label);
  }

  private Field field(String name, int bits, Kind kind, String label, ValueNames values) {
    return owner.floating(PREFIX + name, bits, kind, label, values);
  }

  void dissect(Dissection dissection) {
    int type = (int) dissection.add(subtype);
    switch (type) {
      case 1 -> {
        dissection.add(capabilities);
        dissection.add(deviceClass);
      }
      case 2 -> {
        dissection.add(application);
        dissection.add(policy);
      }
      case 3 -> location(dissection, (int) dissection.add(format));
      case 4 -> {
        dissection.add(power);
        dissection.add(powerValue);
      }
      case 5, 6, 7, 8, 9, 10, 11 -> dissection.addLeft(inventory[type - 5]);
      default -> dissection.addLeft(rest);
    }
  }

  private void location(Dissection dissection, int locationFormat) {
    switch (locationFormat) {
      case 1 -> coordinates(dissection);
      case 2 -> civic(dissection);
      case 3 -> dissection.addLeft(emergency);
      default -> dissection.addLeft(rest);
    }
  }

  /** RFC 6225, section 2.2. */
  private void coordinates(Dissection dissection) {
    coordinate(dissection, latitudeResolution, latitude);
    coordinate(dissection, longitudeResolution, longitude);
    if (dissection.has(5)) {
      dissection.value(altitudeType, dissection.u8(0) >>> 4, 0, 1);
      dissection.value(altitudeResolution, (dissection.u16(0) >>> 6) & 0x3F, 0, 2);
      dissection.value(altitude, dissection.u32(1) & 0x3FFF_FFFF, 1, 4);
    }
    dissection.skip(5);
    dissection.add(datum);
  }

  private static void coordinate(Dissection dissection, Field resolution, Field degrees) {
    if (dissection.has(COORDINATE_BYTES)) {
      long number = ((long) dissection.u8(0) << Integer.SIZE) | dissection.u32(1);
      dissection.value(resolution, dissection.u8(0) >>> 2, 0, 1);
      dissection.value(degrees, number & COORDINATE_MASK, 0, COORDINATE_BYTES);
    }
    dissection.skip(COORDINATE_BYTES);
  }

  private void civic(Dissection dissection) {
    dissection.add(civicLength);
    dissection.add(civicWhat);
    dissection.add(country);
    while (dissection.left() >= 2) {
      dissection.add(civicType);
      int length = (int) dissection.add(civicLength);
      if (length > 0) {
        dissection.add(civicValue, length);
      }
    }
  }
}
