package io.linerate.core.worker;

import io.linerate.core.port.DriverPort;
import java.lang.System.Logger.Level;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;

/**
 * Puts a worker's thread where its ports are. The memory of their packets and rings is there
 * already: drivers see to that.
 */
record Locality(int worker, Collection<DriverPort> ports) {
  private static final System.Logger LOG = System.getLogger(Locality.class.getName());

  /**
   * Ties the calling thread to a CPU, or, where none is chosen, to the CPUs of the one socket that
   * all ports with a socket are on.
   *
   * @param cpu -1: none is chosen
   */
  void apply(int cpu) {
    if (cpu >= 0) {
      CpuAffinity.pin(cpu);
      ports.forEach(port -> warnOfOtherSocket(port, cpu));
      return;
    }
    List<Integer> sockets =
        ports.stream().map(DriverPort::socket).filter(socket -> socket >= 0).distinct().toList();
    if (sockets.size() == 1) {
      stayOn(sockets.getFirst());
    } else if (sockets.size() > 1) {
      LOG.log(
          Level.WARNING,
          "worker has ports on several CPU sockets, memory of some is far: worker={0}, sockets={1}; give each socket's ports workers of their own, and set cpus=",
          worker,
          sockets);
    }
  }

  private void stayOn(int socket) {
    BitSet near = CpuAffinity.cpusOf(socket);
    BitSet allowed = CpuAffinity.allowed();
    near.and(allowed);
    if (near.isEmpty()) {
      LOG.log(
          Level.WARNING,
          "worker may not run on the CPU socket of its ports, and so is slower: worker={0}, port socket={1}, CPUs allowed={2}",
          worker,
          socket,
          allowed);
    } else if (!near.equals(allowed)) {
      CpuAffinity.set(near);
    }
  }

  private void warnOfOtherSocket(DriverPort port, int cpu) {
    int socket = CpuAffinity.socketOf(cpu);
    if (port.socket() >= 0 && socket >= 0 && socket != port.socket()) {
      LOG.log(
          Level.WARNING,
          "worker is on another CPU socket than its port: worker={0}, cpu={1}, socket={2}, port={3}, port socket={4}; its CPUs are {5}",
          worker,
          cpu,
          socket,
          port.name(),
          port.socket(),
          CpuAffinity.cpusOf(port.socket()));
    }
  }
}
