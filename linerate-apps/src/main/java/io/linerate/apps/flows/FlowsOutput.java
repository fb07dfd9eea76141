package io.linerate.apps.flows;

import io.linerate.apps.decode.FileFormats;
import io.linerate.apps.decode.NewFile;
import io.linerate.core.config.ConfigException;
import io.linerate.core.port.PortException;
import io.linerate.program.run.Console;
import io.linerate.track.flow.FlowFileFormat;
import io.linerate.track.flow.FlowMeter;
import io.linerate.track.flow.FlowSettings;
import io.linerate.track.flow.FlowSink;
import io.linerate.track.flow.IpfixExporter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToLongFunction;

/** Where flows go: a meter for each worker, and what they share. */
final class FlowsOutput {
  /**
   * What is asked for.
   *
   * @param isPrinted whether flows are printed as they end
   * @param top how many of the largest are printed at the end; 0: none
   */
  record Task(
      FlowSettings settings,
      FlowForm form,
      boolean isPrinted,
      int top,
      Optional<Path> parquet,
      Optional<CollectorAddress> collector) {}

  /** The meter of a worker. */
  record Meter(FlowMeter meter, FlowSink sink, Runnable onFailure) {
    void endOfBurst() {
      if (sink.failure() != null) {
        onFailure.run();
      }
    }

    void flush() {
      sink.flush();
      endOfBurst();
    }
  }

  private final Task task;
  private final Console console;
  private final List<Meter> meters = new CopyOnWriteArrayList<>();
  private final List<FlowSink> open = new CopyOnWriteArrayList<>();
  private final List<LargestFlows> largest = new CopyOnWriteArrayList<>();
  private final List<IpfixExporter> exporters = new CopyOnWriteArrayList<>();
  private final Optional<NewFile> newFile;
  private Optional<FlowSink> file = Optional.empty();

  FlowsOutput(Task task, Console console) {
    newFile = task.parquet().map(NewFile::new);
    this.task = task;
    this.console = console;
  }

  /**
   * Begins what all workers write.
   *
   * @throws ConfigException if there is no such format
   */
  void begin() {
    file = newFile.map(FlowsOutput::create).map(FlowSinks::shared);
    file.ifPresent(open::add);
    if (task.form() == FlowForm.TEXT && task.isPrinted()) {
      print(FlowLine.header());
    }
  }

  private static FlowSink create(NewFile file) {
    return file.create(FileFormats.parquet(FlowFileFormat.class, FlowFileFormat::name)::create);
  }

  /** Makes the meter of a worker. */
  Meter newMeter(int worker, Runnable stop) {
    List<FlowSink> sinks = new ArrayList<>();
    file.ifPresent(sinks::add);
    if (task.isPrinted()) {
      FlowPrinter printer = new FlowPrinter(task.form(), console, stop);
      open.add(printer);
      sinks.add(printer);
    }
    if (task.top() > 0) {
      LargestFlows own = new LargestFlows(task.top(), task.form());
      largest.add(own);
      sinks.add(own);
    }
    task.collector().map(address -> exporter(address, worker)).ifPresent(sinks::add);
    FlowSinks all = new FlowSinks(List.copyOf(sinks));
    Meter meter = new Meter(new FlowMeter(task.settings(), new SecureRandom(), all), all, stop);
    meters.add(meter);
    return meter;
  }

  private IpfixExporter exporter(CollectorAddress address, int worker) {
    try {
      IpfixExporter exporter =
          new IpfixExporter(
              address.open(),
              IpfixExporter.DEFAULT_MESSAGE_BYTES,
              worker,
              System::currentTimeMillis);
      exporters.add(exporter);
      open.add(exporter);
      return exporter;
    } catch (IOException e) {
      throw new PortException(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Ends all flows, and completes what is written.
   *
   * @param isWhole whether a file is to stay
   * @return a sentence for each thing that failed
   */
  List<String> end(boolean isWhole) {
    meters.forEach(meter -> meter.meter().end());
    List<String> failures = new ArrayList<>();
    for (FlowSink sink : open) {
      try {
        sink.close();
        completed(sink, isWhole).ifPresent(failures::add);
      } catch (IOException e) {
        failures.add(failure(sink, e));
      }
    }
    long lost = exporters.stream().mapToLong(IpfixExporter::lostMessages).sum();
    if (lost > 0 && failures.isEmpty()) {
      failures.add(
          "collector does not take all messages: address=%s, lost=%d; see whether it runs"
              .formatted(task.collector().orElseThrow(), lost));
    }
    return failures;
  }

  private Optional<String> completed(FlowSink sink, boolean isWhole) {
    if (!isFile(sink)) {
      return Optional.empty();
    }
    if (isWhole) {
      return newFile.flatMap(NewFile::complete);
    }
    newFile.ifPresent(NewFile::discard);
    return Optional.empty();
  }

  private boolean isFile(FlowSink sink) {
    return file.filter(sink::equals).isPresent();
  }

  private String failure(FlowSink sink, IOException e) {
    return isFile(sink)
        ? newFile.orElseThrow().failed(e)
        : "collector has gone: address=%s, reason=%s; flows since then are lost"
            .formatted(task.collector().orElseThrow(), e.getMessage());
  }

  /** Prints what stands at the end. */
  void report() {
    if (task.top() > 0) {
      List<String> lines = LargestFlows.lines(largest, task.top());
      print((task.form() == FlowForm.TEXT ? FlowLine.header() : "") + String.join("", lines));
    }
    console.say(
        "%,d flows of %,d packets, %,d bytes; %,d ended for lack of room; %,d packets not IP, %,d malformed"
            .formatted(
                sum(FlowMeter::told),
                sum(FlowMeter::packets),
                sum(FlowMeter::octets),
                sum(FlowMeter::evicted),
                sum(FlowMeter::otherPackets),
                sum(FlowMeter::malformedPackets)));
  }

  private long sum(ToLongFunction<FlowMeter> number) {
    return meters.stream().map(Meter::meter).mapToLong(number).sum();
  }

  private void print(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    boolean _ = console.write(out -> out.write(bytes), true);
  }
}
