package io.linerate.apps.top;

import io.linerate.core.counter.CountersReader;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jline.terminal.Size;
import org.jline.utils.AttributedString;
import org.jspecify.annotations.Nullable;

/**
 * Shows programs on a screen until the user has seen enough: all of them as a list, or one of them
 * closer, until it ends.
 */
final class Top {
  /** So soon keys, another size of the terminal and the end of the program are seen. */
  private static final long POLL_MS = 100;

  private static final long NS_PER_MS = 1_000_000;

  private final Programs programs;
  private final Duration interval;
  private final BooleanSupplier isStopped;
  private final Controls ofList = new Controls();
  private Controls controls = ofList;

  /** The one that is shown closer. */
  private @Nullable Watched shown;

  /** Whether the list has been seen: then that is what the end of a program leads to. */
  private boolean isListSeen;

  private boolean isOver;
  private String note = "";

  /**
   * @param isStopped whether it is to end soon
   */
  Top(Programs programs, Duration interval, BooleanSupplier isStopped) {
    this.programs = programs;
    this.interval = interval;
    this.isStopped = isStopped;
  }

  /** Begins with this program, not with the list. */
  void open(CountersReader reader) {
    open(programs.add(reader));
  }

  /** The one that is shown closer, or was when it ended; null: the list is. */
  @Nullable Watched shown() {
    return shown;
  }

  void run(Screen screen) {
    if (shown == null) {
      list("");
    }
    long nextNs = System.nanoTime() + interval.toNanos();
    boolean isDue = true;
    while (!isOver && !isStopped.getAsBoolean()) {
      Watched program = shown;
      if (System.nanoTime() >= nextNs || (program != null && program.hasEnded())) {
        refresh();
        nextNs = Math.max(nextNs + interval.toNanos(), System.nanoTime());
        isDue = true;
      }
      if (isDue || screen.isResized()) {
        draw(screen);
        isDue = false;
      }
      long waitMs = Math.clamp((nextNs - System.nanoTime()) / NS_PER_MS, 1, POLL_MS);
      Key key = isOver ? null : screen.key(waitMs);
      if (key != null) {
        press(key, screen.glyphs());
        isDue = true;
      }
    }
    if (shown != null) {
      shown.refresh();
    }
  }

  private void press(Key key, Glyphs glyphs) {
    Watched program = shown;
    if (program == null) {
      ProgramListPage page = listPage();
      controls.press(key, page.keys());
      if (key == Key.OPEN) {
        page.chosen().ifPresent(this::open);
      }
    } else if (key == Key.LIST) {
      list("");
    } else {
      controls.press(key, new Page(program.seen(), controls, glyphs).names());
    }
    isOver |= controls.isQuit();
  }

  private void open(Watched program) {
    shown = program;
    controls = new Controls();
  }

  private void list(String newNote) {
    shown = null;
    controls = ofList;
    note = newNote;
    isListSeen = true;
    programs.refresh();
  }

  /** What was not seen in a pause comes as its mean. */
  private void refresh() {
    Watched program = shown;
    if (program == null) {
      if (!controls.isPaused()) {
        programs.refresh();
      }
    } else if (program.isAlive() && controls.isPaused()) {
      return;
    } else if (!program.refresh()) {
      if (isListSeen) {
        list(program.end());
      } else {
        isOver = true;
      }
    }
  }

  private ProgramListPage listPage() {
    return new ProgramListPage(List.copyOf(programs.all()), controls, note);
  }

  private void draw(Screen screen) {
    Size size = screen.size();
    int columns = size.getColumns();
    int rows = size.getRows();
    Watched program = shown;
    List<AttributedString> lines =
        program == null
            ? listPage().lines(columns, rows)
            : new Page(program.seen(), controls, screen.glyphs())
                .lines(columns, rows, System.currentTimeMillis());
    screen.draw(lines, size);
  }
}
