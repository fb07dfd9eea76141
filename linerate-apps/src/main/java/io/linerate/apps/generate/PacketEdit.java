package io.linerate.apps.generate;

import io.linerate.core.memory.Packet;

/** A program's own change to each packet of a stream. */
@FunctionalInterface
public interface PacketEdit {
  /**
   * Changes a packet, after its fields and checksums were written: checksums of what it changes are
   * its own business. Called on the worker that sends; several workers call it at once.
   *
   * @param number of the packet in its stream, from 0
   */
  void edit(Packet packet, long number);
}
