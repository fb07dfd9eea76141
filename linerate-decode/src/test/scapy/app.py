"""Writes the captures of application protocols into a folder: /usr/bin/python3 app.py FOLDER"""

import struct
import sys

from scapy.layers.inet import IP, TCP, UDP
from scapy.layers.l2 import Ether
from scapy.packet import Raw
from scapy.utils import wrpcap

TIME = 1_700_000_000
CLIENT = "192.0.2.1"
SERVER = "198.51.100.2"


def ether():
    return Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02")


def udp(sport, dport, payload, dst=SERVER):
    return ether() / IP(src=CLIENT, dst=dst) / UDP(sport=sport, dport=dport) / Raw(payload)


def tcp(sport, dport, payload, seq=1):
    return ether() / IP(src=CLIENT, dst=SERVER) / TCP(sport=sport, dport=dport, flags="PA", seq=seq, ack=1) / Raw(payload)


def u8(*values):
    return struct.pack("!%dB" % len(values), *values)


def u16(*values):
    return struct.pack("!%dH" % len(values), *values)


def u32(*values):
    return struct.pack("!%dI" % len(values), *values)


def pre8(data):
    """Bytes behind a length of one byte."""
    return u8(len(data)) + data


def pre16(data):
    return u16(len(data)) + data


def pre24(data):
    return u32(len(data))[1:] + data


# --- DNS: RFC 1035, section 4 ---


def name(text, end=b"\0"):
    return b"".join(pre8(label.encode()) for label in text.split(".") if label) + end


POINTER = u16(0xC00C)


def question(text, kind, rclass=1):
    return name(text) + u16(kind, rclass)


def record(kind, data, rclass=1, ttl=300, owner=POINTER):
    return owner + u16(kind, rclass) + u32(ttl) + pre16(data)


def dns(questions, answers=(), authority=(), additional=(), ident=0x1234, flags=0x8180):
    counts = u16(len(questions), len(answers), len(authority), len(additional))
    return u16(ident, flags) + counts + b"".join([*questions, *answers, *authority, *additional])


def dns_records():
    def answer(kind, *datas, **more):
        message = dns([question("www.example.com", kind)], [record(kind, data, **more) for data in datas])
        return udp(53, 40000, message)

    key = bytes(range(64))
    return [
        udp(40000, 53, dns([question("www.example.com", 1)], flags=0x0100)),
        answer(1, bytes([192, 0, 2, 33]), bytes([192, 0, 2, 34])),
        udp(53, 40000, dns(
            [question("www.example.com", 28)],
            [record(5, name("web", u16(0xC010))), record(28, bytes.fromhex("20010db8000000000000000000000001"), owner=u16(0xC02D))],
            [record(2, name("ns1", u16(0xC010)), owner=u16(0xC010)), record(2, name("ns2.example.net"), owner=u16(0xC010))],
            [record(1, bytes([192, 0, 2, 53]), owner=name("ns1", u16(0xC010))), record(41, b"", rclass=4096, ttl=0x8000, owner=b"\0")])),
        answer(6, name("ns1", u16(0xC010)) + name("hostmaster", u16(0xC010)) + u32(2024010101, 7200, 3600, 1209600, 300)),
        answer(12, name("host", u16(0xC010))),
        answer(13, pre8(b"AMD64") + pre8(b"LINUX")),
        answer(15, u16(10) + name("mx1", u16(0xC010)), u16(20) + b"\0"),
        answer(16, pre8(b"v=spf1 -all") + pre8(b"second, part"), pre8(b"")),
        udp(53, 40000, dns([question("_sip._udp.example.com", 33)], [
            record(33, u16(1, 5, 5060) + name("sip.example.com")),
            record(33, u16(1, 5, 5060) + name("sip.example.com"), owner=name("_a._tcp.b.c")),
            record(33, u16(1, 5, 5060) + name("sip.example.com"), owner=name("plain"))])),
        answer(35, u16(100, 50) + pre8(b"s") + pre8(b"SIP+D2U") + pre8(b"") + name("_sip._udp.example.com"),
               u16(100, 51) + pre8(b"u") + pre8(b"E2U+sip") + pre8(b"!^.*$!sip:info@example.com!") + b"\0"),
        answer(43, u16(60485) + u8(5, 1) + bytes(range(20)), u16(60485) + u8(8, 2) + bytes(range(32))),
        answer(46, u16(1) + u8(8, 3) + u32(86400, 1700086400, 1699913600) + u16(2642) + name("example.com") + key),
        answer(47, name("host.example.com") + u8(0, 6) + bytes.fromhex("400100000003") + u8(4, 2, 0x01, 0x80)),
        answer(50, u8(1, 1) + u16(12) + pre8(bytes.fromhex("aabbccdd")) + pre8(bytes(range(20))) + u8(0, 6) + bytes.fromhex("400100000003"),
               u8(1, 0) + u16(0) + pre8(b"") + pre8(bytes(range(20)))),
        answer(51, u8(1, 0) + u16(12) + pre8(bytes.fromhex("aabbccdd")), u8(1, 0) + u16(0) + pre8(b"")),
        answer(48, u16(0x0101) + u8(3, 8) + key, u16(0x0180) + u8(3, 13) + key, u16(0x0100) + u8(3, 1) + key),
        answer(52, u8(3, 1, 1) + bytes(range(32)), u8(1, 0, 0) + b"\x30\x03\x02\x01\x05"),
        answer(64, u16(1) + name("svc.example.com") + u16(0) + pre16(u16(1, 3)) + u16(1) + pre16(pre8(b"h2") + pre8(b"h3"))
               + u16(2) + pre16(b"") + u16(3) + pre16(u16(8443)) + u16(4) + pre16(bytes([192, 0, 2, 1, 192, 0, 2, 2]))
               + u16(5) + pre16(b"\x00\x01\x02") + u16(6) + pre16(bytes.fromhex("20010db8000000000000000000000001"))
               + u16(7) + pre16(b"/dns-query{?dns}") + u16(667) + pre16(b"hello")),
        answer(65, u16(0) + name("example.net"), u16(1) + b"\0" + u16(1) + pre16(pre8(b"h2"))),
        answer(257, u8(0) + pre8(b"issue") + b"ca.example.net", u8(128) + pre8(b"issuewild") + b";",
               u8(0) + pre8(b"iodef") + b"mailto:a@example.com", u8(0) + pre8(b"other") + b"x"),
    ]


