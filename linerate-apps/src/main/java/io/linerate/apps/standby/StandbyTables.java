package io.linerate.apps.standby;

import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.replication.Primary;
import io.linerate.fabric.replication.TableLayout;
import io.linerate.fabric.replication.ReplicatedTable;
import io.linerate.middlebox.standby.TableCopies;
import io.linerate.program.run.Console;
import io.linerate.track.ConnectionChanges;
import io.linerate.track.ConnectionRecords;
import io.linerate.track.ConnectionTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntConsumer;

/**
 * The connections of the workers of a program that works: it begins with those of the one before,
 * and a standby gets copies of all that change.
 */
public final class StandbyTables implements TableCopies, AutoCloseable {
  /** Connections that are passed on in a step at most, each some 100 ns. */
  private static final int MOST = 256;

  /** Of those that only count packets, in a step: 1,000 a second and more are passed on again. */
  private static final int REFRESHED = 1;

  private final Primary primary;
  private final Inheritance inheritance;
  private final int connections;
  private final AtomicIntegerArray begun;

  private StandbyTables(Primary primary, Inheritance inheritance, TableLayout layout) {
    this.primary = primary;
    this.inheritance = inheritance;
    connections = layout.records();
    begun = new AtomicIntegerArray(layout.tables());
  }

  /** What the tables of a program look like to others. */
  static TableLayout layout(String program, int workers, int connections) {
    return new TableLayout(
        program + ", connections " + ConnectionRecords.VERSION,
        workers,
        connections,
        ConnectionRecords.IMAGE_WORDS);
  }

  /** Those of the primary at an address; empty if somebody else is. */
  static Optional<StandbyTables> open(
      FabricAddress address, TableLayout layout, Inheritance inheritance, Console console) {
    return Primary.open(address, layout, inheritance.note(), console::say)
        .map(primary -> new StandbyTables(primary, inheritance, layout));
  }

  /** Where flows have their workers from: as those before had it. */
  public long seed() {
    return inheritance.seed();
  }

  @Override
  public Optional<Copy> begin(int worker, ConnectionTable table, long nowNs, IntConsumer restored) {
    ReplicatedTable copy = primary.table(worker);
    boolean isFirst = begun.getAndSet(worker, 1) == 0;
    if (isFirst) {
      for (long[] image : inheritance.take(worker)) {
        int number = table.restore(image, nowNs);
        if (number != ConnectionTable.NONE) {
          restored.accept(number);
        }
      }
    }
    WorkerCopy made = new WorkerCopy(table, copy);
    if (!isFirst) { // Instead of what the element before had.
      made.clear(connections);
    }
    return Optional.of(made);
  }

  /** Of a worker: its thread writes. */
  private static final class WorkerCopy implements Copy {
    private final ConnectionRecords records;
    private final ConnectionChanges changes;
    private final ReplicatedTable copy;
    private final long[] image = new long[ConnectionRecords.IMAGE_WORDS];

    WorkerCopy(ConnectionTable table, ReplicatedTable copy) {
      records = table.records();
      changes = table.changes();
      this.copy = copy;
    }

    void clear(int connections) {
      for (int number = 0; number < connections; number++) {
        copy.write(number, image);
      }
    }

    @Override
    public void step(long nowNs) {
      changes.refresh(REFRESHED);
      for (int i = 0; i < MOST && changes.count() > 0; i++) {
        int number = changes.take();
        records.write(number, nowNs, image);
        copy.write(number, image);
      }
    }
  }

  @Override
  public void close() {
    primary.close();
  }

  /** What the primary leaves to the next. */
  static final class Inheritance {
    private final long seed;
    private final List<List<long[]>> images = new ArrayList<>();

    Inheritance(long seed, int workers) {
      this.seed = seed;
      for (int i = 0; i < workers; i++) {
        images.add(new ArrayList<>());
      }
    }

    void add(int worker, long[] image) {
      images.get(worker).add(image.clone());
    }

    int size() {
      return images.stream().mapToInt(List::size).sum();
    }

    long seed() {
      return seed;
    }

    byte[] note() {
      return java.nio.ByteBuffer.allocate(Long.BYTES).putLong(seed).array();
    }

    synchronized List<long[]> take(int worker) {
      List<long[]> taken = images.get(worker);
      images.set(worker, List.of());
      return taken;
    }
  }
}
