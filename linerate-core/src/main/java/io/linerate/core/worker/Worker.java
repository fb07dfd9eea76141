package io.linerate.core.worker;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.log.FailureLog;
import io.linerate.core.measure.WorkerMeter;
import io.linerate.core.memory.BurstOwner;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropPlace;
import io.linerate.core.memory.HeldPackets;
import io.linerate.core.memory.LinkType;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.port.ClosingSteps;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.Port;
import io.linerate.core.port.PortException;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.statistics.PacketLedger;
import io.linerate.core.statistics.WorkerLoad;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Polls its receive queues, runs their handlers, transmits what they send: always on one thread,
 * which belongs to the {@link Engine}.
 *
 * <p>One round: outputs with a complete burst transmit it, then a queue's burst is received,
 * handled and ended, and so for each queue; then the tasks do their work. What outputs store beyond
 * that is transmitted when a round brings nothing, and when the drain time has passed.
 */
public final class Worker {
  private static final System.Logger LOG = System.getLogger(Worker.class.getName());

  /**
   * Busy rounds between two readings of the clock, of the commands of other threads, and between
   * two publications of the counters: each costs as much as several packets. An idle round
   * publishes what is left.
   */
  private static final int ROUNDS_PER_CHECK = 16;

  /** How long a worker without queues sleeps; a command wakes it. */
  private static final long NO_QUEUE_SLEEP_NS = 10_000_000;

  private final int id;
  private final int txQueueNumber;
  private final BurstOwner owner = new BurstOwner();
  private final DropCounts drops = new DropCounts(owner);
  private final PacketLedger ledger = new PacketLedger();
  private final FailureLog failures = new FailureLog(LOG);

  private final OwnedBurst arrived;
  private final FreeBuffer freeBuffer;
  private final WorkerMeter meter;
  private final WorkerPorts ports;
  private final WorkerTasks tasks;
  private final Outputs outputs;
  private final Commands commands = new Commands(this::commandFailed);
  private final WorkerQueues queues;
  private final QueuePoller poller;
  private HeldPackets[] held = new HeldPackets[0];
  private int busyRounds;
  private volatile boolean isRunning;
  private boolean isToEnd;
  private boolean hasSlept;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  /**
   * @param txQueueNumber number of its transmit queue of each port, and of its CPU
   */
  Worker(int id, int txQueueNumber, WorkerContext context) {
    this.id = id;
    this.txQueueNumber = txQueueNumber;
    EngineConfig config = context.config();
    freeBuffer = new FreeBuffer(context.pools(), config.freeBurst());
    int cpu = config.cpus().isEmpty() ? -1 : config.cpus().get(txQueueNumber);
    meter = new WorkerMeter(id, cpu, config.slowBurstUs() * 1_000L);
    ports = new WorkerPorts(id, txQueueNumber, config, owner, failures);
    tasks = new WorkerTasks(id, context.failures());
    outputs = new Outputs(context, owner, freeBuffer, ledger);
    queues = new WorkerQueues(id, config.rxBurst(), ports, meter, outputs, tasks, commands);
    MbufArray array = new MbufArray(config.rxBurst(), Outputs.capacity(config));
    arrived = new OwnedBurst(array, drops, context.clock(), owner);
    poller = new QueuePoller(context, queues, arrived, freeBuffer, meter, outputs);
  }

  /** Number of the worker, from 0. */
  public int id() {
    return id;
  }

  /**
   * Number of its transmit queue of each port, from 0: a worker that comes later may have that of
   * one that was retired.
   */
  public int txQueueNumber() {
    return txQueueNumber;
  }

  /**
   * Receives from a port. When the engine starts, the port's queues are given to the workers that
   * receive from it: queue q to worker number q of them, modulo their number. Queues that come from
   * another worker later have this handler as well.
   *
   * @param handler called on this worker's thread only
   * @throws ConfigException if the port cannot receive, or this worker has a handler for it
   * @throws IllegalStateException if the worker runs already
   */
  public void input(Port port, BurstHandler handler) {
    if (isRunning) {
      throw new IllegalStateException(
          "worker runs already: worker=" + id + "; wire it before its engine starts");
    }
    ports.input(PortView.unwrap(port), handler);
  }

