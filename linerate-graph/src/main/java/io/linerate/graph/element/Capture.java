package io.linerate.graph.element;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.PathText;
import io.linerate.core.port.PortException;
import io.linerate.driver.pcap.CaptureTap;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.graph.Element;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.List;

/**
 * Passes everything on, and writes it to a capture file with the time of its reception: a tap for
 * any edge of a graph. A full disk ends the file with the last packet that is in it as a whole; the
 * packets go on.
 *
 * <pre>
 * inputs      in
 * outputs     out
 * parameters  file: pcap if its name ends in .pcap, pcapng otherwise; replaced if it exists. Worker
 *             1 and those after it write to files of their own: seen.pcap, seen-1.pcap, ...
 *             snapBytes: of each packet at most, 1 to 262144; 0 for all. Capture(file) has 0
 * drops       none
 * reads       written: packets in the file, or on their way there for a second at most
 *             lost: packets that the file did not take
 * example     g.chain(tee.out("copy1"), g.add("file", new Capture("seen.pcap")), ...)
 * </pre>
 */
public record Capture(String file, int snapBytes) implements Element {
  private static final System.Logger LOG = System.getLogger(Capture.class.getName());
  private static final long FLUSH_NS = 1_000_000_000;

  public Capture(String file) {
    this(file, 0);
  }

  @Override
  public Shape shape() {
    return Shape.inOut().anyLink();
  }

  @Override
  public List<String> problems() {
    return Parameters.check()
        .require(!file.isBlank(), "no file: file=; write a path, such as seen.pcap")
        .range("snapBytes", snapBytes, 0, CaptureWriter.MAX_SNAP_LENGTH_BYTES)
        .problems();
  }

  /**
   * @throws ConfigException if the file cannot be written
   */
  @Override
  public void open(Wiring wiring) {
    CaptureTap tap =
        new CaptureTap(
            create(fileOf(wiring.worker())), failure -> LOG.log(Level.ERROR, failure.getMessage()));
    new FileTap(tap).open(wiring);
    wiring.every(FLUSH_NS, tap::flush);
    wiring.onLeave(tap::flush);
    wiring.onClose(tap);
    wiring.count("written", tap::packets);
    wiring.count("lost", tap::missed);
  }

  private CaptureWriter create(Path path) {
    try {
      return CaptureWriter.create(path, snapBytes);
    } catch (PortException e) {
      throw new ConfigException(String.valueOf(e.getMessage()));
    }
  }

  private Path fileOf(int worker) {
    if (worker == 0) {
      return PathText.parse(file);
    }
    int dot = file.lastIndexOf('.');
    int end = dot > file.lastIndexOf('/') + 1 ? dot : file.length();
    return PathText.parse(file.substring(0, end) + "-" + worker + file.substring(end));
  }
}
