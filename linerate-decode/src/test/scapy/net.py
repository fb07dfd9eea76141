"""Makes the captures of the protocols of the network layer and of transport.

Usage: net.py FOLDER. Times, addresses and content are fixed: the files are always the same.
"""

import itertools
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

# Segments of different connections: nobody takes one for sent again.
PORTS = itertools.count(40000)


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


# --- SCTP, DCCP ---


def sctp(*chunks):
    """Chunks as text: type and flags, and what is behind the length."""
    packet = octets("3039 3039 01020304 00000000")
    for head, text in chunks:
        data = octets(text)
        packet += octets(head) + struct.pack(">H", 4 + len(data)) + padded(data, 4)
    return ip4(132, packet)


def sctp_packets():
    streams = "00010002 00010000 000a 0005 00000064"
    return [
        sctp(("0100", streams + "000c 0006 0005 0000 0005 0008 c0000201 8000 0004 c000 0004")),
        sctp(
            (
                "0100",
                streams
                + "0006 0014"
                + ADDRESS
                + "0009 0008 00000064 000b 000a 686f7374 6100 0000 8008 0007 c1 80 82 00"
                + "8002 0008 01020304 8003 0006 c1 80 0000 8004 0008 0003 0001 c006 0008 00000007",
            )
        ),
        sctp(("0200", streams + "0007 000c 0102030405060708 0008 0008 8000 0004")),
        sctp(("0a00", "0102030405060708"), ("0003", "00000064 0001 0000 00000000 68656c6c6f")),
        sctp(("0b00", "")),
        sctp(("0300", "00000064 00010000 0001 0002 0002 0003 00000063 00000062")),
        sctp(("1000", "00000064 00010000 0001 0001 0001 0000 0002 0003 0005 0006 00000063")),
        sctp(("0400", "0001 000c 0102030405060708")),
        sctp(("0500", "0001 000c 0102030405060708")),
        sctp(
            ("0003", "00000065 0001 0001 00000000 616263"),
            ("0007", "00000066 0002 0000 00000000 6465"),
            ("0300", "00000064 00010000 0000 0000"),
        ),
        sctp(("0002", "00000067 0001 0002 00000000 66697273")),
        sctp(("0001", "00000068 0001 0002 00000000 6c617374")),
        sctp(("400b", "00000069 0001 0000 00000001 00000000 68656c6c6f")),
        sctp(("4001", "0000006a 0001 0000 00000002 00000001 6c617374")),
        sctp(("0600", "000c 0007 627965 00")),
        sctp(("0601", "")),
        sctp(("0700", "00000064")),
        sctp(("0800", "")),
        sctp(
            (
                "0900",
                "0001 0008 0005 0000 0002 000c 00000002 0005 0006 0003 0008 00000064"
                + "0009 0008 00000064 000d 0008 ff000004",
            )
        ),
        sctp(("0c00", "00000064"), ("0d00", "00000064")),
        sctp(("0e01", "")),
        sctp(("0f00", "0001 0003" + "01" * 32)),
        sctp(("c100", "00000001 0005 0008 c0000201 c001 0010 00000001 0005 0008 c0000202")),
        sctp(("8000", "00000001 c005 0008 00000001 c003 0010 00000002 0001 0008 0005 0000")),
        sctp(("8102", "00001000 00000020 0010 0000")),
        sctp(
            ("8200", "000d 0014 00000001 00000000 00000064 0001 0002"),
            ("8200", "000e 000a 00000002 0001 0000 000f 0008 00000003"),
            ("8200", "0010 0014 00000001 00000001 00000065 00000066"),
            ("8200", "0011 000c 00000004 0005 0000 0012 000c 00000005 0005 0000"),
        ),
        sctp(("8400", "00000000")),
        sctp(("c000", "00000064 0001 0005")),
        sctp(("c200", "00000064 0001 0001 00000005")),
        sctp(("4200", "01020304")),
    ]


def dccp(kind, text, options="", payload=b"", extended_numbers=True):
    body = octets(text) + padded(octets(options), 4)
    header = struct.pack(
        ">HHBBHB",
        40000,
        5001,
        (9 + len(body)) // 4,
        0x21,
        0x1234,
        kind << 1 | (1 if extended_numbers else 0),
    )
    return ip4(33, header + body + payload)


