package io.linerate.core.worker;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.counter.CountersPublisher;
import io.linerate.core.counter.JvmSamples;
import io.linerate.core.counter.ProgramInfo;
import io.linerate.core.counter.Sample;
import io.linerate.core.counter.SampleSink;
import io.linerate.core.counter.SampleSource;
import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.flight.Flight;
import io.linerate.core.log.ProgramLog;
import io.linerate.core.measure.EngineSamples;
import io.linerate.core.measure.LinkWatch;
import io.linerate.core.port.ClosingSteps;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.FilterSettings;
import io.linerate.core.port.Port;
import io.linerate.core.port.PortException;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.statistics.LiveChanges;
import io.linerate.core.statistics.PortSummary;
import io.linerate.core.statistics.QueuePlace;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.time.EpochClock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs an application: owns its ports, pools, workers and threads.
 *
 * <pre>{@code
 * try (var engine = new Engine()) {
 *   var out = engine.worker().output(engine.port("pcap:tx=out.pcapng"));
 *   engine.worker().input(engine.port("pcap:rx=in.pcapng"), out::sendAll);
 *   System.out.println(engine.run());
 * }
 * }</pre>
 *
 * Ports are opened and workers wired first; then {@link #run} (or {@link #start}, {@link
 * #awaitEnd}, {@link #stop}); then {@link #close}. An engine runs once.
 */
public final class Engine implements SampleSource, AutoCloseable {
  private final EngineConfig config;
  private final PacketPools pools = new PacketPools();
  private final EnginePorts ports;

  /** The names of those that applications have opened. */
  private final List<String> portsForWorkers = Collections.synchronizedList(new ArrayList<>());

  private final WorkerSet workers;
  private final DriverAccess drivers;
  private final JvmSamples jvm = new JvmSamples();
  private final LiveChanges changes = new LiveChanges();
  private final List<SampleSource> sources = new CopyOnWriteArrayList<>();
  private final List<AutoCloseable> installed = new ArrayList<>(); // Guarded by itself.

  /** Those of the end: devices that are closed cannot be asked. Guarded by the sources. */
  private @Nullable List<Sample> lastSamples;

  private @Nullable CountersPublisher publisher;
  private volatile @Nullable LinkWatch links;

  /** Held while it closes. */
  private final Object closing = new Object();

  private boolean isClosed; // Guarded by closing.

  private final RunFailures failures = new RunFailures();

  public Engine() {
    this(EngineConfig.DEFAULT);
  }

  public Engine(EngineConfig config) {
    this.config = config;
    sources.add(this::collectOwn);
    sources.add(jvm);
    ProgramLog.current().ifPresent(sources::add);
    ports = new EnginePorts(config, pools, EpochClock.SYSTEM);
    workers = new WorkerSet(config, pools, EpochClock.SYSTEM, failures);
    drivers = new DriverAccess(this, pools, ports, workers);
  }

  public EngineConfig config() {
    return config;
  }

  RunFailures failures() {
    return failures;
  }

  /** Opens a port. Its name is {@code port0}, {@code port1} and so on. */
  public Port port(String address) {
    return forWorkers(open(null, address));
  }

  /**
   * Opens a port with as many receive queues as are configured, or as there are workers, and a
   * transmit queue for each worker that there may be.
   *
   * @param name unique in this engine
   * @throws ConfigException if the address is wrong
   * @throws PortException if the port cannot be opened
   * @throws IllegalStateException if the engine was started or closed
   */
  public Port port(String name, String address) {
    return forWorkers(open(name, address));
  }

  private Port forWorkers(DriverPort port) {
    portsForWorkers.add(port.name());
    return new PortView(port);
  }

  DriverPort open(@Nullable String name, String address) {
    workers.requireOpen();
    if (workers.threads().hasStarted()) {
      throw new IllegalStateException(
          "port comes too late: port=%s, address=%s, program=%s; open it before the engine starts"
              .formatted(name == null ? "unnamed" : name, address, config.programName()));
    }
    return ports.open(name, address);
  }

  /** The open ports, in the order in which they were opened. */
  public List<Port> ports() {
    return ports.all().stream().map(port -> (Port) new PortView(port)).toList();
  }

  /** What drivers' tests, runtimes and generators need, and no handler. */
  public DriverAccess drivers() {
    return drivers;
  }

  /** The first worker: the only one by default. */
  public Worker worker() {
    workers.requireOpen();
    return workers.workers().getFirst();
  }

  /** The workers, without those that were retired. */
  public List<Worker> workers() {
    return workers.workers();
  }

  /**
   * Wires every worker: those that there are, now, and each that {@link #addWorker()} adds.
   * Different workers may get different handlers.
   */
  public void eachWorker(Consumer<Worker> wiring) {
    workers.wireEach(wiring);
  }

  /**
   * Adds a worker that {@link #eachWorker} wires, also while others run. It has no queues; {@link
   * #spread}, {@link #move} or the balancer gives it some. Any thread but a worker's.
   *
   * @throws ConfigException if ports have no transmit queue left for it ({@code maxworkers}), or no
   *     CPU is left
   */
  public Worker addWorker() {
    return added(workers::add);
  }

  /** Adds a worker that is wired in its own way; otherwise as {@link #addWorker()}. */
  public Worker addWorker(Consumer<Worker> wiring) {
    return added(() -> workers.add(wiring));
  }

  private Worker added(Supplier<Worker> adding) {
    long startNs = System.nanoTime();
    Worker worker = adding.get();
    changes.add("workers", "worker added: worker=" + worker.id(), startNs);
    return worker;
  }

  /** Notes a change when it is done. */
  private CompletableFuture<Void> noted(
      CompletableFuture<Void> done, String what, String text, long startNs) {
    return done.thenRun(() -> changes.add(what, text, startNs));
  }

  /** What was changed while packets flow. Any thread. */
  public LiveChanges changes() {
    return changes;
  }

  /**
   * Moves a worker's queues to others that have handlers for their ports, then ends it: it
   * transmits what it has stored. Nothing is lost or reordered within a flow. Its counts stay in
   * the summary. Any thread but a worker's.
   *
   * @return done when it has ended
   * @throws ConfigException if one of its queues has no other worker to go to, or one of its tasks
   *     is the only one to do something for other workers; nothing happens then
   */
  public CompletableFuture<Void> retire(Worker worker) {
    long startNs = System.nanoTime();
    return noted(
        workers.retire(worker), "workers", "worker retired: worker=" + worker.id(), startNs);
  }

  /**
   * Moves a receive queue to another worker while packets flow. Nothing is lost, and packets of a
   * flow are sent in the order in which they came: see {@code docs/architecture.md}. The new
   * worker's own handler of the port gets the packets.
   *
   * <p>Any thread. A worker's thread, such as that of a handler, must not wait for the end.
   *
   * @param port the port's name
   * @param queue number of the receive queue
   * @return done when the new worker polls the queue; fails when the queue or the engine ends
   *     before
   * @throws ConfigException if there is no such queue, or the worker has no handler for the port
   */
  public CompletableFuture<Void> move(String port, int queue, Worker worker) {
    long startNs = System.nanoTime();
    String text = "queue moved: port=%s, queue=%d, worker=%d".formatted(port, queue, worker.id());
    return noted(workers.move(port, queue, worker), "queues", text, startNs);
  }

  /**
   * Moves queues until all workers have as many of them, as far as they have handlers for them.
   *
   * @return done when all have arrived
   */
  public CompletableFuture<Void> spread() {
    long startNs = System.nanoTime();
    return noted(workers.spread(), "queues", "queues spread", startNs);
  }

  /** Where the receive queues are; those that bring nothing any more are left out. Any thread. */
  public List<QueuePlace> queues() {
    return workers.places();
  }

  /** Starts ports and workers. */
  public void start() {
    workers.keep(() -> {
      startNow();
      return "";
    });
  }

  private void startNow() {
    if (workers.threads().hasStarted()) {
      throw new IllegalStateException(
          "engine was started before: program=" + config.programName() + "; make another");
    }
    ports.requireSteered();
    StartWarnings warnings = // Before the engine installs anything of its own.
        new StartWarnings(config, hasWork(), portsForWorkers, workers.workers());
    warnings.log();
    closeAlso(Flight.prepare());
    ports.all().forEach(DriverPort::start);
    warnings.logPolled();
    LinkWatch watch = new LinkWatch(ports.all());
    links = watch;
    closeAlso(watch);
    watch.start();
    workers.start();
    if (config.counters()) {
      publisher =
          CountersPublisher.start(
              ProgramInfo.ofThisProcess(config.programName()), this, workers::activity);
    }
  }

  /** Asks the workers to transmit what they have stored and end. Returns at once; any thread. */
  public void stop() {
    workers.threads().stop();
  }

  /**
   * Waits until all workers have ended: all inputs are used up, or {@link #stop} was called.
   *
   * @return whether they have, within {@code timeoutMs}
   */
  public boolean awaitEnd(long timeoutMs) {
    try {
      return workers.threads().awaitEnd(timeoutMs);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stop();
      return false;
    }
  }

  /** Starts, waits for the end of all inputs or for {@link #stop}, and says what happened. */
  public RunSummary run() {
    start();
    while (!awaitEnd(1_000) && !Thread.currentThread().isInterrupted()) {
      // stop() or the end of the inputs ends this.
    }
    workers.threads().join();
    return summary();
  }

  /** Whether it has ports, or runs something else: a graph may have sources of its own. */
  private boolean hasWork() {
    synchronized (installed) {
      return !installed.isEmpty() || !ports.all().isEmpty();
    }
  }

  /** Closes something else with the engine: after its workers have ended, before its ports. */
  public void closeAlso(AutoCloseable installed) {
    synchronized (this.installed) {
      workers.requireOpen();
      this.installed.add(installed);
    }
  }

  /** Takes the samples of something else that runs on this engine as its own. */
  public void source(SampleSource source) {
    workers.requireOpen();
    sources.add(source);
  }

  /**
   * How ports, queues, workers and pools stand, and every {@link #source}; after {@link #close},
   * how they stood then. A source that throws is a failure of the run from then on; the others are
   * asked all the same.
   */
  @Override
  public void collect(SampleSink sink) {
    synchronized (sources) {
      if (lastSamples != null) {
        lastSamples.forEach(sink::add);
        return;
      }
      for (SampleSource source : sources) {
        try {
          source.collect(sink);
        } catch (Throwable e) { // Whatever a source does, the others are heard.
          failures.add("samples are not complete: source=" + source.getClass().getName(), e);
        }
      }
    }
  }

  private void collectOwn(SampleSink sink) {
    FilterSettings.of(config)
        .ifPresent(filter -> sink.info("linerate_filter_info", "filter", filter.expression()));
    new EngineSamples(
            ports.all(),
            workers.places(),
            workers.meters(),
            workers.threads().allocations(),
            workers.threads().durationNs(),
            pools)
        .collect(sink);
    LinkWatch watch = links;
    if (watch != null) {
      watch.collect(sink);
    }
  }

  /** What happened until now. */
  public RunSummary summary() {
    List<PortSummary> portSummaries = ports.all().stream().map(this::summary).toList();
    return new RunSummary(
        config.programName(),
        workers.threads().durationNs(),
        portSummaries,
        workers.counts(),
        workers.droppedTokens(),
        workers.exceptions(),
        failureSentences());
  }

  private PortSummary summary(DriverPort port) {
    PortStatistics counted = PortStatistics.NONE;
    try {
      counted = port.statistics();
    } catch (Throwable e) { // Whatever a driver does, the other numbers are there.
      failures.add(
          PortException.of(e, "port does not say what it counted: port=" + port.name() + ","));
    }
    return new PortSummary(port.name(), port.address(), counted);
  }

  private List<String> failureSentences() {
    List<String> sentences = new ArrayList<>(failures.sentences());
    sentences.addAll(workers.exceptionSentences());
    return sentences;
  }

  /**
   * Stops, closes what belongs to the engine, the last first, then the ports likewise, and checks
   * that all buffers are free. Whatever is thrown meanwhile, the rest is closed: what came first is
   * thrown at the end, the others are suppressed by it. Who calls it again, or on another thread,
   * waits until that is done.
   *
   * @throws RuntimeException what came first: a {@link PortException} of a port, or in place of
   *     what is no exception of its own
   * @throws IllegalStateException if buffers are missing: a bug; or on a worker's thread, or if a
   *     worker does not end: nothing is closed then
   */
  @Override
  public void close() {
    requireMayClose();
    List<Thread> stuck = workers.close();
    if (!stuck.isEmpty()) {
      throw new IllegalStateException(
          "worker does not end: threads=%s, waitedMs=%d; its handler does not return, jstack shows where it is"
              .formatted(stuck.stream().map(Thread::getName).toList(), WorkerThreads.JOIN_MS));
    }
    synchronized (closing) {
      if (!isClosed) {
        isClosed = true;
        closeAll();
      }
    }
  }

  /** An interrupt waits until that is done: files would be closed before they are complete. */
  private void closeAll() {
    boolean isInterrupted = Thread.interrupted();
    try {
      takeLastSteps();
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void requireMayClose() {
    if (workers.threads().isWorker(Thread.currentThread()) || Thread.holdsLock(sources)) {
      throw new IllegalStateException(
          "engine cannot be closed by its own worker or source: thread=%s; call stop() there, and close() where it was made"
              .formatted(Thread.currentThread().getName()));
    }
  }

  private void takeLastSteps() {
    ClosingSteps steps =
        new ClosingSteps("engine cannot be closed: program=" + config.programName());
    CountersPublisher published = publisher;
    if (published != null) {
      steps.take(published);
    }
    keepSamples(steps);
    steps.take(jvm);
    ports.remove(takeInstalled()).forEach(steps::take);
    for (BufferPool pool : pools.close()) {
      steps.add(
          new IllegalStateException(
              "buffers are missing from their pool: pool=%s, capacity=%d, available=%d; send or drop every packet that is kept"
                  .formatted(pool.name(), pool.capacity(), pool.available())));
    }
    steps.end();
  }

  private void keepSamples(ClosingSteps steps) {
    List<Sample> last = new ArrayList<>();
    synchronized (sources) {
      sources.forEach(source -> steps.take(() -> source.collect(last::add)));
      lastSamples = last;
    }
  }

  private List<AutoCloseable> takeInstalled() {
    synchronized (installed) {
      List<AutoCloseable> all = List.copyOf(installed);
      installed.clear();
      return all;
    }
  }
}