  /**
   * Gives what a port receives to another handler from the next burst on.
   *
   * @param port that the worker has a handler for
   * @throws WrongThreadException if the worker runs already, on another thread
   */
  public void replaceHandler(Port port, BurstHandler handler) {
    requireOwnThread();
    ports.handler(PortView.unwrap(port)).handler = handler;
  }

  /**
   * Sends to a port, by its transmit queue of this worker's number.
   *
   * @throws ConfigException if the port cannot transmit
   * @throws PortException if the port has fewer transmit queues than there are workers
   * @throws WrongThreadException if the worker runs already, on another thread
   */
  public Output output(Port port) {
    return output(port, new DropCounts(drops, new DropPlace("", port.name())));
  }

  /**
   * As {@link #output(Port)}, with a count of its own for what the port refuses.
   *
   * @param drops part of what the worker drops: see {@link DriverAccess#resources}
   * @throws IllegalArgumentException if it is not: the packets would be missing from the law
   */
  public Output output(Port port, DropCounts drops) {
    requireOwnThread();
    if (!drops.isPartOf(this.drops)) {
      throw new IllegalArgumentException(
          "drops are not counted by the worker: worker=%d, port=%s; make them a part of those of DriverAccess.resources"
              .formatted(id, port.name()));
    }
    DriverPort device = PortView.unwrap(port);
    return outputs.open(device, ports.output(device), drops);
  }

  /**
   * Room for packets that handlers keep beyond their burst.
   *
   * @param capacity packets at most, 1 to 32,767; what comes then is dropped
   * @param timeoutNs after which they are dropped; 0: never
   * @throws WrongThreadException if the worker runs already, on another thread
   */
  public HeldPackets hold(int capacity, long timeoutNs) {
    requireOwnThread();
    HeldPackets more =
        new HeldPackets(capacity, timeoutNs, drops, freeBuffer, System::nanoTime, owner);
    held = Arrays.copyOf(held, held.length + 1);
    held[held.length - 1] = more;
    return more;
  }

  /**
   * Does a task each round, after the inputs. Before the engine starts, or from a task of this
   * worker.
   */
  public void task(WorkerTask task) {
    requireOwnThread();
    tasks.add(task);
  }

  /**
   * Shows bursts to a probe before their handler gets them, from one of the next on. Any thread.
   *
   * @param next null: none
   * @param every one burst in so many
   * @param most bursts, until this is called again: a probe that were called for each burst under
   *     load would keep the compiler from making one piece of the handlers' code
   */
  public void probe(@Nullable BurstProbe next, int every, int most) {
    commands.enqueue(() -> poller.probe(next, every, most), () -> {});
  }

  /**
   * Does something between two bursts on the worker's thread; here and now while it does not run.
   * Any thread.
   *
   * @param action what it throws on the worker's thread is counted and logged as that of a handler
   */
  public void submit(Runnable action) {
    commands.submit(action);
  }

  private void commandFailed(Throwable thrown) {
    failures.add(() -> "command failed: worker=" + id, thrown);
  }

  private void requireOwnThread() {
    if (!isRunning) {
      return;
    }
    try {
      owner.require();
    } catch (WrongThreadException e) {
      throw new WrongThreadException(
          "worker runs already: worker=%d, thread=%s; wire it before its engine starts, or on its own thread"
              .formatted(id, Thread.currentThread().getName()));
    }
  }

  /** What it has done with packets until now. Any thread. */
  public PacketCounts counts() {
    return meter.counts();
  }

  /** What it has done with its time until now. Any thread. */
  public WorkerLoad load() {
    return meter.load();
  }

  /** See {@link DriverAccess#resources}. */
  WorkerResources resources() {
    return new WorkerResources(arrived.burst(), drops, freeBuffer, ledger, owner, failures);
  }

  /** What its handlers have thrown. Any thread. */
  FailureLog failures() {
    return failures;
  }

  /** See {@link Outputs#finishPackets}. Before it begins. */
  void finishPackets(boolean mayLackMore) {
    outputs.finishPackets(mayLackMore);
  }

  /** See {@link Outputs#finishChecksums}. Before it begins. */
  boolean finishesChecksums() {
    return outputs.finishChecksums();
  }

  /** See {@link Outputs#cutDatagrams}. Before it begins. */
  boolean cutsDatagrams() {
    return outputs.cutDatagrams();
  }

