package io.linerate.graph;

import static io.linerate.graph.ClassConstants.desc;
import static java.lang.constant.ConstantDescs.CD_MethodHandle;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.BurstOwner;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The bytes of a {@link StraightPath}. For each input but the last its method {@code handle} says:
 *
 * <pre>{@code
 * int live = INLET.begin(burst);
 * try {
 *   HANDLER.onBurst(burst);
 *   INLET.settle();
 * } catch (Throwable e) {
 *   INLET.failed(burst, live, e);
 * }
 * Inlet next = INLET.end(burst);
 * if (next != NEXT_INLET) {
 *   return next;
 * }
 * }</pre>
 *
 * <p>It does not call {@link Inlet} for all of that: a method that all elements share is compiled
 * before this is, and large, and what is large and compiled is not inlined.
 *
 * <p>Where the handler is an output, which hands on what it is given, all of that is {@code next =
 * OUTLET.handOn(burst)}.
 *
 * <p>Inputs that follow each other and take packet by packet have a method of their own, which it
 * calls in place of that:
 *
 * <pre>{@code
 * LOOP.begin(burst);
 * MethodHandle step0 = STEP_0;                        // calls HANDLER_0.accept(packet)
 * int size = burst.size();
 * for (int i = 0; i < size; i++) {
 *   Packet packet = LOOP.packet(burst, i);
 *   if (packet == null) {
 *     continue;
 *   }
 *   int length = packet.length();
 *   try {                                             // from here on for each
 *     (step0 = step0).invokeExact(packet);
 *   } catch (Throwable e) {
 *     LOOP.failed(0, packet, length, e);
 *   }
 *   if (BurstOwner.length(packet) != length) {
 *     length = LOOP.changed(0, packet, length);
 *     if (length < 0) {
 *       continue;
 *     }
 *   }
 * }
 * return LOOP.end(burst);
 * }</pre>
 *
 * <p>The whole {@code for} stands in a {@code try}, too, which ends with {@code LOOP.settle()} and
 * whose {@code catch} calls {@code LOOP.broken(burst, e)}: the virtual machine answers for a mapped
 * file later than at the access.
 *
 * <p>The assignment to itself is not idle. While HotSpot's second compiler reads bytecode it
 * inlines until there are 18,000 nodes ({@code NodeCountInliningCutoff}), and one access to a
 * packet makes 1,000 of them, nearly all of which turn out to be dead. A method handle that is not
 * known to be constant at that time, but is when the loop's variables have been looked at, is
 * inlined later, one after the other, and only nodes that are alive count then. What happens once
 * for many packets is behind a branch that leads back only where it must: what the compiler knows
 * of a packet is still known at the next step.
 */
final class PathCode {
  /**
   * A method of more bytes than HotSpot's {@code FreqInlineSize}, 325 where nobody has set it, is
   * compiled by itself. It is to be: what it calls begins at depth 1 then, and the last methods of
   * {@code java.lang.foreign} that an element's read ends in are not deeper than {@code
   * MaxInlineLevel}, 15, where they would stay calls.
   */
  private static final int PADDING_BYTES = 330;

  /** Elements of one loop: what is alive has a limit too, 40,000 nodes. */
  private static final int MAX_LOOP = 32;

  private static final ClassDesc PATH = desc(StraightPath.class);
  private static final ClassDesc INLET = desc(Inlet.class);
  private static final ClassDesc HANDLER = desc(BurstHandler.class);
  private static final ClassDesc OUTLET = desc(Outlet.class);
  private static final ClassDesc LOOP = desc(FusedLoop.class);
  private static final ClassDesc CONSUMER = desc(Consumer.class);
  private static final ClassDesc OWNER = desc(BurstOwner.class);
  private static final ClassDesc BURST = desc(Burst.class);
  private static final ClassDesc PACKET = desc(Packet.class);
  private static final ClassDesc THROWABLE = desc(Throwable.class);
  private static final MethodTypeDesc HANDLE = MethodTypeDesc.of(INLET, BURST);
  private static final MethodTypeDesc ON_BURST = MethodTypeDesc.of(CD_void, BURST);
  private static final MethodTypeDesc STEP = MethodTypeDesc.of(CD_void, PACKET);
  private static final MethodTypeDesc LENGTH_OF = MethodTypeDesc.of(CD_int, PACKET);
  private static final MethodTypeDesc NUMBER = MethodTypeDesc.of(CD_int);

  /** Variables of {@code handle}; the first is this. */
  private static final class Handle {
    private static final int BURST = 1;
    private static final int LIVE = 2;
    private static final int NEXT = 3;
  }

