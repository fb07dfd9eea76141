#!/usr/bin/env python3
"""A VLAN interface for kernels without 802.1Q: joins a tap device to an interface through a stack of tags.

    tagger.py INTERFACE TAP TPID:TCI [TPID:TCI ...]      (hexadecimal, outer tag first)

What the kernel's own stack sends on TAP leaves INTERFACE with the tags; what arrives on INTERFACE with the same TPIDs
and VLAN IDs appears on TAP without them. The tap lives as long as this process.
"""
import contextlib
import fcntl
import select
import socket
import struct
import sys

TUNSETIFF, IFF_TAP, IFF_NO_PI = 0x400454CA, 0x0002, 0x1000  # linux/if_tun.h
SOL_PACKET, PACKET_AUXDATA = 263, 8  # linux/if_packet.h
AUXDATA = struct.Struct("=IIIHHHH")  # struct tpacket_auxdata: status, len, snaplen, mac, net, vlan_tci, vlan_tpid
STATUS_VLAN_VALID = 1 << 4
ETH_P_ALL = 3
VID_MASK = 0x0FFF


def open_tap(name):
    tap = open("/dev/net/tun", "r+b", buffering=0)
    fcntl.ioctl(tap, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TAP | IFF_NO_PI))
    return tap


def open_raw(interface):
    raw = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    raw.setsockopt(SOL_PACKET, PACKET_AUXDATA, 1)
    raw.bind((interface, 0))
    return raw


def receive(raw):
    """The next incoming frame as it was on the wire: the kernel takes the outer tag off and reports it beside the frame."""
    frame, control, _, sender = raw.recvmsg(65536, socket.CMSG_SPACE(AUXDATA.size))
    if sender[2] == socket.PACKET_OUTGOING:
        return None
    for level, kind, data in control:
        if level == SOL_PACKET and kind == PACKET_AUXDATA:
            status, _, _, _, _, tci, tpid = AUXDATA.unpack(data[: AUXDATA.size])
            if status & STATUS_VLAN_VALID:
                return frame[:12] + struct.pack("!HH", tpid, tci) + frame[12:]
    return frame


def untag(frame, tags):
    """The frame without its tags, or None when it does not carry exactly these."""
    offset = 12
    for tpid, tci in tags:
        if len(frame) < offset + 6:
            return None
        found_tpid, found_tci = struct.unpack_from("!HH", frame, offset)
        if found_tpid != tpid or (found_tci ^ tci) & VID_MASK:
            return None
        offset += 4
    if frame[offset : offset + 2] in (b"\x81\x00", b"\x88\xa8"):
        return None
    return frame[:12] + frame[offset:]


def main():
    interface, tap_name = sys.argv[1:3]
    tags = [tuple(int(part, 16) for part in tag.split(":")) for tag in sys.argv[3:]]
    stack = b"".join(struct.pack("!HH", *tag) for tag in tags)
    raw, tap = open_raw(interface), open_tap(tap_name)
    while True:
        for ready in select.select([raw, tap], [], [])[0]:
            if ready is raw:
                frame = receive(raw)
                inner = frame and untag(frame, tags)
                if inner:
                    with contextlib.suppress(OSError):  # the tap is down: lost, as on any interface that is down
                        tap.write(inner)
            else:
                frame = tap.read(65536)
                raw.send(frame[:12] + stack + frame[12:])


if __name__ == "__main__":
    main()
