package io.linerate.apps.doctor;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.counter.ProgramFolder;
import io.linerate.dashboard.http.JsonMembers;
import io.linerate.program.run.Command;
import io.linerate.program.run.Console;
import io.linerate.program.run.ExitStatus;
import io.linerate.program.run.Options;
import io.linerate.program.run.SummaryJson;
import io.linerate.program.run.TerminalText;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code linerate doctor}. */
public final class DoctorCommand implements Command {
  @Override
  public CommandSpec spec() {
    return Options.command(
        "doctor",
        """
        Looks at the machine, says what is missing, and mends what it can.

        Usage: linerate doctor [--fix [--yes]] [--port ADDRESS] [--json]

        First what is wrong, then what is missing, then the rest, each with the command that mends it.
        What is missing makes some ports unavailable or slow; only what is wrong is a failure.

        --fix  Mend what can be, one by one, after a question; says how to take it back.
        --yes  Mend without a question.
        --port ADDRESS  Open this port as well, and say what its device does in place of the program.
        --json

        linerate doctor
        linerate doctor --fix
        linerate doctor --port dpdk:0000:03:00.0
        """);
  }

  @Override
  public int run(ParseResult options, Console console) {
    boolean isFix = options.matchedOptionValue("--fix", false);
    boolean isYes = options.matchedOptionValue("--yes", false);
    if (isYes && !isFix) {
      throw new ConfigException("nothing to say yes to: --yes; write --fix --yes");
    }
    List<Finding> findings = findings(options);
    if (isFix) {
      new Mending(console, isYes).run(findings);
      findings = findings(options);
    }
    if (Options.isJson(options)) {
      printJson(console.out(), findings);
    } else {
      print(console.out(), findings);
    }
    return count(findings, Finding.Status.WRONG) > 0 ? ExitStatus.FAILED : ExitStatus.DONE;
  }

  /** What matters first. */
  private static List<Finding> findings(ParseResult options) {
    List<Finding> findings = new ArrayList<>(examine(new SystemFiles(Path.of("/"))));
    String port = options.matchedOptionValue("--port", "");
    if (!port.isEmpty()) {
      findings.addAll(
          new PortExam(EngineConfig.DEFAULT.withProgramName("doctor"), port).findings());
    }
    findings.sort(Comparator.comparing(Finding::status).reversed());
    return findings;
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

  private static void print(PrintStream out, List<Finding> findings) {
    String mends =
        findings.stream()
            .filter(finding -> finding.fix().isPresent())
            .map(Finding::name)
            .collect(Collectors.joining(", "));
    out.printf(
        "%d wrong, %d missing, %d ok%s%n%n",
        count(findings, Finding.Status.WRONG),
        count(findings, Finding.Status.MISSING),
        count(findings, Finding.Status.OK),
        mends.isEmpty() ? "" : "; linerate doctor --fix mends: " + TerminalText.of(mends));
    findings.forEach(finding -> print(out, finding));
  }

  private static long count(List<Finding> findings, Finding.Status status) {
    return findings.stream().filter(finding -> finding.status() == status).count();
  }

  private static void print(PrintStream out, Finding finding) {
    String remedy = finding.remedy().isEmpty() ? "" : "  -> " + finding.remedy();
    out.printf(
        Locale.ROOT,
        "%-7s  %-25s  %s%s%n",
        finding.status().key(),
        TerminalText.of(finding.name()),
        TerminalText.of(finding.value()),
        TerminalText.of(remedy));
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
