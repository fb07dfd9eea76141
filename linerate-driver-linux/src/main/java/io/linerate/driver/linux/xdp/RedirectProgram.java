package io.linerate.driver.linux.xdp;

import static io.linerate.driver.linux.bpf.BpfAssembler.network16;

import io.linerate.core.port.SteeringRule;
import io.linerate.driver.linux.bpf.BpfAssembler;
import io.linerate.driver.linux.bpf.BpfAssembler.Label;
import io.linerate.driver.linux.bpf.SteeringCode;
import io.linerate.driver.linux.xdp.TrafficFilter.Subject;
import io.linerate.driver.linux.xdp.TrafficFilter.Term;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The program that the kernel runs for each frame: it gives those that the filter takes to the
 * socket of their receive queue, or with {@code spread} to one of several that rules and a hash
 * choose. All others, and those of a queue without a socket, go on to the kernel's own stack.
 *
 * <p>One reading of the headers for the filter: Ethernet, two VLAN tags at most, IPv4 with options
 * or IPv6 without extension headers, ports. A fragment that is not the first has no ports, and so
 * matches no term about any. With {@code spread}, {@link SteeringCode} reads them again, by its own
 * rules for fragments and extension headers.
 */
final class RedirectProgram {
  // struct xdp_md of linux/bpf.h.
  private static final int DATA = 0;
  private static final int DATA_END = 4;
  private static final int RX_QUEUE = 16;

  private static final int XDP_PASS = 2;
  private static final int REDIRECT_MAP = 51;

  private static final int ETHERNET_BYTES = 14;
  private static final int VLAN_BYTES = 4;
  private static final int MAX_VLANS = 2;

  private static final int R0 = 0;
  private static final int R1 = 1;
  private static final int R2 = 2;
  private static final int TYPE = 3;
  private static final int A = 4;
  private static final int B = 5;
  private static final int CONTEXT = 6;

  /** Address of the header that is read next. */
  private static final int AT = 7;

  private static final int END = 8;

  private final BpfAssembler to = new BpfAssembler();
  private final Label matched = new Label();
  private final Label other = new Label();
  private final TrafficFilter filter;

  private final @Nullable Spread spread;

  private RedirectProgram(TrafficFilter filter, @Nullable Spread spread) {
    this.filter = filter;
    this.spread = spread;
  }

  /**
   * How the frames of one queue of the device are shared out.
   *
   * @param deviceQueue that queue; frames of others go to the kernel
   * @param queues of the port
   */
  record Spread(int deviceQueue, int queues, List<SteeringRule> rules) {}

  /**
   * The instructions.
   *
   * @param spread null: each queue of the device has its socket
   * @param mapDescriptor of a map from queue number to socket
   */
  static long[] code(TrafficFilter filter, @Nullable Spread spread, int mapDescriptor) {
    RedirectProgram program = new RedirectProgram(filter, spread);
    program.to.move(CONTEXT, R1);
    if (!filter.isAll()) {
      program.match();
    }
    if (filter.isInverted()) {
      program.redirect(program.other, mapDescriptor);
      program.pass(program.matched);
    } else {
      program.redirect(program.matched, mapDescriptor);
      program.pass(program.other);
    }
    return program.to.code();
  }

  /** {@code bpf_redirect_map(map, queue, what to do when there is no socket)}. */
  private void redirect(Label label, int mapDescriptor) {
    to.place(label);
    to.loadU32(R2, CONTEXT, RX_QUEUE);
    if (spread != null) {
      Label isOurs = new Label();
      to.jumpIfEqual(R2, spread.deviceQueue(), isOurs);
      to.moveConstant(R0, XDP_PASS);
      to.exit();
      to.place(isOurs);
      SteeringCode.appendTo(to, spread.rules(), spread.queues());
      to.move(R2, R0);
    }
    to.loadMap(R1, mapDescriptor);
    to.moveConstant(TYPE, XDP_PASS);
    to.call(REDIRECT_MAP);
    to.exit();
  }

