package io.linerate.graph;

import io.linerate.core.config.ConfigException;
import io.linerate.core.driver.MappedFileFault;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropPlace;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import io.linerate.core.worker.HandlerGuard;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An element on one worker: its state, its counters and everything that it registered. */
final class RunningElement {
  /** What an element held when it left the graph or its worker ended, and did not send on. */
  static final DropReason STOPPED = DropReason.named("stopped");

  private final PlacedElement placed;
  private final Replica replica;
  private final DropCounts drops;
  private final HandlerGuard guard;
  private final PacketCounter made = new PacketCounter();
  private final PacketCounter noBuffers = new PacketCounter();
  private final ElementTime time = new ElementTime();

  /** Of its rounds. */
  final BurstTiming roundTiming;

  final Map<String, Inlet> inlets = new LinkedHashMap<>();

  /** Where bursts of ports come in, by the name of the port. */
  final Map<String, Inlet> entries = new LinkedHashMap<>();

  final Map<String, Outlet> outlets = new LinkedHashMap<>();

  final TokenPorts tokens;

  /** Told what handlers of single packets, and of tokens, have thrown. */
  private @Nullable Consumer<Throwable> failureAction;

  /** Whether what they throw ends the program. */
  private boolean stopsOnFailure;

  private boolean hasStopped;

  /** Inputs whose packets go to a port, and what that has refused of them. */
  private final List<PortOutput> portOutputs = new ArrayList<>();

  private record PortOutput(Inlet input, String port, DropCounts refused) {}

  final List<PacketStore> stores = new ArrayList<>();
  final List<QueueSide> crossings = new ArrayList<>();
  final List<Congestion> congestions = new ArrayList<>();
  final List<Round> rounds = new ArrayList<>();
  final List<Runnable> leaving = new ArrayList<>();
  final List<Runnable> finishing = new ArrayList<>();
  final List<Runnable> ending = new ArrayList<>();
  final List<AutoCloseable> closing = new ArrayList<>();
  final Map<String, Handler> handlers = new LinkedHashMap<>();

  /** What holds back those who bring it tokens, beside its crossings. */
  final List<Brake> brakes = new ArrayList<>();

  /** Of what it sends to next, and that holds it back when it is nearly full. */
  private Brake[] ahead = new Brake[0];

  private boolean isToAskForEach;

  /** The outputs again: the iterator of a map is an object. */
  private Outlet[] outletArray = new Outlet[0];

  private boolean hasSent;

  /**
   * What one of its handlers was given last, and where it has pushed that. Nearly always the same
   * as the time before: what need not be written is not, since the collector is told of each
   * reference.
   */
  private @Nullable Burst handled;

  private @Nullable Outlet pushedTo;

  /** Whether the handler has not returned yet. */
  private boolean isHandling;

  private boolean hasPushed;

  /** Whose packets were looked at, since what was sent was handed on. */
  private @Nullable PacketGroup read;

  /** Nothing can be stored or sent here any more: nobody would ever take it. */
  private boolean hasLeft;

  RunningElement(PlacedElement placed, Replica replica) {
    this.placed = placed;
    this.replica = replica;
    tokens = new TokenPorts(this);
    roundTiming = new BurstTiming(replica.timer());
    drops = new DropCounts(replica.host().drops(), new DropPlace(placed.name(), ""));
    guard =
        new HandlerGuard(
            replica.host().owner(),
            replica.host().resources().failures(),
            "element=" + name(),
            () -> "element failed: element=" + name() + ", worker=" + replica.worker());
  }

  private static boolean sendsPacketsOfTokens(Shape shape) {
    return shape.inputs().stream().anyMatch(port -> !port.type().isPackets())
        && shape.outputs().stream().anyMatch(port -> port.type().isPackets());
  }

  /** What handlers of tokens have sent leaves in each round: nobody else knows of it. */
  private static final class FlushRound implements Round {
    @Override
    public int run() {
      return 0;
    }

    @Override
    public long restNs(Runnable wake) {
      return Long.MAX_VALUE;
    }
  }

