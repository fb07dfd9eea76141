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

  boolean inject(MemorySegment message);

  boolean inject(MemoryRegion region, long offset, long bytes);

  boolean write(Descriptor descriptor, RemoteRegion region, long offset);

  boolean read(Descriptor descriptor, RemoteRegion region, long offset);

  /** The peer of a connection. */
  record ByConnection(Connection endpoint) implements Destination {
    @Override
    public boolean send(Descriptor descriptor) {
      return endpoint.send(descriptor);
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
  }

  /** A peer, by an endpoint that others use, too. */
  record ByPeer(OpenEndpoint endpoint, Peer peer) implements Destination {
    @Override
    public boolean send(Descriptor descriptor) {
      return endpoint.send(descriptor, peer);
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
  }
}
