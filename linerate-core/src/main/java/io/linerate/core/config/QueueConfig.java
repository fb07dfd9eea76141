package io.linerate.core.config;

/**
 * Queues of ports, and how workers share them.
 *
 * @param perPort receive queues to ask each port for, 1 to 1,024; 0: one for each worker
 * @param order in which a worker that has several queues polls them
 * @param isBalanced whether queues move from busy workers to idle ones by themselves
 * @param maxWorkers workers that there may be at once, up to 128: ports have a transmit queue for
 *     each; 0: as many as at the start
 */
public record QueueConfig(int perPort, QueueOrder order, boolean isBalanced, int maxWorkers) {
  public static final QueueConfig DEFAULT = new QueueConfig(0, QueueOrder.ROUND_ROBIN, false, 0);

  /**
   * @throws ConfigException if a number is out of range
   */
  public QueueConfig {
    Bounds.require("queues", perPort, 0, 1_024);
    Bounds.require("maxworkers", maxWorkers, 0, 128);
  }

  public QueueConfig withPerPort(int perPort) {
    return new QueueConfig(perPort, order, isBalanced, maxWorkers);
  }

  public QueueConfig withOrder(QueueOrder order) {
    return new QueueConfig(perPort, order, isBalanced, maxWorkers);
  }

  public QueueConfig withBalanced(boolean isBalanced) {
    return new QueueConfig(perPort, order, isBalanced, maxWorkers);
  }

  public QueueConfig withMaxWorkers(int maxWorkers) {
    return new QueueConfig(perPort, order, isBalanced, maxWorkers);
  }
}
