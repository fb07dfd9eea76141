"""Makes the captures of the protocols of links and tunnels.

Usage: link.py FOLDER. Times, addresses and content are fixed: the files are always the same.
"""

import struct
import sys

from scapy.all import Ether, IP, IPv6, UDP

MAC_A = bytes.fromhex("00005e005301")
MAC_B = bytes.fromhex("02005e005302")
MAC_C = bytes.fromhex("00005e005303")
BROADCAST = b"\xff" * 6
BRIDGES = bytes.fromhex("0180c2000000")
START = 1_700_000_000
ETHERNET = 1

INNER = bytes(IP(src="192.0.2.1", dst="192.0.2.2") / UDP(sport=4000, dport=4001) / b"ab")
INNER6 = bytes(IPv6(src="2001:db8::1", dst="2001:db8::2") / UDP(sport=4000, dport=4001) / b"ab")


def octets(text):
    return bytes.fromhex(text.replace(" ", ""))


def n16(value):
    return struct.pack(">H", value)


def n32(value):
    return struct.pack(">I", value)


def write(folder, name, link_type, frames):
    """A capture of pcap, with a frame each millisecond."""
    with open(f"{folder}/{name}.pcap", "wb") as out:
        out.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, link_type))
        for number, frame in enumerate(frames):
            out.write(struct.pack("<IIII", START, 1000 * number, len(frame), len(frame)) + frame)


def frame(kind, payload, source=MAC_A, destination=MAC_B):
    return destination + source + n16(kind) + payload


def length_frame(payload, destination=BRIDGES, padding=b""):
    return frame(len(payload), payload, destination=destination) + padding


def in_ip(protocol, payload):
    ip = IP(src="198.51.100.1", dst="198.51.100.2", proto=protocol)
    return frame(0x0800, bytes(ip / payload))


def in_udp(port, payload, source_port=None):
    ip = IP(src="198.51.100.1", dst="198.51.100.2")
    udp = UDP(sport=port if source_port is None else source_port, dport=port)
    return frame(0x0800, bytes(ip / udp / payload))


def tlv(kind, value=b""):
    """Type and length of one byte each, the length of the value."""
    return bytes([kind, len(value)]) + value


def option(kind, value=b""):
    """Type and length of one byte each, the length of all."""
    return bytes([kind, len(value) + 2]) + value


def ethernet():
    long = bytes(
        IP(src="192.0.2.1", dst="192.0.2.2") / UDP(sport=4000, dport=4001) / (b"ab" * 30)
    )
    ip = frame(0x0800, INNER)
    bpdu = octets("4242f3")
    return [
        ip,
        ip + bytes(16),
        ip + bytes(20),
        ip + bytes(24),
        ip + bytes(16) + octets("01020304"),
        ip + b"\x01" * 16,
        ip + b"\x01" * 20,
        ip + b"\x01" * 30,
        ip + bytes(10),
        frame(0x0800, long),
        frame(0x0800, long) + octets("0102"),
        frame(0x0800, long) + octets("01020304"),
        frame(0x0800, long) + octets("010203040506"),
        length_frame(bpdu),
        length_frame(bpdu, padding=bytes(43)),
        length_frame(bpdu, padding=bytes(47)),
        length_frame(bpdu, padding=b"\x01" * 47),
        length_frame(bpdu, padding=bytes(43) + octets("010203040506")),
        frame(0x05FC, bytes(40)),
        frame(0x0050, bpdu + bytes(20)),
        frame(0x88B5, b"experimental"),
        frame(0x6558, ip),
    ]


def llc():
    return [
        length_frame(octets("4242f3") + b"ab"),
        length_frame(octets("4343 0405") + b"abc"),
        length_frame(octets("4243 0103") + b"abc"),
        length_frame(octets("4242 0503") + b"abc"),
        length_frame(octets("4242 0902") + b"abc"),
        length_frame(octets("42427f") + b"abc"),
        length_frame(octets("424353") + b"abc"),
        length_frame(octets("42420f") + b"abc"),
        length_frame(octets("aaaa03 000000 0800") + INNER),
        length_frame(octets("aaaa03 0000f8 0800") + INNER),
        length_frame(octets("aaaa03 aabbcc 1234") + b"xyz"),
        length_frame(octets("aaaa03 0000f8 0100") + b"xyz"),
        length_frame(octets("060603") + INNER),
        length_frame(octets("aaaa03")),
    ]


def vlan():
    tag = octets("b005")
    inner = octets("600a 0800") + INNER
    return [
        frame(0x8100, tag + octets("0800") + INNER),
        frame(0x8100, tag + octets("0800") + INNER + bytes(12)),
        frame(0x8100, tag + octets("0800") + INNER + bytes(16)),
        frame(0x8100, tag + octets("0800") + INNER + b"\x01" * 20),
        frame(0x8100, tag + octets("0003 4242f3")),
        frame(0x8100, tag + octets("86dd") + INNER6),
        frame(0x88A8, tag + octets("0800") + INNER + bytes(20)),
        frame(0x88A8, tag + octets("88a8") + inner + bytes(20)),
        frame(0x88A8, tag + octets("8100") + inner + bytes(20)),
        frame(0x88A8, tag + octets("88a8 600a 88a8 0001 0800") + INNER),
        frame(0x88A8, tag + octets("0003 4242f3")),
        frame(0x9100, tag + octets("8100") + inner + bytes(20)),
        frame(0x8100, tag + octets("8100") + inner + bytes(20)),
        frame(0x8100, tag + octets("88b5") + b"experimental"),
    ]


