"""What windows of a capture have, worked out without Linerate: of pcap files, or of fields that tshark prints.

windows.py pcap FILE WINDOW_NS SCAN_PORTS SCAN_HOSTS FLOOD_SYNS
tshark -T fields -E occurrence=f -e ... | windows.py fields - WINDOW_NS SCAN_PORTS SCAN_HOSTS FLOOD_SYNS
windows.py names
"""
import collections
import ipaddress
import struct
import sys

IDLE_NS = 15_000_000_000
NAMES = {1: "icmp", 6: "tcp", 17: "udp", 47: "gre", 58: "icmpv6"}
SYN, RST, ACK = 2, 4, 16


def text(address):
    return str(ipaddress.ip_address(address))


def of_pcap(path):
    """Time, protocol, both ends, bytes of IP, flags of TCP, type and identifier of ICMP, name asked for."""
    with open(path, "rb") as file:
        data = file.read()
    at = 24
    while at < len(data):
        seconds, ns, length, _ = struct.unpack_from("<IIII", data, at)
        at += 16
        frame = data[at:at + length]
        at += length
        kind, ip = struct.unpack_from(">H", frame, 12)[0], 14
        if kind == 0x8100:
            kind, ip = struct.unpack_from(">H", frame, 16)[0], 18
        if kind == 0x0800:
            octets = struct.unpack_from(">H", frame, ip + 2)[0]
            is_part = struct.unpack_from(">H", frame, ip + 6)[0] & 0x3FFF
            protocol, source, target, l4 = frame[ip + 9], frame[ip + 12:ip + 16], frame[ip + 16:ip + 20], ip + 20
        elif kind == 0x86DD:
            octets, is_part = 40 + struct.unpack_from(">H", frame, ip + 4)[0], False
            protocol, source, target, l4 = frame[ip + 6], frame[ip + 8:ip + 24], frame[ip + 24:ip + 40], ip + 40
        else:
            continue
        port = to_port = flags = 0
        query = name = None
        if not is_part and protocol in (6, 17):
            port, to_port = struct.unpack_from(">HH", frame, l4)
            if protocol == 6:
                flags = frame[l4 + 13]
            elif to_port == 53 and not frame[l4 + 10] & 0x80:
                name = asked(frame, l4 + 20)
        elif not is_part and protocol == 1:
            query = (frame[l4], struct.unpack_from(">H", frame, l4 + 4)[0])
        yield seconds * 10**9 + ns, protocol, (source, port), (target, to_port), octets, flags, query, name


def asked(frame, at):
    labels = []
    while frame[at]:
        labels.append(frame[at + 1:at + 1 + frame[at]].decode())
        at += 1 + frame[at]
    return ".".join(labels).lower()


FIELDS = ("frame.time_epoch ip.proto ip.src ip.dst ip.len ipv6.nxt ipv6.src ipv6.dst ipv6.plen ip.flags.mf ip.frag_offset "
          "tcp.srcport tcp.dstport tcp.flags udp.srcport udp.dstport icmp.type icmp.ident dns.flags.response dns.qry.name").split()


def of_fields(lines):
    for line in lines:
        f = dict(zip(FIELDS, line.rstrip("\n").split("\t")))
        seconds, ns = f["frame.time_epoch"].split(".")
        is_ipv4 = bool(f["ip.src"])
        if not is_ipv4 and not f["ipv6.src"]:
            continue
        protocol = int(f["ip.proto" if is_ipv4 else "ipv6.nxt"])
        octets = int(f["ip.len"]) if is_ipv4 else 40 + int(f["ipv6.plen"])
        is_part = is_ipv4 and (f["ip.flags.mf"] in ("1", "True") or f["ip.frag_offset"] != "0")
        kind = "tcp" if protocol == 6 else "udp"
        has_ports = not is_part and protocol in (6, 17)
        port, to_port = (int(f[kind + ".srcport"]), int(f[kind + ".dstport"])) if has_ports else (0, 0)
        flags = int(f["tcp.flags"], 16) if has_ports and protocol == 6 else 0
        query = (int(f["icmp.type"]), int(f["icmp.ident"])) if protocol == 1 and f["icmp.type"] else None
        is_question = protocol == 17 and to_port == 53 and f["dns.flags.response"] in ("0", "False")
        source, target = f["ip.src" if is_ipv4 else "ipv6.src"], f["ip.dst" if is_ipv4 else "ipv6.dst"]
        yield (int(seconds) * 10**9 + int(ns), protocol, (ipaddress.ip_address(source).packed, port),
               (ipaddress.ip_address(target).packed, to_port), octets, flags, query,
               f["dns.qry.name"].lower() if is_question else None)


