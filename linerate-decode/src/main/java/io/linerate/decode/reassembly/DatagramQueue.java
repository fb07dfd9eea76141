package io.linerate.decode.reassembly;

import org.jspecify.annotations.Nullable;

/** Datagrams by age: the one whose first fragment came first is the first. */
final class DatagramQueue {
  private @Nullable Datagram oldest;
  private @Nullable Datagram newest;

  @Nullable Datagram oldest() {
    return oldest;
  }

  void add(Datagram datagram) {
    Datagram last = newest;
    datagram.older = last;
    datagram.newer = null;
    newest = datagram;
    if (last == null) {
      oldest = datagram;
    } else {
      last.newer = datagram;
    }
  }

  void remove(Datagram datagram) {
    Datagram older = datagram.older;
    Datagram newer = datagram.newer;
    if (older == null) {
      oldest = newer;
    } else {
      older.newer = newer;
    }
    if (newer == null) {
      newest = older;
    } else {
      newer.older = older;
    }
    datagram.older = null;
    datagram.newer = null;
  }
}
