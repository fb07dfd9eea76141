"""Makes parts.pcap: datagrams in fragments, and messages of DNS over several segments, out of order.

    /usr/bin/python3 parts.py FOLDER
"""
import struct
import sys

from scapy.all import DNS, DNSQR, IP, IPv6, IPv6ExtHdrFragment, TCP, UDP, Ether, Raw, fragment, fragment6, wrpcap

ETHER = Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02")


def question(label, count):
    return DNS(rd=1, qd=DNSQR(qname=(label + ".") * count + "example.org"))


def datagrams():
    whole = IP(src="192.0.2.1", dst="192.0.2.2", id=77) / UDP(sport=1234, dport=53) / question("a", 100)
    parts = fragment(whole, fragsize=64)
    yield from parts[-1:] + parts[:-1]
    udp = UDP(sport=4000, dport=53) / question("b", 120) / Raw(b"z" * 1300)
    yield from fragment6(IPv6(src="2001:db8::1", dst="2001:db8::2") / IPv6ExtHdrFragment(id=5) / udp, 1280)


def stream():
    client, server = "192.0.2.1", "192.0.2.2"
    first = 1000
    message = bytes(question("c", 80))
    message = struct.pack(">H", len(message)) + message
    yield IP(src=client, dst=server, id=1) / TCP(sport=5000, dport=53, seq=first, flags="S")
    yield IP(src=server, dst=client, id=1) / TCP(sport=53, dport=5000, seq=9, ack=first + 1, flags="SA")
    yield IP(src=client, dst=server, id=1) / TCP(sport=5000, dport=53, seq=first + 1, ack=10, flags="A")
    both = message + message
    ends = [0, 50, 100, len(message) + 20, len(both)]
    for i in (0, 2, 1, 3):
        tcp = TCP(sport=5000, dport=53, seq=first + 1 + ends[i], ack=10, flags="PA")
        yield IP(src=client, dst=server, id=2 + i) / tcp / both[ends[i] : ends[i + 1]]


packets = [ETHER / packet for packet in [*datagrams(), *stream()]]
for i, packet in enumerate(packets):
    packet.time = 1700000000 + i
wrpcap(sys.argv[1] + "/parts.pcap", packets)
