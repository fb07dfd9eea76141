package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.fabric.channel.Channel;
import io.linerate.fabric.channel.ChannelHost;
import io.linerate.fabric.channel.ChannelSettings;
import io.linerate.fabric.channel.Incoming;
import io.linerate.fabric.channel.Outgoing;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose thread it is: every public method says so, also those that come later. */
class OwnershipTest {
  /** What never changes, and memory, which is everybody's. */
  private static final Set<String> FOR_ANY_THREAD =
      Set.of(
          "FabricDomain.provider",
          "FabricDomain.address",
          "Connection.remote",
          "Connection.domain",
          "OpenEndpoint.domain",
          "SharedReceiver.domain",
          "ChannelHost.domain",
          "CachedRegion.region",
          "CachedRegion.offset",
          "TransferBufferPool.limit",
          "TransferBuffer.descriptor",
          "TransferBuffer.isCopied",
          "Listener.address",
          "MemoryRegion.segment",
          "MemoryRegion.length",
          "RegionArena.allocate",
          "RegionArena.scope");

  private final String owner = Thread.currentThread().getName();
  private final Map<Class<?>, @Nullable Object> arguments = new HashMap<>();

  OwnershipTest() {
    arguments.put(Thread.class, Thread.currentThread());
    arguments.put(Duration.class, Duration.ZERO);
    arguments.put(boolean.class, true);
    arguments.put(int.class, 1);
    arguments.put(long.class, 1L);
    arguments.put(byte[].class, new byte[16]);
    arguments.put(Access[].class, new Access[0]);
    arguments.put(Waiting.class, Waiting.SLEEP);
    arguments.put(Operation.class, Operation.FETCH);
    arguments.put(AtomicOperation.class, AtomicOperation.SUM);
    arguments.put(AtomicType.class, AtomicType.INT64);
    arguments.put(CompletionLevel.class, CompletionLevel.DELIVERED);
    arguments.put(Consumer.class, null);
    arguments.put(Peer.class, null); // Of a provider that has none.
    RemoteRegion remote = new RemoteRegion(0, 1, 64, Set.of(Access.values()));
    arguments.put(RemoteRegion.class, remote);
    arguments.put(AtomicTarget.class, new AtomicTarget(remote, 0, AtomicType.INT64));
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldRefuseEveryMethodToAnotherThread(String provider) throws InterruptedException {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      FabricDomain domain = link.left.domain;
      List<Object> owned = new ArrayList<>(List.of(domain, link.leftEndpoint, link.left.queue));
      owned.addAll(List.of(domain.descriptor(), domain.counter(), link.left.region(64)));
      owned.add(domain.arena());
      RegistrationCache cache = domain.registrationCache(1, 64);
      TransferBufferPool pool = domain.transferBuffers(TransferBufferOptions.DEFAULT.bounce(1, 64));
      owned.addAll(List.of(cache, Objects.requireNonNull(cache.take(link.left.arena.allocate(8)))));
      owned.addAll(List.of(pool, Objects.requireNonNull(pool.outgoing(MemorySegment.NULL))));
      if (link.leftEndpoint instanceof Connection) {
        owned.add(domain.sharedReceiver(link.left.queue));
        owned.add(domain.listen(FabricAddresses.free(provider)));
      } else {
        owned.add(Link.required(link.rightPeer));
      }
      owned.forEach(each -> arguments.put(each.getClass(), each));
      arguments.put(Completions.class, link.left.completions);
      arguments.put(FabricAddress.class, domain.address());
      arguments.put(TransferBufferOptions.class, TransferBufferOptions.DEFAULT);
      arguments.put(Bindings.class, Bindings.of(link.left.queue));
      arguments.put(MemorySegment.class, link.left.arena.allocate(8));
      assertThat(refused(owned)).as("methods called").isGreaterThan(50);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldRefuseEveryMethodOfChannelsToAnotherThread(String provider)
      throws InterruptedException {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
    FabricAddress address = FabricAddresses.free(provider);
    try (ChannelHost host = ChannelHost.open(address, ChannelSettings.DEFAULT).listen();
        ChannelHost other = ChannelHost.openTo(address, ChannelSettings.DEFAULT)) {
      Channel channel = other.connect(address);
      List<Channel> accepted = new ArrayList<>();
      BooleanSupplier isOpen =
          () -> {
            other.poll();
            host.poll();
            host.accept().ifPresent(accepted::add);
            return !accepted.isEmpty() && channel.state() == Channel.State.OPEN;
          };
      Link.until(isOpen);
      Outgoing out = Objects.requireNonNull(channel.claim());
      Objects.requireNonNull(channel.claim()).send(1);
      Link.until(() -> isOpen.getAsBoolean() && accepted.getFirst().hasMessages());
      Incoming in = Objects.requireNonNull(accepted.getFirst().receive());
      arguments.put(FabricAddress.class, address);
      arguments.put(Descriptor.class, other.domain().descriptor());
      assertThat(refused(List.of(other, channel, out, in))).isGreaterThan(20);
      out.send(2); // It has lost no number.
      Link.until(() -> isOpen.getAsBoolean() && accepted.getFirst().hasMessages());
      assertThat(Objects.requireNonNull(accepted.getFirst().receive()).length()).isEqualTo(2);
    }
  }

  /** Calls all methods of what is owned on another thread, how many: all have to throw. */
  private int refused(List<Object> owned) throws InterruptedException {
    List<String> accepted = new ArrayList<>();
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    AtomicInteger called = new AtomicInteger();
    Thread stranger =
        Thread.ofPlatform()
            .name("stranger")
            .uncaughtExceptionHandler((_, e) -> failure.set(e))
            .start(() -> owned.forEach(each -> called.addAndGet(callAll(each, accepted))));
    stranger.join();
    assertThat(failure.get()).isNull();
    assertThat(accepted).isEmpty();
    return called.get();
  }

  /** Calls all methods, how many; adds those that do not throw as they should. */
  private int callAll(Object owned, List<String> accepted) {
    int called = 0;
    for (Method method : owned.getClass().getMethods()) {
      String name = owned.getClass().getSimpleName() + "." + method.getName();
      boolean isOurs =
          method.getDeclaringClass().getPackageName().startsWith(Link.class.getPackageName())
              && !Modifier.isStatic(method.getModifiers())
              && !method.getName().equals("toString");
      if (!isOurs || FOR_ANY_THREAD.contains(name)) {
        continue;
      }
      called++;
      try {
        method.invoke(owned, argumentsOf(method));
        accepted.add(name + " returned");
      } catch (InvocationTargetException e) {
        String message = String.valueOf(e.getCause().getMessage());
        if (!(e.getCause() instanceof FabricException)
            || !message.contains("owner=" + owner + ", caller=stranger")) {
          accepted.add(name + " threw " + e.getCause());
        }
      } catch (IllegalAccessException e) {
        throw new AssertionError(e);
      }
    }
    return called;
  }

  private @Nullable Object[] argumentsOf(Method method) {
    @Nullable Object[] values = new Object[method.getParameterCount()];
    for (int i = 0; i < values.length; i++) {
      Class<?> type = method.getParameterTypes()[i];
      assertThat(arguments.keySet()).as("an argument for %s", method).contains(type);
      values[i] = arguments.get(type);
    }
    return values;
  }

  @Test
  void shouldKnowARequestsThreadByItsListener() throws InterruptedException {
    FabricAddress address = FabricAddresses.free("tcp");
    try (Link link = Link.open("tcp", DomainOptions.DEFAULT)) {
      Listener listener = link.right.domain.listen(address);
      Connection connecting = link.left.domain.connect(address, link.left.queue);
      List<ConnectionRequest> requests = new ArrayList<>();
      Link.until(() -> {
        connecting.state();
        listener.poll().ifPresent(requests::add);
        return !requests.isEmpty();
      });
      ConnectionRequest request = requests.getFirst();
      for (Consumer<ConnectionRequest> answer :
          List.<Consumer<ConnectionRequest>>of(
              ConnectionRequest::reject, each -> each.accept(Bindings.of(link.right.queue)))) {
        assertThat(thrownBy(() -> answer.accept(request))).contains("caller=stranger");
      }
      request.reject();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldWorkOnTheThreadThatItWasHandedOverTo(String provider) throws InterruptedException {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      Descriptor receive = link.right.domain.descriptor().on(link.right.region(64));
      Descriptor send = link.left.domain.descriptor().on(link.left.pattern(64, 1));
      AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
      Thread main = Thread.currentThread();
      Thread other =
          new Thread(() -> {
            try {
              assertThat(link.rightEndpoint.receive(receive)).isTrue();
              link.post(() -> link.toRight().send(send));
              link.right.await(receive, link.left);
              assertThat(receive.length()).isEqualTo(64);
              link.left.domain.handOver(main);
              link.right.domain.handOver(main);
            } catch (RuntimeException | AssertionError e) {
              failure.set(e);
            }
          });
      link.left.domain.handOver(other);
      link.right.domain.handOver(other);
      assertThatThrownBy(() -> link.left.queue.poll(link.left.completions))
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("owner=%s, caller=%s", other.getName(), owner);
      assertThatThrownBy(link.left.domain::close).hasMessageContaining("another thread");
      other.start();
      other.join();
      assertThat(failure.get()).isNull();
    }
  }

  @Test
  void shouldBeTakenByOneThreadAfterTheOther() throws InterruptedException {
    try (Link link = Link.open("tcp", DomainOptions.DEFAULT)) {
      FabricDomain domain = link.left.domain;
      assertThatThrownBy(domain::take).hasMessageContaining("belongs to another thread");
      domain.release();
      assertThatThrownBy(() -> link.left.queue.poll(link.left.completions))
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("belongs to no thread");
      assertThatThrownBy(domain::release).hasMessageContaining("belongs to no thread");
      AtomicReference<@Nullable String> polled = new AtomicReference<>();
      Thread other =
          Thread.ofPlatform()
              .start(() -> {
                domain.take();
                polled.set(link.left.queue.poll(link.left.completions) + " come");
                domain.release();
              });
      other.join();
      assertThat(polled.get()).isEqualTo("0 come");
      domain.take();
      assertThat(link.left.queue.poll(link.left.completions)).isZero();
    }
  }

  private static String thrownBy(Runnable call) throws InterruptedException {
    AtomicReference<@Nullable FabricException> thrown = new AtomicReference<>();
    Thread stranger =
        Thread.ofPlatform()
            .name("stranger")
            .start(() -> {
              try {
                call.run();
              } catch (FabricException e) {
                thrown.set(e);
              }
            });
    stranger.join();
    return String.valueOf(Objects.requireNonNull(thrown.get()).getMessage());
  }
}
