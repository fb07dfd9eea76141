package io.linerate.fabric.channel;

import io.linerate.fabric.Connection;
import io.linerate.fabric.Descriptor;
import io.linerate.fabric.Endpoint;
import io.linerate.fabric.OpenEndpoint;
import io.linerate.fabric.Peer;
import io.linerate.fabric.RemoteRegion;

/** How messages of a channel leave: by its connection, or by an open endpoint to its peer. */
sealed interface Wire {
  boolean send(Descriptor descriptor);

  boolean write(Descriptor descriptor, RemoteRegion region, long offset);

  Endpoint endpoint();

  /** By a connection of its own. */
  record ByConnection(Connection endpoint) implements Wire {
    @Override
    public boolean send(Descriptor descriptor) {
      return endpoint.send(descriptor);
    }

    @Override
    public boolean write(Descriptor descriptor, RemoteRegion region, long offset) {
      return endpoint.write(descriptor, region, offset);
    }
  }

  /** By an endpoint that others use, too. */
  record ByPeer(OpenEndpoint endpoint, Peer peer) implements Wire {
    @Override
    public boolean send(Descriptor descriptor) {
      return endpoint.send(descriptor, peer);
    }

    @Override
    public boolean write(Descriptor descriptor, RemoteRegion region, long offset) {
      return endpoint.write(descriptor, peer, region, offset);
    }
  }
}