def dccp_packets():
    sequence = "00 00005cf6d183"
    ack = "0000 00005cf6d182"
    return [
        dccp(0, sequence + "00000005", "2004 0502 2204 0102 2004 0102"),
        dccp(1, sequence + ack + "00000005", "0000 2004 0502 2305 010202 2305 010202"),
        dccp(2, "5cf6d1", payload=b"data", extended_numbers=False),
        dccp(3, "5cf6d1 00 5cf6d0", extended_numbers=False),
        dccp(3, sequence + ack, "01 02 2604 8001 2703 05 2803 01"),
        dccp(4, sequence + ack, "2906 00000001 2a06 00000001 2a08 00000001 0005", b"data"),
        dccp(4, sequence + ack, "2b04 0005 2b06 00000005 2c06 01020304 2503 07", b"data"),
        dccp(5, sequence + ack),
        dccp(6, sequence + ack, "2406 01020304"),
        dccp(7, sequence + ack + "05 01 02 03"),
        dccp(8, sequence + ack, "c006 00000001 c206 00000002 c105 010203"),
        dccp(9, sequence + ack, "8004 0102 3004 0102 05"),
    ]


# --- OSPF ---


def ospf2(kind, text, auth=0, auth_data="0000000000000000", trailer=""):
    body = octets(text)
    header = struct.pack(">BBH", 2, kind, 24 + len(body)) + octets("0a000001 00000000")
    total = checksum(header + b"\0\0" + struct.pack(">H", auth) + body) if auth != 2 else 0
    packet = header + struct.pack(">HH", total, auth) + octets(auth_data) + body
    return ip4(89, packet + octets(trailer), destination="224.0.0.5", ttl=1)


def ospf3(kind, text, trailer=""):
    body = octets(text)
    packet = struct.pack(">BBH", 3, kind, 16 + len(body)) + octets("0a000001 00000000 00000000")
    packet += body
    total = in6_chksum(89, IPv6(src="fe80::1", dst="ff02::5"), packet)
    packet = packet[:12] + struct.pack(">H", total) + packet[14:] + octets(trailer)
    return ip6(89, packet, source="fe80::1", destination="ff02::5", hlim=1)


def lsa2(age, options, kind, identifier, text):
    body = octets(text)
    return (
        struct.pack(">HBB", age, options, kind).hex()
        + identifier
        + "0a00000180000001abcd"
        + struct.pack(">H", 20 + len(body)).hex()
        + body.hex()
    )


def lsa3(kind, identifier, text):
    body = octets(text)
    return (
        struct.pack(">HH", 1, kind).hex()
        + identifier
        + "0a00000180000001abcd"
        + struct.pack(">H", 20 + len(body)).hex()
        + body.hex()
    )


