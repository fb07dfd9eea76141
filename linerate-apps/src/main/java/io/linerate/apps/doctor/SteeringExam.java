package io.linerate.apps.doctor;

import io.linerate.core.counter.CountersReader;
import io.linerate.core.counter.ProgramFolder;
import io.linerate.core.counter.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The steering rules of the ports of programs that run, in their order. */
record SteeringExam(ProgramFolder folder) {
  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    for (CountersReader program : folder.running()) {
      try (program) {
        rules(program.samples())
            .forEach((port, rules) ->
                findings.add(
                    Finding.ok(
                        "steering of %s (%d), %s"
                            .formatted(program.program().name(), program.program().pid(), port),
                        String.join("; ", rules))));
      }
    }
    return findings;
  }

  /** By the name of the port. */
  private static Map<String, List<String>> rules(List<Sample> samples) {
    Map<String, List<String>> rules = new LinkedHashMap<>();
    for (Sample sample : samples) {
      if (sample.name().equals("linerate_port_steering_info")) {
        rules
            .computeIfAbsent(sample.label("port").orElse(""), _ -> new ArrayList<>())
            .add(sample.label("rule").orElse(""));
      }
    }
    return rules;
  }
}
