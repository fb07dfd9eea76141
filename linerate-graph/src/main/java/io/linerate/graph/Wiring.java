package io.linerate.graph;

import io.linerate.core.config.ConfigException;
import io.linerate.core.driver.SpscRing;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.HeldPackets;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an element is given when it is opened on a worker: its outputs, packets, time; and where it
 * registers what it does. Everything that it registers is called on the worker's thread, one thing
 * at a time, so that an element's state needs no locks. When the element's method {@code open} has
 * returned, nothing more can be registered.
 */
public final class Wiring {
  /** The default reason for packets that are sent to an output that leads nowhere. */
  public static final DropReason UNCONNECTED = DropReason.named("unconnected");

  /**
   * Bursts that a queue has room for when it holds back: elements before it may make more of one.
   */
  private static final int MARGIN_BURSTS = 4;

  private static final Pattern HANDLER = Pattern.compile("[a-z][a-z0-9_]*");

  private final RunningElement element;
  private final Shape shape;

  /** The thread that may register something; null when all is registered. */
  private @Nullable Thread opening = Thread.currentThread();

  Wiring(RunningElement element, Shape shape) {
    this.element = element;
    this.shape = shape;
  }

  /** From now on nothing can be registered. */
  void complete() {
    opening = null;
  }

  /** The element while it is opened, and only then. */
  @SuppressWarnings("ReferenceEquality") // A thread is itself only.
  private RunningElement opened() {
    if (Thread.currentThread() != opening) {
      throw new IllegalStateException(
          "element is wired already: element=%s; register and make everything in its method open, on the thread that calls it"
              .formatted(element.name()));
    }
    return element;
  }

  /**
   * Says what is done with the bursts of an input: each packet is sent on, stored or dropped; what
   * is forgotten is dropped as {@code forgotten}. A handler that throws costs the packet that the
   * burst's loop is at, and is called again with the rest.
   */
  public void input(String name, BurstHandler handler) {
    requireInput(name, TokenType.PACKETS);
    opened().inlets.put(name, new Inlet(element, handler));
  }

  /**
   * Says what is done with each packet of an input: it is read, written, sent elsewhere, stored or
   * dropped; what is left goes {@code out}. Faster than {@link #input} where such elements follow
   * each other: one loop over a burst gives each packet to all of them in turn, so that an element
   * may see a packet before the element in front of it has seen the next. A handler that throws
   * costs the packet that it was given. What it sends by {@code out} itself may go on before or
   * behind what is left.
   *
   * @throws IllegalArgumentException if the output is another element's
   */
  @SuppressWarnings("ReferenceEquality") // An element is itself only.
  public void each(String input, Consumer<Packet> handler, Outlet out) {
    Objects.requireNonNull(handler, "handler");
    if (out.element() != element) {
      throw new IllegalArgumentException(
          "output is another element's: element=%s, port=%s; give one of wiring.output"
              .formatted(element.name(), out.name()));
    }
    input(input, new PacketByPacket(handler, out, element));
  }

  private void requireInput(String name, TokenType type) {
    ElementPort port = shape.findInput(name).orElseThrow(() -> missing("input", name));
    if (!port.type().equals(type)) {
      throw otherType("input", port, type);
    }
  }

  private IllegalArgumentException otherType(String what, ElementPort port, TokenType type) {
    return new IllegalArgumentException(
        "%s is of another type: element=%s, class=%s, port=%s, type=%s, declared=%s; use one type in its shape and here"
            .formatted(
                what,
                element.name(),
                element.placed().element().getClass().getName(),
                port.name(),
                type,
                port.type()));
  }

  /**
   * Says what is done with each token of an input that takes {@code long}. A handler that throws
   * costs the token that it was given.
   */
  public void longs(String input, LongConsumer handler) {
    Objects.requireNonNull(handler, "handler");
    linkLongs(input, _ -> handler);
  }

  /** As {@link #longs}, of a handler that hands tokens on. */
  public void linkLongs(String input, Linking<? extends LongConsumer> linking) {
    requireInput(input, TokenType.LONGS);
    opened().tokens.input(input, TokenType.LONGS, linking);
  }

  /** As {@link #longs}, of an input that takes {@code double}. */
  public void doubles(String input, DoubleConsumer handler) {
    Objects.requireNonNull(handler, "handler");
    linkDoubles(input, _ -> handler);
  }

  /** As {@link #doubles}, of a handler that hands tokens on. */
  public void linkDoubles(String input, Linking<? extends DoubleConsumer> linking) {
    requireInput(input, TokenType.DOUBLES);
    opened().tokens.input(input, TokenType.DOUBLES, linking);
  }

