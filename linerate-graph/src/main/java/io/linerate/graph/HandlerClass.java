package io.linerate.graph;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;

/**
 * Classes that are made again for each object of them: what the object is about is a constant of
 * its class. The compiler knows constants, and what it has seen in one class says nothing of the
 * others, so that handlers which call each other become one method.
 *
 * <pre>{@code
 * final class Twice implements LongConsumer {
 *   private static final LongConsumer NEXT =
 *       HandlerClass.constant(MethodHandles.lookup(), LongConsumer.class);
 *
 *   public void accept(long token) {
 *     NEXT.accept(2 * token);
 *   }
 * }
 *
 * LongConsumer twice =
 *     HandlerClass.make(MethodHandles.lookup(), Twice.class, next, LongConsumer.class);
 * }</pre>
 */
public final class HandlerClass {
  /** As {@link PathCode}: what is compiled by itself begins at depth 0. */
  private static final int PADDING_BYTES = 330;

  private static final ClassValue<byte[]> BYTES =
      new ClassValue<>() {
        @Override
        protected byte[] computeValue(Class<?> type) {
          String name = type.getName();
          String file = name.substring(name.lastIndexOf('.') + 1) + ".class";
          try (InputStream bytes = type.getResourceAsStream(file)) {
            if (bytes == null) {
              throw new IllegalStateException("class has no file: class=" + name);
            }
            return bytes.readAllBytes();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  private HandlerClass() {}

  /**
   * An object of a new class that is as {@code template}.
   *
   * @param lookup of the template's package
   * @param template with a constructor without parameters; never used itself
   * @param constant what {@link #constant} returns in the new class
   * @param type a superclass or interface of the template
   */
  public static <T> T make(
      Lookup lookup, Class<? extends T> template, Object constant, Class<T> type) {
    return make(lookup, BYTES.get(template), constant, type);
  }

  /**
   * As {@link #make}, with a method that is too long to be inlined anywhere: it is compiled by
   * itself, together with what it calls.
   */
  static <T> T makeRoot(
      Lookup lookup, Class<? extends T> template, String method, Object constant, Class<T> type) {
    ClassFile file = ClassFile.of();
    byte[] padded =
        file.transformClass(
            file.parse(BYTES.get(template)),
            ClassTransform.transformingMethodBodies(
                body -> body.methodName().equalsString(method), new Padding()));
    return make(lookup, padded, constant, type);
  }

  private static final class Padding implements CodeTransform {
    @Override
    public void atStart(CodeBuilder code) {
      for (int i = 0; i < PADDING_BYTES; i++) {
        code.nop();
      }
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      code.with(element);
    }
  }

  private static <T> T make(Lookup lookup, byte[] bytes, Object constant, Class<T> type) {
    try {
      Lookup made = lookup.defineHiddenClassWithClassData(bytes, constant, true);
      return type.cast(
          made.findConstructor(made.lookupClass(), MethodType.methodType(void.class)).invoke());
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("class cannot be made: type=" + type.getName(), e);
    }
  }

  /** The constant of a class that was made of a template: for its initializer. */
  public static <T> T constant(Lookup lookup, Class<T> type) {
    try {
      return MethodHandles.classData(lookup, ConstantDescs.DEFAULT_NAME, type);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("class has no constant: class=" + lookup.lookupClass(), e);
    }
  }
}
