package io.linerate.decode.reassembly;

import io.linerate.wire.FragmentPieces;
import org.jspecify.annotations.Nullable;

/** A datagram whose fragments come: see {@link FragmentReassembler}. Used again and again. */
final class Datagram {
  final FragmentPieces pieces;

  /** Of each piece, its packet's number among those held; 0 if it is not. */
  final long[] packets;

  /** When its first fragment came. */
  long sinceNs;

  boolean isIpv4;
  long identification;

  // Of the table that it is in: its place there.
  int bucket;
  @Nullable Datagram next;
  @Nullable Datagram older;
  @Nullable Datagram newer;

  Datagram(int fragments) {
    pieces = new FragmentPieces(fragments);
    packets = new long[fragments];
  }
}