  /** As {@link #longs}, of an input that takes objects of a class. */
  public <T> void objects(String input, Class<T> type, Consumer<? super T> handler) {
    Objects.requireNonNull(handler, "handler");
    linkObjects(input, type, _ -> handler);
  }

  /** As {@link #objects}, of a handler that hands tokens on. */
  public <T> void linkObjects(
      String input, Class<T> type, Linking<? extends Consumer<? super T>> linking) {
    requireInput(input, TokenType.of(type));
    opened().tokens.input(input, TokenType.of(type), linking);
  }

  /**
   * Says that one token is made of each of an input, or none, and leaves by an output. Where such
   * elements follow each other, one method does for all.
   */
  public void step(String input, TokenStep step, String output) {
    ElementPort in = shape.findInput(input).orElseThrow(() -> missing("input", input));
    ElementPort out = shape.findOutput(output).orElseThrow(() -> missing("output", output));
    requireCarrier("input", in, step.in());
    requireCarrier("output", out, step.passed());
    opened().tokens.step(input, in.type(), step, output);
  }

  private void requireCarrier(String what, ElementPort port, Class<?> carrier) {
    TokenType type = port.type();
    Class<?> declared = type.carrier().isPrimitive() ? type.carrier() : Object.class;
    if (type.isPackets() || !declared.equals(carrier)) {
      throw otherType(what, port, TokenType.of(carrier));
    }
  }

  /**
   * As {@link #each}, of a handler that hands tokens on: it may read and write the packet, send it
   * elsewhere, store or drop it.
   */
  public void linkEach(String input, Linking<? extends Consumer<Packet>> linking, Outlet out) {
    RunningElement owner = opened();
    each(input, _ -> {}, out);
    owner.tokens.link(links ->
        owner.replace(
            input, new PacketByPacket(owner.untilStopped(linking.link(links)), out, owner)));
  }

  /** As {@link #onRound}, of a round that hands tokens on. */
  public void linkRound(Linking<? extends Round> linking) {
    opened().linkRound(linking);
  }

  /** Counts tokens of this element that are dropped. */
  public void dropToken(DropReason reason) {
    element.replica().host().owner().require();
    element.tokens.drops().add(reason, 1);
  }

  /** Ends the program, which has failed then: its summary says why. */
  public void stop(Throwable why) {
    element.stop(why);
  }

  /**
   * Ends the program, which cannot go on and has failed then, but for no bug: a peer is gone. Its
   * summary says the message of {@code why} alone.
   */
  public void giveUp(Throwable why) {
    element.replica().host().worker().giveUp(why);
  }

  /** What has failed the program, if anything has: {@link #stop}, a port, a worker. Any thread. */
  public Optional<Throwable> failure() {
    return element.replica().host().worker().failure();
  }

  /**
   * Is called when a handler of tokens, or of single packets as {@link #each} has, has thrown: it
   * has cost what it was given, and is counted and logged by then.
   */
  public void onFailure(Consumer<Throwable> action) {
    opened().failureAction(action);
  }

  /**
   * In place of {@link #onFailure}: what a handler of tokens, or of single packets, throws ends the
   * program as {@link #stop(Throwable)} does. Tokens that come to the element afterwards, until its
   * worker ends, are dropped as {@code stopped}, and so are packets of {@link #linkEach}.
   */
  public void stopOnFailure() {
    opened().stopsOnFailure();
  }

  /**
   * Whether a queue is nearly full that what the element sends comes to next: a source waits while
   * it is.
   */
  public boolean isHeldBack() {
    return element.isHeldBack();
  }

  /**
   * Whether {@link #isHeldBack} is to be asked before each token: a queue that holds back has some
   * room, which other elements need not have.
   */
  public boolean isToAskForEach() {
    return element.isToAskForEach();
  }

  /**
   * What brings tokens to this element waits while {@code isFull}: a source, a port, a queue. What
   * a handler is given all the same it takes, or drops and counts.
   */
  public void holdBack(BooleanSupplier isFull) {
    if (!shape.isHolding()) {
      throw missing("store that holds back", "none");
    }
    opened().brakes.add(isFull::getAsBoolean);
  }

  /** Ends the program, which has done what it was to do. */
  public void stop() {
    element.replica().host().worker().stop();
  }

  /** An output. */
  public Outlet output(String name) {
    Outlet outlet = opened().outlets.get(name);
    if (outlet == null) {
      throw missing("output", name);
    }
    return outlet;
  }

  /** An optional output, and the reason for which packets are dropped when it leads nowhere. */
  public Outlet output(String name, DropReason whenUnconnected) {
    return output(name).whenUnconnected(whenUnconnected);
  }

