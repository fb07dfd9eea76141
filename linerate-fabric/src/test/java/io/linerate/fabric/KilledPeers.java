package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.fabric.KilledPrograms.Stage;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Peers that are killed one after the other, all at the same address. */
final class KilledPeers implements KilledPrograms.Survivor {
  private static final int BYTES = 4096;
  private static final int WINDOW = 16;
  private static final int SHORT = 64;

  private final KilledPrograms programs;
  private final String provider;
  private final Station station;
  private final FabricAddress address;
  private RegionArena arena;
  private MemoryRegion memory;
  private @Nullable OperationStream stream;

  KilledPeers(String provider, KilledPrograms programs) {
    this.provider = provider;
    this.programs = programs;
    station = Station.listen(FabricAddresses.free(provider));
    address = FabricAddresses.free(provider);
    arena = station.side.domain.arena();
    memory = station.side.region(SHORT);
  }

  @Override
  public void survive(Stage stage, int operations) {
    try (OtherProgram program = programs.take()) {
      program.tell("listen", address);
      while (!program.hasSaid()) {
        station.idle(); // Providers learn of what is gone meanwhile.
      }
      program.hear("ready");
      newMemory();
      stream = null;
      LinkEnd end;
      if (stage == Stage.ASKING) {
        program.tell("connect", station.address);
        Supplier<LinkEnd> request = station.request();
        programs.kill(program, stage);
        program.awaitEnd();
        end = request.get();
      } else {
        end = bring(program, stage, operations);
        programs.kill(program, stage);
      }
      String what = provider + " " + stage;
      programs.told(what, new FailureSeen(station, end, stream).await(what));
      end(end);
    }
  }

  private LinkEnd bring(OtherProgram program, Stage stage, int operations) {
    LinkEnd end = station.ask(address);
    if (stage == Stage.ASKED) {
      return end.endpoint() instanceof Connection ? end : station.complete(end);
    }
    program.tell("accept");
    station.complete(end);
    program.hear("done");
    if (stage != Stage.ACCEPTED) {
      exchange(program, end);
      go(program, end, stage, operations);
    }
    return end;
  }

  /** Something, so that all is known to work, at the address where another one was killed, too. */
  private void exchange(OtherProgram program, LinkEnd end) {
    program.tell("echo", SHORT);
    Side.fill(memory.segment(), SHORT, 1);
    Descriptor descriptor = station.side.domain.descriptor().on(memory, 0, SHORT);
    end.complete(descriptor, () -> end.to().send(descriptor));
    memory.segment().fill((byte) 0);
    do { // What one before has sent may still be there.
      descriptor.on(memory);
      end.complete(descriptor, () -> end.endpoint().receive(descriptor));
    } while (descriptor.length() != SHORT);
    Side.assertPattern(memory.segment(), SHORT, 1);
    descriptor.close();
    program.hear("done");
  }

  private void go(OtherProgram program, LinkEnd end, Stage stage, int operations) {
    switch (stage) {
      case RECEIVING -> stream(program.tell("receive", BYTES), operations, end.to()::send);
      case SENDING -> stream(program.tell("send", BYTES), operations, end.endpoint()::receive);
      case TARGET -> {
        List<String> words = List.of(program.tell("target", BYTES).hear("region").split(" ", -1));
        RemoteRegion region = PeerProgram.region(words);
        program.hear("done");
        stream(program, operations, each -> end.to().write(each, region, 0));
      }
      case WRITING -> {
        RemoteRegion own = memory.publish();
        memory.segment().fill((byte) 1);
        program.tell("write", PeerProgram.text(own));
        Link.until(() -> {
          station.side.queue.progress();
          return memory.segment().get(ValueLayout.JAVA_BYTE, BYTES - 1) == 0;
        });
      }
      case ASLEEP -> program.tell("sleep").hear("sleep");
      default -> {
        // Idle.
      }
    }
  }

  private void stream(OtherProgram program, int operations, Predicate<Descriptor> post) {
    OperationStream made = new OperationStream(station.side, WINDOW, memory, post);
    stream = made;
    Link.until(() -> {
      made.post();
      int _ = station.side.queue.poll(station.side.completions);
      return made.completed() >= operations || made.error() != null;
    });
    assertThat(made.error()).isNull();
    assertThat(program.isAlive()).isTrue();
  }

  private void newMemory() {
    arena = station.side.domain.arena();
    memory = station.side.domain.register(arena.allocate(BYTES, SHORT), Access.values());
  }

  /** Nothing of it is under way any more, and all of it can be given back. */
  private void end(LinkEnd end) {
    OperationStream there = stream;
    if (there != null && end.endpoint() instanceof OpenEndpoint open) {
      there.cancel(open);
    }
    end.close();
    if (there != null) {
      Link.until(() -> {
        station.side.queue.progress();
        return there.underWay() == 0;
      });
      there.close();
    }
    if (!address
        .isSharedMemory()) { // It has what was for a lost peer until its endpoint is closed.
      arena.close();
    }
  }

  /** What killed peers have left goes when somebody takes their address. */
  @Override
  public void close() {
    station.close();
    Station.listen(address).close();
  }
}
