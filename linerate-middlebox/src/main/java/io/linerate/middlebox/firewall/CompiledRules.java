package io.linerate.middlebox.firewall;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import io.linerate.wire.classify.SourceClassifier;
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
   * With more, a {@link SourceClassifier} is faster. Measured:
   * docs/decisions/0022-many-rules-are-tables.md.
   */
  static final int MAX_RULES = 16;

  private CompiledRules() {}

  /**
   * Makes and loads the class. Rules are in the form of {@link SourceTable}'s keys.
   *
   * @param masks bits of a key that a rule looks at; at most {@link #MAX_RULES}
   * @param values what they have to be
   * @param indexes places of the rules, in ascending order
   * @param noMatch the answer when no rule matches
   */
  static KeyMatcher of(long[] masks, long[] values, int[] indexes, int noMatch) {
    ClassDesc name = ClassDesc.of(CompiledRules.class.getPackageName(), "RulesOf" + masks.length);
    byte[] bytes =
        ClassFile.of()
            .build(
                name,
                made ->
                    made.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER)
                        .withInterfaceSymbols(KeyMatcher.class.describeConstable().orElseThrow())
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
                            MethodTypeDesc.of(
                                CD_void, CD_long.arrayType(), CD_int, CD_int.arrayType()),
                            ClassFile.ACC_PUBLIC,
                            code -> writeLoop(code, masks, values, indexes, noMatch)));
    try {
      return (KeyMatcher)
          MethodHandles.lookup()
              .defineHiddenClass(bytes, true)
              .lookupClass()
              .getDeclaredConstructor()
              .newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("rules cannot be compiled: rules=" + masks.length, e);
    }
  }

  /**
   * <pre>{@code
   * for (int i = 0; i < count; i++) {
   *   long key = keys[i];
   *   verdicts[i] = key >= 0 ? ... : (int) key;
   * }
   * }</pre>
   */
  private static void writeLoop(
      CodeBuilder code, long[] masks, long[] values, int[] indexes, int noMatch) {
    int keys = 1;
    int count = 2;
    int verdicts = 3;
    int i = 4;
    int key = 5;
    Label test = code.newLabel();
    Label body = code.newLabel();
    Label known = code.newLabel();
    Label next = code.newLabel();
    code.iconst_0().istore(i).goto_(test).labelBinding(body);
    code.aload(keys).iload(i).laload().lstore(key);
    code.aload(verdicts).iload(i);
    code.lload(key).lconst_0().lcmp().iflt(known);
    write(code, key, masks, values, indexes, noMatch);
    code.goto_(next).labelBinding(known).lload(key).l2i();
    code.labelBinding(next).iastore().iinc(i, 1);
    code.labelBinding(test).iload(i).iload(count).if_icmplt(body).return_();
  }

  /** For each rule {@code (key & MASK) == VALUE ? INDEX :}, and that of none. */
  private static void write(
      CodeBuilder code, int key, long[] masks, long[] values, int[] indexes, int noMatch) {
    Label end = code.newLabel();
    for (int i = 0; i < masks.length; i++) {
      Label next = code.newLabel();
      code.lload(key).loadConstant(masks[i]).land().loadConstant(values[i]).lcmp().ifne(next);
      code.loadConstant(indexes[i]).goto_(end).labelBinding(next);
    }
    code.loadConstant(noMatch).labelBinding(end);
  }
}
