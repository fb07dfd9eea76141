package io.linerate.stream;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * How keys and what is kept of them are written to files.
 *
 * @param <K> class of the keys
 * @param <S> what is kept of a key
 */
public interface StateCodec<K, S> {
  /** Writes a key. */
  void writeKey(K key, DataOutput out) throws IOException;

  /** Reads a key. */
  K readKey(DataInput in) throws IOException;

  /** Writes what is kept of a key. */
  void writeState(S state, DataOutput out) throws IOException;

  /** Reads what is kept of a key. */
  S readState(DataInput in) throws IOException;
}
