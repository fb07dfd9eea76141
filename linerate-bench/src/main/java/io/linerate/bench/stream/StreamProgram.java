package io.linerate.bench.stream;

import io.linerate.bench.port.OrderTaker;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.port.Port;
import io.linerate.core.worker.Engine;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphBuilder;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.Node;
import io.linerate.graph.element.Discard;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.ToPort;
import io.linerate.stream.Bytes;
import io.linerate.stream.Source;
import io.linerate.stream.StreamBuilder;
import io.linerate.stream.Streams;
import io.linerate.stream.codec.AeadAlgorithm;
import io.linerate.stream.codec.Compression;
import io.linerate.stream.net.LinkKey;
import io.linerate.stream.net.PayloadCodec;
import io.linerate.stream.net.UdpIn;
import io.linerate.stream.net.UdpOut;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A program under measurement: a source of messages, which become datagrams, a sink of such, or
 * both. Arguments as {@code KEY=VALUE}, as those of stream.c: {@code side} ({@code source}, {@code
 * sink}, {@code both}, {@code place}, {@code copy}, {@code digest}), {@code work} ({@code seal},
 * {@code compress}, {@code plain}), {@code bytes}, {@code content}, {@code key}, {@code file},
 * {@code burst}, and {@code cpus}: that of each engine.
 */
public final class StreamProgram {
  private static final String FROM = "10.0.0.1:5000";
  private static final String TO = "10.0.0.2:5000";
  private static final int PORT = 5_000;
  private static final int LEVEL = 6;
  private static final int MOST_BYTES = 65_536;
  private static final int MTU = 9_216;

  /** Of a frame, beyond a message: headers, and the tag. */
  private static final int FRAME_BYTES = 58;

  private final List<String> arguments;
  private final int bytes;
  private final PayloadCodec codec;
  private final List<Counter> counters = new ArrayList<>();

  private StreamProgram(List<String> arguments) {
    this.arguments = arguments;
    bytes = Integer.parseInt(value("bytes"));
    codec =
        switch (value("work")) {
          case "seal" ->
              PayloadCodec.sealed(LinkKey.read(Path.of(value("key"))), AeadAlgorithm.AES_256_GCM);
          case "compress" -> PayloadCodec.compressed(Compression.DEFLATE, LEVEL);
          default -> PayloadCodec.plain();
        };
  }

  private String value(String key) {
    return arguments.stream()
        .filter(one -> one.startsWith(key + "="))
        .reduce((_, last) -> last)
        .map(one -> one.substring(key.length() + 1))
        .orElseThrow(() -> new IllegalArgumentException("no argument: name=" + key));
  }

  public static void main(String[] arguments) throws IOException {
    new StreamProgram(List.of(arguments)).run();
  }

  private void run() throws IOException {
    List<Integer> cpus = Stream.of(value("cpus").split(",", -1)).map(Integer::valueOf).toList();
    int burst = Integer.parseInt(value("burst"));
    EngineConfig config =
        EngineConfig.DEFAULT
            .withWorkers(cpus.size())
            .withCpus(cpus)
            .withIdle(Idle.BUSY_SPIN)
            .withMtu(MTU)
            .withRxBurst(burst)
            .withTxBurst(burst)
            .withFreeBurst(burst);
    String side = value("side");
    try (Engine engine = new Engine(config)) {
      switch (side) {
        case "source" -> source(engine, cpus.size());
        case "sink" -> sink(engine, cpus.size());
        case "both" -> both(engine, cpus.size());
        case "place", "copy" -> packets(engine, side.equals("copy"));
        default -> digest(engine);
      }
    }
  }

  private void serve(Engine engine) {
    new OrderTaker(this::done, () -> 0).start();
    System.err.print(engine.run());
  }

  private long done() {
    synchronized (counters) {
      return counters.stream().mapToLong(Counter::get).sum();
    }
  }

  private Counter counter() {
    Counter counter = new Counter();
    synchronized (counters) {
      counters.add(counter);
    }
    return counter;
  }

  // --- what is measured ---

  private void source(Engine engine, int engines) throws IOException {
    MemorySegment content = content();
    engine.port("out", "dpdk:net_null0");
    Graph graph =
        Streams.graph(s -> {
          Node out = s.graph().add("out", new UdpOut(FROM, TO, codec));
          s.objects(
                  "messages",
                  Bytes.class,
                  () -> new Cutter(content, bytes, counter(), false),
                  IntStream.range(0, engines).toArray())
              .to(out);
          s.graph().chain(out.out("out"), s.graph().add("to", new ToPort("out")));
        });
    GraphRunner _ = GraphRunner.install(graph, engine);
    serve(engine);
  }

  private MemorySegment content() throws IOException {
    try (FileChannel file = FileChannel.open(Path.of(value("content")), StandardOpenOption.READ)) {
      MemorySegment copy = Arena.global().allocate(file.size(), 64);
      file.read(copy.asByteBuffer());
      return copy;
    }
  }

  private void sink(Engine engine, int engines) {
    for (int i = 0; i < engines; i++) {
      engine.port("in" + i, "pcap:rx=" + value("file") + ",loop=forever");
    }
    Graph graph =
        Streams.graph(s -> {
          GraphBuilder g = s.graph();
          for (int i = 0; i < engines; i++) {
            Node from = g.add("from" + i, new FromPort("in" + i));
            g.on(i, from);
            receive(s, from, i);
          }
        });
    GraphRunner _ = GraphRunner.install(graph, engine);
    serve(engine);
  }

