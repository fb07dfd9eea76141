package io.linerate.driver.ring;

import io.linerate.core.port.AddressOptions;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortProvider;
import io.linerate.core.port.PortRequest;
import java.util.List;
import java.util.function.Consumer;

/**
 * {@code trace:[rate=N,]port=ADDRESS}: prints a line for each packet that the port receives or
 * sends, to standard error: time, direction, port and queue, length, ethertype and first bytes.
 *
 * <p>{@code rate} is the largest number of lines in a second, 1,000 unless given; 0 is no limit.
 * Packets beyond it are counted, and the count is printed.
 */
public final class TraceProvider implements PortProvider {
  private static final int DEFAULT_RATE = 1_000;

  private final Consumer<String> lines;

  public TraceProvider() {
    this(System.err::println);
  }

  /**
   * @param lines called from all threads that use the port
   */
  TraceProvider(Consumer<String> lines) {
    this.lines = lines;
  }

  @Override
  public String scheme() {
    return "trace";
  }

  @Override
  public DriverPort open(PortRequest request) {
    AddressOptions options =
        AddressOptions.of(request.address(), List.of("rate", AddressOptions.PORT));
    int rate = options.number("rate", DEFAULT_RATE, 0, Integer.MAX_VALUE);
    return DecoratedPort.open(
        request,
        options.port(),
        inner -> new Trace(new TraceLog(request.name(), rate, lines), request.clock()));
  }
}
