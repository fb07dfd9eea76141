package io.linerate.apps.top;

import io.linerate.core.counter.CountersReader;
import io.linerate.dashboard.state.Moment;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jline.terminal.Size;

/** Follows a program on a screen until it ends or the user has seen enough. */
final class Top {
  /** So soon keys, another size of the terminal and the end of the program are seen. */
  private static final long POLL_MS = 100;

  private static final long NS_PER_MS = 1_000_000;

  private final CountersReader reader;
  private final Duration interval;
  private final BooleanSupplier isStopped;
  private final Following program;
  private final Controls controls = new Controls();
  private boolean isAlive = true;

  /**
   * @param isStopped whether it is to end soon
   */
  Top(CountersReader reader, Duration interval, BooleanSupplier isStopped) {
    this.reader = reader;
    this.interval = interval;
    this.isStopped = isStopped;
    program = new Following(reader.program(), Moment.of(reader));
  }

  /** What was seen last. */
  Following program() {
    return program;
  }

  /** Whether the program still ran when this ended. */
  boolean isAlive() {
    return isAlive;
  }

  void run(Screen screen) {
    Page page = new Page(program, controls, screen.glyphs());
    long nextNs = System.nanoTime() + interval.toNanos();
    boolean isDue = true;
    while (isAlive && !isStopped.getAsBoolean() && !controls.isQuit()) {
      if (System.nanoTime() >= nextNs || reader.hasEnded()) {
        refresh(false);
        nextNs = Math.max(nextNs + interval.toNanos(), System.nanoTime());
        isDue = true;
      }
      if (isDue || screen.isResized()) {
        draw(screen, page);
        isDue = false;
      }
      long waitMs = Math.clamp((nextNs - System.nanoTime()) / NS_PER_MS, 1, POLL_MS);
      Key key = screen.key(waitMs);
      if (key != null) {
        controls.press(key, names(page));
        isDue = true;
      }
    }
    refresh(true);
  }

  /** What was not seen in a pause comes as its mean. */
  private void refresh(boolean isLast) {
    // In this order: what an ended program wrote are its last numbers.
    isAlive = reader.isAlive();
    if (controls.isPaused() && isAlive && !isLast) {
      return;
    }
    try {
      program.add(Moment.of(reader));
    } catch (UncheckedIOException e) {
      // It was stopped or killed while it wrote: what was seen before is the last that is certain.
    }
  }

  private static void draw(Screen screen, Page page) {
    Size size = screen.size();
    screen.draw(page.lines(size.getColumns(), size.getRows(), System.currentTimeMillis()), size);
  }

  private static List<String> names(Page page) {
    return page.ports().stream().map(PortRow::name).toList();
  }
}
