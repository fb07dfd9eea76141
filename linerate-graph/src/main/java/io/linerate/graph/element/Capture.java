package io.linerate.graph.element;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.PathText;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.PortException;
import io.linerate.core.worker.BurstHandler;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
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
    return Shape.inOut();
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
    Tap tap = new Tap(create(fileOf(wiring.worker())), wiring.output("out"));
    wiring.input("in", tap);
    wiring.every(FLUSH_NS, tap::flush);
    wiring.onLeave(tap::flush);
    wiring.onClose(tap.writer);
    wiring.count("written", tap.writer::packets);
    wiring.count("lost", tap::lost);
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

  /** On one worker. */
  private static final class Tap implements BurstHandler {
    private final CaptureWriter writer;
    private final Outlet out;
    private long seen;
    private boolean isDead;

    Tap(CaptureWriter writer, Outlet out) {
      this.writer = writer;
      this.out = out;
    }

    long lost() {
      return seen - writer.packets();
    }

    @Override
    public void onBurst(Burst burst) {
      for (Packet packet : burst) {
        seen++;
        write(packet);
      }
      out.push(burst);
    }

    private void write(Packet packet) {
      if (!isDead) {
        try {
          writer.write(packet);
        } catch (PortException e) {
          fail(e);
        }
      }
    }

    void flush() {
      if (!isDead) {
        try {
          writer.flush();
        } catch (PortException e) {
          fail(e);
        }
      }
    }

    /** Once: whoever is behind gets the packets all the same. */
    private void fail(PortException failure) {
      isDead = true;
      LOG.log(Level.ERROR, failure.getMessage());
    }
  }
}
