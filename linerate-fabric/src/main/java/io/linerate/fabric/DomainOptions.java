package io.linerate.fabric;

import io.linerate.fabric.host.Range;
import java.util.EnumSet;
import java.util.Set;

/**
 * What a domain is asked for.
 *
 * @param capabilities that its endpoints must have; empty for those that the provider has without
 *     being slowed by them: messages, and remote memory and tags where there are any
 * @param sendQueue descriptors that an endpoint has room for to send, 0 for the provider's choice
 * @param receiveQueue descriptors that an endpoint has room for to receive, 0 likewise
 * @param descriptors of the domain at most
 * @param peers that are expected; more are no error
 * @param leastMultiReceive how little may be left of memory for several messages before it comes
 *     back ({@link Receiver#receiveMany}): 1 to 2^30 bytes
 */
public record DomainOptions(
    Set<Capability> capabilities,
    int sendQueue,
    int receiveQueue,
    int descriptors,
    int peers,
    int leastMultiReceive) {
  public static final DomainOptions DEFAULT = new DomainOptions(Set.of(), 0, 0, 16_384, 64);

  /** With 4,096 bytes for {@link #leastMultiReceive}. */
  public DomainOptions(
      Set<Capability> capabilities, int sendQueue, int receiveQueue, int descriptors, int peers) {
    this(capabilities, sendQueue, receiveQueue, descriptors, peers, 4096);
  }

  public DomainOptions {
    capabilities = Set.copyOf(capabilities);
    Range.require("sendQueue", sendQueue, 0, 1 << 20);
    Range.require("receiveQueue", receiveQueue, 0, 1 << 20);
    Range.require("descriptors", descriptors, 1, 1 << 20);
    Range.require("peers", peers, 1, 1 << 20);
    Range.require("leastMultiReceive", leastMultiReceive, 1, 1 << 30);
  }

  /** With these capabilities, beside what was asked for. */
  public DomainOptions with(Capability first, Capability... more) {
    Set<Capability> all = EnumSet.of(first, more);
    all.addAll(capabilities);
    return new DomainOptions(all, sendQueue, receiveQueue, descriptors, peers, leastMultiReceive);
  }

  /** With room for so many descriptors in an endpoint's queues. */
  public DomainOptions queues(int send, int receive) {
    return new DomainOptions(capabilities, send, receive, descriptors, peers, leastMultiReceive);
  }

  /** With so little that may be left of memory for several messages. */
  public DomainOptions leastMultiReceive(int bytes) {
    return new DomainOptions(capabilities, sendQueue, receiveQueue, descriptors, peers, bytes);
  }
}
