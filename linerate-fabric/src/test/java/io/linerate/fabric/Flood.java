package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** As many messages at once as there are, each in memory of its own, in their order. */
final class Flood {
  private static final int BYTES = 64;

  private final LinkEnd end;
  private final List<Descriptor> descriptors = new ArrayList<>();
  private final MemorySegment memory;
  private int posted;

  Flood(LinkEnd end, int messages) {
    this.end = end;
    MemoryRegion region = end.side().region((long) messages * BYTES);
    memory = region.segment();
    for (int i = 0; i < messages; i++) {
      descriptors.add(end.side().domain.descriptor().on(region, (long) i * BYTES, BYTES));
    }
  }

  /**
   * Posts what the provider takes while the peer takes nothing.
   *
   * @return how many
   */
  int post() {
    for (int i = posted; i < descriptors.size(); i++) {
      memory.set(ValueLayout.JAVA_INT, (long) i * BYTES, i);
      memory.set(ValueLayout.JAVA_INT, (long) i * BYTES + BYTES - Integer.BYTES, ~i);
      if (!end.to().send(descriptors.get(i))) {
        break;
      }
      posted++;
    }
    return posted;
  }

  /** Sends the rest, and waits until all have left. */
  void finish() {
    while (posted < descriptors.size()) {
      Descriptor next = descriptors.get(posted);
      memory.set(ValueLayout.JAVA_INT, (long) posted * BYTES, posted);
      memory.set(ValueLayout.JAVA_INT, (long) posted * BYTES + BYTES - Integer.BYTES, ~posted);
      end.post(() -> end.to().send(next));
      posted++;
    }
    descriptors.forEach(each -> end.ended(each).close());
  }

  /** Takes all of them, in memory that is posted before. */
  void receive() {
    for (Descriptor each : descriptors) {
      end.post(() -> end.endpoint().receive(each));
    }
    for (int i = 0; i < descriptors.size(); i++) {
      assertThat(end.ended(descriptors.get(i)).length()).isEqualTo(BYTES);
      assertThat(memory.get(ValueLayout.JAVA_INT, (long) i * BYTES)).isEqualTo(i);
      assertThat(memory.get(ValueLayout.JAVA_INT, (long) i * BYTES + BYTES - Integer.BYTES))
          .isEqualTo(~i);
      descriptors.get(i).close();
    }
  }
}
