package io.linerate.driver.linux;

import io.linerate.core.driver.PacketPool;
import io.linerate.core.memory.LinkType;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.FlowSteering;
import io.linerate.core.port.PortProperties;
import io.linerate.core.port.PortRequest;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.SteeringRule;
import io.linerate.core.port.SteeringTable;
import io.linerate.core.port.TxQueue;
import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A port that is opened again when its interface has gone and come back ({@code reopen=on}): a
 * module that was loaded anew, a container that was started again. Meanwhile it receives nothing,
 * and what it is to send is dropped as {@code tx_link_down}.
 *
 * <p>Its queues stand before those of the port that there is now. Whoever uses one holds its lock,
 * and so does the thread that takes the port away from it, so that no closed port is used.
 */
public final class ReopeningPort implements DriverPort {
  private static final System.Logger LOG = System.getLogger(ReopeningPort.class.getName());

  /** Between two attempts. */
  private static final long RETRY_MS = 100;

  /** After one that found an interface with too few queues. */
  private static final long SLOW_RETRY_MS = 10_000;

  private final Supplier<DriverPort> opener;
  private final PortProperties properties;
  private final Set<LinkType> linkTypes;
  private final Set<LinkType> transmitted;
  private long retryMs; // Of the one thread that opens.
  private final List<ReopeningRxQueue> rxQueues;
  private final List<ReopeningTxQueue> txQueues;

  private final @Nullable SteeringTable steering;

  // Guarded by this.
  private @Nullable DriverPort current;
  private @Nullable DriverPort closing;
  private @Nullable Thread reopener;
  private List<SteeringRule> rules = List.of();
  private PortStatistics before = PortStatistics.NONE;
  private long reopened;
  private boolean hasStarted;
  private boolean isClosed;

  private ReopeningPort(PortRequest request, Supplier<DriverPort> opener) {
    this.opener = opener;
    DriverPort first = opener.get();
    current = first;
    properties = first.properties();
    linkTypes = first.linkTypes();
    transmitted =
        linkTypes.stream().filter(first::transmits).collect(Collectors.toUnmodifiableSet());
    rxQueues =
        IntStream.range(0, first.rxQueues()).mapToObj(_ -> new ReopeningRxQueue(this)).toList();
    txQueues =
        IntStream.range(0, first.txQueues())
            .mapToObj(_ -> new ReopeningTxQueue(this, request.pools()))
            .toList();
    attach(first);
    steering =
        first.steering() == null
            ? null
            : new SteeringTable(request.name(), rxQueues.size(), this::steer);
  }

  /**
   * Opens a port.
   *
   * @param isReopened whether it is to be opened again when its interface has gone
   * @param opener opens it, each time
   */
  public static DriverPort open(
      PortRequest request, boolean isReopened, Supplier<DriverPort> opener) {
    return isReopened ? new ReopeningPort(request, opener) : opener.get();
  }

  private void attach(DriverPort port) {
    for (int i = 0; i < rxQueues.size(); i++) {
      rxQueues.get(i).attach(port, port.rxQueue(i));
    }
    for (int i = 0; i < txQueues.size(); i++) {
      txQueues.get(i).attach(port, port.txQueue(i));
    }
  }

  @Override
  public PortProperties properties() {
    return properties;
  }

  @Override
  public Set<LinkType> linkTypes() {
    return linkTypes;
  }

  @Override
  public boolean transmits(LinkType type) {
    return transmitted.contains(type);
  }

  @Override
  public RxQueue rxQueue(int index) {
    return rxQueues.get(index);
  }

  @Override
  public TxQueue txQueue(int index) {
    return txQueues.get(index);
  }

  @Override
  public @Nullable FlowSteering steering() {
    return steering;
  }

  /** A port that is opened again has the rules that this one has by then. */
  private synchronized void steer(List<SteeringRule> wanted) {
    if (current != null) {
      steer(current, wanted);
    }
    rules = wanted;
  }

  private static void steer(DriverPort port, List<SteeringRule> wanted) {
    FlowSteering its = port.steering();
    if (its != null) {
      its.rules().stream().filter(rule -> !wanted.contains(rule)).forEach(its::remove);
      wanted.stream().filter(rule -> !its.rules().contains(rule)).forEach(its::add);
    }
  }

  @Override
  public synchronized @Nullable PacketPool pool() {
    return current == null ? null : current.pool();
  }

  @Override
  public synchronized void start() {
    hasStarted = true;
    if (current != null) {
      current.start();
    }
  }

  @Override
  public boolean hasLink() {
    return true;
  }

  /** Looks, too, whether the interface is still the one that was opened. */
  @Override
  public boolean isLinkUp() {
    DriverPort port;
    synchronized (this) {
      port = current;
    }
    if (port == null) {
      return false;
    }
    boolean isUp = port.isLinkUp();
    if (!isUp && port instanceof LinuxPort<?, ?> own && own.isGone()) {
      lost(port, "the interface was deleted");
    }
    return isUp;
  }

