package io.linerate.example;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.port.DriverPort;
import io.linerate.core.worker.Engine;
import io.linerate.testkit.PortConformance;
import io.linerate.testkit.PortFixture;
import java.util.List;

final class NullPortConformanceTest extends PortConformance {
  @Override
  protected PortFixture open(EngineConfig config, List<byte[]> arriving) {
    Engine engine = new Engine(config);
    return new Fixture(engine, engine.drivers().open("null:"));
  }

  @Override
  protected boolean receivesGivenFrames() {
    return false;
  }

  @Override
  protected boolean collectsSentFrames() {
    return false;
  }

  @Override
  protected boolean canFillUp() {
    return false;
  }

  /** There is no world around this port. */
  private record Fixture(Engine engine, DriverPort port) implements PortFixture {
    @Override
    public void pump() {}

    @Override
    public List<byte[]> sent() {
      return List.of();
    }
  }
}
