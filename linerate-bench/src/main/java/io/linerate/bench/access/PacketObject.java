package io.linerate.bench.access;

/**
 * A packet as an object with a field for each of the struct's: what the copying techniques work on.
 * Native code finds fields and methods by their names.
 */
final class PacketObject {
  private int source;
  private int destination;
  private int sourcePort;
  private int destinationPort;
  private int sequence;
  private int ttl;
  private int protocol;
  private int checksum;

  int source() {
    return source;
  }

  void source(int address) {
    source = address;
  }

  int destination() {
    return destination;
  }

  void destination(int address) {
    destination = address;
  }

  int sourcePort() {
    return sourcePort;
  }

  void sourcePort(int port) {
    sourcePort = port;
  }

  int destinationPort() {
    return destinationPort;
  }

  void destinationPort(int port) {
    destinationPort = port;
  }

  int sequence() {
    return sequence;
  }

  void sequence(int number) {
    sequence = number;
  }

  int ttl() {
    return ttl;
  }

  void ttl(int hops) {
    ttl = hops;
  }

  int protocol() {
    return protocol;
  }

  void protocol(int number) {
    protocol = number;
  }

  int checksum() {
    return checksum;
  }

  void checksum(int sum) {
    checksum = sum;
  }

  /** The change that every contestant makes. */
  void answer() {
    int oldSource = source;
    int oldSourcePort = sourcePort;
    source = destination;
    destination = oldSource;
    sourcePort = destinationPort;
    destinationPort = oldSourcePort;
    sequence++;
    ttl = ttl - 1 & 0xFF;
    checksum = checksum + protocol & 0xFFFF;
  }
}
