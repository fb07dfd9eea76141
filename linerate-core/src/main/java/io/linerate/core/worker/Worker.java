package io.linerate.core.worker;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.QueueOrder;
import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.log.FailureLog;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.HeldPackets;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.OwnerThread;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.Port;
import io.linerate.core.port.PortException;
import io.linerate.core.port.TxQueue;
import io.linerate.core.time.EpochClock;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Polls its receive queues, runs their handlers, transmits what they send: always on one thread,
 * which belongs to the {@link Engine}.
 *
 * <p>One round: each input's burst is received, handled and ended; stored packets are transmitted
 * when their output is full, when a round brings nothing, and when the drain time has passed. Then
 * the counters are published.
 */
public final class Worker {
  private static final System.Logger LOG = System.getLogger(Worker.class.getName());

  /**
   * Busy rounds between two looks at the clock and at orders, and between two publications of the
   * counters: each costs as much as several packets. An idle round publishes what is left.
   */
  private static final int ROUNDS_PER_LOOK = 16;

  /** Received bursts that an output has room for beyond what it transmits together. */
  private static final int ROOM_BURSTS = 4;

  /** How long a worker without queues sleeps; an order wakes it. */
  private static final long NO_QUEUE_PARK_NS = 10_000_000;

  /** How long a full queue is tried again when the worker ends. */
  private static final long LAST_FLUSH_NS = 200_000_000;

  private final int id;
  private final int lane;
  private final EngineConfig config;
  private final PacketPools pools;
  private final EpochClock clock;
  private final Consumer<PortException> onInputFailure;
  private final Consumer<PortException> onOutputFailure;
  private final Consumer<Input> onInputEnd;
  private final DropCounts drops = new DropCounts();
  private final WorkerCounters counters = new WorkerCounters();
  private final PacketLedger ledger = new PacketLedger();
  private final OwnerThread owner = new OwnerThread();

  /** What is received, and what of it handlers are given. */
  private final OwnedBurst arrived;

  private final Burst burst;
  private final FreeBuffer freeBuffer;
  private final WorkerPorts ports;
  private final long drainNs;
  private final Orders orders = new Orders();
  private final PollWait pollWait = new PollWait();
  private final LoadMeter loadMeter = new LoadMeter();
  private final SlowBursts slowBursts;
  private final PollCounts polls = new PollCounts();
  private final PolledQueues polledQueues;

  /** Null: each in turn. */
  private @Nullable QueueChoice choice;

  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  private volatile boolean hasBegun;
  private volatile boolean isRetiring;
  private boolean isDismissed;

  // Arrays: the iterator of a list is an object for each burst until the code is compiled.
  private Input[] inputs = new Input[0];
  private Output[] outputs = new Output[0];
  private WorkerTask[] tasks = new WorkerTask[0];
  private HeldPackets[] held = new HeldPackets[0];

  /** The ports that it has outputs to: several outputs to one share its transmit queue. */
  private final Set<DriverPort> transmitting = new HashSet<>();

  private final Departures departures = new Departures();
  private final BurstLooks looks;

  /** Bursts until the next look; 0: there is none. */
  private int burstsToLook;

  private long received;
  private int busyRounds;
  private long lastFlushNs = System.nanoTime();

  /** Whether there may be something to drain. While not, the worker counts as idle. */
  private boolean dirty;

  private final FailureLog failures = new FailureLog(LOG);

  /**
   * @param lane number of its transmit queue of each port, and of its CPU
   */
  Worker(
      int id,
      int lane,
      EngineConfig config,
      PacketPools pools,
      EpochClock clock,
      Consumer<PortException> onInputFailure,
      Consumer<PortException> onOutputFailure,
      Consumer<Input> onInputEnd) {
    this.id = id;
    this.lane = lane;
    this.config = config;
    this.pools = pools;
    this.clock = clock;
    this.onInputFailure = onInputFailure;
    this.onOutputFailure = onOutputFailure;
    this.onInputEnd = onInputEnd;
    ports = new WorkerPorts(id, lane, config, failures);
    looks = new BurstLooks(id);
    polledQueues = new PolledQueues(config.rxBurst());
    QueueOrder order = config.queues().order();
    choice = order == QueueOrder.ROUND_ROBIN ? null : QueueChoice.of(order);
    arrived = new OwnedBurst(config.rxBurst(), drops, clock, owner);
    burst = arrived.burst();
    freeBuffer = new FreeBuffer(pools, config.freeBurst());
    slowBursts = new SlowBursts(id, config.statistics().slowBurstUs() * 1_000L);
    drainNs = config.drainUs() * 1_000L;
  }