  private void pass(Label label) {
    if (filter.isAll()) {
      return; // Nobody goes there: the kernel refuses code that is never reached.
    }
    to.place(label);
    to.moveConstant(R0, XDP_PASS);
    to.exit();
  }

  private void match() {
    to.loadU32(AT, CONTEXT, DATA);
    to.loadU32(END, CONTEXT, DATA_END);
    require(ETHERNET_BYTES);
    to.loadU16(TYPE, AT, 12);
    to.addConstant(AT, ETHERNET_BYTES);
    vlans();
    if (!filter.about(Subject.ARP).isEmpty()) {
      to.jumpIfEqual(TYPE, network16(0x0806), matched);
    }
    if (filter.terms().stream().anyMatch(RedirectProgram::isAboveIp)) {
      ip();
      ports();
    }
    to.jump(other);
  }

  private static boolean isAboveIp(Term term) {
    return term.subject() != Subject.ARP && term.subject() != Subject.VLAN;
  }

  /** Goes to {@link #other} unless so many bytes are there. */
  private void require(int bytes) {
    to.move(R2, AT);
    to.addConstant(R2, bytes);
    to.jumpIfAbove(R2, END, other);
  }

  private void vlans() {
    Label noMore = new Label();
    for (int i = 0; i < MAX_VLANS; i++) {
      Label tagged = new Label();
      to.jumpIfEqual(TYPE, network16(0x8100), tagged);
      to.jumpIfNotEqual(TYPE, network16(0x88A8), noMore);
      to.place(tagged);
      require(VLAN_BYTES);
      to.loadU16(A, AT, 0);
      to.andConstant(A, network16(0x0FFF));
      for (Term term : filter.about(Subject.VLAN)) {
        matchNumber(A, term);
      }
      to.loadU16(TYPE, AT, 2);
      to.addConstant(AT, VLAN_BYTES);
    }
    to.place(noMore);
  }

  private void matchNumber(int register, Term term) {
    if (term.number() < 0) {
      // Always so, for 16 bits. A plain jump would leave code behind it that nobody reaches.
      to.jumpIfNotEqual(register, -1, matched);
    } else {
      to.jumpIfEqual(register, network16(term.number()), matched);
    }
  }

  /** Leaves the protocol in {@link #TYPE} and {@link #AT} after the header. */
  private void ip() {
    Label ipv6 = new Label();
    Label done = new Label();
    to.jumpIfEqual(TYPE, network16(0x86DD), ipv6);
    to.jumpIfNotEqual(TYPE, network16(0x0800), other);
    require(20);
    to.loadU8(TYPE, AT, 9);
    to.loadU16(A, AT, 6);
    to.jumpIfAnyBit(A, network16(0x1FFF), other);
    to.loadU8(A, AT, 0);
    to.andConstant(A, 0x0F);
    to.shiftLeft(A, 2);
    to.jumpIfBelow(A, 20, other);
    to.add(AT, A);
    to.jump(done);
    to.place(ipv6);
    require(40);
    to.loadU8(TYPE, AT, 6);
    to.addConstant(AT, 40);
    to.place(done);
  }

  private void ports() {
    if (!filter.about(Subject.ICMP).isEmpty()) {
      to.jumpIfEqual(TYPE, 1, matched);
      to.jumpIfEqual(TYPE, 58, matched);
    }
    List<Term> tcp = filter.about(Subject.TCP);
    List<Term> udp = filter.about(Subject.UDP);
    if (!tcp.isEmpty() || !udp.isEmpty()) {
      require(4);
      to.loadU16(A, AT, 0);
      to.loadU16(B, AT, 2);
      ports(6, tcp);
      ports(17, udp);
    }
  }

  private void ports(int protocol, List<Term> terms) {
    if (terms.isEmpty()) {
      return;
    }
    Label isOther = new Label();
    to.jumpIfNotEqual(TYPE, protocol, isOther);
    for (Term term : terms) {
      matchNumber(A, term);
      matchNumber(B, term);
    }
    to.place(isOther);
  }
}
