package io.linerate.testkit.graph;

import io.linerate.core.config.ConfigException;
import io.linerate.core.memory.LinkType;
import io.linerate.core.memory.Packet;
import io.linerate.graph.Edge;
import io.linerate.graph.Element;
import io.linerate.graph.ElementCounts;
import io.linerate.graph.ElementPort;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphBuilder;
import io.linerate.graph.GraphInvoker;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.Node;
import io.linerate.graph.Shape;
import io.linerate.graph.TokenType;
import io.linerate.graph.element.Discard;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.ToPort;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs one element, or a graph that is to be put into others, in a test, without ports, threads or
 * hardware: packets in, packets out, drops by reason, and a clock in the hands of the test.
 *
 * <pre>{@code
 * try (var harness = new ElementHarness(new MinLength(60))) {
 *   harness.push(new byte[59], new byte[60]);
 *   assertThat(harness.out("out")).containsExactly(new byte[60]);
 *   assertThat(harness.drops()).containsExactly(entry("too_short", 1L));
 * }
 * }</pre>
 *
 * What comes out is there as bytes, as frames that are expected, or one by one for views:
 *
 * <pre>{@code
 * harness.push(udp4().vlan(5), tcp4());
 * harness.expect("out", udp4().vlan(5));
 * assertThat(harness.layers("out").tcp().destinationPort()).isEqualTo(80);
 * }</pre>
 *
 * Tokens are given and asked for as objects:
 *
 * <pre>{@code
 * harness.give(1L, 2L, 3L);
 * assertThat(harness.tokens("out")).containsExactly(2L);
 * }</pre>
 *
 * Closing checks that every packet has ended where the counters say, that every buffer is free, and
 * that the element has thrown nothing.
 */
public final class ElementHarness implements AutoCloseable {
  private static final int BUFFERS = 1_024;
  private static final int HEADROOM_BYTES = 128;
  private static final long START_NS = 1_000_000_000_000L;
  private static final String SUBJECT = "subject";

  /** Adds the element to the graph around it. */
  private final Function<GraphBuilder, Node> subject;

  /** What stands before the name of a value. */
  private final String handlerPrefix;

  /** The ports before the inputs, by the name of the input, and those behind the outputs. */
  private final Map<String, String> inputPorts = new LinkedHashMap<>();

  private final Map<String, String> outputPorts = new LinkedHashMap<>();

  /** Before inputs of tokens, and behind outputs of tokens. */
  private final Map<String, TokenFeed> feeds = new LinkedHashMap<>();

  private final Map<String, TokenTap> taps = new LinkedHashMap<>();

  /** Outputs that have to lead somewhere. */
  private final Set<String> required = new HashSet<>();

  private final Set<String> disconnected = new HashSet<>();

  /** What came out, by the port behind the output. */
  private final Map<String, Deque<byte[]>> notAskedFor = new HashMap<>();

  private final GraphInvoker invoker;
  private @Nullable SeenPackets seen;
  private boolean isFailureWanted;
  private long nowNs = START_NS;

  public ElementHarness(Element element) {
    this(element, BUFFERS);
  }

  /**
   * @param buffers for packets that the element makes
   */
  public ElementHarness(Element element, int buffers) {
    this(element, buffers, HEADROOM_BYTES);
  }

  /**
   * @param buffers for packets that the element makes
   * @param headroomBytes room before the packets that come in
   */
  public ElementHarness(Element element, int buffers, int headroomBytes) {
    List<String> wrong = element.problems();
    if (!wrong.isEmpty()) {
      throw new ConfigException(String.join("\n", wrong));
    }
    subject = g -> g.add(SUBJECT, element);
    handlerPrefix = SUBJECT + ".";
    Shape shape = element.shape();
    shape.inputs().forEach(in -> input(in.name(), in.type()));
    shape.outputs().forEach(out -> output(out.name(), out.type()));
    shape.outputs().stream()
        .filter(out -> !out.isOptional())
        .forEach(out -> required.add(out.name()));
    invoker = new GraphInvoker(around(), () -> nowNs, buffers, headroomBytes);
  }

  /**
   * Runs a graph with inputs and outputs. Values are named as inside of it, {@code element.value},
   * and counts are those of all its elements together.
   */
  public ElementHarness(Graph graph) {
    subject = g -> g.add(SUBJECT, graph);
    handlerPrefix = SUBJECT + "/";
    for (Edge edge : graph.edges()) {
      if (edge.from().equals(Edge.OUTSIDE)) {
        input(edge.output(), type(graph, edge.to(), Shape::inputs, edge.input()));
      }
      if (edge.to().equals(Edge.OUTSIDE)) {
        output(edge.input(), type(graph, edge.from(), Shape::outputs, edge.output()));
      }
    }
    invoker = new GraphInvoker(around(), () -> nowNs, BUFFERS, HEADROOM_BYTES);
  }

