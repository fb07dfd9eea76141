package io.linerate.testkit;

import io.linerate.core.port.DriverPort;
import io.linerate.core.worker.Engine;
import java.io.IOException;
import java.util.List;

/**
 * A port under test and the world around it, for one test of {@link PortConformance}.
 *
 * <p>All methods are called on the test's thread. A test uses one direction: either there are
 * frames to arrive and the port is received from, or there are none and the port is sent through.
 * So a port that receives what it sends can be its own world.
 */
public interface PortFixture extends AutoCloseable {
  /** The engine that opened the port, neither started nor closed. The test closes it. */
  Engine engine();

  /** The port under test. */
  DriverPort port();

  /**
   * Lets time pass in the world outside: offers the next of the arriving frames, as many as there
   * is room for now, and collects what the port has sent. Called again and again while the port is
   * in use.
   */
  void pump();

  /** The frames collected until now; after the engine was closed, all that the port sent. */
  List<byte[]> sent();

  /** Frees the packets that the fixture itself holds, before the engine is closed. */
  default void release() {}

  /** Takes the outside world down, after the engine was closed. */
  @Override
  default void close() throws IOException {}
}
