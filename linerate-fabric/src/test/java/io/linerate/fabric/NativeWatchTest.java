package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;

/** Native calls that do not return are told, and no others. */
class NativeWatchTest {
  @Test
  void shouldTellOfACallThatDoesNotReturnAndNotOfThoseThatDo() throws InterruptedException {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
    try (Link link = Link.open("shm", DomainOptions.DEFAULT);
        LogRecords records = new LogRecords(NativeWatch.class)) {
      Thread slow =
          Thread.ofPlatform()
              .name("slow")
              .start(() ->
                  NativeWatch.during(
                      FabricFunction.GETINFO, () -> records.awaitWarning() ? 0 : -1));
      while (slow.isAlive()) { // Always within one call or the other.
        link.left.queue.poll(link.left.completions);
        link.left.domain.register(link.left.arena.allocate(8)).close();
      }
      slow.join();
      assertThat(records.texts).hasSize(2);
      assertThat(records.texts.getFirst())
          .startsWith(
              "WARNING a native call of the fabric has not returned for 2 s: call=GETINFO, thread=slow; ");
      assertThat(records.texts.getLast())
          .isEqualTo("INFO a native call has returned after all: call=GETINFO, thread=slow");
    }
  }

  @Test
  void shouldTellWhereAThreadIsThatDoesNotReturnFromPolling() {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
    try (OtherProgram program = OtherProgram.start(HangingProgram.class)) {
      assertThat(program.hear("posted")).startsWith("0 ");
      assertThat(program.hear("WARNING: a native call of the fabric has not returned"))
          .startsWith("for 2 s: provider=shm, address=fabric:shm:lr-test-")
          .contains(", call=poll, thread=main; its thread stays there: ");
      program.kill();
      program.awaitEnd();
      for (int i = 1; i <= 2; i++) { // What it has left.
        Station.listen(FabricAddress.parse("shm:lr-test-%d-%d".formatted(program.pid(), i)))
            .close();
      }
    }
  }
}
