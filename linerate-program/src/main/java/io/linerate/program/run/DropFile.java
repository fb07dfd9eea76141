package io.linerate.program.run;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.PathText;
import io.linerate.core.port.AddressOptions;
import io.linerate.core.port.PortAddress;
import io.linerate.core.port.PortException;
import io.linerate.core.worker.Engine;
import io.linerate.dashboard.control.TapFilter;
import io.linerate.dashboard.control.Taps;
import io.linerate.driver.pcap.CaptureTap;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.driver.pcap.DropCapture;
import io.linerate.driver.pcap.DropFilter;
import io.linerate.graph.GraphRunner;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A file for what a program drops, from its start to its end. */
public final class DropFile {
  /**
   * What the user asked for.
   *
   * @param snapLengthBytes of each packet at most; 0: all
   */
  public record Task(Path file, DropFilter filter, long packets, int snapLengthBytes) {
    private static final long MOST_PACKETS = 1_000_000;

    /**
     * Reads {@code
     * FILE[,reason=REASON][,element=ELEMENT][,packets=N][,snaplen=N][,filter=EXPRESSION]}.
     *
     * @throws ConfigException if it is none
     */
    static Task parse(String text) {
      AddressOptions options =
          AddressOptions.named(
              PortAddress.parse("drops:" + text),
              List.of("reason", "element", "packets", "snaplen", "filter"));
      String file = options.name(name -> !name.isEmpty(), "no file for drops", "write FILE first");
      return new Task(
          PathText.parse(file),
          new DropFilter(
              given(options, "reason"),
              given(options, "element"),
              given(options, "filter").map(TapFilter::compile)),
          options.number("packets", MOST_PACKETS, 1, Long.MAX_VALUE, "a number from 1 on"),
          options.number("snaplen", 0, 1, CaptureWriter.MAX_SNAP_LENGTH_BYTES));
    }

    private static Optional<String> given(AddressOptions options, String key) {
      return options.has(key) ? Optional.of(options.text(key)) : Optional.empty();
    }
  }

  private final Task task;
  private final CaptureTap file;
  private final DropCapture capture;

  private DropFile(Task task, Engine engine) {
    this.task = task;
    file =
        new CaptureTap(
            CaptureWriter.create(task.file(), task.snapLengthBytes()),
            task.packets(),
            Long.MAX_VALUE,
            _ -> {});
    try {
      capture = DropCapture.start(engine, task.filter(), file);
    } catch (Throwable e) {
      file.close();
      throw e;
    }
  }

  /**
   * Begins, if the user wants it.
   *
   * @param graph of the program; null if it has none
   * @return null if not
   * @throws ConfigException if the program has no element of the name that is wanted
   */
  static @Nullable DropFile start(
      Optional<Task> wanted, Engine engine, @Nullable GraphRunner graph) {
    if (wanted.isEmpty()) {
      return null;
    }
    wanted.get().filter().element().ifPresent(name -> Taps.requireElement(graph, name));
    return new DropFile(wanted.get(), engine);
  }

  /**
   * Completes the file.
   *
   * @return a sentence for each thing that failed
   */
  List<String> finish(Console console) {
    capture.close();
    if (!capture.hasEnded()) {
      return List.of(
          "file for dropped packets takes no more bytes, and is incomplete: file=%s; see that its disk or its reader goes on"
              .formatted(task.file()));
    }
    PortException failure = file.failure();
    try {
      file.close();
    } catch (PortException e) {
      failure = e;
    }
    if (capture.missed() > 0 && failure == null) {
      console.warn(
          "file lacks dropped packets: file=%s, packets=%d, missing=%d; they came faster than they could be written, ask for fewer with reason=, element=, filter= or snaplen="
              .formatted(task.file(), file.packets(), capture.missed()));
    }
    return failure == null ? List.of() : List.of(String.valueOf(failure.getMessage()));
  }
}