  private static TokenType type(
      Graph graph, String element, Function<Shape, List<ElementPort>> ports, String port) {
    return graph.element(element).stream()
        .flatMap(placed -> ports.apply(placed.element().shape()).stream())
        .filter(each -> each.name().equals(port))
        .map(ElementPort::type)
        .findFirst()
        .orElse(TokenType.PACKETS);
  }

  private void input(String name, TokenType type) {
    if (type.isPackets()) {
      inputPorts.put(name, "input " + name);
    } else {
      feeds.put(name, new TokenFeed(type, new ArrayDeque<>()));
    }
  }

  private void output(String name, TokenType type) {
    if (type.isPackets()) {
      outputPorts.put(name, "output " + name);
    } else {
      taps.put(name, new TokenTap(type, new ArrayList<>()));
    }
  }

  /** The subject with a port before each input and one behind each output. */
  private Graph around() {
    return Graph.of(g -> {
      Node node = subject.apply(g);
      inputPorts.forEach(
          (name, port) -> g.chain(g.add("in-" + name, new FromPort(port)), node.in(name)));
      feeds.forEach((name, feed) -> g.chain(g.add("in-" + name, feed), node.in(name)));
      taps.forEach((name, tap) -> {
        if (!disconnected.contains(name)) {
          g.chain(node.out(name), g.add("out-" + name, tap));
        }
      });
      outputPorts.forEach((name, port) -> {
        if (!disconnected.contains(name)) {
          g.chain(node.out(name), g.add("out-" + name, new ToPort(port)));
        } else if (required.contains(name)) {
          g.chain(node.out(name), g.add("discard-" + name, new Discard()));
        }
      });
    });
  }

  private static <T> T port(Map<String, T> ports, String name) {
    T port = ports.get(name);
    if (port == null) {
      throw new IllegalArgumentException(
          "element has no such input or output: name=%s; it has %s"
              .formatted(name, ports.isEmpty() ? "none" : String.join(", ", ports.keySet())));
    }
    return port;
  }

  /**
   * Leaves an optional output unconnected, as a graph may that has no use for it. What leaves by
   * another is discarded from now on.
   */
  public ElementHarness disconnect(String output) {
    if (!taps.containsKey(output)) {
      port(outputPorts, output);
    }
    disconnected.add(output);
    invoker.change(around());
    return this;
  }

  /** Packets of one burst come to the first input. */
  public void push(byte[]... frames) {
    pushTo(firstInput(), frames);
  }

  /** Packets of one burst come to the first input; all begin so. */
  public void push(LinkType type, byte[]... packets) {
    invoker.receive(port(inputPorts, firstInput()), type, packets);
  }

  private String firstInput() {
    return inputPorts.isEmpty() ? "in" : inputPorts.keySet().iterator().next();
  }

  /** Packets of one burst come to the first input. */
  public void push(FrameBuilder... frames) {
    push(FrameBuilder.bytesOf(frames));
  }

  /** Packets of one burst come to an input. */
  public void pushTo(String input, byte[]... frames) {
    invoker.receive(port(inputPorts, input), frames);
  }

  /** Packets of one burst come to an input. */
  public void pushTo(String input, FrameBuilder... frames) {
    pushTo(input, FrameBuilder.bytesOf(frames));
  }

  /** Packets of one burst come from a port of the engine. */
  public void receive(String port, byte[]... frames) {
    invoker.receive(port, frames);
  }

  /**
   * Tokens come to the first input of tokens, and the worker does a round.
   *
   * @param tokens numbers as {@code Long} and {@code Double}
   * @throws IllegalArgumentException if the input takes no such tokens
   */
  public void give(Object... tokens) {
    giveTo(feeds.isEmpty() ? "in" : feeds.keySet().iterator().next(), tokens);
  }

  /** As {@link #give}, to an input. */
  public void giveTo(String input, Object... tokens) {
    port(feeds, input).give(input, List.of(tokens));
    round();
  }

  /** Tokens that came out of an output and were not asked for yet, in their order. */
  public List<Object> tokens(String output) {
    List<Object> came = port(taps, output).came();
    List<Object> all = List.copyOf(came);
    came.clear();
    return all;
  }

  /** Lets time pass, and the worker do a round then. */
  public void advance(long ns) {
    nowNs += ns;
    round();
  }

  /** Lets the worker do a round: what elements do at times happens in it. */
  public void round() {
    invoker.round();
  }

