package io.linerate.wire.name;

import io.linerate.core.memory.ByteView;

/**
 * The name in the first bytes of a TCP connection, whichever protocol it has: TLS, HTTP or DNS.
 * What needs more than is looked at is malformed.
 */
public final class StreamName implements NameReader {
  private final ClientHello tls = new ClientHello();
  private final HttpHost http = new HttpHost();
  private final DnsQuestion dns = new DnsQuestion(true);
  private final boolean isDnsPort;
  private DomainName name = http.name();
  private int progress;

  /**
   * @param isDnsPort whether it is a connection to {@link DnsQuestion#PORT}: on others only a usual
   *     question is taken for one
   */
  public StreamName(boolean isDnsPort) {
    this.isDnsPort = isDnsPort;
  }

  @Override
  public NameSearch read(ByteView bytes, int from) {
    NameSearch search = readAny(bytes, from);
    boolean isTooLong = search == NameSearch.NEEDS_MORE && bytes.length() >= MOST_BYTES;
    return isTooLong ? NameSearch.MALFORMED : search;
  }

  private NameSearch readAny(ByteView bytes, int from) {
    progress = 0;
    if (bytes.length() == 0) {
      return NameSearch.NEEDS_MORE;
    }
    NameSearch search = tls.read(bytes, from);
    if (search != NameSearch.NONE) {
      name = tls.name();
      progress = tls.progress();
      return search;
    }
    search = http.read(bytes, from);
    if (search != NameSearch.NONE) {
      name = http.name();
      progress = http.progress();
      return search;
    }
    if (!isDnsPort && !DnsQuestion.isLikely(bytes)) {
      return NameSearch.NONE;
    }
    name = dns.name();
    search = dns.read(bytes, from);
    return search == NameSearch.MALFORMED && !isDnsPort ? NameSearch.NONE : search;
  }

  @Override
  public int progress() {
    return progress;
  }

  @Override
  public DomainName name() {
    return name;
  }
}
