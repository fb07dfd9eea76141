package io.linerate.fabric;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds the providers that fit, by fi_getinfo(3). */
final class Providers {
  private static final long MODES =
      ProviderInfo.MR_LOCAL
          | ProviderInfo.MR_VIRTUAL_ADDRESS
          | ProviderInfo.MR_ALLOCATED
          | ProviderInfo.MR_PROVIDER_KEY;

  /**
   * Without addresses as they are: by these, shm writes into the memory of a peer without its
   * knowledge (process_vm_writev), and looks at no key.
   */
  private static final long MODES_OF_SHARED_MEMORY = MODES & ~ProviderInfo.MR_VIRTUAL_ADDRESS;

  /** What is taken where nothing is asked for, first those with the most. */
  private static final List<Set<Capability>> USUAL =
      List.of(
          EnumSet.of(Capability.MESSAGES, Capability.TAGGED, Capability.REMOTE_MEMORY),
          EnumSet.of(Capability.MESSAGES, Capability.REMOTE_MEMORY),
          EnumSet.of(Capability.MESSAGES, Capability.TAGGED),
          EnumSet.of(Capability.MESSAGES));

  /** What all are asked for: some have atomics only for who asks (rxm). */
  private static final List<Set<Capability>> TOLD =
      List.of(Set.of(), EnumSet.of(Capability.MESSAGES, Capability.ATOMICS));

  private Providers() {}

  /** All providers that have messages, each once for a kind of endpoints and a device. */
  static List<ProviderInfo> all() {
    FabricLibrary.requireAvailable();
    Map<String, ProviderInfo> all = new LinkedHashMap<>();
    for (EndpointKind kind :
        List.of(EndpointKind.CONNECTED, EndpointKind.OPEN, EndpointKind.DATAGRAM)) {
      for (Set<Capability> asked : TOLD) {
        InfoRequest request =
            new InfoRequest(
                null,
                null,
                null,
                false,
                Capability.bits(asked),
                kind.number(),
                "",
                MODES,
                0,
                DomainOptions.DEFAULT);
        try (InfoList list = request.ask()) {
          for (ProviderInfo info : list.providers()) {
            // Again for IPv6, and for other capabilities.
            all.merge(
                info.name() + ' ' + info.device() + ' ' + info.kind(), info, ProviderInfo::and);
          }
        }
      }
    }
    return List.copyOf(all.values());
  }

  /** The info that a domain is opened with; to be freed. */
  static long find(FabricAddress address, DomainOptions options) {
    boolean isOpen = address.kind() == EndpointKind.OPEN;
    long found = first(address, options, true);
    return found == -FabricError.FI_ENODATA && !isOpen
        ? destination(address, options) // The peer's: it tells the device.
        : require(found, address, options);
  }

  /** Of an address of this side; to be freed. */
  static long source(FabricAddress address, DomainOptions options) {
    return require(first(address, options, true), address, options);
  }

  /** Of an address of a peer; to be freed. */
  static long destination(FabricAddress address, DomainOptions options) {
    return require(first(address, options, false), address, options);
  }

  /** The first that fits; the negative error if none does. */
  private static long first(FabricAddress address, DomainOptions options, boolean isSource) {
    Defect.requireNone(address, options.capabilities());
    List<Set<Capability>> choices =
        options.capabilities().isEmpty() ? USUAL : List.of(options.capabilities());
    long result = -FabricError.FI_ENODATA;
    for (Set<Capability> capabilities : choices) {
      try (InfoList list = request(address, options, isSource, capabilities).ask()) {
        if (list.first() != 0) {
          return FabricFunction.DUPLICATE.callLong(list.first());
        }
        result = list.result();
      }
    }
    return result;
  }

  private static long require(long found, FabricAddress address, DomainOptions options) {
    if (found > 0) {
      return found;
    }
    requireKnown(address);
    throw FabricException.of(
        "no provider fits: address=%s, capabilities=%s,"
            .formatted(address, text(options.capabilities())),
        found,
        "ask for less, or see what there is with 'linerate fabric info'");
  }

  /** Tells what libfabric does not: why nothing fits. */
  private static void requireKnown(FabricAddress address) {
    List<String> known = all().stream().map(ProviderInfo::name).distinct().toList();
    if (!known.contains(address.provider())) {
      throw FabricException.unknown(
          "no such provider on this host: provider=%s, address=%s; take one of %s, or see whether its hardware and its part of libfabric are there"
              .formatted(address.provider(), address, String.join(", ", known)),
          FabricError.FI_ENODATA);
    }
    if (address.isSharedMemory()) {
      return;
    }
    try {
      InetAddress _ = InetAddress.getByName(address.host());
    } catch (UnknownHostException e) {
      throw FabricException.unknown(
          "no such host: host=%s, address=%s; write a name that is known here, or an address"
              .formatted(address.host(), address),
          FabricError.FI_ENODATA);
    }
  }

  private static InfoRequest request(
      FabricAddress address,
      DomainOptions options,
      boolean isSource,
      Set<Capability> capabilities) {
    @Nullable String node = address.isSharedMemory() ? null : address.host();
    return new InfoRequest(
        address.libraryName(),
        node,
        node == null ? null : Integer.toString(address.port()),
        isSource && node != null,
        Capability.bits(capabilities),
        address.kind().number(),
        isSource ? address.providerText() : "",
        address.isSharedMemory() ? MODES_OF_SHARED_MEMORY : MODES,
        FabricFlags.FI_ORDER_SAS,
        options);
  }

  private static String text(Set<Capability> capabilities) {
    return capabilities.isEmpty()
        ? "messages"
        : capabilities.stream().map(Capability::toString).collect(Collectors.joining("+"));
  }
}