  /** Number of the worker, from 0. */
  public int id() {
    return id;
  }

  /**
   * Number of its transmit queue of each port, from 0: a worker that comes later may have that of
   * one that was retired.
   */
  public int lane() {
    return lane;
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
    requireNotBegun();
    ports.input(PortFace.unwrap(port), handler);
  }

  /**
   * Chooses the queue that is polled next, instead of the order that is configured.
   *
   * @throws IllegalStateException if the worker runs already
   */
  public void queueChoice(QueueChoice choice) {
    requireNotBegun();
    this.choice = choice;
  }

  /**
   * Gives what a port receives to another handler from the next burst on.
   *
   * @param port that the worker has a handler for
   * @throws WrongThreadException if the worker runs already, on another thread
   */
  public void replaceHandler(Port port, BurstHandler handler) {
    requireOwnThread();
    ports.handler(PortFace.unwrap(port)).handler = handler;
  }

  private void requireNotBegun() {
    if (hasBegun) {
      throw new IllegalStateException(
          "worker runs already: worker=" + id + "; wire it before its engine starts");
    }
  }

  /** The ports that it has handlers for. */
  Set<DriverPort> inputPorts() {
    return ports.inputs();
  }

  InputHandler handler(DriverPort port) {
    return ports.handler(port);
  }

  /** Whether queues of the port may be moved here. Any thread. */
  boolean canTake(DriverPort port) {
    return !isRetiring && ports.inputs().contains(port);
  }

  /**
   * A way out to a port: its transmit queue of this worker's number.
   *
   * @throws ConfigException if the port cannot transmit
   * @throws PortException if the port has fewer transmit queues than there are workers
   * @throws WrongThreadException if the worker runs already, on another thread
   */
  public Output output(Port port) {
    return output(port, drops);
  }

  /**
   * As {@link #output(Port)}, with a count of its own for what the port refuses.
   *
   * @param drops part of what the worker drops
   */
  public Output output(Port port, DropCounts drops) {
    requireOwnThread();
    DriverPort device = PortFace.unwrap(port);
    TxQueue queue = ports.output(device);
    int capacity = Math.min(0xFFFF, config.txBurst() + ROOM_BURSTS * config.rxBurst());
    OwnedBurst stored = new OwnedBurst(capacity, drops, clock, owner);
    Output output =
        new Output(
            queue,
            pools,
            stored,
            config.txBurst(),
            !transmitting.add(device),
            owner,
            txRetryNs(),
            onOutputFailure);
    outputs = Arrays.copyOf(outputs, outputs.length + 1);
    outputs[outputs.length - 1] = output;
    return output;
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
    tasks = Arrays.copyOf(tasks, tasks.length + 1);
    tasks[tasks.length - 1] = task;
  }

  /**
   * Lets something look at bursts before their handler does, from the next order on. Any thread.
   *
   * @param next null: nothing
   * @param every one burst in so many
   * @param most looks, until this is called again: a probe that were called for each burst under
   *     load would keep the compiler from making one piece of the handlers' code
   */
  public void probe(@Nullable BurstProbe next, int every, int most) {
    orders.give(() -> burstsToLook = looks.begin(next, every, most), () -> {});
  }

  /**
   * Does something between two bursts on the worker's thread; here and now while it does not run.
   * Any thread.
   *
   * @param action throws nothing
   */
  public void submit(Runnable action) {
    orders.submit(action);
  }

  private void requireOwnThread() {
    if (hasBegun) {
      owner.require();
    }
  }

  /** See {@link DriverAccess#resources}. */
  WorkerResources resources() {
    return new WorkerResources(burst, drops, freeBuffer, ledger, owner, failures);
  }

  /** What its handlers have thrown. Any thread. */
  FailureLog failures() {
    return failures;
  }

  /** What it has done with packets until now. Any thread. */
  public PacketCounts counts() {
    return counters.read();
  }

  /** What it has done with its time until now. Any thread. */
  public WorkerLoad load() {
    return loadMeter.read();
  }

  /** What its polls brought until now. Any thread. */
  PollCounts polls() {
    return polls;
  }

  /** The CPU that it is pinned to, or -1. */
  int cpu() {
    return config.cpus().isEmpty() ? -1 : config.cpus().get(lane);
  }

  /** Done when its thread has ended. */
  CompletableFuture<Void> ended() {
    return ended;
  }

