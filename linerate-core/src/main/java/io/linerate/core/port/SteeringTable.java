package io.linerate.core.port;

import io.linerate.core.config.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The rules of a port whose driver is given all of them whenever one changes. Any thread.
 *
 * <p>For drivers.
 */
public final class SteeringTable implements FlowSteering {
  private final String port;
  private final int queues;
  private final Consumer<List<SteeringRule>> install;
  private volatile List<SteeringRule> rules = List.of();
  private boolean isClosed;

  /**
   * @param port name of the port in messages
   * @param queues receive queues that it has
   * @param install puts rules in force in place of those before, or throws and changes nothing
   */
  public SteeringTable(String port, int queues, Consumer<List<SteeringRule>> install) {
    this.port = port;
    this.queues = queues;
    this.install = install;
  }

  @Override
  public List<SteeringRule> rules() {
    return rules;
  }

  @Override
  public synchronized void add(SteeringRule rule) {
    requireRoom(port, queues, rules, rule);
    List<SteeringRule> next = new ArrayList<>(rules);
    next.add(rule);
    change(next);
  }

  @Override
  public synchronized boolean remove(SteeringRule rule) {
    List<SteeringRule> next = new ArrayList<>(rules);
    boolean isThere = next.remove(rule);
    if (isThere) {
      change(next);
    }
    return isThere;
  }

  private void change(List<SteeringRule> next) {
    if (isClosed) {
      throw new IllegalStateException("port is closed: port=" + port + "; open another");
    }
    install.accept(List.copyOf(next));
    rules = List.copyOf(next);
  }

  /** Rules change no more: what they would be given to is gone. */
  public synchronized void close() {
    isClosed = true;
  }

  /**
   * Refuses a rule that no port of so many queues can have beside others.
   *
   * @throws ConfigException as {@link FlowSteering#add} says
   */
  public static void requireRoom(
      String port, int queues, List<SteeringRule> rules, SteeringRule rule) {
    if (rule.queue() >= queues) {
      throw new ConfigException(
          "port has no such receive queue: port=%s, rule=%s, queues=%d; name a queue from 0 to %d"
              .formatted(port, rule, queues, queues - 1));
    }
    if (rules.contains(rule)) {
      throw new ConfigException(
          "port has the steering rule already: port=%s, rule=%s; leave it out"
              .formatted(port, rule));
    }
    if (rules.size() == MOST_RULES) {
      throw new ConfigException(
          "port has no room for another steering rule: port=%s, rule=%s, rules=%d; remove one"
              .formatted(port, rule, MOST_RULES));
    }
  }
}
