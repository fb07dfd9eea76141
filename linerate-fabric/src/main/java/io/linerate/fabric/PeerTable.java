package io.linerate.fabric;

import io.linerate.fabric.host.PeerName;
import io.linerate.fabric.host.PeerProcess;
import io.linerate.fabric.host.SharedName;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The peers that a domain knows, by their numbers: its address vector (fi_av(3)). */
final class PeerTable {
  private static final Pattern SHARED = Pattern.compile("fi_shm://([A-Za-z0-9._:~-]{1,128})");

  /** The libfabric whose form of shared memory is known. */
  private static final String FORM_OF_SHARED = "1.17";

  private final FabricDomain domain;
  private final long handle;
  private final List<@Nullable Peer> peers = new ArrayList<>();
  private final Map<FabricAddress, Peer> byAddress = new HashMap<>();
  private final List<Peer> shared = new CopyOnWriteArrayList<>(); // Also read by the watch.
  private final List<Peer> leaving = new ArrayList<>();

  PeerTable(FabricDomain domain, long handle) {
    this.domain = domain;
    this.handle = handle;
  }

  long handle() {
    return handle;
  }

  /** A peer by its address. */
  Peer add(FabricAddress remote, DomainOptions options) {
    String provider = domain.address().provider();
    if (!remote.provider().equals(provider)) {
      throw new FabricException(
          "a peer of another provider: peer=%s, provider=%s; open a domain of the peer's provider"
              .formatted(remote, provider));
    }
    if (remote.isSharedMemory()) {
      return addShared(remote);
    }
    long destination = Providers.destination(remote, options);
    try {
      requireFamily(remote.toString(), ProviderInfo.of(destination).addressBytes());
      return insert(FabricFunction.DESTINATION.callLong(destination), remote.toString());
    } finally {
      FabricFunction.FREE_INFO.call(destination);
    }
  }

  /** A peer by its name, as its provider writes it. */
  Peer add(byte[] name) {
    if (domain.address().isSharedMemory()) {
      return addShared(sharedName(name), text(name));
    }
    String text = PeerName.of(name);
    int expected = domain.provider().addressBytes();
    if (name.length < expected) {
      throw new FabricException(
          "the name of a peer is too short: length=%d, expected=%d; send all of it"
              .formatted(name.length, expected));
    }
    requireFamily(text, PeerName.bytes(name));
    try (Arena call = Arena.ofConfined()) {
      MemorySegment memory = call.allocate(name.length, Long.BYTES);
      MemorySegment.copy(name, 0, memory, ValueLayout.JAVA_BYTE, 0, name.length);
      Peer peer = insert(memory.address(), text);
      peer.reached();
      return peer;
    }
  }

  /** The provider reads as many bytes as its own addresses have, and by their family. */
  private void requireFamily(String peer, int bytes) {
    int expected = domain.provider().addressBytes();
    if (PeerName.isLengthOfAFamily(expected) && bytes != expected) {
      throw new FabricException(
          "a peer of another address family: peer=%s, domain=%s; open a domain at an address of that family"
              .formatted(peer, domain.address()));
    }
  }

  private static String text(byte[] name) {
    String text = new String(name, StandardCharsets.ISO_8859_1);
    int end = text.indexOf(0);
    return end < 0 ? text : text.substring(0, end);
  }

  /** shm takes any bytes for a name, also such as it has no room for. */
  private static SharedName sharedName(byte[] name) {
    Matcher form = SHARED.matcher(text(name));
    if (!form.matches()) {
      throw new FabricException(
          "not the name of a peer of shm: length=%d, expected=fi_shm://NAME; send what the peer's endpoint says"
              .formatted(name.length));
    }
    return new SharedName(form.group(1));
  }

  /**
   * A peer of shm by its address. It need not be there yet: it is looked for when something is to
   * be sent to it. One that is lost is another one than who has its address next.
   */
  private Peer addShared(FabricAddress remote) {
    Peer known = byAddress.get(remote);
    if (known != null) {
      known.findLost();
    }
    if (known == null || known.lostAs() != null) {
      known = new Peer(domain, remote.toString());
      resolve(known, remote);
      byAddress.put(remote, known);
    }
    known.removed(false);
    return known;
  }

  private Peer addShared(SharedName name, String address) {
    PeerProcess process = name.process();
    if (process != null && !process.isAlive()) {
      return ended(name, address);
    }
    long number = insertShared(name, address);
    if (number < 0) {
      throw new FabricException(
          "a peer is not there: peer=%s; ask for it while its endpoint is open".formatted(address));
    }
    Peer known = find(number);
    Peer peer = known == null ? new Peer(domain, address) : known;
    peer.removed(false);
    if (known == null) {
      inserted(peer, number, name);
    }
    return peer;
  }