def mpls():
    bottom = octets("00011140")
    return [
        frame(0x8847, octets("000110ff 000121fe") + INNER),
        frame(0x8847, bottom + INNER6),
        frame(0x8847, bottom + bytes(4) + frame(0x0800, INNER)),
        frame(0x8847, bottom + octets("00000007") + frame(0x0800, INNER)),
        frame(0x8847, bottom + frame(0x0800, INNER, destination=octets("001b21005302"))),
        frame(0x8848, bottom + INNER),
        frame(0x8847, octets("00000140") + INNER),
        frame(0x8847, octets("00002140") + INNER6),
        frame(0x8847, bottom + octets("10000021") + INNER),
        frame(0x8847, octets("00011040 0000d140 10001234") + b"abcd"),
        frame(0x8847, bottom + octets("70000021") + b"abcd"),
        frame(0x8847, octets("00001040 00011140") + INNER),
        frame(0x8847, octets("00007040 00011040 00003140") + INNER),
        frame(0x8847, octets("00011040")),
        in_ip(137, bottom + INNER),
        in_udp(6635, bottom + INNER),
    ]


def pppoe_discovery():
    def tag(kind, value=b""):
        return n16(kind) + n16(len(value)) + value

    def packet(code, session, *tags):
        data = b"".join(tags)
        return frame(0x8863, bytes([0x11, code]) + n16(session) + n16(len(data)) + data)

    rates = b"".join(tlv(kind, n32(1000 * kind)) for kind in range(0x81, 0x8F))
    line = octets("00000de9") + tlv(1, b"circuit") + tlv(2, b"remote") + rates
    line += tlv(0x90, octets("010203"))
    return [
        packet(0x09, 0, tag(0x0101, b"isp"), tag(0x0103, octets("01020304"))),
        packet(
            0x07,
            0,
            tag(0x0101, b"isp"),
            tag(0x0102, b"concentrator"),
            tag(0x0103, octets("01020304")),
            tag(0x0104, b"cookie"),
            tag(0x0110, b"relay"),
            tag(0x0120, octets("05dc")),
        ),
        packet(0x19, 0, tag(0x0101), tag(0x0105, line), tag(0x0105, n32(9) + b"other")),
        packet(0x65, 17, tag(0x0101)),
        packet(0xA7, 17, tag(0x0203, b"bye"), tag(0x0201, b"none"), tag(0x0202, b"full")),
        packet(0xD3, 0, tag(0x0111, b"http://example.com"), tag(0x0112, b"hi"), tag(0x0121, b"r")),
        packet(
            0x0A,
            1,
            tag(0x0106, octets("00010002")),
            tag(0x0107, octets("001d 0a0b 000c 000d 000e")),
            tag(0x0108, octets("0007")),
            tag(0x0109, octets("0003")),
        ),
    ]


def control(code, body, identifier=1):
    """A packet of a control protocol of PPP."""
    return bytes([code, identifier]) + n16(len(body) + 4) + body


def session(protocol, payload):
    data = n16(protocol) + payload
    return frame(0x8864, octets("1100 0011") + n16(len(data)) + data)


def ppp_control():
    lcp, ipcp, ipv6cp, ccp, pap, chap = 0xC021, 0x8021, 0x8057, 0x80FD, 0xC023, 0xC223
    magic = octets("deadbeef")
    requests = option(1, octets("05d4")) + option(2, octets("000a0000"))
    requests += option(3, octets("c22305")) + option(5, magic) + option(7) + option(8)
    requests += option(9, b"\x02") + option(13, b"\x06")
    more = option(1, octets("05d4")) + option(3, octets("c023")) + option(17, octets("0640"))
    more += option(18) + option(19, b"\x03" + MAC_A) + option(23, octets("0005"))
    addresses = option(3, octets("c0000201")) + option(129, octets("cb007101"))
    addresses += option(131, octets("cb007102")) + option(130, octets("cb007103"))
    addresses += option(132, octets("cb007104")) + option(2, octets("002d0f01"))
    older = option(1, octets("c0000201 c0000202")) + option(4, octets("c0000203"))
    older += option(2, octets("0061 000f 0100 0001 0002 0003"))
    compression = option(18, octets("01000061")) + option(17, octets("000103"))
    compression += option(21, octets("2a")) + option(26, octets("7801"))
    value = b"\x10" + bytes(range(16))
    return [
        session(lcp, control(1, requests)),
        session(lcp, control(2, more)),
        session(lcp, control(9, magic + b"echo")),
        session(lcp, control(10, bytes(4))),
        session(lcp, control(5, b"goodbye")),
        session(lcp, control(6, b"")),
        session(lcp, control(8, n16(ipv6cp) + control(1, option(1, bytes(8))))),
        session(lcp, control(12, magic + b"ident")),
        session(lcp, control(13, magic + n32(60) + b"left")),
        session(lcp, control(7, control(99, b"xx"))),
        session(lcp, control(11, magic + b"dd")),
        session(ipcp, control(1, addresses)),
        session(ipcp, control(3, older)),
        session(ipv6cp, control(1, option(1, octets("020000fffe000001")))),
        session(ccp, control(1, compression)),
        session(ccp, control(14, b"")),
        session(pap, control(1, b"\x04user\x06secret")),
        session(pap, control(2, b"\x07welcome")),
        session(pap, control(3, b"\x02no")),
        session(chap, control(1, value + b"server")),
        session(chap, control(2, value + b"client")),
        session(chap, control(3, b"hi")),
        session(chap, control(4, b"")),
        session(0x0021, INNER),
        session(0x0057, INNER6),
        session(0x0281, octets("00011140") + INNER),
        session(0x1234, b"abc"),
    ]