  /** The time now, in ns: of the clock, and since the epoch for packets. */
  public long nowNs() {
    return nowNs;
  }

  /** What came out of an output and was not asked for yet, in its order. */
  public List<byte[]> out(String output) {
    return transmitted(port(outputPorts, output));
  }

  /** What went to a port of the engine and was not asked for yet, in its order. */
  public List<byte[]> transmitted(String port) {
    Deque<byte[]> arrived = arrived(port);
    List<byte[]> all = List.copyOf(arrived);
    arrived.clear();
    return all;
  }

  private Deque<byte[]> arrived(String port) {
    Deque<byte[]> arrived = notAskedFor.computeIfAbsent(port, _ -> new ArrayDeque<>());
    arrived.addAll(invoker.transmitted(port));
    return arrived;
  }

  /**
   * The next packet that came out of an output, for views to read as long as the harness is open.
   *
   * @throws AssertionError if there is none
   */
  public Packet packet(String output) {
    byte[] next = arrived(port(outputPorts, output)).poll();
    if (next == null) {
      throw new AssertionError(
          "no packet is left of what came out: output=%s, counts=%s, failure=%s"
              .formatted(output, counts(), invoker.failure().orElse("none")));
    }
    return packet(next);
  }

  private Packet packet(byte[] bytes) {
    SeenPackets packets = seen;
    if (packets == null) {
      packets = new SeenPackets();
      seen = packets;
    }
    return packets.of(bytes);
  }

  /** The headers of the next packet that came out of an output: see {@link #packet}. */
  public Layers layers(String output) {
    return Layers.of(packet(output));
  }

  /**
   * Takes what came out of an output and was not asked for yet.
   *
   * @throws AssertionError if it is anything but these frames in this order: with what is in the
   *     first that differs
   */
  public void expect(String output, byte[]... frames) {
    List<byte[]> came = out(output);
    for (int i = 0; i < Math.max(came.size(), frames.length); i++) {
      byte[] wanted = i < frames.length ? frames[i] : null;
      byte[] was = i < came.size() ? came.get(i) : null;
      if (!Arrays.equals(wanted, was)) {
        throw new AssertionError(
            "other packets came out: output=%s, index=%d, expected=%d, came=%d%nexpected: %s%ncame:     %s%ncounts: %s"
                .formatted(
                    output, i, frames.length, came.size(), text(wanted), text(was), counts()));
      }
    }
  }

  private String text(byte @Nullable [] frame) {
    return frame == null ? "none" : Layers.of(packet(frame)).toString();
  }

  /** As {@link #expect(String, byte[]...)}. */
  public void expect(String output, FrameBuilder... frames) {
    expect(output, FrameBuilder.bytesOf(frames));
  }

  /** As {@link #expect(String, byte[]...)}: nothing came out. */
  public void expectNothing(String output) {
    expect(output, new byte[0][]);
  }

  /** What the element has dropped until now, by reason: packets and tokens. */
  public Map<String, Long> drops() {
    ElementCounts counts = counts();
    Map<String, Long> all = new LinkedHashMap<>(counts.dropped());
    counts.tokens().dropped().forEach((reason, tokens) -> all.merge(reason, tokens, Long::sum));
    return all;
  }

  /** What the element has thrown first, and where. Unless a test asks, {@link #close} throws it. */
  public Optional<String> failure() {
    isFailureWanted = true;
    return invoker.failure();
  }

  /** What the element has done with packets until now. */
  public ElementCounts counts() {
    return invoker.counts().entrySet().stream()
        .filter(entry -> (entry.getKey() + ".").startsWith(handlerPrefix))
        .map(Map.Entry::getValue)
        .reduce(ElementCounts.NONE, ElementCounts::plus);
  }

  /** The text of a value of the element, as {@link GraphRunner#read} gives it. */
  public String read(String handler) {
    return invoker.read(handlerPrefix + handler).text();
  }

  /** Writes a value of the element. */
  public void write(String handler, String value) {
    invoker.write(handlerPrefix + handler, value);
  }

  /** Ends the element as the end of a worker does: it sends or drops what it holds. */
  public void end() {
    invoker.end();
  }

  /**
   * Ends the element.
   *
   * @throws IllegalStateException if a packet is missing, or the element has thrown something
   */
  @Override
  public void close() {
    if (seen != null) {
      seen.close();
    }
    invoker.close();
    if (!isFailureWanted && invoker.failure().isPresent()) {
      throw new IllegalStateException(
          "element failed: "
              + invoker.failure().get()
              + "; a test that wants this asks for failure()");
    }
  }
}
