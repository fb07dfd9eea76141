package io.linerate.apps.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import io.linerate.testkit.Soak;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What senders may say, and what becomes of it in the directory. */
class IncomingTest {
  private static final int EXTENT = TransferWire.EXTENT_SIZE;
  private static final long MODIFIED_NS = 1_700_000_000_123_456_789L;

  @TempDir Path folder;
  private Path into;
  private Incoming incoming;
  private final List<String> said = new ArrayList<>();
  private long nowNs;

  @BeforeEach
  void openIt() throws IOException {
    into = Files.createDirectory(folder.resolve("in"));
    incoming = new Incoming(into, (_, text) -> said.add(text));
    incoming.open();
  }

  @AfterEach
  void closeIt() {
    incoming.close();
  }

  private static FileFacts facts(String name, long size) {
    return new FileFacts(name, size, MODIFIED_NS, 0_640, TransferWire.extentSize(size), false);
  }

  private Incoming.Answer open(String name, long size, long transfer) {
    return incoming.open(facts(name, size), transfer, false, nowNs);
  }

  private ReceivedFile wanted(String name, long size, long transfer) {
    return ((Incoming.Wanted) open(name, size, transfer)).file();
  }

  private static byte[] content(int bytes, long seed) {
    byte[] content = new byte[bytes];
    new Random(seed).nextBytes(content);
    return content;
  }

  private static byte[] sha(byte[] content, int from, int count) {
    MessageDigest digest = TransferWire.digest();
    digest.update(content, from, count);
    return digest.digest();
  }

  private static ReceivedFile.Fate chunk(ReceivedFile file, byte[] content, int at)
      throws IOException {
    int count = Math.min(TransferWire.CHUNK_SIZE, content.length - at);
    return file.write(at, ByteBuffer.wrap(content, at, count), sha(content, at, count));
  }

  private static ReceivedFile.Fate complete(ReceivedFile file, byte[] content, int extent)
      throws IOException {
    int begin = extent * EXTENT;
    int end = Math.min(content.length, begin + EXTENT);
    MessageDigest all = TransferWire.digest();
    for (int at = begin; at < end; at += TransferWire.CHUNK_SIZE) {
      all.update(sha(content, at, Math.min(TransferWire.CHUNK_SIZE, end - at)));
    }
    return file.complete(extent, end - begin, all.digest());
  }

  private static void sendExtent(ReceivedFile file, byte[] content, int extent) throws IOException {
    for (int at = extent * EXTENT;
        at < Math.min(content.length, (extent + 1) * EXTENT);
        at += TransferWire.CHUNK_SIZE) {
      chunk(file, content, at);
    }
    assertThat(complete(file, content, extent)).isEqualTo(ReceivedFile.Fate.RIGHT);
  }

  private void closeAndOpen() {
    incoming.close();
    incoming = new Incoming(into, (_, text) -> said.add(text));
    incoming.open();
  }

  @Test
  void shouldRefuseNamesThatLeadElsewhere() throws IOException {
    Files.createDirectory(folder.resolve("outside"));
    Files.createSymbolicLink(into.resolve("link"), folder.resolve("outside"));
    Files.createSymbolicLink(into.resolve("file"), folder.resolve("outside/file"));
    Files.createDirectory(into.resolve("directory"));
    for (String name :
        List.of(
            "",
            "/etc/passwd",
            "..",
            "../outside/file",
            "a/../../outside/file",
            "a/../b",
            "./a",
            "a//b",
            "a/",
            "nul\0",
            ".linerate-receive",
            ".linerate-receive/lock",
            "link/file",
            "file",
            "link",
            "directory",
            "long".repeat(64),
            "deep/" + "long".repeat(64))) {
      assertThat(open(name, 10, 1)).as(name).isInstanceOf(Incoming.Refused.class);
    }
    for (String name : List.of("..", "link", "link/deep", "/tmp/x", ".linerate-receive/x")) {
      assertThat(incoming.open(facts(name, 0), 1, true, 0))
          .as(name)
          .isInstanceOf(Incoming.Refused.class);
    }
    assertThat(folder.resolve("outside")).isEmptyDirectory();
  }

