package io.linerate.fabric;

/** How endpoints reach each other: fi_endpoint(3), enum fi_ep_type. */
public enum EndpointKind {
  /** By a connection with one peer (FI_EP_MSG): reliable, in order. */
  CONNECTED("connections", 1),
  /** Without a guarantee (FI_EP_DGRAM), up to the MTU. */
  DATAGRAM("datagrams", 2),
  /** All peers without a connection (FI_EP_RDM): reliable. */
  OPEN("open", 3),
  /** None of these. */
  OTHER("other", 0);

  private final String text;
  private final int number;

  EndpointKind(String text, int number) {
    this.text = text;
    this.number = number;
  }

  int number() {
    return number;
  }

  static EndpointKind of(long number) {
    for (EndpointKind kind : values()) {
      if (kind.number == number) {
        return kind;
      }
    }
    return OTHER;
  }

  /** As messages and tables have it. */
  @Override
  public String toString() {
    return text;
  }
}