  /** Says what is done with the bursts that a port of the engine receives. */
  public void receive(String port, BurstHandler handler) {
    if (!shape.receives().contains(port)) {
      throw missing("port to receive from", port);
    }
    opened().entry(port, handler);
  }

  /** Says that the bursts of an input are sent to a port of the engine. */
  public void transmit(String input, String port) {
    requireInput(input, TokenType.PACKETS);
    if (!shape.transmits().contains(port)) {
      throw missing("port to transmit to", port);
    }
    opened().transmit(input, port);
  }

  private IllegalArgumentException missing(String what, String name) {
    return new IllegalArgumentException(
        "element has no such %s: element=%s, class=%s, port=%s; name it in its shape"
            .formatted(
                what, element.name(), element.placed().element().getClass().getName(), name));
  }

  /** Number of the worker. */
  public int worker() {
    return element.replica().host().id();
  }

  /** Packets in a burst at most. */
  public int maxBurst() {
    return element.replica().host().maxBurst();
  }

  /** Room for packets that are kept in order, to be sent later. */
  public PacketQueue queue(int capacity) {
    PacketQueue queue = new PacketQueue(opened(), capacity);
    element.stores.add(queue);
    return queue;
  }

  /**
   * Room for packets that are kept one by one, to be read later and dropped, each when it is needed
   * no longer. It has an eighth of the worker's part of a port's buffers at most, so that packets
   * go on coming while it is full.
   *
   * @param most packets, 1 to 32,767
   */
  public HeldPackets hold(int most) {
    HeldStore store = new HeldStore(opened(), most);
    element.stores.add(store);
    onRound(store);
    return store.packets;
  }

  /** Room for packets that are kept together, to be read and sent later. */
  public PacketGroup group(int capacity) {
    return group(capacity, new AtomicInteger());
  }

  /**
   * As {@link #group(int)}.
   *
   * @param buffers how many the packets of all groups have that were made with it; it may be {@link
   *     #shared} by workers
   */
  public PacketGroup group(int capacity, AtomicInteger buffers) {
    PacketGroup group = new PacketGroup(opened(), capacity, buffers);
    element.stores.add(group);
    return group;
  }

  /**
   * Room for packets that may be on their way to another worker. Each side has what belongs to its
   * worker: on one that does not feed it nothing can be put in, on one that does not empty it
   * nothing comes out.
   *
   * @param capacity for each worker that feeds it
   * @param isLossless whether what feeds it waits while it is nearly full; if not, {@link
   *     Crossing#put} leaves packets in their burst then
   * @throws ConfigException if it is lossless and too small for that
   */
  public Crossing crossing(int capacity, boolean isLossless) {
    if (!shape.isCrossing()) {
      throw missing("crossing", "none");
    }
    int bursts = MARGIN_BURSTS * maxBurst();
    if (isLossless && capacity < bursts) {
      throw new ConfigException(
          "queue is too small to hold back what feeds it: element=%s, capacity=%d, rxburst=%d; give it %d or more, or let it drop: Queue.dropping(%d)"
              .formatted(element.name(), capacity, maxBurst(), bursts, capacity));
    }
    int margin = isLossless ? Math.max(bursts, capacity / 4) : 0;
    RunningElement owner = opened();
    Crossing crossing =
        junction(owner)
            .on(
                worker(),
                () -> new SpscRing(capacity, true),
                part -> new Crossing(owner, part, margin));
    element.stores.add(crossing);
    element.crossings.add(crossing);
    return crossing;
  }

  private static Junction junction(RunningElement owner) {
    return owner.replica().host().junctions().of(owner.name());
  }

  /**
   * Room for tokens that may be on their way to another worker, as {@link #crossing} for packets.
   *
   * @param capacity for each worker that feeds it
   */
  public TokenCrossing tokenCrossing(TokenType type, int capacity, Overflow overflow) {
    if (!shape.isCrossing()) {
      throw missing("crossing", "none");
    }
    boolean hasObjects = !type.carrier().isPrimitive();
    RunningElement owner = opened();
    TokenCrossing crossing =
        junction(owner)
            .on(
                worker(),
                () -> SpscRing.ofTokens(capacity, hasObjects, overflow == Overflow.KEEP_NEWEST),
                part -> new TokenCrossing(owner, part, Math.ceilDiv(capacity, 4), type, overflow));
    element.crossings.add(crossing);
    element.tokens.crossing(crossing);
    return crossing;
  }

  /**
   * What this element's copies on all workers have in common: the only thing that several threads
   * see, so that it must be safe for that, and as quick as the packets need it.
   *
   * @param first makes it; called once, and always for the same class
   */
  public <T> T shared(Supplier<T> first) {
    return opened().replica().host().junctions().commons().of(element.placed(), first);
  }