  /** Whether it takes no more queues. */
  boolean isRetiring() {
    return isRetiring;
  }

  /** It takes no more queues. Any thread. */
  void retire() {
    isRetiring = true;
  }

  /** It takes queues again. */
  void unretire() {
    isRetiring = false;
  }

  /** It ends after the burst that it is at. Any thread. */
  void dismiss() {
    orders.give(() -> isDismissed = true, () -> {});
  }

  boolean isDismissed() {
    return isDismissed;
  }

  /** Ends a sleep. Any thread. */
  void wake() {
    orders.wake();
  }

  /**
   * @throws ConfigException if other workers cannot do without it
   */
  void requireUnbound() {
    for (WorkerTask task : tasks) {
      String bond = task.bond();
      if (bond != null) {
        throw new ConfigException(
            "worker cannot be retired: worker=%d, %s; change the graph or the workers that need it first"
                .formatted(id, bond));
      }
    }
  }

  /** Whether a task may still bring packets. */
  boolean hasActiveTask() {
    for (WorkerTask task : tasks) {
      if (task.isActive()) {
        return true;
      }
    }
    return false;
  }

  void begin() {
    owner.bind();
    hasBegun = true;
    orders.begin(Thread.currentThread());
    ports.attach(cpu());
    for (WorkerTask task : tasks) {
      task.begin();
    }
    loadMeter.start(System.nanoTime());
  }

  /** Polls a queue from now on. Before the worker runs, or on its thread. */
  void attach(Input input) {
    Input[] more = Arrays.copyOf(inputs, inputs.length + 1);
    more[inputs.length] = input;
    show(more);
  }

  private void show(Input[] polled) {
    inputs = polled;
    polledQueues.show(polled);
  }

  /** Gives a queue away. Any thread. */
  void release(Handover handover) {
    orders.give(() -> leave(handover), () -> handover.fail("the engine has stopped"));
  }

  private void leave(Handover handover) {
    Input input = handover.input;
    if (!detach(input)) {
      handover.fail("it brings nothing any more");
      return;
    }
    input.handler.queueLeaving(input.face, input.index);
    becomeBusy();
    drain(txRetryNs());
    handover.mark(outputs, tasks);
    departures.add(handover);
  }

  /** Takes a queue whose packets have all left its old worker. Any thread. */
  void arrive(Handover handover) {
    orders.give(() -> take(handover), () -> handover.fail("the engine has stopped"));
  }

  private void take(Handover handover) {
    Input input = handover.input;
    input.handler = handler(input.port);
    input.handler.queueArrived(input.face, input.index);
    attach(input);
    handover.done.complete(null);
  }

  /** What is to be done between bursts now and then. */
  private void obey() {
    if (orders.obey()) {
      becomeBusy(); // It may have sent packets.
    }
    for (HeldPackets kept : held) {
      if (kept.expire()) {
        becomeBusy();
      }
    }
    if (!departures.isEmpty()) {
      departures.passOn(outputs);
    }
  }

  /**
   * One round.
   *
   * @return packets received and pieces of work done, or 1 if there was something left to transmit
   *     or free
   */
  int doWork() {
    int work = choice == null || inputs.length < 2 ? pollEach() : pollChosen(choice);
    for (WorkerTask task : tasks) {
      work += task.doWork();
      transmitDue();
    }
    if (work == 0) {
      return idleRound();
    }
    if (!dirty) {
      becomeBusy(); // Only tasks had work.
    }
    if (++busyRounds >= ROUNDS_PER_LOOK) {
      busyRounds = 0;
      drainIfDue();
      obey();
      publish();
    }
    return work;
  }

  private int pollEach() {
    int work = 0;
    for (Input input : inputs) {
      work += poll(input);
    }
    return work;
  }

  private int pollChosen(QueueChoice choice) {
    int work = 0;
    for (int polls = inputs.length; polls > 0 && inputs.length > 0; polls--) {
      work += poll(inputs[choice.next(polledQueues)]);
    }
    return work > 0 ? work : pollEach();
  }

  private int idleRound() {
    obey();
    if (drainIdle()) {
      return 1;
    }
    if (inputs.length + tasks.length == 0 && departures.isEmpty() && !isDismissed) {
      LockSupport.parkNanos(NO_QUEUE_PARK_NS);
    }
    return 0;
  }

  /**
   * Sleeps, and wakes up when a packet comes where its queues can say so. Then an order waits for
   * the end of the sleep, as what tasks bring always does.
   */
  void sleep(long ns) {
    if (!pollWait.await(inputs, ns)) {
      LockSupport.parkNanos(ns);
    }
  }

