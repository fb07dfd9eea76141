package io.linerate.apps.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a receiver may answer, and what is sent then. */
class SendPlanTest {
  private static final long SECOND_NS = 1_000_000_000L;
  private static final int EXTENT = TransferWire.EXTENT_SIZE;

  @TempDir Path folder;
  private long nowNs;

  private SentFile file(int number, String name, long size) throws IOException {
    Path path = folder.resolve(name);
    try (var file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(size);
    }
    long modifiedNs = Files.getLastModifiedTime(path).to(TimeUnit.NANOSECONDS);
    return new SentFile(number, path, name, false, size, modifiedNs, 0_644, Treatment.PLAIN);
  }

  private static SendPlan plan(SentFile... files) {
    return new SendPlan(List.of(files), Duration.ofSeconds(60));
  }

  private SendPlan.Sending sending(SendPlan plan) {
    return (SendPlan.Sending) plan.next(nowNs);
  }

  private void opened(SendPlan plan, SentFile file, long handle, int... has) {
    BitSet there = new BitSet();
    for (int one : has) {
      there.set(one);
    }
    plan.wanted(file.number, handle, there, nowNs);
  }

  @Test
  void shouldSendWhatTheReceiverLacks() throws IOException {
    SentFile file = file(0, "file", (3L * EXTENT) + 1);
    SendPlan plan = plan(file);
    assertThat(plan.next(nowNs)).isEqualTo(new SendPlan.Opening(file));
    opened(plan, file, 7, 0, 2);

    assertThat(sending(plan).extent()).isEqualTo(1);
    assertThat(sending(plan).extent()).isEqualTo(3);
    assertThat(plan.next(nowNs)).isNull();
    plan.extent(7, 1, true, nowNs);
    plan.extent(7, 3, true, nowNs);
    plan.file(7, true, "");
    assertThat(plan.isOver()).isTrue();
    assertThat(plan.problems()).isEmpty();
    assertThat(plan.bytesThere()).isEqualTo(2L * EXTENT);
  }

  /** An answer that was lost: with a session of streams that has begun anew. */
  @Test
  void shouldSendAgainWhatTheReceiverLacksForLong() throws IOException {
    SentFile file = file(0, "file", 10);
    SendPlan plan = plan(file);
    plan.next(nowNs);
    opened(plan, file, 7);
    SendPlan.Sending first = sending(plan);
    plan.sent(first, nowNs);
    SendPlan.Work next = null;
    for (int i = 0; i < 50 && !(next instanceof SendPlan.Sending); i++) {
      nowNs += SECOND_NS;
      next = plan.next(nowNs);
      if (next instanceof SendPlan.Opening) {
        opened(plan, file, 7);
      }
    }
    assertThat(next).isEqualTo(first);
  }

  @Test
  void shouldNotSendAgainWhatAWorkerIsAtHoweverSlow() throws IOException {
    SentFile file = file(0, "file", 10);
    SendPlan plan = plan(file);
    plan.next(nowNs);
    opened(plan, file, 7);
    SendPlan.Sending sending = sending(plan);
    for (int i = 0; i < 600; i++) {
      nowNs += SECOND_NS;
      assertThat(plan.next(nowNs)).isNull();
      assertThat(plan.isCurrent(sending)).isTrue();
    }
  }

  @Test
  void shouldEndWhenTheReceiverDoesNotAnswer() throws IOException {
    SendPlan plan = plan(file(0, "file", 10), file(1, "other", 10));
    for (int i = 0; i < 100 && !plan.isOver(); i++) {
      plan.next(nowNs);
      nowNs += SECOND_NS;
    }
    assertThat(plan.isOver()).isTrue();
    assertThat(plan.problems().getFirst()).startsWith("receiver does not answer: file=file");
    assertThat(plan.problems().getLast()).contains("not all was sent: files=2, left=2");
    plan.linkHasFailed();
    assertThat(plan.problems()).singleElement().asString().startsWith("not all was sent");
  }

  @Test
  void shouldWaitForABusyReceiverButNotForEver() throws IOException {
    SentFile file = file(0, "file", 10);
    SendPlan plan = plan(file);
    for (int i = 0; i < 100 && !plan.isOver(); i++) {
      if (plan.next(nowNs) instanceof SendPlan.Opening) {
        plan.busy(0, "another sender sends it", nowNs);
      }
      nowNs += SECOND_NS / 3;
      assertThat(i > 20 || !plan.isOver()).isTrue();
    }
    for (int i = 0; i < 200 && !plan.isOver(); i++) {
      if (plan.next(nowNs) instanceof SendPlan.Opening) {
        plan.busy(0, "another sender sends it", nowNs);
      }
      nowNs += SECOND_NS / 3;
    }
    assertThat(plan.problems())
        .containsExactly("receiver does not take a file: file=file, why=another sender sends it");
  }