  /** Makes the element's state. */
  void open() {
    Shape shape = placed.element().shape();
    for (ElementPort port : shape.outputs()) {
      if (port.type().isPackets()) {
        outlets.put(port.name(), new Outlet(this, port.name(), Wiring.UNCONNECTED));
      } else {
        tokens.output(port);
      }
    }
    Wiring wiring = new Wiring(this, shape);
    placed.element().open(wiring);
    wiring.complete();
    if (rounds.isEmpty() && sendsPacketsOfTokens(shape)) {
      rounds.add(new FlushRound());
    }
    outletArray = outlets.values().toArray(new Outlet[0]);
    for (ElementPort port : shape.inputs()) {
      if (!inlets.containsKey(port.name()) && !tokens.hasInput(port.name())) {
        throw new IllegalStateException(
            "element does not handle an input: element=%s, class=%s, port=%s; call wiring.input in its method open"
                .formatted(name(), placed.element().getClass().getName(), port.name()));
      }
    }
  }

  String name() {
    return placed.name();
  }

  PlacedElement placed() {
    return placed;
  }

  Replica replica() {
    return replica;
  }

  DropCounts drops() {
    return drops;
  }

  ElementTime time() {
    return time;
  }

  PacketCounter noBuffers() {
    return noBuffers;
  }

  /** Another handler does the work of an input of packets from now on. */
  void replace(String input, BurstHandler handler) {
    Objects.requireNonNull(inlets.get(input), input).replace(handler);
  }

  void failureAction(Consumer<Throwable> action) {
    failureAction = action;
  }

  /**
   * A handler has thrown that was given a token: it costs that token.
   *
   * @throws Error as {@link #failedAt}
   */
  void tokenFailed(Throwable e) {
    throwIfMore(e);
    tokens.drops().add(DropReason.HANDLER_ERROR, 1);
    failed(e);
  }

  /** The program ends when a handler has thrown. */
  void stopsOnFailure() {
    stopsOnFailure = true;
  }

  /** Drops what comes once that has happened. */
  Consumer<Packet> untilStopped(Consumer<Packet> handler) {
    if (!stopsOnFailure) {
      return handler;
    }
    return packet -> {
      if (hasStopped) {
        packet.drop(STOPPED);
      } else {
        handler.accept(packet);
      }
    };
  }

  /** Ends the program, which has failed. */
  void stop(Throwable why) {
    replica.host().worker().stop("element has stopped the program: element=" + name(), why);
  }

  private void failed(Throwable e) {
    if (stopsOnFailure) {
      guard.addLogged(e);
      hasStopped = true;
      tokens.stop();
      stop(e);
      return;
    }
    guard.add(e);
    if (failureAction == null) {
      return;
    }
    try {
      failureAction.accept(e);
    } catch (Throwable again) { // It is this element's, and no fault of what gave it the token.
      guard.add(again);
    }
  }

  /** Does something in each round. */
  void round(Round round) {
    rounds.add(round);
  }

  /** Does something in each round, with tokens. */
  void linkRound(Linking<? extends Round> linking) {
    int index = rounds.size();
    rounds.add(() -> 0);
    tokens.link(links -> rounds.set(index, LinkedRound.of(linking.link(links))));
  }

  /** Bursts of a port come to the element. */
  void entry(String port, BurstHandler handler) {
    entries.put(port, new Inlet(this, handler));
  }

  /** What comes to an input goes to a port. */
  void transmit(String input, String port) {
    Inlet inlet = new Inlet(this, _ -> {});
    inlets.put(input, inlet);
    portOutputs.add(
        new PortOutput(inlet, port, new DropCounts(drops, new DropPlace(name(), port))));
  }

  /** Receives from its ports, and sends to them. Between two bursts only. */
  void connectPorts() {
    HostWorker worker = replica.host().worker();
    entries.forEach(worker::receive);
    portOutputs.forEach(to -> to.input.replace(worker.transmit(to.port, to.refused)));
  }

  HandlerGuard guard() {
    return guard;
  }

  /**
   * A handler that was given one packet has thrown: it costs that packet, if it is left.
   *
   * @throws Error what was thrown, if it costs the whole burst: a fault of a mapped file, after
   *     which nobody knows what the packets are; and the end of the stack, which may have come
   *     while the packet was being dropped
   */
  void failedAt(Packet packet, Throwable e) {
    throwIfMore(e);
    if (packet.isLive()) {
      packet.drop(DropReason.HANDLER_ERROR);
    }
    failed(e);
  }

