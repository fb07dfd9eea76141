package io.linerate.core.measure;

import io.linerate.core.counter.SampleSink;
import io.linerate.core.counter.SampleUnit;
import io.linerate.core.driver.PacketPool;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.port.DriverPort;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.statistics.QueuePlace;
import io.linerate.core.statistics.WorkerLoad;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * How the ports, queues, workers and pools of an engine stand, as samples: all of a name together.
 *
 * @param workers those that have ended too
 * @param durationNs how long the program has run
 */
public record EngineSamples(
    List<DriverPort> ports,
    List<QueuePlace> queues,
    List<WorkerMeter> workers,
    WorkerAllocations allocations,
    long durationNs,
    PacketPools pools) {
  public void collect(SampleSink sink) {
    new PortSamples(ports).collect(sink);
    queues(sink);
    time(sink);
    allocations.collect(sink, durationNs);
    packets(sink);
    pools(sink);
  }

  private void queues(SampleSink sink) {
    for (QueuePlace place : queues) {
      sink.counter(
          "linerate_queue_received_packets_total",
          SampleUnit.PACKETS,
          place.packets(),
          labels(place));
    }
    for (QueuePlace place : queues) {
      sink.gauge("linerate_queue_worker", SampleUnit.NONE, place.worker(), labels(place));
    }
  }

  private static String[] labels(QueuePlace place) {
    return new String[] {"port", place.port(), "queue", String.valueOf(place.queue())};
  }

  private void time(SampleSink sink) {
    Map<String, WorkerLoad> loads = new LinkedHashMap<>();
    for (WorkerMeter worker : workers) {
      String id = String.valueOf(worker.worker());
      sink.gauge("linerate_worker_cpu", SampleUnit.NONE, worker.cpu(), "worker", id);
      loads.put(id, worker.load());
    }
    time(sink, loads, "busy", WorkerLoad::busyNs);
    time(sink, loads, "idle", WorkerLoad::idleNs);
    for (WorkerMeter worker : workers) {
      sink.counter(
          "linerate_worker_empty_polls_total",
          SampleUnit.NONE,
          worker.polls().empty(),
          "worker",
          String.valueOf(worker.worker()));
    }
    workers.forEach(worker -> worker.polls().collect(sink, String.valueOf(worker.worker())));
  }

  private static void time(
      SampleSink sink, Map<String, WorkerLoad> loads, String what, ToLongFunction<WorkerLoad> ns) {
    String name = "linerate_worker_" + what + "_seconds_total";
    loads.forEach((id, load) ->
        sink.counter(name, SampleUnit.NANOSECONDS, ns.applyAsLong(load), "worker", id));
  }

  private void packets(SampleSink sink) {
    Map<List<String>, PacketCounts> counts = new LinkedHashMap<>();
    PacketCounts totals = PacketCounts.NONE;
    for (WorkerMeter worker : workers) {
      PacketCounts one = worker.counts();
      counts.put(List.of("worker", String.valueOf(worker.worker())), one);
      totals = totals.plus(one);
    }
    packets(sink, "linerate_worker_", counts);
    packets(sink, "linerate_", Map.of(List.of(), totals));
  }

  /** Where packets went, by the labels of who had them. */
  private static void packets(
      SampleSink sink, String prefix, Map<List<String>, PacketCounts> counts) {
    Map<String, ToLongFunction<PacketCounts>> numbers = new LinkedHashMap<>();
    numbers.put("received", PacketCounts::received);
    numbers.put("sent", PacketCounts::sent);
    numbers.put("made", PacketCounts::made);
    numbers.put("taken_over", PacketCounts::takenOver);
    numbers.put("handed_over", PacketCounts::handedOver);
    numbers.forEach((what, number) ->
        counts.forEach((labels, count) ->
            sink.counter(
                prefix + what + "_packets_total",
                SampleUnit.PACKETS,
                number.applyAsLong(count),
                with(labels))));
    counts.forEach((labels, count) ->
        sink.gauge(
            prefix + "in_flight_packets", SampleUnit.PACKETS, count.inFlight(), with(labels)));
    counts.forEach((labels, count) ->
        count
            .dropped()
            .forEach((reason, packets) ->
                sink.counter(
                    prefix + "dropped_packets_total",
                    SampleUnit.PACKETS,
                    packets,
                    with(labels, "reason", reason))));
  }

  private static String[] with(List<String> labels, String... more) {
    List<String> all = new ArrayList<>(labels);
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private void pools(SampleSink sink) {
    Set<PacketPool> all = new LinkedHashSet<>(pools.own());
    for (DriverPort port : ports) {
      PacketPool pool = port.pool();
      if (pool != null) {
        all.add(pool);
      }
    }
    for (PacketPool pool : all) {
      sink.gauge("linerate_pool_buffers", SampleUnit.NONE, pool.capacity(), "pool", pool.name());
    }
    for (PacketPool pool : all) {
      sink.gauge(
          "linerate_pool_available_buffers",
          SampleUnit.NONE,
          pool.available(),
          "pool",
          pool.name());
    }
  }
}
