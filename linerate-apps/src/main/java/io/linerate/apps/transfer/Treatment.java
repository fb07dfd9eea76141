package io.linerate.apps.transfer;

import io.linerate.stream.codec.Compression;
import java.util.Optional;

/**
 * What is done with a file on its way.
 *
 * @param compression of its chunks
 * @param level of compression
 * @param isSecret whether its bytes are encrypted by themselves, by the file key
 * @param into below which directory of the receiver's it is put; empty: where it would be
 */
record Treatment(Optional<Compression> compression, int level, boolean isSecret, String into) {
  /** Sent as it is. */
  static final Treatment PLAIN = new Treatment(Optional.empty(), 1, false, "");
}
