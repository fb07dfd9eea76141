package io.linerate.stream;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.worker.Engine;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphInvoker;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.Overflow;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.tck.SubscriberWhiteboxVerification.SubscriberPuppet;
import org.reactivestreams.tck.SubscriberWhiteboxVerification.WhiteboxSubscriberProbe;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.reactivestreams.tck.flow.FlowSubscriberBlackboxVerification;
import org.reactivestreams.tck.flow.FlowSubscriberWhiteboxVerification;

/** Publishers and subscribers of graphs do what Reactive Streams 1.0.4 asks for. */
class ReactiveStreamsTest {
  @TestFactory
  @Timeout(300)
  Stream<DynamicTest> shouldPublishByTheRules() {
    return TckRules.of(FlowPublisherVerification.class, Publishers::new);
  }

  @TestFactory
  @Timeout(300)
  Stream<DynamicTest> shouldSubscribeByTheRules() {
    return TckRules.of(FlowSubscriberWhiteboxVerification.class, Subscribers::new);
  }

  @TestFactory
  @Timeout(300)
  Stream<DynamicTest> shouldSubscribeByTheRulesInAProgram() {
    return TckRules.of(FlowSubscriberBlackboxVerification.class, RunningSubscribers::new);
  }

  private static final class Publishers extends FlowPublisherVerification<Long>
      implements TckRules.Verification {
    private final List<Program> programs = new ArrayList<>();

    Publishers() {
      super(TckRules.environment(), TckRules.maxWaitMs());
    }

    @Override
    public Flow.Publisher<Long> createFlowPublisher(long elements) {
      Program program = new Program(elements);
      programs.add(program);
      return program;
    }

    @Override
    public Flow.Publisher<Long> createFailedFlowPublisher() {
      TokenPublisher<Long> numbers = new TokenPublisher<>(16, Overflow.HOLD_BACK);
      Source<Consumer<Long>> failing =
          (_, _) -> {
            throw new IllegalArgumentException("of the test");
          };
      Graph graph =
          Streams.graph(
              s -> s.objects("failing", Long.class, () -> failing).publish("numbers", numbers));
      try (var invoker = new GraphInvoker(graph, () -> 0)) {
        invoker.round();
      }
      return numbers;
    }

    @Override
    public void close() {
      programs.forEach(Program::close);
    }
  }

  /**
   * Two workers that count; they begin when a subscriber asks, or when there is nothing to ask for.
   */
  private static final class Program implements Flow.Publisher<Long>, AutoCloseable {
    private final TokenPublisher<Long> numbers = new TokenPublisher<>(16, Overflow.HOLD_BACK);
    private final Engine engine = new Engine(EngineConfig.DEFAULT.withWorkers(2));
    private final List<WeakReference<Flow.Subscription>> subscriptions = new ArrayList<>();
    private final boolean isEmpty;
    private boolean hasStarted;

    Program(long elements) {
      isEmpty = elements == 0;
      Graph graph =
          Streams.graph(s ->
              s.longs("numbers", Sources.range(0, elements))
                  .on("handover", 1, 16)
                  .mapToObject("boxed", Long.class, n -> n)
                  .publish("publisher", numbers));
      GraphRunner.install(graph, engine);
    }

    @Override
    public void subscribe(Flow.Subscriber<? super Long> subscriber) {
      if (subscriber == null) {
        numbers.subscribe(subscriber);
      } else {
        numbers.subscribe(new Starting(subscriber, this));
      }
      if (isEmpty) {
        start();
      }
    }

    synchronized void start() {
      if (!hasStarted) {
        hasStarted = true;
        engine.start();
      }
    }

    synchronized void add(Flow.Subscription subscription) {
      subscriptions.add(new WeakReference<>(subscription));
    }

    @Override
    public synchronized void close() {
      for (WeakReference<Flow.Subscription> each : subscriptions) {
        Flow.Subscription subscription = each.get();
        if (subscription != null) {
          subscription.cancel(); // Nobody waits for it then.
        }
      }
      engine.close();
    }
  }

  /** Tells the program when its subscriber asks. */
  private record Starting(Flow.Subscriber<? super Long> to, Program program)
      implements Flow.Subscriber<Long> {
    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      program.add(subscription);
      to.onSubscribe(
          new Flow.Subscription() {
            @Override
            public void request(long n) {
              subscription.request(n);
              program.start();
            }

            @Override
            public void cancel() {
              subscription.cancel();
            }
          });
    }

    @Override
    public void onNext(Long token) {
      to.onNext(token);
    }

    @Override
    public void onError(Throwable why) {
      to.onError(why);
    }

    @Override
    public void onComplete() {
      to.onComplete();
    }
  }

  private static final class Subscribers extends FlowSubscriberWhiteboxVerification<Long>
      implements TckRules.Verification {
    Subscribers() {
      super(TckRules.environment());
    }

    @Override
    protected Flow.Subscriber<Long> createFlowSubscriber(WhiteboxSubscriberProbe<Long> probe) {
      return new Probed(new PublisherSource<>(_ -> {}, 2), probe);
    }

    @Override
    public Long createElement(int element) {
      return (long) element;
    }

    @Override
    public void close() {}
  }

  /** Asks for more when the test takes what there is. */
  private static final class Probed implements Flow.Subscriber<Long>, SubscriberPuppet {
    private final PublisherSource<Long> source;
    private final WhiteboxSubscriberProbe<Long> probe;
    private boolean isSubscribed;

    Probed(PublisherSource<Long> source, WhiteboxSubscriberProbe<Long> probe) {
      this.source = source;
      this.probe = probe;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      source.onSubscribe(subscription);
      if (!isSubscribed) {
        isSubscribed = true;
        probe.registerOnSubscribe(this);
      }
    }

    @Override
    public void onNext(Long token) {
      source.onNext(token);
      probe.registerOnNext(token);
    }

    @Override
    public void onError(Throwable why) {
      source.onError(why);
      probe.registerOnError(why);
    }

    @Override
    public void onComplete() {
      source.onComplete();
      probe.registerOnComplete();
    }

    @Override
    public void triggerRequest(long elements) {
      try {
        int _ = source.poll(_ -> {}, (int) elements);
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void signalCancel() {
      source.close();
    }
  }

  private static final class RunningSubscribers extends FlowSubscriberBlackboxVerification<Long>
      implements TckRules.Verification {
    private final List<Engine> engines = new ArrayList<>();

    RunningSubscribers() {
      super(TckRules.environment());
    }

    /** What a program subscribes with. */
    @Override
    public Flow.Subscriber<Long> createFlowSubscriber() {
      CompletableFuture<Flow.Subscriber<? super Long>> subscriber = new CompletableFuture<>();
      Flow.Publisher<Long> ofTheTest = subscriber::complete;
      Graph graph =
          Streams.graph(s ->
              s.objects("in", Long.class, Sources.publisher(ofTheTest, 4)).sink("sink", _ -> {}));
      Engine engine = new Engine(EngineConfig.DEFAULT);
      engines.add(engine);
      GraphRunner.install(graph, engine);
      engine.start();
      return narrow(subscriber.orTimeout(TckRules.maxWaitMs(), TimeUnit.MILLISECONDS).join());
    }

    @SuppressWarnings("unchecked") // One of all numbers takes those.
    private static Flow.Subscriber<Long> narrow(Flow.Subscriber<? super Long> subscriber) {
      return (Flow.Subscriber<Long>) subscriber;
    }

    @Override
    public Long createElement(int element) {
      return (long) element;
    }

    @Override
    public void close() {
      engines.forEach(Engine::close);
    }
  }
}
