package io.linerate.fabric;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** The part of {@link RandomCalls} that posts. */
final class RandomPosts {
  private final RandomCalls calls;
  private final SplittableRandom random;

  RandomPosts(RandomCalls calls) {
    this.calls = calls;
    random = calls.random;
  }

  /** What the provider has besides the usual: not all have all. */
  DomainOptions allCapabilities() {
    return calls.provider.equals("shm")
        ? DomainOptions.DEFAULT.with(
            Capability.MESSAGES,
            Capability.TAGGED,
            Capability.REMOTE_MEMORY,
            Capability.ATOMICS,
            Capability.SOURCE,
            Capability.DIRECTED_RECEIVE)
        : DomainOptions.DEFAULT.with(
            Capability.MESSAGES,
            Capability.TAGGED,
            Capability.REMOTE_MEMORY,
            random.nextBoolean() ? Capability.ATOMICS : Capability.MULTI_RECEIVE);
  }

  /** A region that no peer has published so. */
  RemoteRegion forged() {
    RemoteRegion real = calls.any(calls.remotes);
    return switch (random.nextInt(5)) {
      case 0 -> new RemoteRegion(real.address(), calls.number(), real.length(), real.rights());
      case 1 -> new RemoteRegion(calls.number(), real.key(), real.length(), real.rights());
      case 2 -> new RemoteRegion(real.address(), real.key(), calls.number(), real.rights());
      case 3 -> new RemoteRegion(real.address(), real.key(), real.length(), rights());
      default -> new RemoteRegion(calls.number(), calls.number(), calls.number(), rights());
    };
  }

  private Set<Access> rights() {
    return Arrays.stream(Access.values())
        .filter(_ -> random.nextBoolean())
        .collect(Collectors.toSet());
  }

  void post() {
    Receiver receiver = calls.receiver();
    Descriptor descriptor = calls.descriptor();
    switch (receiver) {
      case OpenEndpoint open when random.nextInt(2) > 0 -> postOpen(open, descriptor);
      case Connection connection when random.nextInt(2) > 0 -> post(connection, descriptor);
      default -> receive(receiver, descriptor);
    }
  }

  private long tag() {
    return random.nextInt(8) == 0 ? calls.number() : random.nextInt(4);
  }

  private void receive(Receiver receiver, Descriptor descriptor) {
    switch (calls.isOpen || random.nextInt(16) == 0 ? random.nextInt(13) : 12) {
      case 0 -> receiver.receiveMany(descriptor);
      case 1, 2 -> receiver.receiveTagged(descriptor, tag(), random.nextInt(4));
      case 3 -> receiver.peekTagged(descriptor, tag(), 0);
      case 4 -> receiver.claimTagged(descriptor, tag(), -1);
      case 5 -> receiver.discardTagged(descriptor, tag(), 0);
      case 6 -> receiver.receiveClaimed(descriptor);
      case 7, 8 -> receiver.receiveWithPoll(descriptor);
      default -> receiver.receive(descriptor);
    }
  }

  private void postOpen(OpenEndpoint open, Descriptor descriptor) {
    Peer peer = calls.peer();
    MemoryRegion region = calls.region();
    switch (random.nextInt(13)) {
      case 0 -> open.inject(region.segment().asSlice(0, calls.within(region.length())), peer);
      case 1 -> open.injectTagged(region.segment().asSlice(0, calls.within(64)), peer, tag());
      case 2 -> open.receiveFrom(descriptor, peer);
      case 3 -> open.receiveTaggedFrom(descriptor, peer, tag(), random.nextInt(4));
      case 4 -> open.write(descriptor, peer, remote(), calls.within(4096));
      case 5 -> open.read(descriptor, peer, remote(), calls.within(4096));
      case 6 -> open.atomic(descriptor, peer, target(), atomic());
      case 7 -> open.fetch(descriptor, peer, target(), atomic(), region, calls.within(64));
      case 8 ->
          open.compareAndSwap(
              descriptor,
              peer,
              target(),
              calls.region(),
              calls.within(64),
              region,
              calls.within(64));
      case 9, 10 -> open.sendTagged(descriptor, peer, tag());
      default -> open.send(descriptor, peer);
    }
  }

  private void post(Connection connection, Descriptor descriptor) {
    MemoryRegion region = calls.region();
    switch (random.nextInt(9)) {
      case 0 -> connection.inject(region.segment().asSlice(0, calls.within(region.length())));
      case 1 -> connection.sendTagged(descriptor, tag());
      case 2, 3 -> connection.write(descriptor, remote(), calls.within(4096));
      case 4, 5 -> connection.read(descriptor, remote(), calls.within(4096));
      case 6 -> {
        if (random.nextInt(20) == 0) {
          connection.shutdown();
        }
      }
      default -> connection.send(descriptor);
    }
  }

  private RemoteRegion remote() {
    return calls.any(calls.remotes);
  }

  private AtomicTarget target() {
    AtomicType type = calls.any(List.of(AtomicType.values()));
    return new AtomicTarget(remote(), 8 * calls.within(32), type);
  }

  private AtomicOperation atomic() {
    return calls.any(List.of(AtomicOperation.values()));
  }
}