def ppp():
    return [
        octets("ff03 0021") + INNER,
        octets("21") + INNER,
        octets("0021") + INNER,
        octets("ff03 21") + INNER,
        octets("0f00 0800") + INNER,
        octets("8f00 0800") + INNER,
        octets("ff03 c021") + control(1, option(1, octets("05d4"))),
        octets("7eff03 0021") + INNER,
        octets("fe03 0021") + INNER,
        octets("ff03 003d c0000001 21") + INNER,
        octets("ff03 003d 80000002 21") + INNER[:20],
    ]


def arp_packet(operation, sender, sender_ip, target, target_ip, hardware=1, protocol=0x0800):
    sizes = bytes([len(sender), len(sender_ip)])
    head = n16(hardware) + n16(protocol) + sizes + n16(operation)
    return head + sender + sender_ip + target + target_ip


def arp():
    one, two, none = octets("c0000201"), octets("c0000202"), bytes(4)
    zero = bytes(6)

    def request(*fields, kind=0x0806, **others):
        return frame(kind, arp_packet(*fields, **others), destination=BROADCAST)

    return [
        request(1, MAC_A, one, zero, two) + bytes(18),
        request(2, MAC_B, two, MAC_A, one),
        request(1, MAC_A, one, zero, one),
        request(2, MAC_A, one, MAC_A, one),
        request(1, MAC_A, none, zero, two),
        request(1, MAC_A, one, BROADCAST, one),
        request(3, MAC_A, none, MAC_A, none, kind=0x8035),
        request(4, MAC_B, two, MAC_A, one, kind=0x8035),
        request(8, MAC_A, none, MAC_B, none),
        request(9, MAC_A, one, MAC_B, two),
        request(7, MAC_A, one, MAC_A, one),
        request(1, bytes(range(8)), one, bytes(8), two, hardware=24),
        request(1, b"", one, b"", two, hardware=257),
        request(1, MAC_A, bytes(16), zero, bytes(16), protocol=0x86DD),
        request(1, octets("0102"), one, octets("0304"), two, hardware=7),
        request(1, octets("0102030405"), one, octets("0203040506"), two),
        request(1, MAC_A, one, zero, one) + bytes(18) + octets("01020304"),
    ]


def cooked():
    def packet(kind, hardware, address, protocol, payload, length=None):
        size = len(address) if length is None else length
        head = n16(kind) + n16(hardware) + n16(size) + address.ljust(8, b"\0")
        return head + n16(protocol) + payload

    one = octets("c0000201")
    request = arp_packet(1, MAC_A, one, bytes(6), octets("c0000202"))
    return [
        packet(0, 1, MAC_A, 0x0800, INNER),
        packet(4, 1, MAC_A + octets("1234"), 0x86DD, INNER6, 6),
        packet(3, 772, bytes(6), 0x0800, INNER + bytes(4)),
        packet(0, 1, b"", 0x0800, INNER),
        packet(0, 512, b"", 0x0800, INNER),
        packet(0, 778, one, 0x0800, INNER),
        packet(0, 776, one, 0x0800, INNER),
        packet(0, 1, MAC_A, 0x0004, octets("aaaa03 000000 0800") + INNER),
        packet(0, 1, MAC_A, 0x1234, b"abcd"),
        packet(0, 32, bytes(8), 0x0800, INNER),
        packet(0, 1, MAC_A, 0x8100, octets("0005 0800") + INNER),
        packet(0, 65534, b"", 0x86DD, INNER6),
        packet(1, 1, MAC_A, 0x0806, request),
    ]


def cooked2():
    def packet(kind, hardware, address, protocol, payload, length=None):
        size = len(address) if length is None else length
        head = n16(protocol) + bytes(2) + n32(3) + n16(hardware) + bytes([kind, size])
        return head + address.ljust(8, b"\0") + payload

    return [
        packet(0, 1, MAC_A, 0x0800, INNER),
        packet(4, 1, MAC_A + octets("1234"), 0x86DD, INNER6, 6),
        packet(3, 772, bytes(6), 0x0800, INNER + bytes(4)),
        packet(0, 1, b"", 0x0800, INNER),
        packet(0, 778, octets("c0000201"), 0x0800, INNER),
        packet(0, 1, MAC_A, 0x0004, octets("aaaa03 000000 0800") + INNER),
    ]


def loopback():
    return [
        octets("02000000") + INNER,
        octets("1e000000") + INNER6,
        octets("00000002") + INNER,
        octets("0000001c") + INNER6,
        octets("18000000") + INNER6,
        octets("63000000") + b"xyz",
        octets("ff030021") + INNER,
        octets("00000800") + INNER,
    ]


def loopback_in_network_order():
    return [
        octets("00000002") + INNER,
        octets("0000001e") + INNER6,
        octets("00000018") + INNER6,
        octets("00000063") + b"abc",
    ]


def cisco_hdlc():
    return [
        octets("0f00 0800") + INNER,
        octets("8f00 86dd") + INNER6,
        octets("8f00 8035 00000000 c0000201 ffffff00 ffff"),
        octets("8f00 8035 00000001 c0000201 ffffff00 ffff"),
        octets("8f00 8035 00000002 00000005 00000004 ffff 0000 1234"),
        octets("8f00 8035 00000009 aa"),
        octets("0f00 8847 00011140") + INNER,
        octets("0f00 1234") + b"abc",
    ]


