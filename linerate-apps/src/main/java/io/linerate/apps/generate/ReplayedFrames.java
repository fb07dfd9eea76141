package io.linerate.apps.generate;

import io.linerate.core.memory.Packet;
import org.jspecify.annotations.Nullable;

/** The packets of a capture file, as they are, over and over. */
final class ReplayedFrames implements FrameSource {
  private final Replay replay;
  private final @Nullable PacketEdit edit;
  private final int workers;
  private long number;
  private int index;

  ReplayedFrames(Replay replay, @Nullable PacketEdit edit, int worker, int workers) {
    this.replay = replay;
    this.edit = edit;
    this.workers = workers;
    number = worker;
    index = worker % replay.size();
  }

  @Override
  public int write(Packet packet, long nowNs) {
    int length = replay.length(index);
    replay.append(packet, index);
    if (edit != null) {
      edit.edit(packet, number);
    }
    number += workers;
    index += workers;
    while (index >= replay.size()) {
      index -= replay.size();
    }
    return length + SizeMix.FCS_BYTES;
  }

  @Override
  public long gapNs() {
    return Math.max(0, replay.dueNs(number) - replay.dueNs(number - workers));
  }

  @Override
  public long firstNs() {
    return replay.dueNs(number);
  }

  @Override
  public double meanBytes() {
    return replay.meanBytes() + SizeMix.FCS_BYTES;
  }

  @Override
  public int largestBytes() {
    return replay.largestBytes();
  }

  @Override
  public long nextSequence() {
    return 0;
  }
}
