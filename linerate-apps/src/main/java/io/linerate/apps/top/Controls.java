package io.linerate.apps.top;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the user has chosen by keys. */
final class Controls {
  private static final int PAGE = 10;

  private Order order = Order.NAME;
  private @Nullable String port;
  private boolean isPaused;
  private boolean isHelp;
  private boolean isQuit;

  Order order() {
    return order;
  }

  /** The port that is shown closer; null: none. */
  @Nullable String port() {
    return port;
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
   * @param ports in the order in which they are shown
   */
  void press(Key key, List<String> ports) {
    switch (key) {
      case QUIT -> isQuit = true;
      case PAUSE -> isPaused = !isPaused;
      case HELP -> isHelp = !isHelp;
      case BY_NAME -> order = Order.NAME;
      case BY_RATE -> order = Order.RATE;
      case BY_DROPS -> order = Order.DROPS;
      case NEXT_ORDER -> order = order.next();
      case UP -> step(ports, -1);
      case DOWN -> step(ports, 1);
      case PAGE_UP -> step(ports, -PAGE);
      case PAGE_DOWN -> step(ports, PAGE);
      case FIRST -> choose(ports, 0);
      case LAST -> choose(ports, ports.size() - 1);
      case NEXT -> turn(ports, 1);
      case PREVIOUS -> turn(ports, -1);
      case LEAVE -> leave();
      case OTHER -> {}
    }
  }

  private void leave() {
    if (isHelp) {
      isHelp = false;
    } else {
      port = null;
    }
  }

  /** From no port to the first or, upwards, the last; no further than the ends. */
  private void step(List<String> ports, int by) {
    int at = port == null ? -1 : ports.indexOf(port);
    choose(ports, at < 0 ? (by > 0 ? 0 : ports.size() - 1) : at + by);
  }

  private void choose(List<String> ports, int at) {
    if (!ports.isEmpty()) {
      port = ports.get(Math.clamp(at, 0, ports.size() - 1));
    }
  }

  /** Round and round; between the last one and the first there is none. */
  private void turn(List<String> ports, int by) {
    int places = ports.size() + 1;
    int at = port == null ? 0 : ports.indexOf(port) + 1;
    int next = Math.floorMod(at + by, places);
    port = next == 0 ? null : ports.get(next - 1);
  }
}
