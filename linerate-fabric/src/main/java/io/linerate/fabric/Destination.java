package io.linerate.fabric;

import java.lang.foreign.MemorySegment;

/**
 * Whom messages go to, whatever the provider has: the peer of a connection, or one that an open
 * endpoint reaches. Its methods are those of {@link Connection} and {@link OpenEndpoint}.
 */
public sealed interface Destination {
  /** By what they go; what comes from there comes there, too. */
  Endpoint endpoint();

  boolean send(Descriptor descriptor);

  boolean sendTagged(Descriptor descriptor, long tag);

  boolean inject(MemorySegment message);

  boolean inject(MemoryRegion region, long offset, long bytes);

  boolean write(Descriptor descriptor, RemoteRegion region, long offset);

  boolean read(Descriptor descriptor, RemoteRegion region, long offset);

  /**
   * As {@link OpenEndpoint#atomic}.
   *
   * @throws FabricException if it is a connection: those have no atomic operations
   */
  boolean atomic(Descriptor descriptor, AtomicTarget target, AtomicOperation atomic);

  /** As {@link #atomic}; what was there before goes into {@code result}. */
  boolean fetch(
      Descriptor descriptor,
      AtomicTarget target,
      AtomicOperation atomic,
      MemoryRegion result,
      long resultOffset);

  /** As {@link OpenEndpoint#compareAndSwap}; otherwise as {@link #atomic}. */
  boolean compareAndSwap(
      Descriptor descriptor,
      AtomicTarget target,
      MemoryRegion compare,
      long compareOffset,
      MemoryRegion result,
      long resultOffset);

  /** The peer of a connection. */
  record ByConnection(Connection endpoint) implements Destination {
    @Override
    public boolean send(Descriptor descriptor) {
      return endpoint.send(descriptor);
    }

    @Override
    public boolean sendTagged(Descriptor descriptor, long tag) {
      return endpoint.sendTagged(descriptor, tag);
    }

    @Override
    public boolean inject(MemorySegment message) {
      return endpoint.inject(message);
    }

    @Override
    public boolean inject(MemoryRegion region, long offset, long bytes) {
      return endpoint.inject(region, offset, bytes);
    }

    @Override
    public boolean write(Descriptor descriptor, RemoteRegion region, long offset) {
      return endpoint.write(descriptor, region, offset);
    }

    @Override
    public boolean read(Descriptor descriptor, RemoteRegion region, long offset) {
      return endpoint.read(descriptor, region, offset);
    }

    @Override
    public boolean atomic(Descriptor descriptor, AtomicTarget target, AtomicOperation atomic) {
      throw noAtomics();
    }

    @Override
    public boolean fetch(
        Descriptor descriptor,
        AtomicTarget target,
        AtomicOperation atomic,
        MemoryRegion result,
        long resultOffset) {
      throw noAtomics();
    }

    @Override
    public boolean compareAndSwap(
        Descriptor descriptor,
        AtomicTarget target,
        MemoryRegion compare,
        long compareOffset,
        MemoryRegion result,
        long resultOffset) {
      throw noAtomics();
    }

    private FabricException noAtomics() {
      return new FabricException(
          "a connection has no atomic operations: provider=%s; use an endpoint without connections"
              .formatted(endpoint.domain().provider().name()));
    }
  }

  /** A peer, by an endpoint that others use, too. */
  record ByPeer(OpenEndpoint endpoint, Peer peer) implements Destination {
    @Override
    public boolean send(Descriptor descriptor) {
      return endpoint.send(descriptor, peer);
    }

    @Override
    public boolean sendTagged(Descriptor descriptor, long tag) {
      return endpoint.sendTagged(descriptor, peer, tag);
    }

    @Override
    public boolean inject(MemorySegment message) {
      return endpoint.inject(message, peer);
    }

    @Override
    public boolean inject(MemoryRegion region, long offset, long bytes) {
      return endpoint.inject(region, offset, bytes, peer);
    }

    @Override
    public boolean write(Descriptor descriptor, RemoteRegion region, long offset) {
      return endpoint.write(descriptor, peer, region, offset);
    }

    @Override
    public boolean read(Descriptor descriptor, RemoteRegion region, long offset) {
      return endpoint.read(descriptor, peer, region, offset);
    }

    @Override
    public boolean atomic(Descriptor descriptor, AtomicTarget target, AtomicOperation atomic) {
      return endpoint.atomic(descriptor, peer, target, atomic);
    }

    @Override
    public boolean fetch(
        Descriptor descriptor,
        AtomicTarget target,
        AtomicOperation atomic,
        MemoryRegion result,
        long resultOffset) {
      return endpoint.fetch(descriptor, peer, target, atomic, result, resultOffset);
    }

    @Override
    public boolean compareAndSwap(
        Descriptor descriptor,
        AtomicTarget target,
        MemoryRegion compare,
        long compareOffset,
        MemoryRegion result,
        long resultOffset) {
      return endpoint.compareAndSwap(
          descriptor, peer, target, compare, compareOffset, result, resultOffset);
    }
  }
}