  /** Throws what costs more than what a handler was given. */
  private void throwIfMore(Throwable e) {
    if (e instanceof StackOverflowError overflow) {
      throw overflow;
    }
    if (replica.host().owner().readsFiles()
        && e instanceof InternalError fault
        && MappedFileFault.is(fault)) {
      throw fault;
    }
  }

  void ahead(Brake[] brakesAhead) {
    ahead = brakesAhead;
    isToAskForEach = Arrays.stream(ahead).anyMatch(brake -> !(brake instanceof QueueSide));
  }

  /** Whether a queue is nearly full that its packets come to next, or the like. */
  boolean isHeldBack() {
    for (Brake brake : ahead) {
      if (brake.holdsBack()) {
        return true;
      }
    }
    return false;
  }

  /** Whether what holds it back is no queue, which has some room then. */
  boolean isToAskForEach() {
    return isToAskForEach;
  }

  /** Where its packets go, if it has but one output that leads anywhere. */
  @Nullable Inlet onlyTarget() {
    Inlet only = null;
    for (Outlet outlet : outletArray) {
      if (outlet.target() != null) {
        if (only != null) {
          return null;
        }
        only = outlet.target();
      }
    }
    return only;
  }

  /** What was sent is to be handed on. */
  void hasSent() {
    hasSent = true;
  }

  /** What was pushed goes before what is sent from now on. */
  void passPushed() {
    Outlet to = takePushed();
    if (to != null && handled != null) {
      to.pass(handled);
    }
  }

  private @Nullable Outlet takePushed() {
    if (!hasPushed) {
      return null;
    }
    hasPushed = false;
    return pushedTo;
  }

  /** One of its handlers is given a burst. */
  @SuppressWarnings("ReferenceEquality") // A burst is itself only.
  void begin(Burst burst) {
    if (handled != burst) {
      handled = burst;
    }
    isHandling = true;
    hasPushed = false;
  }

  /** It has returned: where the burst goes next. */
  @Nullable Outlet end() {
    isHandling = false;
    return takePushed();
  }

  boolean hasPushed() {
    return hasPushed;
  }

  /**
   * Whether a burst that is pushed goes on when the handler has returned that was given it: calls
   * that nest get too deep for the compiler.
   */
  @SuppressWarnings("ReferenceEquality") // Each is itself only.
  boolean goesOnLater(Burst burst, Outlet by) {
    if (!isHandling || handled != burst) {
      return false;
    }
    if (!hasPushed) {
      hasPushed = true;
      if (pushedTo != by) {
        pushedTo = by;
      }
    }
    return true;
  }

  /** Packets of a group are looked at, and may leave it. */
  void reads(PacketGroup group) {
    if (read != null) {
      read.resized();
    }
    read = group;
  }

  /** Hands on what the element has sent packet by packet. */
  void flush() {
    if (read != null) {
      read.resized();
      read = null;
    }
    if (hasSent) {
      hasSent = false;
      for (Outlet outlet : outletArray) {
        outlet.flush();
      }
    }
  }

  boolean make(MbufArray packets, int lengthBytes) {
    if (!replica.make(packets, lengthBytes)) {
      noBuffers.passed(1, 0);
      return false;
    }
    made.passed(1, lengthBytes);
    return true;
  }

  /** After a fault of a mapped file: what was sent of its burst cannot be trusted any more. */
  void discardSent() {
    for (Outlet outlet : outletArray) {
      outlet.discard(DropReason.HANDLER_ERROR);
    }
  }

  /** As {@link #flush}; what others throw that it sends to is counted and logged. */
  void flushGuarded() {
    try {
      flush();
    } catch (Throwable e) { // Of one that it sends to.
      guard.add(e);
    }
  }

  /** Does what another thread asks for, and hands on what is sent thereby. */
  <T> T answer(Supplier<T> question) {
    replica.timeHasPassed();
    try {
      return question.get();
    } finally {
      flushGuarded();
    }
  }

  /** Lets the element send what it holds, while its outputs lead where they led. */
  void leave() {
    runGuarded(leaving);
    flushGuarded();
  }

  /** As {@link #leave}, for the last time. */
  void finish() {
    runGuarded(leaving);
    runGuarded(finishing);
    finishing.clear();
    flushGuarded();
  }

  private void runGuarded(List<Runnable> actions) {
    for (Runnable action : actions) {
      try {
        action.run();
      } catch (Throwable e) { // The others are run all the same.
        guard.add(e);
      }
    }
  }

