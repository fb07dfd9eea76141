package io.linerate.core.worker;

import io.linerate.core.counter.SampleSink;
import io.linerate.core.counter.SampleUnit;
import io.linerate.core.driver.PacketPool;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.port.DriverPort;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** How the ports, queues, workers and pools of an engine stand, as samples. */
record EngineSamples(List<DriverPort> ports, Crew crew, PacketPools pools) {
  void collect(SampleSink sink) {
    new PortSamples(ports).collect(sink);
    queues(sink);
    List<Worker> workers = crew.everyWorker();
    Map<String, PacketCounts> counts = new LinkedHashMap<>();
    PacketCounts totals = PacketCounts.NONE;
    for (Worker worker : workers) {
      PacketCounts one = worker.counts();
      counts.put(String.valueOf(worker.id()), one);
      totals = totals.plus(one);
    }
    time(sink, workers);
    crew.allocations().collect(sink, crew.durationNs());
    ofWorkers(sink, counts);
    totals(sink, totals);
    pools(sink);
  }

  private void queues(SampleSink sink) {
    List<QueuePlace> places = crew.places();
    for (QueuePlace place : places) {
      sink.counter(
          "linerate_queue_received_packets_total",
          SampleUnit.PACKETS,
          place.packets(),
          "port",
          place.port(),
          "queue",
          String.valueOf(place.queue()));
    }
    for (QueuePlace place : places) {
      sink.gauge(
          "linerate_queue_worker",
          SampleUnit.NONE,
          place.worker(),
          "port",
          place.port(),
          "queue",
          String.valueOf(place.queue()));
    }
  }

  private static void time(SampleSink sink, List<Worker> workers) {
    Map<String, WorkerLoad> loads = new LinkedHashMap<>();
    for (Worker worker : workers) {
      String id = String.valueOf(worker.id());
      sink.gauge("linerate_worker_cpu", SampleUnit.NONE, worker.cpu(), "worker", id);
      loads.put(id, worker.load());
    }
    loads.forEach((id, load) ->
        sink.counter(
            "linerate_worker_busy_seconds_total",
            SampleUnit.NANOSECONDS,
            load.busyNs(),
            "worker",
            id));
    loads.forEach((id, load) ->
        sink.counter(
            "linerate_worker_idle_seconds_total",
            SampleUnit.NANOSECONDS,
            load.idleNs(),
            "worker",
            id));
    for (Worker worker : workers) {
      sink.counter(
          "linerate_worker_empty_polls_total",
          SampleUnit.NONE,
          worker.polls().empty(),
          "worker",
          String.valueOf(worker.id()));
    }
    workers.forEach(worker -> worker.polls().collect(sink, String.valueOf(worker.id())));
  }

  private static void ofWorkers(SampleSink sink, Map<String, PacketCounts> counts) {
    eachWorker(sink, counts, "received", PacketCounts::received);
    eachWorker(sink, counts, "sent", PacketCounts::sent);
    eachWorker(sink, counts, "made", PacketCounts::made);
    eachWorker(sink, counts, "taken_over", PacketCounts::takenOver);
    eachWorker(sink, counts, "handed_over", PacketCounts::handedOver);
    counts.forEach((id, count) ->
        sink.gauge(
            "linerate_worker_in_flight_packets",
            SampleUnit.PACKETS,
            count.inFlight(),
            "worker",
            id));
    counts.forEach((id, count) ->
        count
            .dropped()
            .forEach((reason, packets) ->
                sink.counter(
                    "linerate_worker_dropped_packets_total",
                    SampleUnit.PACKETS,
                    packets,
                    "worker",
                    id,
                    "reason",
                    reason)));
  }

  private static void eachWorker(
      SampleSink sink,
      Map<String, PacketCounts> counts,
      String what,
      ToLongFunction<PacketCounts> number) {
    String name = "linerate_worker_" + what + "_packets_total";
    counts.forEach((id, count) ->
        sink.counter(name, SampleUnit.PACKETS, number.applyAsLong(count), "worker", id));
  }

  private static void totals(SampleSink sink, PacketCounts totals) {
    Map<String, Function<PacketCounts, Long>> numbers = new LinkedHashMap<>();
    numbers.put("received", PacketCounts::received);
    numbers.put("sent", PacketCounts::sent);
    numbers.put("made", PacketCounts::made);
    numbers.put("taken_over", PacketCounts::takenOver);
    numbers.put("handed_over", PacketCounts::handedOver);
    numbers.forEach((what, number) ->
        sink.counter(
            "linerate_" + what + "_packets_total", SampleUnit.PACKETS, number.apply(totals)));
    sink.gauge("linerate_in_flight_packets", SampleUnit.PACKETS, totals.inFlight());
    totals
        .dropped()
        .forEach((reason, packets) ->
            sink.counter(
                "linerate_dropped_packets_total", SampleUnit.PACKETS, packets, "reason", reason));
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
