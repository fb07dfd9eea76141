package io.linerate.graph;

import io.linerate.core.counter.SampleSink;
import io.linerate.core.counter.SampleUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;

/**
 * What a graph is made of, and what its elements and edges have counted, as samples.
 *
 * @param replicas of the workers that run
 */
record GraphSamples(
    GraphDescription description,
    Map<String, ElementCounts> counts,
    List<EdgeCounts> edges,
    List<Replica> replicas) {
  void collect(SampleSink sink) {
    infos(sink);
    places(sink);
    queues(sink, "capacity", QueueSide::capacity);
    queues(sink, "peak", QueueSide::peak);
    each(sink, "received_packets_total", SampleUnit.PACKETS, ElementCounts::packetsIn);
    each(sink, "received_bytes_total", SampleUnit.BYTES, ElementCounts::bytesIn);
    each(sink, "sent_packets_total", SampleUnit.PACKETS, ElementCounts::packetsOut);
    each(sink, "sent_bytes_total", SampleUnit.BYTES, ElementCounts::bytesOut);
    each(sink, "made_packets_total", SampleUnit.PACKETS, ElementCounts::made);
    each(sink, "no_buffers_total", SampleUnit.NONE, ElementCounts::noBuffers);
    counts.forEach((name, count) ->
        sink.gauge(
            "linerate_element_held_packets", SampleUnit.PACKETS, count.held(), "element", name));
    counts.forEach((name, count) ->
        count
            .dropped()
            .forEach((reason, packets) ->
                sink.counter(
                    "linerate_element_dropped_packets_total",
                    SampleUnit.PACKETS,
                    packets,
                    "element",
                    name,
                    "reason",
                    reason)));
    tokens(sink);
    edge(sink, "linerate_edge_packets_total", SampleUnit.PACKETS, EdgeCounts::packets);
    edge(sink, "linerate_edge_bytes_total", SampleUnit.BYTES, EdgeCounts::bytes);
  }

  /** Of elements that handle tokens. */
  private void tokens(SampleSink sink) {
    counts.forEach((name, count) -> {
      TokenCounts tokens = count.tokens();
      if (!tokens.equals(TokenCounts.NONE)) {
        tokens(sink, "received_tokens_total", tokens.in(), name);
        tokens(sink, "sent_tokens_total", tokens.out(), name);
        sink.gauge(
            "linerate_element_held_tokens", SampleUnit.TOKENS, tokens.held(), "element", name);
        tokens
            .dropped()
            .forEach((reason, dropped) ->
                sink.counter(
                    "linerate_element_dropped_tokens_total",
                    SampleUnit.TOKENS,
                    dropped,
                    "element",
                    name,
                    "reason",
                    reason));
      }
    });
    edges.stream()
        .filter(edge -> edge.tokens() > 0)
        .forEach(edge ->
            edge(sink, "linerate_edge_tokens_total", SampleUnit.TOKENS, edge, EdgeCounts::tokens));
  }

  private static void tokens(SampleSink sink, String what, long tokens, String element) {
    sink.counter("linerate_element_" + what, SampleUnit.TOKENS, tokens, "element", element);
  }

  /** What elements have taken of their workers' time. */
  static void times(Collection<Replica> replicas, SampleSink sink) {
    times(replicas, sink, "bursts_total", SampleUnit.NONE, ElementTime::bursts);
    times(replicas, sink, "packets_total", SampleUnit.PACKETS, ElementTime::packets);
    times(replicas, sink, "seconds_total", SampleUnit.NANOSECONDS, ElementTime::ns);
  }

  private static void times(
      Collection<Replica> replicas,
      SampleSink sink,
      String what,
      SampleUnit unit,
      ToLongFunction<ElementTime> number) {
    for (Replica replica : replicas) {
      String worker = String.valueOf(replica.worker());
      replica
          .elements()
          .forEach((name, element) ->
              sink.counter(
                  "linerate_element_timed_" + what,
                  unit,
                  number.applyAsLong(element.time()),
                  "element",
                  name,
                  "worker",
                  worker));
    }
  }

  private void infos(SampleSink sink) {
    for (ElementDescription element : description.elements()) {
      sink.info(
          "linerate_element_info",
          "element",
          element.name(),
          "type",
          element.type(),
          "parameters",
          element.parameters());
    }
    for (ElementDescription element : description.elements()) {
      ports(sink, element.name(), element.receives(), "receive");
      ports(sink, element.name(), element.transmits(), "transmit");
    }
    for (ElementDescription element : description.elements()) {
      for (HandlerInfo handler : element.handlers()) {
        sink.info(
            "linerate_handler_info",
            "element",
            element.name(),
            "handler",
            handler.name(),
            "type",
            handler.type().toString(),
            "readable",
            String.valueOf(handler.isReadable()),
            "writable",
            String.valueOf(handler.isWritable()));
      }
    }
  }

  /** The workers of elements that are not on all of them. */
  private void places(SampleSink sink) {
    for (String name : counts.keySet()) {
      List<Replica> having = having(name);
      if (having.size() < replicas.size()) {
        for (Replica replica : having) {
          String worker = String.valueOf(replica.worker());
          sink.info("linerate_element_worker_info", "element", name, "worker", worker);
        }
      }
    }
  }

  private List<Replica> having(String element) {
    return replicas.stream().filter(replica -> replica.elements().containsKey(element)).toList();
  }

  /** Of elements that are queues between workers, all their rings together. */
  private void queues(SampleSink sink, String what, ToLongFunction<QueueSide> number) {
    for (String name : counts.keySet()) {
      List<QueueSide> sides =
          replicas.stream()
              .map(replica -> replica.elements().get(name))
              .filter(Objects::nonNull)
              .flatMap(element -> element.crossings.stream())
              .toList();
      if (!sides.isEmpty()) {
        sink.gauge(
            "linerate_element_" + what + "_packets",
            SampleUnit.PACKETS,
            sides.stream().mapToLong(number).sum(),
            "element",
            name);
      }
    }
  }

  private static void ports(SampleSink sink, String element, List<String> ports, String direction) {
    for (String port : ports) {
      sink.info(
          "linerate_element_port_info", "element", element, "port", port, "direction", direction);
    }
  }

  private void each(
      SampleSink sink, String what, SampleUnit unit, ToLongFunction<ElementCounts> number) {
    String sample = "linerate_element_" + what;
    counts.forEach(
        (name, count) -> sink.counter(sample, unit, number.applyAsLong(count), "element", name));
  }

  private void edge(
      SampleSink sink, String sample, SampleUnit unit, ToLongFunction<EdgeCounts> number) {
    edges.forEach(count -> edge(sink, sample, unit, count, number));
  }

  private static void edge(
      SampleSink sink,
      String sample,
      SampleUnit unit,
      EdgeCounts count,
      ToLongFunction<EdgeCounts> number) {
    Edge edge = count.edge();
    sink.counter(
        sample,
        unit,
        number.applyAsLong(count),
        "from",
        edge.from(),
        "output",
        edge.output(),
        "to",
        edge.to(),
        "input",
        edge.input());
  }
}