  private int poll(Input input) {
    if (!input.handler.isReady()) {
      return 0;
    }
    int count;
    try {
      count = input.queue.receive(arrived.array());
    } catch (Throwable e) { // Whatever a driver does, the worker's other inputs go on.
      failed(input, e);
      return 0;
    }
    if (count == 0) {
      input.lastBurst = 0;
      polls.addEmpty();
      if (input.queue.exhausted()) {
        remove(input);
      }
      return 0;
    }
    if (!dirty) {
      becomeBusy();
    }
    received += count;
    input.add(count);
    polls.add(count);
    if (burstsToLook > 0 && --burstsToLook == 0) {
      burstsToLook = looks.look(burst);
    }
    handle(input, input.handler);
    arrived.finish(freeBuffer);
    transmitDue();
    return count;
  }

  /** Not while a handler is at work, whose stack may be nearly used up. */
  private void transmitDue() {
    for (Output output : outputs) {
      if (output.isDue()) {
        output.flush(txRetryNs());
      }
    }
  }

  private long txRetryNs() {
    return config.txRetryUs() * 1_000L;
  }

  private void failed(Input input, Throwable e) {
    onInputFailure.accept(
        PortException.of(e, "receive queue failed: port=" + input.portName + ","));
    remove(input);
    // There should be none: what a driver received before it failed was not handled.
    received += burst.size();
    arrived.finish(freeBuffer);
    becomeBusy();
  }

  private void handle(Input input, InputHandler to) {
    int live = burst.live();
    try {
      to.handler.onBurst(burst);
    } catch (Throwable e) { // Whatever a handler does, its worker goes on.
      InternalError fault = to.guard.goOn(to.handler, burst, live, e);
      if (fault != null) {
        unreadable(input, fault);
      }
    }
  }

  private void unreadable(Input input, Throwable e) {
    onInputFailure.accept(
        PortException.of(e, "packets cannot be read any more: port=" + input.portName + ","));
    remove(input);
  }

  private void becomeBusy() {
    if (!dirty) {
      dirty = true;
      long now = System.nanoTime();
      loadMeter.busy(now);
      slowBursts.begin(now, received);
    }
  }

  private void remove(Input input) {
    if (detach(input)) {
      onInputEnd.accept(input);
    }
  }

  private boolean detach(Input input) {
    List<Input> left = new ArrayList<>(List.of(inputs));
    boolean isThere = left.remove(input);
    show(left.toArray(new Input[0]));
    return isThere;
  }

  private boolean drainIdle() {
    if (!dirty) {
      return false;
    }
    drain(txRetryNs());
    publish();
    dirty = pending() > 0; // In an output that is patient: the next round tries again.
    if (dirty) {
      slowBursts.pause();
    } else {
      long now = System.nanoTime();
      loadMeter.idle(now);
      slowBursts.lap(now, received);
    }
    return !dirty;
  }

  private void drainIfDue() {
    long now = System.nanoTime();
    slowBursts.lap(now, received);
    if (now - lastFlushNs >= drainNs) {
      lastFlushNs = now;
      drain(txRetryNs());
    }
  }

  private void drain(long boundNs) {
    for (Output output : outputs) {
      output.flush(boundNs);
      output.flushPort();
    }
    freeBuffer.flush();
  }

  private int pending() {
    int pending = 0;
    for (Output output : outputs) {
      pending += output.pending();
    }
    return pending;
  }

  private void publish() {
    long sent = 0;
    int inFlight = 0;
    for (Output output : outputs) {
      sent += output.sent();
      inFlight += output.pending() + output.undecided();
    }
    for (HeldPackets kept : held) {
      inFlight += kept.size();
    }
    counters.publish(received, sent, inFlight, ledger, drops);
  }

  /** Transmits or drops all that is stored. */
  void end() {
    arrived.finish(freeBuffer);
    for (WorkerTask task : tasks) {
      try {
        task.end();
      } catch (Throwable e) { // What is stored elsewhere still goes where it belongs.
        LOG.log(Level.ERROR, "task cannot end: worker=" + id, e);
      }
    }
    for (HeldPackets kept : held) {
      kept.dropAll(HeldPackets.STOPPED);
    }
    for (Output output : outputs) {
      output.end(LAST_FLUSH_NS);
    }
    freeBuffer.flush();
    publish();
    departures.fail("the engine has stopped");
    orders.close();
    ports.detach();
  }
}
