package io.linerate.apps.generate;

import io.linerate.apps.generate.TrafficPlan.Phase;
import io.linerate.core.config.ConfigException;
import io.linerate.core.driver.PacketPool;
import io.linerate.core.memory.LinkType;
import io.linerate.core.port.Port;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Worker;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A plan on the workers of an engine: each has its part of every stream. */
final class Traffic {
  private static final int HEADROOM_BYTES = 128;

  private final TrafficPlan plan;
  private final String address;
  private final @Nullable String returnAddress;
  private final List<TrafficQueue> queues = new ArrayList<>();
  private final List<FrameSource> sources = new ArrayList<>();
  private final List<Substream> substreams = new ArrayList<>();
  private final TrafficSamples samples = new TrafficSamples(queues);
  private @Nullable Reception reception;

  /**
   * @param address of the port that it sends to
   * @param returnAddress of the port where packets come back; null: nobody looks
   */
  Traffic(TrafficPlan plan, String address, @Nullable String returnAddress) {
    this.plan = plan;
    this.address = address;
    this.returnAddress = returnAddress;
    if (plan.phases().isEmpty()) {
      throw new ConfigException("plan sends nothing: phases=0; give a stream a rate");
    }
    if (returnAddress != null && !plan.isSequenced()) {
      throw new ConfigException(
          "packets cannot be recognized when they come back: receive="
              + returnAddress
              + "; give each stream sequence=true");
    }
  }

  /** Opens ports and gives workers what they send. */
  void wire(Engine engine) {
    WarmUp.run(plan);
    wireCold(engine);
  }

  void wireCold(Engine engine) {
    Port port = sendPort(engine, "out", address);
    int workers = engine.workers().size();
    Port back = returnAddress == null ? null : returnPort(engine, "in", returnAddress, port);
    reception =
        back == null
            ? null
            : new Reception(plan.streams().size(), workers, plan.hasManyFlows(), this::sequenced);
    Ending ending = new Ending(queues, this::isComplete, engine::stop);
    for (Worker worker : engine.workers()) {
      wire(engine, worker, port, back, ending);
    }
    samples.sends(
        plan.phases().stream()
            .map(phase ->
                TrafficSamples.Part.of(
                    plan.streams().get(phase.stream()), phase, sources.get(phase.stream())))
            .toList());
    engine.source(samples);
    if (reception != null) {
      engine.source(reception);
    }
  }

  private void wire(Engine engine, Worker worker, Port port, @Nullable Port back, Ending ending) {
    int workers = engine.workers().size();
    List<FrameSource> own = new ArrayList<>();
    for (int stream = 0; stream < plan.streams().size(); stream++) {
      own.add(plan.streams().get(stream).source(stream, worker.id(), workers));
    }
    List<Substream> ownSubstreams = new ArrayList<>();
    for (Phase phase : plan.phases()) {
      ownSubstreams.add(new Substream(phase, own.get(phase.stream()), worker.id(), workers));
    }
    sources.addAll(own);
    substreams.addAll(ownSubstreams);
    TrafficQueue queue = queue(engine, worker, port, largestBytes(own), back == null, ending);
    queue.run(ownSubstreams.toArray(new Substream[0]));
    queues.add(queue);
    if (reception != null && back != null) {
      worker.input(back, reception.handler());
    } else {
      queue.useUp();
    }
    worker.input(new TrafficPort(queue), queue.handler());
  }

  /**
   * Opens the port that packets leave from.
   *
   * @throws ConfigException if it cannot transmit
   */
  static Port sendPort(Engine engine, String name, String address) {
    Port port = engine.port(name, address);
    if (port.txQueues() == 0) {
      throw new ConfigException(
          "port cannot transmit: address="
              + address
              + "; give it an output, such as tx=FILE, or tx=/dev/null for none");
    }
    if (!port.transmits(LinkType.ETHERNET)) {
      throw new ConfigException(
          "port does not transmit Ethernet frames: address=%s, linktype=%s; send through another"
              .formatted(address, LinkType.text(port.linkTypes())));
    }
    return port;
  }

  /**
   * Opens the port where packets come back, which may be the same.
   *
   * @throws ConfigException if it does not receive
   */
  static Port returnPort(Engine engine, String name, String address, Port sending) {
    Port back = address.equals(sending.address().toString()) ? sending : engine.port(name, address);
    if (back.rxQueues() == 0) {
      throw new ConfigException(
          "port does not receive: address=" + address + "; give it a source, such as rx=FILE");
    }
    return back;
  }

  /** What a worker sends from, whose frames have so many bytes at most. */
  static TrafficQueue queue(
      Engine engine,
      Worker worker,
      Port port,
      int largestBytes,
      boolean maySleep,
      Runnable whenIdle) {
    PacketPool pool = pool(engine, port, worker, largestBytes);
    return new TrafficQueue(pool, worker.output(port).keepRefused(), maySleep, whenIdle);
  }

  static int largestBytes(List<FrameSource> sources) {
    return sources.stream().mapToInt(FrameSource::largestBytes).max().orElseThrow();
  }

  /** The port's own pool, whose packets it transmits as they are, if frames fit its buffers. */
  private static PacketPool pool(Engine engine, Port port, Worker worker, int largestBytes) {
    PacketPool own = engine.drivers().port(port).pool();
    return own != null && own.roomBytes() >= largestBytes
        ? own
        : engine
            .drivers()
            .pools()
            .create(
                "generator-" + worker.id(),
                engine.config().buffers(),
                HEADROOM_BYTES,
                largestBytes);
  }

  /** The part of the plan that is done; -1 if that has no end. Any thread. */
  double done(long sent) {
    double ofTime =
        plan.endNs() == Long.MAX_VALUE
            ? -1
            : (double) queues.getFirst().sinceStartNs() / plan.endNs();
    return plan.packets() == Long.MAX_VALUE
        ? ofTime
        : Math.max(ofTime, (double) sent / plan.packets());
  }

  private boolean isComplete() {
    return reception != null && reception.unique() >= sequenced();
  }

  private long sequenced() {
    return sources.stream().mapToLong(FrameSource::nextSequence).sum();
  }

  /** What happened. After the workers have ended. */
  GeneratorResult result(RunSummary summary) {
    List<PhaseResult> results = new ArrayList<>();
    for (Phase phase : plan.phases()) {
      results.add(result(phase));
    }
    ReceptionResult back =
        reception == null
            ? null
            : reception.result(Math.min(sequenced(), summary.packets().sent()));
    return new GeneratorResult(summary, results, back);
  }

  @SuppressWarnings("ReferenceEquality")
  private PhaseResult result(Phase phase) {
    List<Substream> own =
        substreams.stream().filter(substream -> substream.phase() == phase).toList();
    return PhaseResult.of(plan.streams().get(phase.stream()), phase, own);
  }
}