  /** Variables of a loop. */
  private static final class Loop {
    private static final int BURST = 0;
    private static final int INDEX = 1;
    private static final int PACKET = 2;
    private static final int LENGTH = 3;
    private static final int SIZE = 4;
    private static final int THROWN = 5;
    private static final int FIRST_STEP = 6;
  }

  /** Inputs with one loop, or one that has its own. */
  private final List<List<Inlet>> stages = new ArrayList<>();

  private final ClassDesc self;
  private final ClassConstants constants = new ClassConstants();

  PathCode(List<Inlet> inlets) {
    self = ClassDesc.of(StraightPath.class.getName() + "Of" + inlets.size());
    for (int from = 0; from < inlets.size(); from += stages.getLast().size()) {
      stages.add(inlets.subList(from, endOfLoop(inlets, from)));
    }
  }

  private static int endOfLoop(List<Inlet> inlets, int from) {
    int to = from + 1;
    while (to < inlets.size()
        && to - from < MAX_LOOP
        && inlets.get(to - 1).handler() instanceof PacketByPacket before
        && before.out().target() == inlets.get(to)
        && inlets.get(to).handler() instanceof PacketByPacket) {
      to++;
    }
    return to;
  }

  /** What the class has as constants, once its bytes are made. */
  List<Object> constants() {
    return constants.objects();
  }

  byte[] bytes() {
    return ClassFile.of().build(self, this::write);
  }

