package io.linerate.driver.pcap;

import io.linerate.core.config.ConfigException;
import io.linerate.core.driver.BufferPool;
import io.linerate.core.memory.LinkType;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortException;
import io.linerate.core.port.PortProperties;
import io.linerate.core.port.PortRequest;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.port.QueueCounts;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A port on a file to read, a file to write, or one of each. */
final class PcapPort implements DriverPort {
  /** The part that reads. */
  private record Source(
      MappedFile file, long passes, BufferPool pool, PcapRxQueue queue, Set<LinkType> linkTypes) {

    /** How far it is; nothing if it is read for ever, or as good as that. */
    Map<String, Long> progress(long readBytes) {
      long fileBytes = file.bytes().byteSize();
      return passes == PcapRxQueue.FOREVER || passes > Long.MAX_VALUE / fileBytes
          ? Map.of()
          : Map.of(
              PortStatistics.INPUT_BYTES,
              passes * fileBytes,
              PortStatistics.INPUT_READ_BYTES,
              readBytes);
    }
  }

  private final PortRequest request;
  private final @Nullable Source source;
  private final @Nullable CaptureWriter writer;
  private final List<PcapTxQueue> txQueues = new ArrayList<>();
  private final Runnable onClose;

  private PcapPort(
      PortRequest request,
      @Nullable Source source,
      @Nullable CaptureWriter writer,
      Runnable onClose) {
    this.request = request;
    this.source = source;
    this.writer = writer;
    this.onClose = onClose;
    if (writer != null) {
      for (int i = 0; i < request.txQueues(); i++) {
        txQueues.add(new PcapTxQueue(writer, request.pools()));
      }
    }
  }

  /** Opens the file to read first: when that fails, no file was replaced. */
  static PcapPort open(PortRequest request, PcapOptions options, Runnable onClose) {
    Source source = options.rx() == null ? null : source(request, options, options.rx());
    try {
      CaptureWriter writer = options.tx() == null ? null : CaptureWriter.create(options.tx(), 0);
      return new PcapPort(request, source, writer, onClose);
    } catch (PortException e) {
      if (source != null) {
        source.file.close();
      }
      throw e;
    }
  }

  private static Source source(PortRequest request, PcapOptions options, Path path) {
    MappedFile file = MappedFile.open(path);
    try {
      CaptureReader reader = CaptureReader.of(path.toString(), file.bytes(), options.linkTypes());
      BufferPool pool = request.pools().create(request.name(), request.config().buffers(), 0, 0);
      Pace pace = options.paced() ? new Pace() : null;
      PcapRxQueue queue = new PcapRxQueue(file, reader, pool, options.passes(), pace);
      return new Source(file, options.passes(), pool, queue, reader.linkTypes());
    } catch (PortException e) {
      file.close();
      throw e;
    }
  }

  @Override
  public PortProperties properties() {
    return new PortProperties(request, source == null ? 0 : 1, txQueues.size());
  }

  @Override
  public RxQueue rxQueue(int index) {
    if (source == null) {
      throw new ConfigException(
          "port has no file to read: port=%s, address=%s; add rx=PATH"
              .formatted(name(), address()));
    }
    if (index != 0) {
      throw new IndexOutOfBoundsException(
          "port has one receive queue: port=" + name() + ", queue=" + index);
    }
    return source.queue;
  }

  @Override
  public TxQueue txQueue(int index) {
    if (writer == null) {
      throw new ConfigException(
          "port has no file to write: port=%s, address=%s; add tx=PATH"
              .formatted(name(), address()));
    }
    return txQueues.get(index);
  }

  @Override
  public Set<LinkType> linkTypes() {
    return source == null ? LinkType.ETHERNET_ONLY : source.linkTypes;
  }

  /** All, though those of a file in pcap format have to be the same. */
  @Override
  public boolean transmits(LinkType type) {
    return true;
  }

  @Override
  public PortStatistics statistics() {
    long[] rx =
        QueueCounts.sum(
            PcapRxQueue.COUNTERS, Stream.ofNullable(source).map(reading -> reading.queue.counts));
    long[] tx = QueueCounts.sum(2, txQueues.stream().map(queue -> queue.counts));
    Map<String, Long> progress =
        source == null ? Map.of() : source.progress(rx[PcapRxQueue.READ_BYTES]);
    return new PortStatistics(rx, tx, 0, rx[PcapRxQueue.ERRORS], progress);
  }

  @Override
  public void close() {
    try {
      if (writer != null) {
        writer.close();
      }
    } finally {
      closeSource();
      onClose.run();
    }
  }

  /** A packet that somebody still holds lies in the map, which stays then. */
  private void closeSource() {
    if (source == null) {
      return;
    }
    source.queue.close();
    if (source.pool.available() == source.pool.capacity()) {
      source.file.close();
    }
  }
}
