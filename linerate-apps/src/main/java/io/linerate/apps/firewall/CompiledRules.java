package io.linerate.apps.firewall;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;

/**
 * A few rules for IPv4 as a class of their own, whose constants they are: an AND and a comparison
 * for each, and no table is read.
 */
final class CompiledRules {
  /**
   * With more, {@link MaskedRules} are faster. Measured:
   * docs/decisions/0021-few-rules-are-compiled.md.
   */
  static final int MAX_RULES = 20;

  private CompiledRules() {}

  /**
   * Makes and loads the class. Parameters are those of {@link MaskedRules}.
   *
   * @param masks at most {@link #MAX_RULES}
   */
  static RuleMatcher of(long[] masks, long[] values, int[] indexes, int noMatch) {
    ClassDesc name = ClassDesc.of(CompiledRules.class.getPackageName(), "RulesOf" + masks.length);
    byte[] bytes =
        ClassFile.of()
            .build(
                name,
                made ->
                    made.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER)
                        .withInterfaceSymbols(RuleMatcher.class.describeConstable().orElseThrow())
                        .withMethodBody(
                            INIT_NAME,
                            MTD_void,
                            0,
                            code ->
                                code.aload(0)
                                    .invokespecial(CD_Object, INIT_NAME, MTD_void)
                                    .return_())
                        .withMethodBody(
                            "match",
                            MethodTypeDesc.of(CD_int, CD_long),
                            ClassFile.ACC_PUBLIC,
                            code -> write(code, masks, values, indexes, noMatch)));
    try {
      return (RuleMatcher)
          MethodHandles.lookup()
              .defineHiddenClass(bytes, true)
              .lookupClass()
              .getDeclaredConstructor()
              .newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("rules cannot be compiled: rules=" + masks.length, e);
    }
  }

  /** For each rule {@code if ((word & MASK) == VALUE) return INDEX;}. */
  private static void write(
      CodeBuilder code, long[] masks, long[] values, int[] indexes, int noMatch) {
    for (int i = 0; i < masks.length; i++) {
      Label next = code.newLabel();
      code.lload(1).loadConstant(masks[i]).land().loadConstant(values[i]).lcmp().ifne(next);
      code.loadConstant(indexes[i]).ireturn().labelBinding(next);
    }
    code.loadConstant(noMatch).ireturn();
  }
}