  /** The first file is another sender's for 10 s, the second has work for minutes. */
  @Test
  void shouldAskAgainWhileOthersAreSent() throws IOException {
    SentFile busy = file(0, "busy", 10);
    SentFile other = file(1, "other", 1_000L * EXTENT);
    SendPlan plan = plan(busy, other);
    for (int i = 0; i < 900; i++) {
      nowNs += SECOND_NS / 10;
      SendPlan.Work work = plan.next(nowNs);
      plan.heard(nowNs);
      if (work instanceof SendPlan.Opening opening && opening.file() == busy) {
        if (nowNs < 10 * SECOND_NS) {
          plan.busy(0, "another sender sends it", nowNs);
        } else {
          plan.there(0);
        }
      } else if (work instanceof SendPlan.Opening) {
        opened(plan, other, 7);
      } else if (work instanceof SendPlan.Sending sending) {
        plan.sent(sending, nowNs);
        plan.extent(7, sending.extent(), true, nowNs);
      }
    }
    assertThat(plan.there()).isEqualTo(1);
    assertThat(plan.done()).isZero();
    assertThat(plan.problems()).hasSize(1).first().asString().contains("not all was sent");
  }

  @Test
  void shouldNotSendForEverToWhoWantsItAgainAndAgain() throws IOException {
    SentFile wrong = file(0, "wrong", 10);
    SentFile unknown = file(1, "unknown", 10);
    SentFile other = file(2, "other", 10);
    SendPlan plan = plan(wrong, unknown, other);
    int sent = 0;
    for (int i = 0; i < 10_000 && !plan.isOver(); i++) {
      SendPlan.Work work = plan.next(nowNs);
      nowNs += SECOND_NS;
      if (work instanceof SendPlan.Opening opening) {
        opened(plan, opening.file(), 1_000 + i);
      } else if (work instanceof SendPlan.Sending sending) {
        sent++;
        plan.sent(sending, nowNs);
        if (sending.file() == wrong) {
          plan.extent(sending.handle(), sending.extent(), false, nowNs);
        } else if (sending.file() == unknown) {
          plan.unknown(sending.handle());
        } else {
          opened(plan, other, 100_000 + i);
        }
      }
    }
    assertThat(plan.isOver()).isTrue();
    assertThat(plan.failed()).isEqualTo(3);
    assertThat(sent).isLessThan(400);
    assertThat(plan.problems().getFirst()).contains("receiver wants it again and again");
  }

  /** Answers of two flows overtake each other. */
  @Test
  void shouldHearWhyAFileHasFailedWhateverItHeardBefore() throws IOException {
    SentFile file = file(0, "file", 10);
    SendPlan plan = plan(file);
    plan.next(nowNs);
    opened(plan, file, 7);
    sending(plan);
    plan.unknown(7);
    plan.file(7, false, "No space left on device");

    assertThat(plan.isOver()).isTrue();
    assertThat(plan.problems())
        .containsExactly("receiver has not kept a file: file=file, why=No space left on device");
  }

  @Test
  void shouldSayThatAFileHasChangedWhileItWasSent() throws IOException {
    SentFile file = file(0, "file", 10);
    SendPlan plan = plan(file);
    plan.next(nowNs);
    opened(plan, file, 7);
    sending(plan);
    Files.setLastModifiedTime(file.path, FileTime.from(1, TimeUnit.DAYS));
    plan.file(7, true, "");

    assertThat(plan.problems())
        .containsExactly(
            "file has changed while it was sent: file=%s; send it again".formatted(file.path));
  }

  @Test
  void shouldNotReadALinkThatWasPutInPlaceOfAFile() throws IOException {
    SentFile file = file(0, "file", 10);
    Path secret = Files.writeString(folder.resolve("secret"), "0123456789");
    Files.delete(file.path);
    Files.createSymbolicLink(file.path, secret);
    SendPlan plan = plan(file);
    plan.next(nowNs);
    opened(plan, file, 7);

    assertThat(plan.failed()).isEqualTo(1);
    assertThat(plan.problems().getFirst()).startsWith("cannot be read: file=");
  }

