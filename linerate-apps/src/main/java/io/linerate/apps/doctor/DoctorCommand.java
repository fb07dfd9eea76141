package io.linerate.apps.doctor;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.counter.ProgramFolder;
import io.linerate.dashboard.http.JsonMembers;
import io.linerate.program.run.Command;
import io.linerate.program.run.Console;
import io.linerate.program.run.Options;
import io.linerate.program.run.SummaryJson;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code linerate doctor}. */
public final class DoctorCommand implements Command {
  @Override
  public CommandSpec spec() {
    return Options.command(
        "doctor",
        """
        Looks at the machine and says what is missing.

        Usage: linerate doctor [--port ADDRESS] [--json]

        Each line says ok, missing or wrong, and which command mends it. What is missing makes
        some ports unavailable or slow; the exit status is 1 only if something is wrong.

        --port ADDRESS  Open this port as well, and say what its device does in place of the program.
        --json

        linerate doctor
        linerate doctor --json
        linerate doctor --port dpdk:0000:03:00.0
        """);
  }

  @Override
  public int run(ParseResult options, Console console) {
    List<Finding> findings = new ArrayList<>(examine(new SystemFiles(Path.of("/"))));
    String port = options.matchedOptionValue("--port", "");
    if (!port.isEmpty()) {
      findings.addAll(
          new PortExam(EngineConfig.DEFAULT.withProgramName("doctor"), port).findings());
    }
    if (Options.isJson(options)) {
      printJson(console.out(), findings);
    } else {
      findings.forEach(finding -> print(console.out(), finding));
    }
    return findings.stream().anyMatch(it -> it.status() == Finding.Status.WRONG) ? 1 : 0;
  }

  static List<Finding> examine(SystemFiles files) {
    List<Finding> findings = new ArrayList<>();
    findings.addAll(new SoftwareExam(files).findings());
    findings.addAll(new MemoryExam(files).findings());
    findings.addAll(new CpuExam(files).findings());
    findings.addAll(new KernelExam(files).findings());
    findings.addAll(new DeviceExam(files).findings());
    findings.addAll(new InterfaceExam().findings());
    findings.addAll(new LibpcapExam().findings());
    findings.addAll(new SteeringExam(ProgramFolder.ofUser()).findings());
    return findings;
  }

  private static void print(PrintStream out, Finding finding) {
    String remedy = finding.remedy().isEmpty() ? "" : "  -> " + finding.remedy();
    out.printf(
        Locale.ROOT,
        "%-7s  %-25s  %s%s%n",
        finding.status().key(),
        finding.name(),
        finding.value(),
        remedy);
  }

  private static void printJson(PrintStream out, List<Finding> findings) {
    SummaryJson.printObject(
        out,
        json -> {
          JsonMembers.objects(
              json.name("checks"),
              findings,
              finding -> {
                json.name("status").value(finding.status().key());
                json.name("name").value(finding.name());
                json.name("value").value(finding.value());
                json.name("remedy").value(finding.remedy());
              });
        });
  }
}
