package io.linerate.apps.top;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the user has chosen by keys. */
final class Controls {
  private static final int PAGE = 10;

  private Order order = Order.NAME;
  private @Nullable String chosen;
  private boolean isPaused;
  private boolean isHelp;
  private boolean isQuit;

  Order order() {
    return order;
  }

  /** The one of a list, such as a port, that is shown closer; null: none. */
  @Nullable String chosen() {
    return chosen;
  }

  boolean isPaused() {
    return isPaused;
  }

  boolean isHelp() {
    return isHelp;
  }

  boolean isQuit() {
    return isQuit;
  }

  /**
   * Does what a key means.
   *
   * @param names of the list, in the order in which they are shown
   */
  void press(Key key, List<String> names) {
    switch (key) {
      case QUIT -> isQuit = true;
      case PAUSE -> isPaused = !isPaused;
      case HELP -> isHelp = !isHelp;
      case BY_NAME -> order = Order.NAME;
      case BY_RATE -> order = Order.RATE;
      case BY_DROPS -> order = Order.DROPS;
      case NEXT_ORDER -> order = order.next();
      case UP -> step(names, -1);
      case DOWN -> step(names, 1);
      case PAGE_UP -> step(names, -PAGE);
      case PAGE_DOWN -> step(names, PAGE);
      case FIRST -> choose(names, 0);
      case LAST -> choose(names, names.size() - 1);
      case NEXT -> turn(names, 1);
      case PREVIOUS -> turn(names, -1);
      case LEAVE -> leave();
      case OPEN, LIST, OTHER -> {}
    }
  }

  private void leave() {
    if (isHelp) {
      isHelp = false;
    } else {
      chosen = null;
    }
  }

  /** From none to the first or, upwards, the last; no further than the ends. */
  private void step(List<String> names, int by) {
    int at = chosen == null ? -1 : names.indexOf(chosen);
    choose(names, at < 0 ? (by > 0 ? 0 : names.size() - 1) : at + by);
  }

  private void choose(List<String> names, int at) {
    if (!names.isEmpty()) {
      chosen = names.get(Math.clamp(at, 0, names.size() - 1));
    }
  }

  /** Round and round; between the last one and the first there is none. */
  private void turn(List<String> names, int by) {
    int places = names.size() + 1;
    int at = chosen == null ? 0 : names.indexOf(chosen) + 1;
    int next = Math.floorMod(at + by, places);
    chosen = next == 0 ? null : names.get(next - 1);
  }
}
