package io.linerate.bench.firewall;

import io.linerate.bench.port.OrderTaker;
import io.linerate.wire.classify.FlowBatch;
import io.linerate.wire.classify.FlowClassifier;
import io.linerate.wire.classify.FlowRule;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A program under measurement: finds the rules of one batch of flows after the other, without
 * packets. Arguments: {@link FlowRules which rules and how many}, a file of flows as {@link
 * FlowsBenchmark} writes it, flows in a batch.
 */
public final class FlowLoop {
  private static final int INTS = 4;

  private final FlowClassifier classifier;
  private final int[] flows;
  private final int burst;
  private final AtomicLong done = new AtomicLong();

  private FlowLoop(FlowClassifier classifier, int[] flows, int burst) {
    this.classifier = classifier;
    this.flows = flows;
    this.burst = burst;
  }

  public static void main(String[] arguments) throws IOException {
    List<FlowRule> rules = FlowRules.named(arguments[0]).rules(Integer.parseInt(arguments[1]));
    IntBuffer ints = ByteBuffer.wrap(Files.readAllBytes(Path.of(arguments[2]))).asIntBuffer();
    int[] flows = new int[ints.remaining()];
    ints.get(flows);
    FlowLoop loop =
        new FlowLoop(
            new FlowClassifier(rules, rules.size()), flows, Integer.parseInt(arguments[3]));
    OrderTaker.serve(loop::run, loop.done, loop::digest);
  }

  private void fill(FlowBatch batch, int at) {
    batch.clear();
    for (int i = at * INTS; i < (at + burst) * INTS; i += INTS) {
      batch.add(
          (long) flows[i] << Integer.SIZE | Integer.toUnsignedLong(flows[i + 1]),
          flows[i + 2],
          flows[i + 3]);
    }
  }

  private long digest() {
    FlowBatch batch = new FlowBatch(burst);
    long digest = 0;
    for (int at = 0; at < flows.length / INTS; at += burst) {
      fill(batch, at);
      classifier.match(batch);
      for (int i = 0; i < burst; i++) {
        digest = digest * 31 + batch.number(i);
      }
    }
    return digest;
  }

  private void run() {
    FlowBatch batch = new FlowBatch(burst);
    int last = flows.length / INTS - 1;
    int at = 0;
    for (long count = burst; ; count += burst) {
      fill(batch, at);
      classifier.match(batch);
      at = (at + burst) & last;
      done.setRelease(count);
    }
  }
}