def dns_more():
    def answer(kind, *datas, **more):
        message = dns([question("www.example.com", kind)], [record(kind, data, **more) for data in datas])
        return udp(53, 40000, message)

    key = bytes(range(64))
    options = [
        (1, b"\0" * 18), (3, b"ns1.example"), (5, u8(8, 13)), (6, u8(1, 2)), (7, u8(1)),
        (8, u16(1) + u8(24, 0) + bytes([192, 0, 2])), (8, u16(2) + u8(56, 0) + bytes.fromhex("20010db8000001")),
        (8, u16(1) + u8(0, 0)), (9, u32(86400)), (10, bytes(range(8))), (10, bytes(range(24))), (11, b""), (11, u16(100)),
        (12, bytes(12)), (13, name("example.com")), (14, u16(4711)), (15, u16(18) + b"Prohibited"), (15, u16(22)),
        (16, b"x"), (65001, b"\x01\x02"),
    ]
    opt = b"".join(u16(code) + pre16(data) for code, data in options)
    tsig = name("hmac-sha256") + u16(0) + u32(1700000000) + u16(300) + pre16(key[:32]) + u16(0x1234, 0) + pre16(b"")
    return [
        udp(53, 40000, dns([question("example.com", 1)], [], [], [record(41, opt, rclass=1232, ttl=0x01008000, owner=b"\0")])),
        udp(40000, 53, dns([question("example.com", 6)], [], [], [record(250, tsig, rclass=255, ttl=0, owner=name("key.example"))], flags=0)),
        udp(40000, 53, dns([question("example.com", 6)], [record(1, b"", rclass=254, ttl=0)], [record(1, bytes([192, 0, 2, 9]))], flags=0x2800)),
        udp(53, 40000, dns([question("example.com", 1)], flags=0x8583)),
        answer(29, bytes.fromhex("0012161389173a3b70be15f000989680")),
        answer(44, u8(1, 1) + bytes(range(20)), u8(4, 2) + bytes(range(32))),
        answer(37, u16(1, 12345) + u8(8) + key),
        answer(39, name("example.net")),
        answer(42, u16(1) + u8(24, 3) + bytes([192, 0, 2]), u16(2) + u8(32, 0x84) + bytes.fromhex("20010db8")),
        answer(49, bytes(range(35))),
        answer(45, u8(10, 1, 2) + bytes([192, 0, 2, 38]) + key, u8(10, 3, 2) + name("gw.example.com") + key,
               u8(10, 0, 2) + key, u8(10, 2, 2) + bytes.fromhex("20010db8000000000000000000000001") + key),
        answer(25, u16(0x0100) + u8(3, 5) + key),
        answer(11, bytes([192, 0, 2, 1]) + u8(6) + bytes.fromhex("0000004000800000")),
        answer(14, name("a.example") + name("b.example")),
        answer(17, name("mail.example") + name("text.example")),
        answer(18, u16(1) + name("afs.example")),
        answer(19, pre8(b"311061700956")),
        answer(20, pre8(b"150862028003217") + pre8(b"004")),
        answer(21, u16(2) + name("relay.example")),
        answer(99, pre8(b"v=spf1 ~all")),
        answer(108, bytes.fromhex("00005efffe00")[:6]),
        answer(109, bytes.fromhex("00005eefff000001")),
        answer(62, u32(66, 3)[:4] + u16(3) + u8(0, 4, 0x60, 0, 0, 8)),
        answer(63, u32(2018031500) + u8(1, 1) + key[:48]),
        answer(104, u16(10) + key[:8]),
        answer(105, u16(10) + key[:4]),
        answer(107, u16(10) + name("l64.example")),
        answer(36, u16(10) + name("kx.example")),
        answer(65280, b"\x01\x02\x03"),
    ]


def dns_streams():
    query = dns([question("www.example.com", 1)], flags=0x0100)
    reply = dns([question("www.example.com", 1)], [record(1, bytes([192, 0, 2, 33]))])
    return [
        tcp(40000, 53, pre16(query)),
        tcp(53, 40000, pre16(reply) + pre16(reply)),
        tcp(53, 40000, pre16(reply)[:40], seq=103),
        udp(5353, 5353, dns([question("host.local", 255, 0x8001)], [record(1, bytes([192, 0, 2, 7]), ttl=120)], ident=0, flags=0), dst="224.0.0.251"),
        udp(5353, 5353, dns([], [record(12, name("printer._ipp._tcp.local"), rclass=1, ttl=4500, owner=name("_ipp._tcp.local")),
                                 record(33, u16(0, 0, 631) + name("host.local"), rclass=0x8001, owner=name("printer._ipp._tcp.local")),
                                 record(16, pre8(b"txtvers=1"), rclass=0x8001, owner=name("printer._ipp._tcp.local")),
                                 record(47, u16(0xC00C) + u8(0, 4, 0x40, 0, 0, 8), rclass=0x8001, owner=name("host.local"))], ident=0, flags=0x8400),
            dst="224.0.0.251"),
        udp(50000, 5355, dns([question("host", 28)], ident=7, flags=0x0100), dst="224.0.0.252"),
        udp(5355, 50000, dns([question("host", 1)], [record(1, bytes([192, 0, 2, 8]), ttl=30)], ident=7, flags=0x8500)),
    ]


def malformed_dns():
    loop = u16(1, 0x8180, 1, 1, 0, 0) + u16(0xC00C) + u16(1, 1)
    return [
        udp(53, 40000, loop),
        udp(53, 40000, dns([question("www.example.com", 1)], [record(1, bytes([192, 0, 2]))])),
        udp(53, 40000, dns([question("www.example.com", 6)], [record(6, name("a") + u8(9))])),
        udp(53, 40000, dns([question("www.example.com", 1)], [record(5, u16(0xFFFF))])),
        udp(53, 40000, dns([question("www.example.com", 1)], [record(16, u8(200) + b"short")])),
        udp(53, 40000, u16(1, 0x8180, 9, 9, 9, 9) + question("example.com", 1)),
        udp(53, 40000, u16(1, 0x8180, 1)),
        udp(53, 40000, dns([b"\x81a" + u16(1, 1)])),
    ]


# --- DHCP: RFC 2131, section 2; RFC 2132 ---

MAC = bytes.fromhex("020000000001")
COOKIE = bytes.fromhex("63825363")


def option(code, data):
    return u8(code) + pre8(data)


def ip(*last):
    return b"".join(bytes([192, 0, 2, number]) for number in last)


def dhcp(kind, options, op=1, flags=0, sname=b"", file=b"", yours=b"\0\0\0\0", hops=0):
    head = u8(op, 1, 6, hops) + u32(0x3903F326) + u16(4, flags) + bytes(4) + yours + ip(1) + bytes(4)
    names = MAC + bytes(10) + sname.ljust(64, b"\0") + file.ljust(128, b"\0")
    return head + names + COOKIE + option(53, u8(kind)) + options + b"\xff"


def dhcp_messages():
    requests = option(61, u8(1) + MAC) + option(12, b"client") + option(55, u8(1, 3, 6, 15, 51, 54, 121))
    offer = (option(54, ip(1)) + option(51, u32(3600)) + option(58, u32(1800)) + option(59, u32(3150)) + option(1, bytes([255, 255, 255, 0]))
             + option(3, ip(1)) + option(6, ip(2, 3)) + option(15, b"example.com") + option(28, ip(255)) + option(26, u16(1500)) + b"\0\0")
    agent = option(82, option(1, b"eth0/1") + option(2, b"\x00\x01\x02") + option(5, ip(0)) + option(6, b"subscriber") + option(9, u32(9) + pre8(b"ab"))
                   + option(10, u8(0x80)) + option(11, ip(7)) + option(152, b"") + option(200, b"zz"))
    # RFC 2132, section 3
    vendor = (option(2, struct.pack("!i", -3600)) + option(4, ip(1)) + option(5, ip(2)) + option(7, ip(3)) + option(8, ip(4)) + option(9, ip(5))
              + option(10, ip(6)) + option(11, ip(7)) + option(13, u16(64)) + option(14, b"dump") + option(16, ip(8)) + option(17, b"/root")
              + option(18, b"/ext") + option(19, u8(1)) + option(20, u8(0)) + option(21, ip(0) + bytes([255, 255, 255, 0])) + option(22, u16(576))
              + option(23, u8(64)) + option(24, u32(600)) + option(25, u16(68, 1500)) + option(27, u8(1)) + option(29, u8(1)) + option(30, u8(0))
              + option(31, u8(1)) + option(32, ip(9)) + option(33, ip(9, 1)) + option(34, u8(0)) + option(35, u32(60)) + option(36, u8(0))
              + option(37, u8(64)) + option(38, u32(120)) + option(39, u8(1)))
    services = (option(40, b"nis") + option(41, ip(1)) + option(42, ip(2)) + option(44, ip(3)) + option(45, ip(4)) + option(46, u8(8)) + option(47, b"scope")
                + option(48, ip(5)) + option(49, ip(6)) + option(64, b"nisplus") + option(65, ip(7)) + option(66, b"tftp.example.com") + option(67, b"boot.img")
                + option(68, ip(8)) + option(69, ip(9)) + option(70, ip(10)) + option(71, ip(11)) + option(72, ip(12)) + option(73, ip(13)) + option(74, ip(14))
                + option(75, ip(15)) + option(76, ip(16)) + option(150, ip(17, 18)) + option(138, ip(19)) + option(136, ip(20)) + option(118, ip(0)))
    other = (option(50, ip(33)) + option(52, u8(3)) + option(56, b"no") + option(57, u16(1500)) + option(60, b"MSFT 5.0") + option(61, u8(255) + u32(7) + u16(1, 1) + u32(1000) + MAC)
             + option(77, pre8(b"user") + pre8(b"two")) + option(80, b"") + option(81, u8(1, 255, 255) + b"client.example.com") + option(81, u8(4, 0, 0) + name("client.example.com"))
             + option(90, u8(1, 1, 0) + bytes(8) + u32(5) + bytes(16)) + option(91, u32(99)) + option(92, ip(44)) + option(93, u16(7)) + option(94, u8(1, 3, 16)) + option(97, u8(0) + bytes(range(16)))
             + option(100, b"CET-1") + option(101, b"Europe/Berlin") + option(116, u8(1)) + option(114, b"https://p.example.com") + option(119, name("example.com") + name("sub", u16(0xC000)))
             + option(120, u8(1) + ip(50)) + option(121, u8(24) + bytes([198, 51, 100]) + ip(1) + u8(0) + ip(2)) + option(124, u32(32473) + pre8(b"class"))
             + option(125, u32(32473) + pre8(option(1, b"oui"))) + option(43, option(1, ip(5)) + option(6, u8(3))) + option(161, b"https://mud.example.com") + option(252, b"http://wpad/") + option(249, u8(8, 10) + ip(3)) + option(224, b"\x01\x02"))
    return [
        udp(68, 67, dhcp(1, requests, flags=0x8000), dst="255.255.255.255"),
        udp(67, 68, dhcp(2, offer, op=2, yours=ip(33), file=b"boot.img", sname=b"server")),
        udp(67, 67, dhcp(3, requests + option(50, ip(33)) + agent, hops=1)),
        udp(67, 68, dhcp(5, vendor, op=2)),
        udp(67, 68, dhcp(5, services, op=2)),
        udp(67, 68, dhcp(5, other, op=2)),
        udp(67, 68, dhcp(6, option(56, b"refused") + option(120, u8(0) + name("sip.example.com")), op=2)),
        udp(68, 67, dhcp(8, option(61, u8(0) + b"name"))),
    ]