def ospf():
    header = "0064 22 01 0a000001 0a000001 80000001 abcd 0030"
    links = (
        "03 00 0003 0a000002 c0000201 01 00 000a c0000200 ffffff00 03 00 000a"
        "c0000205 c0000206 02 01 000a 01 00 0014"
    )
    bandwidth = "4cbebc20"
    engineering = (
        "0001 0001 01 000000 0002 0004 0a000002 0003 0004 c0000201 0004 0004 c0000202"
        "0005 0004 0000000a 0006 0004 4cbebc20 0007 0004 47fcc700 0008 0020"
        + bandwidth * 8
        + "0009 0004 00000003 000b 0008 00000001 00000002 0010 0004 00000007"
    )
    engineering = "0002" + struct.pack(">H", len(octets(engineering))).hex() + engineering
    information = (
        "0001 0004 60000000 0008 0002 00 01 0000 0009 000c 0003e800 0001 0003 003e80 00"
        "0007 0003 6c7372 00"
    )
    hello = "ffffff00 000a 02 01 00000028 c0000201 00000000"
    signalling = "ffffff00 000a 12 01 00000028 c0000201 00000000"
    digest = "0000 0009 0001 0004 00000001 0002 0014 00000005" + "01" * 16
    return [
        ospf2(1, "ffffff00 000a 02 01 00000028 c0000201 c0000202 0a000002 0a000003"),
        ospf2(1, hello, 1, b"secret\0\0".hex()),
        ospf2(1, signalling, 2, "0000 01 10 00000005", "00" * 16 + digest),
        ospf2(1, signalling, trailer="abcd 0003 0001 0004 00000003"),
        ospf2(2, "05dc 42 07 00000100"),
        ospf2(2, "05dc 42 01 00000101" + header),
        ospf2(3, "00000001 0a000001 0a000001 00000002 c0000201 0a000002"),
        ospf2(
            4,
            "00000006"
            + lsa2(1, 0x22, 1, "0a000001", links)
            + lsa2(0x8002, 0x22, 2, "c0000201", "ffffff00 0a000001 0a000002")
            + lsa2(3, 0x22, 3, "c6336400", "ffffff00 00 00000a")
            + lsa2(3, 0x22, 4, "0a000009", "00000000 00 00000a 04 00000b")
            + lsa2(
                3,
                0x20,
                5,
                "cb007100",
                "ffffff00 80 000014 c0000201 00000007 81 000015 c0000202 00000008",
            )
            + lsa2(3, 0x28, 7, "cb007100", "ffffff00 80 000014 c0000201 00000007"),
        ),
        ospf2(
            4,
            "00000002"
            + lsa2(1, 0x42, 10, "01000001", "0001 0004 0a000001")
            + lsa2(1, 0x42, 10, "01000002", engineering),
        ),
        ospf2(
            4,
            "00000001"
            + lsa2(
                1,
                0x42,
                9,
                "03000000",
                "0001 0004 00000078 0002 0001 01 000000 0003 0004 c0000201",
            ),
        ),
        ospf2(4, "00000001" + lsa2(1, 0x42, 10, "04000000", information)),
        ospf2(
            4,
            "00000002"
            + lsa2(
                1,
                0x42,
                10,
                "07000001",
                "0001 0014 01 20 00 40 0a000001 0002 0008 00 00 00 00 00000001",
            )
            + lsa2(
                1,
                0x42,
                10,
                "08000001",
                "0001 0018 01 000000 0a000002 c0000201 0002 0007 60 00 00 00 005dc0 00",
            ),
        ),
        ospf2(5, header),
        ospf2(9, "01020304"),
    ]


def ospf_3():
    header = "0064 2001 00000000 0a000001 80000001 abcd 0028"
    prefix = "40 00 0000 20010db800010000"
    local = "fe800000000000000000000000000001"
    hello = "00000005 01 000013 000a 0028 0a000001 0a000002 0a000003"
    states = (
        lsa3(
            0x2001,
            "00000000",
            "03 000033 01 00 000a 00000005 00000006 0a000002"
            "02 00 000a 00000005 00000006 0a000002",
        )
        + lsa3(0x2002, "00000005", "00 000033 0a000001 0a000002")
        + lsa3(0x2003, "00000001", "00 00000a" + prefix)
        + lsa3(0x2004, "00000001", "00 000033 00 00000a 0a000009")
        + lsa3(0x4005, "00000001", "07 000014" + prefix + ADDRESS + "00000007")
        + lsa3(0x2007, "00000001", "04 000014 40 08 0000 20010db800010000")
        + lsa3(
            0x0008,
            "00000005",
            "01 000033" + local + "00000002" + prefix + "80 02 0000" + ADDRESS,
        )
        + lsa3(0x2009, "00000000", "0001 2001 00000000 0a000001 40 00 000a 20010db800010000")
        + lsa3(0xA00B, "00000000", "01020304")
    )
    return [
        ospf3(1, hello),
        ospf3(2, "00 000013 05dc 00 07 00000100"),
        ospf3(2, "00 000013 05dc 00 01 00000101" + header),
        ospf3(3, "0000 2001 00000000 0a000001"),
        ospf3(4, "00000009" + states),
        ospf3(5, header),
        ospf3(
            1,
            "00000005 01 000213 000a 0028 0a000001 00000000",
            "abcd 0003 0001 0004 00000001",
        ),
        ospf3(
            1,
            "00000005 01 000413 000a 0028 0a000001 00000000",
            "0001 0020 0000 0005 0000000000000007" + "01" * 16,
        ),
    ]


