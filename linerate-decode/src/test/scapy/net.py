"""Makes the captures of the protocols of the network layer and of transport.

Usage: net.py FOLDER. Times, addresses and content are fixed: the files are always the same.
"""

import struct
import sys

from scapy.all import Ether, ICMP, IP, IPv6, TCP, UDP, checksum, raw, wrpcap
from scapy.layers.inet6 import in6_chksum

MAC_A = "02:00:00:00:00:01"
MAC_B = "02:00:00:00:00:02"
A = "192.0.2.1"
B = "192.0.2.2"
A6 = "2001:db8::1"
B6 = "2001:db8::2"
ETHER = Ether(src=MAC_A, dst=MAC_B)
ADDRESS = "20010db8000000000000000000000077"
SECOND = "20010db8000000000000000000000078"
GROUP = "ff020000000000000000000000010003"
START = 1_700_000_000


def octets(text):
    return bytes.fromhex(text.replace(" ", ""))


def padded(data, unit, offset=0):
    return data + bytes(-(len(data) + offset) % unit)


def write(folder, name, packets):
    for number, packet in enumerate(packets):
        packet.time = START + number / 1000
    wrpcap(f"{folder}/{name}.pcap", packets)


def ip4(protocol, payload, source=A, destination=B, **fields):
    return ETHER / IP(src=source, dst=destination, proto=protocol, **fields) / payload


def ip6(next_header, payload, source=A6, destination=B6, **fields):
    return ETHER / IPv6(src=source, dst=destination, nh=next_header, **fields) / payload


# --- IPv4 ---


def ip4_option(text):
    options = padded(octets(text), 4)
    payload = raw(UDP(sport=1000, dport=2000, chksum=0x1234) / b"x")
    header = struct.pack(
        ">BBHHHBBH4s4s",
        0x45 + len(options) // 4,
        0,
        20 + len(options) + len(payload),
        1,
        0,
        64,
        17,
        0,
        octets("c0000201"),
        octets("c0000202"),
    )
    total = checksum(header + options)
    frame = Ether(src=MAC_A, dst=MAC_B, type=0x0800)
    return frame / (header[:10] + struct.pack(">H", total) + header[12:] + options + payload)


def ipv4_options():
    return [
        ip4_option(text)
        for text in (
            "070f04 00000000 00000000 00000000",
            "070f08 c0000201 00000000 00000000",
            "070f10 c0000201 c0000203 c0000204",
            "44100900 00000001 00000000 00000000",
            "44140d01 c0000201 00000001 00000000 00000000",
            "44140d53 c0000201 00000001 c0000202 00000000",
            "940400ff",
            "94040000",
            "88041234",
            "0b0405dc",
            "0c0405dc",
            "820bf1350001 4142 434445",
            "8203ab",
            "8204abfe",
            "850601020304",
            "8614 00000003 010e0005 0102030405060708090a",
            "860e 00000003 02080003 00010005",
            "8612 00000003 050c0003 000a000500030001",
            "850a 0102030405060708",
            "950a c0000205 c0000206",
            "520c 0001 0002 0003 c0000201",
            "1908 0810 12345678",
            "1908 8710 12345678",
            "01010101",
            "010107030400",
        )
    ]


def ipv4_source_route():
    return [
        ip4_option("830f04 c0000202 c0000203 c0000204"),
        ip4_option("830f08 c0000202 c0000203 c0000204"),
        ip4_option("890f10 c0000202 c0000203 c0000204"),
    ]


def ipv4_options_unknown():
    """Options that tshark does not know, or that do not fit."""
    return [ip4_option("9e04ffff"), ip4_option("5e041234"), ip4_option("8a04aabb")]