  @Test
  void shouldSayTheSameOfAPipeBeforeItsEndAndBehind() throws Exception {
    SentFile file = new SentFile(0, Path.of("-"), "pipe", false, -1, 0, 0_644, Treatment.PLAIN);
    SendPlan plan = plan(file);
    FileFacts before = file.facts;
    PipeContent pipe =
        new PipeContent(
            new ByteArrayInputStream(new byte[1_000]), EXTENT, () -> plan.giveExtents(file));
    file.content = pipe;
    plan.next(nowNs);
    opened(plan, file, 7);
    pipe.start();
    SendPlan.Work work = plan.next(nowNs);
    while (!(work instanceof SendPlan.Ending)) {
      if (work instanceof SendPlan.Sending sending) {
        plan.sent(sending, nowNs);
      }
      Thread.sleep(1);
      work = plan.next(nowNs);
    }
    assertThat(file.size).isEqualTo(1_000);
    assertThat(file.facts).isEqualTo(before);
    assertThat(file.facts.size()).isEqualTo(TransferWire.UNKNOWN_SIZE);
  }

  @Test
  void shouldTakeAnyAnswer() throws IOException {
    SentFile file = file(0, "file", 10);
    SendPlan plan = plan(file);
    plan.next(nowNs);
    opened(plan, file, 7, 0, 1, 5, 1_000_000);
    opened(plan, file, 7, 3, 1_000_000);
    opened(plan, file, 8, 0, 2);
    opened(plan, file, 7);
    for (int extent : List.of(-1, 0, 1, Integer.MAX_VALUE, Integer.MIN_VALUE)) {
      plan.extent(7, extent, true, nowNs);
      plan.extent(8, extent, true, nowNs);
      plan.extent(9, extent, false, nowNs);
    }
    plan.there(5);
    plan.refused(-1, "");
    plan.busy(9, "", nowNs);
    plan.unknown(99);
    plan.file(99, false, "");
    assertThat(plan.sentBytes() + plan.bytesThere()).isEqualTo(10);
    plan.file(8, true, "");
    assertThat(plan.isOver()).isTrue();
    assertThat(plan.done()).isEqualTo(1);
  }

  @Test
  void shouldCountFilesAloneAndApartWhatWasThere() throws IOException {
    SentFile directory = new SentFile(0, folder, "directory", true, 0, 0, 0_755, Treatment.PLAIN);
    SentFile there = file(1, "there", 10);
    SentFile sent = file(2, "sent", EXTENT + 5L);
    SendPlan plan = plan(directory, there, sent);
    for (int i = 0; i < 3; i++) {
      plan.next(nowNs);
    }
    plan.there(0);
    plan.there(1);
    opened(plan, sent, 7, 0);
    SendPlan.Sending rest = sending(plan);
    plan.sent(rest, nowNs);
    plan.extent(7, 1, true, nowNs);
    plan.file(7, true, "");
    assertThat(plan.isOver()).isTrue();
    assertThat(plan.problems()).isEmpty();
    assertThat(plan.files()).isEqualTo(2);
    assertThat(plan.there()).isEqualTo(1);
    assertThat(plan.done()).isEqualTo(1);
    assertThat(plan.bytesThere()).isEqualTo(EXTENT + 10L);
    assertThat(plan.sentBytes()).isEqualTo(5);
  }

  @Test
  void shouldTellHowFarItIsWithinAnExtentWithoutWhatWasThere() throws IOException {
    SentFile file = file(0, "file", 2L * EXTENT);
    SendPlan plan = plan(file);
    plan.next(nowNs);
    opened(plan, file, 7, 0);
    SendPlan.Sending sending = sending(plan);
    SendProgress progress = new SendProgress(plan);
    plan.sentPart(sending, EXTENT / 4);
    assertThat(progress.bar(SECOND_NS))
        .as("too early to tell")
        .isEqualTo("[###############.........]  62 %, 21.0 MB of 33.6 MB");
    plan.sentPart(sending, EXTENT / 4);
    assertThat(progress.bar(5 * SECOND_NS))
        .isEqualTo("[##################......]  75 %, 8 s left, 25.2 MB of 33.6 MB, 1.05 MB/s");
    assertThat(progress.line(4 * SECOND_NS))
        .isEqualTo("0 of 1 files, 25.2 MB of 33.6 MB, 2.10 MB/s");

    plan.sent(sending, nowNs);
    plan.extent(7, 1, false, nowNs);
    assertThat(plan.movedBytes()).as("what is to be sent again").isZero();
    plan.sentPart(sending(plan), EXTENT);
    plan.extent(7, 1, true, nowNs);
    assertThat(plan.movedBytes()).isEqualTo(EXTENT);
    assertThat(plan.leftBytes()).isZero();
  }
}