def dhcp_malformed():
    whole = dhcp(1, option(12, b"client") + option(55, u8(1, 3)))
    return [
        udp(68, 67, whole[:200]),
        udp(68, 67, whole[:244]),
        udp(68, 67, whole[:243] + u8(12, 200) + b"short"),
        udp(68, 67, dhcp(1, option(1, b"\xff") + option(51, b"\0") + option(3, b"abc") + option(6, b""))),
        udp(68, 67, dhcp(1, option(82, u8(1, 9) + b"x"))),
        udp(67, 68, dhcp(2, b"", op=2)[:236]),
    ]


# --- DHCPv6: RFC 8415, section 8 ---


def option6(code, data):
    return u16(code) + pre16(data)


def ip6(last):
    return bytes.fromhex("20010db8") + bytes(10) + u16(last)


DUID_TIME = u16(1, 1) + u32(757382400) + MAC


def dhcpv6(kind, options, xid=0xABCDEF):
    return u8(kind) + u32(xid)[1:] + options


def dhcpv6_messages():
    address = option6(5, ip6(0x33) + u32(3600, 7200))
    prefix = option6(26, u32(3600, 7200) + u8(56) + ip6(0))
    solicit = (option6(1, DUID_TIME) + option6(6, u16(23, 24, 17)) + option6(8, u16(10)) + option6(14, b"") + option6(3, u32(0x01020304, 0, 0))
               + option6(25, u32(1, 100, 200)) + option6(39, u8(1) + name("client.example.com")))
    reply = (option6(1, u16(3, 1) + MAC) + option6(2, u16(2) + u32(32473) + b"\x01\x02\x03") + option6(7, u8(255)) + option6(3, u32(1, 1800, 2880) + address)
             + option6(25, u32(1, 1800, 2880) + prefix + option6(13, u16(0))) + option6(4, u32(9) + option6(5, ip6(0x44) + u32(1, 2) + option6(13, u16(0) + b"fine")))
             + option6(23, ip6(0x53) + ip6(0x54)) + option6(24, name("example.com") + name("example.net")) + option6(13, u16(2) + b"no addresses")
             + option6(12, ip6(2)) + option6(39, u8(6) + name("a.example")) + option6(39, u8(1) + name("part", b"")) + option6(31, ip6(3)) + option6(32, u32(86400)) + option6(82, u32(60)) + option6(83, u32(3600)))
    other = (option6(1, u16(4) + bytes(range(16))) + option6(11, u8(3, 1, 0) + bytes(8) + u8(1) + bytes(16)) + option6(15, pre16(b"user") + pre16(b"two"))
             + option6(16, u32(32473) + pre16(b"class")) + option6(17, u32(32473) + option6(1, b"value")) + option6(18, b"eth0") + option6(19, u8(5)) + option6(20, b"")
             + option6(21, name("sip.example.com")) + option6(22, ip6(5)) + option6(27, ip6(6)) + option6(28, ip6(7)) + option6(29, name("nis.example.com")) + option6(30, name("nisp.example.com"))
             + option6(33, name("bcmcs.example.com")) + option6(34, ip6(8)) + option6(37, u32(32473) + b"remote") + option6(38, b"subscriber")
             + option6(40, ip6(9)) + option6(41, b"CET-1") + option6(42, b"Europe/Berlin") + option6(52, ip6(10)) + option6(64, name("aftr.example.com"))
             + option6(56, option6(1, ip6(11)) + option6(3, name("ntp.example.com"))) + option6(103, b"https://p.example.com") + option6(112, b"https://mud.example.com") + option6(65000, b"\x01\x02"))
    relayed = u8(12, 1) + ip6(1) + ip6(2) + option6(18, b"port1") + option6(37, u32(9) + b"\x01") + option6(9, dhcpv6(1, solicit)) + option6(79, u16(1) + MAC)
    return [
        udp(546, 547, dhcpv6(1, solicit)),
        udp(547, 546, dhcpv6(7, reply)),
        udp(547, 546, dhcpv6(7, other)),
        udp(547, 547, relayed),
        udp(547, 547, u8(13, 0) + ip6(1) + ip6(2) + option6(9, relayed)),
        udp(546, 547, dhcpv6(14, option6(44, u8(1) + ip6(0) + address))),
        udp(547, 546, dhcpv6(15, option6(45, option6(1, DUID_TIME) + address + option6(46, u32(60))) + option6(48, ip6(1)))),
        udp(546, 547, dhcpv6(1, solicit)[:30]),
        udp(546, 547, dhcpv6(1, option6(3, u32(1)) + option6(5, ip6(1)) + option6(8, b""))),
        udp(546, 547, dhcpv6(1, u16(1, 200) + b"short")),
    ]


# --- NTP: RFC 5905, section 7.3 ---


def ntp(first, stratum=2, key=b""):
    times = b"".join(u32(0xE8F7A700 + second, fraction) for second, fraction in ((0, 0), (1, 0x80000000), (2, 0x40000000), (3, 1)))
    return u8(first, stratum, 6, 0xEC) + u32(0x00000C00, 0x00012345) + bytes([192, 0, 2, 1]) + times + key


