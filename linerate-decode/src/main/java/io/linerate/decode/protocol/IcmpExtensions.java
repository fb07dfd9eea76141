package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.IPV6;
import static io.linerate.decode.Kind.NONE;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Parts;

/**
 * Extensions of ICMP and ICMPv6 messages: a header, and objects of length, class, type and data.
 */
final class IcmpExtensions {
  private static final int MPLS = 1;
  private static final int INTERFACE = 2;
  private static final int INTERFACE_IDENTIFICATION = 3;
  private static final int OBJECT_HEADER_BYTES = 4;
  private static final int HAS_INDEX = 0x08;
  private static final int HAS_ADDRESS = 0x04;
  private static final int HAS_NAME = 0x02;
  private static final int HAS_MTU = 0x01;
  private static final int FAMILY_IPV4 = 1;
  private static final int FAMILY_IPV6 = 2;
  private static final int BY_NAME = 1;
  private static final int BY_INDEX = 2;
  private static final int BY_ADDRESS = 3;

  private final Field extension;
  private final Parts header;
  private final Field checksum;
  private final Field length;
  private final Field kind;
  private final Field type;
  private final Field data;
  private final Parts label;
  private final Field labelTtl;
  private final Parts information;
  private final Field index;
  private final Field family;
  private final Field address4;
  private final Field address6;
  private final Field addressUnknown;
  private final Field nameLength;
  private final Field name;
  private final Field mtu;
  private final Field identifiedName;
  private final Field identifiedIndex;
  private final Field identifiedFamily;
  private final Field identifiedLength;
  private final Field identifiedReserved;
  private final Field identified4;
  private final Field identified6;
  private final Field identifiedUnknown;

  IcmpExtensions(Fields fields) {
    extension = fields.source("RFC 4884, section 7").floating("icmp.ext", 0, NONE, "Extensions");
    header =
        fields
            .parts(16)
            .part("icmp.ext.version", 4, DECIMAL, "Version of the extensions")
            .part("icmp.ext.res", 12, HEX, "Reserved");
    checksum = fields.floating("icmp.ext.checksum", 16, HEX, "Checksum of the extensions");
    length = fields.floating("icmp.ext.length", 16, DECIMAL, "Length of the object");
    kind = fields.floating("icmp.ext.class", 8, DECIMAL, "Class of the object");
    type = fields.floating("icmp.ext.ctype", 8, DECIMAL, "Type of the object");
    data = fields.floating("icmp.ext.data", 0, BYTES, "Data of the object");
    label =
        fields
            .source("RFC 4950, section 3")
            .parts(24)
            .part("icmp.mpls.label", 20, DECIMAL, "MPLS label")
            .part("icmp.mpls.exp", 3, DECIMAL, "Traffic class")
            .flag("icmp.mpls.s", "Bottom of the stack");
    labelTtl = fields.floating("icmp.mpls.ttl", 8, DECIMAL, "TTL of the label");
    information =
        fields
            .source("RFC 5837, section 4.1")
            .parts(8)
            .part("icmp.int_info.role", 2, DECIMAL, "Role of the interface")
            .part("icmp.int_info.reserved", 2, DECIMAL, "Reserved")
            .flag("icmp.int_info.ifindex", "Index is there")
            .flag("icmp.int_info.ipaddr", "Address is there")
            .flag("icmp.int_info.name_present", "Name is there")
            .flag("icmp.int_info.mtu_present", "MTU is there");
    index = fields.floating("icmp.int_info.index", 32, DECIMAL, "Index of the interface");
    family = fields.floating("icmp.int_info.afi", 16, DECIMAL, "Family of the address");
    address4 = fields.floating("icmp.int_info.ipv4", 32, IPV4, "IPv4 address of the interface");
    address6 = fields.floating("icmp.int_info.ipv6", 128, IPV6, "IPv6 address of the interface");
    addressUnknown =
        fields.floating("icmp.int_info.ipunknown", 0, BYTES, "Address of the interface");
    nameLength =
        fields.floating("icmp.int_info.name_length", 8, DECIMAL, "Length of the name and this");
    name = fields.floating("icmp.int_info.name", 0, TEXT, "Name of the interface");
    mtu = fields.floating("icmp.int_info.mtu", 32, DECIMAL, "MTU of the interface");
    identifiedName =
        fields
            .source("RFC 8335, section 2.1")
            .floating("icmp.int_ident.name", 0, TEXT, "Interface by its name");
    identifiedIndex =
        fields.floating("icmp.int_ident.index", 32, DECIMAL, "Interface by its index");
    identifiedFamily = fields.floating("icmp.int_ident.afi", 16, DECIMAL, "Family of the address");
    identifiedLength =
        fields.floating("icmp.int_ident.addr_length", 8, DECIMAL, "Length of the address");
    identifiedReserved = fields.floating("icmp.int_ident.reserved", 8, BYTES, "Reserved");
    identified4 = fields.floating("icmp.int_ident.ipv4", 32, IPV4, "Interface by its IPv4 address");
    identified6 =
        fields.floating("icmp.int_ident.ipv6", 128, IPV6, "Interface by its IPv6 address");
    identifiedUnknown =
        fields.floating("icmp.int_ident.address", 0, BYTES, "Interface by its address");
  }

