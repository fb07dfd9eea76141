package io.linerate.wire.name;

import io.linerate.core.memory.ByteView;

/**
 * Reads which host is meant from the first bytes that a client sends. It makes no object, keeps
 * nothing of what it has read but the name, and looks at {@value #MOST_BYTES} bytes at most. One
 * thread's own; one for any number of connections.
 *
 * <pre>{@code
 * NameSearch search = reader.read(bytes, connection.progress());
 * if (search == NameSearch.NEEDS_MORE) {
 *   connection.progress(reader.progress()); // Again when there are more.
 * }
 * }</pre>
 */
public sealed interface NameReader permits ClientHello, DnsQuestion, HttpHost, StreamName {
  /** How many bytes are looked at. */
  int MOST_BYTES = 16_384;

  /**
   * Reads.
   *
   * @param bytes from the first one on
   * @param progress 0 at first; then, with more of the same bytes, what {@link #progress} said when
   *     they needed more: what was looked at is not looked at again
   */
  NameSearch read(ByteView bytes, int progress);

  /** How far it is, if it needs more. */
  int progress();

  /** The name, if one was found. */
  DomainName name();
}
