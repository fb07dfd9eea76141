package io.linerate.graph;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
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
   * The bytes of the class. For two inputs its method says:
   *
   * <pre>{@code
   * Inlet next = Inlet.handle(INLET_0, HANDLER_0, burst);
   * if (next != INLET_1) {
   *   return next;
   * }
   * return Inlet.handle(INLET_1, HANDLER_1, burst);
   * }</pre>
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
    private static final MethodTypeDesc HANDLE = MethodTypeDesc.of(INLET, INLET, HANDLER, BURST);

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
                          "handle",
                          MethodTypeDesc.of(INLET, BURST),
                          ClassFile.ACC_PUBLIC,
                          code -> write(code, inlets)));
    }

    private static void write(CodeBuilder code, int inlets) {
      for (int i = 0; i < PADDING_BYTES; i++) {
        code.nop();
      }
      Label end = code.newLabel();
      for (int i = 0; i < inlets; i++) {
        if (i > 0) {
          code.dup().ldc(constant(2 * i, INLET)).if_acmpne(end).pop();
        }
        code.ldc(constant(2 * i, INLET)).ldc(constant(2 * i + 1, HANDLER)).aload(1);
        code.invokestatic(INLET, "handle", HANDLE);
      }
      code.labelBinding(end).areturn();
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