  /** Whether a queue that this element watches is filling up. */
  public Congestion congestion(String queue) {
    if (!shape.watches().contains(queue)) {
      throw missing("queue to watch", queue);
    }
    Congestion congestion = new Congestion(GraphPart.beside(element.name(), queue));
    opened().congestions.add(congestion);
    return congestion;
  }

  /**
   * Says that the element would leave TCP and UDP checksums to who transmits, by {@link
   * Packet#leaveChecksum}, which says whether it may: if all ports that the program sends to when
   * it starts finish them in a device or in the kernel.
   */
  public void leavesChecksums() {
    opened().replica().host().owner().wantToLeaveChecksums();
  }

  /**
   * Time for measuring durations, in ns from any origin: that of the burst or round that is being
   * worked on, so that it costs nothing to ask often.
   */
  public long nowNs() {
    return element.replica().nowNs();
  }

  /** Time since 1970, in ns: when the burst was received that is being worked on, or now. */
  public long epochNs() {
    return element.replica().receivedNs();
  }

  /** Does something once in each round of the worker: after each burst under load. */
  public void onRound(Round round) {
    opened().round(round);
  }

  /** Does something every {@code periodNs}. */
  public void every(long periodNs, Runnable action) {
    opened().round(new Timer(periodNs, this::nowNs, action));
  }

  /**
   * Is called when the element leaves a running graph, and when its worker ends: the last chance to
   * send what is stored. What is still stored afterwards is dropped as {@code stopped}. Also when a
   * receive queue leaves the worker, and when workers end that feed each other: the element goes on
   * then.
   */
  public void onLeave(Runnable action) {
    opened().leaving.add(action);
  }

  /**
   * As {@link #onLeave}, once, at the very last: what is kept until then is sent, such as results
   * of what has not ended.
   */
  public void onFinish(Runnable action) {
    opened().finishing.add(action);
  }

  /**
   * Is called once, on the worker's thread, when nothing comes to the element any more: it has left
   * the graph or its worker ends, and all have sent what they stored. What is stored here is still
   * there.
   */
  public void onEnd(Runnable action) {
    opened().ending.add(action);
  }

  /** Closes something when the element is needed no longer, on any thread. */
  public void onClose(AutoCloseable closeable) {
    opened().closing.add(closeable);
  }

  /** A number that grows, to be read by its name: those of all workers are added up. */
  public void count(String name, LongSupplier value) {
    handler(name, new Handler(ValueType.NUMBER, true, false, value::getAsLong, null));
  }

  /** As {@link #count}, of as many numbers as always: the first with the first, and so on. */
  public void counts(String name, Supplier<List<Long>> values) {
    handler(name, new Handler(ValueType.NUMBERS, true, false, values, null));
  }

  /** A value to be read by its name. It is read between two bursts, on the worker. */
  public <T> void read(String name, ValueType<T> type, Supplier<T> value) {
    handler(name, new Handler(type, false, false, value, null));
  }

  /**
   * As {@link #read}, of something that the workers have in common, as {@link #shared} makes it: it
   * is read on one of them.
   */
  public <T> void readShared(String name, ValueType<T> type, Supplier<T> value) {
    handler(name, new Handler(type, false, true, value, null));
  }

  /**
   * A value to be written by its name, between two bursts, on each worker.
   *
   * @param value throws {@link ConfigException} or {@link IllegalArgumentException} if the value
   *     cannot be: nothing changes then, and who writes it is told the message
   */
  public <T> void write(String name, ValueType<T> type, Consumer<T> value) {
    write(name, type, false, value);
  }

  /**
   * As {@link #write}, of something that the workers have in common, as {@link #shared} makes it:
   * it is written on one of them.
   */
  public <T> void writeShared(String name, ValueType<T> type, Consumer<T> value) {
    write(name, type, true, value);
  }

  private <T> void write(String name, ValueType<T> type, boolean isShared, Consumer<T> value) {
    handler(name, new Handler(type, false, isShared, null, text -> value.accept(type.parse(text))));
  }

  private void handler(String name, Handler handler) {
    if (!HANDLER.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "handler has a bad name: name=" + name + "; use lower case letters, digits and '_'");
    }
    opened().handlers.merge(name, handler, Wiring::both);
  }

  /** A value that can be read and written. */
  private static Handler both(Handler first, Handler second) {
    return new Handler(
        second.type(),
        first.isSum() || second.isSum(),
        first.isShared() && second.isShared(),
        either(second.reader(), first.reader()),
        either(second.writer(), first.writer()));
  }

  private static <T> @Nullable T either(@Nullable T first, @Nullable T second) {
    return first != null ? first : second;
  }
}
