#!/usr/bin/env python3
"""Traffic on ordinary sockets for record-mixed.sh. Every client checks what comes back and fails loudly.

    sockets.py echo                           serve: echo on UDP and TCP port 7, IPv4 and IPv6
    sockets.py udp HOST SIZE...               one datagram of each size, echoed
    sockets.py tcp HOST COUNT                 COUNT small messages there and back, an urgent byte, orderly close
    sockets.py mptcp HOST                     a connection that offers Multipath TCP
    sockets.py reset HOST                     a connection that ends with RST
    sockets.py options4 HOST                  IPv4 header options, DSCP, a UDP datagram without checksum
    sockets.py options6 HOST                  hop-by-hop and destination options, whole and fragmented
    sockets.py join SECONDS GROUP...          join multicast groups, leave them after SECONDS
    sockets.py multicast GROUP...             a datagram to each group
    sockets.py broadcast ADDRESS...           a datagram to each broadcast address
    sockets.py lldp INTERFACE                 one LLDP frame on INTERFACE
"""
import socket
import struct
import sys
import threading
import time

ECHO_PORT = 7
GROUP_PORT = 5000
SO_NO_CHECK = 11  # asm-generic/socket.h
TIMEOUT_SECONDS = 5


def pattern(size):
    return bytes(index & 0xFF for index in range(size))


def udp_socket(host):
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    client = socket.socket(family, socket.SOCK_DGRAM)
    client.settimeout(TIMEOUT_SECONDS)
    client.connect((host, ECHO_PORT))
    return client


def exchange(client, size):
    sent = pattern(size)
    client.send(sent)
    received = client.recv(65536)
    if received != sent:
        sys.exit(f"echo differs: sent={len(sent)} bytes, received={len(received)} bytes")


def serve_udp():
    server = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    server.bind(("::", ECHO_PORT))
    while True:
        data, sender = server.recvfrom(65536)
        server.sendto(data, sender)


def serve_connection(connection):
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_OOBINLINE, 1)
    try:
        while data := connection.recv(65536):
            connection.sendall(data)
    except ConnectionResetError:
        pass
    connection.close()


def echo():
    threading.Thread(target=serve_udp, daemon=True).start()
    server = socket.create_server(("::", ECHO_PORT), family=socket.AF_INET6, dualstack_ipv6=True)
    while True:
        connection, _ = server.accept()
        threading.Thread(target=serve_connection, args=(connection,), daemon=True).start()


def udp(host, *sizes):
    client = udp_socket(host)
    for size in sizes:
        exchange(client, int(size))


def read_exactly(client, size):
    data = b""
    while len(data) < size:
        part = client.recv(size - len(data))
        if not part:
            sys.exit(f"connection ended early: read={len(data)} bytes, expected={size} bytes")
        data += part
    return data


def tcp(host, count):
    with socket.create_connection((host, ECHO_PORT), TIMEOUT_SECONDS) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for number in range(int(count)):
            message = pattern(1 + number % 97)
            client.sendall(message)
            if read_exactly(client, len(message)) != message:
                sys.exit(f"echo differs: message={number}")
        client.send(b"!", socket.MSG_OOB)
        read_exactly(client, 1)
        client.shutdown(socket.SHUT_WR)
        client.recv(1)


def mptcp(host):
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_MPTCP) as client:
        client.settimeout(TIMEOUT_SECONDS)
        client.connect((host, ECHO_PORT))
        client.sendall(pattern(40))
        read_exactly(client, 40)


def reset(host):
    client = socket.create_connection((host, ECHO_PORT), TIMEOUT_SECONDS)
    client.sendall(pattern(100))
    read_exactly(client, 100)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


def options4(host):
    router_alert = bytes([0x94, 4, 0, 0])  # RFC 2113
    no_operation, end_of_list = bytes([1]), bytes([0])  # RFC 791, section 3.1
    for options in (router_alert, no_operation * 4, router_alert + no_operation * 3 + end_of_list):
        client = udp_socket(host)
        client.setsockopt(socket.IPPROTO_IP, socket.IP_OPTIONS, options)
        for size in (1, 64, 1400):
            exchange(client, size)
    client = udp_socket(host)
    client.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, 0xB8)  # expedited forwarding, RFC 3246
    exchange(client, 160)
    client.setsockopt(socket.SOL_SOCKET, SO_NO_CHECK, 1)
    exchange(client, 33)


def options6(host):
    short = bytes([0, 0, 1, 4, 0, 0, 0, 0])  # 8 bytes: PadN
    experiment = bytes([0, 1, 0x1E, 8]) + b"linerate" + bytes([1, 2, 0, 0])  # 16 bytes: RFC 4727 option, PadN
    for hop_by_hop, destination in ((short, None), (None, experiment), (short, short), (experiment, experiment)):
        client = udp_socket(host)
        if hop_by_hop:
            client.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_HOPOPTS, hop_by_hop)
        if destination:
            client.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_DSTOPTS, destination)
        for size in (1, 64, 1300, 3000):
            exchange(client, size)


def join(seconds, *groups):
    members = []
    for group in groups:
        family = socket.AF_INET6 if ":" in group else socket.AF_INET
        member = socket.socket(family, socket.SOCK_DGRAM)
        if family == socket.AF_INET6:
            member.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            request = socket.inet_pton(family, group) + struct.pack("@I", socket.if_nametoindex("eth0"))
            member.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, request)
        else:
            request = socket.inet_aton(group) + struct.pack("@4sI", bytes(4), socket.if_nametoindex("eth0"))
            member.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, request)
        member.bind(("", GROUP_PORT))
        members.append(member)
    time.sleep(float(seconds))


def multicast(*groups):
    for group in groups:
        family = socket.AF_INET6 if ":" in group else socket.AF_INET
        client = socket.socket(family, socket.SOCK_DGRAM)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, b"eth0")
        client.sendto(pattern(200), (group, GROUP_PORT))


def broadcast(*addresses):
    client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
    for address in addresses:
        client.sendto(pattern(50), (address, GROUP_PORT))


def lldp(interface):
    def tlv(kind, value):
        return struct.pack("!H", kind << 9 | len(value)) + value

    raw = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    raw.bind((interface, 0))
    address = raw.getsockname()[4]
    chassis, port, lifetime_seconds, name, end = 1, 2, 3, 5, 0  # IEEE 802.1AB, section 8.4
    raw.send(
        bytes.fromhex("0180c200000e") + address + b"\x88\xcc"
        + tlv(chassis, b"\x04" + address) + tlv(port, b"\x05" + interface.encode())
        + tlv(lifetime_seconds, struct.pack("!H", 120)) + tlv(name, b"switch") + tlv(end, b"")
    )


COMMANDS = (echo, udp, tcp, mptcp, reset, options4, options6, join, multicast, broadcast, lldp)

if __name__ == "__main__":
    command = {function.__name__: function for function in COMMANDS}.get(sys.argv[1] if len(sys.argv) > 1 else "")
    if command is None:
        sys.exit(__doc__)
    command(*sys.argv[2:])
