package io.linerate.apps.standby;

import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.replication.Primary;
import io.linerate.fabric.replication.ReplicatedTable;
import io.linerate.fabric.replication.TableLayout;
import io.linerate.middlebox.standby.TableHandover;
import io.linerate.program.run.Console;
import io.linerate.track.ConnectionChanges;
import io.linerate.track.ConnectionImage;
import io.linerate.track.ConnectionRecords;
import io.linerate.track.ConnectionTable;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntConsumer;

/**
 * The connections of the workers of a program that works: it begins with those of the one before,
 * and a standby gets copies of all that change.
 */
public final class StandbyTables implements TableHandover, AutoCloseable {
  /** Connections that are passed on in a step at most, each some 100 ns. */
  private static final int MOST = 256;

  /** Of those that only count packets, in a step: 1,000 a second and more are passed on again. */
  private static final int REFRESHED = 1;

  private final Optional<Primary> primary;
  private final RestoredConnections restored;
  private final int connections;
  private final AtomicIntegerArray begun;

  private StandbyTables(
      Optional<Primary> primary, RestoredConnections restored, TableLayout layout) {
    this.primary = primary;
    this.restored = restored;
    connections = layout.records();
    begun = new AtomicIntegerArray(layout.tables());
  }

  /** What the tables of a program look like to others. */
  static TableLayout layout(String program, int workers, int connections) {
    return new TableLayout(
        program + ", connections " + ConnectionRecords.VERSION,
        workers,
        connections,
        ConnectionImage.WORDS);
  }

  /**
   * Those of the primary at an address; empty if somebody else is that.
   *
   * @param lost as of {@link Primary#open}
   */
  static Optional<StandbyTables> open(
      FabricAddress address,
      TableLayout layout,
      RestoredConnections restored,
      Console console,
      Runnable lost) {
    return Primary.open(address, layout, restored.note(), console::say, lost)
        .map(primary -> new StandbyTables(Optional.of(primary), restored, layout));
  }

  /** Those of a program that nobody can be the standby of. */
  static StandbyTables alone(RestoredConnections restored, TableLayout layout) {
    return new StandbyTables(Optional.empty(), restored, layout);
  }

  /** Where flows have their workers from: as those before had it. */
  public long seed() {
    return restored.seed();
  }

  /** Why nothing can be copied any more; empty while all can. */
  List<String> failures() {
    return primary.flatMap(Primary::failure).stream().toList();
  }

  @Override
  public Optional<Copy> restoreAndCopy(
      int worker, ConnectionTable table, long nowNs, IntConsumer added) {
    boolean isFirst = begun.getAndSet(worker, 1) == 0;
    if (isFirst) {
      for (long[] image : restored.take(worker)) {
        int number = table.restore(image, nowNs);
        if (number != ConnectionTable.NONE) {
          added.accept(number);
        }
      }
    }
    return primary.map(some -> copy(table, some.table(worker), isFirst));
  }

  private Copy copy(ConnectionTable table, ReplicatedTable copy, boolean isFirst) {
    WorkerCopy made = new WorkerCopy(table, copy);
    if (!isFirst) { // Instead of what the element before had.
      made.clear(connections);
    }
    return made;
  }

  /** Of a worker: its thread writes. */
  private static final class WorkerCopy implements Copy {
    private final ConnectionRecords records;
    private final ConnectionChanges changes;
    private final ReplicatedTable copy;
    private final long[] image = new long[ConnectionImage.WORDS];

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
        ConnectionImage.write(records, number, nowNs, image);
        copy.write(number, image);
      }
    }
  }

  @Override
  public void close() {
    primary.ifPresent(Primary::close);
  }
}
