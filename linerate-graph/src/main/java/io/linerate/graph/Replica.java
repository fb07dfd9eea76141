package io.linerate.graph;

import io.linerate.core.driver.MappedFileFault;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketChains;
import io.linerate.core.log.FailureLog;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.port.ClosingSteps;
import io.linerate.core.worker.WorkerTask;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The graph on one worker. */
final class Replica implements WorkerTask {
  private static final long TIMEOUT_S = 10;
  private static final VarHandle WAITED_NS;

  static {
    try {
      WAITED_NS = MethodHandles.lookup().findVarHandle(Replica.class, "waitedNs", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final ReplicaHost host;
  private final PacketChains chains;
  private final ElementTimer timer;

  /** Of all elements here. */
  private final DropCounts droppedTokens = new DropCounts();

  /** Of the packets that are held those that are only read. */
  private int kept;

  /** In the order of the graph, upstream first. Replaced as a whole; other threads read it. */
  private volatile Map<String, RunningElement> elements = Map.of();

  private RunningElement[] roundElements = new RunningElement[0];

  /** None, if this is a stage. */
  private final WorkerStages stages = new WorkerStages(this);

  private boolean isNowKnown;
  private long nowNs;

  /** How long elements that run here have waited for others. */
  private long waitedNs;

  private boolean isEnding;

  private volatile boolean hasEnded;

  Replica(ReplicaHost host) {
    this.host = host;
    chains = new PacketChains(host.pool());
    timer = new ElementTimer(host.monotonicClock());
  }

  DropCounts droppedTokens() {
    return droppedTokens;
  }

  ElementTimer timer() {
    return timer;
  }

  ReplicaHost host() {
    return host;
  }

  Map<String, RunningElement> elements() {
    return elements;
  }

  // --- the packet path ---

  /** Another burst or round begins. */
  void timeHasPassed() {
    isNowKnown = false;
  }

  /** When the burst was received that is worked on, or now in a round. */
  long receivedNs() {
    Burst arrived = host.resources().arrived();
    return arrived.isEmpty() ? host.clock().epochNs() : arrived.receivedNs();
  }

  long nowNs() {
    if (!isNowKnown) {
      isNowKnown = true;
      nowNs = host.monotonicClock().getAsLong();
    }
    return nowNs;
  }

  boolean make(MbufArray packets, int lengthBytes) {
    if (lengthBytes < 0 || lengthBytes > Mbuf.MAX_SEGMENT_BYTES) {
      throw new IllegalArgumentException(
          "packet cannot be made: lengthBytes=" + lengthBytes + "; 0 to 65535 is possible");
    }
    long mbuf = chains.make(lengthBytes);
    if (mbuf == 0) {
      return false;
    }
    packets.append(mbuf, chains.pool());
    host.ledger().addMade(1);
    return true;
  }

  // --- the worker's rounds ---

  @Override
  public void begin() {
    stages.begin();
  }

  @Override
  public int doWork() {
    return ownRounds() + stages.rounds();
  }

  /** A round of its own elements. */
  int ownRounds() {
    int work = 0;
    isNowKnown = false;
    for (RunningElement element : roundElements) {
      work += round(element);
    }
    return work;
  }

  @Override
  public long restNs(Runnable wake) {
    return Math.min(ownRestNs(wake), stages.restNs(wake));
  }

  long ownRestNs(Runnable wake) {
    long least = Long.MAX_VALUE;
    isNowKnown = false;
    for (RunningElement element : roundElements) {
      for (int i = 0; i < element.rounds.size(); i++) {
        least = Math.min(least, restNs(element, element.rounds.get(i), wake));
      }
    }
    return least;
  }

  private static long restNs(RunningElement element, Round round, Runnable wake) {
    try {
      return round.restNs(wake);
    } catch (Throwable e) { // As what rounds throw.
      element.guard().add(e);
      return POLL_NS;
    }
  }

  private int round(RunningElement element) {
    if (element.roundTiming.isRoundDue()) {
      return timedRound(element);
    }
    int work = roundNow(element);
    if (work > 0) {
      element.roundTiming.worked();
    }
    return work;
  }

  /** A round in which there was nothing to do does not count. */
  private int timedRound(RunningElement element) {
    int work = 0;
    long startNs = timer.begin();
    ElementTime before = timer.enter(element.time(), 0);
    try {
      work = roundNow(element);
    } finally {
      timer.leave(before);
      long endNs = timer.end() - timer.waitedNs();
      element.roundTiming.timedSteps(startNs, endNs, work > 0, false);
    }
    return work;
  }

  private int roundNow(RunningElement element) {
    int work = 0;
    for (int i = 0; i < element.rounds.size(); i++) {
      try {
        work += element.rounds.get(i).run();
        host.owner().settle();
      } catch (Throwable e) { // Whatever an element does, its worker goes on.
        if (host.owner().readsFiles() && MappedFileFault.is(e)) {
          element.discardSent();
        }
        element.guard().add(e);
        work++; // It may have sent something before.
      }
    }
    element.flushGuarded();
    return work;
  }

  /** Empties its queues, but for those of which something comes to queues that are waited for. */
  int emptyQueues(List<String> waitedFor) {
    BackPressure pressure = host.junctions().backPressure();
    int work = 0;
    for (RunningElement element : roundElements) {
      if (!element.crossings.isEmpty() && pressure.mayEmpty(element.name(), waitedFor)) {
        work += timer.isOn() ? roundNow(element) : round(element);
      }
    }
    return work;
  }

  /**
   * An element has waited for room in a queue, on this replica's thread.
   *
   * @param allNs also that in which something else was done
   */
  void waited(long idleNs, long allNs) {
    timer.waited(allNs);
    Replica home = home();
    WAITED_NS.setOpaque(home, home.waitedNs + idleNs);
  }

  @Override
  public long waitedNs() {
    return (long) WAITED_NS.getOpaque(this);
  }

  // --- stages that are left to the engine ---

  boolean isStage() {
    return host.worker() instanceof FreeStage;
  }

  FreeStage freeStage() {
    return (FreeStage) host.worker();
  }

  /** Those that it runs; none if it is a stage itself. */
  WorkerStages stages() {
    return stages;
  }

  /** That of the worker that this runs on. For its thread. */
  Replica home() {
    Replica at = isStage() ? freeStage().home() : this;
    return at == null ? this : at;
  }

  /** Number of the worker that this runs on, or was last. Any thread. */
  int worker() {
    return isStage() ? freeStage().worker() : host.id();
  }

  /** Whether all that feeds this stage has ended: what there is in its queues is all. */
  boolean isCutOff() {
    for (RunningElement element : roundElements) {
      for (QueueSide crossing : element.crossings) {
        if (crossing.isFedByOthers()) {
          return false;
        }
      }
    }
    return true;
  }

  /** Ends, as a stage. */
  void endStage() {
    isEnding = true;
    endOwnCycles();
    leave(elements.values());
    hasEnded = true;
  }

  /** More packets, or fewer, are held that no element sends later: no worker goes on for them. */
  void kept(int more) {
    kept += more;
  }

  /** Whether more comes from here; or to stages that are here, from others or on its way. */
  @Override
  public boolean isActive() {
    boolean isOwnActive = isOwnActive();
    host.junctions().brings(host.id(), isOwnActive);
    return isOwnActive || host.junctions().mayFeedStages() || stages.haveWork();
  }

  /** Whether something waits in queues that it empties. */
  boolean hasWaiting() {
    for (RunningElement element : roundElements) {
      for (int i = 0; i < element.crossings.size(); i++) {
        if (element.crossings.get(i).hasWaiting()) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean isOwnActive() {
    if (host.ledger().held() > kept) {
      return true;
    }
    boolean hasSources = hasSources();
    host.junctions().hasSources(host.id(), hasSources);
    if (hasSources) {
      return true;
    }
    for (RunningElement element : roundElements) {
      for (int i = 0; i < element.crossings.size(); i++) { // An iterator would be an object.
        QueueSide crossing = element.crossings.get(i);
        if (crossing.isActive() || (crossing.isCyclic() && host.junctions().haveSources())) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean hasSources() {
    for (RunningElement element : roundElements) {
      for (int i = 0; i < element.rounds.size(); i++) {
        if (element.rounds.get(i).isActive()) {
          return true;
        }
      }
    }
    return false;
  }

  @Override
  public @Nullable String bond() {
    String stage = stages.bond();
    if (stage != null) {
      return stage;
    }
    for (RunningElement element : elements.values()) {
      if (!element.crossings.isEmpty()
          && host.junctions().of(element.name()).isFedByOthers(host.id())) {
        return "element=" + element.name() + ": it empties here what other workers feed";
      }
    }
    return null;
  }

  @Override
  public BooleanSupplier handedOver() {
    List<BooleanSupplier> all = new ArrayList<>();
    elements
        .values()
        .forEach(element -> element.crossings.forEach(side -> all.add(side.handedOver())));
    return () -> all.stream().allMatch(BooleanSupplier::getAsBoolean);
  }

  @Override
  public void end() {
    isEnding = true;
    host.junctions().hasSources(host.id(), false);
    if (isPartOfCycle()) {
      sendHeld();
      endCycle();
    }
    endOwnCycles();
    leaveInStep();
    host.junctions().brings(host.id(), false);
    host.junctions().lastRounds().forget(host.id());
    stages.end();
    hasEnded = true;
  }

  /**
   * As {@link #leave}, where workers feed each other: on all of them what is before a queue ends
   * before what is behind it, so that what elements send at the very end arrives.
   */
  private void leaveInStep() {
    Deque<RunningElement> left = new ArrayDeque<>(elements.values());
    while (!left.isEmpty()) {
      awaitFeeders(left);
      left.remove().finish();
    }
    elements.values().forEach(RunningElement::dropHeld);
  }

  /**
   * Empties the queues that are left until nothing comes any more to the first element, if it is
   * one of them, or nothing has moved for a second.
   */
  private void awaitFeeders(Deque<RunningElement> left) {
    RunningElement first = left.element();
    boolean isInCycle = first.crossings.stream().anyMatch(QueueSide::isCyclic);
    if (!isInCycle || host.junctions().backPressure().isCyclic(first.name())) {
      return;
    }
    int _ = emptyQueues(left); // What is put in is handed over then.
    first.crossings.forEach(QueueSide::closeFed);
    long startNs = System.nanoTime();
    while (first.crossings.stream().anyMatch(QueueSide::isFedByOthers)
        && System.nanoTime() - startNs < QueueSide.MAX_WAIT_NS) {
      if (emptyQueues(left) + stages.workWhileWaiting() > 0) {
        startNs = System.nanoTime();
      }
      Thread.onSpinWait();
    }
  }

  private int emptyQueues(Collection<RunningElement> some) {
    isNowKnown = false;
    int work = 0;
    for (RunningElement element : some) {
      work += element.crossings.isEmpty() ? 0 : roundNow(element);
    }
    return work;
  }

  private boolean isPartOfCycle() {
    return elements.values().stream()
        .flatMap(element -> element.crossings.stream())
        .anyMatch(QueueSide::isCyclic);
  }

  /**
   * Sends what comes from workers that this one feeds, too, until there is nothing between them, or
   * for a second: from when all are at their end, or those that are not have stood still.
   */
  private void endCycle() {
    LastRounds.Rounds rounds = host.junctions().lastRounds().of(host.id());
    long start = System.nanoTime();
    long moved = 0;
    while (System.nanoTime() - start < QueueSide.MAX_WAIT_NS) {
      long movedNow = host.junctions().movedInCycles();
      if (moved != movedNow) {
        moved = movedNow;
        start = System.nanoTime();
      }
      rounds.begin();
      int work = emptyQueues(elements.values());
      rounds.end(work);
      if (work == 0 && host.junctions().areCyclesQuiet()) {
        return;
      }
      Thread.onSpinWait();
    }
  }

  /**
   * Where a queue leads back to itself here: sends what is held and what waits until nothing is
   * left, or for a second.
   */
  private void endOwnCycles() {
    BackPressure pressure = host.junctions().backPressure();
    boolean hasCycles =
        elements.values().stream()
            .anyMatch(element -> !element.crossings.isEmpty() && pressure.isCyclic(element.name()));
    long startNs = System.nanoTime();
    while (hasCycles) {
      sendHeld();
      hasCycles = hasWaiting() && System.nanoTime() - startNs < QueueSide.MAX_WAIT_NS;
    }
  }

  /** Lets the elements send what they hold, upstream first; they go on. */
  void sendHeld() {
    elements.values().forEach(RunningElement::leave);
  }

  /** Whether the worker is at its end. For its own thread. */
  boolean isEnding() {
    return isEnding;
  }

  /** Whether the worker has ended. Any thread. */
  boolean hasEnded() {
    return hasEnded;
  }

  private static void leave(Collection<RunningElement> leaving) {
    leaving.forEach(RunningElement::finish);
    leaving.forEach(RunningElement::dropHeld);
  }

  // --- for other threads ---

  /** Does something between two bursts, and waits for it. Any thread but the worker's. */
  <T> T call(Supplier<T> action) {
    return await(submit(action));
  }

  /** Has the worker do something between two bursts. Any thread. */
  <T> CompletableFuture<T> submit(Supplier<T> action) {
    CompletableFuture<T> done = new CompletableFuture<>();
    host.worker()
        .submit(() -> {
          try {
            done.complete(action.get());
          } catch (Throwable e) { // Whatever it is, it belongs to the caller.
            done.completeExceptionally(e);
          }
        });
    return done;
  }

  /** Waits for what was {@link #submit}ted. Any thread but the worker's. */
  <T> T await(CompletableFuture<T> done) {
    try {
      return done.get(TIMEOUT_S, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      Throwable cause = FailureLog.printable(Objects.requireNonNull(e.getCause()));
      throw new IllegalStateException(
          "worker failed at what it was asked: worker=%d, error=%s".formatted(host.id(), cause),
          cause);
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "worker does not answer: worker=%d, waitedS=%d; one of its elements does not return, what was asked is done when it does"
              .formatted(host.id(), TIMEOUT_S),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(
          "interrupted while a worker was asked: worker=%d; it does what was asked all the same"
              .formatted(host.id()),
          e);
    }
  }

  /**
   * Makes the elements that {@code graph} has on this worker: those that are there already stay.
   * Nothing changes for packets yet.
   */
  Map<String, RunningElement> prepare(List<PlacedElement> next) {
    Map<String, RunningElement> prepared = new LinkedHashMap<>();
    try {
      for (PlacedElement placed : next) {
        RunningElement old = elements.get(placed.name());
        if (old != null && old.placed().element().equals(placed.element())) {
          prepared.put(placed.name(), old);
        } else {
          RunningElement fresh = new RunningElement(placed, this);
          prepared.put(placed.name(), fresh);
          fresh.open();
        }
      }
    } catch (Throwable e) { // Whatever an element throws, none stays open.
      abandon(prepared, e);
      throw e;
    }
    return prepared;
  }

  @SuppressWarnings("ReferenceEquality")
  private boolean isHere(RunningElement element) {
    return elements.get(element.name()) == element;
  }

  /**
   * Lets packets take the new edges. Between two bursts only.
   *
   * @return the elements that are not there any more, to be closed
   */
  List<RunningElement> change(Map<String, RunningElement> next, List<Edge> nextEdges) {
    List<RunningElement> removed = new ArrayList<>();
    for (RunningElement old : elements.values()) {
      if (next.get(old.name()) != old) {
        removed.add(old);
      }
    }
    leave(removed);
    connect(next, nextEdges);
    for (RunningElement element : next.values()) {
      if (!isHere(element)) {
        element.connectPorts();
      }
    }
    next.values().forEach(element -> element.entries.values().forEach(Inlet::compilePath));
    elements = next;
    roundElements =
        next.values().stream()
            .filter(element -> !element.rounds.isEmpty())
            .toArray(RunningElement[]::new);
    host.junctions().hasSources(host.id(), hasSources());
    return removed;
  }

  /** Closes elements that were prepared, but will not come because of what was thrown. */
  void abandon(Map<String, RunningElement> prepared, Throwable cause) {
    ClosingSteps steps = new ClosingSteps("graph cannot be made");
    prepared.values().stream()
        .filter(made -> !isHere(made))
        .forEach(made -> made.close(steps::add));
    try {
      steps.end();
    } catch (RuntimeException e) {
      cause.addSuppressed(e);
    }
  }

  private void connect(Map<String, RunningElement> next, List<Edge> nextEdges) {
    for (RunningElement element : next.values()) {
      element.outlets.values().forEach(outlet -> outlet.target(null));
    }
    watch(next.values());
    for (RunningElement element : next.values()) {
      element.ahead(ahead(element, next));
    }
    Map<TokenLink, TokenInlet> tokenTargets = new HashMap<>();
    for (Edge edge : nextEdges) {
      RunningElement from = next.get(edge.from());
      RunningElement to = next.get(edge.to());
      if (from != null && to != null) {
        Outlet outlet = from.outlets.get(edge.output());
        if (outlet != null) {
          outlet.target(to.inlets.get(edge.input()));
        }
        TokenLink tokens = from.tokens.link(edge.output());
        TokenInlet inlet = to.tokens.inlet(edge.input());
        if (tokens != null && inlet != null) {
          tokenTargets.put(tokens, inlet);
        }
      }
    }
    new ArrayList<>(next.values()).reversed().forEach(element -> element.tokens.lead(tokenTargets));
  }

  private Brake[] ahead(RunningElement element, Map<String, RunningElement> next) {
    return host.junctions().backPressure().ahead(element.name()).stream()
        .map(next::get)
        .filter(Objects::nonNull)
        .flatMap(holding -> Stream.concat(holding.crossings.stream(), holding.brakes.stream()))
        .toArray(Brake[]::new);
  }

  /** Looks at the queues that the graph has now. Between two bursts only. */
  void watch() {
    watch(elements.values());
  }

  private void watch(Collection<RunningElement> watching) {
    for (RunningElement element : watching) {
      for (Congestion congestion : element.congestions) {
        congestion.rings(host.junctions().of(congestion.queue()).near(host.id()));
      }
    }
  }

  // --- numbers, for any thread ---

  Map<String, ElementCounts> counts() {
    Map<String, ElementCounts> counts = new LinkedHashMap<>();
    elements.forEach((name, element) -> counts.put(name, element.counts()));
    return counts;
  }

  /** What passed an edge. */
  PacketCounter counter(Edge edge) {
    RunningElement from = elements.get(edge.from());
    Outlet outlet = from == null ? null : from.outlets.get(edge.output());
    return outlet == null ? new PacketCounter() : outlet.counter();
  }

  /** Tokens that passed an edge. */
  long tokens(Edge edge) {
    RunningElement from = elements.get(edge.from());
    TokenLink link = from == null ? null : from.tokens.link(edge.output());
    return link == null ? 0 : link.tokens();
  }
}