def ipsec():
    icv = bytes(range(12))
    return [
        in_ip(51, octets("04 04 0000 00001000 00000001") + icv + INNER),
        in_ip(51, octets("11 04 0000 00001000 00000002") + icv + INNER[20:]),
        in_ip(51, octets("29 04 0000 00001000 00000003") + icv + INNER6),
        in_ip(50, octets("00001000 00000001") + bytes(range(40))),
        in_udp(4500, octets("00001000 00000001") + bytes(range(40))),
        in_udp(4500, b"\xff"),
        in_ip(4, INNER),
        in_ip(41, INNER6),
        in_ip(97, octets("3000") + frame(0x0800, INNER)),
    ]


def gre():
    bridged = frame(0x0800, INNER)
    return [
        in_ip(47, octets("0000 0800") + INNER),
        in_ip(47, octets("b000 0800 1234 0000 00000007 00000009") + INNER),
        in_ip(47, octets("2000 6558 00000007") + bridged),
        in_ip(47, octets("0000 86dd") + INNER6),
        in_ip(47, octets("0000 8847 00011140") + INNER),
        in_ip(47, octets("3081 880b 0010 0004 00000001 00000002 ff03 0021") + INNER),
        in_ip(47, octets("2081 880b 0000 0004 00000002")),
        in_ip(47, octets("4000 0800 1111 0004 0001 00 04 c0000201 0000 00 00") + INNER),
        in_ip(47, octets("0000 883e 01 02 03 04") + INNER),
        in_ip(47, octets("0000 883e") + INNER),
        in_ip(47, octets("0000 4321") + b"abc"),
        in_ip(47, octets("1000 0800 00000005") + INNER),
        in_ip(47, octets("0007 0800") + INNER),
        in_ip(47, octets("0000 88be") + bridged),
        in_ip(47, octets("1000 88be 00000001 1001 2c05 00000007") + bridged),
        in_ip(47, octets("1000 22eb 00000001 2001 0405 0000000a 0007 800c") + bridged),
        in_ip(47, octets("0000 6558") + bridged + bytes(16)),
        in_ip(47, octets("0000 6558") + frame(0x8100, octets("0005 0800") + INNER) + bytes(20)),
    ]


def vxlan():
    bridged = frame(0x0800, INNER)
    return [
        in_udp(4789, octets("08000000 00002a00") + bridged),
        in_udp(4789, octets("88480123 00002a05") + frame(0x86DD, INNER6)),
        in_udp(4789, octets("00000000 00002a00") + bridged),
        in_udp(4789, octets("08000000 00002a00") + bridged + bytes(16)),
        in_udp(4790, octets("0c000001 00002a00") + INNER),
        in_udp(4790, octets("0c000002 00002a00") + INNER6),
        in_udp(4790, octets("0c000003 00002a00") + bridged),
        in_udp(4790, octets("0d000004 00002a00 0fc20201 000064fe") + INNER),
        in_udp(4790, octets("0c000005 00002a00 00011140") + INNER),
    ]


def geneve():
    bridged = frame(0x0800, INNER)
    return [
        in_udp(6081, octets("0000 6558 00002a00") + bridged),
        in_udp(6081, octets("04c0 0800 00002a01 010280 01 aabbccdd 010303 00 010405 00") + INNER),
        in_udp(6081, octets("0240 0800 00002a01 010280 e1 aabbccdd") + INNER),
        in_udp(6081, octets("4000 6558 00002a00") + bridged),
        in_udp(6081, octets("0000 1234 00002a00") + b"abc"),
        in_udp(6081, octets("0000 86dd 00002a00") + INNER6),
    ]


def nsh():
    contexts = octets("00000001 00000002 00000003 00000004")
    bridged = frame(0x0800, INNER)
    return [
        frame(0x894F, octets("0fc60101 000064ff") + contexts + INNER),
        frame(0x894F, octets("0fc20203 000064fe") + bridged),
        frame(0x894F, octets("2fc50203 000064fe 0100 01 05 0102030405 000000") + bridged),
        frame(0x894F, octets("0fc20202 000064fe") + INNER6),
        frame(0x894F, octets("0fc20204 000064fe 0fc20201 000064fd") + INNER),
        frame(0x894F, octets("0fc20205 000064fe 00011140") + INNER),
        frame(0x894F, octets("0fc402fe 000064fe 0100 81 00 0102 02 00") + b"abc"),
    ]


def macsec():
    channel = MAC_A + octets("0001")
    icv = bytes(range(16))

    def packet(flags, short, number, rest):
        return frame(0x88E5, bytes([flags, short]) + n32(number) + rest)

    return [
        packet(0x2C, 0, 1, channel + bytes(range(60)) + icv),
        packet(0x20, 0, 2, channel + octets("0800") + INNER + icv),
        packet(0x00, 32, 3, octets("0800") + INNER + icv),
        packet(0x4F, 0, 3, bytes(range(60)) + icv),
        packet(0x10, 0, 1, octets("0800") + INNER + icv),
    ]


