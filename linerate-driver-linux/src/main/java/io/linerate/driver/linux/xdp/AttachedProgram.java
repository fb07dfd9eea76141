package io.linerate.driver.linux.xdp;

import io.linerate.core.driver.SystemCalls;
import io.linerate.driver.linux.NetInterface;
import io.linerate.driver.linux.bpf.Bpf;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * An XDP program that an interface has.
 *
 * @param name as its author named it
 * @param redirectsToSockets whether it is for AF_XDP
 * @param processes that have the program or one of its maps open
 * @param sawAllProcesses whether this process may look into all others; if not, there may be more
 */
public record AttachedProgram(
    XdpMode mode,
    int id,
    String name,
    boolean redirectsToSockets,
    Set<Long> processes,
    boolean sawAllProcesses) {
  /** The programs of an interface. */
  public static List<AttachedProgram> of(NetInterface networkInterface) {
    SystemCalls calls = new SystemCalls();
    Map<XdpMode, Integer> ids = new LinkMessages(calls).programs(networkInterface.index());
    List<AttachedProgram> programs = new ArrayList<>();
    ids.forEach((mode, id) -> programs.add(read(calls, mode, id)));
    return programs;
  }

  private static AttachedProgram read(SystemCalls calls, XdpMode mode, int id) {
    Bpf bpf = new Bpf(calls);
    int descriptor = bpf.programById(id);
    if (descriptor < 0) {
      return new AttachedProgram(mode, id, "", false, Set.of(), false);
    }
    try {
      Bpf.ProgramInfo info = bpf.programInfo(descriptor);
      boolean isForSockets = info.maps().stream().anyMatch(map -> isForSockets(calls, bpf, map));
      Set<Long> holders = new TreeSet<>();
      boolean sawAll = findHolders(info, descriptor, holders);
      return new AttachedProgram(mode, id, info.name(), isForSockets, holders, sawAll);
    } finally {
      int _ = calls.close(descriptor);
    }
  }

  private static boolean isForSockets(SystemCalls calls, Bpf bpf, int mapId) {
    int descriptor = bpf.mapById(mapId);
    if (descriptor < 0) {
      return false;
    }
    try {
      return bpf.mapType(descriptor) == Bpf.MAP_TYPE_SOCKETS;
    } finally {
      int _ = calls.close(descriptor);
    }
  }

  /**
   * Whether its process is gone: it redirects to sockets that nobody has. Such a program was
   * attached without a link, and stayed when its process was killed.
   */
  public boolean isStale() {
    return redirectsToSockets && processes.isEmpty() && sawAllProcesses;
  }

  /**
   * Looks at every descriptor of every process: {@code fdinfo} of a program, a link to it or a map
   * of its has a line with the id; proc(5).
   *
   * @return whether all of them could be looked at
   */
  private static boolean findHolders(Bpf.ProgramInfo info, int own, Set<Long> holders) {
    Set<String> wanted = new TreeSet<>();
    wanted.add("prog_id:\t" + info.id());
    info.maps().forEach(map -> wanted.add("map_id:\t" + map));
    long self = ProcessHandle.current().pid();
    boolean sawAll = true;
    for (String process : Objects.requireNonNullElse(new File("/proc").list(), new String[0])) {
      Path descriptors = Path.of("/proc", process, "fdinfo");
      if (process.matches("[0-9]+")) {
        long pid = Long.parseLong(process);
        try (Stream<Path> files = Files.list(descriptors)) {
          String ownFile = pid == self ? Integer.toString(own) : "";
          if (files.anyMatch(file -> !file.endsWith(ownFile) && hasLine(file, wanted))) {
            holders.add(pid);
          }
        } catch (IOException | UncheckedIOException e) {
          sawAll &= !Files.exists(descriptors); // It ended meanwhile, or is none of our business.
        }
      }
    }
    return sawAll;
  }

  private static boolean hasLine(Path file, Set<String> wanted) {
    try {
      return Files.readAllLines(file).stream().anyMatch(wanted::contains);
    } catch (IOException e) {
      return false; // It was closed.
    }
  }
}
