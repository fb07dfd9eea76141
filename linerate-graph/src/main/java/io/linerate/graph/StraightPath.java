package io.linerate.graph;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import io.linerate.core.memory.Burst;
import io.linerate.core.worker.BurstHandler;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Elements that follow each other without a branch, as one method: it has their handlers as
 * constants, so that the compiler knows each, whatever else it has seen at the same place, and
 * makes one piece of them.
 */
interface StraightPath {
  /** Has each element handle a burst; returns where what is left goes next, or null. */
  @Nullable Inlet handle(Burst burst);

  /**
   * Compiles a path.
   *
   * @param constants an {@link Inlet}, its handler, an inlet that is connected to the only output
   *     of that element, its handler, and so on
   */
  static StraightPath of(List<Object> constants) {
    try {
      return (StraightPath)
          MethodHandles.lookup()
              .defineHiddenClassWithClassData(Code.bytes(constants.size() / 2), constants, true)
              .lookupClass()
              .getDeclaredConstructor()
              .newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("path cannot be compiled: constants=" + constants, e);
    }
  }

  /**
   * The bytes of the class. For each input but the last its method says:
   *
   * <pre>{@code
   * int live = INLET.begin(burst);
   * try {
   *   HANDLER.onBurst(burst);
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
   */
  final class Code {
    /**
     * A method of more bytes than HotSpot's {@code FreqInlineSize}, 325 where nobody has set it, is
     * compiled by itself. It is to be: what it calls begins at depth 1 then, and the last methods
     * of {@code java.lang.foreign} that an element's read ends in are not deeper than {@code
     * MaxInlineLevel}, 15, where they would stay calls.
     */
    private static final int PADDING_BYTES = 330;

    private static final ClassDesc PATH = desc(StraightPath.class);
    private static final ClassDesc INLET = desc(Inlet.class);
    private static final ClassDesc HANDLER = desc(BurstHandler.class);
    private static final ClassDesc BURST = desc(Burst.class);
    private static final ClassDesc THROWABLE = desc(Throwable.class);
    private static final MethodTypeDesc HANDLE = MethodTypeDesc.of(INLET, BURST);
    private static final MethodTypeDesc BEGIN = MethodTypeDesc.of(CD_int, BURST);
    private static final MethodTypeDesc ON_BURST = MethodTypeDesc.of(CD_void, BURST);
    private static final MethodTypeDesc FAILED =
        MethodTypeDesc.of(CD_void, BURST, CD_int, THROWABLE);

    // Variables of the method. The first is this.
    private static final int GIVEN = 1;
    private static final int LIVE = 2;
    private static final int NEXT = 3;

    private Code() {}

    private static ClassDesc desc(Class<?> type) {
      return type.describeConstable().orElseThrow();
    }

    private static byte[] bytes(int inlets) {
      return ClassFile.of()
          .build(
              ClassDesc.of(StraightPath.class.getName() + "Of" + inlets),
              path ->
                  path.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER)
                      .withInterfaceSymbols(PATH)
                      .withMethodBody(
                          INIT_NAME,
                          MTD_void,
                          0,
                          code ->
                              code.aload(0).invokespecial(CD_Object, INIT_NAME, MTD_void).return_())
                      .withMethodBody(
                          "handle", HANDLE, ClassFile.ACC_PUBLIC, code -> write(code, inlets)));
    }

    private static void write(CodeBuilder code, int inlets) {
      for (int i = 0; i < PADDING_BYTES; i++) {
        code.nop();
      }
      Label end = code.newLabel();
      for (int i = 0; i < inlets; i++) {
        DynamicConstantDesc<?> inlet = constant(2 * i, INLET);
        if (i > 0) {
          code.aload(NEXT).ldc(inlet).if_acmpne(end);
        }
        code.ldc(inlet).aload(GIVEN).invokevirtual(INLET, "begin", BEGIN).istore(LIVE);
        DynamicConstantDesc<?> handler = constant(2 * i + 1, HANDLER);
        code.trying(
            handled ->
                handled.ldc(handler).aload(GIVEN).invokeinterface(HANDLER, "onBurst", ON_BURST),
            failed ->
                failed.catchingAll(thrown ->
                    thrown
                        .astore(NEXT)
                        .ldc(inlet)
                        .aload(GIVEN)
                        .iload(LIVE)
                        .aload(NEXT)
                        .invokevirtual(INLET, "failed", FAILED)));
        code.ldc(inlet).aload(GIVEN).invokevirtual(INLET, "end", HANDLE).astore(NEXT);
      }
      code.labelBinding(end).aload(NEXT).areturn();
    }

    private static DynamicConstantDesc<?> constant(int index, ClassDesc type) {
      return DynamicConstantDesc.ofNamed(
          ConstantDescs.ofConstantBootstrap(
              desc(MethodHandles.class), "classDataAt", CD_Object, CD_int),
          ConstantDescs.DEFAULT_NAME,
          type,
          index);
    }
  }
}