# --- BGP ---


def bgp_message(kind, text):
    body = octets(text)
    return b"\xff" * 16 + struct.pack(">HB", 19 + len(body), kind) + body


def bgp_segment(*messages):
    header = struct.pack(">HHIIHHHH", next(PORTS), 179, 1000, 2000, 5 << 12 | 0x18, 1000, 0x1234, 0)
    return ip4(6, header + b"".join(messages))


def bgp_open(*capabilities):
    parameters = "".join(f"02{len(octets(text)):02x}{text}" for text in capabilities)
    size = len(octets(parameters))
    return bgp_message(1, f"04 fde9 00b4 0a000001 {size:02x}{parameters}")


def bgp_attribute(flags, kind, text):
    size = len(octets(text))
    return f"{flags:02x}{kind:02x}" + (f"{size:04x}" if flags & 0x10 else f"{size:02x}") + text


def bgp_update(*attributes, withdrawn="", routes=""):
    text = "".join(bgp_attribute(*attribute) for attribute in attributes)
    size = len(octets(text))
    return bgp_segment(
        bgp_message(2, f"{len(octets(withdrawn)):04x}{withdrawn}{size:04x}{text}{routes}")
    )


def bgp():
    keepalive = bgp_message(4, "")
    return [
        bgp_segment(
            bgp_open(
                "0104 0001 0001",
                "0104 0002 0001",
                "0200",
                "4600",
                "4104 0000fde9",
                "4006 c078 0001 01 80",
                "0506 0001 0001 0002",
                "0600",
                "4908 036c7372 03636f6d",
                "4504 0001 01 03",
                "0307 0001 00 01 01 40 03",
                "0703 080001",
                "4300",
                "4707 0001 01 80 000e10",
                "8000",
                "8207 0001 00 01 01 80 01",
                "4401 00",
                "c802 0102",
            )
        ),
        bgp_segment(keepalive),
        bgp_segment(
            keepalive,
            keepalive,
            bgp_message(5, "0001 00 01"),
            bgp_message(5, "0001 01 01"),
            bgp_message(128, "0001 00 02"),
        ),
        bgp_segment(bgp_message(3, "06 02 05 68656c6c6f")),
        bgp_segment(bgp_message(3, "01 02 0013")),
        bgp_segment(bgp_message(3, "02 02 fde9")),
        bgp_segment(
            bgp_message(3, "03 0b"),
            bgp_message(3, "04 00"),
            bgp_message(3, "05 01"),
            bgp_message(3, "07 01"),
            bgp_message(3, "06 06"),
            bgp_message(3, "02 07 0104 00010001"),
            bgp_message(3, "08 01"),
        ),
        bgp_update(
            (0x40, 1, "00"),
            (0x40, 2, "0202 0000fde9 00000001"),
            (0x40, 3, "c0000201"),
            (0x80, 4, "0000000a"),
            (0x50, 5, "00000064"),
            (0x40, 6, ""),
            (0xC0, 7, "0000fde9 0a000001"),
            (0xC0, 8, "fde90001 ffffff01 ffff029a"),
            (0x80, 9, "0a000009"),
            (0x80, 10, "0a00000a 0a00000b"),
            (
                0xC0,
                16,
                "0002fde900000001 01020a0000010005 02020001000a0005 4004fde947fcc700"
                "030c000000000008 0603020000000001",
            ),
            (0xC0, 32, "0000fde9 00000001 00000002"),
            withdrawn="18c63364",
            routes="18cb0071 20cb007101 00 19cb007180",
        ),
        bgp_update(withdrawn="18c63364 10c633"),
        bgp_update(
            (0x40, 1, "02"),
            (0x40, 2, "0201 fde9 0102 0001 0002"),
            (0x40, 3, "c0000201"),
            (0xC0, 7, "fde9 0a000001"),
            (0xC0, 17, "0201 0000fde9"),
            (0xC0, 18, "0000fde9 0a000001"),
            routes="18cb0071",
        ),
        bgp_update(
            (0x80, 14, "0002 01 10" + ADDRESS + "00 40 20010db800010000 30 20010db80002"),
            (0x40, 1, "00"),
            (0x40, 2, "0201 0000fde9"),
        ),
        bgp_update(
            (
                0x80,
                14,
                "0002 01 20" + ADDRESS + "fe80" + "00" * 13 + "01 00 40 20010db800010000",
            )
        ),
        bgp_update((0x80, 15, "0002 01 40 20010db800010000 00")),
        bgp_update((0x80, 15, "0001 01 18 cb0071")),
        bgp_update((0x80, 15, "0002 01")),
        bgp_update(),
        bgp_update((0x80, 14, "0001 01 04 c0000201 00 18 cb0071")),
        bgp_update(
            (0x80, 14, "0001 04 04 c0000201 00 48 000640 000651 cb0071"),
            (0x80, 15, "0001 04 30 800000 cb0071"),
        ),
        bgp_update(
            (
                0x80,
                14,
                "0001 80 0c 0000000000000000 c0000201 00 70 000641 0000fde900000001 cb0071",
            ),
            (0x80, 15, "0001 80 70 800000 00010a0000010005 cb0071"),
        ),
        bgp_update(
            (
                0x80,
                14,
                "0019 46 04 c0000201 00 02 21 00010a0000010005"
                + "00" * 14
                + "30 020000000001 00 000641",
            )
        ),
        bgp_update(
            (
                0x80,
                14,
                "0019 46 04 c0000201 00 03 11 00010a0000010005 00000000 20 0a000001"
                "01 19 00010a0000010005"
                + "00" * 14
                + "000641 05 22 00010a0000010005"
                + "00" * 14
                + "18 cb007100 00000000 000641",
            )
        ),
        bgp_update(
            (0x80, 26, "01000b 000000000000000a"),
            (0xC0, 22, "00 06 000641 0a000001"),
            (0xC0, 40, "01 0007 00 0000 00000064"),
            (0xC0, 200, "010203"),
        ),
        bgp_update(
            (0x40, 1, "00"),
            (0x40, 2, ""),
            (0x40, 3, "c0000201"),
            routes="00000001 18cb0071 00000002 18cb0072",
        ),
    ]