  /** One whose process has ended: the next look loses it, and tells so. */
  private Peer ended(SharedName name, String address) {
    for (Peer each : shared) {
      if (each.isNamed(name)) {
        return each;
      }
    }
    Peer peer = new Peer(domain, address);
    peer.named(name);
    shared.add(peer);
    return peer;
  }

  /** Whether a peer can be reached: one of shm may just have come. */
  boolean resolve(Peer peer) {
    if (peer.number() == Peer.ANY) {
      byAddress.forEach((address, each) -> {
        if (each == peer) {
          resolve(peer, address);
        }
      });
    }
    return peer.number() != Peer.ANY;
  }

  private void resolve(Peer peer, FabricAddress remote) {
    try {
      SharedName found = SharedName.find(remote.host());
      long number = found == null ? Peer.ANY : insertShared(found, remote.toString());
      if (found != null && number != Peer.ANY) {
        inserted(peer, number, found);
      }
    } catch (IOException e) {
      throw notToBeReached(remote.toString(), e);
    }
  }

  private void inserted(Peer peer, long number, SharedName name) {
    peer.inserted(number, name);
    shared.add(peer);
    if (find(number) == null) {
      put(number, peer);
    }
  }

  private static FabricException notToBeReached(String address, IOException cause) {
    return new FabricException(
        "a peer cannot be reached: peer=%s, cause=%s; run both programs as one user, and with one libfabric"
            .formatted(address, cause));
  }

  /** Its number; {@link Peer#ANY} while the endpoint is not made yet. */
  private long insertShared(SharedName name, String address) {
    try (Arena call = Arena.ofConfined()) {
      long text = call.allocateFrom("fi_shm://" + name.text()).address();
      return LinkedDomains.exclusively(() -> {
        requireThere(name, address);
        if (!isMade(name, address)) {
          return Peer.ANY;
        }
        LinkedDomains.link(domain, name);
        return number(text, address);
      });
    }
  }

  private static boolean isMade(SharedName name, String address) {
    try {
      return name.isMade(Fabric.version().equals(FORM_OF_SHARED));
    } catch (IOException e) {
      throw notToBeReached(address, e);
    }
  }

  /** Of one that is closed in this process, the provider would use the memory that is gone. */
  private static void requireThere(SharedName name, String address) {
    if (PeerProcess.own().equals(name.process()) && !LinkedDomains.isOpen(name)) {
      throw new FabricException(
          "a peer of this process is closed: peer=%s; ask for one that is there"
              .formatted(address));
    }
  }

  private Peer insert(long memory, String address) {
    long number = number(memory, address);
    Peer known = find(number);
    if (known != null && known.lostAs() == null) {
      known.inserted(number);
      known.removed(false);
      leaving.remove(known);
      return known;
    }
    Peer peer = new Peer(domain, address);
    for (int i = known == null ? 0 : known.insertions(); i >= 0; i--) {
      peer.inserted(number);
    }
    put(number, peer);
    return peer;
  }

  private long number(long memory, String address) {
    return NativeObject.open(
        "a peer cannot be reached: peer=" + address + ",",
        FabricFunction.PEER_INSERT,
        handle,
        memory);
  }

  private void put(long number, Peer peer) {
    while (peers.size() <= number) {
      peers.add(null);
    }
    peers.set((int) number, peer);
  }

  @Nullable Peer find(long number) {
    return number >= 0 && number < peers.size() ? peers.get((int) number) : null;
  }

  /**
   * Sends nothing to a peer any more, and forgets it when nothing that is posted names it. shm
   * reads the memory of a peer while anything of it waits, which cannot be told: it never forgets
   * one.
   */
  void remove(Peer peer) {
    if (!peer.isRemoved()) {
      peer.removed(true);
      if (!domain.address().isSharedMemory()) {
        leaving.add(peer);
        forgetLeaving();
      }
    }
  }

  /** Providers lose, or crash at, what is posted for a peer that they have forgotten. */
  void forgetLeaving() {
    if (leaving.isEmpty()) {
      return; // Without an object: it is asked again and again.
    }
    leaving.removeIf(peer -> {
      boolean isNamed = domain.descriptors().isPostedFor(peer);
      if (!isNamed) {
        peers.set((int) peer.number(), null);
        for (int i = 0; i < peer.insertions(); i++) { // The provider counts them.
          FabricFunction.PEER_REMOVE.call(handle, peer.number());
        }
      }
      return !isNamed;
    });
  }

  /** Whether one of shm was lost long ago. Any thread may ask. */
  boolean isLongLost(String name) {
    return shared.stream().anyMatch(peer -> peer.isLongLost(name));
  }

  /** Those that have been lost since it was looked the last time. */
  List<Peer> findLost() {
    if (shared.isEmpty()) {
      return List.of();
    }
    List<Peer> lost = new ArrayList<>();
    for (Peer peer : shared) {
      if (peer.findLost()) {
        lost.add(peer);
      }
    }
    return lost;
  }
}