  private void receive(StreamBuilder s, Node from, int number) {
    GraphBuilder g = s.graph();
    Node in = g.add("in" + number, new UdpIn(PORT, codec, MOST_BYTES));
    g.chain(from, in.in("in"));
    g.chain(in.out("rest"), g.add("rest" + number, new Discard()));
    s.objects(in.out("out"), Bytes.class).sinkBy("sum" + number, () -> new Sum(counter()));
  }

  /** On each engine from one port of a wire to the other one. */
  private void both(Engine engine, int engines) throws IOException {
    MemorySegment content = content();
    for (int i = 0; i < engines; i++) {
      engine.port("out" + i, "ring:wire" + i + ",size=1024");
      engine.port("in" + i, "ring:wire" + i + ",size=1024");
    }
    Graph graph =
        Streams.graph(s -> {
          GraphBuilder g = s.graph();
          for (int i = 0; i < engines; i++) {
            Node out = g.add("out" + i, new UdpOut(FROM, TO, codec));
            s.objects(
                    "messages" + i,
                    Bytes.class,
                    () -> new Cutter(content, bytes, counter(), true),
                    i)
                .to(out);
            g.chain(out.out("out"), g.add("to" + i, new ToPort("out" + i)));
            Node from = g.add("from" + i, new FromPort("in" + i));
            g.on(i, from);
            receive(s, from, i);
          }
        });
    GraphRunner _ = GraphRunner.install(graph, engine);
    serve(engine);
  }

  /** Packets whose payloads are encrypted. */
  private void packets(Engine engine, boolean isCopied) {
    int frame = bytes + FRAME_BYTES;
    Port _ = engine.port("in", "bench:frame=%d,port=dpdk:net_null0,size=%1$d".formatted(frame));
    Graph graph =
        Graph.of(g ->
            g.chain(
                g.add("from", new FromPort("in")),
                g.add("seal", new Sealed(isCopied)),
                g.add("end", new Discard())));
    GraphRunner _ = GraphRunner.install(graph, engine);
    System.err.print(engine.run());
  }

  // --- whether it is right ---

  /** Of all messages of a capture, once, as stream.c has it. */
  private void digest(Engine engine) {
    engine.port("in", "pcap:rx=" + value("file"));
    long[] digest = new long[1];
    Graph graph =
        Streams.graph(s -> {
          GraphBuilder g = s.graph();
          Node in = g.add("in", new UdpIn(PORT, codec, MOST_BYTES));
          g.chain(g.add("from", new FromPort("in")), in.in("in"));
          g.chain(in.out("rest"), g.add("rest", new Discard()));
          s.objects(in.out("out"), Bytes.class)
              .sink("digest", message -> digest[0] = digest(digest[0], message));
        });
    GraphRunner _ = GraphRunner.install(graph, engine);
    engine.run();
    System.out.printf(Locale.ROOT, "{\"digest\":\"%x\"}%n", digest[0]);
  }

  private static long digest(long before, Bytes message) {
    long value = before * 31 + message.length();
    for (int i = 0; i < message.length(); i++) {
      value = value * 31 + message.u8(i);
    }
    return value;
  }

  /** What an engine has done, with nothing else on its cache line. */
  private static final class Counter {
    private static final int PLACE = 16;

    private final AtomicLongArray done = new AtomicLongArray(2 * PLACE);

    void set(long count) {
      done.setOpaque(PLACE, count);
    }

    /** And what was read meanwhile, so that it has to be. */
    void set(long count, long sum) {
      done.setPlain(PLACE + 1, sum);
      set(count);
    }

    long get() {
      return done.getOpaque(PLACE);
    }
  }

  /** Cuts messages from what there is, one behind the other. */
  private static final class Cutter implements Source<Consumer<Bytes>> {
    /** Messages in a round where what is sent has to be received before more is. */
    private static final int IN_TURN = 32;

    private final MemorySegment content;
    private final int bytes;
    private final Counter counter;
    private final boolean isInTurn;
    private final Bytes token = new Bytes();
    private long at;
    private long count;
    private int inTurn;

    Cutter(MemorySegment content, int bytes, Counter counter, boolean isInTurn) {
      this.content = content;
      this.bytes = bytes;
      this.counter = counter;
      this.isInTurn = isInTurn;
    }

    @Override
    public int poll(Consumer<Bytes> to, int max) {
      if (isInTurn && inTurn == IN_TURN) {
        inTurn = 0;
        return 0;
      }
      for (int i = 0; i < max; i++) {
        token.wrap(content, at, bytes);
        at += bytes;
        if (at + bytes > content.byteSize()) {
          at = 0;
        }
        to.accept(token);
      }
      inTurn += max;
      count += max;
      if (!isInTurn) {
        counter.set(count);
      }
      return max;
    }
  }

  /** Reads a part of each message, so that it has to be there. */
  private static final class Sum implements Consumer<Bytes> {
    private final Counter counter;
    private long count;
    private long sum;

    Sum(Counter counter) {
      this.counter = counter;
    }

    @Override
    public void accept(Bytes message) {
      sum += message.u64(0);
      counter.set(++count, sum);
    }
  }
}
