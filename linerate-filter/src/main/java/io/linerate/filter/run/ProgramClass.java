package io.linerate.filter.run;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.BurstOwner;
import io.linerate.core.memory.HandlePredicate;
import io.linerate.core.memory.Packet;
import io.linerate.core.memory.PacketPredicate;
import io.linerate.filter.BpfInstruction;
import io.linerate.filter.code.Opcodes;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Programs as classes of their own, whose constants their instructions are.
 *
 * <pre>{@code
 * public boolean accepts(Packet packet) {
 *   int length = packet.length();
 *   return length >= REQUIRED ? ofLong(packet, length) : ofShorter(packet, length);
 * }
 *
 * public long accepted(Burst burst, int from) {
 *   return BurstOwner.test(burst, from, this);
 * }
 * }</pre>
 *
 * <p>Both static methods are the whole program. In the first all that is loaded from the begin of
 * the packet is there, and is not asked for again. {@link BurstLoop} has it a third time.
 */
public final class ProgramClass {
  /**
   * Bytes of bytecode of a method that HotSpot compiles: larger ones it does not
   * (DontCompileHugeMethods).
   */
  private static final int MAX_METHOD_BYTES = 8_000;

  /** The shortest frame of Ethernet without its checksum: loads behind are asked for each. */
  private static final int MAX_REQUIRED_BYTES = 60;

  private static final int STATIC = ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC;

  /** Instructions that may fit: each takes at least two bytes. */
  private static final int MAX_INSTRUCTIONS = MAX_METHOD_BYTES / 2;

  private static final ClassDesc PACKET = desc(Packet.class);
  private static final ClassDesc BURST = desc(Burst.class);
  private static final ClassDesc PREDICATE = desc(PacketPredicate.class);
  private static final MethodTypeDesc ACCEPTS = MethodTypeDesc.of(CD_boolean, PACKET);
  private static final MethodTypeDesc ACCEPTED = MethodTypeDesc.of(CD_long, BURST, CD_int);
  private static final MethodTypeDesc PROGRAM = MethodTypeDesc.of(CD_boolean, PACKET, CD_int);
  private static final String LONG = "ofLong";
  private static final String SHORTER = "ofShorter";

  private final List<BpfInstruction> instructions;
  private final int required;
  private final boolean looksAtLink;

  private ProgramClass(List<BpfInstruction> instructions, boolean looksAtLink) {
    this.instructions = instructions;
    this.looksAtLink = looksAtLink;
    required = required(instructions);
  }

  private static ClassDesc desc(Class<?> type) {
    return type.describeConstable().orElseThrow();
  }

  /**
   * The class of a program, or what interprets it, if it is larger than HotSpot compiles. It looks
   * at no link type.
   */
  public static PacketPredicate of(List<BpfInstruction> instructions) {
    return of(instructions, null);
  }

  /**
   * As {@link #of(List)}, of a program for Ethernet, which of bursts judges those packets only that
   * begin so.
   *
   * @param others judges any packet, and is asked about the others; null: there are none
   */
  public static PacketPredicate of(
      List<BpfInstruction> instructions, @Nullable PacketPredicate others) {
    byte[] bytes = new ProgramClass(instructions, others != null).bytesOrNone();
    return bytes.length > 0 && isCompiled(bytes)
        ? load(bytes, others)
        : new InterpretedProgram(instructions, others);
  }

  private static boolean isCompiled(byte[] bytes) {
    ClassModel model = ClassFile.of().parse(bytes);
    return model.methods().stream()
        .flatMap(method -> method.findAttribute(Attributes.code()).stream())
        .allMatch(code -> code.codeLength() <= MAX_METHOD_BYTES);
  }

  private static PacketPredicate load(byte[] bytes, @Nullable PacketPredicate others) {
    try {
      return (PacketPredicate)
          MethodHandles.lookup()
              .defineHiddenClass(bytes, true)
              .lookupClass()
              .getDeclaredConstructor(PacketPredicate.class)
              .newInstance(others);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("filter cannot be loaded", e);
    }
  }