def ipv4():
    udp = UDP(sport=1000, dport=2000, chksum=0x1234)
    return [
        ip4(17, raw(UDP(sport=1000, dport=2000, len=3000, chksum=1) / (b"x" * 32)), flags="MF"),
        ip4(17, b"y" * 32, frag=4, flags="MF"),
        ip4(17, b"z" * 8, frag=8),
        ip4(4, raw(IP(src=B, dst=A) / udp / b"inner"), tos=0xB9, flags="DF", id=0xABCD),
        ip4(41, raw(IPv6(src=A6, dst=B6) / udp / b"inner")),
        ip4(17, raw(udp / b"evil"), flags=4),
        ip4(253, b"unknown"),
        ip4(17, raw(UDP(sport=1000, dport=2000, len=100, chksum=1) / b"short")),
    ]


# --- TCP, UDP-Lite ---


def tcp(text, flags, payload=b"", number=0):
    options = padded(octets(text), 4)
    header = struct.pack(
        ">HHIIHHHH",
        40000 + number,
        9,
        1000,
        2000 if flags & 0x10 else 0,
        (5 + len(options) // 4) << 12 | flags,
        1000,
        0x1234,
        0,
    )
    return ip4(6, header + options + payload)


SYN, ACK, PUSH = 2, 16, 8


def tcp_options():
    table = (
        ("020405b4 0402 080a00000001 00000000 01 030307", SYN),
        ("020405b4 0402 080a00000002 00000001 01 03030f", SYN | ACK),
        ("0101 050a 000007d0 00000800", ACK),
        ("0101 0512 000007d0 00000800 00001000 00001100", ACK),
        ("0606 00000007 0706 00000008", ACK),
        ("0b06 00000001 0c0600000002 0d0600000003", SYN),
        ("1312 000102030405060708090a0b0c0d0e0f", ACK),
        ("1404 f801", SYN),
        ("1602 1702", ACK),
        ("1b08 05 20 12345678", SYN),
        ("1c04 8005", ACK),
        ("1c04 0005", ACK),
        ("1d10 01 02 000102030405060708090a0b", ACK),
        ("2202", SYN),
        ("220a 0102030405060708", SYN),
        ("ac0b 000001 000002 000003", ACK),
        ("ae08 000001 000002", ACK),
        ("ae05 000001", ACK),
        ("fd04 f989", ACK),
        ("fd08 f989 01020304", ACK),
        ("fe06 e2d4 1234", ACK),
        ("0e03 01", ACK),
        ("4206 01020304", ACK),
        ("0101 0104 02", SYN),
        ("00 000000", ACK),
        ("020405b4", 0xFFF),
    )
    return [tcp(text, flags, number=number) for number, (text, flags) in enumerate(table)]


def tcp_multipath():
    key = "0102030405060708"
    reply = "1112131415161718"
    table = (
        ("1e04 01 81", SYN, b""),
        ("1e0c 01 81" + key, SYN | ACK, b""),
        ("1e14 01 01" + key + reply, ACK, b""),
        ("1e18 01 81" + key + reply + "0005abcd", PUSH | ACK, b"hello"),
        ("1e16 01 01" + key + reply + "0005", PUSH | ACK, b"hello"),
        ("1e0c 11 05 aabbccdd 01020304", SYN, b""),
        ("1e10 10 05 0102030405060708 0a0b0c0d", SYN | ACK, b""),
        ("1e18 10 00" + "01" * 20, ACK, b""),
        ("1e08 20 01 00000009", ACK, b""),
        ("1e0c 20 03 0000000000000009", ACK, b""),
        ("1e12 20 05 00000009 0000000a 00000001 0005", PUSH | ACK, b"hello"),
        ("1e1a 20 1f 0000000000000009 000000000000000a 00000001 0005", PUSH | ACK, b"hello"),
        ("1e08 34 02 c0000201", ACK, b""),
        ("1e0a 34 02 c0000201 0050", ACK, b""),
        ("1e10 30 02 c0000201" + key, ACK, b""),
        ("1e12 31 02 c0000201 0050" + key, ACK, b""),
        ("1e14 36 02 " + ADDRESS, ACK, b""),
        ("1e1e 30 02 " + ADDRESS + " 0050" + key, ACK, b""),
        ("1e1c 30 02 " + ADDRESS + key, ACK, b""),
        ("1e04 40 02", ACK, b""),
        ("1e05 40 02 03", ACK, b""),
        ("1e03 51", ACK, b""),
        ("1e04 51 07", ACK, b""),
        ("1e0c 60 00" + key, ACK, b""),
        ("1e0c 70 00" + key, ACK, b""),
        ("1e04 89 02", ACK, b""),
        ("1e05 f0 0203", ACK, b""),
    )
    return [
        tcp(text, flags, payload, number) for number, (text, flags, payload) in enumerate(table)
    ]


def udplite():
    def packet(coverage, payload=b"hello", port=2000):
        return ip4(136, struct.pack(">HHHH", 1000, port, coverage, 0x1234) + payload)

    return [packet(8), packet(0), packet(13), packet(100), packet(3), packet(8, b"")]


# --- IPv6 ---

DATAGRAM = octets("03e807d0000d00000102030405")


def extended(header, text, payload=DATAGRAM, **fields):
    return ip6(header, octets(text) + payload, **fields)


def ip6_option(header, text):
    options = octets(text)
    missing = -(len(options) + 2) % 8
    if missing == 1:
        options += b"\0"
    elif missing:
        options += bytes([1, missing - 2]) + bytes(missing - 2)
    return extended(header, (bytes([17, (len(options) + 2) // 8 - 1]) + options).hex())


HOP, DESTINATION, ROUTING, FRAGMENT = 0, 60, 43, 44


def ipv6_options():
    table = (
        (HOP, "0502 0000"),
        (HOP, "c204 00011170"),
        (HOP, "0000000000000000000000"),
        (DESTINATION, "040103"),
        (DESTINATION, "c910 " + ADDRESS),
        (DESTINATION, "0f0a 0102 0003 0004 0005 0006"),
        (HOP, "3004 05dc 05dd"),
        (HOP, "0710 00000001 02 02 abcd 0102030405060708"),
        (HOP, "2606 0810 12345678"),
        (HOP, "2606 8710 12345678"),
        (HOP, "6304 e0 05 0100"),
        (DESTINATION, "8b04 01020304"),
        (DESTINATION, "8c06 05 48656c6c6f"),
        (HOP, "6d04 50 07 abcd"),
        (HOP, "ee03 60 0005"),
        (HOP, "0803 01 0203"),
        (HOP, "0807 13 01020304 0506"),
        (HOP, "0803 81 0203"),
        (HOP, "1e04 01020304"),
        (HOP, "7f02 0102"),
        (DESTINATION, "c308 0102030405060708"),
        (HOP, "3112 0000 0001 1002 900000 00 0102030405060708"),
        (HOP, "c604 01020304"),
    )
    return [ip6_option(header, text) for header, text in table]


def ipv6_extensions():
    udp = UDP(sport=1000, dport=2000, chksum=0x1234)
    return [
        extended(17, "", tc=0xB9, fl=0x12345, hlim=3),
        extended(59, ""),
        extended(255, ""),
        extended(ROUTING, "11 02 00 00 00000000" + ADDRESS),
        extended(ROUTING, "11 04 00 00 00000000" + ADDRESS + SECOND),
        extended(ROUTING, "11 02 02 00 00000000" + ADDRESS),
        extended(ROUTING, "11 04 04 00 01 00 1234" + ADDRESS + SECOND),
        extended(ROUTING, "11 05 04 00 01 80 1234" + ADDRESS + SECOND + "04 06 000000000000"),
        extended(ROUTING, "11 02 03 00 00 00 0000" + ADDRESS),
        extended(ROUTING, "11 01 fd 00 00000001 00000002 00000003"),
        extended(FRAGMENT, "11 00 0001 12345678"),
        extended(FRAGMENT, "11 ff 0008 12345678"),
        extended(FRAGMENT, "11 00 0000 12345678"),
        extended(DESTINATION, "2b 00 01 04 00000000 11 02 00 00 00000000" + ADDRESS),
        ip6(41, raw(IPv6(src=B6, dst=A6) / udp / b"inner")),
        ip6(4, raw(IP(src=A, dst=B) / udp / b"inner")),
        ip6(17, raw(udp / b"x"), source="::ffff:192.0.2.1", destination="::192.0.2.2"),
        ip6(17, raw(udp / b"x"), source="fe80::ff:fe00:1", destination="ff02::1"),
    ]


def ipv6_crh():
    """Compact routing headers, whose unused places are 0."""
    return [
        extended(ROUTING, "11 01 05 01 0001 0002 0003 0004 0005 0000"),
        extended(ROUTING, "11 01 06 01 00000001 00000002 00000000"),
    ]


def mobility():
    def message(kind, text, options=""):
        data = octets(text + options)
        missing = -(len(data) + 6) % 8
        if missing == 1:
            data += b"\0"
        elif missing:
            data += bytes([1, missing - 2]) + bytes(missing - 2)
        return ip6(135, bytes([59, (len(data) + 6) // 8 - 1, kind, 0, 0x12, 0x34]) + data)

    cookie = "0102030405060708"
    tags = "01" * 16 + "02" * 16
    return [
        message(0, "0000"),
        message(1, "0000" + cookie),
        message(2, "0000" + cookie),
        message(3, "0005" + cookie + "1112131415161718"),
        message(4, "0006" + cookie + "1112131415161718"),
        message(5, "0007 c000 0064", "0310" + ADDRESS),
        message(5, "0008 b7c0 0064", "0404 0001 0002 0000 050c 0102030405060708090a0b0c"),
        message(6, "00 c0 0007 0064", "0202 0005"),
        message(7, "01 00" + ADDRESS),
        message(13, "00 03 00000009"),
        message(99, "01020304"),
        ip6(139, octets("3b 04 01 21 1234 0001" + tags)),
        ip6(
            139,
            octets(
                "3b 08 02 21 1234 0000"
                + tags
                + "0101 000c 0a20 0000 0102030405060708"
                + "00c1 0002 abcd 0000"
                + "0000 0004 12345678"
            ),
        ),
        ip6(140, octets("11 00 80 01 02 03 04 05 03e8 07d0 000c 0000 01020304")),
        ip6(140, octets("3b 01 01 00 1234 0000 00000001 00000002")),
    ]


# --- ICMP, IGMP ---


def icmp4(kind, code, text, payload=b""):
    data = bytes([kind, code, 0, 0]) + octets(text) + payload
    data = data[:2] + struct.pack(">H", checksum(data)) + data[4:]
    return ip4(1, data, source=B, destination=A)


QUOTED = raw(IP(src=A, dst=B) / UDP(sport=1000, dport=2000, chksum=1) / (b"x" * 300))
QUOTED_ECHO = raw(IP(src=A, dst=B) / ICMP(id=5, seq=6) / (b"x" * 300))
QUOTED_WHOLE = raw(IP(src=A, dst=B) / UDP(sport=1000, dport=2000, chksum=1) / b"abcd")
LABELS = octets("20000000 000c 01 01 00064001 00065101")


def icmp():
    agents = "100a 0001 0708 e000 c0000203 00 1301 18"
    return [
        icmp4(8, 0, "0005 0001", b"abcdefgh"),
        icmp4(0, 0, "0005 0001", b"abcdefgh"),
        icmp4(8, 0, "0005 0001"),
        icmp4(3, 1, "00000000", QUOTED[:28]),
        icmp4(3, 4, "000005dc", QUOTED[:28]),
        icmp4(11, 0, "00000000", QUOTED_ECHO[:28]),
        icmp4(12, 0, "14000000", QUOTED[:28]),
        icmp4(4, 0, "00000000", QUOTED[:28]),
        icmp4(5, 1, "c0000209", QUOTED[:28]),
        icmp4(9, 0, "02 02 0708 c0000201 00000000 c0000202 80000000"),
        icmp4(9, 0, "01 02 0708 c0000201 00000000" + agents),
        icmp4(10, 0, "00000000"),
        icmp4(13, 0, "0005 0001 00000001 00000000 00000000"),
        icmp4(14, 0, "0005 0001 00000001 00000002 00000003"),
        icmp4(15, 0, "00050001"),
        icmp4(16, 0, "00050001"),
        icmp4(17, 0, "00050001 00000000"),
        icmp4(18, 0, "00050001 ffffff00"),
        icmp4(99, 0, "01020304"),
    ]


def icmp_extensions():
    quoted = padded(QUOTED_WHOLE, 128)
    information = octets(
        "20000000 0008 02 08 00000005 001c 02 0f 00000005 0001 0000 c0000201"
        "08 65746830000000 000005dc"
    )
    address = octets("20000000 0018 02 44 0002 0000" + ADDRESS + "0008 09 09 01020304")
    return [
        icmp4(11, 0, "00200000", quoted + LABELS),
        icmp4(11, 0, "00000000", quoted + LABELS),
        icmp4(3, 1, "00200000", quoted + information),
        icmp4(3, 1, "00200000", quoted + address),
        icmp4(12, 1, "08200000", quoted + LABELS),
        icmp4(42, 0, "0005 01 01 20000000 0008 03 01 65746830"),
        icmp4(42, 0, "0005 01 01 20000000 0008 03 02 00000005"),
        icmp4(42, 0, "0005 01 00 20000000 000c 03 03 0001 04 00 c0000201"),
        icmp4(42, 0, "0005 01 00 20000000 0018 03 03 0002 10 00" + ADDRESS),
        icmp4(43, 0, "0005 01 46"),
        icmp4(43, 2, "0005 01 00"),
    ]


def icmp_quoted_tcp():
    """TCP that ICMP quotes: tshark says less of it."""
    segment = raw(
        IP(src=A, dst=B)
        / TCP(sport=1000, dport=2000, seq=7, chksum=1, options=[("MSS", 1460)])
        / (b"x" * 300)
    )
    return [icmp4(3, 3, "00000000", segment[:28]), icmp4(3, 3, "00000000", segment[:60])]


def igmp():
    def message(text):
        data = octets(text)
        data = data[:2] + struct.pack(">H", checksum(data)) + data[4:]
        return ip4(2, data, source=B, destination="224.0.0.1", ttl=1)

    trace = "e9fc0001 c0000201 c0000202 c0000203 40 000102"
    block = "00000001 c0000204 c0000205 c0000206 00000001 00000002 00000003 01 02 58 00"
    return [
        message("11000000 00000000"),
        message("11640000 e9fc0001"),
        message("12000000 e9fc0001"),
        message("16000000 e9fc0001"),
        message("17000000 e9fc0001"),
        message("11640000 00000000 02 7d 0000"),
        message("11a50000 e9fc0001 0a 8d 0002 c0000201 c0000202"),
        message(
            "22000000 0000 0002 01 00 0001 e9fc0001 c0000201 04 01 0000 e9fc0002 01020304"
        ),
        message("22000000 0000 0001 06 00 0003 e9fc0001 c0000201 c0000202 c0000203"),
        message("1f100000" + trace),
        message("1e100000" + trace + block),
        message("99000000 01020304"),
    ]


# --- ICMPv6 ---

QUOTED6 = raw(IPv6(src=B6, dst=A6) / UDP(sport=1000, dport=2000, chksum=1) / (b"y" * 300))
QUOTED6_WHOLE = raw(IPv6(src=B6, dst=A6) / UDP(sport=1000, dport=2000, chksum=1) / b"abcd")


def icmp6(kind, code, text, payload=b""):
    data = bytes([kind, code, 0, 0]) + octets(text) + payload
    total = in6_chksum(58, IPv6(src=A6, dst=B6), data)
    return ip6(58, data[:2] + struct.pack(">H", total) + data[4:], hlim=255)


LINK = "0101 020000000001"
TARGET_LINK = "0201 020000000002"


def icmpv6():
    subject = "0102030405060708"
    name = "046e6f6465076578616d706c6503636f6d00"
    match = "01 07 05 40 00 80 0000" + ADDRESS
    use = "30 10 c0 c0 00278d00 00093a80 c0000000" + ADDRESS
    return [
        icmp6(1, 4, "00000000", QUOTED6[:60]),
        icmp6(2, 0, "000005dc", QUOTED6[:100]),
        icmp6(3, 0, "00000000", QUOTED6[:48]),
        icmp6(4, 1, "00000028", QUOTED6[:48]),
        icmp6(3, 0, "08000000", padded(QUOTED6_WHOLE, 64) + LABELS),
        icmp6(128, 0, "0005 0001", b"abcdefgh"),
        icmp6(129, 0, "0005 0001", b"abcdefgh"),
        icmp6(138, 0, "00000001 02 c0 0064 00000000" + match + use),
        icmp6(138, 1, "00000001 02 c0 0000 00000000 0003 05 40 00000002" + ADDRESS),
        icmp6(138, 255, "00000001 02 c0 0000 00000000"),
        icmp6(139, 0, "0002 0000" + subject + ADDRESS),
        icmp6(139, 1, "0002 0000" + subject + name),
        icmp6(139, 2, "0004 0002" + subject + "c0000201"),
        icmp6(139, 0, "0000 0000" + subject),
        icmp6(140, 0, "0002 0000" + subject + "00000e10" + name),
        icmp6(140, 0, "0003 003e" + subject + "00000e10" + ADDRESS),
        icmp6(140, 0, "0004 0000" + subject + "00000e10 c0000201"),
        icmp6(140, 1, "0002 0000" + subject),
        icmp6(144, 0, "0005 0000"),
        icmp6(145, 0, "0005 0000" + ADDRESS + SECOND),
        icmp6(146, 0, "0006 0000"),
        icmp6(147, 0, "0006 c000 0304 40 e0 00278d00 00093a80 00000000" + ADDRESS),
        icmp6(148, 0, "0001 ffff"),
        icmp6(149, 0, "0001 0002 0001 0000"),
        icmp6(157, 0, "00 00 0708 0200000000000001" + ADDRESS),
        icmp6(158, 0, "00 00 0708 0200000000000001" + ADDRESS),
        icmp6(160, 0, "0005 01 01 20000000 0008 03 02 00000005"),
        icmp6(161, 0, "0005 01 46"),
        icmp6(200, 0, "01020304"),
    ]


def icmpv6_neighbor():
    advertisement = "40 00 0708 00000000 00000000"
    prefix = "0304 40 c0 00278d00 00093a80 00000000"
    network = "20010db8000100000000000000000000"
    portal = b"http://192.0.2.1/portal".hex() + "00" * 7
    return [
        icmp6(133, 0, "00000000" + LINK),
        icmp6(133, 0, "00000000"),
        icmp6(134, 0, "40 c8 0708 00000000 00000000" + LINK + "0501 0000 000005dc" + prefix + network),
        icmp6(
            134,
            0,
            "40 2c 0708 00007530 000003e8 1803 30 18 00000708"
            + network
            + "1802 20 08 00000708 20010db800000000 1801 00 08 00000708"
            + "1903 0000 00000708"
            + ADDRESS,
        ),
        icmp6(
            134, 0, advertisement + "1f03 0000 00000708 076578616d706c6503636f6d00 000000"
        ),
        icmp6(
            134,
            0,
            advertisement
            + "2504"
            + portal
            + "2602 0708 20010db8000000000000 0000 2602 0709 20010db8000000000000 0000",
        ),
        icmp6(
            134,
            0,
            advertisement
            + "0701 0000 00000064 0801 0000 0005 0708 1a01 8000 00000000"
            + "1703 12 80 00000708"
            + ADDRESS
            + "2202 40 15 0000 0708 20010db800000000 2303 0001 0002 0708"
            + ADDRESS
            + "2401 0001 00000000",
        ),
        icmp6(135, 0, "00000000" + ADDRESS + LINK),
        icmp6(136, 0, "e0000000" + ADDRESS + TARGET_LINK),
        icmp6(135, 0, "00000000" + ADDRESS + "0e01 010203040506"),
        icmp6(136, 0, "60000000" + ADDRESS + "2102 00 000000 0708 0200000000000001"),
        icmp6(
            137,
            0,
            "00000000"
            + ADDRESS
            + SECOND
            + TARGET_LINK
            + "0408 000000000000"
            + QUOTED6[:56].hex()
            + "0501 0000 000005dc",
        ),
        icmp6(141, 0, "00000000" + LINK + TARGET_LINK + "0903 000000000000" + ADDRESS),
        icmp6(142, 0, "00000000 0a03 000000000000" + ADDRESS),
    ]


def icmpv6_multicast():
    return [
        icmp6(130, 0, "03e8 0000" + GROUP),
        icmp6(131, 0, "0000 0000" + GROUP),
        icmp6(132, 0, "0000 0000" + GROUP),
        icmp6(130, 0, "03e8 0000" + GROUP + "0a 7d 0002" + ADDRESS + SECOND),
        icmp6(130, 0, "8004 0000" + GROUP + "0a 7d 0000"),
        icmp6(
            143,
            0,
            "0000 0002 01 00 0001" + GROUP + ADDRESS + "04 01 0000" + GROUP + "01020304",
        ),
        icmp6(151, 0, "0014 0002"),
        icmp6(152, 0, ""),
        icmp6(153, 0, ""),
    ]


def icmpv6_rpl():
    information = "01 02 0100 88 03 00 00" + ADDRESS
    return [
        icmp6(155, 0, "0000 0100"),
        icmp6(155, 1, information + "040e 00 08 0c 0a 0800 0100 0001 00 ff ffff"),
        icmp6(155, 2, "01 c0 00 05" + ADDRESS + "0512 00 80" + SECOND + "0604 00 00 00 1e"),
        icmp6(155, 2, "01 80 00 05" + "0512 00 80" + SECOND + "0614 80 01 02 1e" + ADDRESS),
        icmp6(155, 3, "01 00 05 00"),
        icmp6(
            155,
            1,
            information
            + "081e 40 c0 00278d00 00093a80 00000000"
            + ADDRESS
            + "0316 40 08 00000708"
            + ADDRESS
            + "0206 07000002 0080",
        ),
        icmp6(155, 0, "0000 0713 01 e0" + ADDRESS + "05 0904 00000001"),
        icmp6(155, 0x80, "00 80 41 03 00000001 0000"),
    ]


CAPTURES = {
    "ipv4": ipv4,
    "ipv4-options": ipv4_options,
    "ipv4-options-unknown": ipv4_options_unknown,
    "ipv4-source-route": ipv4_source_route,
    "ipv6-crh": ipv6_crh,
    "ipv6-extensions": ipv6_extensions,
    "ipv6-options": ipv6_options,
    "mobility": mobility,
    "icmp": icmp,
    "icmp-extensions": icmp_extensions,
    "icmp-quoted-tcp": icmp_quoted_tcp,
    "icmpv6": icmpv6,
    "icmpv6-multicast": icmpv6_multicast,
    "icmpv6-neighbor": icmpv6_neighbor,
    "icmpv6-rpl": icmpv6_rpl,
    "igmp": igmp,
    "tcp-options": tcp_options,
    "tcp-multipath": tcp_multipath,
    "udplite": udplite,
}

if __name__ == "__main__":
    for capture, packets_of in CAPTURES.items():
        write(sys.argv[1], capture, packets_of())
