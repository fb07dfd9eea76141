package io.linerate.driver.linux.xdp;

import io.linerate.core.driver.Errno;
import io.linerate.core.driver.SystemCalls;
import io.linerate.core.port.PortException;
import io.linerate.core.port.SteeringRule;
import io.linerate.driver.linux.NetInterface;
import io.linerate.driver.linux.bpf.Bpf;
import io.linerate.driver.linux.xdp.RedirectProgram.Spread;
import java.lang.System.Logger.Level;
import java.util.List;

/**
 * The redirect program on an interface, with its map from queue to socket.
 *
 * <p>It is attached by a link, which the kernel takes off when its descriptor is closed: by this
 * class, or by the end of the process, whatever ended it. Nothing can stay behind.
 */
final class Redirect implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Redirect.class.getName());
  private static final String NAME = "linerate_xdp";

  private final SystemCalls calls = new SystemCalls();
  private final Bpf bpf = new Bpf(calls);
  private final XdpPlan plan;
  private final String port;
  private final NetInterface networkInterface;
  private int map = -1;
  private int program = -1;
  private int link = -1;
  private XdpMode mode = XdpMode.NATIVE;

  private Redirect(XdpPlan plan, String port) {
    this.plan = plan;
    this.port = port;
    networkInterface = plan.networkInterface();
  }

  /**
   * Loads and attaches the program. Until sockets are added, all frames go to the kernel.
   *
   * @throws PortException if it cannot be
   */
  static Redirect attach(XdpPlan plan, String port) {
    Redirect redirect = new Redirect(plan, port);
    try {
      redirect.load();
      redirect.attach(plan.address().mode());
      return redirect;
    } catch (RuntimeException e) {
      redirect.close();
      throw e;
    }
  }

  /** Where the program runs. */
  XdpMode mode() {
    return mode;
  }

  private void load() {
    int entries =
        plan.isSpread()
            ? plan.sockets()
            : Math.max(networkInterface.rxQueues(), networkInterface.txQueues());
    map = bpf.createMap(Bpf.MAP_TYPE_SOCKETS, entries, "linerate_sockets");
    if (map < 0) {
      throw failed("cannot make a map of sockets", map, mapRemedy());
    }
    program = load(List.of());
  }

  private int load(List<SteeringRule> rules) {
    Spread spread =
        plan.isSpread() ? new Spread(plan.queues().getFirst(), plan.sockets(), rules) : null;
    long[] code = RedirectProgram.code(plan.address().filter(), spread, map);
    int loaded = bpf.load(code, Bpf.PROGRAM_HAS_FRAGS, NAME);
    if (loaded == -Errno.EINVAL) {
      loaded = bpf.load(code, 0, NAME); // Before Linux 5.18.
    }
    if (loaded < 0) {
      throw failed(
          "kernel refuses the redirect program: rules=%d, log=%s"
              .formatted(rules.size(), bpf.log()),
          loaded,
          "run as root or with CAP_BPF and CAP_NET_ADMIN");
    }
    return loaded;
  }

  /**
   * Puts a program with other rules in place of the one before: the kernel gives each frame to the
   * one or the other.
   *
   * @throws PortException if the rules cannot be kept here; those before stay in force
   */
  void steer(List<SteeringRule> rules) {
    if (!plan.isSpread()) {
      throw new PortException(
          "device chooses the queue of a frame here: port=%s, interface=%s, rule=%s; open it with queues=0,spread=%d, or have the device do it: sudo ethtool -N %s flow-type udp4 dst-port 53 action 1 (or the like)"
              .formatted(
                  port,
                  networkInterface.name(),
                  rules.getLast(),
                  plan.sockets(),
                  networkInterface.name()));
    }
    int next = load(rules);
    int result = bpf.updateLink(link, next);
    int unused = result < 0 ? next : program;
    program = result < 0 ? program : next;
    int _ = calls.close(unused);
    if (result < 0) {
      throw failed("program with other rules cannot be attached", result, remedy(result));
    }
  }

  /** A kernel without AF_XDP does not know this type of map, one without BPF not the call. */
  private String mapRemedy() {
    String instead = ", or packet:" + networkInterface.name();
    return switch (-map) {
      case Errno.EINVAL -> "use a kernel with CONFIG_XDP_SOCKETS" + instead;
      case Errno.ENOSYS -> "use a kernel with CONFIG_BPF_SYSCALL" + instead;
      default -> "run as root or with CAP_BPF";
    };
  }

  private void attach(XdpAddress.Mode wanted) {
    if (wanted != XdpAddress.Mode.GENERIC && link(XdpMode.NATIVE) >= 0) {
      return;
    }
    int refused = link;
    if (wanted == XdpAddress.Mode.NATIVE || isTaken(refused)) {
      throw refused(refused);
    }
    if (wanted == XdpAddress.Mode.AUTO) {
      LOG.log(
          Level.INFO,
          "no native XDP, frames take the slower generic way: interface={0}, driver={1}, error={2};"
              + " {3}",
          networkInterface.name(),
          networkInterface.driver(),
          Errno.text(refused),
          remedy(refused));
    }
    if (link(XdpMode.GENERIC) < 0) {
      throw refused(link);
    }
  }

  /** Tries once more when a program was there whose process is gone. */
  private int link(XdpMode tried) {
    mode = tried;
    link = bpf.link(program, networkInterface.index(), tried.attachFlag());
    if (isTaken(link) && removeStale()) {
      link = bpf.link(program, networkInterface.index(), tried.attachFlag());
    }
    return link;
  }

  private static boolean isTaken(int result) {
    return result == -Errno.EBUSY || result == -Errno.EEXIST;
  }

  private boolean removeStale() {
    boolean isRemoved = false;
    for (AttachedProgram other : AttachedProgram.of(networkInterface)) {
      if (other.isStale()
          && new LinkMessages(calls).detach(networkInterface.index(), other.mode()) == 0) {
        LOG.log(
            Level.WARNING,
            "program of a process that is gone was taken off: interface={0}, program={1}, id={2}",
            networkInterface.name(),
            other.name(),
            other.id());
        isRemoved = true;
      }
    }
    return isRemoved;
  }

  private PortException refused(int result) {
    List<AttachedProgram> others =
        isTaken(result) ? AttachedProgram.of(networkInterface) : List.of();
    if (!others.isEmpty()) {
      AttachedProgram other = others.getFirst();
      return new PortException(
          "interface has another XDP program: interface=%s, program=%s, id=%d, mode=%s, processes=%s; end them, or run: sudo ip link set dev %s %s off"
              .formatted(
                  networkInterface.name(),
                  other.name(),
                  other.id(),
                  other.mode(),
                  other.processes(),
                  networkInterface.name(),
                  other.mode() == XdpMode.GENERIC ? "xdpgeneric" : "xdpdrv"));
    }
    return failed("program cannot be attached in mode " + mode, result, remedy(result));
  }

  /** What the drivers mean by these errors; veth_xdp_set in drivers/net/veth.c for example. */
  private String remedy(int result) {
    if (result == -Errno.EINVAL && mode == XdpMode.GENERIC) {
      return "use Linux 5.9 or newer, or packet:" + networkInterface.name();
    }
    return switch (-result) {
      case Errno.EPERM -> "run as root or with CAP_NET_ADMIN and CAP_BPF";
      case Errno.EOPNOTSUPP -> "its driver has no native XDP: use mode=generic";
      case Errno.ERANGE ->
          "the MTU is too large for it: sudo ip link set dev "
              + networkInterface.name()
              + " mtu 1500";
      case Errno.ENOSPC ->
          "it needs as many receive queues as its peer has transmit queues: sudo ethtool -L %s rx N"
              .formatted(networkInterface.name());
      case Errno.ENOTCONN -> "connect its peer";
      case Errno.EINVAL ->
          "switch off what the driver cannot combine with XDP (sudo ethtool -K %s lro off), use a smaller MTU, mode=generic, or Linux 5.9 or newer"
              .formatted(networkInterface.name());
      default -> "use mode=generic";
    };
  }

  private PortException failed(String what, int result, String remedy) {
    return new PortException(
        "%s: interface=%s, error=%s; %s"
            .formatted(what, networkInterface.name(), Errno.text(result), remedy));
  }

  /** Frames of a queue go to its socket from now on. */
  void add(int queue, int socket) {
    int result = bpf.update(map, queue, socket);
    if (result < 0) {
      throw failed("socket of queue " + queue + " cannot be entered", result, "report this");
    }
  }

  /** Takes the program off: all frames go to the kernel again. */
  @Override
  public void close() {
    for (int descriptor : new int[] {link, program, map}) {
      if (descriptor >= 0) {
        int _ = calls.close(descriptor);
      }
    }
    link = -1;
    program = -1;
    map = -1;
  }
}
