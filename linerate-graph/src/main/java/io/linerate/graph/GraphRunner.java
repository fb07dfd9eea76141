package io.linerate.graph;

import io.linerate.core.config.ConfigException;
import io.linerate.core.counter.SampleSink;
import io.linerate.core.counter.SampleSource;
import io.linerate.core.driver.MovableWork;
import io.linerate.core.driver.PacketPool;
import io.linerate.core.port.ClosingSteps;
import io.linerate.core.port.DriverPort;
import io.linerate.core.time.EpochClock;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Worker;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A graph on the workers of an engine: each worker has elements of its own.
 *
 * <pre>{@code
 * try (var engine = new Engine()) {
 *   engine.port("eth0", "dpdk:0000:03:00.0");
 *   engine.port("eth1", "dpdk:0000:03:00.1");
 *   GraphRunner runner = GraphRunner.install(graph, engine);
 *   engine.start();
 *   runner.read("count.packets");
 *   runner.change(otherGraph);
 *   …
 * }
 * }</pre>
 *
 * All methods are for any thread. The engine ends the graph: elements send what they hold, or drop
 * it, when their worker ends.
 */
public final class GraphRunner implements SampleSource, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(GraphRunner.class.getName());
  private static final long RETRY_NS = 1_000_000;
  private static final String BY_HAND = "moved by hand: the balancer leaves it there";

  private final Engine engine;

  /** By the number of their worker; those of workers that have ended stay. */
  private final Map<Integer, Replica> replicas = new ConcurrentSkipListMap<>();

  private final UnaryOperator<DriverPort> before;
  private final Junctions junctions = new Junctions();
  private final GraphValues values = new GraphValues(replicas.values());
  private final FreeStages freeStages = new FreeStages(replicas.values());
  private final Object editing = new Object();
  private volatile Graph graph;

  /** The elements that each worker removes in the last change, as far as it is not done. */
  private final Map<Replica, CompletableFuture<List<RunningElement>>> changing =
      new LinkedHashMap<>(); // Guarded by this.

  /** Of the graph that runs, or ran before the last change. */
  private volatile @Nullable Described described;

  private Layout layout;
  private final Supplier<PacketPool> pool;

  private GraphRunner(EngineCheck check, Engine engine, UnaryOperator<DriverPort> before) {
    this.engine = engine;
    this.before = before;
    graph = check.graph();
    layout = check.layout();
    pool = new GraphPool(engine);
  }

  private Replica replica(ReplicaHost host) {
    Replica made = new Replica(host);
    engine.drivers().countDroppedTokens(made.droppedTokens());
    return made;
  }

  private Replica replica(Worker worker) {
    return replica(
        new ReplicaHost(
            new EngineWorker(engine, worker, before),
            worker.id(),
            engine.config().rxBurst(),
            engine.config().buffers() / engine.config().mostWorkers(),
            engine.drivers().pools(),
            engine.drivers().resources(worker),
            pool,
            EpochClock.SYSTEM,
            System::nanoTime,
            junctions));
  }

  /**
   * Checks the graph, and makes its elements on the workers of an engine that has its ports but was
   * not started.
   *
   * @throws GraphException if anything is wrong with the graph: everything is said at once, and
   *     nothing was done
   * @throws ConfigException if an element cannot have what it needs
   */
  public static GraphRunner install(Graph graph, Engine engine) {
    return install(graph, engine, UnaryOperator.identity());
  }

  /**
   * As {@link #install(Graph, Engine)}, with something before the ports.
   *
   * @param before what elements receive from, for each port of the engine: the same name, and as
   *     many queues
   */
  public static GraphRunner install(Graph graph, Engine engine, UnaryOperator<DriverPort> before) {
    EngineCheck check = new EngineCheck(graph, engine);
    check.require();
    check.warnings().forEach(sentence -> LOG.log(Level.WARNING, sentence));
    GraphRunner runner = new GraphRunner(check, engine, before);
    runner.junctions.prepare(graph, check.layout());
    engine.closeAlso(runner); // First: what one worker has opened is closed if another cannot.
    engine.eachWorker(runner::wire);
    runner.wireStages(check);
    engine.source(runner);
    return runner;
  }

  /** Puts the graph on a worker that does not run yet. */
  private synchronized void wire(Worker worker) {
    EngineCheck check = new EngineCheck(graph, engine);
    check.require();
    junctions.join(check.layout(), worker.id());
    Replica replica = replica(worker);
    junctions.brings(worker.id(), true);
    Map<String, RunningElement> prepared = Map.of();
    try {
      prepared = replica.prepare(check.on(worker.id()));
      replica.change(prepared, check.edgesOn(worker.id()));
    } catch (Throwable e) {
      replica.abandon(prepared, e);
      junctions.withdraw(worker.id());
      junctions.brings(worker.id(), false);
      throw e;
    }
    worker.task(replica);
    layout = check.layout();
    replicas.values().stream()
        .filter(other -> !other.hasEnded())
        .forEach(other -> other.host().worker().submit(other::watch));
    Replica unwired = replicas.put(worker.id(), replica);
    if (unwired != null) { // A worker of this number was wired before, and never ran.
      close(unwired.elements().values());
    }
  }

  /** Makes what is left to the engine, and gives it to workers, which do not run yet. */
  private synchronized void wireStages(EngineCheck check) {
    List<Replica> stages = new ArrayList<>();
    for (int id : check.layout().stages()) {
      Replica stage = stage(id);
      Map<String, RunningElement> prepared = stage.prepare(check.on(id));
      replicas.put(id, stage); // What it has opened is closed with the others'.
      List<RunningElement> _ = stage.change(prepared, check.edgesOn(id));
      stages.add(stage);
    }
    junctions.hasStages(!stages.isEmpty());
    freeStages.place(stages);
    if (!stages.isEmpty()) {
      engine.drivers().movable(this::movable);
    }
  }

  private Replica stage(int id) {
    FreeStage worker = new FreeStage(engine);
    return replica(
        new ReplicaHost(
            worker,
            id,
            engine.config().rxBurst(),
            0,
            engine.drivers().pools(),
            worker.resources(),
            pool,
            EpochClock.SYSTEM,
            System::nanoTime,
            junctions));
  }

  /**
   * Has another worker run a stage that is left to the engine ({@link GraphBuilder#anywhere}), from
   * between two of its rounds on: its elements stay the same, what waits in its queues stays there,
   * and nothing is lost or overtaken.
   *
   * <p>It stays there until it is moved again, or given back to the balancer, which otherwise moves
   * stages by what they take.
   *
   * @param element of the stage
   * @param worker its number; {@link PlacedElement#ANYWHERE}: the balancer may move it again
   * @throws ConfigException if the element is in no such stage, or there is no such worker
   * @throws IllegalStateException if a worker does not answer, because one of its elements does not
   *     return: the stage moves when that does
   */
  public void move(String element, int worker) {
    Replica stage = freeStages.of(element);
    FreeStage free = stage.freeStage();
    if (worker == PlacedElement.ANYWHERE) {
      free.isFixed(false);
      free.reason("given back to the balancer");
      return;
    }
    freeStages.worker(worker);
    free.isFixed(true);
    if (!stage.await(move(stage, worker, BY_HAND)) && stage.worker() == worker) {
      free.reason(BY_HAND);
    }
  }

  /** Returns whether it has moved, when that is known: see {@link FreeStages#move}. */
  CompletableFuture<Boolean> move(Replica stage, int worker, String reason) {
    long startNs = System.nanoTime();
    String text = "stage moved: stage=%s, worker=%d".formatted(FreeStages.name(stage), worker);
    return freeStages
        .move(stage, freeStages.worker(worker), reason)
        .thenApply(hasMoved -> {
          if (hasMoved) {
            engine.changes().add("graph", text, startNs);
          }
          return hasMoved;
        });
  }

  private List<MovableWork> movable() {
    return freeStages.movable().stream()
        .map(stage -> (MovableWork) new BalancedStage(this, stage))
        .toList();
  }

  private void close(Collection<RunningElement> elements) {
    elements.forEach(element -> element.close(engine.drivers()::failed));
  }

  private Map<Replica, Map<String, RunningElement>> prepare(EngineCheck check) {
    Map<String, Junction> before = junctions.snapshot();
    junctions.prepare(check.graph(), check.layout());
    Map<Replica, Map<String, RunningElement>> prepared = new LinkedHashMap<>();
    try {
      for (Replica replica : replicas.values()) {
        if (!replica.hasEnded()) {
          prepared.put(replica, replica.prepare(check.on(replica.host().id())));
        }
      }
    } catch (Throwable e) {
      prepared.forEach((replica, elements) -> replica.abandon(elements, e));
      junctions.restore(before);
      throw e;
    }
    return prepared;
  }

  /**
   * The graph that runs now; on a worker whose element does not return, as soon as it does: see
   * {@link #change}.
   */
  public Graph graph() {
    return graph;
  }

  /** What each element has done with packets, all workers together. */
  public Map<String, ElementCounts> counts() {
    Map<String, ElementCounts> counts = new LinkedHashMap<>();
    for (PlacedElement placed : graph.elements()) {
      counts.put(placed.name(), ElementCounts.NONE);
    }
    for (Replica replica : replicas.values()) {
      replica.counts().forEach((name, some) -> counts.merge(name, some, ElementCounts::plus));
    }
    return counts;
  }

  /** What an element has done with packets, all workers together. */
  public ElementCounts counts(String element) {
    ElementCounts counts = counts().get(element);
    if (counts == null) {
      throw values.noSuchElement(element);
    }
    return counts;
  }

  /** What passed each edge, all workers together. */
  public List<EdgeCounts> edges() {
    List<EdgeCounts> counts = new ArrayList<>();
    for (Edge edge : graph.edges()) {
      long packets = 0;
      long bytes = 0;
      long tokens = 0;
      for (Replica replica : replicas.values()) {
        PacketCounter counter = replica.counter(edge);
        packets += counter.packets();
        bytes += counter.bytes();
        tokens += replica.tokens(edge);
      }
      counts.add(new EdgeCounts(edge, packets, bytes, tokens));
    }
    return counts;
  }

  /** What the graph is made of. */
  @SuppressWarnings("ReferenceEquality") // An equal graph is described in the same words.
  public GraphDescription description() {
    Graph current = graph;
    Described known = described;
    if (known == null || known.graph() != current) {
      known = new Described(current, describe(current));
      described = known;
    }
    return known.description();
  }

  private GraphDescription describe(Graph current) {
    List<ElementDescription> elements = new ArrayList<>();
    for (PlacedElement placed : current.elements()) {
      elements.add(ElementDescription.of(placed, values.infos(placed.name())));
    }
    return new GraphDescription(elements, current.edges());
  }

  /**
   * Says which elements are on which worker, with which receive queues, what they hand on to whom,
   * and what they take of the worker's time: a line each, for people.
   */
  public synchronized String explain() {
    return new Explanation(graph, layout, replicas.values(), engine.queues()).text();
  }

  /** What elements and edges have counted. Also part of the samples of the engine. */
  @Override
  public void collect(SampleSink sink) {
    List<Replica> running =
        replicas.values().stream().filter(replica -> !replica.hasEnded()).toList();
    new GraphSamples(description(), counts(), edges(), running).collect(sink);
    GraphSamples.times(replicas.values(), sink);
  }

  /** What there is to read and write of an element. */
  public List<HandlerInfo> handlers(String element) {
    return values.handlers(element);
  }

  /**
   * Reads a value by its name, {@code element.handler}: between two bursts, on each worker that has
   * the element.
   *
   * @throws ConfigException if there is nothing of that name to read
   */
  public Reading read(String name) {
    return values.read(name);
  }

  /**
   * Writes a value by its name, {@code element.handler}: between two bursts, on each worker that
   * has the element.
   *
   * @throws ConfigException if there is nothing of that name to write, or it cannot have this value
   */
  public void write(String name, String value) {
    values.write(name, value);
  }

  /**
   * Lets packets take the edges of another graph from now on. Elements that both graphs have, under
   * the same name and equal, stay with their state; each worker changes between two bursts, so that
   * no packet is lost, duplicated or overtaken. When this returns, all workers have changed.
   *
   * @throws GraphException if anything is wrong with the graph: everything is said at once, and the
   *     old graph goes on
   * @throws IllegalStateException if a worker does not answer, because one of its elements does not
   *     return: the others have changed, and it does when that returns. Until then no other change
   *     is possible
   */
  public void change(Graph next) {
    long startNs = System.nanoTime();
    // While a worker is added, the engine has it and no element is on it yet.
    while (!engine.drivers().keepWorkers(() -> changeTo(next))) {
      LockSupport.parkNanos(RETRY_NS);
    }
    engine.changes().add("graph", next.elements().size() + " elements", startNs);
  }

  /**
   * Lets packets take the edges of a graph that is made of the one which runs now: changes of
   * several threads follow each other, and none undoes another.
   *
   * @param edit makes the next graph of the one that runs
   * @throws GraphException as {@link #change}
   */
  public void edit(UnaryOperator<Graph> edit) {
    synchronized (editing) {
      change(edit.apply(graph));
    }
  }

  /** Whether it is done: not while a worker that retires has not ended. */
  private synchronized boolean changeTo(Graph next) {
    finishChange();
    EngineCheck check = new EngineCheck(next, engine);
    for (Replica replica : replicas.values()) {
      boolean isStage = replica.isStage();
      if (!isStage && !replica.hasEnded() && !check.workers().contains(replica.host().id())) {
        return false;
      }
    }
    new ChangeCheck(check, graph, layout).run();
    check.require();
    Map<Replica, Map<String, RunningElement>> prepared = prepare(check);
    graph = next;
    layout = check.layout();
    prepared.forEach((replica, elements) -> {
      List<Edge> edges = check.edgesOn(replica.host().id());
      changing.put(replica, replica.submit(() -> replica.change(elements, edges)));
    });
    finishChange();
    return true;
  }

  /**
   * Waits until every worker has changed, and closes what was removed.
   *
   * @throws RuntimeException of the first worker that has not, when all were waited for
   */
  private void finishChange() {
    List<RuntimeException> late = new ArrayList<>();
    for (Replica replica : List.copyOf(changing.keySet())) {
      CompletableFuture<List<RunningElement>> done = Objects.requireNonNull(changing.get(replica));
      try {
        close(replica.await(done));
        changing.remove(replica);
      } catch (RuntimeException e) {
        late.add(e);
        if (done.isCompletedExceptionally()) {
          changing.remove(replica);
        }
      }
    }
    if (changing.isEmpty()) {
      junctions.keep(graph);
    }
    if (!late.isEmpty()) {
      throw late.getFirst();
    }
  }

  /**
   * Closes what elements have opened. The engine does so when it is closed.
   *
   * @throws IllegalStateException if some cannot be closed: the others are
   */
  @Override
  public synchronized void close() {
    ClosingSteps steps = new ClosingSteps("graph cannot be closed");
    for (CompletableFuture<List<RunningElement>> removed : changing.values()) {
      if (removed.isDone() && !removed.isCompletedExceptionally()) {
        removed.join().forEach(element -> element.close(steps::add));
      }
    }
    for (Replica replica : replicas.values()) {
      replica.elements().values().forEach(element -> element.close(steps::add));
    }
    steps.end();
  }

  private record Described(Graph graph, GraphDescription description) {}
}
