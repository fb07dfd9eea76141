package io.linerate.wire;

import io.linerate.core.memory.Packet;

/**
 * The list of options that IPv4 (RFC 791, section 3.1) and TCP (RFC 9293, section 3.2) share: kind
 * 0 ends the list, kind 1 is one byte of padding, every other has a length byte that counts itself
 * and the kind.
 *
 * <p>An option is known by its offset in the packet, so that walking the list makes no object. The
 * length byte is untrusted: an option that is shorter than two bytes or passes the end of the
 * header ends the list, so that every walk ends.
 */
final class Options {
  static final int END = 0;
  static final int NO_OPERATION = 1;

  private Options() {}

  /** The offset {@code at} if a whole option other than the end of the list is there, or -1. */
  static int valid(Packet packet, int at, int end) {
    if (at >= end) {
      return -1;
    }
    int kind = packet.u8(at);
    if (kind == END) {
      return -1;
    }
    if (kind == NO_OPERATION) {
      return at;
    }
    if (end - at < 2) {
      return -1;
    }
    int length = packet.u8(at + 1);
    return length >= 2 && length <= end - at ? at : -1;
  }

  static int length(Packet packet, int at) {
    return packet.u8(at) <= NO_OPERATION ? 1 : packet.u8(at + 1);
  }

  static int next(Packet packet, int at, int end) {
    // An option that was never validated may claim no length at all: go on by a byte at least.
    return valid(packet, at + Math.max(1, length(packet, at)), end);
  }

  /** The offset of the first option of that kind, or -1. */
  static int find(Packet packet, int start, int end, int kind) {
    int at = valid(packet, start, end);
    while (at >= 0 && packet.u8(at) != kind) {
      at = next(packet, at, end);
    }
    return at;
  }

  /** Whether the list ends where it should: with kind 0 or at the end of the header. */
  static boolean intact(Packet packet, int start, int end) {
    int at = start;
    while (at < end) {
      if (packet.u8(at) == END) {
        return true;
      }
      if (valid(packet, at, end) < 0) {
        return false;
      }
      at += length(packet, at);
    }
    return true;
  }
}