  /**
   * A queue of {@code port} has failed: it is opened again. Any thread, also with a queue's lock.
   */
  @SuppressWarnings("ReferenceEquality")
  void lost(@Nullable DriverPort port, String reason) {
    synchronized (this) {
      if (current == null || current != port || isClosed) {
        return; // Another has said so before.
      }
      current = null;
      closing = port;
      reopener = Thread.ofPlatform().daemon().name("reopen-" + name()).start(() -> reopen(port));
    }
    LOG.log(
        Level.WARNING,
        "port is gone, and opened again when it is back: port={0}, address={1}, reason={2}",
        name(),
        address(),
        reason.replaceFirst("; .*", "")); // What to do is done.
  }

  private void reopen(DriverPort lost) {
    retryMs = RETRY_MS;
    rxQueues.forEach(ReopeningRxQueue::detach);
    txQueues.forEach(ReopeningTxQueue::detach);
    close(lost);
    txQueues.forEach(ReopeningTxQueue::settle);
    synchronized (this) {
      before = sum(before, lost.statistics());
      closing = null;
    }
    while (pause()) {
      DriverPort next = tryOpen();
      if (next != null && begin(next)) {
        return;
      }
    }
  }

  private static void close(DriverPort lost) {
    try {
      lost.close();
    } catch (RuntimeException e) { // It is closed since it does not work.
      LOG.log(Level.DEBUG, "port that is gone cannot be closed in order", e);
    }
  }

  /** Waits a little; returns whether the port is still wanted. */
  private boolean pause() {
    try {
      for (long leftMs = retryMs; leftMs > 0 && isWanted(); leftMs -= RETRY_MS) {
        Thread.sleep(RETRY_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    return isWanted();
  }

  private synchronized boolean isWanted() {
    return !isClosed;
  }

  private @Nullable DriverPort tryOpen() {
    DriverPort next;
    try {
      next = opener.get();
    } catch (RuntimeException e) { // It is not there, or down.
      LOG.log(Level.DEBUG, "port cannot be opened again yet", e);
      return null;
    }
    if (next.rxQueues() < rxQueues.size() || next.txQueues() < txQueues.size()) {
      retryMs = SLOW_RETRY_MS;
      LOG.log(
          Level.WARNING,
          "port has fewer queues than before, and is not opened again: port={0}, rxQueues={1}, txQueues={2}, before={3}, {4}; give it as many (ethtool -L)",
          name(),
          next.rxQueues(),
          next.txQueues(),
          rxQueues.size(),
          txQueues.size());
      close(next);
      return null;
    }
    if (!linkTypes.containsAll(next.linkTypes())) {
      retryMs = SLOW_RETRY_MS;
      LOG.log(
          Level.WARNING,
          "port has packets of another link type than before, and is not opened again: port={0}, linktype={1}, before={2}; start the program again",
          name(),
          LinkType.text(next.linkTypes()),
          LinkType.text(linkTypes));
      close(next);
      return null;
    }
    return next;
  }

  /** Starts it, if need be, before any worker sees it. */
  private boolean begin(DriverPort next) {
    boolean isStarted = false;
    try {
      synchronized (this) {
        if (!isClosed) {
          steer(next, rules);
          if (hasStarted) {
            next.start();
          }
          current = next;
          reopened++;
          attach(next);
          isStarted = true;
        }
      }
    } catch (RuntimeException e) { // Gone again.
      LOG.log(Level.DEBUG, "port cannot be started again yet", e);
    }
    if (isStarted) {
      LOG.log(Level.INFO, "port is open again: port={0}, address={1}", name(), address());
    } else {
      close(next);
    }
    return isStarted;
  }

  @Override
  public synchronized PortStatistics statistics() {
    DriverPort now = closing == null ? current : closing;
    PortStatistics all = now == null ? before : sum(before, now.statistics());
    return all.withExtended(Map.of("reopened", reopened));
  }

  /** Numbers are added; of flags, the later ones hold. */
  private static PortStatistics sum(PortStatistics a, PortStatistics b) {
    PortStatistics sum =
        new PortStatistics(
            a.rxPackets() + b.rxPackets(),
            a.rxBytes() + b.rxBytes(),
            a.txPackets() + b.txPackets(),
            a.txBytes() + b.txBytes(),
            a.missed() + b.missed(),
            a.noBuffers() + b.noBuffers(),
            a.errors() + b.errors(),
            a.extended());
    Map<String, Long> extended = new LinkedHashMap<>(a.extended());
    b.extended()
        .forEach((name, value) ->
            extended.merge(
                name, value, (x, y) -> PortStatistics.isFlag(name) ? y : Long.valueOf(x + y)));
    return sum.withExtended(extended);
  }

  @Override
  public void close() {
    Thread opening;
    synchronized (this) {
      isClosed = true;
      opening = reopener;
    }
    await(opening);
    if (steering != null) {
      steering.close();
    }
    DriverPort last;
    synchronized (this) {
      last = current;
    }
    if (last != null) {
      last.close();
    }
  }

  /** What is closed or opened just now uses memory that ends with the engine. */
  private static void await(@Nullable Thread thread) {
    boolean isInterrupted = false;
    while (thread != null && thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
