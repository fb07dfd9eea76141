package io.linerate.core.memory;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a packet begins with: the header of its link layer. By the numbers and names of the registry
 * LINKTYPE_ of capture files (tcpdump.org/linktypes.html).
 *
 * @param number 0 to 65,535
 */
public record LinkType(int number) {
  private static final int KNOWN = 512;
  private static final LinkType[] BY_NUMBER =
      IntStream.range(0, KNOWN).mapToObj(LinkType::new).toArray(LinkType[]::new);

  /** BSD loopback: an address family in the byte order of the machine that captured, then IP. */
  public static final LinkType NULL = of(0);

  /** IEEE 802.3: what all ports carry that say nothing else. */
  public static final LinkType ETHERNET = of(1);

  /** PPP, RFC 1661, with or without the address and control bytes of RFC 1662. */
  public static final LinkType PPP = of(9);

  /** PPP in HDLC-like framing, RFC 1662. */
  public static final LinkType PPP_HDLC = of(50);

  /** IPv4 or IPv6, as the first four bits say: no link layer at all. */
  public static final LinkType RAW = of(101);

  /** Cisco HDLC: address, control, ether type. */
  public static final LinkType C_HDLC = of(104);

  /** IEEE 802.11 without a radio header. */
  public static final LinkType IEEE802_11 = of(105);

  /** As {@link #NULL}, in network byte order. */
  public static final LinkType LOOP = of(108);

  /** Linux cooked capture, version 1: 16 bytes. */
  public static final LinkType LINUX_SLL = of(113);

  /** IEEE 802.11 behind a radiotap header. */
  public static final LinkType IEEE802_11_RADIOTAP = of(127);

  /** IPv4. */
  public static final LinkType IPV4 = of(228);

  /** IPv6. */
  public static final LinkType IPV6 = of(229);

  /** Linux cooked capture, version 2: 20 bytes. */
  public static final LinkType LINUX_SLL2 = of(276);

  /** Of a port that carries nothing else than Ethernet. */
  public static final Set<LinkType> ETHERNET_ONLY = Set.of(ETHERNET);

  /** Of a port that may bring anything, numbers included that the registry does not have yet. */
  public static final Set<LinkType> ANY = Set.of(BY_NUMBER);

  /** What {@link #parse} reads, for messages. */
  public static final String ALLOWED =
      "a name or number of tcpdump.org/linktypes.html, such as RAW or 101";