def gtp():
    def packet(flags, message, tunnel, body, options=b""):
        rest = options + body
        head = bytes([flags, message]) + n16(len(rest)) + n32(tunnel)
        return in_udp(2152, head + rest)

    return [
        packet(0x30, 255, 1, INNER),
        packet(0x32, 255, 1, INNER6, octets("00070000")),
        packet(0x34, 255, 1, INNER, octets("00000085 01100900")),
        packet(0x36, 255, 1, INNER, octets("00080085 01000900")),
        packet(0x32, 1, 0, b"", octets("00010000")),
        packet(0x32, 2, 0, octets("0e00"), octets("00020000")),
        packet(0x32, 26, 0, octets("1000000001 850004 c0000201"), octets("00030000")),
        packet(0x32, 26, 0, octets("1000000001 850010") + bytes(16), octets("00040000")),
        packet(0x32, 31, 0, octets("8d02 8540"), octets("00050000")),
        packet(0x30, 254, 1, b""),
        packet(0x34, 255, 1, INNER, octets("000000c0 01000500")),
        packet(0x34, 255, 1, INNER, octets("00000040 01086800")),
        packet(0x34, 255, 1, INNER, octets("00000020 01050085 01100900")),
        packet(0x35, 255, 1, INNER, octets("00001100")),
        packet(0x30, 255, 1, octets("12") + b"abc"),
        packet(0x34, 255, 1, INNER, octets("00000085 02010810 00000000")),
        packet(0x34, 255, 1, INNER, octets("000000ff 01aabb00")),
        in_udp(2152, b"no tunnel"),
    ]


def l2tp():
    def message(flags, tunnel, call, payload, length=True, numbers=None, offset=None):
        body = n16(tunnel) + n16(call)
        if numbers:
            body += n16(numbers[0]) + n16(numbers[1])
        if offset is not None:
            body += n16(offset) + bytes(offset)
        body += payload
        return n16(flags) + (n16(len(body) + 4) if length else b"") + body

    def attribute(kind, value, flags=0x8000, vendor=0):
        return n16(flags | (len(value) + 6)) + n16(vendor) + n16(kind) + value

    def request(call, *attributes):
        return in_udp(1701, message(0xC802, 5, call, b"".join(attributes), numbers=(1, 2)))

    def data(*fields, **others):
        return in_udp(1701, message(*fields, **others))

    def number(kind, value):
        return attribute(kind, n16(value))

    def long(kind, value):
        return attribute(kind, n32(value))

    start = [number(0, 1), attribute(2, octets("0100")), long(3, 3), long(4, 3)]
    start += [attribute(5, bytes(range(8))), number(6, 0x0690), attribute(7, b"access")]
    start += [attribute(8, b"vendor"), number(9, 7), number(10, 4), attribute(11, bytes(16))]
    reply = [number(0, 2), attribute(13, bytes(16)), attribute(1, octets("00020003") + b"err")]
    reply += [attribute(36, b"rand"), attribute(7, b"hid!", flags=0xC000)]
    call = [number(0, 10), number(14, 9), long(15, 5), long(16, 9600), long(17, 115200)]
    call += [long(18, 3), long(19, 3), attribute(21, b"called"), attribute(22, b"calling")]
    call += [attribute(23, b"sub"), long(24, 64000), long(25, 7), number(29, 2)]
    call += [attribute(30, b"user"), attribute(31, b"challenge"), number(32, 6)]
    call += [attribute(33, b"response")]
    end = [number(0, 14), number(1, 3), attribute(12, octets("0010 02") + b"q931")]
    end += [attribute(34, bytes(2) + bytes(range(24)))]
    end += [attribute(35, bytes(2) + octets("ffffffff 00000001")), attribute(37, b"group")]
    end += [long(38, 64000), attribute(39, b""), attribute(46, octets("0001 c021 01") + b"end")]
    three = octets("00000005 0001 0002") + number(0, 6)
    return [
        request(0, *start),
        request(0, *reply),
        request(0, number(0, 4), number(1, 1)),
        request(0, *call),
        request(9, *end),
        data(0xC802, 5, 0, b"", numbers=(3, 4)),
        data(0x0002, 5, 9, octets("ff03 0021") + INNER, length=False),
        data(0x4002, 5, 9, octets("ff03 0021") + INNER),
        data(0x4A02, 5, 9, octets("0021") + INNER, numbers=(1, 2), offset=2),
        data(0x0802, 5, 9, octets("ff03 c021 0901 0008 00000000"), length=False, numbers=(1, 2)),
        in_udp(1701, n16(0xC803) + n16(len(three) + 4) + three),
        in_ip(115, bytes(4) + n16(0xC803) + n16(len(three) + 4) + three),
        in_udp(1701, octets("0009") + b"no tunnel"),
    ]


def eapol():
    def packet(kind, body, version=2):
        return frame(0x888E, bytes([version, kind]) + n16(len(body)) + body)

    def eap(code, identifier, body=b""):
        return packet(0, bytes([code, identifier]) + n16(len(body) + 4) + body)

    def key(information, data=b"", kind=2):
        body = bytes([kind]) + n16(information) + n16(16) + struct.pack(">Q", 1)
        body += bytes(range(32)) + bytes(32) + bytes(range(16)) + n16(len(data)) + data
        return packet(3, body)

    rsn = octets("3014 0100 000fac04 0100 000fac04 0100 000fac02 0000")
    rc4 = octets("01 000d 0000000000000001") + bytes(range(16)) + b"\x81" + bytes(range(16))
    return [
        packet(1, b"", 1),
        packet(2, b""),
        eap(1, 1, b"\x01hello"),
        eap(2, 1, b"\x01user@example.org"),
        eap(1, 2, b"\x04\x10" + bytes(range(16)) + b"server"),
        eap(2, 2, b"\x03\x0d"),
        eap(1, 3, b"\x0d\x20"),
        eap(2, 3, b"\x0d\x80\0\0\0\5abcde"),
        eap(3, 3),
        eap(4, 3),
        eap(1, 4, b"\xfe\0\0\x39\x39\0\0\0\1abc"),
        eap(1, 5, b"\x02note"),
        eap(1, 6, b"\x19\x20"),
        eap(2, 7, b"\x15\0abcde"),
        key(0x008A),
        key(0x010A, rsn),
        key(0x13CA, bytes(range(56))),
        key(0x030A),
        packet(3, rc4 + bytes(range(13))),
        packet(4, b"\1\2\3"),
    ]


