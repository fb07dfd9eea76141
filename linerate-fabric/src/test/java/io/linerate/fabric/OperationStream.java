package io.linerate.fabric;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Operations of one kind, a window of them posted again and again. */
final class OperationStream {
  private final List<Descriptor> descriptors = new ArrayList<>();
  private final Predicate<Descriptor> post;
  private @Nullable FabricError error;
  private @Nullable FabricException refusal;
  private long completed;
  private boolean isEnding;

  /**
   * @param post posts one; false where there is no room
   */
  OperationStream(Side side, int window, MemoryRegion memory, Predicate<Descriptor> post) {
    this.post = post;
    for (int i = 0; i < window; i++) {
      Descriptor descriptor = side.domain.descriptor().on(memory);
      descriptor.whenComplete(this::ended);
      descriptors.add(descriptor);
    }
  }

  private void ended(Descriptor descriptor) {
    FabricError why = descriptor.error();
    if (why == null) {
      completed++;
    } else if (error == null && !isEnding) {
      error = why;
    }
  }

  /** Posts what is idle, as long as all goes well. */
  void post() {
    for (Descriptor each : descriptors) {
      if (error == null && refusal == null && !isEnding && !each.isPosted()) {
        try {
          if (!post.test(each)) {
            return;
          }
        } catch (FabricException e) {
          refusal = e;
        }
      }
    }
  }

  /** Those that have ended well. */
  long completed() {
    return completed;
  }

  /** Of the first one that has failed. */
  @Nullable FabricError error() {
    return error;
  }

  /** Why the next one was not posted. */
  @Nullable FabricException refusal() {
    return refusal;
  }

  /** Those that have neither ended nor failed. */
  long underWay() {
    return descriptors.stream().filter(each -> each.isPosted() && each.error() == null).count();
  }

  /** Posts no more, and asks for what is posted back. */
  void cancel(Receiver receiver) {
    isEnding = true;
    descriptors.stream().filter(Descriptor::isPosted).forEach(receiver::cancel);
  }

  /** Gives back those that have ended. */
  void close() {
    isEnding = true;
    descriptors.stream().filter(each -> !each.isPosted()).forEach(Descriptor::close);
  }

  @Override
  public String toString() {
    return "completed=%d, under way=%d, error=%s, refusal=%s"
        .formatted(completed, underWay(), error, refusal);
  }
}