def bgp_vpnv6():
    return [
        bgp_update(
            (
                0x80,
                14,
                "0002 80 18 0000000000000000"
                + ADDRESS
                + "00 98 000641 0000fde900000001 20010db800010000",
            )
        )
    ]


# --- other routing ---


def udp4(port, text, destination="224.0.0.2"):
    datagram = UDP(sport=port, dport=port, chksum=0x1234) / octets(text)
    return ip4(17, raw(datagram), destination=destination, ttl=1)


def vrrp():
    return [
        ip4(112, octets("21 01 64 01 00 01 1234 c0000201 0000000000000000"), ttl=255),
        ip4(112, octets("21 01 64 02 01 01 1234 c0000201 c0000202") + b"secret\0\0", ttl=255),
        ip4(112, octets("31 01 64 02 0064 1234 c0000201 c0000202"), ttl=255),
        ip6(112, octets("31 01 64 01 0064 1234" + ADDRESS), hlim=255),
    ]


def hsrp():
    digest = "041c 01 00 0000 c0000201 00000001" + "01" * 16
    state = "0128 02 00 06 04 0001 020000000001 00000064 00000bb8 00002710"
    state6 = "0128 02 00 05 06 0001 020000000001 00000064 00000bb8 00002710"
    return [
        udp4(1985, "00 00 10 03 0a 64 01 00" + b"cisco\0\0\0".hex() + "c0000263"),
        udp4(1985, "00 01 08 03 0a 64 01 00" + b"cisco\0\0\0".hex() + "c0000263" + digest),
        udp4(1985, "00 03 0001 000a 01 00 0001 0000 00000000"),
        udp4(1985, state + "c0000263" + "00" * 12 + "0308" + b"cisco\0\0\0".hex(), "224.0.0.102"),
        udp4(1985, state6 + ADDRESS + "0204 0001 0000", "224.0.0.102"),
    ]


