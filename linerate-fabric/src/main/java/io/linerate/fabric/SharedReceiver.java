package io.linerate.fabric;

/**
 * Memory for messages of several endpoints (fi_srx_context(3)): whichever has a message takes what
 * was posted first. {@link FabricDomain#sharedReceiver} makes one, {@link Bindings} give it to
 * endpoints that have the same completion queue.
 */
public final class SharedReceiver extends Receiver {
  SharedReceiver(FabricDomain domain, CompletionQueue queue) {
    super(domain, queue, open(domain, queue));
  }

  private static long open(FabricDomain domain, CompletionQueue queue) {
    String what =
        "a shared receive context cannot be opened: provider=" + domain.provider().name() + ",";
    long handle =
        NativeObject.open(
            what, FabricFunction.SHARED_RECEIVE, domain.handle(), domain.nativeDomain().info());
    try {
      // Where tcp tells that a receive was cancelled: it does not look whether there is one.
      Bindings.bind(handle, "completion queue", queue.handle(), Bindings.RECEIVING);
    } catch (RuntimeException e) {
      domain.nativeClosing().closeEndpoint(handle, false);
      throw e;
    }
    return handle;
  }

  /** Throws unless endpoints of a domain can be bound to it, with their queue. */
  void requireFor(FabricDomain other, CompletionQueue queue) {
    requireOpen();
    if (other != domain() || queue != queue()) {
      throw new FabricException(
          "a shared receiver of another %s: provider=%s; take the endpoint's domain and queue for it"
              .formatted(other == domain() ? "completion queue" : "domain", provider().name()));
    }
  }
}
