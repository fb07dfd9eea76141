package io.linerate.fabric;

import org.jspecify.annotations.Nullable;

/** What a domain has of its provider's itself, opened together and closed together. */
final class NativeDomain {
  private final long info;
  private final ProviderInfo provider;
  private final NativeClosing closing;
  private final CallCount calls;
  private long fabric;
  private long handle;
  private long addressVector;
  private long eventQueue;
  private @Nullable Spill spill;

  private NativeDomain(FabricDomain domain, long info) {
    this.info = info;
    provider = ProviderInfo.of(info);
    closing = new NativeClosing(provider.name());
    calls = new CallCount(domain);
  }

  /**
   * Opens it.
   *
   * @throws FabricException if the provider is missing, or cannot do what is asked for
   */
  static NativeDomain open(FabricDomain domain, FabricAddress address, DomainOptions options) {
    FabricLibrary.requireAvailable();
    long info = Providers.find(address, options);
    NativeDomain opened;
    try {
      opened = new NativeDomain(domain, info);
    } catch (RuntimeException e) {
      FabricFunction.FREE_INFO.call(info);
      throw e;
    }
    try {
      opened.openAll(address, options);
      return opened;
    } catch (RuntimeException e) {
      boolean _ = opened.close();
      throw e;
    }
  }

  private void openAll(FabricAddress address, DomainOptions options) {
    String what = "a fabric domain cannot be opened: address=" + address + ",";
    fabric = NativeObject.open(what, FabricFunction.FABRIC, info);
    handle = NativeObject.open(what, FabricFunction.DOMAIN, fabric, info);
    if (provider.kind() == EndpointKind.CONNECTED) {
      eventQueue = NativeObject.open(what, FabricFunction.EVENT_QUEUE, fabric);
    } else {
      addressVector =
          NativeObject.open(what, FabricFunction.ADDRESS_VECTOR, handle, options.peers());
    }
    spill = address.isSharedMemory() || address.isLayered() ? Spill.open() : null;
  }

  /** What it was opened with. */
  long info() {
    return info;
  }

  ProviderInfo provider() {
    return provider;
  }

  long fabric() {
    return fabric;
  }

  long handle() {
    return handle;
  }

  /** 0 where the provider has connections. */
  long addressVector() {
    return addressVector;
  }

  /** 0 where the provider has no connections. */
  long eventQueue() {
    return eventQueue;
  }

  /** For what does not fit into memory that is posted; null where the provider sees to that. */
  @Nullable Spill spill() {
    return spill;
  }

  /** Closes what else the domain has of its provider's. */
  NativeClosing closing() {
    return closing;
  }

  /** Of its data path. */
  CallCount calls() {
    return calls;
  }

  /**
   * Closes it, after all of its parts.
   *
   * @return whether the provider has no memory of the domain's any more
   */
  boolean close() {
    boolean _ = close("address vector", addressVector);
    boolean _ = close("event queue", eventQueue);
    if (close("domain", handle)) {
      boolean _ = close("fabric", fabric);
    }
    FabricFunction.FREE_INFO.call(info);
    Spill own = spill;
    boolean isFree = closing.stuckAt().isEmpty();
    if (isFree && own != null) {
      own.free();
    }
    return isFree;
  }

  private boolean close(String what, long object) {
    return object == 0 || closing.close(what, object);
  }
}
