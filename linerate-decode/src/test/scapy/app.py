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
