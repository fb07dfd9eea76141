package io.linerate.driver.ring;

import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.PacketView;
import io.linerate.core.port.PortException;
import io.linerate.core.port.PortRequest;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.RxQueueDecorator;
import io.linerate.core.port.TxQueue;
import io.linerate.driver.pcap.CaptureTap;
import java.util.Map;

/** Writes packets on their way to a capture file. */
record Recorder(CaptureTap recording, PortRequest request) implements Decoration {
  @Override
  public RxQueue receiving(RxQueue inner, int queue) {
    return new Receiver(inner, recording, new PacketView(request.clock()));
  }

  @Override
  public TxQueue sending(TxQueue inner, int queue) {
    return new RecordSender(inner, recording, request, queue);
  }

  @Override
  public PortStatistics statistics(PortStatistics inner) {
    return inner.withExtended(
        Map.of("record_packets", recording.packets(), "record_missed", recording.missed()));
  }

  @Override
  public void close() {
    recording.close();
    PortException failure = recording.failure();
    if (failure != null) {
      throw new PortException(
          "recording is incomplete: missed=" + recording.missed() + "; " + failure.getMessage(),
          failure);
    }
  }

  private record Receiver(RxQueue inner, CaptureTap recording, PacketView view)
      implements RxQueueDecorator {
    @Override
    public int receive(MbufArray packets) {
      int start = packets.size();
      int count = inner.receive(packets);
      for (int i = 0; i < count; i++) {
        recording.write(view.of(packets, start + i));
      }
      view.end();
      return count;
    }
  }
}