  /** Nothing if a method is larger than classes can have it. */
  private byte[] bytesOrNone() {
    if (instructions.size() > MAX_INSTRUCTIONS) {
      return new byte[0];
    }
    ClassDesc name = ClassDesc.of(ProgramClass.class.getPackageName(), "Program");
    try {
      return ClassFile.of().build(name, made -> write(made, name));
    } catch (IllegalArgumentException e) {
      return new byte[0];
    }
  }

  private void write(ClassBuilder made, ClassDesc name) {
    made.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER)
        .withInterfaceSymbols(PREDICATE, desc(HandlePredicate.class))
        .withField(BurstLoop.SLOW, PREDICATE, ClassFile.ACC_PRIVATE | ClassFile.ACC_FINAL)
        .withMethodBody(
            INIT_NAME, MethodTypeDesc.of(CD_void, PREDICATE), 0, code -> writeInit(code, name))
        .withMethodBody("accepts", ACCEPTS, ClassFile.ACC_PUBLIC, code -> writeChoice(code, name))
        .withMethodBody(LONG, PROGRAM, STATIC, code -> writeProgram(code, required))
        .withMethodBody(SHORTER, PROGRAM, STATIC, code -> writeProgram(code, 0))
        .withMethodBody("accepted", ACCEPTED, ClassFile.ACC_PUBLIC, ProgramClass::writeAccepted)
        .withMethodBody(
            "test",
            BurstLoop.TYPE,
            ClassFile.ACC_PUBLIC,
            code -> BurstLoop.write(code, name, instructions, required, looksAtLink));
  }

  /** What judges what the loop cannot is the argument, or else the object itself. */
  private static void writeInit(CodeBuilder code, ClassDesc own) {
    Label isGiven = code.newLabel();
    code.aload(0).invokespecial(CD_Object, INIT_NAME, MTD_void);
    code.aload(1).ifnonnull(isGiven).aload(0).astore(1);
    code.labelBinding(isGiven).aload(0).aload(1).putfield(own, BurstLoop.SLOW, PREDICATE).return_();
  }

  private void writeChoice(CodeBuilder code, ClassDesc own) {
    int length = 2;
    Label shorter = code.newLabel();
    code.aload(1).invokevirtual(PACKET, "length", MethodTypeDesc.of(CD_int)).istore(length);
    code.iload(length).loadConstant(required).if_icmplt(shorter);
    code.aload(1).iload(length).invokestatic(own, LONG, PROGRAM).ireturn();
    code.labelBinding(shorter);
    code.aload(1).iload(length).invokestatic(own, SHORTER, PROGRAM).ireturn();
  }

  private void writeProgram(CodeBuilder code, int present) {
    Label outside = code.newLabel();
    Access access = new CursorAccess(outside);
    new ProgramCode(code, instructions, access, present, HostOrder.nowhere()).write();
    code.labelBinding(outside);
    access.end(code, false);
  }

  private static void writeAccepted(CodeBuilder code) {
    MethodTypeDesc type = MethodTypeDesc.of(CD_long, BURST, CD_int, desc(HandlePredicate.class));
    code.aload(1).iload(2).aload(0).invokestatic(desc(BurstOwner.class), "test", type).lreturn();
  }

  /** Bytes that loads from the begin of the packet want, as far as most packets have them. */
  private static int required(List<BpfInstruction> instructions) {
    int required = 0;
    for (BpfInstruction each : instructions) {
      long end = ProgramCode.constantEnd(each);
      if (end <= MAX_REQUIRED_BYTES) {
        required = Math.max(required, (int) end);
      }
    }
    return required;
  }

  /** Whether a program goes back, as that of {@code protochain} does. */
  public static boolean hasLoops(List<BpfInstruction> instructions) {
    return instructions.stream()
        .anyMatch(each -> each.code() == (Opcodes.JMP | Opcodes.JA) && each.k() < 0);
  }
}