def slow():
    side = octets("8000") + MAC_A
    head = octets("0101 0114") + side + octets("0001 8000 0001 3d 000000")
    head += octets("0214") + side + octets("0002 8000 0002 45 000000")
    lacp = head + octets("0310 0000") + bytes(12) + bytes(2) + bytes(50)
    marker = octets("0116 0001") + MAC_A + octets("00000007 0000 0000") + bytes(90)
    return [
        frame(0x8809, lacp),
        frame(0x8809, octets("0201") + marker),
        frame(0x8809, octets("0201 02") + marker[1:]),
        frame(0x8809, b"\x63abc"),
        frame(0x8809, lacp[:30]),
    ]


def stp():
    llc_header = octets("424203")
    root, bridge, region = "8001 00005e005301", "9064 00005e005302", "8000 00005e005303"

    def bpdu(version, kind, flags, times="0100 1400 0200 0f00"):
        head = bytes([0, 0, version, kind, flags])
        return head + octets(root + "00000004" + bridge + "8001" + times)

    def trees(count):
        tree = octets("7c 8001 00005e005304 000003e8 80 10 13")
        head = b"\0" + n16(64 + 16 * count) + b"\0" + b"region".ljust(32, b"\0") + n16(1)
        return head + bytes(range(16)) + n32(20000) + octets(region) + b"\x14" + tree * count

    def cisco(payload):
        return length_frame(octets("aaaa03 00000c 010b") + payload, octets("01000ccccccd"))

    return [
        length_frame(llc_header + bpdu(0, 0, 0)),
        length_frame(llc_header + octets("00000080")),
        length_frame(llc_header + bpdu(0, 0, 0x81)),
        length_frame(llc_header + bpdu(2, 2, 0x3C) + b"\0"),
        length_frame(llc_header + bpdu(2, 2, 0x7E) + bytes(9)),
        length_frame(llc_header + bpdu(3, 2, 0x7C) + trees(0)),
        length_frame(llc_header + bpdu(3, 2, 0x7C) + trees(2)),
        length_frame(llc_header + bpdu(0, 0, 0) + bytes(8)),
        length_frame(llc_header + octets("00000055")),
        cisco(bpdu(2, 2, 0x3C) + b"\0" + octets("0000 0002 0064")),
        length_frame(llc_header + bpdu(0, 0, 0, "0101 1480 0201 0f03")),
        length_frame(llc_header + bpdu(2, 2, 0x3C)),
    ]


def element(kind, value=b""):
    return n16((kind << 9) | len(value)) + value


def discovery(*elements, padding=0):
    body = b"".join(elements) + element(0) + bytes(padding)
    return frame(0x88CC, body, destination=octets("0180c200000e"))


def organisation(oui, subtype, value):
    return element(127, octets(oui) + bytes([subtype]) + value)


def media(subtype, value):
    return organisation("0012bb", subtype, value)


STATION = [element(1, b"\4" + MAC_A), element(2, b"\5eth0"), element(3, n16(120))]


def lldp():
    def bridging(subtype, text, more=b""):
        return organisation("0080c2", subtype, octets(text) + more)

    def ether(subtype, text):
        return organisation("00120f", subtype, octets(text))

    short = element(3, n16(1))
    groups = bytes(4) + bytes(range(8)) + octets("0002" * 4)
    control_feature = octets("020a 0000 00000001 00000001")
    priority_groups = octets("0411 0000 80 00 01234567 0a0a0a0a0a0a1e0a 08")
    flow_control = octets("0606 0000 c000 08 08")
    application = octets("080a 0000 80 00 8906 001b21 08")
    return [
        discovery(
            *STATION,
            element(4, b"port description"),
            element(5, b"system"),
            element(6, b"System 1"),
            element(7, octets("0014 0014")),
        ),
        discovery(
            *STATION,
            element(8, octets("05 01 c0000201 02 00000003 00")),
            element(8, octets("11 02") + INNER6[8:24] + octets("01 00000004 08 2b06010401095901")),
            element(8, octets("07 06") + MAC_A + octets("03 00000000 00")),
        ),
        discovery(
            element(1, b"\5\1" + octets("c0000201")),
            element(2, b"\4\1" + octets("c0000202")),
            short,
        ),
        discovery(element(1, b"\7local"), element(2, b"\3" + MAC_A), short),
        discovery(element(1, b"\1chassis"), element(2, b"\7seven"), short, padding=22),
        discovery(element(1, b"\1chassis"), element(2, b"\7seven"), short, padding=32),
        discovery(element(1, b"\5\2" + bytes(16)), element(2, b"\4\2" + bytes(16)), short),
        discovery(element(1, b"\6eth1"), element(2, b"\1alias"), short),
        discovery(
            *STATION,
            bridging(1, "0064"),
            bridging(2, "060065"),
            bridging(3, "0064 05", b"vlan5"),
            bridging(4, "08 0026424203000000"),
            bridging(5, "00000003"),
            bridging(6, "0001"),
            bridging(7, "0300000007"),
        ),
        discovery(
            *STATION,
            bridging(8, "ff00"),
            bridging(9, "c2", groups),
            bridging(10, "02", groups),
            bridging(11, "8808"),
            bridging(12, "00 620cbc"),
        ),
        discovery(
            *STATION,
            ether(1, "03 6c11 0010"),
            ether(2, "070104"),
            ether(2, "0f0204 51 0082 0081"),
            ether(3, "0300000005"),
            ether(4, "05ee"),
            ether(5, "0011 0011 0011 0011 0011"),
            ether(7, "001f"),
        ),
        discovery(
            *STATION,
            media(1, octets("003f 04")),
            media(2, octets("01 40 6528")),
            media(3, b"\x03911"),
            media(4, octets("53 003c")),
        ),
        discovery(
            *STATION,
            media(5, b"hw1"),
            media(6, b"fw1"),
            media(7, b"sw1"),
            media(8, b"sn1"),
            media(9, b"maker"),
            media(10, b"model"),
            media(11, b"asset"),
            media(77, b"x"),
        ),
        discovery(
            *STATION,
            organisation("aabbcc", 5, b"stuff"),
            element(100, b"reserved"),
            organisation("00005e", 1, b"https://example.com/mud"),
        ),
        discovery(
            *STATION,
            organisation(
                "001b21", 2, control_feature + priority_groups + flow_control + application
            ),
        ),
        discovery(*STATION)[:30],
    ]