  /** Whether it is a queue, and what it sends leaves it here. */
  boolean isEmptiedHere() {
    for (QueueSide crossing : crossings) {
      if (crossing.empties()) {
        return true;
      }
    }
    return false;
  }

  boolean hasLeft() {
    return hasLeft;
  }

  /** Drops what the element still holds, and what another has sent by its outputs since. */
  void dropHeld() {
    runGuarded(ending);
    ending.clear();
    hasLeft = true;
    for (PacketStore store : stores) {
      store.dropAll(STOPPED);
    }
    for (Outlet outlet : outletArray) {
      outlet.discard(STOPPED);
      outlet.target(null);
    }
    tokens.dropHeld();
  }

  /**
   * Closes what the element has opened: each, whatever others throw.
   *
   * @param onFailure told what was not closed, and what it has thrown
   */
  void close(BiConsumer<String, Throwable> onFailure) {
    for (AutoCloseable closeable : closing) {
      try {
        closeable.close();
      } catch (Throwable e) { // Whatever it is, the others are closed.
        onFailure.accept(
            "element cannot be closed: element=%s, worker=%d".formatted(name(), replica.worker()),
            e);
      }
    }
    closing.clear();
  }

  /** What there is to read and write, with what every element has. */
  List<HandlerInfo> handlerInfos() {
    List<HandlerInfo> infos = new ArrayList<>();
    allHandlers()
        .forEach((name, handler) ->
            infos.add(
                new HandlerInfo(
                    name, handler.type(), handler.reader() != null, handler.writer() != null)));
    return infos;
  }

  private Map<String, Handler> allHandlers() {
    Map<String, Handler> all = new LinkedHashMap<>();
    number(all, "packets", ElementCounts::packetsIn);
    number(all, "bytes", ElementCounts::bytesIn);
    number(all, "packets_out", ElementCounts::packetsOut);
    number(all, "bytes_out", ElementCounts::bytesOut);
    number(all, "drops", ElementCounts::droppedTotal);
    number(all, "made", ElementCounts::made);
    number(all, "held", ElementCounts::held);
    number(all, "no_buffers", ElementCounts::noBuffers);
    all.putAll(handlers);
    return all;
  }

  private void number(Map<String, Handler> all, String name, ToLongFunction<ElementCounts> number) {
    Supplier<Long> reader = () -> number.applyAsLong(counts());
    all.put(name, new Handler(ValueType.NUMBER, true, false, reader, null));
  }

  Handler reader(String handler) {
    Handler found = allHandlers().get(handler);
    if (found == null || found.reader() == null) {
      throw noSuchHandler("read", handler, HandlerInfo::isReadable);
    }
    return found;
  }

  Handler writer(String handler) {
    Handler found = handlers.get(handler);
    if (found == null || found.writer() == null) {
      throw noSuchHandler("write", handler, HandlerInfo::isWritable);
    }
    return found;
  }

  private ConfigException noSuchHandler(
      String verb, String handler, Predicate<HandlerInfo> isPossible) {
    String there =
        handlerInfos().stream()
            .filter(isPossible)
            .map(HandlerInfo::name)
            .collect(Collectors.joining(", "));
    return new ConfigException(
        "element has no such value to %s: element=%s, handler=%s; it has %s"
            .formatted(verb, name(), handler, there.isEmpty() ? "none" : there));
  }

  /** What it has done with packets until now. Any thread. */
  ElementCounts counts() {
    long packetsIn = 0;
    long bytesIn = 0;
    for (Map<String, Inlet> some : List.of(inlets, entries)) {
      for (Inlet inlet : some.values()) {
        packetsIn += inlet.packets();
        bytesIn += inlet.bytes();
      }
    }
    long packetsOut = 0;
    long bytesOut = 0;
    for (Outlet outlet : outlets.values()) {
      packetsOut += outlet.counter().packets();
      bytesOut += outlet.counter().bytes();
    }
    for (PortOutput to : portOutputs) {
      packetsOut += to.input.packets() - to.refused.total();
      bytesOut += to.input.bytes();
    }
    long held = 0;
    for (PacketStore store : stores) {
      held += store.size();
    }
    return new ElementCounts(
        packetsIn,
        bytesIn,
        packetsOut,
        bytesOut,
        drops.byName(),
        made.packets(),
        held,
        noBuffers.packets(),
        tokens.counts());
  }
}
