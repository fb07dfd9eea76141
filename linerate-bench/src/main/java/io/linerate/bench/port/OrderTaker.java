package io.linerate.bench.port;

import com.sun.management.ThreadMXBean;
import io.linerate.bench.duel.Sample;
import io.linerate.core.port.Port;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Answers the harness: {@code measure MS} and {@code counts} on standard input, a {@link Sample} on
 * standard output.
 */
public final class OrderTaker {
  private static final String WORKER = "worker-";
  private static final String MEASURE = "measure ";

  /** What is done for an order to measure. */
  @FunctionalInterface
  public interface Slice {
    /**
     * Lets the program work.
     *
     * @param ms how long, unless the amount of work is given
     * @return how long it has taken, in ns
     */
    long run(int ms) throws InterruptedException;
  }

  private final LongSupplier received;
  private final LongSupplier sent;
  private final Slice slice;
  private final long startNs = System.nanoTime();

  /**
   * @param in where the program receives from
   * @param out where it transmits to
   */
  public OrderTaker(Port in, List<? extends Port> out) {
    this(
        () -> in.statistics().rxPackets(),
        () -> out.stream().mapToLong(port -> port.statistics().txPackets()).sum());
  }

  /**
   * @param received packets until now, asked by another thread
   * @param sent likewise
   */
  public OrderTaker(LongSupplier received, LongSupplier sent) {
    this(received, sent, OrderTaker::sleep);
  }

  /** As the other; with something else than time to measure by. */
  public OrderTaker(LongSupplier received, LongSupplier sent, Slice slice) {
    this.received = received;
    this.sent = sent;
    this.slice = slice;
  }

  private static long sleep(int ms) throws InterruptedException {
    long start = System.nanoTime();
    Thread.sleep(ms);
    return System.nanoTime() - start;
  }

  /**
   * Starts a loop over what lies in memory, as a worker, and answers how far it is. In the end
   * prints {@code "digest"}: asked only then, so that the compiler has seen nothing but the loop.
   *
   * @param done how many the loop has been through
   */
  public static void serve(Runnable loop, AtomicLong done, LongSupplier digest) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() ->
                System.out.println(
                    "{\"digest\":\"" + Long.toHexString(digest.getAsLong()) + "\"}")));
    new OrderTaker(done::get, () -> 0).start();
    Thread.ofPlatform().name(WORKER + 0).start(loop);
  }

  /** Ends this program at the end of its input: a server that takes no orders. */
  public static void endWithInput() {
    Thread.ofPlatform().daemon().name("parent").start(OrderTaker::awaitEnd);
  }

  private static void awaitEnd() {
    try {
      while (System.in.read() >= 0) {}
    } catch (IOException e) {
      System.err.println("bench: standard input cannot be read: error=" + e.getMessage());
    }
    System.exit(0);
  }

  /** Says that the program is ready, and answers from a thread of its own. */
  public void start() {
    Thread.ofPlatform().daemon().name("orders").start(this::serve);
  }

  private void serve() {
    System.out.println("ready");
    try (var orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = orders.readLine(); line != null; line = orders.readLine()) {
        System.out.println(answer(line));
      }
    } catch (IOException | InterruptedException e) {
      System.err.println("bench: orders cannot be read: " + e.getMessage());
    }
    System.exit(0);
  }

  private Sample answer(String order) throws InterruptedException {
    return order.startsWith(MEASURE)
        ? measure(Integer.parseInt(order.substring(MEASURE.length())))
        : sample(System.nanoTime() - startNs, received.getAsLong(), sent.getAsLong(), 0);
  }

  private Sample measure(int ms) throws InterruptedException {
    long heapBefore = workerHeapBytes();
    long sentBefore = sent.getAsLong();
    long before = received.getAsLong();
    long ns = slice.run(ms);
    long sentNow = sent.getAsLong() - sentBefore;
    long receivedNow = received.getAsLong() - before;
    return sample(ns, receivedNow, sentNow, workerHeapBytes() - heapBefore);
  }

  /** Ports do not count drops: what was received and not sent is dropped, or still on its way. */
  private static Sample sample(long ns, long received, long sent, long heapBytes) {
    return new Sample(ns, received, sent, Math.max(0, received - sent), heapBytes);
  }

  private static long workerHeapBytes() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long bytes = 0;
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith(WORKER)) {
        bytes += threads.getThreadAllocatedBytes(thread.threadId());
      }
    }
    return bytes;
  }
}