  private static final int MAX = 0xFFFF;
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,5}");

  public LinkType {
    if (number < 0 || number > MAX) {
      throw new IllegalArgumentException(
          "no link type has this number: number=" + number + ", max=" + MAX);
    }
  }

  /** The type of a number, 0 to 65,535; makes no object for those that the registry has. */
  public static LinkType of(int number) {
    return number >= 0 && number < KNOWN ? BY_NUMBER[number] : new LinkType(number);
  }

  /**
   * The name in the registry, without LINKTYPE_ in front; {@code LINKTYPE_300} for one not known.
   */
  public String name() {
    return switch (number) {
      case 0 -> "NULL";
      case 1 -> "ETHERNET";
      case 3 -> "AX25";
      case 6 -> "IEEE802_5";
      case 7 -> "ARCNET_BSD";
      case 8 -> "SLIP";
      case 9 -> "PPP";
      case 10 -> "FDDI";
      case 50 -> "PPP_HDLC";
      case 51 -> "PPP_ETHER";
      case 99 -> "SYMANTEC_FIREWALL";
      case 100 -> "ATM_RFC1483";
      case 101 -> "RAW";
      case 104 -> "C_HDLC";
      case 105 -> "IEEE802_11";
      case 107 -> "FRELAY";
      case 108 -> "LOOP";
      case 113 -> "LINUX_SLL";
      case 114 -> "LTALK";
      case 117 -> "PFLOG";
      case 119 -> "IEEE802_11_PRISM";
      case 122 -> "IP_OVER_FC";
      case 123 -> "SUNATM";
      case 127 -> "IEEE802_11_RADIOTAP";
      case 129 -> "ARCNET_LINUX";
      case 138 -> "APPLE_IP_OVER_IEEE1394";
      case 139 -> "MTP2_WITH_PHDR";
      case 140 -> "MTP2";
      case 141 -> "MTP3";
      case 142 -> "SCCP";
      case 143 -> "DOCSIS";
      case 144 -> "LINUX_IRDA";
      case 163 -> "IEEE802_11_AVS";
      case 165 -> "BACNET_MS_TP";
      case 166 -> "PPP_PPPD";
      case 169 -> "GPRS_LLC";
      case 177 -> "LINUX_LAPD";
      case 187 -> "BLUETOOTH_HCI_H4";
      case 189 -> "USB_LINUX";
      case 192 -> "PPI";
      case 195 -> "IEEE802_15_4_WITHFCS";
      case 201 -> "BLUETOOTH_HCI_H4_WITH_PHDR";
      case 202 -> "AX25_KISS";
      case 203 -> "LAPD";
      case 204 -> "PPP_WITH_DIR";
      case 205 -> "C_HDLC_WITH_DIR";
      case 206 -> "FRELAY_WITH_DIR";
      case 209 -> "IPMB_LINUX";
      case 215 -> "IEEE802_15_4_NONASK_PHY";
      case 220 -> "USB_LINUX_MMAPPED";
      case 224 -> "FC_2";
      case 225 -> "FC_2_WITH_FRAME_DELIMS";
      case 226 -> "IPNET";
      case 227 -> "CAN_SOCKETCAN";
      case 228 -> "IPV4";
      case 229 -> "IPV6";
      case 230 -> "IEEE802_15_4_NOFCS";
      case 231 -> "DBUS";
      case 235 -> "DVB_CI";
      case 236 -> "MUX27010";
      case 237 -> "STANAG_5066_D_PDU";
      case 239 -> "NFLOG";
      case 240 -> "NETANALYZER";
      case 241 -> "NETANALYZER_TRANSPARENT";
      case 242 -> "IPOIB";
      case 243 -> "MPEG_2_TS";
      case 244 -> "NG40";
      case 245 -> "NFC_LLCP";
      case 247 -> "INFINIBAND";
      case 248 -> "SCTP";
      case 249 -> "USBPCAP";
      case 251 -> "BLUETOOTH_LE_LL";
      case 252 -> "WIRESHARK_UPPER_PDU";
      case 253 -> "NETLINK";
      case 254 -> "BLUETOOTH_LINUX_MONITOR";
      case 256 -> "BLUETOOTH_LE_LL_WITH_PHDR";
      case 258 -> "PKTAP";
      case 259 -> "EPON";
      case 264 -> "ISO_14443";
      case 266 -> "USB_DARWIN";
      case 276 -> "LINUX_SLL2";
      case 280 -> "VPP_DISPATCH";
      case 281 -> "DSA_TAG_BRCM";
      case 282 -> "DSA_TAG_BRCM_PREPEND";
      case 283 -> "IEEE802_15_4_TAP";
      case 284 -> "DSA_TAG_DSA";
      case 285 -> "DSA_TAG_EDSA";
      default -> "LINKTYPE_" + number;
    };
  }

  public boolean isEthernet() {
    return number == ETHERNET.number;
  }

  /** The type that a name of the registry, in any case, or a number stands for; null: none. */
  public static @Nullable LinkType parse(String text) {
    if (NUMBER.matcher(text).matches()) {
      int number = Integer.parseInt(text);
      return number <= MAX ? of(number) : null;
    }
    String name = text.toUpperCase(Locale.ROOT);
    for (LinkType type : BY_NUMBER) {
      if (type.name().equals(name)) {
        return type;
      }
    }
    return null;
  }

  /** Several as a text: by their numbers, with commas between; {@code any} for most of them. */
  public static String text(Collection<LinkType> types) {
    if (types.size() > KNOWN / 2) {
      return "any";
    }
    return types.stream()
        .sorted(Comparator.comparingInt(LinkType::number))
        .map(LinkType::name)
        .collect(Collectors.joining(", "));
  }

  /** Name and number, such as {@code LINUX_SLL (113)}. */
  @Override
  public String toString() {
    return name() + " (" + number + ")";
  }
}
