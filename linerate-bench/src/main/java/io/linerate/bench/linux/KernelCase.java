package io.linerate.bench.linux;

import io.linerate.bench.suite.Session;
import java.util.ArrayList;
import java.util.List;

/**
 * One comparison on interfaces of the kernel.
 *
 * @param scheme of Linerate's port
 * @param twin program of {@code src/main/c/linux} that does the same
 * @param dpdk DPDK's driver for the same rings
 * @param forwards whether packets are sent on, to another interface, or dropped
 * @param frameBytes length of the frames
 */
record KernelCase(String scheme, String twin, String dpdk, boolean forwards, int frameBytes) {
  static final int BURST = 32;

  String title() {
    return scheme + ", " + (forwards ? "forward" : "receive") + ", " + frameBytes + " B";
  }

  List<String> cCommand(Session session, Cables cables) {
    List<String> words = new ArrayList<>();
    words.add(session.twin(twin).toString());
    words.addAll(List.of(Integer.toString(session.cpu()), Integer.toString(BURST), cables.in()));
    if (forwards) {
      words.add(cables.out());
    }
    return words;
  }

  List<String> javaCommand(Session session, Cables cables) {
    return mover(session, scheme + ":" + cables.in(), scheme + ":" + cables.out());
  }

  List<String> dpdkCommand(Session session, Cables cables) {
    return mover(
        session,
        "dpdk:" + dpdk + "0,iface=" + cables.in(),
        "dpdk:" + dpdk + "1,iface=" + cables.out());
  }

  private List<String> mover(Session session, String in, String out) {
    List<String> words = new ArrayList<>(session.javaCommand(Mover.class.getName()));
    words.addAll(List.of(Integer.toString(session.cpu()), in));
    if (forwards) {
      words.add(out);
    }
    return words;
  }
}
