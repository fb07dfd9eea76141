package io.linerate.graph;

import io.linerate.core.memory.Burst;
import java.lang.invoke.MethodHandles;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Elements that follow each other without a branch, as one method: it has their handlers as
 * constants, so that the compiler knows each, whatever else it has seen at the same place, and
 * makes one piece of them.
 */
interface StraightPath {
  /** Has each element handle a burst; returns where what is left goes next, or null. */
  @Nullable Inlet handle(Burst burst);

  /**
   * Compiles a path.
   *
   * @param inlets each connected to the only output of the element before it
   */
  static StraightPath of(List<Inlet> inlets) {
    PathCode code = new PathCode(inlets);
    try {
      return (StraightPath)
          MethodHandles.lookup()
              .defineHiddenClassWithClassData(code.bytes(), code.constants(), true)
              .lookupClass()
              .getDeclaredConstructor()
              .newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("path cannot be compiled: inlets=" + inlets, e);
    }
  }
}
