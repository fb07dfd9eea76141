package io.linerate.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Keeps the largest of what it is given, in little more time than it takes to look at them. */
final class Largest<T> {
  private final int most;
  private final Comparator<T> order;

  /** The least first. */
  private final PriorityQueue<T> kept;

  /**
   * @param order of no two that are equal: the largest last
   */
  Largest(int most, Comparator<T> order) {
    this.most = most;
    this.order = order;
    kept = new PriorityQueue<>(order);
  }

  void add(T one) {
    if (kept.size() < most) {
      kept.add(one);
    } else if (order.compare(one, kept.element()) > 0) {
      kept.remove();
      kept.add(one);
    }
  }

  /** The largest first. */
  List<T> list() {
    List<T> list = new ArrayList<>(kept);
    list.sort(order.reversed());
    return list;
  }
}
