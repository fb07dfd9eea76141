package io.linerate.graph;

import static io.linerate.graph.ClassConstants.desc;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_Throwable;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Steps that follow each other, as one method. For three of them, of which the second is a filter:
 *
 * <pre>{@code
 * public void accept(long a) {
 *   double b;
 *   try {
 *     b = FUNCTION_0.applyAsDouble(a);
 *   } catch (Throwable e) {
 *     ELEMENT_0.tokenFailed(e);
 *     return;
 *   }
 *   LINK_0.count();
 *   boolean passes;
 *   try {
 *     passes = FUNCTION_1.test(b);
 *   } catch (Throwable e) {
 *     ELEMENT_1.tokenFailed(e);
 *     return;
 *   }
 *   if (!passes) {
 *     return;
 *   }
 *   LINK_1.count();
 *   …
 *   OUTLET.accept(c);
 * }
 * }</pre>
 */
final class TokenPath {
  /** HotSpot does not compile a method of 8,000 bytes. */
  private static final int MAX_STEPS = 100;

  private static final ClassDesc LINK = desc(TokenLink.class);
  private static final ClassDesc ELEMENT = desc(RunningElement.class);

  /**
   * One element of the path.
   *
   * @param out its only output
   */
  record Step(TokenStep step, TokenLink out, RunningElement element) {
    private @Nullable Step next() {
      TokenInlet target = out.target();
      return target == null ? null : target.step();
    }
  }

  private final List<Step> steps = new ArrayList<>();
  private final ClassConstants constants = new ClassConstants();

  private TokenPath(Step first) {
    for (Step step = first; step != null && steps.size() < MAX_STEPS; step = step.next()) {
      steps.add(step);
    }
  }

  /** What handles the tokens that come to the first step. */
  static Object handler(Step first) {
    TokenPath path = new TokenPath(first);
    byte[] bytes =
        ClassFile.of()
            .build(ClassDesc.of(TokenPath.class.getName() + "Of" + path.steps.size()), path::write);
    try {
      MethodHandles.Lookup made =
          MethodHandles.lookup()
              .defineHiddenClassWithClassData(bytes, path.constants.objects(), true);
      return made.findConstructor(made.lookupClass(), MethodType.methodType(void.class)).invoke();
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("path cannot be compiled: steps=" + path.steps, e);
    }
  }

  static ClassDesc consumer(Class<?> token) {
    if (token.equals(long.class)) {
      return desc(LongConsumer.class);
    }
    return desc(token.equals(double.class) ? DoubleConsumer.class : Consumer.class);
  }

  private void write(ClassBuilder path) {
    Class<?> token = steps.getFirst().step().in();
    path.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER)
        .withInterfaceSymbols(consumer(token))
        .withMethodBody(
            INIT_NAME,
            MTD_void,
            0,
            code -> code.aload(0).invokespecial(CD_Object, INIT_NAME, MTD_void).return_())
        .withMethodBody(
            "accept", MethodTypeDesc.of(CD_void, desc(token)), ClassFile.ACC_PUBLIC, this::accept);
  }

  private void accept(CodeBuilder code) {
    Label end = code.newLabel();
    int token = code.parameterSlot(0);
    for (int i = 0; i < steps.size(); i++) {
      token = step(code, steps.get(i), token, end);
      if (i < steps.size() - 1) {
        code.ldc(constants.constant(LINK, steps.get(i).out()))
            .invokevirtual(LINK, "count", MTD_void);
      }
    }
    Step last = steps.getLast();
    Class<?> passed = last.step().passed();
    code.ldc(constants.constant(consumer(passed), last.out().outlet()))
        .loadLocal(TypeKind.from(passed), token)
        .invokeinterface(consumer(passed), "accept", MethodTypeDesc.of(CD_void, desc(passed)));
    code.labelBinding(end).return_();
  }

  /** Returns the variable that what leaves is in. */
  private int step(CodeBuilder code, Step one, int token, Label end) {
    TokenStep step = one.step();
    int result = code.allocateLocal(TypeKind.from(step.out()));
    code.trying(
        called -> {
          called
              .ldc(constants.constant(desc(step.type()), step.function()))
              .loadLocal(TypeKind.from(step.in()), token)
              .invokeinterface(
                  desc(step.type()),
                  step.method(),
                  MethodTypeDesc.of(desc(step.out()), desc(step.in())));
          if (step.out().equals(Object.class)) {
            called
                .loadConstant(
                    "function has returned null, which is no token; use filter before it, or flatMap, where there may be none")
                .invokestatic(
                    desc(Objects.class),
                    "requireNonNull",
                    MethodTypeDesc.of(CD_Object, CD_Object, CD_String));
          }
          called.storeLocal(TypeKind.from(step.out()), result);
        },
        failed ->
            failed.catchingAll(thrown -> {
              int exception = thrown.allocateLocal(TypeKind.REFERENCE);
              thrown
                  .astore(exception)
                  .ldc(constants.constant(ELEMENT, one.element()))
                  .aload(exception)
                  .invokevirtual(ELEMENT, "tokenFailed", MethodTypeDesc.of(CD_void, CD_Throwable))
                  .goto_(end);
            }));
    if (!step.isFilter()) {
      return result;
    }
    code.iload(result).ifeq(end);
    return token;
  }
}
