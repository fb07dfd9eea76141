package io.linerate.driver.ring;

import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortProvider;
import io.linerate.core.port.PortRequest;
import io.linerate.driver.pcap.CaptureWriter;
import java.nio.file.Path;
import java.util.List;

/**
 * {@code record:file=PATH[,snaplen=N],port=ADDRESS}: writes every packet that the port receives or
 * sends to a capture file, pcapng or, if its name ends so, pcap.
 *
 * <p>{@code snaplen} is the number of bytes of each packet to write at most; all unless given.
 * Packets that could not be written are counted as {@code record_missed}, and closing the port says
 * why.
 */
public final class RecordProvider implements PortProvider {
  @Override
  public String scheme() {
    return "record";
  }

  @Override
  public DriverPort open(PortRequest request) {
    DecoratedAddress address =
        DecoratedAddress.parse(request.address(), List.of("file", "snaplen"));
    Options options = address.options();
    String file = options.text("file");
    if (file.isEmpty()) {
      throw options.bad("file", "write file=PATH");
    }
    int snapLength = (int) options.number("snaplen", 0, 0, CaptureWriter.MAX_SNAP_LENGTH_BYTES);
    return DecoratedPort.open(
        request,
        address.inner(),
        inner ->
            new Recorder(new Recording(CaptureWriter.create(Path.of(file), snapLength)), request));
  }
}
