package io.linerate.fabric;

/** An object of the provider's that endpoints are bound to, and that is closed after they are. */
final class BoundObject {
  private final FabricDomain domain;
  private final String what;
  private final long handle;
  private boolean isClosed;

  /**
   * One that is open.
   *
   * @param what it is, such as {@code counter}
   */
  BoundObject(FabricDomain domain, String what, long handle) {
    this.domain = domain;
    this.what = what;
    this.handle = handle;
  }

  FabricDomain domain() {
    return domain;
  }

  long handle() {
    return handle;
  }

  boolean isClosed() {
    return isClosed;
  }

  void requireOpen() {
    domain.requireOpen();
    if (isClosed) {
      throw new FabricException("a " + what + " is closed: ask the domain for another");
    }
  }

  /** Throws unless endpoints of a domain can be bound to it. */
  void requireFor(FabricDomain other) {
    requireOpen();
    if (other != domain) {
      throw new FabricException(
          "a %s belongs to another domain: domain=%s; ask the endpoint's domain for one"
              .formatted(what, domain.address()));
    }
  }

  /**
   * Ends it.
   *
   * @param part what the domain knows it as
   * @throws FabricException if an endpoint is bound to it
   */
  void close(Object part) {
    domain.requireOwner();
    if (!isClosed && !domain.isClosed()) {
      domain.parts().requireUnbound("a " + what, part);
      domain.parts().forget(part);
      isClosed = true;
      domain.nativeClosing().closePart(what, handle);
    }
  }

  /** With its domain. */
  void end() {
    isClosed = true;
    boolean _ = domain.nativeClosing().close(what, handle);
  }
}
