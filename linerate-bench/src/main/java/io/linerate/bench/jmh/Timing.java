package io.linerate.bench.jmh;

import io.linerate.bench.suite.Spread;
import java.util.Map;

/**
 * What JMH measured of one method with one set of parameters.
 *
 * @param method its name
 * @param parameters by name
 * @param ns for an operation, one sample an iteration
 * @param heapBytes that an operation allocates
 */
public record Timing(String method, Map<String, String> parameters, Spread ns, double heapBytes) {
  public Timing {
    parameters = Map.copyOf(parameters);
  }
}