  /** Packets of these types may come. Before it begins. */
  void checkLinkTypes(Set<LinkType> types) {
    outputs.checkLinkTypes(types);
  }

  WorkerMeter meter() {
    return meter;
  }

  WorkerPorts ports() {
    return ports;
  }

  WorkerTasks tasks() {
    return tasks;
  }

  WorkerQueues queues() {
    return queues;
  }

  /** Done when its thread has ended. */
  CompletableFuture<Void> ended() {
    return ended;
  }

  /** It ends after the burst that it is at. Any thread. */
  void requestEnd() {
    commands.enqueue(() -> isToEnd = true, () -> {});
  }

  boolean isToEnd() {
    return isToEnd;
  }

  /** Ends a sleep. Any thread. */
  void wake() {
    commands.wake();
  }

  /**
   * Belongs to a thread that is about to start: no other can wire it from now on, and commands wait
   * for this one.
   */
  void belongTo(Thread thread) {
    owner.bind(thread);
    isRunning = true;
    commands.isRunning(true);
  }

  /** Belongs to the calling thread: the one that it was to run on did not start. */
  void hasNotStarted() {
    owner.bind();
    isRunning = false;
    commands.isRunning(false);
  }

  /** On its own thread. */
  void begin() {
    ports.attach(meter.cpu());
    tasks.begin();
    meter.begin();
  }

  /**
   * One round.
   *
   * @return packets received and pieces of work done, or 1 if there was something left to transmit
   *     or free
   */
  int doWork() {
    int work = poller.poll() + tasks.doWork(outputs);
    if (work == 0) {
      return idleRound();
    }
    meter.busy(); // Perhaps only tasks had work.
    if (++busyRounds >= ROUNDS_PER_CHECK) {
      busyRounds = 0;
      long now = System.nanoTime();
      meter.lap(now);
      outputs.drainIfDue(now);
      check();
      publish();
    }
    return work;
  }

  /** What is to be done between bursts now and then. */
  private void check() {
    if (!commands.isEmpty()) {
      outputs.transmitDue(); // Before what may take long.
    }
    if (commands.run()) {
      meter.busy(); // A command may have sent packets.
    }
    for (HeldPackets kept : held) {
      if (kept.expire()) {
        meter.busy();
      }
    }
    queues.passOn();
  }

  private int idleRound() {
    check();
    if (drainIdle()) {
      return 1;
    }
    if (queues.isEmpty() && tasks.isEmpty() && !isToEnd) {
      queues.await(NO_QUEUE_SLEEP_NS);
      hasSlept = true;
    }
    return 0;
  }

  /** Whether there was something to transmit or free, and now is no more. */
  private boolean drainIdle() {
    if (!meter.isBusy()) {
      return false;
    }
    outputs.drain();
    publish();
    meter.drained(outputs.inFlight() > 0); // If so, the next round tries again.
    return !meter.isBusy();
  }

  /** Sleeps, at most so long, until there is something to do. */
  void sleep(long ns) {
    if (hasSlept) { // Just now, in its round; somebody may have ended that sleep for a reason.
      hasSlept = false;
      return;
    }
    boolean isWaiting = meter.isBusy() || queues.areLeaving(); // For packets in flight.
    long mostNs = isWaiting ? Math.min(ns, WorkerTask.POLL_NS) : ns;
    for (HeldPackets kept : held) {
      mostNs = Math.min(mostNs, kept.restNs());
    }
    queues.await(mostNs);
  }

  private void publish() {
    long sent = outputs.sent();
    outputs.countMade();
    int inFlight = outputs.inFlight();
    for (HeldPackets kept : held) {
      inFlight += kept.size();
    }
    meter.publish(sent, inFlight, ledger, drops);
  }

  /** Transmits or drops all that is stored. */
  void end() {
    ClosingSteps steps = new ClosingSteps("worker cannot end: worker=" + id);
    steps.take(() -> arrived.finish(freeBuffer)); // Not empty after an error of the worker itself.
    steps.take(tasks::end);
    for (HeldPackets kept : held) {
      steps.take(() -> kept.dropAll(HeldPackets.STOPPED));
    }
    steps.take(outputs::end);
    steps.take(this::publish);
    steps.take(queues::end);
    steps.take(commands::close);
    ports.detach(steps);
    steps.end();
  }
}
