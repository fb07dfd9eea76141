package io.linerate.fabric;

/**
 * Memory for messages of several endpoints (fi_srx_context(3)): whichever has a message takes what
 * was posted first. {@link FabricDomain#sharedReceiver} makes one, {@link Bindings} give it to
 * endpoints.
 */
public final class SharedReceiver extends Receiver {
  SharedReceiver(FabricDomain domain, CompletionQueue queue) {
    super(
        domain,
        queue,
        NativeObject.open(
            "a shared receive context cannot be opened: provider=" + domain.provider().name() + ",",
            FabricFunction.SHARED_RECEIVE,
            domain.handle(),
            domain.info()));
  }
}