class Window:
    def __init__(self):
        self.flows = collections.defaultdict(lambda: [0, 0, 0, 0])
        self.names = collections.Counter()
        self.udp = 0
        self.syns = collections.Counter()
        self.acknowledged = set()
        self.touched = set()


def count(packets, window_ns):
    windows = collections.defaultdict(Window)
    known, clock = {}, 0
    for time, protocol, source, target, octets, flags, query, name in packets:
        window = windows[time // window_ns]
        clock = max(clock, time)
        ends = (source, target) if source <= target else (target, source)
        side = 0 if source == ends[0] else 2
        counts = window.flows[protocol, ends]
        counts[side] += 1
        counts[side + 1] += octets
        if name:
            window.names[name] += 1
        flow = protocol, ends, query[1] if query else 0
        is_new = known.get(flow, 0) <= clock
        known[flow] = clock + IDLE_NS
        if protocol == 17 and is_new and source[1] | target[1]:
            window.udp += 1
            window.touched.add((source[0], target[0], 17, target[1]))
        if protocol == 1 and is_new and query and query[0] == 8:
            window.touched.add((source[0], target[0], 1, 0))
        if protocol == 6:
            if flags & (SYN | ACK) == SYN:
                window.syns[source, target] += 1
                window.touched.add((source[0], target[0], 6, target[1]))
            elif flags & ACK and not flags & (SYN | RST):
                window.acknowledged.add((source, target))
    return windows


def tell(windows, window_ns, scan_ports, scan_hosts, flood_syns, say):
    for number, window in windows.items():
        start = number * window_ns
        totals = [sum(column) for column in zip(*window.flows.values())]
        say("window", start, totals[0] + totals[2], totals[1] + totals[3], len(window.flows), len(window.syns), window.udp,
            sum(window.names.values()))
        hosts = collections.defaultdict(lambda: [0, 0, 0, 0, 0])
        for (protocol, (one, other)), counts in window.flows.items():
            say("flow", start, NAMES[protocol], text(one[0]), one[1], text(other[0]), other[1], *counts)
            for host, (p, b, q, c) in ((one[0], counts), (other[0], counts[2:] + counts[:2])):
                hosts[host] = [x + y for x, y in zip(hosts[host], (1, p, b, q, c))]
        for host, sums in hosts.items():
            say("host", start, text(host), *sums)
        for name, questions in window.names.items():
            say("name", start, name, questions)
        ports, touched = collections.defaultdict(set), collections.defaultdict(set)
        for source, target, protocol, port in window.touched:
            touched[source].add(target)
            if protocol != 1:
                ports[source, target].add((protocol, port))
        for (source, target), some in ports.items():
            if len(some) >= scan_ports:
                say("port_scan", start, text(source), text(target), len(some))
        for source, targets in touched.items():
            if len(targets) >= scan_hosts:
                all_ports = set().union(*(ports[source, target] for target in targets))
                say("host_scan", start, text(source), len(targets), len(all_ports))
        floods = collections.defaultdict(list)
        for (source, target), syns in window.syns.items():
            if (source, target) not in window.acknowledged:
                floods[target].append((source[0], syns))
        for target, some in floods.items():
            syns = sum(n for _, n in some)
            if syns >= flood_syns:
                say("syn_flood", start, text(target[0]), target[1], syns, len(some), len({source for source, _ in some}))


def main(form, file="", window_ns=0, *thresholds):
    if form == "names":
        print(*FIELDS)
        return
    packets = of_pcap(file) if form == "pcap" else of_fields(sys.stdin)
    window_ns = int(window_ns)
    tell(count(packets, window_ns), window_ns, *map(int, thresholds), lambda *words: print(*words, sep="|"))


main(*sys.argv[1:])