def ntp_messages():
    control = u8(0x16, 0x82) + u16(7, 0x0615, 0, 0, 12) + b"version=4,x "
    return [
        udp(40000, 123, ntp(0x23)),
        udp(123, 40000, ntp(0x24)),
        udp(123, 123, ntp(0x19, key=u32(10) + bytes(range(16)))),
        udp(123, 123, ntp(0x22, key=u32(10) + bytes(range(20)))),
        udp(123, 123, ntp(0x25, stratum=1)[:12] + b"GPS\0" + ntp(0x25)[16:]),
        udp(123, 40000, ntp(0xE4, stratum=0)[:12] + b"RATE" + ntp(0xE4)[16:]),
        udp(40000, 123, u8(0x16, 2) + u16(7, 0, 0, 0, 0)),
        udp(123, 40000, control),
        udp(123, 40000, u8(0x16, 0x81) + u16(8, 0x0615, 0, 0, 8, 4711, 0x9614, 4712, 0x9424)),
        udp(40000, 123, u8(0x17, 0, 3, 42) + u16(0, 0) + bytes(40)),
        udp(123, 40000, u8(0xD7, 1, 3, 42) + u16(0x0001, 72) + bytes(72)),
        udp(40000, 123, ntp(0x23)[:30]),
        udp(40000, 123, u8(0x10, 0) + bytes(46)),
        udp(123, 123, ntp(0x23) + u16(0x0104, 36) + bytes(32)),
        udp(123, 123, ntp(0x23) + u16(0x0104, 16) + bytes(12) + u16(0x0204, 28) + bytes(24) + u32(1) + bytes(16)),
    ]


# --- TLS: RFC 8446, sections 4 and 5 ---


def tls(kind, body, version=0x0303):
    return u8(kind) + u16(version) + pre16(body)


def handshake(kind, body):
    return u8(kind) + pre24(body)


def extension(kind, data):
    return u16(kind) + pre16(data)


def client_hello(extensions, ciphers=(0x0A0A, 0x1301, 0x1302, 0xC02B, 0x00FF), version=0x0303, session=bytes(range(32)), compressions=b"\0"):
    body = u16(version) + bytes(range(32)) + pre8(session) + pre16(u16(*ciphers)) + pre8(compressions)
    return handshake(1, body + (pre16(b"".join(extensions)) if extensions is not None else b""))


def server_hello(extensions, cipher=0x1301, version=0x0303, random=bytes(range(32))):
    return handshake(2, u16(version) + random + pre8(bytes(range(32))) + u16(cipher) + u8(0) + pre16(b"".join(extensions)))


def server_name(text):
    return extension(0, pre16(u8(0) + pre16(text)))


def alpn(*names):
    return extension(16, pre16(b"".join(pre8(text) for text in names)))


SIGNATURES = extension(13, pre16(u16(0x0403, 0x0804, 0x0401)))
GROUPS = extension(10, pre16(u16(0x2A2A, 0x001D, 0x0017)))
FORMATS = extension(11, pre8(u8(0)))
VERSIONS = extension(43, pre8(u16(0x1A1A, 0x0304, 0x0303)))
SHARES = extension(51, pre16(u16(0x2A2A) + pre16(b"\0") + u16(0x001D) + pre16(bytes(range(32)))))


def tls_hellos():
    common = [extension(0x3A3A, b""), server_name(b"www.example.com"), extension(23, b""), extension(0xFF01, pre8(b"")), GROUPS, FORMATS,
              extension(35, b""), alpn(b"h2", b"http/1.1"), extension(5, u8(1) + pre16(b"") + pre16(b"")), SIGNATURES, extension(18, b""), SHARES,
              extension(45, pre8(u8(1))), VERSIONS, extension(27, pre8(u16(2))), extension(17513, pre16(pre8(b"h2"))), extension(0x4A4A, b"\0"), extension(21, bytes(20))]
    rare = [extension(1, u8(4)), extension(9, pre8(u8(0, 1))), extension(12, pre8(b"user")), extension(14, pre16(u16(1)) + pre8(b"")), extension(15, u8(1)),
            extension(17, pre16(u8(2) + pre16(pre16(b"") + pre16(b"")))), extension(19, pre8(u8(0, 2))), extension(20, pre8(u8(0))), extension(22, b""), extension(24, u16(0x0001) + pre8(u8(2))),
            extension(28, u16(16385)), extension(34, pre16(u16(0x0403))), extension(42, b""), extension(44, pre16(b"cookie")), extension(47, pre16(pre16(b"\x30\x00"))), extension(49, b""),
            extension(50, pre16(u16(0x0403, 0x0804))), extension(54, pre8(b"cid")), extension(13172, b""), extension(30031, b""), extension(65037, b"\x00\x01\x02"), extension(60000, b"\x01\x02"),
            extension(41, pre16(pre16(b"ticket") + u32(4711)) + pre16(pre8(bytes(32))))]
    quic = [server_name(b"q.example.com"), VERSIONS, SHARES, SIGNATURES, extension(57, b"\x01\x04\x80\x00\x75\x30\x03\x02\x45\xc0\x04\x04\x80\x10\x00\x00\x0f\x04\x01\x02\x03\x04\x40\x7f\x01\x00")]
    return [
        tcp(40000, 443, tls(22, client_hello(common), version=0x0301)),
        tcp(40001, 443, tls(22, client_hello(rare), version=0x0301)),
        tcp(40002, 443, tls(22, client_hello(None, ciphers=(0x002F,), version=0x0301, session=b""), version=0x0301)),
        tcp(40003, 443, tls(22, client_hello([], ciphers=()), version=0x0301)),
        tcp(40004, 443, tls(22, client_hello(quic), version=0x0301)),
        tcp(443, 40000, tls(22, server_hello([extension(43, u16(0x0304)), extension(51, u16(0x001D) + pre16(bytes(range(32))))])) + tls(20, b"\x01") + tls(23, bytes(range(40)))),
        tcp(443, 40002, tls(22, server_hello([extension(0xFF01, pre8(b"")), server_name(b"")[:4] and extension(0, b""), extension(11, pre8(u8(0, 1, 2))), extension(35, b""), alpn(b"http/1.1"),
                                              extension(15, u8(1)), extension(1, u8(4)), extension(22, b""), extension(23, b"")], cipher=0xC02F))
            + tls(22, handshake(12, u8(3) + u16(0x1D) + pre8(bytes(32)) + u16(0x0804) + pre16(bytes(64))) + handshake(14, b""))),
        tcp(443, 40005, tls(22, server_hello([extension(43, u16(0x0304)), extension(51, u16(0x0018))], random=bytes.fromhex("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c")))),
        tcp(443, 40006, tls(21, u8(1, 0)) + tls(21, u8(2, 40))),
        tcp(40007, 443, tls(24, u8(1) + pre16(b"ping") + bytes(16))),
        tcp(443, 40008, tls(22, handshake(0, b""))),
        tcp(443, 40009, tls(22, handshake(22, u8(1) + pre24(b"\x30\x03\x0a\x01\x01")))),
        tcp(443, 40010, tls(22, handshake(4, u32(7200) + pre16(b"ticket")))),
    ]


def tls_malformed():
    hello = tls(22, client_hello([server_name(b"www.example.com"), GROUPS, SIGNATURES, VERSIONS]), version=0x0301)
    return [
        tcp(40001, 443, hello[:60] + u16(0) * 43 + hello[146:]),
        tcp(40002, 443, tls(22, client_hello([extension(0, pre16(u8(0) + u16(200) + b"www"))]))),
        tcp(40003, 443, tls(22, client_hello([extension(10, u16(200) + u16(0x1D))]))),
        tcp(40004, 443, tls(22, handshake(1, u16(0x0303) + bytes(32) + u8(200)))),
        tcp(40005, 443, b"not TLS"),
        tcp(40006, 443, tls(22, bytes(range(64, 104)))),
        tcp(40007, 443, tls(22, b"")),
        tcp(40008, 443, tls(22, client_hello([u16(13, 400) + b"\x00"]))),
    ]


# --- QUIC: RFC 8999, RFC 9000, section 17 ---

DESTINATION = bytes.fromhex("8394c8f03e515708")
SOURCE = bytes.fromhex("f067a5502a4262b5")


def quic_long(first, version, rest, destination=DESTINATION, source=SOURCE):
    return u8(first) + u32(version) + pre8(destination) + pre8(source) + rest


