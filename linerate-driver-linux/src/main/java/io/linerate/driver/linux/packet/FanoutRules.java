package io.linerate.driver.linux.packet;

import io.linerate.core.driver.Errno;
import io.linerate.core.driver.SystemCalls;
import io.linerate.core.port.PortException;
import io.linerate.core.port.PortRequest;
import io.linerate.core.port.SteeringRule;
import io.linerate.core.port.SteeringTable;
import io.linerate.driver.linux.bpf.Bpf;
import io.linerate.driver.linux.bpf.SteeringCode;
import java.util.List;

/**
 * The program by which a fanout group shares out packets: PACKET_FANOUT_EBPF of packet(7). The
 * kernel gives each packet to one program, the old or the new, so that none is lost when rules
 * change.
 */
final class FanoutRules {
  private final PortRequest request;
  private final PacketSocket socket;
  private final int queues;

  private FanoutRules(PortRequest request, PacketSocket socket, int queues) {
    this.request = request;
    this.socket = socket;
    this.queues = queues;
  }

  /**
   * The steering of a port with several queues.
   *
   * @param socket any of the group
   * @throws PortException if the group is to have a program, and the kernel refuses it
   */
  static SteeringTable steering(
      PortRequest request, Fanout fanout, PacketSocket socket, int queues) {
    if (fanout != Fanout.RULES) {
      return new SteeringTable(request.name(), queues, rules -> refuse(request, fanout, rules));
    }
    FanoutRules rules = new FanoutRules(request, socket, queues);
    rules.install(List.of());
    return new SteeringTable(request.name(), queues, rules::install);
  }

  /** The way of a group cannot be changed: fanout_add of net/packet/af_packet.c. */
  private static void refuse(PortRequest request, Fanout fanout, List<SteeringRule> rules) {
    throw new PortException(
        "port has another way to share out packets: port=%s, rule=%s, fanout=%s; open it with fanout=rules"
            .formatted(request.name(), rules.getLast(), fanout.key()));
  }

  private void install(List<SteeringRule> rules) {
    SystemCalls calls = new SystemCalls();
    Bpf bpf = new Bpf(calls);
    int program = bpf.loadSocketFilter(SteeringCode.ofSockets(rules, queues), "linerate_fanout");
    if (program < 0) {
      throw new PortException(
          "kernel refuses the program of fanout=rules: port=%s, rules=%d, error=%s, log=%s; %s"
              .formatted(
                  request.name(),
                  rules.size(),
                  Errno.text(program),
                  bpf.log(),
                  program == -Errno.EPERM
                      ? "run as root or with CAP_BPF, or use another fanout"
                      : "use another fanout"));
    }
    try {
      socket.fanoutProgram(program);
    } finally {
      int _ = calls.close(program); // The group has it.
    }
  }
}
