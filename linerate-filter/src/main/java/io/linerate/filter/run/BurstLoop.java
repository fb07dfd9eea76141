package io.linerate.filter.run;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import io.linerate.core.driver.Handles;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.NativeMemory;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.HandlePredicate;
import io.linerate.core.memory.Packet;
import io.linerate.core.memory.PacketPredicate;
import io.linerate.filter.BpfInstruction;
import io.linerate.filter.code.Opcodes;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/**
 * The bytecode of {@link HandlePredicate#test}: a program in a loop, which reads the first segments
 * of packets by their addresses.
 *
 * <pre>{@code
 * long accepted = 0;
 * for (int i = 0; i < count; i++) {
 *   long mbuf = Handles.get(handles, i);
 *   int readable = Mbuf.dataLength(mbuf);
 *   if (readable < REQUIRED ? slow.accepts(burst.packet(from + i)) : PROGRAM) {
 *     accepted |= 1L << i;
 *   }
 * }
 * return accepted;
 * }</pre>
 *
 * <p>A packet whose first segment is too short for what is read is judged by a cursor, which knows
 * whether more follows.
 */
final class BurstLoop implements Access {
  static final MethodTypeDesc TYPE =
      MethodTypeDesc.of(CD_long, desc(Burst.class), CD_int, CD_int, CD_long);
  static final String SLOW = "slow";

  private static final ClassDesc MBUF = desc(Mbuf.class);
  private static final ClassDesc MEMORY = desc(NativeMemory.class);
  private static final MethodTypeDesc INT_OF_MBUF = MethodTypeDesc.of(CD_int, CD_long);
  private static final MethodTypeDesc LONG_OF_MBUF = MethodTypeDesc.of(CD_long, CD_long);
  private static final MethodTypeDesc OF_MEMORY = MethodTypeDesc.of(CD_int, CD_long, CD_int);

  // Variables.
  private static final int THIS = 0;
  private static final int BURST = 1;
  private static final int FROM = 2;
  private static final int COUNT = 3;
  private static final int HANDLES = 4;
  private static final int ACCEPTED = 6;
  private static final int INDEX = 8;
  private static final int HANDLE = 9;
  private static final int DATA = 11;
  private static final int READABLE = 13;
  private static final int FIRST_OF_PROGRAM = 14;

  private final Label slow;
  private final Label accept;
  private final Label next;

  private BurstLoop(CodeBuilder code) {
    slow = code.newLabel();
    accept = code.newLabel();
    next = code.newLabel();
  }

  private static ClassDesc desc(Class<?> type) {
    return type.describeConstable().orElseThrow();
  }

  /**
   * Writes the method.
   *
   * @param own the class that it is a method of
   * @param required bytes of a packet that all loads at constant places want, as far as most
   *     packets have them
   * @param looksAtLink whether packets that begin with something else than Ethernet are left to
   *     {@link #SLOW}
   */
  static void write(
      CodeBuilder code,
      ClassDesc own,
      List<BpfInstruction> instructions,
      int required,
      boolean looksAtLink) {
    BurstLoop loop = new BurstLoop(code);
    Label head = code.newLabel();
    Label done = code.newLabel();
    code.lconst_0().lstore(ACCEPTED).iconst_0().istore(INDEX);
    code.labelBinding(head).iload(INDEX).iload(COUNT).if_icmpge(done);
    loop.begin(code, required, looksAtLink);
    new ProgramCode(code, instructions, loop, required, HostOrder.of(instructions)).write();
    loop.end(code, own);
    code.labelBinding(loop.next).iinc(INDEX, 1).goto_(head);
    code.labelBinding(done).lload(ACCEPTED).lreturn();
  }

  private void begin(CodeBuilder code, int required, boolean looksAtLink) {
    code.lload(HANDLES).iload(INDEX);
    code.invokestatic(desc(Handles.class), "get", MethodTypeDesc.of(CD_long, CD_long, CD_int));
    code.lstore(HANDLE);
    if (looksAtLink) {
      code.lload(HANDLE).invokestatic(MBUF, "hasLinkType", MethodTypeDesc.of(CD_boolean, CD_long));
      code.ifne(slow);
    }
    code.lload(HANDLE).invokestatic(MBUF, "dataLength", INT_OF_MBUF).istore(READABLE);
    code.iload(READABLE).loadConstant(required).if_icmplt(slow);
    code.lload(HANDLE).invokestatic(MBUF, "dataAddress", LONG_OF_MBUF).lstore(DATA);
  }

  private void end(CodeBuilder code, ClassDesc own) {
    code.labelBinding(slow).aload(THIS).getfield(own, SLOW, desc(PacketPredicate.class));
    code.aload(BURST).iload(FROM).iload(INDEX).iadd();
    code.invokevirtual(desc(Burst.class), "packet", MethodTypeDesc.of(desc(Packet.class), CD_int));
    code.invokeinterface(
        desc(PacketPredicate.class), "accepts", MethodTypeDesc.of(CD_boolean, desc(Packet.class)));
    code.ifeq(next);
    code.labelBinding(accept).lload(ACCEPTED).lconst_1().iload(INDEX).lshl().lor();
    code.lstore(ACCEPTED);
  }

  @Override
  public int firstVariable() {
    return FIRST_OF_PROGRAM;
  }

  @Override
  public void length(CodeBuilder code) {
    code.lload(HANDLE).invokestatic(MBUF, "packetLength", INT_OF_MBUF);
  }

  @Override
  public void readable(CodeBuilder code) {
    code.iload(READABLE);
  }

  @Override
  public Label outside() {
    return slow;
  }

  @Override
  public void bytes(CodeBuilder code) {
    code.lload(DATA);
  }

  @Override
  public void read(CodeBuilder code, int size, boolean isHostOrder) {
    String name =
        switch (size) {
          case Opcodes.W -> isHostOrder ? "u32At" : "netU32At";
          case Opcodes.H -> isHostOrder ? "u16At" : "netU16At";
          default -> "u8At";
        };
    code.invokestatic(MEMORY, name, OF_MEMORY);
  }

  @Override
  public void end(CodeBuilder code, boolean isAccepted) {
    code.goto_(isAccepted ? accept : next);
  }
}