  @Test
  void shouldNotFollowALinkThatIsPutThereWhileAFileComes() throws IOException {
    Path outside = Files.createDirectory(folder.resolve("outside"));
    byte[] content = content(1_000, 1);
    ReceivedFile file = wanted("deep/file", content.length, 1);
    sendExtent(file, content, 0);
    Files.delete(into.resolve("deep"));
    Files.createSymbolicLink(into.resolve("deep"), outside);

    assertThatThrownBy(() -> incoming.finish(file)).isInstanceOf(IOException.class);
    assertThat(outside).isEmptyDirectory();
  }

  @Test
  void shouldWriteThroughNoLinkAmongItsParts() throws IOException {
    incoming.close();
    Path outside = Files.createDirectory(folder.resolve("outside"));
    Files.createSymbolicLink(into.resolve(".linerate-receive"), outside);
    incoming = new Incoming(into, (_, text) -> said.add(text));

    assertThatThrownBy(incoming::open)
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("directory for what is not whole cannot be had");
    assertThat(outside).isEmptyDirectory();
  }

  @Test
  void shouldKeepPartsToItself() throws IOException {
    wanted("file", 10, 1);
    Path parts = into.resolve(".linerate-receive");

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(parts)))
        .isEqualTo("rwx------");
    try (var all = Files.list(parts)) {
      assertThat(all)
          .allSatisfy(one ->
              assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(one)))
                  .isEqualTo("rw-------"));
    }
    assertThatThrownBy(() -> new Incoming(into, (_, text) -> said.add(text)).open())
        .hasMessageContaining("another linerate receive puts files there");
  }

  @Test
  void shouldTakeTheLockOfAReceiverThatWasKilled() throws IOException {
    incoming.close();
    Path parts = Files.createDirectory(into.resolve(".linerate-receive"));
    Files.write(parts.resolve("lock"), new byte[1]);
    try (var lock = new RandomAccessFile(parts.resolve("lock").toFile(), "rw")) {
      lock.setLength(1L << 40);
    }
    Files.writeString(parts.resolve("0123.part"), "of which nothing is known");
    incoming = new Incoming(into, (_, text) -> said.add(text));
    incoming.open();
    assertThat(parts.toFile().list()).containsExactly("lock");
  }

  @Test
  void shouldTakeChunksInAnyOrder() throws IOException {
    byte[] content = content(EXTENT + 1_000_000, 1);
    ReceivedFile file = wanted("file", content.length, 1);
    List<Integer> places = new ArrayList<>();
    for (int at = 0; at < content.length; at += TransferWire.CHUNK_SIZE) {
      places.add(at);
    }
    Collections.shuffle(places, new Random(1));
    assertThat(complete(file, content, 1)).isEqualTo(ReceivedFile.Fate.TAKEN);
    int right = 0;
    for (int at : places) {
      right += chunk(file, content, at) == ReceivedFile.Fate.RIGHT ? 1 : 0;
    }
    assertThat(right).isEqualTo(1);
    assertThat(complete(file, content, 0)).isEqualTo(ReceivedFile.Fate.RIGHT);

    assertThat(incoming.finish(file)).isTrue();
    Path there = into.resolve("file");
    assertThat(Files.readAllBytes(there)).isEqualTo(content);
    assertThat(Files.getLastModifiedTime(there))
        .isEqualTo(FileTime.from(MODIFIED_NS, TimeUnit.NANOSECONDS));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(there)))
        .isEqualTo("rw-r-----");
  }

  @Test
  void shouldGiveFilesTheirTimeWhoseModeForbidsToReadThem() throws IOException {
    FileFacts facts = new FileFacts("file", 0, MODIFIED_NS, 0, EXTENT, false);
    ReceivedFile file = ((Incoming.Wanted) incoming.open(facts, 1, false, 0)).file();

    assertThat(incoming.finish(file)).isTrue();
    assertThat(Files.getLastModifiedTime(into.resolve("file")).to(TimeUnit.NANOSECONDS))
        .isEqualTo(MODIFIED_NS);
  }

  @Test
  void shouldNotWriteToWhatIsRight() throws IOException {
    byte[] content = content(EXTENT + 10, 1);
    byte[] other = content(EXTENT + 10, 2);
    ReceivedFile file = wanted("file", content.length, 1);
    sendExtent(file, content, 0);
    assertThat(chunk(file, other, 0)).isEqualTo(ReceivedFile.Fate.TAKEN);
    sendExtent(file, content, 1);

    assertThat(incoming.finish(file)).isTrue();
    assertThat(Files.readAllBytes(into.resolve("file"))).isEqualTo(content);
  }

  @Test
  void shouldWantAnExtentAgainThatIsNotWhatWasSent() throws IOException {
    byte[] content = content(300_000, 1);
    ReceivedFile file = wanted("file", content.length, 1);
    byte[] damaged = content.clone();
    damaged[200_000]++;
    for (int at = 0; at < content.length; at += TransferWire.CHUNK_SIZE) {
      chunk(file, damaged, at);
    }
    assertThat(complete(file, content, 0)).isEqualTo(ReceivedFile.Fate.WRONG);

    sendExtent(file, content, 0);
    assertThat(incoming.finish(file)).isTrue();
    assertThat(Files.readAllBytes(into.resolve("file"))).isEqualTo(content);
  }

  @Test
  void shouldGoOnByWholeExtents() throws IOException {
    byte[] content = content((2 * EXTENT) + 10, 1);
    ReceivedFile file = wanted("file", content.length, 1);
    sendExtent(file, content, 1);
    chunk(file, content, 0);
    closeAndOpen();
    file = wanted("file", content.length, 2);
    assertThat(file.extents().stream()).containsExactly(1);
    sendExtent(file, content, 0);
    sendExtent(file, content, 2);

    assertThat(incoming.finish(file)).isTrue();
    assertThat(Files.readAllBytes(into.resolve("file"))).isEqualTo(content);
    incoming.close();
    assertThat(into.resolve(".linerate-receive")).doesNotExist();
  }

  @Test
  @Tag("sampled")
  void shouldBelieveNoJournalThatIsNotItsOwn() throws IOException {
    byte[] content = content((2 * EXTENT) + 10, 1);
    ReceivedFile file = wanted("file", content.length, 1);
    sendExtent(file, content, 0);
    incoming.close();
    Path journal;
    try (var all = Files.list(into.resolve(".linerate-receive"))) {
      journal = all.filter(one -> one.toString().endsWith(".journal")).findFirst().orElseThrow();
    }
    byte[] good = Files.readAllBytes(journal);
    Path part = Path.of(journal.toString().replace(".journal", ".part"));
    byte[] begun = Files.readAllBytes(part);
    Random random = new Random(Soak.seed(1));
    for (int i = 0; i < Soak.times(100, 1_000); i++) {
      byte[] bad = good.clone();
      boolean isCut = random.nextBoolean();
      if (isCut) {
        bad = Arrays.copyOf(bad, random.nextInt(good.length));
      } else {
        // In front of the numbers, which have none that lies.
        bad[random.nextInt(good.length - Integer.BYTES)] ^= (byte) (1 << random.nextInt(8));
      }
      Files.createDirectories(journal.getParent());
      Files.write(journal, bad);
      Files.write(part, begun);
      incoming = new Incoming(into, (_, text) -> said.add(text));
      incoming.open();
      assertThat(wanted("file", content.length, 2).extents().isEmpty()).isTrue();
      incoming.close();
    }
    Files.createDirectories(journal.getParent());
    Files.write(journal, good);
    Files.write(part, new byte[0]);
    incoming = new Incoming(into, (_, text) -> said.add(text));
    incoming.open();
    assertThat(wanted("file", content.length, 2).extents().isEmpty()).isTrue();
  }

  @Test
  void shouldSayWhatCannotBe() throws IOException {
    ReceivedFile file = wanted("file", 300_000, 1);
    byte[] digest = new byte[TransferWire.DIGEST_BYTES];
    ByteBuffer some = ByteBuffer.allocate(10);
    int most = TransferWire.CHUNK_SIZE;
    for (long offset :
        List.of(-1L, Long.MIN_VALUE, Long.MAX_VALUE, 1L, 299_991L, (long) EXTENT, 1L << 55)) {
      assertThat(file.write(offset, some.duplicate(), digest))
          .as("offset=%d", offset)
          .isEqualTo(ReceivedFile.Fate.UNSOUND);
    }
    assertThat(file.write(2L * most, ByteBuffer.allocate(most), digest))
        .isEqualTo(ReceivedFile.Fate.UNSOUND);
    for (int extent : List.of(-1, 1, Integer.MAX_VALUE, Integer.MIN_VALUE)) {
      assertThat(file.complete(extent, 300_000, digest)).isEqualTo(ReceivedFile.Fate.UNSOUND);
    }
    assertThat(file.complete(0, 299_999, digest)).isEqualTo(ReceivedFile.Fate.UNSOUND);

    ReceivedFile pipe = wanted("pipe", TransferWire.UNKNOWN_SIZE, 1);
    for (long offset : List.of(1L << 43, 1L << 55, Long.MAX_VALUE - most)) {
      assertThat(pipe.write(offset / most * most, some.duplicate(), digest))
          .isEqualTo(ReceivedFile.Fate.UNSOUND);
    }
    assertThat(pipe.complete(Integer.MAX_VALUE, 10, digest)).isEqualTo(ReceivedFile.Fate.UNSOUND);
  }

  @Test
  void shouldKeepMemoryBoundedWhenNothingIsCompleted() throws IOException {
    ReceivedFile file = wanted("file", TransferWire.MOST_SIZE, 1);
    ByteBuffer some = ByteBuffer.allocate(10);
    byte[] digest = new byte[TransferWire.DIGEST_BYTES];
    int size = file.facts.extentSize();
    for (int i = 0; i < 1_000; i++) {
      file.write((long) i * size, some.duplicate(), digest);
    }
    assertThat(file.complete(999, size, digest)).isEqualTo(ReceivedFile.Fate.WRONG);
    assertThat(file.extents().isEmpty()).isTrue();
  }

  @Test
  void shouldLetASenderGoOnThatAnotherWorkerHasSpokenFor() {
    ReceivedFile file = wanted("file", 10, 1);
    assertThat(wanted("file", 10, 1)).isSameAs(file);
  }

  @Test
  void shouldHaveTheSecondSenderOfANameWait() throws IOException {
    byte[] content = content(10, 1);
    ReceivedFile first = wanted("file", 10, 1);
    assertThat(open("file", 10, 2)).isInstanceOf(Incoming.Busy.class);
    nowNs += TimeUnit.SECONDS.toNanos(11);
    ReceivedFile second = wanted("file", 10, 2);

    // What the first one still says does the second no harm.
    assertThat(chunk(first, content, 0)).isEqualTo(ReceivedFile.Fate.TAKEN);
    assertThat(incoming.fail(first, new IOException("closed"))).isEmpty();
    sendExtent(second, content, 0);
    assertThat(incoming.finish(second)).isTrue();
    assertThat(Files.readAllBytes(into.resolve("file"))).isEqualTo(content);
  }

  @Test
  void shouldLetGoOfFilesWhoseSendersAreSilentWhenThereAreTooMany() {
    for (int i = 0; i < 1_024; i++) {
      wanted("file" + i, 10, 1);
    }
    assertThat(open("more", 10, 2)).isInstanceOf(Incoming.Busy.class);
    nowNs += TimeUnit.SECONDS.toNanos(11);
    wanted("more", 10, 2);
  }

  /** Each worker of a sender asks by streams of its own. */
  @Test
  void shouldBeOverWhenOneSenderIsWhateverComesLate() {
    ReceivedFile left = wanted("left", 10, 1);
    ReceivedFile file = wanted("pipe", TransferWire.UNKNOWN_SIZE, 2);
    incoming.over(2, nowNs);

    assertThat(incoming.isOver()).isTrue();
    assertThat(incoming.find(file.handle)).isEmpty();
    assertThat(incoming.find(left.handle)).isPresent();
    assertThat(open("pipe", TransferWire.UNKNOWN_SIZE, 2)).isInstanceOf(Incoming.Refused.class);
    wanted("pipe", TransferWire.UNKNOWN_SIZE, 3);
  }

  @Test
  void shouldNotEndBecauseOfWhoHasSentNothing() {
    incoming.over(7, nowNs);
    assertThat(incoming.isOver()).isFalse();
    open("file", 10, 7);
    open("other", 10, 8);
    incoming.over(7, nowNs);
    assertThat(incoming.isOver()).isTrue();
    assertThat(incoming.mayEnd(nowNs)).as("another is at work").isFalse();
    assertThat(incoming.mayEnd(nowNs + TimeUnit.SECONDS.toNanos(11))).isTrue();
  }

  @Test
  void shouldHaveRoomAgainWhenSendersThatHaveTakenAllOfItAreSilent() throws IOException {
    ByteBuffer some = ByteBuffer.allocate(1);
    byte[] digest = new byte[TransferWire.DIGEST_BYTES];
    for (int i = 0; i < 4; i++) {
      ReceivedFile file = wanted("large" + i, TransferWire.MOST_SIZE, 1);
      for (int extent = 0; extent < 64; extent++) {
        file.write((long) extent * file.facts.extentSize(), some.duplicate(), digest);
      }
    }
    byte[] content = content(10, 1);
    ReceivedFile file = wanted("file", 10, 2);
    assertThat(chunk(file, content, 0)).isEqualTo(ReceivedFile.Fate.TAKEN);
    assertThat(file.complete(0, 10, digest)).isEqualTo(ReceivedFile.Fate.WRONG);
    nowNs += TimeUnit.SECONDS.toNanos(11);
    file.use(nowNs);
    incoming.relieve(nowNs);
    sendExtent(file, content, 0);
    assertThat(incoming.finish(file)).isTrue();
  }

  @Test
  void shouldRefuseNamesThatAreTooDeep() {
    assertThat(open("a/".repeat(200) + "file", 10, 1))
        .isInstanceOfSatisfying(
            Incoming.Refused.class,
            refused ->
                assertThat(refused.why()).isEqualTo("it is too deep: directories=200, most=127"));
    wanted("a/".repeat(127) + "file", 10, 1);
  }

  @Test
  void shouldShowNoControlCharactersOfNames() {
    open("../\u001b[2Jfile\n", 10, 1);
    assertThat(incoming.close()).first().asString().contains("../?[2Jfile?");
  }

  @Test
  void shouldSayWhatIsWrongWhenItHappensButNotWithoutBounds() {
    for (int i = 0; i < 1_000; i++) {
      open("../file" + i, 10, 1);
    }
    assertThat(said).first().isEqualTo("sender has begun: peer=");
    assertThat(said.get(1)).startsWith("file is not taken: file=../file0, why=");
    assertThat(said).hasSizeBetween(20, 200);
  }

  @Test
  void shouldSayWhatASenderHasBrought() throws IOException {
    incoming.begun(1, "192.0.2.1", nowNs);
    byte[] content = content(1_000, 1);
    for (int i = 0; i < 2; i++) {
      if (open("file", content.length, 1) instanceof Incoming.Wanted wanted) {
        chunk(wanted.file(), content, 0);
        complete(wanted.file(), content, 0);
        incoming.finish(wanted.file());
      }
    }
    nowNs += 2_500_000_000L;
    incoming.over(1, nowNs);
    incoming.over(1, nowNs);
    assertThat(said)
        .containsExactly(
            "sender has begun: peer=192.0.2.1",
            "sender has ended: peer=192.0.2.1, files=1, there=1, bytes=1,000, seconds=2.5");
  }
}
