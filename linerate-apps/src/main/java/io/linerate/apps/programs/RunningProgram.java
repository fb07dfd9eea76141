package io.linerate.apps.programs;

import io.linerate.core.counter.CountersReader;
import io.linerate.core.counter.ProgramFolder;
import io.linerate.core.counter.ProgramInfo;
import io.linerate.dashboard.DashboardFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A program of this user that runs.
 *
 * @param pid number of its process
 * @param startedMs since 1970
 * @param url of its dashboard, if it has one
 */
public record RunningProgram(String name, long pid, long startedMs, Optional<String> url) {
  /** All that publish their counters or have a dashboard, oldest first. */
  public static List<RunningProgram> all(ProgramFolder folder) {
    List<DashboardFile.Entry> pages = new ArrayList<>(DashboardFile.running());
    List<RunningProgram> programs = new ArrayList<>();
    for (CountersReader reader : folder.running()) {
      try (reader) {
        programs.add(of(reader.program(), pages));
      }
    }
    for (DashboardFile.Entry page : pages) {
      programs.add(
          new RunningProgram(page.name(), page.pid(), page.startedMs(), Optional.of(page.url())));
    }
    programs.sort(Comparator.comparingLong(RunningProgram::startedMs));
    return programs;
  }

  /** With its page, which is taken out of the list. */
  private static RunningProgram of(ProgramInfo info, List<DashboardFile.Entry> pages) {
    Optional<DashboardFile.Entry> page =
        pages.stream()
            .filter(one -> one.pid() == info.pid() && one.name().equals(info.name()))
            .findFirst();
    page.ifPresent(pages::remove);
    return new RunningProgram(
        info.name(), info.pid(), info.startedMs(), page.map(DashboardFile.Entry::url));
  }
}