  /** Goes through the header and the objects. */
  void dissect(Dissection dissection) {
    dissection.open(extension, dissection.left());
    dissection.add(header);
    dissection.add(checksum);
    while (dissection.left() > 0) {
      int bytes = (int) dissection.add(length);
      int objectClass = (int) dissection.add(kind);
      int objectType = (int) dissection.add(type);
      int before = dissection.enter(bytes - OBJECT_HEADER_BYTES);
      object(dissection, objectClass, objectType);
      dissection.leave(before);
    }
    dissection.close();
  }

  private void object(Dissection dissection, int objectClass, int objectType) {
    switch (objectClass) {
      case MPLS -> {
        while (dissection.left() > 0) {
          dissection.add(label);
          dissection.add(labelTtl);
        }
      }
      case INTERFACE -> interfaceInformation(dissection, objectType);
      case INTERFACE_IDENTIFICATION -> identification(dissection, objectType);
      default -> dissection.addLeft(data);
    }
  }

  /** What the bits of the type say is there. */
  private void interfaceInformation(Dissection dissection, int present) {
    dissection.values(information, present, -1);
    if ((present & HAS_INDEX) != 0) {
      dissection.add(index);
    }
    if ((present & HAS_ADDRESS) != 0) {
      int addressFamily = (int) dissection.add(family);
      dissection.skip(2);
      switch (addressFamily) {
        case FAMILY_IPV4 -> dissection.add(address4);
        case FAMILY_IPV6 -> dissection.add(address6);
        default -> dissection.addLeft(addressUnknown);
      }
    }
    if ((present & HAS_NAME) != 0 && dissection.left() > 0) {
      int bytes = (int) dissection.add(nameLength);
      dissection.add(name, bytes - 1);
    }
    if ((present & HAS_MTU) != 0) {
      dissection.add(mtu);
    }
  }

  private void identification(Dissection dissection, int by) {
    switch (by) {
      case BY_NAME -> dissection.addLeft(identifiedName);
      case BY_INDEX -> dissection.add(identifiedIndex);
      case BY_ADDRESS -> {
        int addressFamily = (int) dissection.add(identifiedFamily);
        dissection.add(identifiedLength);
        dissection.add(identifiedReserved);
        switch (addressFamily) {
          case FAMILY_IPV4 -> dissection.add(identified4);
          case FAMILY_IPV6 -> dissection.add(identified6);
          default -> dissection.addLeft(identifiedUnknown);
        }
      }
      default -> dissection.addLeft(data);
    }
  }
}
