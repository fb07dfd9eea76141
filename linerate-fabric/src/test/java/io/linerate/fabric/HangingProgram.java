package io.linerate.fabric;

import java.lang.foreign.Arena;

/**
 * Does not return from polling: shm copies a message of more than 4 KiB in an endless loop into
 * memory that is too short, where no {@link Spill} is behind it, which endpoints see to.
 */
final class HangingProgram {
  private static final int SHORT = 100;
  private static final int LONG = 8192;

  private HangingProgram() {}

  public static void main(String[] arguments) {
    Commands commands = new Commands(); // It ends with its test.
    Link link = Link.open("shm", DomainOptions.DEFAULT);
    long bytes = WorkLayout.BYTES;
    Work work = new Work(Arena.global().allocate(bytes, Long.BYTES).address());
    MemoryRegion into = link.right.region(SHORT);
    work.operation(Operation.RECEIVE, 1, 0, null);
    work.segment(0, into.segment().address(), SHORT, into);
    long result =
        FabricLibrary.post(link.right.domain.calls(), link.rightEndpoint.handle(), work.address());
    Descriptor send = link.left.domain.descriptor().on(link.left.region(LONG));
    link.post(() -> link.toRight().send(send));
    Commands.say("posted", result, commands.isEmpty());
    while (true) {
      link.progress();
    }
  }
}
