package io.linerate.core.port;

/**
 * A driver: opens the ports of one address scheme. Found with {@link java.util.ServiceLoader}; each
 * engine has an instance of its own, which may keep what its ports share and gives it back in
 * {@link #close}.
 */
public interface PortProvider extends AutoCloseable {
  /** The scheme of its addresses, without the colon. */
  String scheme();

  /**
   * Opens a port.
   *
   * @throws io.linerate.core.config.ConfigException if the address is wrong
   * @throws PortException if there is no such device or file, or it cannot be used
   */
  DriverPort open(PortRequest request);

  /** Called after all ports are closed. */
  @Override
  default void close() {}
}
