package io.linerate.core.worker;

/** The receive queues that a worker has at the moment, as a {@link QueueChoice} sees them. */
public final class PolledQueues {
  private final int burst;
  private Input[] inputs = new Input[0];

  /**
   * @param burst packets that a queue is asked for
   */
  PolledQueues(int burst) {
    this.burst = burst;
  }

  void show(Input[] inputs) {
    this.inputs = inputs;
  }

  public int count() {
    return inputs.length;
  }

  /** Packets that a queue is asked for. */
  public int burst() {
    return burst;
  }

  /** Packets that the last poll of a queue brought. */
  public int lastBurst(int index) {
    return inputs[index].lastBurst;
  }

  /**
   * Packets that wait in a queue. What the last poll brought, where the port does not know: a queue
   * that brought a full burst has more.
   */
  public int waiting(int index) {
    int waiting = inputs[index].queue.waiting();
    return waiting < 0 ? inputs[index].lastBurst : waiting;
  }

  /** Name of a queue's port. */
  public String port(int index) {
    return inputs[index].portName;
  }

  /** Number that a queue has at its port. */
  public int queue(int index) {
    return inputs[index].index;
  }
}