def quic_messages():
    protected = bytes((7 * i + 1) & 0xFF for i in range(1180))
    return [
        udp(50000, 443, quic_long(0xC3, 1, u8(0) + u16(0x4000 | 1180) + protected)),
        udp(443, 50000, quic_long(0xC1, 1, pre8(b"") + u16(0x4000 | 100) + protected[:100], SOURCE, DESTINATION)
            + quic_long(0xE1, 1, u16(0x4000 | 200) + protected[:200], SOURCE, DESTINATION)),
        udp(50001, 443, quic_long(0xC0, 1, pre8(b"token") + u16(0x4000 | 1150) + protected[:1150], source=b"")),
        udp(443, 50001, quic_long(0xF5, 1, b"retry token" + bytes(16), b"", DESTINATION)),
        udp(50003, 443, quic_long(0xD1, 0x6B3343CF, u8(0) + u16(0x4000 | 1150) + protected[:1150])),
        udp(50000, 443, quic_long(0xD0, 1, u16(0x4000 | 60) + protected[:60])),
        udp(50006, 443, bytes(32)),
    ]


def quic_others():
    """tshark takes these for QUIC only where it is told to."""
    protected = bytes((7 * i + 1) & 0xFF for i in range(100))
    return [
        udp(443, 50002, quic_long(0xC5, 0, u32(1, 0x6B3343CF, 0x0A0A0A0A))),
        udp(50000, 443, u8(0x45) + SOURCE + protected[:40]),
        udp(50006, 443, quic_long(0xC0, 1, u8(0) + u16(0x4000 | 1180) + protected)),
    ]


# --- HTTP/1.1: RFC 9112 ---