def rip():
    return [
        udp4(520, "01 01 0000 0000 0000 00000000 00000000 00000000 00000010"),
        udp4(520, "02 01 0000 0002 0000 c6336400 00000000 00000000 00000001"),
        udp4(
            520,
            "02 02 0000 ffff 0002" + b"secret".hex() + "00" * 10
            + "0002 0007 c6336400 ffffff00 c0000202 00000001",
        ),
        udp4(
            520,
            "02 02 0000 ffff 0003 0040 01 10 00000005 00000000 00000000"
            + "0002 0007 c6336400 ffffff00 c0000202 00000001"
            + "0002 0007 cb007100 ffffff00 00000000 00000010"
            + "ffff 0001"
            + "01" * 16,
        ),
    ]


def bfd():
    control = "00000001 00000002 000f4240 000f4240 00000000"
    return [
        udp4(3784, "20 40 03 18" + control),
        udp4(3784, "20 c0 03 18" + control),
        udp4(3784, "21 78 03 18" + control),
        udp4(4784, "20 c4 03 21" + control + "01 09 01" + b"secret".hex()),
        udp4(3784, "20 c4 03 30" + control + "02 18 02 00 00000005" + "01" * 16),
        udp4(3784, "20 c4 03 34" + control + "05 1c 02 00 00000005" + "01" * 20),
    ]


def eigrp():
    return [
        ip4(
            88,
            octets(
                "02 05 1234 00000000 00000000 00000000 0000 0064"
                "0001 000c 01 00 01 00 00 00 000f 0004 0008 0c04 0102"
            ),
        ),
        ip4(88, octets("02 05 1234 00000000 00000000 00000007 0000 0064")),
        ip4(
            88,
            octets(
                "02 01 1234 00000009 00000007 00000006 0000 0064"
                "0102 001c 00000000 0000c800 00000a00 0005dc 00 ff 01 00 00 18 c63364"
            ),
        ),
    ]


def pim():
    unicast = "01 00 c0000201"
    group = "01 00 00 20 e9fc0001"
    source = "01 00 06 20 c0000202"
    inner = raw(IP(src=A, dst="233.252.0.1") / UDP(sport=1000, dport=2000, chksum=1) / b"x")
    return [
        ip4(
            103,
            octets(
                "20 00 1234 0001 0002 0069 0002 0004 81f4 09c4 0013 0004 00000001"
                "0014 0004 12345678 0018 0006 01 00 c0000205"
            ),
        ),
        ip4(103, octets("21 00 1234 40000000") + inner),
        ip4(103, octets("22 00 1234" + group + unicast)),
        ip4(
            103,
            octets("23 00 1234" + unicast + "00 01 00d2" + group + "0001 0001" + source * 2),
        ),
        ip4(
            103,
            octets(
                "24 00 1234 0001 1e 40" + unicast + group + "01 01 0000" + unicast + "0096 c0 00"
            ),
        ),
        ip4(103, octets("25 00 1234" + group + unicast + "80000064 0000000a")),
        ip4(103, octets("28 00 1234 01 c0 0096" + unicast + group)),
        ip6(
            103,
            octets(
                "23 00 1234 02 00" + ADDRESS + "00 01 00d2 02 00 00 80" + GROUP + "0001 0000"
                "02 00 07 80" + SECOND
            ),
        ),
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
    "eigrp": eigrp,
    "hsrp": hsrp,
    "icmp": icmp,
    "icmp-extensions": icmp_extensions,
    "icmp-quoted-tcp": icmp_quoted_tcp,
    "icmpv6": icmpv6,
    "icmpv6-multicast": icmpv6_multicast,
    "icmpv6-neighbor": icmpv6_neighbor,
    "icmpv6-rpl": icmpv6_rpl,
    "igmp": igmp,
    "bfd": bfd,
    "bgp": bgp,
    "bgp-vpnv6": bgp_vpnv6,
    "dccp": dccp_packets,
    "ospf": ospf,
    "ospf3": ospf_3,
    "pim": pim,
    "rip": rip,
    "sctp": sctp_packets,
    "tcp-options": tcp_options,
    "tcp-multipath": tcp_multipath,
    "udplite": udplite,
    "vrrp": vrrp,
}

if __name__ == "__main__":
    for capture, packets_of in CAPTURES.items():
        write(sys.argv[1], capture, packets_of())
