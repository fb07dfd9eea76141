package io.linerate.driver.ring;

import io.linerate.core.config.ConfigException;
import io.linerate.core.port.AddressOptions;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortProvider;
import io.linerate.core.port.PortRequest;
import io.linerate.driver.pcap.CaptureTap;
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
    AddressOptions options =
        AddressOptions.of(request.address(), List.of("file", "snaplen", AddressOptions.PORT));
    Path file = options.path("file");
    if (file == null) {
      throw new ConfigException(
          "record has no file: address=" + request.address() + "; add file=PATH");
    }
    int snapLength = options.number("snaplen", 0, 0, CaptureWriter.MAX_SNAP_LENGTH_BYTES);
    return DecoratedPort.open(
        request,
        options.port(),
        inner ->
            new Recorder(new CaptureTap(CaptureWriter.create(file, snapLength), _ -> {}), request));
  }
}