def http_messages():
    get = (b"GET /path/page.html?x=1&y=two HTTP/1.1\r\nHost: www.example.com\r\nUser-Agent: client/1.0\r\nAccept: text/html, */*\r\n"
           b"Accept-Language: en\r\nAccept-Encoding: gzip\r\nCookie: a=b; c=d\r\nReferer: http://www.example.com/\r\nConnection: keep-alive\r\n"
           b"Cache-Control: no-cache\r\nAuthorization: Basic dXNlcjpwYXNz\r\nX-Forwarded-For: 192.0.2.9\r\nX-Other: value\r\n"
           b"If-None-Match: \"abc\"\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==\r\n\r\n")
    ok = (b"HTTP/1.1 200 OK\r\nServer: server/2.0\r\nDate: Tue, 14 Nov 2023 22:13:20 GMT\r\nContent-Type: text/plain; charset=utf-8\r\n"
          b"Content-Length: 12\r\nLast-Modified: Mon, 13 Nov 2023 22:13:20 GMT\r\nSet-Cookie: s=1\r\nSet-Cookie: t=2; Path=/\r\nLocation: /other\r\n\r\nHello there\n")
    post = (b"POST /form HTTP/1.1\r\nHost: www.example.com:8080\r\nContent-Type: application/x-www-form-urlencoded\r\ncontent-length: 7\r\n\r\na=1&b=2")
    chunked = (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/plain\r\n\r\n5\r\nHello\r\n7; x=y\r\n, world\r\n0\r\nTrailer: z\r\n\r\n")
    return [
        tcp(40000, 80, get),
        tcp(80, 40000, ok),
        tcp(40001, 80, post),
        tcp(80, 40001, b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"),
        tcp(40002, 8080, b"HEAD / HTTP/1.0\r\n\r\n"),
        tcp(8080, 40002, b"HTTP/1.0 301 Moved Permanently\r\nLocation: http://www.example.org/\r\n\r\n"),
        tcp(40003, 80, get[:60] + get[60:]),
        tcp(80, 40003, chunked),
        tcp(40004, 80, b"GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: b\r\n\r\n"),
        tcp(80, 40004, b"HTTP/1.1 204 No Content\r\nVia: 1.1 proxy\r\n\r\nHTTP/1.1 304 Not Modified\r\nETag: \"abc\"\r\n\r\n"),
        tcp(40005, 3128, b"CONNECT www.example.com:443 HTTP/1.1\r\nHost: www.example.com:443\r\nProxy-Authorization: Basic eDp5\r\n\r\n"),
        tcp(3128, 40005, b"HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"x\"\r\nWWW-Authenticate: Digest\r\n\r\n"),
        tcp(40006, 80, b"OPTIONS * HTTP/1.1\r\nHost: a\r\nNo-Space:x\r\nEmpty:\r\n\r\n"),
        tcp(40007, 80, b"GET http://www.example.com/abs HTTP/1.1\r\nHost: www.example.com\r\n\r\n"),
        tcp(40008, 80, b"POST /bin HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-test\r\nContent-Length: 6\r\n\r\n\x00\x01\xff\xfeab"),
        tcp(80, 40009, b"HTTP/1.1 100 Continue\r\n\r\n"),
        tcp(40010, 80, b"PROPFIND /dav HTTP/1.1\r\nHost: a\r\nContent-Encoding: identity\r\n\r\n"),
        tcp(80, 40012, b"HTTP/1.1 200\r\nContent-Length: 3\r\n\r\nabc"),
    ]


def http_malformed():
    return [
        tcp(40000, 80, b"GET /unfinished HTTP/1.1\r\nHost: www.exa"),
        tcp(40001, 80, b"GET /long HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\npart"),
        tcp(40002, 80, b"\x01\x02\x03 no text"),
        tcp(40003, 80, b"GET / HTTP/1.1\r\nno colon\r\nHost: a\r\n\r\n"),
        tcp(40004, 80, b"GET / HTTP/1.1\r\nContent-Length: nonsense\r\n\r\nrest"),
        tcp(40005, 80, b"GET\r\n\r\n"),
        tcp(40006, 80, b"HTTP/1.1 \xff\xfe\r\n\r\n"),
    ]


def ssdp_messages():
    search = b"M-SEARCH * HTTP/1.1\r\nHOST: 239.255.255.250:1900\r\nMAN: \"ssdp:discover\"\r\nMX: 1\r\nST: ssdp:all\r\n\r\n"
    notify = b"NOTIFY * HTTP/1.1\r\nHOST: 239.255.255.250:1900\r\nCACHE-CONTROL: max-age=1800\r\nNT: upnp:rootdevice\r\nNTS: ssdp:alive\r\nSERVER: x\r\n\r\n"
    answer = b"HTTP/1.1 200 OK\r\nST: upnp:rootdevice\r\nLOCATION: http://192.0.2.1/d.xml\r\nEXT:\r\n\r\n"
    return [
        udp(50000, 1900, search, dst="239.255.255.250"),
        udp(50001, 1900, notify, dst="239.255.255.250"),
        udp(1900, 50000, answer),
    ]


# --- SIP: RFC 3261; SDP: RFC 8866 ---


def sip(*lines, body=b""):
    return b"\r\n".join(line.encode() for line in lines) + b"\r\n\r\n" + body


SDP = (b"v=0\r\no=alice 2890844526 2890844527 IN IP4 192.0.2.1\r\ns=Call\r\ni=Info text\r\nu=http://www.example.com/\r\ne=a@example.com\r\np=+1 555\r\n"
       b"c=IN IP4 192.0.2.1\r\nb=AS:64\r\nt=0 0\r\nr=7d 1h 0 25h\r\nz=2882844526 -1h\r\nk=clear:x\r\na=sendrecv\r\na=tool:x 1\r\n"
       b"m=audio 49170 RTP/AVP 0 8 97\r\nc=IN IP4 192.0.2.2/127\r\na=rtpmap:0 PCMU/8000\r\na=rtpmap:97 iLBC/8000\r\na=fmtp:97 mode=30\r\na=ptime:20\r\n"
       b"m=video 51372/2 RTP/AVP 99\r\ni=Title\r\nb=CT:128\r\na=rtpmap:99 h263-1998/90000\r\n")


def sip_messages():
    invite = sip("INVITE sip:bob@biloxi.example.com SIP/2.0", "Via: SIP/2.0/UDP pc33.atlanta.example.com:5060;branch=z9hG4bK776asdhds;rport",
                 "Max-Forwards: 70", "To: Bob <sip:bob@biloxi.example.com>", "From: \"Alice A\" <sip:alice@atlanta.example.com>;tag=1928301774",
                 "Call-ID: a84b4c76e66710@pc33.atlanta.example.com", "CSeq: 314159 INVITE", "Contact: <sip:alice@pc33.atlanta.example.com:5060;transport=udp>",
                 "User-Agent: phone/1.0", "Allow: INVITE, ACK", "Supported: replaces, timer", "Route: <sip:proxy.example.com;lr>", "Content-Type: application/sdp",
                 "Content-Length: %d" % len(SDP), body=SDP)
    trying = sip("SIP/2.0 100 Trying", "v: SIP/2.0/UDP pc33.atlanta.example.com;branch=z9hG4bK776asdhds;received=192.0.2.1;rport=5060",
                 "t: Bob <sip:bob@biloxi.example.com>", "f: sip:alice@atlanta.example.com;tag=1", "i: a84b4c76e66710", "CSeq: 314159 INVITE", "l: 0")
    ok = sip("SIP/2.0 200 OK", "Via: SIP/2.0/TCP server10.example.com;branch=z9hG4bKnashds8;ttl=3", "Via: SIP/2.0/UDP pc33.example.com:5070;branch=z9hG4bK77",
             "Record-Route: <sip:p.example.com;lr>", "To: Bob <sip:bob@biloxi.example.com>;tag=a6c85cf", "From: Alice <sip:+15551234@atlanta.example.com;user=phone>;tag=1928301774",
             "Call-ID: x@y", "CSeq: 2 BYE", "Contact: sip:bob@192.0.2.4", "Expires: 3600", "Server: s/2", "Session-Expires: 1800;refresher=uac", "Content-Length: 0")
    register = sip("REGISTER sip:registrar.example.com:5061 SIP/2.0", "Via: SIP/2.0/UDP [2001:db8::9:1]:6050;branch=z9hG4bKnashds7", "To: <sip:bob@example.com>", "From: <sip:bob@example.com>;tag=456248",
                   "Call-ID: 843817637684230@998sdasdh09", "CSeq: 1826 REGISTER", "Contact: <sip:bob@192.0.2.4>;expires=7200;q=0.7, <sips:bob2@192.0.2.5>", "Expires: 7200",
                   "Authorization: Digest username=\"bob\", realm=\"example.com\", nonce=\"84a4cc6f\", uri=\"sip:example.com\", response=\"7587245234b3434cc3412213e5f113a5\", algorithm=MD5, qop=auth, nc=00000001, cnonce=\"0a4f113b\", opaque=\"x\"",
                   "P-Asserted-Identity: \"Bob\" <sip:bob@example.com>", "Content-Length: 0")
    challenge = sip("SIP/2.0 401 Unauthorized", "Via: SIP/2.0/UDP 192.0.2.4:5060;branch=z9hG4bK1", "To: <sip:bob@example.com>;tag=2", "From: <sip:bob@example.com>;tag=456248", "Call-ID: 8", "CSeq: 1826 REGISTER",
                    "WWW-Authenticate: Digest realm=\"example.com\", nonce=\"84a4cc6f\", stale=FALSE", "Warning: 301 isi.edu \"x\"", "Reason: SIP ;cause=200", "Content-Length: 0")
    message = sip("MESSAGE tel:+15551234 SIP/2.0", "Via: SIP/2.0/UDP a;branch=z9hG4bK2", "To: <sip:tom@host>", "From: <sip:ann@home>;tag=1", "Call-ID: 9", "CSeq: 1 MESSAGE", "Content-Type: text/plain", "Content-Length: 5", body=b"Hello")
    return [
        udp(5060, 5060, invite),
        udp(5060, 5060, trying),
        udp(5060, 5060, ok),
        udp(5060, 5060, register),
        udp(5060, 5060, challenge),
        udp(5060, 5060, message),
        tcp(40000, 5060, invite),
        tcp(5060, 40000, trying + ok),
        udp(5060, 5060, sip("ACK sip:bob@192.0.2.4 SIP/2.0", "Via: SIP/2.0/UDP a", "To: <sip:bob@host>", "From: <sip:ann@home>;tag=1", "Call-ID: 9", "CSeq: 1 ACK", "Max-Forwards: 70", "X-Own: value", "Content-Length: 0")),
    ]


def sip_malformed():
    return [
        udp(5060, 5060, b"INVITE sip:ann@b SIP/2.0\r\nVia: SIP/2.0/UDP a"),
        udp(5060, 5060, b"SIP/2.0 abc\r\n\r\n"),
        udp(5060, 5060, b"no SIP at all"),
    ]


# --- RTP and RTCP: RFC 3550 ---


def rtp(first, second, sequence, rest=b"", time=160, source=0x11223344):
    return u8(first, second) + u16(sequence) + u32(time, source) + rest


def rtp_messages():
    extension_one = u16(0xBEDE, 2) + u8(0x10, 0xAA, 0x22, 1, 2, 3, 0, 0)
    extension_two = u16(0x1000, 2) + u8(1, 2, 0xAA, 0xBB, 0, 5, 1, 0xCC)
    return [
        udp(5004, 5004, rtp(0x80, 0x80, 1, bytes(range(160)))),
        udp(5004, 5004, rtp(0x80, 0, 2, bytes(20), time=320)),
        udp(5004, 5004, rtp(0x82, 96, 3, u32(0xAABBCCDD, 0x01020304) + bytes(8))),
        udp(5004, 5004, rtp(0x90, 97, 4, extension_one + bytes(8))),
        udp(5004, 5004, rtp(0x90, 97, 5, extension_two + bytes(8))),
        udp(5004, 5004, rtp(0x90, 97, 6, u16(0x4711, 1) + bytes(4) + bytes(8))),
        udp(5004, 5004, rtp(0xA0, 8, 7, bytes(10) + u8(0, 0, 0, 4))),
        udp(5004, 5004, rtp(0xB1, 8, 8, u32(9) + u16(0xBEDE, 1) + u8(0x40, 1, 0, 0) + bytes(10) + u8(1))),
        udp(5004, 5004, rtp(0x80, 0, 9)),
    ]


def rtcp(kind, count, body, pad=0):
    return u8(0x80 | count | (0x20 if pad else 0), kind) + u16(len(body) // 4) + body


def report_block(source=0x55667788):
    return u32(source) + u8(25) + bytes.fromhex("fffffe") + u32(0x00010203, 17, 0xA1B2C3D4, 65536)


def rtcp_messages():
    sender = rtcp(200, 1, u32(0x11223344, 0xE8F7A700, 0x80000000, 160, 100, 16000) + report_block())
    receiver = rtcp(201, 2, u32(0x11223344) + report_block() + report_block(0x99AABBCC))
    items = u32(0x11223344) + u8(1, 10) + b"alice@host" + u8(2, 3) + b"Ann" + u8(6, 2) + b"tl" + u8(8, 4, 1) + b"pab" + u8(0)
    items += bytes(-len(items) % 4)
    description = rtcp(202, 1, items)
    bye = rtcp(203, 1, u32(0x11223344) + u8(3) + b"end")
    application = rtcp(204, 5, u32(0x11223344) + b"TEST" + bytes(range(8)))
    return [
        udp(5005, 5005, sender + description),
        udp(5005, 5005, receiver + description + bye),
        udp(5005, 5005, rtcp(201, 0, u32(0x11223344))),
        udp(5005, 5005, receiver + application),
        udp(5005, 5005, rtcp(203, 2, u32(1, 2))),
        udp(5005, 5005, rtcp(205, 1, u32(0x11223344, 0x55667788) + u16(100, 0x8001))),
        udp(5005, 5005, rtcp(206, 1, u32(0x11223344, 0x55667788))),
        udp(5005, 5005, sender[:20]),
    ]


# --- STUN: RFC 8489, section 5 ---

STUN_ID = bytes.fromhex("b7e7a701bc34d686fa87dfae")


def stun(kind, attributes=b"", ident=STUN_ID):
    return u16(kind, len(attributes)) + u32(0x2112A442) + ident + attributes


def attribute(kind, data):
    return u16(kind) + pre16(data) + bytes(-len(data) % 4)


def stun_messages():
    xor = u8(0, 1) + u16(32853 ^ 0x2112) + u32(0xC0000221 ^ 0x2112A442)
    xor6 = u8(0, 2) + u16(32853 ^ 0x2112) + bytes(a ^ b for a, b in zip(ip6(1), u32(0x2112A442) + STUN_ID))
    return [
        udp(50000, 3478, stun(1)),
        udp(3478, 50000, stun(0x101, attribute(0x20, xor) + attribute(1, u8(0, 1) + u16(32853) + ip(33)) + attribute(0x8022, b"server 1") + attribute(0x8028, u32(0xE57A3BCF)))),
        udp(50000, 3478, stun(1, attribute(6, b"user:name") + attribute(0x24, u32(1845494271)) + attribute(0x802A, bytes(8)) + attribute(0x25, b"") + attribute(8, bytes(range(20))) + attribute(0x8028, u32(1)))),
        udp(3478, 50000, stun(0x111, attribute(9, u8(0, 0, 4, 20) + b"Unknown") + attribute(0xA, u16(0x1234, 0x5678)))),
        udp(3478, 50000, stun(0x113, attribute(9, u8(0, 0, 4, 1) + b"Unauthorized") + attribute(0x14, b"example.com") + attribute(0x15, b"nonce"))),
        udp(50000, 3478, stun(3, attribute(0x19, u8(17, 0, 0, 0)) + attribute(0xD, u32(600)) + attribute(0x18, u8(0x80)))),
        udp(3478, 50000, stun(0x103, attribute(0x16, xor) + attribute(0x20, xor6) + attribute(0xD, u32(600)) + attribute(0x22, bytes(8)))),
        udp(50000, 3478, stun(0x16, attribute(0x12, xor) + attribute(0x13, b"data"))),
        udp(50000, 3478, stun(0x9, attribute(0xC, u16(0x4000, 0)) + attribute(0x12, xor))),
        udp(50000, 3478, stun(0x11)),
        tcp(50000, 3478, stun(1) + stun(1, attribute(0x8022, b"abc"))),
        udp(50000, 3478, stun(1, u16(0x20, 40) + b"shrt")),
        udp(50000, 3478, b"no STUN here, but bytes"),
    ]


# --- TFTP: RFC 1350, RFC 2347 ---


def tftp_messages():
    return [
        udp(50011, 69, u16(1) + b"boot/file.img\0octet\0"),
        udp(50012, 69, u16(1) + b"file\0octet\0tsize\x000\0blksize\x001428\0timeout\x003\0"),
        udp(50013, 69, u16(2) + b"upload\0netascii\0"),
        udp(69, 50014, u16(3, 1) + b"some data"),
        udp(50015, 69, u16(4, 1)),
        udp(69, 50016, u16(5, 1) + b"File not found\0"),
        udp(69, 50017, u16(6) + b"tsize\x0012345\0blksize\x001428\0"),
        udp(50018, 69, u16(1) + b"unfinished"),
        udp(50019, 69, u16(9)),
        udp(50020, 69, u8(0)),
    ]


# --- Syslog: RFC 3164, RFC 5424 ---


def syslog_messages():
    return [
        udp(50000, 514, b"<34>Oct 11 22:14:15 mymachine su: 'su root' failed for lonvick on /dev/pts/8"),
        udp(50000, 514, b"<165>1 2003-10-11T22:14:15.003Z mymachine.example.com evntslog - ID47 [exampleSDID@32473 iut=\"3\"] An application event"),
        udp(50000, 514, b"<0>short"),
        udp(50000, 514, b"no priority"),
        udp(50000, 514, b"<999>too high"),
        udp(50000, 514, b"<13"),
        udp(50000, 514, b"<13>line\nbreak\n"),
    ]


# --- RADIUS: RFC 2865, section 3 ---


def radius(code, *attributes, ident=7):
    data = b"".join(attributes)
    return u8(code, ident) + u16(20 + len(data)) + bytes(range(16)) + data


def avp(kind, data):
    return u8(kind, 2 + len(data)) + data


def radius_messages():
    request = [avp(1, b"alice"), avp(2, bytes(16)), avp(4, ip(1)), avp(5, u32(17)), avp(6, u32(2)), avp(7, u32(1)), avp(12, u32(1500)), avp(24, b"\x01\x02"), avp(30, b"00-11-22-33-44-55:net"),
               avp(31, b"66-77-88-99-AA-BB"), avp(32, b"nas1"), avp(61, u32(19)), avp(77, b"CONNECT 54Mbps"), avp(80, bytes(16)), avp(87, b"eth0"), avp(95, ip6(1)), avp(55, u32(1700000000))]
    accept = [avp(8, ip(33)), avp(9, bytes([255, 255, 255, 0])), avp(11, b"filter"), avp(18, b"Welcome"), avp(22, b"198.51.100.0/24 192.0.2.1 1"), avp(25, b"\xAA\xBB"), avp(27, u32(3600)), avp(28, u32(600)), avp(29, u32(1)),
              avp(85, u32(300)), avp(88, b"pool"), avp(96, bytes(8)), avp(97, u8(0, 64) + ip6(0)[:8]), avp(100, b"pool6"), avp(101, u32(401)), avp(102, b"key")]
    accounting = [avp(40, u32(2)), avp(41, u32(0)), avp(42, u32(1000)), avp(43, u32(2000)), avp(44, b"session"), avp(45, u32(1)), avp(46, u32(60)), avp(47, u32(10)), avp(48, u32(20)), avp(49, u32(1)), avp(50, b"multi"), avp(51, u32(1)), avp(52, u32(0)), avp(53, u32(1))]
    tunnel = [avp(64, u8(1) + u32(13)[1:]), avp(65, u8(1) + u32(6)[1:]), avp(66, u8(1) + b"192.0.2.1"), avp(67, b"192.0.2.2"), avp(69, u8(1) + bytes(18)), avp(81, u8(1) + b"42"), avp(82, b"assign"), avp(83, u8(1) + u32(5)[1:])]
    vendor = [avp(26, u32(32473) + u8(1, 6) + b"data"), avp(3, u8(1) + bytes(16)), avp(33, b"proxy"), avp(130, b"x"), avp(253, b"\x01\x02")]
    return [
        udp(40000, 1812, radius(1, *request)),
        udp(1812, 40001, radius(2, *accept)),
        udp(40002, 1813, radius(4, *accounting)),
        udp(1813, 40003, radius(5)),
        udp(1812, 40004, radius(3, avp(18, b"No"))),
        udp(1812, 40005, radius(2, *tunnel)),
        udp(40006, 1812, radius(11, *vendor)),
        udp(40007, 3799, radius(40, avp(44, b"session"))),
        udp(40008, 1812, radius(1, avp(1, b"bob"))[:-2]),
        udp(40009, 1812, radius(1, u8(1, 1))),
        udp(40010, 1812, radius(1, u8(1, 40) + b"short")),
        udp(40011, 1812, radius(1, avp(4, b"abc"), avp(27, b"x"))),
    ]


# --- SNMP: RFC 3416, section 3; RFC 3412, section 6 ---


def ber(tag, data):
    if len(data) < 128:
        return u8(tag, len(data)) + data
    return u8(tag, 0x82) + pre16(data)


def integer(value, tag=2):
    length = max(1, (value.bit_length() + 8) // 8)
    return ber(tag, value.to_bytes(length, "big", signed=True))


def oid(text):
    numbers = [int(number) for number in text.split(".")]
    data = b""
    for number in [40 * numbers[0] + numbers[1], *numbers[2:]]:
        part = [number & 0x7F]
        while number > 127:
            number >>= 7
            part.insert(0, 0x80 | number & 0x7F)
        data += bytes(part)
    return ber(6, data)


def binding(name, value):
    return ber(0x30, oid(name) + value)


def pdu(tag, ident, status, index, *bindings):
    return ber(tag, integer(ident) + integer(status) + integer(index) + ber(0x30, b"".join(bindings)))


def snmp(version, community, data):
    return ber(0x30, integer(version) + ber(4, community) + data)


def snmp3(flags, security, data, model=3):
    head = ber(0x30, integer(1001) + integer(65507) + ber(4, u8(flags)) + integer(model))
    return ber(0x30, integer(3) + head + ber(4, security) + data)


def usm(user=b"", auth=b"", private=b"", engine=bytes.fromhex("80001f8880e9630000d61ff449")):
    return ber(0x30, ber(4, engine) + integer(1) + integer(1234) + ber(4, user) + ber(4, auth) + ber(4, private))


def snmp_messages():
    null = ber(5, b"")
    values = [binding("1.3.6.1.2.1.1.1.0", ber(4, b"A system")), binding("1.3.6.1.2.1.1.2.0", oid("1.3.6.1.4.1.8072.3.2.10")), binding("1.3.6.1.2.1.1.3.0", integer(123456, 0x43)),
              binding("1.3.6.1.2.1.2.2.1.10.1", integer(4000000000, 0x41)), binding("1.3.6.1.2.1.2.2.1.5.1", integer(1000000, 0x42)), binding("1.3.6.1.2.1.4.20.1.1.0", ber(0x40, ip(1))),
              binding("1.3.6.1.2.1.31.1.1.1.6.1", integer(2 ** 40, 0x46)), binding("1.3.6.1.2.1.2.2.1.8.1", integer(-1)), binding("1.3.6.1.2.1.99.0", ber(0x44, b"\x9f\x78\x04\x00\x00\x00\x00")),
              binding("1.3.6.1.2.1.2.2.1.6.1", ber(4, MAC))]
    scoped = ber(0x30, ber(4, bytes.fromhex("80001f8880e9630000d61ff449")) + ber(4, b"context") + pdu(0xA0, 5, 0, 0, binding("1.3.6.1.2.1.1.1.0", null)))
    trap1 = ber(0xA4, oid("1.3.6.1.4.1.8072.3.2.10") + ber(0x40, ip(1)) + integer(6) + integer(17) + integer(99, 0x43) + ber(0x30, binding("1.3.6.1.2.1.1.5.0", ber(4, b"name"))))
    return [
        udp(40000, 161, snmp(0, b"public", pdu(0xA0, 1, 0, 0, binding("1.3.6.1.2.1.1.1.0", null), binding("1.3.6.1.2.1.1.3.0", null)))),
        udp(161, 40001, snmp(0, b"public", pdu(0xA2, 1, 2, 1, binding("1.3.6.1.2.1.1.1.0", null)))),
        udp(161, 40002, snmp(1, b"public", pdu(0xA2, 2, 0, 0, *values))),
        udp(40003, 161, snmp(1, b"public", pdu(0xA1, 3, 0, 0, binding("1.3.6.1.2.1", null)))),
        udp(40004, 161, snmp(1, b"private", pdu(0xA3, 4, 0, 0, binding("1.3.6.1.2.1.1.5.0", ber(4, b"new name"))))),
        udp(40005, 161, snmp(1, b"public", pdu(0xA5, 70000, 0, 25, binding("1.3.6.1.2.1.2.2", null)))),
        udp(40006, 162, snmp(0, b"public", trap1)),
        udp(40007, 162, snmp(1, b"public", pdu(0xA7, 6, 0, 0, binding("1.3.6.1.2.1.1.3.0", integer(5, 0x43)), binding("1.3.6.1.6.3.1.1.4.1.0", oid("1.3.6.1.6.3.1.1.5.3"))))),
        udp(40008, 162, snmp(1, b"public", pdu(0xA6, 7, 0, 0, binding("1.3.6.1.2.1.1.3.0", integer(5, 0x43))))),
        udp(161, 40009, snmp(1, b"public", pdu(0xA2, 8, 0, 0, binding("1.3.6.1.2.1.1.1.0", ber(0x80, b"")), binding("1.3.6.1.2.1.1.2.0", ber(0x81, b"")), binding("1.3.6.1.2.1.1.3.0", ber(0x82, b""))))),
        udp(40010, 161, snmp3(4, usm(engine=b""), ber(0x30, ber(4, b"") + ber(4, b"") + pdu(0xA0, 9, 0, 0)))),
        udp(40011, 161, snmp3(5, usm(b"user", bytes(range(12))), scoped)),
        udp(40012, 161, snmp3(7, usm(b"user", bytes(range(12)), bytes(range(8))), ber(4, bytes(range(64))))),
        udp(161, 40013, snmp3(0, usm(), ber(0x30, ber(4, b"\x01") + ber(4, b"") + pdu(0xA8, 5, 0, 0, binding("1.3.6.1.6.3.15.1.1.4.0", integer(3, 0x41)))))),
    ]


def snmp_malformed():
    whole = snmp(1, b"public", pdu(0xA0, 1, 0, 0, binding("1.3.6.1.2.1.1.1.0", ber(5, b""))))
    return [
        udp(40000, 161, whole[:20]),
        udp(40001, 161, u8(0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF) + whole[2:]),
        udp(40002, 161, b"no BER"),
    ]


# --- DTLS: RFC 6347, section 4.1 ---


def dtls(kind, body, epoch=0, sequence=0, version=0xFEFD):
    return u8(kind) + u16(version, epoch) + struct.pack("!Q", sequence)[2:] + pre16(body)


def dtls_handshake(kind, body, sequence=0):
    length = u32(len(body))[1:]
    return u8(kind) + length + u16(sequence) + b"\0\0\0" + length + body


def dtls_messages():
    hello = u16(0xFEFD) + bytes(range(32)) + pre8(b"") + pre8(b"cookie") + pre16(u16(0xC02B, 0x00FF)) + pre8(b"\0") + pre16(GROUPS + FORMATS + SIGNATURES)
    server = u16(0xFEFD) + bytes(range(32)) + pre8(b"") + u16(0xC02B) + u8(0)
    return [
        udp(40000, 853, dtls(22, dtls_handshake(1, hello), version=0xFEFF)),
        udp(853, 40000, dtls(22, dtls_handshake(3, u16(0xFEFD) + pre8(b"cookie")), version=0xFEFF)),
        udp(853, 40000, dtls(22, dtls_handshake(2, server, 1), sequence=1) + dtls(22, dtls_handshake(14, b"", 2), sequence=2)),
        udp(40000, 853, dtls(20, b"\x01", sequence=3) + dtls(22, bytes(range(128, 168)), epoch=1)),
        udp(40000, 853, dtls(23, bytes(range(40)), epoch=1, sequence=1 << 40)),
        udp(853, 40000, dtls(21, u8(2, 40))),
        udp(853, 40000, dtls(21, bytes(range(24)), epoch=1, sequence=5)),
    ]


CAPTURES = {
    "dns-records": dns_records,
    "dns-more": dns_more,
    "dns-streams": dns_streams,
    "dns-malformed": malformed_dns,
    "dhcp": dhcp_messages,
    "dhcp-malformed": dhcp_malformed,
    "dhcpv6": dhcpv6_messages,
    "ntp": ntp_messages,
    "http": http_messages,
    "http-malformed": http_malformed,
    "ssdp": ssdp_messages,
    "quic": quic_messages,
    "rtp": rtp_messages,
    "rtcp": rtcp_messages,
    "stun": stun_messages,
    "tftp": tftp_messages,
    "syslog": syslog_messages,
    "sip": sip_messages,
    "dtls": dtls_messages,
    "radius": radius_messages,
    "snmp": snmp_messages,
    "snmp-malformed": snmp_malformed,
    "sip-malformed": sip_malformed,
    "quic-others": quic_others,
    "tls-hellos": tls_hellos,
    "tls-malformed": tls_malformed,
}


def main(folder):
    for file, make in CAPTURES.items():
        packets = make()
        for index, packet in enumerate(packets):
            packet.time = TIME + index
        wrpcap("%s/%s.pcap" % (folder, file), packets)


main(sys.argv[1])