def lldp_location():
    return [
        discovery(
            *STATION,
            media(3, octets("02 0b 02 5553 01 02 4341 06 03 616263")),
            media(3, octets("01 0600000000 0600000000 1200000000 01")),
        ),
    ]


# Of each field of radiotap: to what it is aligned.
ALIGNMENTS = {
    0: 8, 1: 1, 2: 1, 3: 2, 4: 1, 5: 1, 6: 1, 7: 2, 8: 2, 9: 2, 10: 1, 11: 1, 12: 1, 13: 1,
    14: 2, 15: 2, 16: 1, 17: 1, 18: 4, 19: 1, 20: 4, 21: 2, 22: 8, 23: 2, 24: 2, 26: 1, 27: 2,
}


def radiotap_header(fields, *further):
    words = [fields, *further]
    start = 4 + 4 * len(words)
    present, data = b"", b""
    for index, word in enumerate(words):
        bits = sum(1 << bit for bit in word)
        if index + 1 < len(words):
            bits |= (1 << 31) | (1 << 29)
        present += struct.pack("<I", bits)
        for bit, value in sorted(word.items()):
            data += bytes(-(start + len(data)) % ALIGNMENTS[bit]) + octets(value)
    return struct.pack("<BBH", 0, 0, start + len(data)) + present + data


def radiotap():
    ack = octets("d4000000 020000000001")
    addresses = MAC_A + MAC_B + MAC_C + octets("1000")
    llc_header = octets("aaaa03 000000 0800")
    data = octets("0801 2c00") + addresses + llc_header + INNER
    padded = octets("8801 2c00") + addresses + octets("0000 0000") + llc_header + INNER
    common = {0: "0102030405060708", 1: "10", 2: "0b", 3: "6c09 a000", 5: "d0", 6: "a1"}
    common |= {7: "2a00", 11: "01", 14: "0000"}
    older = {4: "0506", 8: "0100", 9: "0200", 10: "14", 12: "20", 13: "10", 15: "1800"}
    older |= {16: "03", 17: "04"}
    return [
        radiotap_header({}) + ack,
        radiotap_header(common) + ack + octets("11223344"),
        radiotap_header({1: "02", 2: "02", 3: "3c14 4001", 5: "c4"}) + ack,
        radiotap_header(older) + ack,
        radiotap_header({18: "40010100 3c14 24 14", 19: "271504"}) + ack,
        radiotap_header({19: "ffff0f", 20: "4d000000 1400 ab 00"}) + ack,
        radiotap_header({20: "4d000000 ff00 ab 00"}) + ack,
        radiotap_header({21: "ff01 05 04 92000000 01 3f 0102"}) + ack,
        radiotap_header({22: "15cd5b0700000000 0a00 21 03", 3: "8509 8004"}) + ack,
        radiotap_header({23: "ffff ff7f 3412 0000 8500 0200"}) + ack,
        radiotap_header({5: "d0"}, {5: "c0", 11: "00"}, {5: "bf", 11: "01"}) + ack,
        radiotap_header({1: "20", 2: "6c"}) + padded,
        radiotap_header({1: "50"}) + data + octets("deadbeef"),
        radiotap_header({27: "0300 3b04"}) + ack,
        radiotap_header({24: "ffff0000 0000000000000000"}) + ack,
    ]


def wireless(control, flags=0, first=MAC_A, second=MAC_B, third=MAC_C):
    return bytes([control, flags]) + octets("2c00") + first + second + third + octets("1000")


HT_CAPABILITIES = octets("ef01 17 ffff0000 00000000 00000000 00000000 0000 00000000 00")
RSN = octets("0100 000fac04 0100 000fac04 0100 000fac02 8000")


