package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.testkit.Soak;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Regions that no peer has published so: the access fails within some seconds, changes nothing, and
 * both sides live on; a connection of tcp ends by it.
 */
class ForgedRegionsTest {
  private static final int BYTES = 4096;
  private static final Set<Access> ALL = Set.of(Access.values());

  @ParameterizedTest
  @CsvSource({
    "shm,true",
    "shm,false",
    "tcp,true",
    "tcp,false",
    "tcp+rxm,true",
    "tcp+rxm,false",
  })
  void shouldFailOnWhatIsNotThere(String provider, boolean isWrite) {
    int cases = forged(new RemoteRegion(0, 1, BYTES, ALL)).size();
    int step = provider.equals("shm") ? Soak.times(6, 1) : 1; // It takes 2 s for each.
    for (int i = 0; i < cases; i += step) {
      try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
        MemoryRegion target = link.right.region(BYTES, Access.values());
        RemoteRegion real = target.publish();
        attack(link, forged(real).get(i), isWrite);
        assertThat(target.segment().toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
        assertLiving(link, provider, real);
      }
    }
  }

  /** Each has a real number in it, and one that is not. */
  private static List<RemoteRegion> forged(RemoteRegion real) {
    List<RemoteRegion> forged = new ArrayList<>();
    for (long key : new long[] {0, -1, 77, real.key() + 1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      forged.add(new RemoteRegion(real.address(), key, BYTES, ALL));
    }
    for (long address :
        new long[] {-1, 1, 4096, Long.MIN_VALUE, Long.MAX_VALUE, -BYTES, 1L << 47}) {
      forged.add(new RemoteRegion(real.address() + address, real.key(), BYTES, ALL));
    }
    return forged;
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldFailOnALengthThatThePeerHasNotPublished(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      MemoryRegion target = link.right.region(BYTES, Access.values());
      RemoteRegion real = target.publish();
      RemoteRegion longer = new RemoteRegion(real.address(), real.key(), Long.MAX_VALUE, ALL);
      Descriptor write = link.left.domain.descriptor().on(link.left.pattern(BYTES, 1));
      write.level(CompletionLevel.DELIVERED);
      assertThatThrownBy(() -> link.toRight().write(write, longer, Long.MAX_VALUE))
          .hasMessageContaining("access beyond a region of a peer");
      link.post(() -> link.toRight().write(write, longer, 1));
      link.left.await(write, link.right);
      assertThat(write.error()).isNotNull();
      assertLiving(link, provider, real);
    }
  }

  /** rxm lets peers read what they may write, whatever was said: docs/fabric.md. */
  @ParameterizedTest
  @CsvSource({
    "shm,REMOTE_READ",
    "tcp,REMOTE_READ",
    "tcp+rxm,REMOTE_READ",
    "shm,REMOTE_WRITE",
    "tcp,REMOTE_WRITE"
  })
  void shouldFailOnARightThatThePeerHasNotGiven(String provider, Access given) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      MemoryRegion target = link.right.region(BYTES, given);
      RemoteRegion real = target.publish();
      RemoteRegion all = new RemoteRegion(real.address(), real.key(), BYTES, ALL);
      attack(link, all, given == Access.REMOTE_READ);
      assertThat(target.segment().toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "shm,true",
    "shm,false",
    "tcp,true",
    "tcp,false",
    "tcp+rxm,true",
    "tcp+rxm,false",
  })
  void shouldFailOnARegionThatThePeerHasClosed(String provider, boolean isWrite) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      RegionArena arena = link.right.domain.arena();
      MemoryRegion target = link.right.domain.register(arena.allocate(BYTES), Access.values());
      RemoteRegion stale = target.publish();
      RemoteRegion other = link.right.region(BYTES, Access.values()).publish();
      arena.close();
      attack(link, stale, isWrite);
      assertLiving(link, provider, other);
    }
  }

  /** A key is a right to a region of the peer that has published it, and to no other peer's. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldNotReachTheMemoryOfAnotherPeerByItsKey(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT);
        Link other = Link.open(provider, DomainOptions.DEFAULT)) {
      MemoryRegion mine = other.right.region(BYTES, Access.values());
      attack(link, mine.publish(), true);
      assertThat(mine.segment().toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
    }
  }

  @Test
  void shouldRefuseBytesThatAreNoRegion() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(RemoteRegion.BYTES);
      RemoteRegion region = new RemoteRegion(-1, Long.MIN_VALUE, Long.MAX_VALUE, ALL);
      region.write(memory, 0);
      assertThat(RemoteRegion.read(memory, 0)).isEqualTo(region);
      memory.set(ValueLayout.JAVA_BYTE, 16, (byte) 0x80);
      assertThatThrownBy(() -> RemoteRegion.read(memory, 0))
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("not a region of a peer: length=-");
      memory.set(ValueLayout.JAVA_BYTE, 16, (byte) 0);
      for (int rights : new int[] {4, 127, -1, -128}) {
        memory.set(ValueLayout.JAVA_BYTE, 24, (byte) rights);
        assertThatThrownBy(() -> RemoteRegion.read(memory, 0))
            .hasMessageContaining("rights=" + rights);
      }
      assertThatThrownBy(() -> RemoteRegion.read(memory, 1))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> region.write(memory, 1))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  private static void attack(Link link, RemoteRegion region, boolean isWrite) {
    Descriptor operation = link.left.domain.descriptor().on(link.left.pattern(BYTES, 1));
    operation.level(CompletionLevel.DELIVERED);
    link.post(() ->
        isWrite
            ? link.toRight().write(operation, region, 0)
            : link.toRight().read(operation, region, 0));
    link.left.await(operation, link.right);
    assertThat(operation.error()).as("of %s", region).isNotNull();
  }

  /** After it: tcp ends the connection, rxm makes another, an endpoint of shm only receives. */
  private static void assertLiving(Link link, String provider, RemoteRegion real) {
    switch (provider) {
      case "tcp" ->
          Link.until(() -> {
            link.progress();
            return ((Connection) link.leftEndpoint).state() == Connection.State.DISCONNECTED;
          });
      case "shm" -> {
        Descriptor write = link.left.domain.descriptor().on(link.left.pattern(BYTES, 2));
        assertThatThrownBy(() -> link.toRight().write(write, real, 0))
            .isInstanceOf(FabricException.class)
            .hasMessageContaining("an operation before has no answer");
        assertThatThrownBy(() -> link.toRight().send(write)).hasMessageContaining("has no answer");
        assertMessage(link.left, link.leftEndpoint, link.right, link.toLeft()::send);
      }
      default -> {
        Descriptor write = link.left.domain.descriptor().on(link.left.pattern(BYTES, 2));
        Link.until(() -> {
          link.post(() -> link.toRight().write(write, real, 0));
          link.left.await(write, link.right);
          return write.error() == null;
        });
        assertMessage(link.right, link.rightEndpoint, link.left, link.toRight()::send);
      }
    }
  }

  private static void assertMessage(
      Side to, Endpoint endpoint, Side from, Predicate<Descriptor> send) {
    MemoryRegion into = to.region(BYTES);
    Descriptor receive = to.domain.descriptor().on(into);
    assertThat(endpoint.receive(receive)).isTrue();
    Descriptor sent = from.domain.descriptor().on(from.pattern(BYTES, 3));
    Link.until(() -> {
      from.queue.progress();
      to.queue.progress();
      return send.test(sent);
    });
    to.await(receive, from);
    assertThat(receive.error()).isNull();
    Side.assertPattern(into.segment(), BYTES, 3);
  }
}