  private void write(ClassBuilder path) {
    path.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER)
        .withInterfaceSymbols(PATH)
        .withMethodBody(
            INIT_NAME,
            MTD_void,
            0,
            code -> code.aload(0).invokespecial(CD_Object, INIT_NAME, MTD_void).return_())
        .withMethodBody("handle", HANDLE, ClassFile.ACC_PUBLIC, this::handle);
    for (int i = 0; i < stages.size(); i++) {
      if (stages.get(i).size() > 1) {
        loop(path, i);
      }
    }
  }

  private void handle(CodeBuilder code) {
    pad(code);
    Label end = code.newLabel();
    for (int i = 0; i < stages.size(); i++) {
      List<Inlet> stage = stages.get(i);
      if (i > 0) {
        code.aload(Handle.NEXT).ldc(constant(INLET, stage.getFirst())).if_acmpne(end);
      }
      if (stage.size() > 1) {
        code.aload(Handle.BURST).invokestatic(self, loopName(i), HANDLE).astore(Handle.NEXT);
      } else if (stage.getFirst().handler() instanceof Outlet out) {
        code.ldc(constant(OUTLET, out))
            .aload(Handle.BURST)
            .invokevirtual(OUTLET, "handOn", HANDLE)
            .astore(Handle.NEXT);
      } else {
        single(code, stage.getFirst());
      }
    }
    code.labelBinding(end).aload(Handle.NEXT).areturn();
  }

  private static void pad(CodeBuilder code) {
    for (int i = 0; i < PADDING_BYTES; i++) {
      code.nop();
    }
  }

  private void single(CodeBuilder code, Inlet one) {
    DynamicConstantDesc<?> inlet = constant(INLET, one);
    code.ldc(inlet)
        .aload(Handle.BURST)
        .invokevirtual(INLET, "begin", MethodTypeDesc.of(CD_int, BURST))
        .istore(Handle.LIVE);
    code.trying(
        handled ->
            handled
                .ldc(constant(HANDLER, one.handler()))
                .aload(Handle.BURST)
                .invokeinterface(HANDLER, "onBurst", ON_BURST)
                .ldc(inlet)
                .invokevirtual(INLET, "settle", MTD_void),
        failed ->
            failed.catchingAll(thrown ->
                thrown
                    .astore(Handle.NEXT)
                    .ldc(inlet)
                    .aload(Handle.BURST)
                    .iload(Handle.LIVE)
                    .aload(Handle.NEXT)
                    .invokevirtual(
                        INLET, "failed", MethodTypeDesc.of(CD_void, BURST, CD_int, THROWABLE))));
    code.ldc(inlet).aload(Handle.BURST).invokevirtual(INLET, "end", HANDLE).astore(Handle.NEXT);
  }

  private static String loopName(int stage) {
    return "loop" + stage;
  }

  private static String stepName(int stage, int element) {
    return "step" + stage + "_" + element;
  }

  private void loop(ClassBuilder path, int stage) {
    List<Inlet> inlets = stages.get(stage);
    List<PacketByPacket> handlers = new ArrayList<>();
    for (Inlet inlet : inlets) {
      PacketByPacket handler = (PacketByPacket) inlet.handler();
      path.withMethodBody(
          stepName(stage, handlers.size()),
          STEP,
          ClassFile.ACC_STATIC,
          code ->
              code.ldc(constant(CONSUMER, handler.handler()))
                  .aload(0)
                  .invokeinterface(CONSUMER, "accept", MethodTypeDesc.of(CD_void, CD_Object))
                  .return_());
      handlers.add(handler);
    }
    FusedLoop loop = new FusedLoop(inlets, handlers.stream().map(PacketByPacket::out).toList());
    path.withMethodBody(
        loopName(stage),
        HANDLE,
        ClassFile.ACC_STATIC,
        code -> loop(code, stage, inlets.size(), constant(LOOP, loop)));
  }

  private void loop(CodeBuilder code, int stage, int elements, DynamicConstantDesc<?> loop) {
    pad(code);
    code.ldc(loop).aload(Loop.BURST).invokevirtual(LOOP, "begin", ON_BURST);
    for (int i = 0; i < elements; i++) {
      code.ldc(
              MethodHandleDesc.ofMethod(
                  DirectMethodHandleDesc.Kind.STATIC, self, stepName(stage, i), STEP))
          .astore(Loop.FIRST_STEP + i);
    }
    code.aload(Loop.BURST).invokevirtual(BURST, "size", NUMBER).istore(Loop.SIZE);
    code.trying(
        packets -> {
          packets(packets, elements, loop);
          packets.ldc(loop).invokevirtual(LOOP, "settle", MTD_void);
        },
        broken ->
            broken.catchingAll(thrown ->
                thrown
                    .astore(Loop.THROWN)
                    .ldc(loop)
                    .aload(Loop.BURST)
                    .aload(Loop.THROWN)
                    .invokevirtual(LOOP, "broken", MethodTypeDesc.of(CD_void, BURST, THROWABLE))));
    code.ldc(loop).aload(Loop.BURST).invokevirtual(LOOP, "end", HANDLE).areturn();
  }

  private static void packets(CodeBuilder code, int elements, DynamicConstantDesc<?> loop) {
    Label body = code.newLabel();
    Label next = code.newLabel();
    Label test = code.newLabel();
    code.iconst_0().istore(Loop.INDEX).goto_(test);
    code.labelBinding(body)
        .ldc(loop)
        .aload(Loop.BURST)
        .iload(Loop.INDEX)
        .invokevirtual(LOOP, "packet", MethodTypeDesc.of(PACKET, BURST, CD_int))
        .astore(Loop.PACKET)
        .aload(Loop.PACKET)
        .ifnull(next)
        .aload(Loop.PACKET)
        .invokevirtual(PACKET, "length", NUMBER)
        .istore(Loop.LENGTH);
    for (int i = 0; i < elements; i++) {
      step(code, i, loop, next);
    }
    code.labelBinding(next).iinc(Loop.INDEX, 1);
    code.labelBinding(test).iload(Loop.INDEX).iload(Loop.SIZE).if_icmplt(body);
  }

  private static void step(
      CodeBuilder code, int element, DynamicConstantDesc<?> loop, Label nextPacket) {
    code.trying(
        handled ->
            handled
                .aload(Loop.FIRST_STEP + element)
                .dup()
                .astore(Loop.FIRST_STEP + element)
                .aload(Loop.PACKET)
                .invokevirtual(CD_MethodHandle, "invokeExact", STEP),
        failed ->
            failed.catchingAll(thrown ->
                thrown
                    .astore(Loop.THROWN)
                    .ldc(loop)
                    .loadConstant(element)
                    .aload(Loop.PACKET)
                    .iload(Loop.LENGTH)
                    .aload(Loop.THROWN)
                    .invokevirtual(
                        LOOP,
                        "failed",
                        MethodTypeDesc.of(CD_void, CD_int, PACKET, CD_int, THROWABLE))));
    Label unchanged = code.newLabel();
    code.aload(Loop.PACKET)
        .invokestatic(OWNER, "length", LENGTH_OF)
        .iload(Loop.LENGTH)
        .if_icmpeq(unchanged)
        .ldc(loop)
        .loadConstant(element)
        .aload(Loop.PACKET)
        .iload(Loop.LENGTH)
        .invokevirtual(LOOP, "changed", MethodTypeDesc.of(CD_int, CD_int, PACKET, CD_int))
        .istore(Loop.LENGTH)
        .iload(Loop.LENGTH)
        .iflt(nextPacket)
        .labelBinding(unchanged);
  }

  private DynamicConstantDesc<?> constant(ClassDesc type, Object value) {
    return constants.constant(type, value);
  }
}