def wlan_management():
    fixed = octets("0102030405060708 6400 1104")
    rates = tlv(1, octets("82848b960c121824"))
    name = tlv(0, b"example")
    wmm = octets("0050f2 02 01 01 00 00 03a40000 27a40000 42435e00 62322f00")
    wpa = octets("0050f2 01 0100 0050f202 0100 0050f202 0100 0050f202")
    vht = octets("b279830f aaff0000 aaff0020")
    elements = [
        name,
        rates,
        tlv(3, b"\x06"),
        tlv(5, octets("00010000")),
        tlv(7, b"US " + octets("010b1e")),
        tlv(42, b"\0"),
        tlv(48, RSN),
        tlv(50, octets("3048606c")),
        tlv(45, HT_CAPABILITIES),
        tlv(61, octets("06 08 0400 0000") + bytes(16)),
        tlv(127, octets("0400080000000040")),
        tlv(221, wmm),
    ]
    more = [
        name,
        tlv(11, octets("0300 55 0000")),
        tlv(32, b"\x03"),
        tlv(33, octets("0211")),
        tlv(35, octets("1105")),
        tlv(36, octets("2404")),
        tlv(37, octets("000b03")),
        tlv(40, octets("0001 0000 0000")),
        tlv(54, octets("1234 01")),
        tlv(70, octets("7200000000")),
        tlv(191, vht),
        tlv(192, octets("01 2a 00 fcff")),
        tlv(221, wpa),
        tlv(221, octets("001018 02 0000 1c0000")),
    ]
    return [
        wireless(0x80, 0, BROADCAST, MAC_B, MAC_B) + fixed + b"".join(elements),
        wireless(0x50, 0, MAC_A, MAC_B, MAC_B) + fixed + b"".join(more),
        wireless(0x40, 0, BROADCAST, MAC_A, BROADCAST)
        + tlv(0)
        + tlv(1, octets("02040b16"))
        + tlv(45, HT_CAPABILITIES),
        wireless(0x00) + octets("3104 0a00") + name + rates + tlv(48, RSN),
        wireless(0x10) + octets("3104 0000 01c0") + rates,
        wireless(0x20) + octets("3104 0a00") + MAC_C + name,
        wireless(0xB0) + octets("0000 0100 0000"),
        wireless(0xB0) + octets("0100 0200 0000") + tlv(16, bytes(128)),
        wireless(0xB0) + octets("0300 0100 0000 1300") + bytes(range(96)),
        wireless(0xA0) + octets("0300"),
        wireless(0xC0) + octets("0700"),
        wireless(0x90),
        wireless(0xD0) + octets("03 00 01 0210 0000 1000"),
        wireless(0xD0) + octets("03 01 01 0000 0210 0000"),
        wireless(0xD0) + octets("03 02 0008 0100"),
        wireless(0xD0) + octets("7f 0018fe") + b"abc",
        wireless(0xC0, 0x40) + octets("0100002001000000") + bytes(range(26)),
    ]


def wlan():
    pair = MAC_A + MAC_B
    llc_header = octets("aaaa03 000000 0800")
    data = llc_header + INNER
    return [
        octets("b400 2c00") + pair,
        octets("c400 2c00") + MAC_A,
        octets("d400 0000") + MAC_A,
        octets("a400 01c0") + pair,
        octets("8400 0000") + pair + octets("0400 1000"),
        octets("9400 0000") + pair + octets("0500 1000") + bytes(range(8)),
        octets("e400 0000") + pair,
        octets("f400 0000") + pair,
        wireless(0x08, 0x01) + data,
        wireless(0x08, 0x02) + data,
        wireless(0x08, 0x00) + data,
        wireless(0x08, 0x03) + octets("00005e005304") + data,
        wireless(0x88, 0x01) + octets("0500") + data,
        wireless(0x88, 0x01) + octets("1507") + data,
        wireless(0x88, 0x02) + octets("1700") + data,
        wireless(0x88, 0x02) + octets("0776") + data,
        wireless(0xC8, 0x11) + octets("0600"),
        wireless(0x48, 0x11),
        wireless(0x88, 0x41) + octets("0000 0100002001000000") + bytes(range(40)),
        wireless(0x08, 0x42) + octets("01020300") + bytes(range(30)),
        wireless(0x88, 0x42) + octets("0000 01210320 04000000") + bytes(range(40)),
        wireless(0x88, 0x82) + octets("0000 01020304") + data,
        wireless(0x88, 0x02) + octets("8000") + pair + n16(len(data)) + data,
        wireless(0x08, 0x06) + data,
        wireless(0x08, 0x01) + octets("f0f0ff") + b"abc",
    ]


CAPTURES = [
    ("ethernet", ETHERNET, ethernet),
    ("llc", ETHERNET, llc),
    ("vlan", ETHERNET, vlan),
    ("mpls", ETHERNET, mpls),
    ("pppoe-discovery", ETHERNET, pppoe_discovery),
    ("ppp-control", ETHERNET, ppp_control),
    ("ppp", 9, ppp),
    ("ppp-hdlc", 50, ppp),
    ("arp", ETHERNET, arp),
    ("lldp", ETHERNET, lldp),
    ("lldp-location", ETHERNET, lldp_location),
    ("stp", ETHERNET, stp),
    ("cooked", 113, cooked),
    ("cooked2", 276, cooked2),
    ("raw", 101, lambda: [INNER, INNER6]),
    ("raw12", 12, lambda: [INNER, INNER6]),
    ("raw14", 14, lambda: [INNER]),
    ("raw-ipv4", 228, lambda: [INNER]),
    ("raw-ipv6", 229, lambda: [INNER6]),
    ("null", 0, loopback),
    ("loop", 108, loopback_in_network_order),
    ("cisco-hdlc", 104, cisco_hdlc),
    ("radiotap", 127, radiotap),
    ("wlan", 105, wlan),
    ("wlan-management", 105, wlan_management),
    ("eapol", ETHERNET, eapol),
    ("slow", ETHERNET, slow),
    ("macsec", ETHERNET, macsec),
    ("ipsec", ETHERNET, ipsec),
    ("gre", ETHERNET, gre),
    ("vxlan", ETHERNET, vxlan),
    ("geneve", ETHERNET, geneve),
    ("nsh", ETHERNET, nsh),
    ("gtp", ETHERNET, gtp),
    ("l2tp", ETHERNET, l2tp),
]


def main(folder):
    for name, link_type, frames in CAPTURES:
        write(folder, name, link_type, frames())


main(sys.argv[1])
